#include "isolate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <tuple>
#include <vector>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// Undoes the operations around x one after the other: left = right, until left is x. Where that has two solutions the sign of something
// chooses: by its value at a state, or both are followed.
class Isolation {
 public:
  Isolation(Expr f, Expr x) : x_(x), left_(f), right_(f.context().zero()) {}
  Isolation(Expr f, Expr x, std::span<const Value> at) : Isolation(f, x) { at_ = at; }

  std::optional<Expr> run() {
    while (left_ != x_) {
      if (!step()) return std::nullopt;
    }
    return right_;
  }

  std::optional<std::vector<Expr>> run_all() {
    std::vector<Expr> found;
    others_.emplace_back(left_, right_);
    while (!others_.empty()) {
      if (found.size() + others_.size() > most) return std::nullopt;
      std::tie(left_, right_) = others_.back();
      others_.pop_back();
      const std::optional<Expr> solution = run();
      if (!solution) return std::nullopt;
      if (std::find(found.begin(), found.end(), *solution) == found.end()) found.push_back(*solution);
    }
    return found;
  }

 private:
  static constexpr std::size_t most = 16;  // solutions: squares in squares in squares

  bool contains(Expr e) const { return depends_on(e, std::span(&x_, 1)); }
  double value(Expr e) const { return evaluate(e, *at_); }

  // The sign of e: at the state, or both, the negative one later. Zero where there is none.
  int sign_of(Expr e, const std::function<void(int)>& go_on) {
    if (at_) {
      const double at_state = value(e);
      return !std::isfinite(at_state) || at_state == 0 ? 0 : at_state > 0 ? 1 : -1;
    }
    const Expr left = left_, right = right_;
    go_on(-1);
    others_.emplace_back(left_, right_);
    left_ = left;
    right_ = right;
    return 1;
  }

  bool step() {
    switch (left_.kind()) {
      case Kind::sum: return open_sum();
      case Kind::product: return open_product();
      case Kind::power: return open_power();
      case Kind::function: return open_function();
      default: return false;
    }
  }

