// Values of expressions: in doubles, and in balls that are guaranteed to contain the true value.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cetaev/expr/ball.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {

using Value = std::pair<Expr, double>;  // a symbol and its value

// The expressions at these values of their symbols; every free symbol must have one (unknown-name otherwise).
// Undefined operations give nan, as in <cmath>. Slow and simple: programs are for repeated evaluation.
std::vector<double> evaluate(std::span<const Expr> roots, std::span<const Value> values);
double evaluate(Expr e, std::span<const Value> values);

// A function of one argument, as <cmath> has it.
double function_value(Function f, double x);
double function_value(Function f, double x, double y);

using BallValue = std::pair<Expr, Ball>;

// The same in balls, midpoints rounded to so many bits.
std::vector<Ball> evaluate_balls(std::span<const Expr> roots, std::span<const BallValue> values, long bits);
Ball evaluate_ball(Expr e, std::span<const BallValue> values, long bits);

}  // namespace cetaev
