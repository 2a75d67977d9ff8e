// Is this expression zero wherever it is defined?
#pragma once

#include <string>
#include <vector>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {

enum class Verdict { proved, refuted, undecided };

struct ZeroTest {
  Verdict verdict = Verdict::undecided;
  // refuted: values of the free symbols at which a rigorous ball evaluation excludes zero.
  std::vector<std::pair<Expr, Rational>> witness;
  // undecided: the number of random points at which the expression is zero to `digits` decimal digits (0: it could be
  // evaluated at none).
  int points = 0;
  int digits = 0;
};

// Exact algebra over the rationals in the symbols and kernels (sin u, cos u, √r, exp u, …) with the relations between
// them; rigorous evaluation at random points (seeded, the same in every run) refutes. Time and memory are bounded: what
// is too large for algebra is left to the evaluation. Throws Error(bad_model) when something in e divides by an
// expression that vanishes identically.
ZeroTest prove_zero(Expr e);

// The decision programs act on: proved, or zero to at least 60 digits at each of 8 random points (one for a constant), and so on either
// side of every absolute value, wherever that side may be.
bool vanishes(Expr e);

}  // namespace cetaev
