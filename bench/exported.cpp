// The exported C right-hand side of the skate beside one written by hand.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <vector>

#include "skate.h"  // cetaev derive skate --format c

namespace cetaev {
namespace {

constexpr std::size_t count = 512;

// x' = u cos φ, y' = u sin φ, φ' = w, u' = g sin β cos φ, w' = 0
inline void by_hand(double, const double* y, const skate_parameters& p, double* dy) {
  const double c = std::cos(y[2]);
  const double s = std::sin(y[2]);
  dy[0] = y[3] * c;
  dy[1] = y[3] * s;
  dy[2] = y[4];
  dy[3] = p.g * std::sin(p.slope) * c;
  dy[4] = 0;
}

inline void exported(double t, const double* y, const skate_parameters& p, double* dy) { skate_rhs(t, y, &p, dy); }

// All states once.
template <typename F>
void sweep(F f, const std::vector<std::array<double, 5>>& states, const skate_parameters& p) {
  std::array<double, 5> rate;
  for (const auto& y : states) {
    f(0.0, y.data(), p, rate.data());
    benchmark::DoNotOptimize(rate.data());
    benchmark::ClobberMemory();
  }
}

std::vector<std::array<double, 5>> some_states() {
  std::vector<std::array<double, 5>> states;
  for (std::size_t i = 0; i < count; ++i) {
    const double k = static_cast<double>(i);
    states.push_back({k, -k, std::fmod(0.7 * k, 6.0), std::sin(k), std::cos(k)});
  }
  return states;
}

template <typename F>
void time_of(benchmark::State& run, F f) {
  const auto states = some_states();
  const skate_parameters p = skate_default_parameters();
  for (auto _ : run) sweep(f, states, p);
  run.SetItemsProcessed(static_cast<std::int64_t>(run.iterations() * count));
}

void skate_exported(benchmark::State& run) { time_of(run, exported); }
void skate_by_hand(benchmark::State& run) { time_of(run, by_hand); }
BENCHMARK(skate_exported);
BENCHMARK(skate_by_hand);

// Both in turn, so that a machine that slows down slows down both; the least time of each counts.
void skate_exported_over_hand(benchmark::State& run) {
  const auto states = some_states();
  const skate_parameters p = skate_default_parameters();
  using Clock = std::chrono::steady_clock;
  const auto seconds = [&](auto f) {
    const auto start = Clock::now();
    for (int i = 0; i < 20; ++i) sweep(f, states, p);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  double ours = HUGE_VAL, theirs = HUGE_VAL;
  for (auto _ : run) {
    ours = std::min(ours, seconds(exported));
    theirs = std::min(theirs, seconds(by_hand));
  }
  run.counters["ratio"] = ours / theirs;
}
BENCHMARK(skate_exported_over_hand)->Iterations(200)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cetaev
