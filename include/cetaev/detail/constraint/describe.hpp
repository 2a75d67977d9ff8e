// Words for states and constraints, as their author wrote them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// "x = 1, y = 0"; with a prime for velocities. Only the listed coordinates.
std::string describe_positions(const System& system, const std::vector<double>& q, std::span<const std::size_t> which);
std::string describe_velocities(const System& system, const std::vector<double>& v, std::span<const std::size_t> which);

// "constraint 2 (x' = 1)", "constraints 1 (…) and 3 (…)"
std::string describe_rows(const System& system, std::span<const std::size_t> rows);

// singular-dependent: "the constraints cannot be solved for the dependent velocity y' at this state; x' would do"
Error singular_dependent(const System& system, std::span<const std::size_t> dependent,
                         std::span<const std::size_t> better);

// What is to be said of outputs with reactions at contacts: that a form which is not of d'Alembert–Lagrange (its name, else empty) has none,
// or that constraints of a rank below their number leave some open.
std::optional<std::string> note_on_reactions(const System& system, std::size_t rank, std::string_view other_form);

// "a", "a and b", "a, b and c"
std::string enumerate(const std::vector<std::string>& items);

}  // namespace cetaev
