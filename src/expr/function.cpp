// Canonical functions: exact values at simple arguments, parity.
#include <array>
#include <optional>

#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "cetaev/error.hpp"
#include "context.hpp"

namespace cetaev {

namespace {

enum class Parity { none, even, odd };

Parity parity(Function f) {
  switch (f) {
    case Function::cos:
    case Function::cosh:
    case Function::abs: return Parity::even;
    case Function::sin:
    case Function::tan:
    case Function::asin:
    case Function::atan:
    case Function::sinh:
    case Function::tanh:
    case Function::asinh:
    case Function::atanh: return Parity::odd;
    default: return Parity::none;
  }
}

// r when e is r·π
std::optional<Rational> multiple_of_pi(Expr e) {
  if (e.is_zero()) return Rational(0);
  if (e.kind() == Kind::pi) return Rational(1);
  if (e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero() && e.term(0).kind() == Kind::pi)
    return e.coefficient(0);
  return std::nullopt;
}

// sin(rπ) for multiples of π/4 and π/6
std::optional<Expr> exact_sine(Context& context, Rational r) {
  r = r - Rational(2) * (r * Rational(1, 2)).floor();  // into [0, 2)
  const int sign = r >= Rational(1) ? -1 : 1;
  if (sign < 0) r = r - Rational(1);
  if (r > Rational(1, 2)) r = Rational(1) - r;
  if (r.is_zero()) return context.zero();
  if (r == Rational(1, 6)) return context.number(Rational(sign, 2));
  if (r == Rational(1, 4)) return Rational(sign, 2) * sqrt(context.integer(2));
  if (r == Rational(1, 3)) return Rational(sign, 2) * sqrt(context.integer(3));
  if (r == Rational(1, 2)) return context.integer(sign);
  return std::nullopt;
}

std::optional<Expr> exact_trigonometric(Context& context, Function f, Expr argument) {
  const auto r = multiple_of_pi(argument);
  if (!r) return std::nullopt;
  const auto sine = exact_sine(context, *r);
  const auto cosine = exact_sine(context, *r + Rational(1, 2));
  if (f == Function::sin) return sine;
  if (f == Function::cos) return cosine;
  if (!sine || !cosine) return std::nullopt;
  if (cosine->is_zero()) throw Error(ErrorCode::bad_model, "tan of an odd multiple of pi/2 is not defined");
  return *sine / *cosine;
}

std::optional<Expr> exact_value(Context& context, Function f, Expr x) {
  if (f == Function::sin || f == Function::cos || f == Function::tan) return exact_trigonometric(context, f, x);
  if (f == Function::log && x.kind() == Kind::function && x.function() == Function::exp) return x.operands()[0];
  if (!x.is_number()) return std::nullopt;
  const Rational& r = x.number();
  const auto fraction_of_pi = [&](long denominator) { return Rational(1, denominator) * context.pi(); };
  switch (f) {
    case Function::asin:
    case Function::atan:
    case Function::sinh:
    case Function::tanh:
    case Function::asinh:
    case Function::atanh:
      if (r.is_zero()) return context.zero();
      if (r.is_one() && f == Function::asin) return fraction_of_pi(2);
      if (r.is_one() && f == Function::atan) return fraction_of_pi(4);
      return std::nullopt;
    case Function::acos:
      if (r.is_zero()) return fraction_of_pi(2);
      if (r.is_one()) return context.zero();
      if (r == Rational(-1)) return context.pi();
      return std::nullopt;
    case Function::acosh:
      if (r.is_one()) return context.zero();
      return std::nullopt;
    case Function::exp:
    case Function::cosh:
      if (r.is_zero()) return context.one();
      return std::nullopt;
    case Function::log:
      if (r.is_one()) return context.zero();
      if (r.is_zero()) throw Error(ErrorCode::bad_model, "log(0) is not defined");
      return std::nullopt;
    case Function::abs: return context.number(r.abs());
    default: return std::nullopt;
  }
}

bool always_nonnegative(Function f, Expr argument) {
  switch (f) {
    case Function::exp:
    case Function::cosh:
    case Function::abs:
    case Function::acos:
    case Function::acosh: return true;
    case Function::sinh:
    case Function::tanh:
    case Function::asinh:
    case Function::asin:
    case Function::atan:
    case Function::atanh: return argument.is_nonnegative();
    default: return false;
  }
}

// F, E, am and ∫ dn² du are odd in their first argument and the argument itself where m = 0; dn is even and 1 there. Derivatives by m
// are odd or even as what they are of, and 0 where the argument is.
Expr canonical_elliptic(Context::Implementation& inside, Function f, std::span<const Expr> arguments) {
  const Expr x = arguments[0], m = arguments[1];
  const bool derived = parameter_order(f) > 0;
  const bool even = without_parameter_order(f) == Function::delta;
  if (derived && x.is_zero()) return x;
  if (!derived && (x.is_zero() || m.is_zero())) return even ? x.context().one() : x;
  if (f == Function::elliptic_f && m.is_one() && multiple_of_pi(x) == Rational(1, 2))
    throw Error(ErrorCode::bad_model, "ellipticK(1) is not defined: the integral is infinite");
  if (looks_negative(x)) {
    const Expr value = apply(f, -x, m);
    return even ? value : -value;
  }
  if (derived) return inside.intern(Kind::function, f, arguments, false);
  const bool below_one = m.is_number() && m.number() <= Rational(1);
  return inside.intern(Kind::function, f, arguments, even ? below_one : x.is_nonnegative());
}

}  // namespace

Expr Context::function(Function f, std::span<const Expr> arguments) {
  const Expr x = arguments[0];
  if (f == Function::atan2) {
    const Expr second = arguments[1];
    if (x.is_zero() && second.is_number() && second.number().sign() > 0) return zero_;
    if (x.is_zero() && second.is_number() && second.number().sign() < 0) return pi_;
    return implementation_->intern(Kind::function, f, arguments, false);
  }
  if (arity(f) == 2) return canonical_elliptic(*implementation_, f, arguments);
  if (const auto value = exact_value(*this, f, x)) return *value;
  if (f == Function::abs) {
    if (x.is_nonnegative()) return x;
    if (x.kind() == Kind::sum && x.size() == 1 && x.constant().is_zero()) {
      // |c·u| = |c|·|u|
      if (!x.coefficient(0).is_one()) return x.coefficient(0).abs() * abs(x.term(0));
    }
  }
  const Parity symmetry = parity(f);
  if (symmetry != Parity::none && looks_negative(x)) {
    const Expr value = apply(f, -x);
    return symmetry == Parity::even ? value : -value;
  }
  return implementation_->intern(Kind::function, f, arguments, always_nonnegative(f, x));
}

}  // namespace cetaev
