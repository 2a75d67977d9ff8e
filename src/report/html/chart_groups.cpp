#include "chart_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cetaev {

namespace {

struct Group {
  std::string unit;
  double size = 0;  // of its largest curve
  std::vector<const ChartedQuantity*> members;
};

double size_of_curve(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values)
    if (std::isfinite(x)) most = std::max(most, std::abs(x));
  return most;
}

// A curve a hundred times smaller than another is a straight line beside it.
std::vector<Group> groups_of(const Desk& desk, const std::vector<ChartedQuantity>& quantities) {
  constexpr double alike = 100;
  std::vector<Group> groups;
  for (const ChartedQuantity& quantity : quantities) {
    const double size = size_of_curve(desk.columns[quantity.column]);
    const auto fits = [&](const Group& group) {
      if (group.unit != quantity.unit) return false;
      if (!quantity.unit.empty() || size == 0 || group.size == 0) return true;
      return size < alike * group.size && group.size < alike * size;
    };
    auto group = std::find_if(groups.begin(), groups.end(), fits);
    if (group == groups.end()) group = groups.insert(groups.end(), Group{quantity.unit, 0, {}});
    group->size = std::max(group->size, size);
    group->members.push_back(&quantity);
  }
  return groups;
}

}  // namespace

std::string figures_over_time(Desk& desk, const std::string& id, const std::string& title,
                              const std::vector<ChartedQuantity>& quantities) {
  constexpr std::size_t shown = 7;
  std::string text;
  std::size_t number = 0;
  for (const Group& group : groups_of(desk, quantities)) {
    Chart chart{++number == 1 ? id : fmt::format("{}-{}", id, number), title, "t", group.unit, {}};
    for (std::size_t i = 0; i < std::min(group.members.size(), shown); ++i)
      chart.curves.push_back({group.members[i]->label, desk.t(), group.members[i]->column, static_cast<int>(i)});
    if (chart.curves.size() == 1)
      chart.y_label = chart.curves[0].label + (group.unit.empty() ? "" : " in " + group.unit);
    const std::size_t all = group.members.size();
    text += desk.put(std::move(chart));
    if (all > shown) text += fmt::format("<p class=\"note\">The first {} of {}.</p>\n", shown, all);
  }
  return text;
}

}  // namespace cetaev
