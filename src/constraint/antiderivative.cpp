#include "antiderivative.hpp"

#include <array>
#include <vector>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// Exact algebra on more than this is not worth its time here.
constexpr double largest_ratio = 80;

using Factor = Context::Term;  // base and exponent

class Antiderivative {
 public:
  explicit Antiderivative(Expr x) : x_(x), context_(x.context()) {}

  std::optional<Expr> of(Expr e, int depth) {
    if (!contains(e)) return e * x_;
    if (e.kind() == Kind::sum) {
      Expr total = context_.number(e.constant()) * x_;
      for (std::size_t i = 0; i < e.size(); ++i) {
        const std::optional<Expr> part = of(e.term(i), depth);
        if (!part) return std::nullopt;
        total = total + e.coefficient(i) * *part;
      }
      return total;
    }
    Expr outside = context_.one();
    std::vector<Factor> inside;
    if (e.kind() == Kind::product) {
      for (std::size_t i = 0; i < e.size(); ++i) {
        if (contains(e.base(i))) {
          inside.push_back({e.base(i), e.exponent(i)});
        } else {
          outside = outside * pow(e.base(i), e.exponent(i));
        }
      }
    } else {
      inside.push_back({e, Rational(1)});
    }
    std::optional<Expr> result = of_factors(inside, depth);
    if (!result && depth > 0) {
      // multiplied out it may be a sum of simpler things
      const Expr expanded = normal(context_.power_product(Rational(1), inside));
      if (expanded != context_.power_product(Rational(1), inside)) result = of(expanded, depth - 1);
    }
    if (!result) result = of_square(context_.power_product(Rational(1), inside), depth);
    if (!result) return std::nullopt;
    return outside * *result;
  }

 private:
  // x F(x²) dx = ½ F(s) ds with s = x²
  std::optional<Expr> of_square(Expr e, int depth) {
    if (depth <= 0) return std::nullopt;
    const Expr s = context_.symbol("$" + std::string(x_.name()) + "^2");
    const std::array<Replacement, 1> root = {{{x_, pow(s, Rational(1, 2))}}};
    const Expr F = normal(substitute(normal(e / x_), root));
    // nothing of the root may be left
    for (const Expr node : topological(std::array{F}))
      for (std::size_t i = 0; node.kind() == Kind::product && i < node.size(); ++i)
        if (node.base(i) == s && !node.exponent(i).is_integer()) return std::nullopt;
    const std::optional<Expr> found = Antiderivative(s).of(F, depth - 1);
    if (!found) return std::nullopt;
    const std::array<Replacement, 1> back = {{{s, x_ * x_}}};
    return Rational(1, 2) * substitute(*found, back);
  }

  bool contains(Expr e) const { return depends_on(e, std::span(&x_, 1)); }
  Expr slope(Expr e) const { return derivative(e, x_); }

