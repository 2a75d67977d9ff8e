// The energies of a constrained system and what changes them.
//
//   E  = v·∂L/∂v − L                                        over all velocities
//   E* = Σ_r v_r ∂L*/∂v_r − L*                              over the independent ones, L* = L with v_dep = α
//   ᾱ_ν = Σ_r v_r ∂α_ν/∂v_r
//   E* = E + Σ_ν (ᾱ_ν − α_ν) p_ν                                                                       [T1] (18)
//   Ė  = −∂L/∂t + λᵀJ v + F·v                                                                          [T1] (20)
//   Ė* = −∂L*/∂t + Σ_ν (ᾱ_ν − α_ν) ∂L*/∂q_{m+ν} + Σ_ν B̄_ν p_ν + Σ_r v_r (F_r + Σ_ν γ_νr F_{m+ν})      [T1] (21)
//   B̄_ν = Σ_r B_r^ν v_r = Dₜ(ᾱ_ν − α_ν) − Σ_μ (∂α_ν/∂q_{m+μ})(ᾱ_μ − α_μ) + ∂α_ν/∂t                      [T1] (22)
//   R·v = λᵀJ v = Σ_ν (α_ν − ᾱ_ν)(E_{m+ν}L − F_{m+ν})                                                   [T2] (37)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// One summand of a balance law.
struct BalanceTerm {
  std::string formula;  // "-dL/dt"
  std::string meaning;  // "explicit time in the Lagrangian"
  Expr expression;
};

// What a body, the weight or a spring has of the energy, and what a load or a constraint brings in. Where frames or points move by themselves
// T = T₂ + T₁ + T₀ by degree in the velocities, and E = T₂ − T₀ + V is not T + V: `beyond` is the rest, −(T₁ + 2 T₀).
struct EnergyShare {
  enum class Kind { kinetic, potential, beyond, force, reaction };  // the last two are powers

  Kind kind;
  std::string of;  // "disc", "weight", "-(T1 + 2 T0)", "load 1", the label of a constraint
  Expr expression;
};
// "kinetic energy", "power of a load": what a share is, as headings of tables have it.
std::string_view to_string(EnergyShare::Kind kind);

// As expressions in the state, the accelerations, λ and the unknowns of `blocks`.
struct EnergyTerms {
  explicit EnergyTerms(const Setting& setting);

  std::vector<Expr> lambda;  // symbols of the multipliers, one per constraint of the model
  Expr E, dE_dt;
  std::vector<BalanceTerm> balance;  // Ė is their sum
  Expr reaction_power;               // λᵀJ v
  // T and V where the model tells them apart, by bodies, points, weight and springs, and what else belongs to E: they add up to it; the powers F·v of loads and λ_i J_i v of constraints.
  std::vector<EnergyShare> shares;

  // The energy of the independent velocities; absent for constraints on accelerations and where the dependent
  // velocities do not serve.
  struct Reduced {
    std::vector<LinearBlock> blocks;
    Expr E, dE_dt;
    std::vector<BalanceTerm> balance;
    std::vector<Expr> alpha_bar, excess;  // ᾱ, ᾱ − α
    Expr E_by_excess;                     // E + Σ (ᾱ − α) p, (18)
    std::vector<Expr> B_bar, B_bar_by_22;
    Expr reaction_power;  // by (37)
  };
  std::optional<Reduced> reduced;
};

struct EnergyValues {
  double E = 0, dE_dt = 0, dE_dt_balance = 0, reaction_power = 0;
  std::vector<double> balance;  // term by term
  std::vector<double> shares;   // one by one
  struct Reduced {
    double E = 0, dE_dt = 0, dE_dt_balance = 0, reaction_power = 0;
    std::vector<double> balance;
  };
  std::optional<Reduced> reduced;
};

// The terms as programs.
class Energies {
 public:
  explicit Energies(const Setting& setting);
  const EnergyTerms& terms() const { return terms_; }

  // Along accelerations and multipliers (one per constraint of the model). Throws non-finite.
  EnergyValues at(const State& state, std::span<const double> a, std::span<const double> multipliers) const;
  // Any expressions of the terms above as a program; its inputs are state_symbols(), a, λ.
  Program program(std::span<const Expr> expressions) const;

 private:
  const Setting& setting_;
  EnergyTerms terms_;
};

// The energies at the state of an evaluation of the same system, along the accelerations of `multipliers`; nothing where it has none.
struct EnergyAtState {
  EnergyTerms terms;
  EnergyValues values;
};
std::optional<EnergyAtState> energy_at(Groundwork& work, const Evaluation& evaluation);

}  // namespace cetaev
