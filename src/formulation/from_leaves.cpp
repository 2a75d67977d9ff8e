#include "from_leaves.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "cetaev/detail/expr/walk.hpp"
#include "solve_steps.hpp"

namespace cetaev {

namespace {

constexpr int not_polynomial = 3;

// c·y: y is a velocity or a sum that contains some.
struct Monomial {
  std::size_t y;
  Expr c;
};

// The part of L that is quadratic in v, as a form in the velocities and in the sums of them that it is written with.
class SharedSums {
 public:
  SharedSums(Context& context, Expr L, const std::vector<Expr>& v)
      : context_(context), order_(topological(std::span(&L, 1))), place_(order_), degree_(order_.size()) {
    for (std::size_t j = 0; j < v.size(); ++j) {
      velocity_.push_back(variables++);
      if (const std::uint32_t i = place_.find(v[j]); i != Places::nowhere) {
        degree_[i] = 1;
        variable_[i] = velocity_.back();
      }
    }
    definition.resize(variables);
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (degree_[i] == 0) degree_[i] = degree(order_[i]);
    quadratic = degree(L) == 2 && define_sums();
    if (quadratic) collect();
  }

  bool quadratic = false;
  std::size_t variables = 0;                                       // velocities first, sums of them in order
  std::vector<std::vector<Monomial>> definition;                   // of sums; empty for velocities
  std::vector<std::map<std::size_t, std::vector<Expr>>> products;  // ∂²L/∂x_i∂x_j, as sums of terms, for j ≤ i

 private:
  // In v: 0, 1, 2, or more.
  int degree(Expr e) const {
    const std::uint32_t at = place_[e];
    if (degree_[at] != 0) return degree_[at];
    const auto of = [&](Expr operand) { return degree_[place_[operand]]; };
    int result = 0;
    switch (e.kind()) {
      case Kind::sum:
        for (std::size_t i = 0; i < e.size(); ++i) result = std::max(result, of(e.term(i)));
        return result;
      case Kind::product:
        for (std::size_t i = 0; i < e.size(); ++i) {
          const int base = of(e.base(i));
          if (base == 0) continue;
          const Rational& exponent = e.exponent(i);
          if (!exponent.is_one() && exponent != Rational(2)) return not_polynomial;
          result += exponent.is_one() ? base : 2 * base;
        }
        return std::min(result, not_polynomial);
      default:
        for (const Expr operand : e.operands())
          if (of(operand) != 0) return not_polynomial;
        return 0;
    }
  }

  // The factors without velocities.
  Expr others(Expr product) const {
    std::vector<Context::Term> factors;
    for (std::size_t i = 0; i < product.size(); ++i)
      if (degree_[place_[product.base(i)]] == 0) factors.push_back({product.base(i), product.exponent(i)});
    return context_.power_product(Rational(1), factors);
  }

  // Of an expression of degree one.
  Monomial monomial(Expr e) const {
    const auto known = variable_.find(place_[e]);
    if (known != variable_.end()) return {known->second, context_.one()};
    // a product with one such factor
    std::size_t which = 0;
    while (degree_[place_[e.base(which)]] == 0) ++which;
    return {variable_.at(place_[e.base(which)]), others(e)};
  }

  bool define_sums() {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Expr e = order_[i];
      if (degree_[i] == not_polynomial) return false;
      if (degree_[i] != 1 || e.kind() != Kind::sum) continue;
      std::map<std::size_t, std::vector<Expr>> terms;
      std::map<Expr, Rational> left;
      for (std::size_t k = 0; k < e.size(); ++k)
        if (degree_[place_[e.term(k)]] == 1) left.emplace(e.term(k), e.coefficient(k));
      while (const auto part = part_of(left)) {
        for (const auto& [term, coefficient] : sums_[part->first]) left.erase(term);
        terms[part->first + velocity_.size()].push_back(context_.number(part->second));
      }
      for (const auto& [term, coefficient] : left) {
        const Monomial m = monomial(term);
        terms[m.y].push_back(coefficient * m.c);
      }
      variable_[i] = variables++;
      std::vector<Monomial> found;
      for (const auto& [y, coefficients] : terms) {
        const Expr c = context_.sum(coefficients);
        if (!c.is_zero()) found.push_back({y, c});
      }
      definition.push_back(std::move(found));
      remember(e);
    }
    return true;
  }

