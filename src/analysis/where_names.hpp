// Names for what recurs in the equations of a form, as papers introduce them: "where Δ = …".
#pragma once

#include <span>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/detail/analysis/free_names.hpp"

namespace cetaev {

// Names what makes the equations together with the lines that explain the names shorter; nothing where no name does. The lines come in the order in
// which they can be read: each uses the names before it.
void name_what_recurs(const System& system, WrittenForm& form);
// Are the equations short enough to be read with names at all?
bool can_have_names(const WrittenForm& form);

// With the ends of summands, on paper.
double length_of_summands(std::span<const Expr> summands);
// Of everything that is printed with a form, on paper: what stands before the equations, these or the lines for many in their place, constraints, the lines that
// explain names, momenta, conditions and transpositional relations. What the model has given names to is not counted: its reader knows it.
double length_of_form(const WrittenForm& form);

}  // namespace cetaev
