// Numbers for the symbols of a system.
#pragma once

#include <span>
#include <vector>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

struct State {
  double t = 0;
  std::vector<double> q, v;
};

// The values of the parameters, in file order; in balls they enclose what the model says exactly (0.1 is 1/10).
std::vector<double> parameter_values(const System& system);
std::vector<Ball> parameter_balls(const System& system, long bits);

// The number that a double is, which is finite.
Rational exactly(double value);

// The same system with these values of its parameters, one for each in file order: numbers, also where the model has formulas of
// other parameters. Throws bad-model where they are not as many, or not finite.
System with_parameters(const System& system, std::span<const double> values);

// The same system with another value of one of them; those that are formulas of it follow.
System with_parameter(const System& system, std::size_t index, double value);

// The same exactly, as expressions without parameters; empty when something is not defined at these values.
std::vector<Replacement> exact_parameters(const System& system);
// e with the parameters at their exact values: x'^p is linear when p is 1. Unchanged where that is not defined.
Expr with_parameter_values(const System& system, Expr e);

// The order in which programs take a state: q, v, t, parameters.
std::vector<Expr> state_symbols(const System& system);
std::vector<double> state_values(const State& state, std::span<const double> parameters);

// What [initial] says, zero where it says nothing; not necessarily admissible.
State given_state(const System& system);

}  // namespace cetaev
