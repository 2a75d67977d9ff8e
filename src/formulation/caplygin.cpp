// caplygin: Voronec's equations when neither α, nor L, nor F contains the coordinates of the dependent velocities.
//
//   Dₜ(∂L*/∂v_r) − ∂L*/∂q_r − Σ_ν (Dₜγ_νr − ∂α_ν/∂q_r) p_ν = F_r + Σ_ν γ_νr F_{m+ν}
//
// [T3] (14)(16), [L] (23)(25). m equations for m coordinates, separate from the rest, which follow by quadrature.
#include "cetaev/algebra/zero.hpp"
#include "principles.hpp"
#include "voronec.hpp"

namespace cetaev {

namespace {

bool contains(Expr e, Expr symbol) { return depends_on(e, std::span(&symbol, 1)) && !vanishes(derivative(e, symbol)); }

// The reason why the system is not of Čaplygin's type, or nothing.
std::string obstacle(const Setting& s) {
  for (const std::size_t d : s.dependent) {
    const Expr q = s.system.motion.q[d];
    const std::string& name = s.system.coordinates[d];
    if (contains(s.system.lagrangian, q)) return "the Lagrangian contains " + name;
    for (std::size_t j = 0; j < s.n(); ++j) {
      if (contains(s.system.forces[j], q)) return "the force on " + s.system.coordinates[j] + " contains " + name;
    }
    for (const std::size_t i : s.rows) {
      if (contains(s.terms.constraints.phi[i], q)) return "constraint " + std::to_string(i + 1) + " contains " + name;
    }
  }
  return {};
}

}  // namespace

Formulation derive_caplygin(const Setting& s) {
  s.refuse_second_order("caplygin");
  const std::string reason = obstacle(s);
  if (!reason.empty()) {
    throw Error(ErrorCode::not_caplygin, "the system is not of Čaplygin's type for these dependent velocities: " +
                                             reason + ", whose velocity is a dependent one");
  }
  VoronecParts parts;
  parts.dependent_positions = false;
  Formulation form = voronec_family(s, "caplygin", parts);
  form.state = "the independent positions and velocities; the other positions follow by quadrature";
  return form;
}

}  // namespace cetaev
