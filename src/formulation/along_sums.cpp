#include "along_sums.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <span>

#include "assemble.hpp"
#include "basis.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "cetaev/detail/expr/nested.hpp"
#include "forces_on_sums.hpp"
#include "hamel.hpp"
#include "shared_sums.hpp"
#include "solve_steps.hpp"

namespace cetaev {

namespace {

// Constraints whose inverse is written out; more are solved in turn.
constexpr std::size_t largest_inverted = 4;
// Choices of velocities that are tried, the model's or the program's own first.
constexpr std::size_t choices_tried = 32;

class Along {
 public:
  Along(const Setting& s, const SharedSums& sums, const State& at) : s_(s), sums_(sums), at_(at), J_(s.J()) {
    moving_ = s.system->motion.q;
    moving_.push_back(s.system->motion.t);
  }

  std::optional<AlongSums> run(const std::string& stem) {
    if (s_.rank() > largest_inverted) {
      if (!choose_in_turn() || !find_root() || !solve_in_turn()) return std::nullopt;
    } else {
      if (!choose_velocities()) return std::nullopt;
      solve_constraints();
    }
    const std::vector<KeptTerms> forces = forces_on_sums(s_, sums_, result_.d);
    make_directions();
    make_rates(forces, stem);
    collect_squares();
    return std::move(result_);
  }

 private:
  Expr sum(const KeptTerms& terms) const { return nested_sum(s_.context(), terms); }

  bool choose_velocities() {
    if (take(s_.dependent)) return true;
    std::vector<bool> chosen(s_.n());
    std::fill_n(chosen.begin(), s_.rank(), true);
    for (std::size_t tried = 0; tried < choices_tried; ++tried) {
      std::vector<std::size_t> others;
      for (std::size_t i = 0; i < s_.n(); ++i)
        if (chosen[i]) others.push_back(i);
      if (others != s_.dependent && take(others)) return true;
      if (!std::prev_permutation(chosen.begin(), chosen.end())) return false;
    }
    return false;
  }

  // K, the inverse of the part of J, if it is one at every state.
  bool take(const std::vector<std::size_t>& dependent) {
    const std::size_t k = s_.rank();
    Matrix one = zeros(s_, k, k);
    for (std::size_t i = 0; i < k; ++i) one(i, i) = s_.context().one();
    for (std::size_t j : dependent) {
      const auto is_zero = [&](std::size_t i) { return J_(i, j).is_zero(); };
      std::vector<std::size_t> rows(k);
      std::iota(rows.begin(), rows.end(), 0);
      if (std::ranges::all_of(rows, is_zero)) return false;
    }
    const auto solution = solve_linear(columns_of(J_, dependent), one);
    if (!solution || solution->rank < k || !solution->consistent()) return false;
    K_ = solution->particular;
    for (Expr& e : K_.entries) {
      const auto reduced = quotient(e);
      if (!reduced || depends_on(reduced->denominator, moving_)) return false;
      e = cheapest(e);
    }
    result_.dependent = dependent;
    find_independent();
    return true;
  }

  // Of many constraints: one after the other, each solved for a velocity that is in none before it and has a constant coefficient, as those of
  // a chain from its root. The last ones are found first: a velocity that is in no other constraint that is left. Where there are several, the one with the
  // largest coefficient beside the others of its constraint, as roundings grow by their ratio from link to link; those that the model names before others.
  bool choose_in_turn() {
    const std::vector<Expr> phi = s_.phi();
    left_.assign(s_.rank(), true);
    std::vector<std::size_t> constraints_with(s_.n());
    for (std::size_t i = 0; i < s_.rank(); ++i)
      for (std::size_t j = 0; j < s_.n(); ++j) constraints_with[j] += J_(i, j).is_zero() ? 0 : 1;
    std::map<std::size_t, std::optional<Candidate>>
        candidates;  // by velocity; it keeps its constraint as long as that is left
    for (;;) {
      const Candidate* best = nullptr;
      for (std::size_t j = s_.n(); j-- > 0;) {
        if (constraints_with[j] != 1) continue;
        auto found = candidates.find(j);
        if (found == candidates.end()) found = candidates.emplace(j, candidate(phi, j)).first;
        if (found->second && (best == nullptr || !(found->second->rank < best->rank))) best = &*found->second;
      }
      if (best == nullptr) break;
      const std::size_t i = best->row;
      turns_.push_back(best->turn);
      left_[i] = false;
      for (std::size_t k = 0; k < s_.n(); ++k) constraints_with[k] -= J_(i, k).is_zero() ? 0 : 1;
    }
    std::ranges::reverse(turns_);
    for (const Turn& turn : turns_) result_.dependent.push_back(turn.velocity);
    std::ranges::sort(result_.dependent);
    find_independent();
    return !turns_.empty();
  }
  struct Candidate;
  // The constraint that is left, solved for a velocity that is in no other.
  std::optional<Candidate> candidate(const std::vector<Expr>& phi, std::size_t j) {
    std::size_t i = 0;
    while (!left_[i] || J_(i, j).is_zero()) ++i;
    const auto pivot = constant(J_(i, j));
    if (!pivot) return std::nullopt;
    const auto form = sums_.form(phi[i]);
    if (!form || form->size() != 1) return std::nullopt;
    const double beside = share(i, j);
    if (!(beside > too_small_beside)) return std::nullopt;
    const auto& named = s_.system->dependent;
    const bool wanted = named && std::ranges::find(*named, j) != named->end();
    return Candidate{{form->front().y, j, form->front().c / *pivot}, i, {wanted, beside}};
  }
  // |J_ij| at the state beside the largest of its row.
  double share(std::size_t i, std::size_t j) {
    if (sizes_.empty()) {
      const Program program(J_.entries, state_symbols(s_.system));
      sizes_.resize(program.output_count());
      if (Interpreter(program)(state_values(at_, parameter_values(s_.system)), sizes_) >= 0)
        std::ranges::fill(sizes_, 0.0);
    }
    const std::span<const double> row(sizes_.data() + i * s_.n(), s_.n());
    double largest = 0;
    for (const double x : row) largest = std::max(largest, std::fabs(x));
    return std::fabs(row[j]) / largest;
  }

