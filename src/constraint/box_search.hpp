// Zeros of equations nearest to a point, by boxes of the unknowns in which balls prove that there is none.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/expr/ball.hpp"

namespace cetaev {

// Equations F(x) = 0 over boxes of their unknowns.
class EnclosedEquations {
 public:
  virtual ~EnclosedEquations() = default;

  virtual std::size_t equations() const = 0;
  virtual std::size_t unknowns() const = 0;
  // Instructions of an evaluation, the derivatives included.
  virtual std::size_t cost() const = 0;

  // F over a box; not finite where it is not defined in all of it.
  virtual void values(std::span<const Ball> x, std::vector<Ball>& f) = 0;
  // F at a point, with as many bits as it takes to tell e⁻ᵘ from nothing beside 1. False where that is more than there are.
  virtual bool sharp_values(std::span<const Ball> x, std::vector<Ball>& f) = 0;
  // The same with ∂F/∂x over the box, row by row.
  enum class Inside {
    smooth,     // what is finite bounds F
    may_jump,   // the derivatives say nothing
    undefined,  // an equation has no value anywhere in the box
  };
  virtual Inside derivatives(std::span<const Ball> x, std::vector<Ball>& f, std::vector<Ball>& j) = 0;
};

// A point is a zero as near as doubles come to one; that there is none in a box is proved.
struct NearZeros {
  std::vector<std::vector<double>> zeros;  // distinct, the nearest first
  // Nothing nearer than the first (nothing at all where there is none) was left undecided.
  bool complete = false;
};

struct BoxSearch {
  EnclosedEquations& equations;
  std::vector<double> goal;
  // From a point to a zero, where Newton's method leads to one.
  std::function<std::optional<std::vector<double>>(const std::vector<double>& start)> solve;
  // Zeros that are known already.
  std::vector<std::vector<double>> known = {};
  // Instructions in balls after which the search gives up; a box costs some tens of them by itself.
  double budget = 1e6;
};

// The zeros nearest to the goal among all doubles: boxes around it are taken in the order of their distance, made smaller by the
// interval Newton method, left out where F has no zero in them, and cut in two otherwise. Zeros that are further away by more than
// 1e-7 of the distance are not looked for.
NearZeros nearest_zeros(const BoxSearch& search);

// Are two zeros the same but for rounding, as seen from the goal?
bool same_zero(std::span<const double> one, std::span<const double> other, std::span<const double> goal);

}  // namespace cetaev
