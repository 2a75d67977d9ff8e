// caplygin: Voronec's equations when neither α, nor L, nor F contains the coordinates of the dependent velocities.
//
//   Dₜ(∂L*/∂v_r) − ∂L*/∂q_r − Σ_ν (Dₜγ_νr − ∂α_ν/∂q_r) p_ν = F_r + Σ_ν γ_νr F_{m+ν}
//
// [T3] (14)(16), [L] (23)(25). m equations for m coordinates, separate from the rest, which follow by quadrature.
#include <algorithm>

#include "cetaev/detail/formulation/voronec_terms.hpp"
#include "cetaev/formulation/caplygin_type.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

// The reason why the system is not of Čaplygin's type, or nothing. Most systems do not even mention the coordinates in
// question; only for the others is it a question of the constraint set.
std::string coordinate_in_the_way(const Setting& s) {
  const auto mentioned = [&](Expr q) {
    const auto contains = [&](Expr e) { return depends_on(e, std::span(&q, 1)); };
    return contains(s.system->lagrangian) || std::any_of(s.system->forces.begin(), s.system->forces.end(), contains) ||
           std::any_of(s.terms.constraints.phi.begin(), s.terms.constraints.phi.end(), contains);
  };
  std::optional<OnSet> set;
  std::optional<PreciseState> somewhere;
  for (const std::size_t d : s.dependent) {
    const Expr q = s.system->motion.q[d];
    if (!mentioned(q)) continue;
    if (!set) {
      const auto admissible = std::make_shared<Admissible>(s.system);
      set.emplace(s.system, admissible);
      if (const std::optional<State> state = admissible->random(1)) somewhere = set->refine(*state);
    }
    // Where the Lagrangian changes with it at one state of the set there is no need to look at others.
    if (somewhere) {
      const Ball change = evaluate_ball(derivative(s.system->lagrangian, q), somewhere->values, OnSet::bits);
      if (change.is_finite() && !change.contains_zero()) return "the Lagrangian contains " + s.system->coordinates[d];
    }
    const CaplyginType::Coordinate coordinate = ignorable(*set, s.terms, d);
    if (!coordinate.ignorable.holds()) return coordinate.obstacle;
  }
  return {};
}

std::optional<Error> not_of_caplygins_type(const Setting& s) {
  const std::string reason = coordinate_in_the_way(s);
  if (reason.empty()) return std::nullopt;
  return Error(ErrorCode::not_caplygin, "the system is not of Čaplygin's type for these dependent velocities: " +
                                            reason + ", whose velocity is a dependent one");
}

Formulation derive_caplygin(const Setting& s) {
  VoronecParts parts;
  parts.dependent_positions = false;
  Formulation form = voronec_family(s, "caplygin", parts);
  form.state = "the independent positions and velocities; the other positions follow by quadrature";
  return form;
}

}  // namespace

constinit const Principle caplygin_principle = {
    .name = "caplygin",
    .title = "Čaplygin's equations",
    .equations = derive_caplygin,
    .state = FormState::independent_velocities,
    .dalembert_lagrange = true,
    .reduced_lagrangian = true,
    .nonholonomic_terms = true,
    .own_obstacle = not_of_caplygins_type,
};

}  // namespace cetaev
