// States on every side of what bends or jumps.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/admissible.hpp"

namespace cetaev {

// A side of something at whose zeros a function bends or jumps (cetaev/detail/algebra/switching.hpp).
struct CellSide {
  Expr expression;
  int sign = 1;
  std::string text() const;  // "x - 4 > 0"
};

// An admissible state of the system on all these sides, at a distance of about `scale` from the zeros; nothing when none was found.
std::optional<State> state_on(const System& system, std::span<const CellSide> sides, const Rational& scale,
                              std::uint64_t seed);

// The same where one of them is at this distance, wherever that side is.
std::optional<State> state_near(const System& system, const CellSide& side, const Rational& scale, std::uint64_t seed);

// Those of the expressions where f switches at whose zeros it jumps: its values a little to both sides differ, however little.
std::vector<Expr> jumps_of(Expr f, std::span<const Expr> moving);

}  // namespace cetaev
