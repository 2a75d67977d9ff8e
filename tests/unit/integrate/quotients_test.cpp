// Dependent velocities are divided by their determinant and by nothing else: what algebra makes of a quotient may be 0/0 where nothing ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "motions.hpp"

namespace cetaev {
namespace {

// Two blades with a joint, as a roller racer without a rider. On the way 2θ + φ = π, where sin(2θ + φ) stands above and below in the normal form of x'.
TEST(Quotients, ARollerRacerHasOneMotionInEveryForm) {
  const char* model = R"toml(
coordinates = ["x", "y", "theta", "phi"]
kinetic = "0.1*theta'^2 + 0.025*(theta' + phi')^2"
constraints = ["dot(P1', n1) = 0", "dot(P2', n2) = 0"]
[definitions]
e1 = "[cos(theta), sin(theta), 0]"
n1 = "[-sin(theta), cos(theta), 0]"
e2 = "[cos(theta + phi), sin(theta + phi), 0]"
n2 = "[-sin(theta + phi), cos(theta + phi), 0]"
[[points]]
name = "P1"
mass = 1
position = ["x", "y", 0]
[[points]]
name = "P2"
mass = 0.1
position = "P1 + 0.5*e1 + 0.2*e2"
[initial]
phi = 0.4
"x'" = 1
"phi'" = 0.8
)toml";
  MotionOptions options = until(6, Method::taylor);
  options.form = Form::multipliers;
  const MotionSummary reference = run_text(model, options);
  ASSERT_EQ(reference.status, MotionStatus::finished);
  for (const Form form : {Form::maggi, Form::hamel, Form::voronec, Form::appell}) {
    for (const Method method : methods) {
      MotionOptions others = until(6, method);
      others.form = form;
      const MotionSummary summary = run_text(model, others);
      ASSERT_EQ(summary.status, MotionStatus::finished) << form.name() << " " << method;
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(summary.last.q[i], reference.last.q[i], 100 * accuracy(method)) << form.name() << " " << method;
      EXPECT_LT(summary.energy_drift, 100 * accuracy(method)) << form.name() << " " << method;
    }
  }
}

}  // namespace
}  // namespace cetaev
