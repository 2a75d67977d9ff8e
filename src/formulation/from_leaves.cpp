#include "from_leaves.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "cetaev/detail/expr/nested.hpp"
#include "forces_on_sums.hpp"
#include "shared_sums.hpp"
#include "solve_steps.hpp"

namespace cetaev {

namespace {

class Elimination {
 public:
  Elimination(const Setting& s, const SharedSums& sums, const std::string& stem)
      : s_(s),
        sums_(sums),
        Q_(sums.variables),
        right_(forces_on_sums(s, sums)),
        users_(sums.variables),
        waiting_(sums.turns.size(), 2),
        inverse_(s.symbols(stem, s.n())) {
    for (std::size_t i = 0; i < sums.variables; ++i) {
      for (const auto& [j, terms] : sums.products[i])
        for (const Expr e : terms) add(i, j, e);
      for (const Monomial& m : sums.definition[i]) ++users_[m.y];
    }
    for (std::size_t x = s.n(); x < sums.variables; ++x) free_by_velocity(x);
  }

  // Velocities as soon as they are free, of few neighbours first; then the sum that is put in with the least work.
  std::optional<FromLeaves> run() {
    for (std::size_t i = 0; i < sums_.variables; ++i)
      if (users_[i] == 0) release(i);
    const auto work = [&](std::size_t i) {
      return Q_[i].size() * (is_free(i) ? Q_[i].size() : sums_.turn_of.contains(i) ? 1 : sums_.definition[i].size());
    };
    // of the same work, the one further from the root
    const auto less = [&](std::size_t i, std::size_t j) { return work(i) != work(j) ? work(i) < work(j) : i > j; };
    while (!velocities_.empty() || !ready_.empty()) {
      std::set<std::size_t>& next = velocities_.empty() ? ready_ : velocities_;
      const std::size_t i = *std::min_element(next.begin(), next.end(), less);
      next.erase(i);
      if (is_free(i)) {
        if (!eliminate(i)) return std::nullopt;
      } else if (const auto turn = sums_.turn_of.find(i); turn != sums_.turn_of.end()) {
        turn_back(sums_.turns[turn->second]);
        used_no_more(i + 1);
      } else {
        put_in(i);
      }
      used_no_more(i);
    }
    return go_back();
  }

 private:
  // x = v_j + Σ A y where v_j stands nowhere else: x is as free as v_j, and without what it is made of there is less to eliminate. Then
  // b_j v_j = b_j (x − Σ A y).
  void free_by_velocity(std::size_t x) {
    const std::vector<Monomial>& terms = sums_.definition[x];
    const auto found = std::find_if(terms.begin(), terms.end(), [&](const Monomial& m) {
      return m.y < s_.n() && users_[m.y] == 1 && Q_[m.y].empty() && m.c.is_number() && m.c.number().abs().is_one();
    });
    if (found == terms.end()) return;
    const std::size_t j = found->y;
    free_[x] = *found;
    const Expr r = sum(right_[j]);
    right_[j].clear();
    if (r.is_zero()) return;
    right_[x].push_back({r, found->c.number()});
    for (const Monomial& m : terms)
      if (m.y != j) right_[m.y].push_back({nested_product(m.c, r), -found->c.number()});
  }
  bool is_free(std::size_t i) const { return i < s_.n() || free_.contains(i); }

  void release(std::size_t i) {
    if (is_free(i)) {
      velocities_.insert(i);
    } else if (const auto turn = sums_.turn_of.find(i); turn == sums_.turn_of.end()) {
      ready_.insert(i);
    } else if (--waiting_[turn->second] == 0) {
      ready_.insert(sums_.turns[turn->second].t1);
    }
  }
  void used_no_more(std::size_t x) {
    const auto free = free_.find(x);
    for (const Monomial& m : sums_.definition[x])
      if (--users_[m.y] == 0 && (free == free_.end() || free->second.y != m.y)) release(m.y);
  }

  Expr sum(const KeptTerms& terms) const { return nested_sum(s_.context(), terms); }

  void add(std::size_t i, std::size_t j, Expr e, const Rational& factor = Rational(1)) {
    if (e.is_zero()) return;
    Q_[i][j].push_back({e, factor});
    if (i != j) Q_[j][i].push_back({e, factor});
  }

