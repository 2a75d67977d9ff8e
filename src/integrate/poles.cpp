// Poles of what depends on time alone: a motion ends there, at a time that is known before, or goes over them where forces have an integral.
#include <algorithm>
#include <array>
#include <cmath>

#include "accuracy.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "run.hpp"

namespace cetaev {

// Of the rates at the state in y_, from t towards a pole: what they change by from a tenth of the distance to a hundredth, beside what they change by up to
// there; nothing where they hardly change.
std::optional<double> Run::growth_towards(double pole, double t) {
  if (!field_) field_ = new_field();
  std::array<std::vector<double>, 3> rates;
  double distance = t - pole;
  for (std::vector<double>& there : rates) {
    there.resize(y_.size());
    if (field_->rates(pole + distance, y_.data(), there.data()) >= 0 || !all_finite(there)) return std::nullopt;
    there.resize(moved_variables());
    distance /= 10;
  }
  double first = 0, second = 0;
  for (std::size_t i = 0; i < rates[0].size(); ++i) {
    first = std::max(first, std::abs(rates[1][i] - rates[0][i]));
    second = std::max(second, std::abs(rates[2][i] - rates[1][i]));
  }
  if (!(second > accuracy::hardly_changes * largest_magnitude(rates[0]))) return std::nullopt;
  return second / first;
}

// Nothing leads over a pole of the rates that methods could follow, and no step up to it would hold its tolerance: the time is known.
bool Run::ends_at_a_pole(double t) {
  take_state(t);
  const double pole = jumps_in_time_.back().middle();
  const auto growth = growth_towards(pole, t);
  if (!growth || *growth < accuracy::like_a_root) return false;
  const auto why = lost_divisor(t);
  if (!why) return false;
  end_as_singular(pole, *why);
  return true;
}

// Rates that grow like log |t − 1| have an integral: over octaves of the distance on both sides, with the state as it is in front of the pole.
bool Run::adds_up_over_a_pole(double t) {
  // Gauss's formula of four points on [0, 1]
  constexpr std::array<double, 4> nodes = {0.06943184420297371, 0.33000947820757187, 0.6699905217924281,
                                           0.9305681557970263};
  constexpr std::array<double, 4> weights = {0.17392742256872692, 0.3260725774312731, 0.3260725774312731,
                                             0.17392742256872692};
  TimeTerms::Jump& jump = jumps_in_time_.back();
  const double pole = jump.middle(), beyond = pole + (pole - t);
  if (direction_ * beyond >= direction_ * t_end_) return false;
  take_state(t);
  const auto growth = growth_towards(pole, t);
  if (!growth || *growth < accuracy::like_a_logarithm || *growth >= accuracy::like_a_root) return false;
  std::vector<double> rates(y_.size()), sum(y_.size());
  const auto add = [&](double at, double weight) {
    if (field_->rates(at, y_.data(), rates.data()) >= 0 || !all_finite(rates)) return false;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * rates[i];
    return true;
  };
  const double least = accuracy::told_apart(std::max(std::abs(pole), std::abs(t - pole)));
  for (const double side : {t - pole, pole - t}) {
    double distance = side;
    for (; std::abs(distance) > least; distance /= 2)
      for (std::size_t k = 0; k < nodes.size(); ++k)
        if (!add(pole + distance * (1 + nodes[k]) / 2, direction_ * std::abs(distance) / 2 * weights[k])) return false;
    if (!add(pole + 2 * distance, direction_ * std::abs(distance))) return false;
  }
  leap_.assign(y_.size(), 0.0);
  std::copy_n(sum.begin(), moved_variables(), leap_.begin());
  std::vector<double> here(y_.size()), there(y_.size());
  if (!have_rates(t, y_, here) || !have_rates(beyond, y_, there)) return false;
  vary_leap(pole, here, there);
  jump.before = t;
  jump.beyond = beyond;
  return true;
}

}  // namespace cetaev
