// Formulas beyond reading, written as they are computed: what recurs in them has a line of its own.
#pragma once

#include <span>
#include <vector>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/detail/algebra/simplify.hpp"

namespace cetaev {

// Names for the sums that recur in the formulas, for long products that do, and for what is longer than two lines inside of others; the formulas are changed. In a time that
// goes with their graph. The lines use each those before it, with lines `before` all of them; their names are none of `taken`.
std::vector<WrittenDefinition> name_steps(const System& system, std::span<Expr* const> formulas,
                                          std::span<const WrittenDefinition> before,
                                          std::span<const WrittenDefinition> taken, Simplifier& simplifier);

}  // namespace cetaev
