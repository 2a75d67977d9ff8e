#include "completed_squares.hpp"

#include <algorithm>
#include <array>

#include "assemble.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "hamel.hpp"
#include "solve_steps.hpp"

namespace cetaev {

CompletedSquares::CompletedSquares(const Setting& setting, Basis& basis, std::vector<Expr>& u, FirstOrderSystem& system)
    : s_(setting), N_(basis.N), scale_(u.size(), setting.context().one()), D_(u.size()) {
  const Motion& motion = s_.system->motion;
  const std::size_t m = u.size();
  std::vector<Expr> moving = motion.q;
  moving.insert(moving.end(), motion.v.begin(), motion.v.end());
  moving.push_back(motion.t);
  Matrix M = multiply(s_, multiply(s_, transpose(basis.N), s_.terms.mass), basis.N);
  for (Expr& e : M.entries) e = cheapest(e);
  system.divided_by.push_back(M);
  Matrix squares = zeros(s_, m, m);  // rows z_i in u
  std::vector<std::size_t> order, left = all_indices(m);
  while (!left.empty()) {
    auto pivot = std::find_if(left.begin(), left.end(),
                              [&](std::size_t i) { return !M(i, i).is_zero() && !depends_on(M(i, i), moving); });
    if (pivot == left.end())
      pivot = std::find_if(left.begin(), left.end(), [&](std::size_t i) { return !M(i, i).is_zero(); });
    if (pivot == left.end()) throw Error(ErrorCode::not_applicable, "no square can be completed");
    const std::size_t i = *pivot;
    left.erase(pivot);
    order.push_back(i);
    squares(i, i) = s_.context().one();
    for (const std::size_t j : left) squares(i, j) = cheapest(M(i, j) / M(i, i));
    for (const std::size_t j : left) {
      for (const std::size_t k : left) M(j, k) = cheapest(M(j, k) - squares(i, j) * M(i, k));
    }
    scale_[i] = square_root_of_moving_part(M(i, i), moving);
    D_[i] = M(i, i);
  }
  // u = T z, the last pivot first
  Matrix T = zeros(s_, m, m);
  for (std::size_t p = m; p-- > 0;) {
    const std::size_t i = order[p];
    for (std::size_t k = 0; k < m; ++k) {
      std::vector<Expr> terms;
      if (k == i) terms.push_back(s_.context().one());
      for (std::size_t later = p + 1; later < m; ++later)
        terms.push_back(-(squares(i, order[later]) * T(order[later], k)));
      T(i, k) = cheapest(s_.context().sum(terms));
    }
  }
  basis.N = multiply(s_, basis.N, T);
  for (Expr& e : basis.N.entries) e = cheapest(e);
  T_ = std::move(T);
  // the same for the names and for y from q, v
  const std::size_t first = system.state.size() - m;
  std::vector<Expr> given(system.from_state.begin() + static_cast<std::ptrdiff_t>(first), system.from_state.end());
  for (std::size_t i = 0; i < m; ++i) {
    std::vector<Expr> terms;
    for (std::size_t j = 0; j < m; ++j) terms.push_back(squares(i, j) * given[j]);
    system.from_state[first + i] = scale_[i] * s_.context().sum(terms);
    const Expr sigma = s_.context().symbol("$sigma" + std::to_string(i + 1));
    system.state[first + i] = {"sigma" + std::to_string(i + 1), sigma};
    u[i] = sigma;
    if (scale_[i].is_one()) continue;
    u[i] = s_.symbols("square" + std::to_string(i), 1)[0];
    system.steps.push_back(without_inertia({{1, 1, {scale_[i]}}, {1, 1, {sigma}}, {u[i]}}));
  }
}

std::vector<Expr> CompletedSquares::along(const std::vector<Expr>& z) const {
  return multiply(s_, N_, multiply(s_, T_, z));
}

// σ for s z, which the state has already
Expr CompletedSquares::with_sigma(Expr e, const std::vector<Expr>& z, const FirstOrderSystem& system) const {
  std::vector<Replacement> found;
  for (const Expr node : topological(std::array{e})) {
    if (node.kind() != Kind::product) continue;
    Expr better = node;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const Expr s = scale_[i];
      if (s.is_one()) continue;
      Rational of_z(0), of_s(0);
      for (std::size_t j = 0; j < node.size(); ++j) {
        if (node.base(j) == z[i]) of_z = node.exponent(j);
        if (node.base(j) == s) of_s = node.exponent(j);
      }
      if (of_z.sign() <= 0 || of_s.sign() <= 0) continue;
      const Rational both = of_z < of_s ? of_z : of_s;
      const Expr sigma = system.state[system.state.size() - z.size() + i].symbol;
      better = better * pow(sigma / (s * z[i]), both);
    }
    if (better != node) found.emplace_back(node, better);
  }
  return found.empty() ? e : substitute(e, found);
}

// D_i z_i' = F_i; σ_i' = s z_i' + s' z_i
void CompletedSquares::add_rates(const Basis& basis, const std::vector<Expr>& z, const std::vector<Expr>& d,
                                 FirstOrderSystem& system) const {
  const Motion& motion = s_.system->motion;
  const std::vector<Expr> force = force_along(s_, basis.N, d);
  const std::size_t m = z.size();
  std::vector<Replacement> in_state;
  for (std::size_t i = 0; i < s_.n(); ++i) in_state.emplace_back(motion.v[i], system.velocities[i]);
  Derivation advance = derivative_at_fixed_velocity(motion);
  const double patience = largest_simplified_with_patience;
  std::vector<Expr> z_rates;
  for (std::size_t i = 0; i < m; ++i) {
    const Expr s = scale_[i];
    const Expr F = cheapest(substitute(force[i], in_state), patience);
    if (s.is_one() && depends_on(D_[i], motion.q)) {
      LinearBlock block{{1, 1, {D_[i]}}, {1, 1, {F}}, s_.symbols("hamel_rate" + std::to_string(i), 1)};
      z_rates.push_back(block.unknowns[0]);
      system.rates.push_back(block.unknowns[0]);
      system.steps.push_back(without_inertia(std::move(block)));
      continue;
    }
    const Expr drift = substitute(advance(s), in_state) * z[i];
    const Expr rate = with_sigma(cheapest(s * F / D_[i] + drift, patience), z, system);
    system.rates.push_back(rate);
    z_rates.push_back(s.is_one() ? rate : (rate - drift) / s);
  }
  system.accelerations = accelerations_along(s_, basis.N, z_rates, d);
}

// s of c s², c constant; 1 where there is none.
Expr CompletedSquares::square_root_of_moving_part(Expr e, const std::vector<Expr>& moving) const {
  const Expr factored = normal(e, Shape::factored);
  Expr s = s_.context().one();
  if (factored.kind() != Kind::product && factored.kind() != Kind::sum) return s;
  // a number times a product is a sum of one term
  Expr product = factored;
  if (factored.kind() == Kind::sum) {
    if (factored.size() != 1 || !factored.constant().is_zero()) return s;
    product = factored.term(0);
    if (product.kind() != Kind::product) return s;
  }
  for (std::size_t i = 0; i < product.size(); ++i) {
    if (!depends_on(product.base(i), moving)) continue;
    const Rational half = product.exponent(i) / Rational(2);
    if (!half.is_integer()) return s_.context().one();
    s = s * pow(product.base(i), half);
  }
  return s;
}

}  // namespace cetaev
