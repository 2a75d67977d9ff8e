// The part of a Lagrangian that is quadratic in the velocities as squares of sums of them, which sums are made of each other.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// Variables are the velocities, then sums Σ c y of those before. ½ Σ wᵀ W w over parts with variables w of their own.
struct KineticSums {
  std::vector<std::vector<std::pair<std::size_t, Expr>>> definition;  // of every variable; empty for velocities
  struct Turn {
    std::size_t t1, t2, y1, y2;  // two components after a turn, and before it
  };
  std::vector<Turn> turns;
  struct Part {
    std::vector<std::size_t> variables;
    Matrix weights;
  };
  std::vector<Part> parts;
};

// Nothing where L is not quadratic in them as it is written.
std::optional<KineticSums> kinetic_sums(const System& system);

}  // namespace cetaev
