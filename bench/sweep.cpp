// Sweeps: processor time of a motion in an ensemble, beside the same motions in lanes alone and one by one.
//
// 10,000 motions that differ in a velocity of their start, on one thread: what an ensemble takes beyond the lanes is what it costs to find the
// values and the start of each motion, to hand out work and to put down results. And once more with a parameter of their own, which
// is what sweeps are for. The last column is the time of one motion in two threads at once over that in one: 1 where they do not disturb each other.
#include <time.h>

#include <cstdio>
#include <string>
#include <vector>

#include "cetaev/ensemble/ensemble.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/integrate/batch.hpp"
#include "cetaev/model/read.hpp"

namespace {

using namespace cetaev;

constexpr std::size_t motions = 10'000;

// Of all threads of the process: others on the machine do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double microseconds_each(std::size_t count, const Work& work) {
  double best = 1e300;
  for (int i = 0; i < 3; ++i) {
    const double start = processor_seconds();
    work();
    best = std::min(best, processor_seconds() - start);
  }
  return 1e6 * best / static_cast<double>(count);
}

struct Case {
  const char* model;
  double t_end;
  std::string velocity, parameter;  // NAME=FROM:TO:
};

Ensemble ensemble_of(const System& system, const Case& c, const std::string& vary, unsigned threads) {
  EnsembleOptions options;
  options.motion.t_end = c.t_end;
  options.motion.method = Method::taylor;
  options.threads = threads;
  return {system, SweepInputs(system, {{vary + std::to_string(motions)}, 0, 0, ""}), options};
}

double time_of(const Ensemble& ensemble) {
  return microseconds_each(motions, [&] { ensemble.run([](const EnsembleBlock&) {}); });
}

class Nobody : public Recorder {
 public:
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
};

void measure(const Case& c) {
  const System system = read_model(*gallery_text(c.model), c.model);
  const Ensemble own_starts = ensemble_of(system, c, c.velocity, 1);
  const double ensemble = time_of(own_starts);

  // the same starts
  MotionOptions options = own_starts.options().motion;
  options.samples = 2;
  const CompiledMotion motion(system, options);
  const BatchMotion batch(motion);
  std::size_t which = 0;
  while (system->coordinates[which] + "'" != own_starts.inputs().names().front()) ++which;
  std::vector<double> states;
  std::vector<State> starts(motions, motion.initial());
  for (std::size_t i = 0; i < motions; ++i) {
    own_starts.inputs().row(i, std::span(&starts[i].v[which], 1));
    states.insert(states.end(), starts[i].q.begin(), starts[i].q.end());
    states.insert(states.end(), starts[i].v.begin(), starts[i].v.end());
  }
  const double lanes = microseconds_each(motions, [&] { (void)batch.run({states, {}, {}}); });
  constexpr std::size_t fewer = 1000;
  const double alone = microseconds_each(fewer, [&] {
    for (std::size_t i = 0; i < fewer; ++i) {
      Nobody nobody;
      motion.run(starts[i * motions / fewer], nobody);
    }
  });

  const double parameters = time_of(ensemble_of(system, c, c.parameter, 1));
  const double two = time_of(ensemble_of(system, c, c.velocity, 2));
  std::printf("%-18s %9.2f %9.2f %9.2f %8.2f %12.2f %12.2f %10.2f\n", c.model, alone, lanes, ensemble, alone / ensemble,
              ensemble - lanes, parameters, two / ensemble);
}

}  // namespace

int main() {
  std::printf("microseconds of processor time for a motion\n%-18s %9s %9s %9s %8s %12s %12s %10s\n", "sweep", "alone",
              "lanes", "ensemble", "ratio", "overhead", "parameters", "2 threads");
  for (const Case& c :
       {Case{"skate", 10, "phi'=1:2:", "g=5:10:"}, Case{"chaplygin-sleigh", 10, "phi'=1:2:", "m=1:2:"},
        Case{"rolling-disc", 1, "phi'=1:2:", "m=1:2:"}, Case{"double-pendulum", 2, "theta1'=0:1:", "g=5:10:"}})
    measure(c);
}
