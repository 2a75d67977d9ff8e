// What must not vanish where equations hold, said once.
#pragma once

#include <functional>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// Without sign, power and root: −d² does not vanish where d does not.
Expr bare_condition(Expr e);

// The same conditions by their factors, each once.
std::vector<Expr> conditions_by_factors(const std::vector<Expr>& conditions);

// And without those that follow from others that are shorter: x² + y² where x is among them, a product of powers of two others, written out. Decided by algebra.
std::vector<Expr> independent_conditions(const std::vector<Expr>& conditions,
                                         const std::function<double(Expr)>& length);

}  // namespace cetaev
