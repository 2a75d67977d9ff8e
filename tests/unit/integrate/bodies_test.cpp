// Motions of bodies against what is known of them in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/integrate/trajectory.hpp"
#include "cetaev/model/build.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

// Samples of the outputs of a motion.
class OutputRecorder : public Recorder {
 public:
  void sample(const MotionPoint& point) override {
    t.push_back(point.t);
    values.emplace_back(point.outputs.begin(), point.outputs.end());
  }
  std::vector<double> t;
  std::vector<std::vector<double>> values;
};

SystemBuilder free_body(SystemBuilder builder) {
  return builder.parameter("A", 1)
      .parameter("B", 2)
      .parameter("C", 2.5)
      .body("stone", "turned", "1", "[0, 0, 0]", {"A", "B", "C"})
      .definition("w", "components(omega(turned), turned)")
      .output("L", "turned([A*w.x, B*w.y, C*w.z])")
      .output("w", "w");
}

SystemBuilder with_quaternion(double wx, double wy, double wz) {
  return free_body(SystemBuilder().coordinates({"e0", "e1", "e2", "e3"}).frame("turned", "quaternion e0 e1 e2 e3"))
      .initial("e0", 1)
      .initial("e1", 0)
      .initial("e2", 0)
      .initial("e3", 0)
      .initial("e1'", wx / 2)
      .initial("e2'", wy / 2)
      .initial("e3'", wz / 2);
}

SystemBuilder turned_by_angles() {
  return free_body(SystemBuilder().coordinates({"psi", "theta", "phi"}).frame("turned", "z psi, x theta, y phi"));
}

// K(m) by the arithmetic-geometric mean.
double complete_elliptic(double m) {
  double a = 1, b = std::sqrt(1 - m);
  while (std::abs(a - b) > 1e-16 * a) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (2 * a);
}

// Euler's equations: with A < B < C and L² < 2 B E the components are Jacobi's functions of period 4 K(m)/n,
//   n² = (2 C E − L²)(B − A)/(A B C) or with the roles changed, m the ratio of the two.
TEST(FreeBody, TurnsOverWithThePeriodOfEllipticFunctions) {
  const double A = 1, B = 2, C = 2.5, wx = 0.01, wy = 1, wz = 0.01;
  const double E2 = A * wx * wx + B * wy * wy + C * wz * wz;
  const double L2 = A * A * wx * wx + B * B * wy * wy + C * C * wz * wz;
  // (Landau, Lifshitz, Mechanics, §37), for L² > 2 E B; else A and C change places
  double big = C, small = A;
  if (L2 < E2 * B) std::swap(big, small);
  const double n = std::sqrt((big - B) * (L2 - E2 * small) / (A * B * C));
  const double m = (B - small) * (E2 * big - L2) / ((big - B) * (L2 - E2 * small));
  const double period = 4 * complete_elliptic(m) / n;
  MotionOptions options;
  options.t_end = period;
  options.samples = 2;
  OutputRecorder outputs;
  run_motion(with_quaternion(wx, wy, wz).build(), options, outputs);
  ASSERT_EQ(outputs.values.size(), 2u);
  for (std::size_t c = 3; c < 6; ++c) EXPECT_NEAR(outputs.values[1][c], outputs.values[0][c], 1e-10);
  // and not in half of it: it has turned over
  options.t_end = period / 2;
  OutputRecorder half;
  run_motion(with_quaternion(wx, wy, wz).build(), options, half);
  EXPECT_NEAR(half.values[1][4], -wy, 1e-3);
}

// All three components in space, and the energy, to 1e-13 of their size over 1,000 turns.
void expect_kept(const System& system, std::optional<Form> form, double L, const char* what) {
  MotionOptions options;
  options.t_end = 2 * std::numbers::pi * 1000;
  options.form = form;
  options.samples = 101;
  OutputRecorder outputs;
  const MotionSummary summary = run_motion(system, options, outputs);
  EXPECT_EQ(summary.status, MotionStatus::finished) << what;
  ASSERT_EQ(outputs.values.size(), 101u) << what;
  for (const auto& at : outputs.values)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(at[c], outputs.values[0][c], 1e-13 * L) << what << " " << c;
  EXPECT_LT(summary.energy_drift, 1e-13 * summary.E_start) << what;
  EXPECT_LT(summary.projection_energy_absolute, 1e-12 * summary.E_start) << what;
}

