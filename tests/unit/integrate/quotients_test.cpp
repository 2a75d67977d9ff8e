// Dependent velocities are divided by their determinant and by nothing else: what algebra makes of a quotient may be 0/0 where nothing ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "motions.hpp"

namespace cetaev {
namespace {

// Two blades with a joint, as a roller racer without a rider. On the way 2θ + φ = π, where sin(2θ + φ) stands above and below in the normal form of x'.
TEST(Quotients, ARollerRacerHasOneMotionInEveryForm) {
  const System racer = read_model_file(std::string(CETAEV_SOURCE_DIR) + "/tests/golden/models/two-blades.toml");
  Silent nobody;
  MotionOptions options = until(6, Method::taylor);
  options.form = Form::multipliers;
  const MotionSummary reference = run_motion(racer, options, nobody);
  ASSERT_EQ(reference.status, MotionStatus::finished);
  for (const Form form : {Form::maggi, Form::hamel, Form::voronec, Form::appell}) {
    for (const Method method : methods) {
      MotionOptions others = until(6, method);
      others.form = form;
      const MotionSummary summary = run_motion(racer, others, nobody);
      ASSERT_EQ(summary.status, MotionStatus::finished) << form.name() << " " << method;
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(summary.last.q[i], reference.last.q[i], 100 * accuracy(method)) << form.name() << " " << method;
      EXPECT_LT(summary.energy_drift, 100 * accuracy(method)) << form.name() << " " << method;
    }
  }
}

}  // namespace
}  // namespace cetaev
