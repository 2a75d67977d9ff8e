// Equations and terms that differ by an index alone, as those of chains do: Σⱼ (21 − j) m l aⱼ'' cos aⱼ for twenty terms, and one line for all links.
#pragma once

#include "cetaev/analysis/equations.hpp"

namespace cetaev {

// What stands for the equations, in their order; nothing where names have no indices, where terms do not follow them, or where little is saved.
std::vector<WrittenFamily> families_of(const System& system, const std::vector<WrittenEquation>& equations);
// Could so many equations of the system be such?
bool has_links(const System& system, std::size_t equations);
// The same for the terms of a sum; nothing where it is none.
std::vector<Expr> sums_over_indices(const System& system, const std::vector<Expr>& terms);

// Σ over an index, as a factor: "$sum1(j,1,20)"; of several the first stands first.
Expr sum_over(Context& context, int place, std::string_view index, std::string_view from, std::string_view to);

}  // namespace cetaev
