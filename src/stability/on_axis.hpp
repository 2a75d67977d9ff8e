// Eigenvalues that lie on the imaginary axis, and what they prove of linear equations.
#pragma once

#include <span>
#include <vector>

#include "reduced_field.hpp"

namespace cetaev {

// With λ the matrix has the eigenvalue −λ, by proof: for some signs S, S A S = −A; or the equations are those of a Lagrangian without time, without
// forces, whose constraints bind positions, which are Hamilton's.
bool has_symmetric_spectrum(const ReducedField& field, std::span<const Ball> A, std::size_t n);

// Of such a matrix, the eigenvalues that are alone in their balls and in the mirror images of these: where a ball meets the axis −λ̄ is the same one, and
// lies on it.
std::vector<bool> on_the_axis(std::span<const ComplexBall> found);

// A is the same at all states, by the way it is written.
bool is_linear(const ReducedField& field);

}  // namespace cetaev
