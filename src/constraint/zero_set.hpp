// The set of zeros of a smooth map F: ℝⁿ → ℝᵏ with rank-revealing numerics: Gauss–Newton, nearest points, pivots.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

class ZeroSet {
 public:
  using Vector = std::vector<double>;
  // Fills F and its Jacobian at x.
  using Map = std::function<void(const Vector& x, Vector& f, DenseMatrix& jacobian)>;
  ZeroSet(std::size_t equations, std::size_t unknowns, Map map);

  std::size_t equations() const { return equations_; }
  std::size_t unknowns() const { return unknowns_; }

  // False when something is not finite at x.
  bool evaluate(const Vector& x);
  const Vector& value() const { return f_; }
  const DenseMatrix& jacobian() const { return jacobian_; }

  // How large the rows of the Jacobian are around x; 1 where they are zero everywhere tried.
  Vector row_scales(const Vector& x);

  struct Solution {
    Vector x;
    bool found = false;
    double residual = 0;  // largest |F| in units of the row scales
  };
  // Gauss–Newton from `start`, moving only the given unknowns and those as little as possible.
  Solution solve(const Vector& start, const std::vector<std::size_t>& movable, const Vector& scales);

  // Moves x onto the set, with all unknowns movable; false, and x where the search ended, when that fails.
  bool reach(Vector& x);

  // The points of the set nearest to `goal` when only `movable` may change, nearest first: several starts, distinct
  // results. Empty when none is found; `best` then holds the closest approach. An affine map has one at most.
  std::vector<Solution> nearest(const Vector& goal, const std::vector<std::size_t>& movable, bool affine,
                                Solution& best);

  // Moves a solution along the set to the local minimum of |x − goal|.
  Solution slide(Solution from, const Vector& goal, const std::vector<std::size_t>& movable, const Vector& scales);

  // The same to rounding, from nearby: Newton's method for x − goal + Jᵀμ = 0, F = 0, with differences of J for its
  // second derivatives. Returns what it was given where it does not converge.
  Solution polish(const Solution& from, const Vector& goal, const std::vector<std::size_t>& movable,
                  const Vector& scales);

  // Is |F| at x as small as rounding allows?
  bool contains(const Vector& x, const Vector& scales);

 private:
  double scaled_residual(const Vector& x, const Vector& scales) const;

  std::size_t equations_, unknowns_;
  Map map_;
  Vector f_;
  DenseMatrix jacobian_;
};

// Gaussian elimination with complete pivoting on rows divided by their scales; pivots are taken from the columns of
// the first class while there are any, then from the next class.
struct Pivots {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
  std::vector<std::size_t> vanishing_rows;
};
Pivots pivots(DenseMatrix jacobian, const std::vector<double>& scales,
              const std::vector<std::vector<std::size_t>>& column_classes);

}  // namespace cetaev
