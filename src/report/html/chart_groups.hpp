// Which curves share an axis: those of one declared unit; where nobody says, those of like size, angles apart from the rest.
#pragma once

#include <string>
#include <vector>

#include "sections.hpp"

namespace cetaev {

struct ChartedQuantity {
  std::string label;
  std::string column;     // of the desk, over t
  std::string unit;       // empty where nobody knows
  bool declared = false;  // the unit, by the model
  bool angle = false;     // or its rate; known where nothing is declared, too
};

// Figures one below the other, the first with the id itself, the others with a number behind it. Of each group the first seven.
std::string figures_over_time(Desk& desk, const std::string& id, const std::string& title,
                              const std::vector<ChartedQuantity>& quantities);

}  // namespace cetaev
