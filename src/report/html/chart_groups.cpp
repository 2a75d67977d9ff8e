#include "chart_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace cetaev {

namespace {

struct Group {
  const ChartedQuantity* first = nullptr;
  double size = 0;  // of its largest curve
  std::vector<const ChartedQuantity*> members;
};

double size_of_curve(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values)
    if (std::isfinite(x)) most = std::max(most, std::abs(x));
  return most;
}

// A curve of less than a tenth of the height of its axis shows little of its shape. From the largest down, so that every curve is
// held against the largest of its group and none slips in by one of a size between. A curve that stays zero fits everywhere.
std::vector<Group> groups_of(const Desk& desk, const std::vector<ChartedQuantity>& quantities) {
  constexpr double alike = 10;
  std::vector<std::pair<double, const ChartedQuantity*>> by_size;
  std::map<std::string, double> of_vectors;
  for (const ChartedQuantity& quantity : quantities) {
    const double size = size_of_curve(desk.columns[quantity.column]);
    by_size.emplace_back(size, &quantity);
    if (!quantity.vector.empty()) of_vectors[quantity.vector] = std::max(of_vectors[quantity.vector], size);
  }
  for (auto& [size, quantity] : by_size)
    if (!quantity->vector.empty()) size = of_vectors[quantity->vector];
  std::stable_sort(by_size.begin(), by_size.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Group> groups;
  for (const auto& [size, quantity] : by_size) {
    const auto fits = [&, size = size, quantity = quantity](const Group& group) {
      if (group.first->declared != quantity->declared || group.first->unit != quantity->unit) return false;
      return quantity->declared || size == 0 || (group.first->kind == quantity->kind && group.size <= alike * size);
    };
    auto group = std::find_if(groups.begin(), groups.end(), fits);
    if (group == groups.end()) group = groups.insert(groups.end(), Group{quantity, size, {}});
    group->members.push_back(quantity);
  }
  // As they were given.
  for (Group& group : groups) std::sort(group.members.begin(), group.members.end());
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.members.front() < b.members.front(); });
  return groups;
}

}  // namespace

std::string figures_over_time(Desk& desk, const std::string& id, const std::string& title,
                              const std::vector<ChartedQuantity>& quantities) {
  constexpr std::size_t at_most = 7;
  std::string text;
  std::size_t number = 0;
  for (const Group& group : groups_of(desk, quantities)) {
    const std::size_t count = group.members.size(), figures = (count + at_most - 1) / at_most;
    for (std::size_t figure = 0; figure < figures; ++figure) {
      Chart chart{++number == 1 ? id : fmt::format("{}-{}", id, number), title, "t", group.first->unit, {}};
      for (std::size_t i = figure * count / figures; i < (figure + 1) * count / figures; ++i)
        chart.curves.push_back(
            {group.members[i]->label, desk.t(), group.members[i]->column, static_cast<int>(chart.curves.size())});
      if (chart.curves.size() == 1)
        chart.y_label = chart.curves[0].label + (group.first->unit.empty() ? "" : " in " + group.first->unit);
      text += desk.put(std::move(chart));
    }
  }
  return text;
}

}  // namespace cetaev
