// Dependent velocities are divided by their determinant and by nothing else: what algebra makes of a quotient may be 0/0 where nothing ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

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

// y' = x'/s with s = t − 1 has x' = −√2 s/√(1 + s²) from x' = 1 on, smooth also where the constraint has no value: the motion ends there, or
// goes on as this one. It came to no end at all once.
TEST(Quotients, AConstraintDividedByTimeHasItsMotion) {
  const std::string model =
      R"toml(coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["y' = x'/(t - 1)"]
[initial]
x = 0
"x'" = 1
)toml";
  for (const Form form : {Form::multipliers, Form::gauss, Form::maggi, Form::hamel, Form::voronec}) {
    for (const Method method : methods) {
      MotionOptions options = until(3, method);
      options.form = form;
      const MotionSummary summary = run_text(model, options);
      const std::string where = fmt::format("{} {}", form.name(), to_string(method));
      if (summary.status != MotionStatus::finished) {
        ASSERT_EQ(summary.status, MotionStatus::singular) << where;
        EXPECT_NEAR(*summary.singular_at, 1, 1e-9) << where;
      }
      const double s = summary.last.t - 1;
      EXPECT_NEAR(summary.last.q[0], 2 - std::sqrt(2 * (1 + s * s)), 100 * accuracy(method)) << where;
      EXPECT_NEAR(summary.last.v[0], -std::sqrt(2 / (1 + s * s)) * s, 100 * accuracy(method)) << where;
    }
  }
}

}  // namespace
}  // namespace cetaev