  // Short sums are flattened into those that use them. Here they are found again: the longest one that is contained in these terms, times a number.
  std::optional<std::pair<std::size_t, Rational>> part_of(const std::map<Expr, Rational>& terms) const {
    std::optional<std::pair<std::size_t, Rational>> best;
    std::set<std::size_t> candidates;
    for (const auto& [term, coefficient] : terms) {
      const auto with = sums_with_.find(term);
      if (with != sums_with_.end()) candidates.insert(with->second.begin(), with->second.end());
    }
    for (const std::size_t sum : candidates) {
      const auto& parts = sums_[sum];
      if (parts.size() > terms.size() || (best && parts.size() <= sums_[best->first].size())) continue;
      std::optional<Rational> ratio;
      const bool contained = std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
        const auto found = terms.find(part.first);
        if (found == terms.end()) return false;
        if (!ratio) ratio = found->second / part.second;
        return found->second == *ratio * part.second;
      });
      if (contained) best.emplace(sum, *ratio);
    }
    return best;
  }

  void remember(Expr sum) {
    std::map<Expr, Rational> terms;
    for (std::size_t k = 0; k < sum.size(); ++k) {
      if (degree_[place_[sum.term(k)]] != 1) continue;
      terms.emplace(sum.term(k), sum.coefficient(k));
    }
    if (terms.size() > 1)
      for (const auto& [term, coefficient] : terms) sums_with_[term].push_back(sums_.size());
    sums_.push_back(std::move(terms));
  }

  void add(const Monomial& a, const Monomial& b, Expr weight) {
    Expr product = weight * a.c * b.c;
    if (a.y == b.y) product = Rational(2) * product;
    products[std::max(a.y, b.y)][std::min(a.y, b.y)].push_back(product);
  }

  // From L down to the products of two factors of degree one.
  void collect() {
    products.resize(variables);
    std::vector<std::vector<Expr>> weights(order_.size());
    weights.back().push_back(context_.one());
    for (std::size_t i = order_.size(); i-- > 0;) {
      if (weights[i].empty() || degree_[i] != 2) continue;
      const Expr e = order_[i], weight = context_.sum(weights[i]);
      if (e.kind() == Kind::sum) {
        for (std::size_t k = 0; k < e.size(); ++k) weights[place_[e.term(k)]].push_back(e.coefficient(k) * weight);
        continue;
      }
      std::vector<Monomial> factors;
      const Expr coefficient = weight * others(e);
      for (std::size_t k = 0; k < e.size(); ++k) {
        const std::uint32_t base = place_[e.base(k)];
        if (degree_[base] == 2) weights[base].push_back(coefficient);
        if (degree_[base] != 1) continue;
        factors.push_back(monomial(e.base(k)));
        if (!e.exponent(k).is_one()) factors.push_back(factors.back());
      }
      if (factors.size() == 2) add(factors[0], factors[1], coefficient);
    }
  }

  Context& context_;
  std::vector<Expr> order_;
  Places place_;
  std::vector<int> degree_;
  std::map<std::size_t, std::size_t> variable_;  // by place
  std::vector<std::size_t> velocity_;
  std::vector<std::map<Expr, Rational>> sums_;          // the terms of each, by its number among the sums
  std::map<Expr, std::vector<std::size_t>> sums_with_;  // by term
};

class Elimination {
 public:
  Elimination(const Setting& s, const SharedSums& sums, const std::vector<Expr>& b, const std::string& stem)
      : s_(s), sums_(sums), Q_(sums.variables), right_(sums.variables), users_(sums.variables) {
    for (std::size_t i = 0; i < sums.variables; ++i) {
      for (const auto& [j, terms] : sums.products[i])
        for (const Expr e : terms) add(i, j, e);
      for (const Monomial& m : sums.definition[i]) ++users_[m.y];
    }
    for (std::size_t j = 0; j < b.size(); ++j)
      if (!b[j].is_zero()) right_[j].push_back(b[j]);
    inverse_ = s.symbols(stem, b.size());
  }

