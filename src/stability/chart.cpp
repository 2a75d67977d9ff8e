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

// Of one place, those that grow fastest first.
struct Found {
  Spectrum eigenvalues;
  double size = 0;  // of A
};

// Of these, some are zero all over the chart.
void judge_place(const Found& found, std::size_t zero, StabilityChart::Place& place) {
  Spectrum left = found.eigenvalues;
  std::ranges::stable_sort(left, {}, [](std::complex<double> one) { return std::abs(one); });
  left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(zero));
  if (left.empty()) return;
  const double slack = told_from_zero * found.size;
  sort_by_growth(left);
  place.growth = std::abs(left.front().real()) <= slack ? 0 : left.front().real();
  place.frequency = std::abs(left.front().imag()) <= slack ? 0 : std::abs(left.front().imag());
  place.growing = static_cast<std::size_t>(
      std::ranges::count_if(left, [&](std::complex<double> one) { return one.real() > slack; }));
}

StabilityChart chart_of(const System& system, const std::array<Along, 2>& axes, const std::vector<std::string>& solve,
                        const ChartOptions& options, bool quasi) {
  const SteadyElsewhere elsewhere(system, {axes[0].name, axes[1].name}, solve, quasi);
  StabilityChart chart{axes, std::vector<StabilityChart::Place>(axes[0].count * axes[1].count), 0, false};
  std::vector<Found> found(chart.places.size());
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
          found[place].eigenvalues = elsewhere.spectrum(at, &found[place].size);
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
    const auto here =
        static_cast<std::size_t>(std::ranges::count_if(found[i].eigenvalues, [&](std::complex<double> one) {
          return std::abs(one) <= told_from_zero * found[i].size;
        }));
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
