// The quasi-velocities of a model. With the constraints they determine the velocities as long as their forms are independent:
//
//   det (∂φ/∂v, ∂u/∂v) ≠ 0
//
// u = x y' says nothing of y' at x = 0. The motion goes through such a place; equations in u divide by what vanishes there.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/formulation/first_order.hpp"

namespace cetaev {

// Constant, shared by threads.
struct GivenVelocities {
  // Those that the state of a form consists of; nothing where there are none, or where they serve everywhere.
  static std::optional<GivenVelocities> of(const FirstOrderSystem& form);

  std::vector<Expr> slopes;  // ∂u/∂v, row by row
  std::size_t n;
  std::vector<std::size_t> rows;  // of J, in use
  Error if_undetermined;
};

// Along a motion.
class GivenQuality {
 public:
  explicit GivenQuality(const GivenVelocities& given) : given_(given) {}
  // Of J (all rows) and ∂u/∂v at a state: how well they determine the velocities, beside how well they did at the first one, or by itself.
  double look(DenseView JT, std::span<const double> slopes);
  // Whose sign changes where they do not; of the last look.
  double determinant();
  // The first state was that of the other one.
  void begin_as(const GivenQuality& other);

 private:
  const GivenVelocities& given_;
  std::vector<double> lengths_;  // of the rows at the first state
  double first_ = 0;
  DenseMatrix all_, of_constraints_;
  PivotedQr with_, without_;
};

}  // namespace cetaev
