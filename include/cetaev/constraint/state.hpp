// Numbers for the symbols of a system.
#pragma once

#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

struct State {
  double t = 0;
  std::vector<double> q, v;
};

// The values of the parameters, in file order.
std::vector<double> parameter_values(const System& system);

// The order in which programs take a state: q, v, t, parameters.
std::vector<Expr> state_symbols(const System& system);
std::vector<double> state_values(const State& state, const std::vector<double>& parameters);

// What [initial] says, zero where it says nothing; not necessarily admissible.
State given_state(const System& system);

}  // namespace cetaev