  std::optional<Expr> of_factors(const std::vector<Factor>& factors, int depth) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      std::vector<Factor> others = factors;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const Expr rest = context_.power_product(Rational(1), others);
      if (const auto found = by_substitution(factors[i], rest)) return found;
    }
    if (factors.size() == 1) return of_one(factors[0]);
    return by_parts(factors, depth);
  }

  // ∫ h(g) g'·c dx = c H(g), for h a power or a function
  std::optional<Expr> by_substitution(const Factor& factor, Expr rest) {
    const Expr g = factor.expr;
    if (const std::optional<Expr> c = quotient_free_of_x(rest, slope(g))) {
      if (factor.factor == Rational(-1)) return *c * log(g);
      return (factor.factor + Rational(1)).inverse() * (*c * pow(g, factor.factor + Rational(1)));
    }
    if (g.kind() != Kind::function || arity(g.function()) == 2) return std::nullopt;
    const Expr u = g.operands()[0];
    const std::optional<Expr> c = quotient_free_of_x(rest, slope(u));
    if (!c) return std::nullopt;
    const std::optional<Expr> primitive = of_function(g.function(), factor.factor, u);
    if (!primitive) return std::nullopt;
    return *c * *primitive;
  }

  std::optional<Expr> quotient_free_of_x(Expr above, Expr below) {
    if (below.is_zero()) return std::nullopt;
    try {
      Expr ratio = above / below;
      if (contains(ratio) && written_size(ratio) <= largest_ratio) ratio = normal(ratio);
      if (!contains(ratio)) return ratio;
    } catch (const Error&) {
    }
    return std::nullopt;
  }

  // ∫ f(u)^p du
  std::optional<Expr> of_function(Function f, const Rational& p, Expr u) {
    const Rational half(1, 2);
    if (p == Rational(1)) {
      switch (f) {
        case Function::sin: return -cos(u);
        case Function::cos: return sin(u);
        case Function::exp: return exp(u);
        case Function::sinh: return apply(Function::cosh, u);
        case Function::cosh: return apply(Function::sinh, u);
        case Function::tan: return -log(cos(u));
        case Function::tanh: return log(apply(Function::cosh, u));
        case Function::log: return u * log(u) - u;
        default: return std::nullopt;
      }
    }
    if (f == Function::exp) return p.inverse() * pow(exp(u), p);
    if (p == Rational(2) && f == Function::sin) return half * (u - sin(u) * cos(u));
    if (p == Rational(2) && f == Function::cos) return half * (u + sin(u) * cos(u));
    if (p == Rational(-2) && f == Function::cos) return tan(u);
    if (p == Rational(-2) && f == Function::sin) return -(cos(u) / sin(u));
    return std::nullopt;
  }

  // 1/(a x² + c): an arctangent when c/a is a square
  std::optional<Expr> of_one(const Factor& factor) {
    if (factor.factor != Rational(-1)) return std::nullopt;
    const Expr first = slope(factor.expr);
    const Expr second = slope(first);
    const Replacement zero(x_, context_.zero());
    if (contains(second) || second.is_zero() || !substitute(first, std::span(&zero, 1)).is_zero()) return std::nullopt;
    const Expr a = Rational(1, 2) * second;
    const Expr c = substitute(factor.expr, std::span(&zero, 1));
    if (c.is_zero()) return std::nullopt;
    const std::optional<Expr> root = square_root(normal(c / a));
    if (!root) return std::nullopt;
    return apply(Function::atan, x_ / *root) / (a * *root);
  }

  // r with r² = e, either of the two
  std::optional<Expr> square_root(Expr e) {
    if (e.is_number()) {
      if (e.number().sign() <= 0) return std::nullopt;
      return pow(e, Rational(1, 2));
    }
    if (e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero() && e.coefficient(0).sign() > 0) {
      const std::optional<Expr> root = square_root(e.term(0));
      if (!root) return std::nullopt;
      return pow(context_.number(e.coefficient(0)), Rational(1, 2)) * *root;
    }
    if (e.kind() != Kind::product) return std::nullopt;
    std::vector<Factor> half;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!e.exponent(i).is_even()) return std::nullopt;
      half.push_back({e.base(i), e.exponent(i) * Rational(1, 2)});
    }
    return context_.power_product(Rational(1), half);
  }

  // ∫ x^k f(u) dx with u linear in x
  std::optional<Expr> by_parts(const std::vector<Factor>& factors, int depth) {
    if (factors.size() != 2 || depth <= 0) return std::nullopt;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      const Factor& power = factors[i];
      const Factor& other = factors[1 - i];
      const auto k = power.factor.to_long();
      if (power.expr != x_ || !k || *k < 1 || *k > 4) continue;
      const Expr f = pow(other.expr, other.factor);
      const std::optional<Expr> primitive = of(f, 0);
      if (!primitive) continue;
      const std::optional<Expr> rest = of(pow(x_, Rational(*k - 1)) * *primitive, depth);
      if (rest) return pow(x_, Rational(*k)) * *primitive - Rational(*k) * *rest;
    }
    return std::nullopt;
  }

  Expr x_;
  Context& context_;
};

}  // namespace

std::optional<Expr> antiderivative(Expr e, Expr x) {
  try {
    return Antiderivative(x).of(e, 2);
  } catch (const Error&) {
    return std::nullopt;  // a division by what vanishes identically
  }
}

}  // namespace cetaev