  bool open_sum() {
    Context& context = left_.context();
    std::vector<Context::Term> with, without;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      (contains(left_.term(i)) ? with : without).push_back({left_.term(i), left_.coefficient(i)});
    }
    const Expr rest = context.linear_combination(left_.constant(), without);
    if (with.size() == 1) {
      right_ = with[0].factor.inverse() * (right_ - rest);
      left_ = with[0].expr;
      return true;
    }
    const Linearity linearity = linearity_in(left_, std::span(&x_, 1));
    if (linearity == Linearity::linear || linearity == Linearity::affine) {
      const std::array<Replacement, 1> zero = {{{x_, context.zero()}}};
      const Expr slope = substitute(derivative(left_, x_), zero);
      right_ = (right_ - substitute(left_, zero)) / slope;
      left_ = x_;
      return true;
    }
    return open_common_factor(with, rest) || open_quadratic();
  }

  // a x² + b x + c: by completing the square, where every solution is wanted
  bool open_quadratic() {
    if (at_) return false;
    Context& context = left_.context();
    const Expr slope = derivative(left_, x_);
    if (linearity_in(slope, std::span(&x_, 1)) == Linearity::nonlinear) return false;
    const std::array<Replacement, 1> zero = {{{x_, context.zero()}}};
    const Expr a = Rational(1, 2) * derivative(slope, x_);
    const Expr b = substitute(slope, zero);
    if (contains(a)) return false;
    const Expr at_zero = substitute(left_, zero);
    // a step has no derivative to be seen by
    if (!normal(left_ - (a * x_ + b) * x_ - at_zero).is_zero()) return false;
    const Expr c = at_zero - right_;
    const Expr discriminant = b * b - Rational(4) * a * c;
    const Expr root = sqrt(discriminant);
    const auto solution = [&](int sign) {
      right_ = (Rational(sign) * root - b) / (Rational(2) * a);
      left_ = x_;
    };
    solution(sign_of(root, solution));
    return true;
  }

  // Σ cᵢ Aᵢ g(x) + rest with the same g in every term
  bool open_common_factor(const std::vector<Context::Term>& with, Expr rest) {
    std::optional<Expr> common;
    std::vector<Expr> cofactors;
    for (const Context::Term& term : with) {
      const auto [factor, cofactor] = split(term.expr);
      if (!factor || (common && *common != *factor)) return false;
      common = factor;
      cofactors.push_back(term.factor * cofactor);
    }
    right_ = (right_ - rest) / left_.context().sum(cofactors);
    left_ = *common;
    return true;
  }

  // e = (the one factor that contains x) · (the others)
  std::pair<std::optional<Expr>, Expr> split(Expr e) const {
    Context& context = e.context();
    if (e.kind() != Kind::product) return {e, context.one()};
    std::vector<Context::Term> others;
    std::optional<Expr> factor;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!contains(e.base(i))) {
        others.push_back({e.base(i), e.exponent(i)});
      } else if (factor) {
        return {std::nullopt, e};
      } else {
        factor = pow(e.base(i), e.exponent(i));
      }
    }
    return {factor, context.power_product(1, others)};
  }

  bool open_product() {
    const auto [factor, cofactor] = split(left_);
    if (!factor) return false;
    right_ = right_ / cofactor;
    left_ = *factor;
    if (left_.kind() != Kind::product || left_.size() != 1) return true;
    // base^(p/q): the sign of the base chooses the root
    const Expr base = left_.base(0);
    const Rational exponent = left_.exponent(0);
    const bool odd = exponent.is_integer() && !exponent.is_even();
    const auto take_root = [&](int sign) {
      const Rational s(sign);
      right_ = odd && exponent == Rational(-1) ? pow(right_, Rational(-1))
                                               : s * pow(odd ? s * right_ : right_, exponent.inverse());
      left_ = base;
    };
    // other powers are defined for positive bases alone
    const bool either = exponent.is_integer() && exponent != Rational(-1) && !base.is_nonnegative();
    const int sign = either || at_ ? sign_of(base, take_root) : 1;
    if (sign == 0) return false;
    take_root(sign);
    return true;
  }

  bool open_power() {
    const Expr base = left_.operands()[0], exponent = left_.operands()[1];
    if (contains(exponent) || (at_ && value(base) <= 0)) return false;
    right_ = pow(right_, pow(exponent, Rational(-1)));
    left_ = base;
    return true;
  }

  bool open_function() {
    if (left_.operands().size() == 2) return false;
    if (left_.function() == Function::abs) {
      const Expr argument = left_.operands()[0];
      const auto take_side = [&](int sign) {
        right_ = Rational(sign) * right_;
        left_ = argument;
      };
      const int sign = at_ ? (value(argument) < 0 ? -1 : 1) : sign_of(argument, take_side);
      take_side(sign);
      return true;
    }
    const auto inverse = [&]() -> std::optional<Expr> {
      switch (left_.function()) {
        case Function::exp: return log(right_);
        case Function::log: return exp(right_);
        case Function::asin: return sin(right_);
        case Function::acos: return cos(right_);
        case Function::atan: return tan(right_);
        case Function::sinh: return apply(Function::asinh, right_);
        case Function::tanh: return apply(Function::atanh, right_);
        case Function::asinh: return apply(Function::sinh, right_);
        case Function::acosh: return apply(Function::cosh, right_);
        case Function::atanh: return apply(Function::tanh, right_);
        default: return std::nullopt;
      }
    }();
    if (!inverse) return false;
    right_ = *inverse;
    left_ = left_.operands()[0];
    return true;
  }

  Expr x_, left_, right_;
  std::optional<std::span<const Value>> at_;
  std::vector<std::pair<Expr, Expr>> others_;
};

}  // namespace

std::optional<Expr> isolate(Expr f, Expr x, std::span<const Value> at) {
  try {
    const auto result = Isolation(f, x, at).run();
    if (!result || depends_on(*result, std::span(&x, 1))) return std::nullopt;
    // principal values may leave the branch; the state decides
    double expected = 0;
    for (const auto& [symbol, number] : at) {
      if (symbol == x) expected = number;
    }
    const double found = evaluate(*result, at);
    if (!(std::fabs(found - expected) <= 1e-7 * (1 + std::fabs(expected)))) return std::nullopt;
    return result;
  } catch (const Error&) {
    return std::nullopt;  // a division by something that vanishes identically
  }
}

std::optional<std::vector<Expr>> isolate_all(Expr f, Expr x) {
  try {
    auto all = Isolation(f, x).run_all();
    if (!all) return std::nullopt;
    for (const Expr solution : *all)
      if (depends_on(solution, std::span(&x, 1))) return std::nullopt;
    return all;
  } catch (const Error&) {
    return std::nullopt;  // a division by something that vanishes identically
  }
}

}  // namespace cetaev