TEST(FreeBody, KeepsItsAngularMomentumForAThousandTurns) {
  const System body = with_quaternion(0.3, 1, 0.2).build();
  const double L = std::hypot(0.3, 2.0, 0.5);
  expect_kept(body, std::nullopt, L, "by default");
  expect_kept(body, Form::multipliers, L, "multipliers");
  expect_kept(body, Form::hamel, L, "hamel");
}

// Angular momentum along z, so that the rounding of an angle of a thousand turns is not seen in it: of the components of L in the body follow
// those of ω, and the rates of z ψ, x θ, y φ from them.
TEST(FreeBody, KeepsItsAngularMomentumWithEulersAngles) {
  const double L = 2.5, theta = 0.3, phi = 0.4;
  const double wx = -L * std::sin(phi) * std::cos(theta), wy = L * std::sin(theta) / 2,
               wz = L * std::cos(phi) * std::cos(theta) / 2.5;
  const double psi_rate = (wz * std::cos(phi) - wx * std::sin(phi)) / std::cos(theta);
  const System body = turned_by_angles()
                          .initial("theta", theta)
                          .initial("phi", phi)
                          .initial("psi'", psi_rate)
                          .initial("theta'", wx * std::cos(phi) + wz * std::sin(phi))
                          .initial("phi'", wy - psi_rate * std::sin(theta))
                          .build();
  expect_kept(body, std::nullopt, L, "by default");
  expect_kept(body, Form::multipliers, L, "multipliers");
}

// Euler's angles z ψ, x θ, y φ from the same start: the same components of ω in the body at all times.
TEST(FreeBody, MovesTheSameWithAnglesAndWithAQuaternion) {
  const System angles = turned_by_angles().initial("theta'", 0.3).initial("phi'", 0.2).initial("psi'", 0.7).build();
  MotionOptions options;
  options.t_end = 2;
  options.samples = 21;
  OutputRecorder one, other;
  run_motion(angles, options, one);
  run_motion(with_quaternion(0.3, 0.2, 0.7).build(), options, other);
  ASSERT_EQ(one.values.size(), other.values.size());
  for (std::size_t i = 0; i < one.values.size(); ++i)
    for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(one.values[i][c], other.values[i][c], 1e-12) << i << " " << c;
}

// The reactions of a rolling contact do no work on a plane at rest: the power of the force at the material point is zero, and the energy
// of the bicycle is kept for 100 s.
TEST(RollingContacts, DoNoWork) {
  const System bicycle = read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/bicycle.toml",
                                         std::vector<std::string>{"v=5", "lean'=0.5"});
  MotionOptions options;
  options.t_end = 100;
  options.samples = 11;
  OutputRecorder none;
  const MotionSummary summary = run_motion(bicycle, options, none);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  EXPECT_LT(summary.energy_drift, 1e-9 * summary.E_start);
  EXPECT_NEAR(summary.E_end, summary.E_start, 1e-12 * summary.E_start);
}

// Along every form outputs are those of its own motion: accelerations are the rates of velocities.
TEST(Outputs, AccelerationsAreThoseOfTheForm) {
  for (const char* form : {"multipliers", "hamel", "voronec", "vakonomic"}) {
    const System skate = SystemBuilder()
                             .coordinates({"x", "y", "phi"})
                             .lagrangian("(x'^2 + y'^2 + phi'^2)/2 + x")
                             .constraint("x'*sin(phi) - y'*cos(phi) = 0")
                             .output("a", "phi''")
                             .output("v", "phi'")
                             .output("reaction", "lambda[1]")
                             .initial("phi", 0.3)
                             .initial("x'", 1)
                             .initial("phi'", 1)
                             .lambda({0.5})
                             .build();
    MotionOptions options;
    options.form = parse_form(form);
    options.t_end = 1;
    options.samples = 2001;
    OutputRecorder outputs;
    run_motion(skate, options, outputs);
    double worst = 0;
    for (std::size_t i = 1; i + 1 < outputs.t.size(); ++i) {
      const double rate = (outputs.values[i + 1][1] - outputs.values[i - 1][1]) / (outputs.t[i + 1] - outputs.t[i - 1]);
      worst = std::max(worst, std::abs(rate - outputs.values[i][0]));
    }
    EXPECT_LT(worst, 1e-5) << form;
    EXPECT_TRUE(std::isfinite(outputs.values[5][2])) << form;
    // d'Alembert–Lagrange keeps φ' here, the vakonomic motion does not
    EXPECT_EQ(std::string(form) == "vakonomic", std::abs(outputs.values[1000][0]) > 1e-9) << form;
  }
}

}  // namespace
}  // namespace cetaev
