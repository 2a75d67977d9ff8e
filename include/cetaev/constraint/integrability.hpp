// Which holonomic integrals do the constraints hide, and do they leave anything that is not holonomic?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/constraint/on_set.hpp"

namespace cetaev {

// f(q,t), constant along every admissible motion.
struct FoundIntegral {
  Expr expression;
  Finding finding;                 // of Dₜf = 0 on the set
  std::optional<std::size_t> row;  // the order-0 constraint that it is, if it is one
  std::vector<Expr> jumps;         // at whose zeros it jumps: constant on each side, with another value
};

struct Integrability {
  // At each (q,t) the admissible velocities form a linear or affine space; `linear_rows`: and it is written so.
  bool linear = true;
  bool linear_rows = true;

  // The growth vector dim Δ₁, dim Δ₂, … on (q,t), each entry less one, at generic admissible points; absent for sets that
  // are not linear, for sets with accelerations, and where it could not be computed.
  std::optional<std::vector<std::size_t>> growth;
  // The same at the given state, where it differs.
  std::optional<std::vector<std::size_t>> growth_at_state;

  // (n+1) − ρ: independent functions f(q,t) constant along every admissible motion. Where the admissible velocities lie on sheets that
  // do not meet, (y' − x')² = 2, no motion goes from one to another, and each has functions of its own.
  std::size_t hidden = 0;
  bool integrable = false;  // as many as the rank
  bool decided = true;      // false: `hidden` and `integrable` are a guess at best, and the ground says why
  bool proved = false;      // brackets in balls from one side, integrals proved by algebra from the other
  std::string ground;       // how this is known, in words

  // Functionally independent; hidden many where all were found.
  std::vector<FoundIntegral> integrals;
  bool all_found() const { return integrals.size() == hidden; }
};

// Rows with accelerations do not restrict velocities and are left out. Does not throw because of the state.
Integrability integrability(OnSet& set, const std::optional<State>& state = std::nullopt);

}  // namespace cetaev
