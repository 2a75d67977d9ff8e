// The objects that the papers define on the way to their equations, for any system, as formulas.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

enum class PaperObject {
  W,      // W₁ = ∂(φ, L_j)/∂v and W₂ of Theorems 2 and 3 of [L]
  Omega,  // Ω₁, Ω₂: the rows E f of those functions
  A,      // A = W⁻¹Ω of both: δ(q̇) − Dₜ(δq) = A δq
  C,      // the coefficients of Newton's equations in independent velocities, [T3] (6) corrected:
  D,      //   Σ_r C_i^r a_r + Σ_rs D_i^rs v_r v_s + Σ_r E_i^r v_r + G_i = F_i + Σ_ν γ_νi F_{m+ν}
  E,      //
  G,      //
  S,  // Gibbs' function ½ Σ m |P̈|² without its terms free of accelerations, and on the admissible accelerations
  Lstar,  // L* = L with the dependent velocities replaced
  alpha,  // α, the dependent velocities by the others
  B,      // B_r^ν of Voronec's equations
  F1,  // F₁ = Aᵀ ∂L/∂v of Theorem 2, [L] (80), and its part along the admissible directions: zero where mvm2 is d'Alembert–Lagrange
  action,  // the Lagrangians (10) and (14) of [L] with their multipliers
};

std::string_view name_of(PaperObject object);
std::string_view title_of(PaperObject object);  // in words
std::span<const PaperObject> paper_objects();   // in this order
std::optional<PaperObject> paper_object(std::string_view name);

// A scalar, vector, matrix or array of three indices.
struct FormulaArray {
  std::string symbol;                          // "W1", "C", "L*"
  std::vector<std::vector<std::string>> axes;  // what each index runs over: coordinates, "L1" … "LN"
  std::vector<Expr> entries;                   // the last index fastest
};

struct ObjectFormulas {
  std::vector<FormulaArray> arrays;
  std::vector<std::string> notes;
};

// In q, v, a, t and parameters. α where it has a closed form, which Setting::use_explicit() was given. Throws not-applicable, needs-auxiliary and what
// else the object lacks.
ObjectFormulas formulas_of(const Setting& setting, const std::optional<std::vector<Expr>>& alpha, PaperObject object);

}  // namespace cetaev
