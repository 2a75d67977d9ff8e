// Values of expressions: in doubles, and in balls that are guaranteed to contain the true value.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

using Value = std::pair<Expr, double>;  // a symbol and its value

// The expressions at these values of their symbols; every free symbol must have one (std::invalid_argument otherwise).
// Undefined operations give nan, as in <cmath>. Slow and simple: programs are for repeated evaluation.
std::vector<double> evaluate(std::span<const Expr> roots, std::span<const Value> values);
double evaluate(Expr e, std::span<const Value> values);

// A function of one argument, as <cmath> has it.
double function_value(Function f, double x);

// A real number known to lie within a radius of a midpoint (an Arb ball). Undefined operations give a ball that is not finite.
class Ball {
 public:
  Ball();
  explicit Ball(const Rational& value, long bits = 128);
  static Ball from_double(double value);
  // Every real number.
  static Ball anything();
  Ball(const Ball& other);
  Ball(Ball&& other) noexcept;
  Ball& operator=(const Ball& other);
  Ball& operator=(Ball&& other) noexcept;
  ~Ball();

  bool is_finite() const;
  bool contains_zero() const;
  bool is_exact_zero() const;
  bool overlaps(const Ball& other) const;
  double midpoint() const;
  double radius() const;
  // The midpoint as a ball of radius zero.
  Ball center() const;
  // log10 of an upper bound of |value|; −infinity for exact zero.
  double magnitude_log10() const;
  // Decimal digits, as many as are certain, at most this many.
  std::string to_string(int digits = 30) const;

  struct Data;
  Data& data() { return *data_; }
  const Data& data() const { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

using BallValue = std::pair<Expr, Ball>;

std::vector<Ball> evaluate_balls(std::span<const Expr> roots, std::span<const BallValue> values, long bits);
Ball evaluate_ball(Expr e, std::span<const BallValue> values, long bits);

}  // namespace cetaev