  // Velocities as soon as they are free, of few neighbours first; then the sum that is put in with the least work.
  std::optional<FromLeaves> run() {
    std::set<std::size_t> velocities, sums;
    const auto release = [&](std::size_t i) { (i < s_.n() ? velocities : sums).insert(i); };
    for (std::size_t i = 0; i < sums_.variables; ++i)
      if (users_[i] == 0) release(i);
    const auto work = [&](std::size_t i) {
      return Q_[i].size() * (i < s_.n() ? Q_[i].size() : sums_.definition[i].size());
    };
    const auto less = [&](std::size_t i, std::size_t j) { return work(i) < work(j); };
    while (!velocities.empty() || !sums.empty()) {
      std::set<std::size_t>& ready = velocities.empty() ? sums : velocities;
      const std::size_t i = *std::min_element(ready.begin(), ready.end(), less);
      ready.erase(i);
      if (i < s_.n()) {
        if (!eliminate(i)) return std::nullopt;
        continue;
      }
      put_in(i);
      for (const Monomial& m : sums_.definition[i])
        if (--users_[m.y] == 0) release(m.y);
    }
    return go_back();
  }

 private:
  void add(std::size_t i, std::size_t j, Expr e) {
    if (e.is_zero()) return;
    Q_[i][j].push_back(e);
    if (i != j) Q_[j][i].push_back(e);
  }

  // The row of a variable that is taken out, without zeros.
  std::map<std::size_t, Expr> take(std::size_t i) {
    std::map<std::size_t, Expr> row;
    for (auto& [j, terms] : Q_[i]) {
      const Expr e = s_.context().sum(terms);
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
    const Expr square = entry(row, x), r = s_.context().sum(right_[x]);
    std::set<std::size_t> inside;
    for (const Monomial& m : A) {
      inside.insert(m.y);
      if (!r.is_zero()) right_[m.y].push_back(m.c * r);
    }
    for (std::size_t k = 0; k < A.size(); ++k) {
      const Expr Q_k = entry(row, A[k].y), both = Q_k + square * A[k].c;
      add(A[k].y, A[k].y, A[k].c * (Q_k + both));
      for (std::size_t l = 0; l < k; ++l) {
        const Expr Q_l = entry(row, A[l].y);
        add(A[k].y, A[l].y, A[l].c * both + A[k].c * Q_l);
      }
      for (const auto& [l, Q_l] : row)
        if (l != x && !inside.contains(l)) add(A[k].y, l, A[k].c * Q_l);
    }
    taken_.push_back({x, {}});
  }

  // Q = D (v_j + Σ g_k y_k)² + the rest
  bool eliminate(std::size_t j) {
    const std::map<std::size_t, Expr> row = take(j);
    const Expr D = entry(row, j), inverse = inverse_[j], r = s_.context().sum(right_[j]);
    if (D.is_zero()) return false;
    result_.steps.push_back({{{1, 1, {D}}, {1, 1, {s_.context().one()}}, {inverse}},
                             ErrorCode::singular_mass_matrix,
                             "the equations of motion do not determine the accelerations at this state: their matrix "
                             "is singular"});
    Taken taken{j, {}, inverse * r};
    for (const auto& [k, Q_k] : row) {
      if (k == j) continue;
      const Expr g = inverse * Q_k;
      for (const auto& [l, Q_l] : row)
        if (l != j && l <= k) add(k, l, -(g * Q_l));
      if (!r.is_zero()) right_[k].push_back(-(g * r));
      taken.g.push_back({k, g});
    }
    taken_.push_back(std::move(taken));
    return true;
  }

  FromLeaves go_back() {
    std::vector<Expr> rate(sums_.variables);
    for (auto taken = taken_.rbegin(); taken != taken_.rend(); ++taken) {
      const std::size_t i = taken->variable;
      std::vector<Expr> terms;
      if (i < s_.n()) {
        terms.push_back(taken->alone);
        for (const Monomial& m : taken->g) terms.push_back(-(m.c * rate[m.y]));
      } else {
        for (const Monomial& m : sums_.definition[i]) terms.push_back(m.c * rate[m.y]);
      }
      rate[i] = s_.context().sum(terms);
    }
    result_.a.assign(rate.begin(), rate.begin() + static_cast<std::ptrdiff_t>(s_.n()));
    return std::move(result_);
  }

  struct Taken {
    std::size_t variable;
    std::vector<Monomial> g;  // of a velocity
    Expr alone = {};          // its rate but for what the others do
  };

  const Setting& s_;
  const SharedSums& sums_;
  std::vector<std::map<std::size_t, std::vector<Expr>>> Q_;
  std::vector<std::vector<Expr>> right_;
  std::vector<std::size_t> users_;  // sums not put in yet that contain it
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
  std::optional<FromLeaves> found = Elimination(s, sums, s.terms.bias, stem).run();
  if (!found || cost_of(*found) >= cost_of_matrix(s)) return std::nullopt;
  return found;
}

}  // namespace cetaev
