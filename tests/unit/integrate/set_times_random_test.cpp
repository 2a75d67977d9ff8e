// When motions end where the constraints lose rank, to 1e-9 in every form by every method: the time is known in closed form or by a quadrature.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "closed_forms.hpp"
#include "motions.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

constexpr double within = 1e-9;

void expect_end(const std::string& model, double at, std::uint64_t seed) {
  const System system = read_model(model, "set.toml");
  for (const std::string form : {"auto", "multipliers", "gauss", "maggi", "hamel", "voronec", "appell"}) {
    for (const Method method : methods) {
      MotionOptions options = until(at + 1, method);
      options.samples = 20;
      options.form = parse_form(form);
      options.backend = Backend::interpreter;
      Keeper seen;
      const MotionSummary summary = run_motion(system, options, seen);
      ASSERT_EQ(summary.status, MotionStatus::singular) << seed << " " << form << " " << method << "\n" << model;
      EXPECT_EQ(summary.diagnosis->code(), ErrorCode::rank_lost) << seed << " " << form << " " << method;
      EXPECT_NEAR(*summary.singular_at, at, within) << seed << " " << form << " " << method << "\n" << model;
      EXPECT_NEAR(summary.last.t, at, 1e-5) << seed << " " << form << " " << method;
      for (std::size_t i = 1; i < seen.points.size(); ++i)
        EXPECT_GT(seen.points[i].t, seen.points[i - 1].t) << seed << form;
    }
  }
}

// A factor in time that vanishes, once, twice or three times, of a row that is regular by itself.
TEST(SetTimes, OfAFactorInTime) {
  for (const std::uint64_t seed : seeds(8).all()) {
    Random random(seed);
    const double at = rounded(random, 0.5, 2), c = rounded(random, -0.8, 0.8), v = rounded(random, 0.3, 1.2);
    const int times = 1 + static_cast<int>(seed % 3);
    const std::string row = seed % 2 == 0 ? "y' - x'*sin(x)" : "y' - (1 + x^2)*x'";
    expect_end(fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - ({})*x\"\nconstraints = [\"(t - "
                           "{})^{}*({}) = 0\"]\n[initial]\nx = 0.2\n\"x'\" = {}\n",
                           c, at, times, row, v),
               at, seed);
  }
}

// f(x) = f(g(t)) on the branch x = g(t): rank is lost where f' vanishes, and another branch is crossed.
TEST(SetTimes, OfAPositionThatIsGiven) {
  for (const std::uint64_t seed : seeds(8).all()) {
    Random random(seed);
    const double w = rounded(random, 0.5, 1.5), a = rounded(random, 0.3, 0.9), k = rounded(random, -1, 1);
    const bool by_sine = seed % 2 == 0;
    const double at = by_sine ? std::acos(0.0) / w : a / w;
    const std::string row =
        by_sine ? fmt::format("sin(x) = sin({}*t)", w) : fmt::format("(x - {0})^2 = ({1}*t - {0})^2", a, w);
    expect_end(fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - ({})*x*y\"\nconstraints = "
                           "[\"{}\"]\n[initial]\nx = 0\n\"x'\" = {}\n\"y'\" = 0.3\n",
                           k, row, w),
               at, seed);
  }
}

// A crank and a rod of its length: s = 2 cos a, until both stand upright and the rod may turn with the crank, s = 0. The energy gives a'.
TEST(SetTimes, OfACrankAtItsDeadPoint) {
  for (const std::uint64_t seed : seeds(6).all()) {
    Random random(seed);
    const double J = rounded(random, 0.1, 0.5), m = rounded(random, 0.5, 3), g = rounded(random, -0.5, 0.5),
                 from = rounded(random, 0.2, 0.8), v = rounded(random, 1, 2);
    // 2 J a'²/2 + m (2 sin a)² a'²/2 + g sin a
    const auto inertia = [&](double a) { return 2 * J + 4 * m * std::sin(a) * std::sin(a); };
    const double E = inertia(from) * v * v / 2 + g * std::sin(from), upright = std::acos(0.0);
    const auto slowness = [&](double way) {
      const double a = from + way;
      return std::array{1 / std::sqrt(2 * (E - g * std::sin(a)) / inertia(a)), 0.0};
    };
    const double at = integral(slowness, upright - from)[0];
    expect_end(fmt::format("coordinates = ['a', 'b', 's']\nlagrangian = \"{0}*(a'^2 + b'^2)/2 + {1}*s'^2/2 - "
                           "({2})*sin(a)\"\nconstraints = ['cos(a) + cos(b) = s', 'sin(a) = sin(b)']\n[initial]\na = "
                           "{3}\nb = {3}\n\"a'\" = {4}\n",
                           J, m, g, from, v),
               at, seed);
  }
}

}  // namespace
}  // namespace cetaev
