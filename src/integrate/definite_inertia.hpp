// Where the inertia of a system is lost nowhere, for all values of its coordinates.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "equations.hpp"
#include "never_vanishes.hpp"

namespace cetaev {

// ½ Σ wᵀ W w with positive definite weights vanishes where all sums w do. From these velocities follow one after the other, as the links of a chain do: of a
// sum whose other terms are zero the last one is, and of several sums of up to three unknowns all are where the determinant of AᵀA vanishes
// nowhere; of two components after a turn both before it are. If all velocities are zero, and so then are those of the state, nothing moves
// without energy.
class DefiniteInertia {
 public:
  // Nothing where it is not found so.
  static std::optional<DefiniteInertia> of(const MotionEquations& equations);
  std::vector<Expr> about;  // what was found by the values of the parameters
  // Is it so at others?
  bool operator()(std::span<const double> parameters) const;

 private:
  DefiniteInertia() = default;

  Program weights_;
  std::vector<std::size_t> sizes_;  // of the parts
  std::vector<NeverVanishes> divisors_;
};

// Are these weights, square matrices one after the other, positive definite beyond rounding?
bool are_positive(const Program& weights, std::span<const std::size_t> sizes, std::span<const double> parameters);

}  // namespace cetaev