  // The row of a variable that is taken out, without zeros.
  std::map<std::size_t, Expr> take(std::size_t i) {
    std::map<std::size_t, Expr> row;
    for (auto& [j, terms] : Q_[i]) {
      const Expr e = sum(terms);
      if (j != i) Q_[j].erase(i);
      if (!e.is_zero()) row.emplace(j, e);
    }
    Q_[i].clear();
    return row;
  }

  Expr entry(const std::map<std::size_t, Expr>& row, std::size_t j) const {
    const auto found = row.find(j);
    return found == row.end() ? s_.zero() : found->second;
  }

  // x = Σ A_k y_k: Q_kl += A_k Q_xl + A_l Q_xk + A_k A_l Q_xx
  void put_in(std::size_t x) {
    const std::map<std::size_t, Expr> row = take(x);
    const std::vector<Monomial>& A = sums_.definition[x];
    const Expr square = entry(row, x), r = sum(right_[x]);
    std::set<std::size_t> inside;
    for (const Monomial& m : A) {
      inside.insert(m.y);
      if (!r.is_zero()) right_[m.y].push_back({nested_product(m.c, r), Rational(1)});
    }
    for (std::size_t k = 0; k < A.size(); ++k) {
      const Expr Q_k = entry(row, A[k].y), both = sum({{Q_k, 1}, {nested_product(A[k].c, square), 1}});
      add(A[k].y, A[k].y, nested_product(A[k].c, sum({{Q_k, 1}, {both, 1}})));
      for (std::size_t l = 0; l < k; ++l) {
        add(A[k].y, A[l].y, nested_product(A[l].c, both));
        add(A[k].y, A[l].y, nested_product(A[k].c, entry(row, A[l].y)));
      }
      for (const auto& [l, Q_l] : row)
        if (l != x && !inside.contains(l)) add(A[k].y, l, nested_product(A[k].c, Q_l));
    }
    taken_.push_back({x, {}});
  }

  // A symmetric matrix before a turn, from the one after it: with d = Q₁₁ − Q₂₂ and w = s d + 2 c Q₁₂
  //   Q₁₁ − s w, Q₂₂ + s w, c w − Q₁₂
  void turn_back(const TurnedPair& turn) {
    const std::size_t t1 = turn.t1, t2 = t1 + 1;
    if (Q_[t1].contains(turn.y1) || Q_[t1].contains(turn.y2) || Q_[t2].contains(turn.y1) || Q_[t2].contains(turn.y2)) {
      put_in(t2);
      put_in(t1);
      return;
    }
    const std::map<std::size_t, Expr> row1 = take(t1), row2 = take(t2);
    const Expr c = turn.c, s = turn.s, Q11 = entry(row1, t1), Q12 = entry(row1, t2), Q22 = entry(row2, t2);
    const Expr d = sum({{Q11, 1}, {Q22, -1}});
    const Expr w =
        sum({{nested_product(s, d), 1}, {nested_product(nested_product(s_.context().integer(2), c), Q12), 1}});
    add(turn.y1, turn.y1, Q11);
    add(turn.y1, turn.y1, nested_product(s, w), -1);
    add(turn.y2, turn.y2, Q22);
    add(turn.y2, turn.y2, nested_product(s, w));
    add(turn.y1, turn.y2, nested_product(c, w));
    add(turn.y1, turn.y2, Q12, -1);
    const auto back = [&](Expr u1, Expr u2, auto&& to) {
      to(turn.y1, nested_product(c, u1), Rational(1));
      to(turn.y1, nested_product(s, u2), Rational(-1));
      to(turn.y2, nested_product(s, u1), Rational(1));
      to(turn.y2, nested_product(c, u2), Rational(1));
    };
    std::set<std::size_t> beside;
    for (const auto* row : {&row1, &row2})
      for (const auto& [l, Q_l] : *row)
        if (l != t1 && l != t2) beside.insert(l);
    for (const std::size_t l : beside)
      back(entry(row1, l), entry(row2, l),
           [&](std::size_t y, Expr e, const Rational& factor) { add(y, l, e, factor); });
    back(sum(right_[t1]), sum(right_[t2]), [&](std::size_t y, Expr e, const Rational& factor) {
      if (!e.is_zero()) right_[y].push_back({e, factor});
    });
    taken_.push_back({t1, {}});
    taken_.push_back({t2, {}});
  }

