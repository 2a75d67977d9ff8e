// Points of view on the transpositional relations as text, LaTeX and JSON: what `cetaev transpose` prints.
#pragma once

#include <string>

#include "cetaev/analysis/points_of_view.hpp"
#include "cetaev/report/typeset.hpp"

namespace cetaev {

std::string to_text(const PointsOfView& all, Notation notation);
// Formulas to be put into a document that loads amsmath, and the table of what holds.
std::string to_latex(const PointsOfView& all);
// With the keys of docs/reference/cli.md.
std::string to_json(const PointsOfView& all);

}  // namespace cetaev
