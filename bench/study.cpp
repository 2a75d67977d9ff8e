// Studies: what one motion of many takes beside its steps, and what a sample takes.
//
// A study runs a model at other values of its parameters, one after the other. `start` is a motion of one step, from values of the
// parameters and a state to its summary; `of the program` is the same for whoever has no CompiledMotion and makes the model ready
// each time. Samples: the time of a motion with many of them less that of one with two, by their number.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "cetaev/gallery.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/model/read.hpp"

namespace {

using namespace cetaev;
using Clock = std::chrono::steady_clock;

constexpr std::size_t many = 200'001;

template <class Work>
double best_seconds(const Work& work, double budget = 0.3) {
  double best = 1e300, spent = 0;
  for (int i = 0; i < 5 || spent < budget; ++i) {
    const auto start = Clock::now();
    work();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

class Listener : public Recorder {
 public:
  explicit Listener(bool states_alone) : states_alone_(states_alone) {}
  void sample(const MotionPoint& point) override { sum_ += point.q[0]; }
  bool wants_states_alone() const override { return states_alone_; }

 private:
  bool states_alone_;
  double sum_ = 0;
};

class Nobody : public Recorder {
 public:
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
};

struct Case {
  const char* model;
  double t_end;
};

void measure(const Case& c) {
  const System system = read_model(*gallery_text(c.model), c.model);
  MotionOptions options = default_options(system);
  options.t_end = c.t_end;
  options.samples = 2;
  const double made_ready = best_seconds([&] { CompiledMotion(system, options); });
  const CompiledMotion motion(system, options);

  // the steps of a motion of the same model, for what one of them takes
  Nobody nobody;
  MotionSummary whole;
  const double all_steps = best_seconds([&] { whole = motion.run(nobody); });
  const double step = all_steps / static_cast<double>(std::max<std::size_t>(1, whole.steps));

  const std::vector<double> parameters = parameter_values(system);
  MotionStart start{.state = motion.initial()};
  start.t_end = start.state.t + 1e-9;
  double factor = 1;
  bool served = true;
  const double one = best_seconds([&] {
    factor += 1e-9;
    std::vector<double> others = parameters;
    if (!others.empty()) others[0] *= factor;
    served = served && motion.run_with(others, start, nobody).has_value();
  });

  const auto each_sample = [&](bool states_alone) {
    options.samples = many;
    const CompiledMotion sampled(system, options);
    const double all = best_seconds([&] {
      Listener listener(states_alone);
      sampled.run(listener);
    });
    return 1e6 * (all - all_steps) / static_cast<double>(many);
  };
  const double states = each_sample(true), everything = each_sample(false);
  std::printf("%-20s %8.2f ms %9.1f µs%s %8.2f µs %10.3f µs %10.3f µs\n", c.model, 1e3 * made_ready, 1e6 * one,
              served ? " " : "!", 1e6 * step, states, everything);
}

}  // namespace

// All of them, or the one that is named.
int main(int count, char** words) {
  std::printf("%-20s %11s %13s %10s %13s %12s\n", "model", "made ready", "start, a step", "a step", "a state",
              "a sample");
  for (const Case& c : {Case{"skate", 1000}, Case{"chaplygin-sleigh", 1000}, Case{"rolling-disc", 100},
                        Case{"double-pendulum", 10}, Case{"snakeboard", 10}, Case{"rattleback", 4}})
    if (count < 2 || std::string(words[1]) == c.model) measure(c);
}
