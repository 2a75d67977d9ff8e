#include "guards.hpp"

#include <algorithm>
#include <cmath>

#include "accuracy.hpp"

namespace cetaev {

std::array<double, 5> bernstein(const std::array<double, 5>& f) {
  return {f[0], (-13 * f[0] + 48 * f[1] - 36 * f[2] + 16 * f[3] - 3 * f[4]) / 12,
          (13 * f[0] - 64 * f[1] + 120 * f[2] - 64 * f[3] + 13 * f[4]) / 18,
          (-3 * f[0] + 16 * f[1] - 36 * f[2] + 48 * f[3] - 13 * f[4]) / 12, f[4]};
}

double fourth_difference(const std::array<double, 5>& f) {
  return std::abs(f[0] - 4 * f[1] + 6 * f[2] - 4 * f[3] + f[4]);
}

bool on_one_side(std::span<const double> values, double by_more_than) {
  return std::ranges::all_of(values, [&](double x) { return x > by_more_than; }) ||
         std::ranges::all_of(values, [&](double x) { return x < -by_more_than; });
}

bool GuardsInStep::beyond(const std::vector<Values>& at, std::size_t which, double distance) {
  const std::array<double, 5> f = {at[0][which], at[1][which], at[2][which], at[3][which], at[4][which]};
  return on_one_side(bernstein(f), distance + accuracy::unresolved * fourth_difference(f));
}

bool GuardsInStep::none_vanishes(const std::vector<Values>& at) {
  for (std::size_t g = 0; g < at[0].size(); ++g)
    if (!beyond(at, g, 0)) return false;
  return true;
}

// Neighbours become one: a zero between two pieces belongs to both.
void GuardsInStep::add(double t0, double t1) {
  if (!parts_.empty() && parts_.back().second == t0) {
    parts_.back().second = t1;
  } else {
    parts_.emplace_back(t0, t1);
  }
}

}  // namespace cetaev
