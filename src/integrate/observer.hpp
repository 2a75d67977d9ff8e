// What a state of the integration looks like from outside: positions, velocities, multipliers, energy, residual.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/integrate/motion.hpp"
#include "equations.hpp"
#include "inputs.hpp"

namespace cetaev {

class Observer {
 public:
  // Multipliers of d'Alembert–Lagrange are of least norm over all constraints, whatever form is integrated.
  Observer(const MotionEquations& equations, const Terms& terms);

  // The point lives until the next call. Throws non-finite, and where multipliers are wanted the diagnosis of reactions that
  // are not determined.
  const MotionPoint& at(double t, std::span<const double> y, bool with_multipliers = true);
  // The last point as a state.
  State state() const;
  // ∫ balance dt in y.
  double work(std::span<const double> y) const { return equations_.has_work() ? y.back() : 0; }
  std::size_t multiplier_count() const { return multipliers_.size(); }

 private:
  const MotionEquations& equations_;
  std::size_t n_;
  Interpreter run_;
  MotionInputs inputs_;
  std::vector<double> outputs_, multipliers_;
  // Set for forms whose multipliers are those of d'Alembert–Lagrange.
  std::unique_ptr<Multipliers> reaction_;
  std::optional<Multipliers::Workspace> workspace_;
  std::vector<double> reaction_inputs_, a_;
  MotionPoint point_;
};

}  // namespace cetaev
