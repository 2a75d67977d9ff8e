// What kind of system is this? Every verdict with its grounds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/constraint/classify.hpp"
#include "cetaev/constraint/homogeneity.hpp"
#include "cetaev/constraint/integrability.hpp"
#include "cetaev/energy/conservation.hpp"
#include "cetaev/energy/first_integrals.hpp"
#include "cetaev/energy/substituted.hpp"
#include "cetaev/formulation/caplygin_type.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/formulation/symmetry.hpp"

namespace cetaev {

struct Check {
  System system;  // whose expressions these are: a scratch copy of the model
  Classification classification;
  std::optional<AdmissibleState> at;   // the initial state, where there is an admissible one
  std::vector<std::size_t> dependent;  // the dependent velocities in use
  // One of several branches of the set, with what holds on it.
  struct Branch {
    std::vector<Expr> equations;  // one for each constraint, = 0
    Finding conic, conserved;
    Integrability integrability;
  };
  std::vector<Branch> branches;   // empty where the set has one
  bool branches_complete = true;  // there are no others, by algebra
  // The equations of branches on which a constraint on velocities says nothing about them: x = y of (x − y)·x' = 0. Nothing else here
  // speaks of them.
  std::vector<std::vector<Expr>> lower_order;
  // Where the rank differs from place to place: the set comes in pieces, and verdicts hold on each.
  std::vector<OnSet::RankThere> ranks;
  Homogeneity homogeneity;
  Integrability integrability;
  CaplyginType caplygin;
  EnergyVerdict energy;
  Symmetry symmetry;
  std::vector<LinearIntegral> first_integrals;
  std::vector<DeclaredIntegral> integrals;
  Form form = Form::multipliers;  // whose motions the declared integrals were tested on
  std::optional<VirtualDisplacements> displacements;
  // Do position and velocity determine the motion (det G ≠ 0 at generic admissible states)?
  std::optional<bool> determinate;
  std::string determinate_because;
  std::optional<Substitution> substitution;
};

// At generic admissible states; does not fail because of the initial state. Declared integrals are tested along the motions
// of the named form. Throws inconsistent-constraints and bad-model.
Check check(Groundwork& work, Form form = Form::multipliers);
Check check(const System& system, Form form = Form::multipliers);

// False when an integral that the model declares is not one.
bool passes(const Check& check);

}  // namespace cetaev
