// b of H a = b for a Lagrangian that is written with shared sums of velocities, as forces on these sums.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cetaev/formulation/formulation.hpp"
#include "shared_sums.hpp"

namespace cetaev {

// Linear forms that are to be added: Σ factor·expr.
using KeptTerms = std::vector<Context::Term>;

// The values of the velocities and of the sums.
std::vector<Expr> values_of_sums(const Setting& s, const SharedSums& sums);
// What is added to Σ A y' in the rate of a sum x = Σ A y: Σ A' y, or ±φ' times the other component after a turn by φ.
KeptTerms turning_of_sum(const SharedSums& sums, std::size_t x, std::span<const Expr> values, Derivation& advance);

// r of each velocity and each sum, such that b_j = Σ_x r_x ∂x/∂v_j.
//
// With x = Σ A y, rates at fixed velocities d_x = Σ A d_y + A' y, momenta p_x = ∂L/∂x and what they come to from all that contains x, π_y = p_y + Σ A π_x:
//   r_x = −(∂p_x/∂x) d − …',   r_y −= A' π_x,   r_{v_j} += ∂L/∂q_j = Σ π_x (∂A/∂q_j) y + …
// For the components t₁, t₂ after a turn by φ that is r₁ += φ' π₂, r₂ −= φ' π₁ and a moment π₁ t₂ − π₂ t₁ about its axis. By hand one would write
// accelerations, ω × L and moments; the same numbers come out of the same recursion, up the chain and down again, whatever the sums mean.
//
// With rates d of the velocities, one for each, they are those of b − H d.
std::vector<KeptTerms> forces_on_sums(const Setting& s, const SharedSums& sums, std::span<const Expr> d = {});

// A point with a mass, and its velocity.
struct MovingMass {
  Expr m;
  std::array<Expr, 3> velocity;
};
std::vector<MovingMass> masses_of_points(const System& system);

// The same with a symbol for each sum x, its rate and its momentum π, and what the three are by these symbols; by number, velocities first.
struct NamedSums {
  std::vector<Expr> value, rate, momentum;           // symbols; of velocities themselves v and v'
  std::vector<Expr> value_is, rate_is, momentum_is;  // nothing for velocities
  std::vector<KeptTerms> force;
};
NamedSums named_forces_on_sums(const Setting& s, const SharedSums& sums);

}  // namespace cetaev