  // Q = D (x + Σ g_k y_k)² + the rest
  bool eliminate(std::size_t x) {
    const std::map<std::size_t, Expr> row = take(x);
    const Expr D = entry(row, x), inverse = inverse_[velocity_of(x)], r = sum(right_[x]);
    if (D.is_zero()) return false;
    result_.steps.push_back({{{1, 1, {D}}, {1, 1, {s_.context().one()}}, {inverse}},
                             ErrorCode::singular_mass_matrix,
                             "the equations of motion do not determine the accelerations at this state: their matrix "
                             "is singular"});
    Taken taken{x, {}, nested_product(inverse, r)};
    for (const auto& [k, Q_k] : row) {
      if (k == x) continue;
      const Expr g = nested_product(inverse, Q_k);
      for (const auto& [l, Q_l] : row)
        if (l != x && l <= k) add(k, l, nested_product(g, Q_l), -1);
      if (!r.is_zero()) right_[k].push_back({nested_product(g, r), -1});
      taken.g.push_back({k, g});
    }
    taken_.push_back(std::move(taken));
    return true;
  }
  std::size_t velocity_of(std::size_t x) const { return x < s_.n() ? x : free_.at(x).y; }

  FromLeaves go_back() {
    std::vector<Expr> rate(sums_.variables, s_.zero());
    for (auto taken = taken_.rbegin(); taken != taken_.rend(); ++taken) {
      const std::size_t i = taken->variable;
      KeptTerms terms;
      if (is_free(i)) {
        terms.push_back({taken->alone, 1});
        for (const Monomial& m : taken->g) terms.push_back({nested_product(m.c, rate[m.y]), -1});
      } else {
        for (const Monomial& m : sums_.definition[i]) terms.push_back({nested_product(m.c, rate[m.y]), 1});
      }
      rate[i] = sum(terms);
      if (const auto free = free_.find(i); free != free_.end()) {
        const Rational& sign = free->second.c.number();
        terms = {{rate[i], sign}};
        for (const Monomial& m : sums_.definition[i])
          if (m.y != free->second.y) terms.push_back({nested_product(m.c, rate[m.y]), -sign});
        rate[free->second.y] = sum(terms);
      }
    }
    result_.a.assign(rate.begin(), rate.begin() + static_cast<std::ptrdiff_t>(s_.n()));
    return std::move(result_);
  }

  struct Taken {
    std::size_t variable;
    std::vector<Monomial> g;  // of what was eliminated
    Expr alone = {};          // its rate but for what the others do
  };

  const Setting& s_;
  const SharedSums& sums_;
  std::vector<std::map<std::size_t, KeptTerms>> Q_;
  std::vector<KeptTerms> right_;
  std::vector<std::size_t> users_;            // sums not put in yet that contain it
  std::vector<int> waiting_;                  // by turn: components that are still used
  std::map<std::size_t, Monomial> free_;      // sums that stand for a velocity, and the term ±v_j
  std::set<std::size_t> velocities_, ready_;  // to be eliminated and to be put in
  std::vector<Expr> inverse_;
  std::vector<Taken> taken_;
  FromLeaves result_;
};

double cost_of(const FromLeaves& solution) {
  std::vector<Expr> all = solution.a;
  for (const SolveStep& step : solution.steps) all.push_back(step.block.matrix.entries[0]);
  return evaluation_cost(all) + division_cost * static_cast<double>(solution.steps.size());
}

// Of H and b and of Cholesky's factors.
double cost_of_matrix(const Setting& s) {
  std::vector<Expr> all = s.terms.bias;
  for (std::size_t i = 0; i < s.n(); ++i)
    for (std::size_t j = 0; j <= i; ++j) all.push_back(s.terms.mass(i, j));
  const double n = static_cast<double>(s.n());
  return evaluation_cost(all) + n * n * n / 3 + 2.5 * n * n + division_cost * n;
}

}  // namespace

std::optional<FromLeaves> solved_from_leaves(const Setting& s, const std::string& stem) {
  constexpr std::size_t few = 4;  // unknowns: such systems are solved, or their squares completed, by algebra
  if (s.rank() > 0 || s.n() <= few) return std::nullopt;
  const SharedSums sums(s.context(), s.system->lagrangian, s.system->motion.v);
  if (!sums.quadratic) return std::nullopt;
  std::optional<FromLeaves> found = Elimination(s, sums, stem).run();
  if (!found || cost_of(*found) >= cost_of_matrix(s)) return std::nullopt;
  return found;
}

}  // namespace cetaev
