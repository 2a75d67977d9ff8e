// Which curves share an axis: those of one declared unit; where nobody says, those of like size, angles and
// quaternions apart from the rest.
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
  std::string kind;       // where nothing is declared, but known: "rad" of an angle and of its rate
  std::string vector;     // that it is a component of; components stay together
};

// Figures one below the other, of seven curves at most, the first with the id itself, the others with a number behind it.
std::string figures_over_time(Desk& desk, const std::string& id, const std::string& title,
                              const std::vector<ChartedQuantity>& quantities);

}  // namespace cetaev
