// What kind of system is this: the whole of `cetaev check` without reading and printing, and equations ready to be read.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <string>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/report/check.hpp"

namespace cetaev {
namespace {

const GalleryModel& model(const std::string& name) {
  for (const GalleryModel& m : gallery()) {
    if (m.name == name) return m;
  }
  throw std::runtime_error("no gallery model " + name);
}

void check_model(benchmark::State& run, const std::string& name) {
  for (auto _ : run) {
    const System system = read_model(model(name).text, name + ".toml");
    benchmark::DoNotOptimize(check(system));
  }
}

// Every model once: the slowest is the figure to watch.
template <class Work>
void whole_gallery(benchmark::State& run, Work work) {
  double slowest = 0;
  for (auto _ : run) {
    slowest = 0;
    for (const GalleryModel& m : gallery()) {
      if (m.name == "snake-10") continue;
      const auto begin = std::clock();
      const System system = read_model(m.text, std::string(m.name) + ".toml");
      benchmark::DoNotOptimize(work(system));
      slowest = std::max(slowest, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
  }
  run.counters["slowest_ms"] = 1e3 * slowest;
}

void check_gallery(benchmark::State& run) {
  whole_gallery(run, [](const System& system) { return check(system); });
}

void write_gallery(benchmark::State& run) {
  whole_gallery(run, [](const System& system) { return write_equations(system, {}); });
}

BENCHMARK_CAPTURE(check_model, skate, std::string("skate"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_model, rolling_disc, std::string("rolling-disc"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_model, snake_of_12_coordinates, std::string("snake-10"))->Unit(benchmark::kMillisecond);
BENCHMARK(check_gallery)->Unit(benchmark::kMillisecond);
BENCHMARK(write_gallery)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cetaev
