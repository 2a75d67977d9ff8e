// Expressions that contain the unknowns of linear systems, with these written out.
#pragma once

#include <span>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/formulation/groundwork.hpp"

namespace cetaev {

// More rows are not written out: the terms grow with the factorial of it.
constexpr std::size_t largest_determinant = 4;
Expr determinant_of(const Matrix& m);

// Is e zero by proof, with the values of the parameters, once the unknowns of the systems are written out by Cramer's rule?
bool is_zero_written_out(const System& system, Expr e, std::span<const LinearBlock> blocks);

}  // namespace cetaev
