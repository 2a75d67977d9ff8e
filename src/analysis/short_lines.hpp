// Lines "name = formula" behind equations, each by those before it, on the way to a reader.
#pragma once

#include <initializer_list>
#include <set>
#include <span>
#include <string>

#include "cetaev/detail/analysis/free_names.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {

// On paper: a line that is read at a glance.
inline constexpr double one_line = 60;

// Lines that nothing uses and that say nothing new go, and those that are used once are put where they are used, as long as the line there is read at a glance. Of
// `formulas` the first are the lines of the names; all are changed. Returns which lines are not used any more: all that there are to find.
std::set<std::size_t> put_in_place(std::span<const Expr> names, std::span<Expr* const> formulas);

// The same replacements in all of them, in one walk.
void substitute_all(std::span<Expr* const> formulas, std::span<const Replacement> list);

// A stem with which neither the model nor what came before has a name, with numbers up to `most`; goes on with underscores. Principles have names of their own for what is
// printed of them, lambda, mu, gamma, alpha, u and s with numbers: none of these may be asked for.
std::string free_stem(FreeNames& free, std::initializer_list<const char*> stems, std::size_t most);

}  // namespace cetaev
