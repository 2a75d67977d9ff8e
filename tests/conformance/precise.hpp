// Accelerations in ball arithmetic of hundreds of bits, so that it is not double precision which makes forms agree.
#pragma once

#include <span>
#include <vector>

#include "cetaev/expr/evaluate.hpp"
#include "forms.hpp"

namespace cetaev::conformance {

// A state on the constraints of the setting, to all these bits, near an admissible one: Newton's method in balls on as many
// positions and velocities as there are equations. Exact numbers in the order of state_symbols(); only parameters
// that are no binary fractions have a radius. Throws std::runtime_error where Newton fails.
std::vector<Ball> refine(const Setting& setting, const State& state, long bits);

// log₁₀ of the largest difference.
double difference_log10(Context& context, std::span<const Ball> x, std::span<const Ball> y, long bits);

// Largest difference of the form's accelerations from those of `multipliers` at the refined state, as log₁₀. Both must have
// values there.
double precise_difference_log10(const AtState& at, std::string_view form, std::span<const Ball> refined, long bits);

// How far accelerations are from d'Alembert's principle, as log₁₀, by finite differences of L, F and the constraints as
// written: no symbolic derivative takes part. Along q + vτ + ½aτ², for virtual displacements δq with ∂φ/∂v δq = 0,
//   (d/dτ ∂L/∂v − ∂L/∂q − F)·δq = 0   and   d/dτ φ = 0, or d²/dτ² f = 0 for f(q,t) = 0.
// Only for constraints of order 0 and 1. Good to about 10^(−bits/13).
double dalembert_residual_log10(const Setting& setting, std::span<const Ball> state, std::span<const Ball> a,
                                long bits);

// The same for forms with multipliers in the state, as Hamilton's principle for 𝓛 = L − Σ λ_ν φ_ν − Σ λ⁰_j L_j along a path of q and λ whose
// accelerations and rates the form gives: d/dτ ∂𝓛/∂v − ∂𝓛/∂q − F = Aᵀ ∂𝓛/∂v. A = `relations` of q, v, a, t; zero where it is empty, and then
// without the functions L_j: the vakonomic equations. The inputs are a refined state with λ behind it.
double hamilton_residual_log10(const Setting& setting, const CompiledForm& form, std::span<const Ball> inputs,
                               const Matrix& relations, long bits);

}  // namespace cetaev::conformance
