// Steps are taken by the million and must not allocate. Sanitizers bring their own malloc, so this test belongs to the plain
// build. CVODE is not ours and left out.
#if !defined(__SANITIZE_ADDRESS__)

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "cetaev/integrate/batch.hpp"
#include "cetaev/model/read.hpp"
#include "methods.hpp"
#include "motions.hpp"

namespace {
std::size_t allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
}

namespace cetaev {
namespace {

TEST(Allocation, NoneInStepsAndTheirDenseOutput) {
  for (const TestedMethod& method : all_methods()) {
    if (method.allocates) continue;
    FunctionField field(2, [](double, const double* y, double* dy) {
      dy[0] = y[1], dy[1] = -std::sin(y[0]);
      return -1;
    });
    const auto stepper = method.make(field, method.tolerance);
    std::vector<double> y{3, 0};
    stepper->start(0, y, 1000);
    const std::size_t before = allocations;
    while (stepper->time() < 20) {
      if (stepper->step(20) != StepStatus::done) break;
      stepper->interpolate((stepper->previous_time() + stepper->time()) / 2, y);
    }
    EXPECT_EQ(allocations, before) << method.name;
    EXPECT_EQ(stepper->time(), 20);
    // As after a projection.
    y.assign(stepper->state().begin(), stepper->state().end());
    const std::size_t again = allocations;
    stepper->start(20, y, 1000);
    EXPECT_EQ(stepper->step(40), StepStatus::done);
    EXPECT_EQ(allocations, again) << method.name;
  }
}

// A motion many times as long takes as many allocations: free velocities, all velocities that are projected onto constraints of
// order 1 and 0, rows that become parallel now and then, an inertia that is watched.
TEST(Allocation, NoneInTheLoopOfAMotion) {
  struct Case {
    const char *model, *form;
    bool projects;
  };
  for (const Case& c :
       {Case{"skate", "auto", false}, Case{"skate", "multipliers", false}, Case{"circle", "multipliers", true},
        Case{"constant-distance-plane", "auto", false}, Case{"double-pendulum", "multipliers", false},
        Case{"ball-on-turntable", "multipliers", true}}) {
    const System system = read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + c.model + ".toml");
    MotionSummary summary;
    const auto count = [&](double t_end, Method method) {
      MotionOptions options;
      options.t_end = t_end;
      options.samples = 2;
      options.method = method;
      options.form = parse_form(c.form);
      options.backend = Backend::interpreter;
      Silent silent;
      const std::size_t before = allocations;
      summary = run_motion(system, options, silent);
      return allocations - before;
    };
    for (const Method method : {Method::taylor, Method::dop853}) {
      (void)count(2, method);
      const std::size_t in_a_short_one = count(2, method);
      EXPECT_EQ(count(10, method), in_a_short_one) << c.model << " " << c.form << " " << method;
      EXPECT_EQ(summary.status, MotionStatus::finished) << c.model;
      if (c.projects && method == Method::dop853) {
        EXPECT_GT(summary.projections, 0U) << c.model << " " << c.form;
      }
    }
  }
}

// Neither steps nor samples of a batch: as many allocations for a long motion with many samples as for a short one with few.
TEST(Allocation, NoneInTheStepsAndSamplesOfABatch) {
  for (const char* model : {"skate", "circle", "rolling-disc"}) {
    const System system = read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + model + ".toml");
    const auto count = [&](double t_end, std::size_t samples) {
      MotionOptions options;
      options.t_end = t_end;
      options.cache = false;
      const CompiledMotion motion(system, options);
      const BatchMotion batch(motion, 2);
      const std::vector<State> starts(3, motion.initial());
      (void)batch.run(starts, samples);
      const std::size_t before = allocations;
      const BatchResult result = batch.run(starts, samples);
      const std::size_t after = allocations;
      for (const BatchEnd& end : result.ends) EXPECT_FALSE(end.alone);
      return after - before;
    };
    EXPECT_EQ(count(10, 2000), count(2, 3)) << model;
  }
}

}  // namespace
}  // namespace cetaev

#endif