  // What is left where no coefficient is constant, as that of the first axle of trailers: a basis that serves everywhere, of the velocities that no turn solves for.
  bool find_root() {
    const auto count = static_cast<std::size_t>(std::ranges::count(left_, true));
    if (count == 0) return true;
    if (count > largest_inverted) return false;
    Matrix rows{count, s_.n(), {}};
    std::vector<Expr> rest;
    const std::vector<Expr> all_at_rest = at_rest(s_, s_.phi());
    for (std::size_t i = 0; i < s_.rank(); ++i) {
      if (!left_[i]) continue;
      for (std::size_t j = 0; j < s_.n(); ++j) rows.entries.push_back(J_(i, j));
      rest.push_back(all_at_rest[i]);
    }
    const auto basis = regular_basis(s_, rows, rest);
    if (!basis) return false;
    // in none of these constraints, the velocities of the turns are directions by themselves
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < basis->N.columns; ++c) {
      const auto along = [&](std::size_t i) { return !basis->N(i, c).is_zero(); };
      if (std::ranges::none_of(result_.dependent, along)) columns.push_back(c);
    }
    if (columns.size() + s_.rank() != s_.n()) return false;
    Basis root{columns_of(basis->N, columns), basis->drift};
    for (auto* list : {&root.N.entries, &root.drift})
      for (Expr& e : *list) e = cheapest(e);
    result_.root = std::move(root);
    for (std::size_t j = 0; j < columns.size(); ++j)
      result_.u.push_back(s_.context().symbol("$u" + std::to_string(j + 1)));
    return true;
  }
  // How many velocities, or quasi-velocities of the root, are free.
  std::size_t freedom() const { return result_.root ? result_.u.size() : independent_.size(); }

  // The same without anything that moves.
  std::optional<Expr> constant(Expr e) const {
    const auto reduced = quotient(e);
    if (!reduced || reduced->numerator.is_zero() || depends_on(reduced->numerator, moving_) ||
        depends_on(reduced->denominator, moving_))
      return std::nullopt;
    return cheapest(reduced->numerator / reduced->denominator);
  }
  void find_independent() {
    independent_.clear();
    for (std::size_t i = 0; i < s_.n(); ++i)
      if (std::ranges::find(result_.dependent, i) == result_.dependent.end()) independent_.push_back(i);
  }

  // Values, directions and rates of the velocities obey x = Σ A y + own(x) of every sum and are zero of every constraint. Of the independent ones
  // they are given; of the others they come from the constraints in turn. False where these are not what J says.
  template <typename Own>
  bool in_turn(std::vector<std::optional<Expr>>& x, const Own& own) const {
    x.resize(sums_.variables);
    bool known = true;
    const auto combined = [&](std::size_t i, const auto& of) {
      KeptTerms terms = own(i);
      for (const auto& [y, A] : sums_.definition[i]) terms.push_back({nested_product(A, of(y)), 1});
      return sum(terms);
    };
    const std::function<Expr(std::size_t)> whole = [&](std::size_t i) {
      if (!x[i] && i < s_.n()) {
        known = false;
        return s_.zero();
      }
      if (!x[i]) x[i] = combined(i, whole);
      return *x[i];
    };
    for (const Turn& turn : turns_) {
      // what contains the velocity, and what it would be if that were zero
      std::map<std::size_t, std::optional<Expr>> without = {{turn.velocity, s_.zero()}};
      for (std::size_t i = s_.n(); i <= turn.constraint; ++i) {
        const auto contains = [&](const Monomial& m) { return without.contains(m.y); };
        if (std::ranges::any_of(sums_.definition[i], contains)) without[i] = std::nullopt;
      }
      const std::function<Expr(std::size_t)> rest = [&](std::size_t i) {
        const auto own_rest = without.find(i);
        if (own_rest == without.end()) return whole(i);
        if (!own_rest->second) own_rest->second = combined(i, rest);
        return *own_rest->second;
      };
      x[turn.velocity] = sum({{nested_product(turn.inverse, rest(turn.constraint)), -1}});
    }
    return known;
  }

