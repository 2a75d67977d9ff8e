#include "cetaev/detail/formulation/multiplied_out.hpp"

#include <algorithm>

#include "shared_sums.hpp"

namespace cetaev {

namespace {

// L = ½ Σ Q_xy x y, kept for y ≤ x.
class Squares {
 public:
  Squares(Context& context, const SharedSums& sums) : context_(context), sums_(sums), Q_(sums.products) {}

  Expr run(std::size_t n, const std::vector<Expr>& v) {
    for (std::size_t x = sums_.variables; x-- > n;) put_in(x);
    std::vector<Expr> terms = {sums_.rest};
    for (std::size_t i = 0; i < n; ++i) {
      for (const auto& [j, parts] : Q_[i])
        for (const Expr part : parts) terms.push_back((i == j ? Rational(1, 2) : Rational(1)) * (part * (v[i] * v[j])));
    }
    return context_.sum(terms);
  }

 private:
  void add(std::size_t x, std::size_t y, Expr c) { Q_[std::max(x, y)][std::min(x, y)].push_back(c); }

  // x = Σ A y
  void put_in(std::size_t x) {
    const std::vector<Monomial>& own = sums_.definition[x];
    for (const auto& [b, parts] : Q_[x]) {
      const Expr c = context_.sum(parts);
      if (c.is_zero()) continue;
      if (b != x) {
        for (const auto& [y, A] : own) add(y, b, (y == b ? Rational(2) : Rational(1)) * (c * A));
        continue;
      }
      for (std::size_t k = 0; k < own.size(); ++k) {
        for (std::size_t l = 0; l <= k; ++l) {
          // one y may stand in several terms
          const bool twice = k != l && own[k].y == own[l].y;
          add(own[k].y, own[l].y, (twice ? Rational(2) : Rational(1)) * (c * (own[k].c * own[l].c)));
        }
      }
    }
    Q_[x].clear();
  }

  Context& context_;
  const SharedSums& sums_;
  std::vector<std::map<std::size_t, std::vector<Expr>>> Q_;
};

}  // namespace

std::optional<MultipliedOut> multiplied_out(const Setting& s) {
  const Motion& motion = s.system->motion;
  const SharedSums sums(s.context(), s.system->lagrangian, motion.v);
  if (!sums.quadratic || !sums.homogeneous || sums.variables == s.n()) return std::nullopt;
  MultipliedOut result;
  result.lagrangian = Squares(s.context(), sums).run(s.n(), motion.v);
  result.inertial = lagrangian_derivative(result.lagrangian, motion);
  for (std::size_t j = 0; j < s.n(); ++j) result.inertial[j] = result.inertial[j] - s.system->forces[j];
  return result;
}

}  // namespace cetaev
