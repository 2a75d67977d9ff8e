#include "cetaev/stability/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "cetaev/detail/ensemble/threads.hpp"
#include "elsewhere.hpp"
#include "spectrum.hpp"

namespace cetaev {

namespace {

constexpr std::size_t most_places = 4'000'000;

// Of these, some are zero all over the chart.
void judge_place(ToldSpectrum left, std::size_t zero, StabilityChart::Place& place) {
  std::ranges::stable_sort(left, std::ranges::greater(), [](const ToldEigenvalue& one) { return std::abs(one.value); });
  left.resize(left.size() - zero);
  if (left.empty()) return;
  sort_by_growth(left);
  place.growth = left.front().value.real();
  place.frequency = std::abs(left.front().value.imag());
  place.growing = static_cast<std::size_t>(
      std::ranges::count_if(left, [&](const ToldEigenvalue& one) { return one.value.real() > 0; }));
}

StabilityChart chart_of(const System& system, const std::array<Along, 2>& axes, const std::vector<std::string>& solve,
                        const ChartOptions& options, bool quasi) {
  SteadyElsewhere elsewhere(system, {axes[0].name, axes[1].name}, solve, quasi);
  StabilityChart chart{axes, std::vector<StabilityChart::Place>(axes[0].count * axes[1].count), 0, false, solve};
  std::vector<std::vector<double>> some;
  for (const std::size_t i : {axes[0].count - 1, axes[0].count / 3, axes[0].count / 2}) {
    for (const std::size_t j : {axes[1].count - 1, axes[1].count / 3, axes[1].count / 2})
      some.push_back({axes[0].value(i), axes[1].value(j)});
  }
  elsewhere.look_for_zeros(some);
  std::vector<ToldSpectrum> found(chart.places.size());
  const std::size_t each = axes[1].count;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // of what follows, and of who is asked
  std::size_t done = 0;
  const auto work = [&](unsigned) {
    for (std::size_t column = next++; column < axes[0].count; column = next++) {
      {
        const std::lock_guard lock(mutex);
        if (!chart.interrupted && options.progress) chart.interrupted = !options.progress(done, chart.places.size());
        if (chart.interrupted) return;
      }
      for (std::size_t place = column * each; place < (column + 1) * each; ++place) {
        const std::array<double, 2> at = chart.at(place);
        try {
          found[place] = elsewhere.spectrum(at, &chart.places[place].solved);
        } catch (const Error& error) {
          chart.places[place].diagnosis = error.code();
        }
        chart.places[place].computed = true;
      }
      const std::lock_guard lock(mutex);
      done += each;
    }
  };
  in_threads(
      static_cast<unsigned>(std::min<std::size_t>(options.threads > 0 ? options.threads : processors(), axes[0].count)),
      work);

  std::optional<std::size_t> zero;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!chart.places[i].has_values()) continue;
    const auto here = static_cast<std::size_t>(
        std::ranges::count(found[i], std::complex<double>(), [](const ToldEigenvalue& one) { return one.value; }));
    zero = std::min(zero.value_or(here), here);
  }
  chart.zero = zero.value_or(0);
  for (std::size_t i = 0; i < found.size(); ++i)
    if (chart.places[i].has_values()) judge_place(found[i], chart.zero, chart.places[i]);
  return chart;
}

}  // namespace

StabilityChart stability_chart(const System& system, const std::array<Along, 2>& axes,
                               const std::vector<std::string>& solve, const ChartOptions& options) {
  if (axes[0].name == axes[1].name)
    throw Error(ErrorCode::bad_model, "a chart is over two names, and both are '" + axes[0].name + "'");
  if (axes[0].count > most_places / axes[1].count)
    throw Error(ErrorCode::bad_model, fmt::format("a chart of {} × {} values has too many places; at most {} are drawn",
                                                  axes[0].count, axes[1].count, most_places));
  StabilityChart chart = chart_of(system, axes, solve, options, false);
  // where independent velocities are steady nowhere, quasi-velocities may be
  const auto steady = [](const StabilityChart& one) {
    return std::ranges::any_of(one.places, [](const auto& place) { return place.has_values(); });
  };
  if (system->quasi_velocities.empty() || chart.interrupted || steady(chart)) return chart;
  StabilityChart other = chart_of(system, axes, solve, options, true);
  return steady(other) ? other : chart;
}

}  // namespace cetaev
