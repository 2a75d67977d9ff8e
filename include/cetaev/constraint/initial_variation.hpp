// How the initial state of a system changes with a parameter, or with one of the values that [initial] gives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/constraint/admissible.hpp"

namespace cetaev {

// What a name means that can be varied: a parameter ("m"), or a value of [initial] ("x", "x'").
struct GivenValue {
  std::optional<std::size_t> parameter, position, velocity;
};
// Throws unknown-name, with the closest name as the suggestion.
GivenValue given_value(const System& system, const std::string& name);

// ∂/∂(name) of all parameters, in file order: those of formulas, too; none changes with the empty name.
std::vector<Expr> parameter_changes(const System& system, const std::string& name);

// The same of the initial state, which stays on the constraints. Throws unknown-name, and not-applicable where it cannot follow.
struct InitialChange {
  std::vector<double> q, v;
};
InitialChange initial_change(const System& system, Admissible& admissible, const AdmissibleState& initial,
                             const std::string& name);

}  // namespace cetaev
