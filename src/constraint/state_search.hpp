// The search for states at which equations hold: a random start, Gauss–Newton in doubles (zero_set.hpp), and from there in balls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/ball.hpp"
#include "cetaev/program/program.hpp"
#include "domain.hpp"

namespace cetaev {

// How far from the origin a random start may lie.
struct Reach {
  double positions = 2, velocities = 2;
};

// Every other start lies around the initial data, which know the scales of the model; the rest around the origin, to escape
// special initial data and to reach other branches; all where the model is defined, as far as that is found.
State random_start(const System& system, std::uint64_t seed, Random& random, Domain& domain, Reach reach = {});

// Equations F(x) = 0 that hold nearly.
struct NearZero {
  const Program& equations;
  std::span<const std::size_t> rows;      // the outputs that are to vanish
  std::span<const std::size_t> unknowns;  // the inputs that may change
  DenseMatrix jacobian;                   // of the rows by the unknowns, nearby
  std::span<const double> sizes;          // what the rows are compared with
};

// x ← x − J⁺F(x) with J⁺ in doubles, fixed, and F in balls: every step gains as many digits as J⁺ has. Ends with numbers that
// are good to 90 digits and more, as balls of radius zero. False where F is not defined or the steps do not lead to a zero.
bool refine_in_balls(NearZero at, std::span<Ball> inputs);

}  // namespace cetaev