  bool solve_in_turn() {
    const auto nothing = [](std::size_t) { return KeptTerms{}; };
    const auto given = [&](const auto& of) {
      std::vector<std::optional<Expr>> x(s_.n());
      for (const std::size_t i : independent_) x[i] = of(i);
      return x;
    };
    const std::vector<Expr>& v = s_.system->motion.v;
    const auto& root = result_.root;
    const std::vector<Expr> along = root ? multiply(s_, root->N, result_.u) : v;
    auto values = given([&](std::size_t i) { return root ? along[i] + root->drift[i] : v[i]; });
    if (!in_turn(values, nothing)) return false;
    for (std::size_t i = 0; i < s_.n(); ++i) result_.velocities.push_back(*values[i]);
    result_.N = zeros(s_, s_.n(), freedom());
    for (std::size_t j = 0; j < freedom(); ++j) {
      const auto unit = [&](std::size_t i) { return i == independent_[j] ? s_.context().one() : s_.zero(); };
      auto direction = given([&](std::size_t i) { return root ? root->N(i, j) : unit(i); });
      if (!in_turn(direction, nothing)) return false;
      for (std::size_t i = 0; i < s_.n(); ++i) result_.N(i, j) = *direction[i];
    }
    const std::vector<Expr> symbols = values_of_sums(s_, sums_);
    Derivation advance = derivative_at_fixed_velocity(s_.system->motion);
    const std::vector<Expr> of_root =
        root ? rate_at_fixed_u(s_, *root, result_.u) : std::vector<Expr>(s_.n(), s_.zero());
    auto rates = given([&](std::size_t i) { return of_root[i]; });
    const auto turning = [&](std::size_t x) { return turning_of_sum(sums_, x, symbols, advance); };
    if (!in_turn(rates, turning)) return false;
    for (std::size_t i = 0; i < s_.n(); ++i) result_.d.push_back(*rates[i]);
    return true;
  }

  // Σ_l K_il f_l, for the dependent velocity i
  Expr times_inverse(std::size_t i, const std::vector<Expr>& f, int sign) const {
    KeptTerms terms;
    for (std::size_t l = 0; l < f.size(); ++l) terms.push_back({nested_product(K_(i, l), f[l]), sign});
    return sum(terms);
  }

  // v_dep = −K (J_ind u + φ at v = 0), a_dep = K c at u̇ = 0
  void solve_constraints() {
    const std::size_t m = independent_.size();
    const std::vector<Expr> rest = at_rest(s_, s_.phi()), c = s_.c();
    const std::vector<Expr>& v = s_.system->motion.v;
    result_.N = zeros(s_, s_.n(), m);
    result_.d.assign(s_.n(), s_.zero());
    result_.velocities = v;
    for (std::size_t j = 0; j < m; ++j) result_.N(independent_[j], j) = s_.context().one();
    // the constraints at v_dep = 0, each once
    std::vector<Expr> along(s_.rank());
    for (std::size_t l = 0; l < along.size(); ++l) {
      KeptTerms terms = {{rest[l], 1}};
      for (const std::size_t i : independent_) terms.push_back({nested_product(J_(l, i), v[i]), 1});
      along[l] = sum(terms);
    }
    for (std::size_t i = 0; i < s_.rank(); ++i) {
      const std::size_t q = result_.dependent[i];
      for (std::size_t j = 0; j < m; ++j) {
        std::vector<Expr> column(s_.rank());
        for (std::size_t l = 0; l < column.size(); ++l) column[l] = J_(l, independent_[j]);
        result_.N(q, j) = times_inverse(i, column, -1);
      }
      result_.velocities[q] = times_inverse(i, along, -1);
      result_.d[q] = times_inverse(i, c, 1);
    }
  }

