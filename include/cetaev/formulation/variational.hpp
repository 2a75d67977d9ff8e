// The equations of a form together with those of its small variations.
//
// Along a motion y' = f(y, t, p), motions beside it that begin or are built a little differently follow
//
//   s' = ∂f/∂y s + ∂f/∂p p' w,   w' = 0:
//
// s/w is the derivative of y by whatever it is that varies. With w in the state a direction is linear and may be made smaller as a whole
// when it has grown: how accurately y is computed does not suffer from it.
#pragma once

#include "cetaev/constraint/initial_variation.hpp"
#include "cetaev/formulation/first_order.hpp"

namespace cetaev {

class VariationalSystem {
 public:
  // By parameters or initial values. Of a form whose state is made of positions and velocities: not-applicable where multipliers belong to it.
  VariationalSystem(const System& system, const FirstOrderSystem& form, std::span<const std::string> names);

  // The state of the form, and then for each direction s and w.
  const FirstOrderSystem& equations() const { return equations_; }
  std::size_t directions() const { return from_.size(); }
  std::size_t first(std::size_t direction) const { return size_ + direction * (size_ + 1); }  // of s; w is behind it
  std::size_t size() const { return size_; }                                                  // of s
  // δq and then δv of all coordinates, times w: expressions of the equations.
  const std::vector<Expr>& changes(std::size_t direction) const { return changes_[direction]; }

  // D(p) w of the parameters that change with it.
  const std::vector<Derivation::Seed>& parameter_seeds(std::size_t direction) const { return parameters_[direction]; }

  // s of a direction from δq, δv and w at an admissible state. Throws the diagnosis of a singular step.
  std::vector<double> from(std::size_t direction, const State& at, std::span<const double> parameters,
                           std::span<const double> changes, double w) const;

 private:
  std::size_t size_;
  FirstOrderSystem equations_;
  std::vector<std::vector<Expr>> changes_;
  std::vector<std::vector<Derivation::Seed>> parameters_;
  std::vector<Program> from_;
};

}  // namespace cetaev
