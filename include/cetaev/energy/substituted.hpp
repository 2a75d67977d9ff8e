// A Lagrangian into which a constraint has been substituted already.
//
// Written with the dependent velocities replaced by α, a Lagrangian is L* and no longer L: Lagrange's equations for it are
// those of `reduced` and lack Σ_ν B_r^ν p_ν, p_ν = ∂L/∂v_{m+ν} of the Lagrangian before the substitution (Lindelöf's mistake).
// Nothing is missing only where every B_r^ν p_ν vanishes, as for integrable constraints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/constraint/on_set.hpp"

namespace cetaev {

struct Substitution {
  std::vector<std::size_t> dependent, independent;
  std::vector<std::size_t> still_there;  // dependent velocities that L contains nevertheless: not a restriction
  struct MissingTerm {
    std::size_t independent, dependent;  // coordinates
    std::optional<Expr> B;               // in closed form, where there is one
    Finding zero;                        // of B on the constraint set
    std::optional<double> value;         // of B at the state; none where B contains accelerations
  };
  std::vector<MissingTerm> terms;
  // p_ν at the state from the masses of the points, where the model gives them; and what each equation then lacks, unless
  // that depends on accelerations.
  std::vector<double> momenta;
  std::vector<double> missing;
  State state;
  bool harmless() const;  // every B vanishes
};

// Of the constraints that `substituted` names; nothing when the model names none. Throws not-applicable when they cannot be
// solved for velocities.
std::optional<Substitution> diagnose_substitution(const System& system);

}  // namespace cetaev