  // B of the velocities and of the sums.
  void make_directions() {
    const std::size_t m = freedom();
    B_.assign(sums_.variables, std::vector<Expr>(m, s_.zero()));
    for (std::size_t x = 0; x < sums_.variables; ++x) {
      for (std::size_t j = 0; j < m; ++j) {
        if (x < s_.n()) {
          B_[x][j] = result_.N(x, j);
          continue;
        }
        KeptTerms terms;
        for (const auto& [y, A] : sums_.definition[x]) terms.push_back({nested_product(A, B_[y][j]), 1});
        B_[x][j] = sum(terms);
      }
    }
  }

  void make_rates(const std::vector<KeptTerms>& forces, const std::string& stem) {
    const std::size_t m = freedom();
    // G = P B, of those that stand in products
    std::vector<std::vector<KeptTerms>> G(sums_.variables, std::vector<KeptTerms>(m));
    for (std::size_t x = 0; x < sums_.variables; ++x) {
      for (const auto& [y, terms] : sums_.products[x]) {
        const Expr P = s_.context().sum(terms);
        for (std::size_t j = 0; j < m; ++j) {
          G[x][j].push_back({nested_product(P, B_[y][j]), 1});
          if (x != y) G[y][j].push_back({nested_product(P, B_[x][j]), 1});
        }
      }
    }
    LinearBlock& block = result_.rates;
    block = {zeros(s_, m, m), zeros(s_, m, 1), s_.symbols(stem, m)};
    for (std::size_t j = 0; j < m; ++j) {
      KeptTerms force;
      for (std::size_t x = 0; x < sums_.variables; ++x)
        if (!forces[x].empty()) force.push_back({nested_product(B_[x][j], sum(forces[x])), 1});
      block.right(j, 0) = sum(force);
      for (std::size_t k = 0; k <= j; ++k) {
        KeptTerms entry;
        for (std::size_t x = 0; x < sums_.variables; ++x)
          if (!G[x][k].empty()) entry.push_back({nested_product(B_[x][j], sum(G[x][k])), 1});
        block.matrix(j, k) = block.matrix(k, j) = sum(entry);
      }
    }
  }

  void collect_squares() {
    for (KineticSums::Part& part : parts_of(s_.context(), sums_)) {
      for (const Expr e : part.weights.entries) {
        if (!depends_on(e, moving_)) continue;
        result_.squares.clear();  // nothing is said of their sign
        return;
      }
      FirstOrderSystem::Squares squares{{part.variables.size(), freedom(), {}}, std::move(part.weights)};
      for (const std::size_t x : part.variables)
        squares.forms.entries.insert(squares.forms.entries.end(), B_[x].begin(), B_[x].end());
      result_.squares.push_back(std::move(squares));
    }
  }

  const Setting& s_;
  const SharedSums& sums_;
  const State& at_;
  Matrix J_, K_;
  std::vector<Expr> moving_;
  std::vector<std::size_t> independent_;
  // A constraint, the velocity that it is solved for, and 1/∂φ/∂v.
  struct Turn {
    std::size_t constraint, velocity;
    Expr inverse;
  };
  std::vector<Turn> turns_;
  struct Candidate {
    Turn turn;
    std::size_t row;               // of the constraint
    std::pair<bool, double> rank;  // whether the model names the velocity, and its share
  };
  std::vector<bool> left_;     // of the constraints, those that no turn solves
  std::vector<double> sizes_;  // of J at the state
  std::vector<std::vector<Expr>> B_;
  AlongSums result_;
};

}  // namespace

std::optional<AlongSums> along_sums(const Setting& s, const State& at, const std::string& stem) {
  const std::vector<Expr>& v = s.system->motion.v;
  if (s.rank() == 0 || s.rank() == s.n()) return std::nullopt;
  for (const std::size_t row : s.rows)
    if (s.terms.constraints.order[row] == 2) return std::nullopt;
  for (const Expr e : s.J().entries)
    if (depends_on(e, v)) return std::nullopt;
  const bool in_turn = s.rank() > largest_inverted;
  SharedSums sums(s.context(), s.system->lagrangian, v, in_turn ? s.phi() : std::vector<Expr>{});
  if (!sums.quadratic || !sums.homogeneous) return std::nullopt;
  std::optional<AlongSums> found = Along(s, sums, at).run(stem);
  constexpr std::size_t few = 8;  // velocities
  if (!found || in_turn || s.n() > few) return found;
  sums.write_by_velocities();
  std::optional<AlongSums> other = Along(s, sums, at).run(stem);
  const auto cost = [](const AlongSums& along) {
    std::vector<Expr> all = along.velocities;
    for (const auto* list : {&along.rates.matrix.entries, &along.rates.right.entries})
      all.insert(all.end(), list->begin(), list->end());
    return evaluation_cost(all);
  };
  return other && cost(*other) < cost(*found) ? other : found;
}

}  // namespace cetaev
