// Auxiliary functions for which modified vakonomic mechanics (mvm2) gives the d'Alembert–Lagrange motion.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

struct AuxiliaryFunctions {
  std::vector<Expr> functions;
  std::vector<Expr> potentials;  // f_j where functions are Dₜf_j, else empty
  bool zero_relations = false;   // A = 0
};

// Looks among linear combinations of the velocities with coefficients from the model (the velocities themselves, the
// directions along each constraint that ties two velocities, as x' cos φ + y' sin φ for a blade, a basis of the admissible
// directions), and among total derivatives of functions that are constant along the kinetic-orthogonal complement of the admissible
// directions. What is found has no discrepancy at several random admissible states. Asked for zero relations, nothing else is found.
class AuxiliarySearch {
 public:
  AuxiliarySearch(const Setting& setting, Admissible& admissible, bool zero_relations = false);

  std::optional<AuxiliaryFunctions> linear, total_derivatives;
  ProposedAuxiliary written() const;

 private:
  ProposedAuxiliary findings_;
  bool functions_proved_ = false, with_parameters_ = false;
};

}  // namespace cetaev
