// Back to the constraints by the shortest way, distance measured by the mass matrix:
//
//   positions:   δq least in H with f + (∂f/∂q) δq = 0, repeated until f vanishes
//   velocities:  δv least in H with φ + J δv = 0, likewise
//
// as [H Aᵀ; A 0] (δ, μ) = (0, −r); redundant rows do no harm.
//
// Where H depends on the positions, a velocity v that is left alone while they move by δq is another velocity: ω of a quaternion that is put
// back to its length, v as it is, changes by as much as the length did, and energy and angular momentum with it. So v is carried along before its
// own turn, parallel in the metric H: H δv = −Γ(δq, v), with Christoffel's symbols of the first kind. vᵀHv then changes by the
// square of δq alone.
#pragma once

#include <memory>
#include <span>

#include "cetaev/detail/integrate/stepper.hpp"
#include "equations.hpp"

namespace cetaev {

// The rows and their derivatives; constant, shared by threads.
class ProjectionPlan {
 public:
  // For states of these equations: positions first, then all velocities, or free ones that are left alone.
  ProjectionPlan(const MotionEquations& equations, const Terms& terms);
  ~ProjectionPlan();

  // Rows of one kind: their residuals r, then ∂r by the unknowns (count × coordinates), then the mass matrix, from q, v, t, parameters; and
  // the residuals alone. No programs where there are none.
  struct Rows {
    const Program *program = nullptr, *residuals = nullptr;
    std::size_t count = 0;
  };
  Rows positions() const;
  Rows velocities() const;

 private:
  friend class ManifoldProjection;
  struct Data;
  std::unique_ptr<const Data> data_;
};

// Along one motion, with its values of the parameters. The plan must outlive it.
class ManifoldProjection final : public Projection {
 public:
  ManifoldProjection(const ProjectionPlan& plan, std::span<const double> parameters);
  ~ManifoldProjection() override;

  // Largest residual in units of its rounding: |f| beside Σ |∂f/∂q_i| |q_i|, |φ| beside Σ |J_i| |v_i|. Fills positions
  // and velocities as the equations have them.
  double relative_residual(double t, std::span<const double> y);

  // The same beside what the terms have been along the whole motion, in other equations too. Where they vanish one by one, as those of y' cos t = x' sin t do at t = π/2,
  // what rounding leaves of them is all that there is.
  double residual_beside_all(double t, std::span<const double> y);
  void has_been(const ManifoldProjection& before);

  // Is it more than a part of what the terms are now, and more than rounding of the state makes of them? Near a set where they vanish they are smaller
  // than they have been.
  bool is_off_present_terms(double t, std::span<const double> y, double allowed);

  // A state that has drifted off, its velocities carried along; where the terms of the rows are small, as well as these tell.
  bool project(double t, std::span<double> y) override;
  bool project_where_terms_are_small(double t, std::span<double> y);
  // A state that may lie far off, its velocities as they are.
  bool put_on(double t, std::span<double> y);

  // A state that was given may lie beside the constraints: puts it on them, if need be.
  enum class Placed { there, moved, nowhere };
  Placed place(double t, std::span<double> y);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace cetaev
