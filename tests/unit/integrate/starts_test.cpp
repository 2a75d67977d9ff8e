// What is an admissible state is a start.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "motions.hpp"

namespace cetaev {
namespace {

// Both rows say y' = 0, the second again; what multiplies b' vanishes by the addition theorem, and rounding leaves some 1e-17 of it. So
// every coordinate but y moves uniformly.
TEST(Starts, RowsOfWhichOnlyRoundingIsLeftDoNotRefuseThem) {
  const std::string nothing = "(sin(p)*cos(c) + cos(p)*sin(c) - sin(p + c))*b'";
  Random random(17);
  for (int i = 0; i < 60; ++i) {
    std::string model = "coordinates = [\"y\", \"b\", \"p\", \"c\"]\nlagrangian = \"(y'^2 + b'^2 + p'^2 + c'^2)/2\"\n";
    model += "constraints = [\"y' + " + nothing + " = 0\"";
    if (i % 3 > 0) model += ", \"(2 + cos(p))*y' - " + nothing + " = 0\"";
    if (i % 3 > 1) model += ", \"" + nothing + " = 0\"";
    model += "]\n[initial]\n";
    const double b_rate = random.uniform(-20, 20);
    char text[200];
    std::snprintf(text, sizeof text, "p = %.3f\nc = %.3f\n\"b'\" = %.17g\n\"c'\" = %.3f\n", random.uniform(-3, 3),
                  random.uniform(-3, 3), b_rate, random.uniform(-1, 1));
    const System system = read_model(model + text, "start.toml");
    EXPECT_NO_THROW((void)Admissible(system).initial());
    MotionOptions options = until(2, 2);
    options.backend = Backend::interpreter;
    options.form = i % 2 == 0 ? std::optional<Form>() : parse_form("multipliers");
    Silent nobody;
    try {
      const MotionSummary summary = run_motion(system, options, nobody);
      EXPECT_EQ(summary.status, MotionStatus::finished) << model << text;
      EXPECT_NEAR(summary.last.q[0], 0, 1e-13);
      EXPECT_NEAR(summary.last.q[1], 2 * b_rate, 1e-12);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message() << '\n' << model << text;
    }
  }
}

}  // namespace
}  // namespace cetaev
