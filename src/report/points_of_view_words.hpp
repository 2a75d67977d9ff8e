// Words of points of view that text, LaTeX, JSON and pages share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/analysis/points_of_view.hpp"

namespace cetaev {

// "hoelder"; "model" for a matrix that the model writes
std::string name_in_lists(Transpositional::View view);
// "Hölder, Hamel: everything commutes"
std::string_view title_of(Transpositional::View view);
// "d'Alembert–Lagrange"
std::string_view in_words(KindOfMotion motion);
// Rows of A that are not zero, as relations.
std::vector<WrittenDefinition> relation_rows(const PointsOfView& all, const PointOfView& view);

}  // namespace cetaev
