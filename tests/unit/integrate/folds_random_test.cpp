// Folds: where the constraints, nonlinear in the velocities, determine those that a form has solved them for no longer. The motion goes
// through; a form changes to other velocities before, or ends there and says so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "motions.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

MotionSummary run(const std::string& model, const std::string& form, Method method, double t_end,
                  double tolerance = 1e-14) {
  MotionOptions options = until(t_end, method);
  options.form = parse_form(form);
  options.tolerance = tolerance;
  Silent nobody;
  return run_motion(read_model(model, "fold.toml"), options, nobody);
}

// L = (x'² + y'²)/2 + x y' turns the velocity at unit rate, so that |v| = 1 holds by itself: x' = cos(t − c), y' = −sin(t − c).
std::string turning(const std::string& constraint, double vx, double vy) {
  return fmt::format(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 + x*y'\"\nconstraints = [\"{}\"]\n[initial]\n\"x'\" = "
      "{}\n\"y'\" = {}\n",
      constraint, vx, vy);
}

TEST(Fold, IsPassedWithOtherDependentVelocities) {
  for (const double t_end : {1.5, 2.0, 7.0, 20.0}) {
    for (const std::string form : {"voronec", "appell", "maggi", "gauss", "multipliers"}) {
      for (const Method method : methods) {
        const MotionSummary summary = run(turning("x'^2 + y'^2 = 1", 1, 0), form, method, t_end);
        ASSERT_EQ(summary.status, MotionStatus::finished) << form << " " << method << " " << t_end;
        EXPECT_NEAR(summary.last.q[0], std::sin(t_end), 10 * accuracy(method)) << form << " " << method << " " << t_end;
        EXPECT_NEAR(summary.last.q[1], std::cos(t_end) - 1, 10 * accuracy(method))
            << form << " " << method << " " << t_end;
      }
    }
  }
}

// Čaplygin's equations need y' to be the dependent velocity: x stands in L. From (0.6, 0.8) y' vanishes at atan2(0.8, 0.6).
TEST(Fold, IsTheEndOfAFormThatHasNoOtherChoice) {
  const std::string model = turning("sqrt(x'^2 + y'^2) = 1", 0.6, 0.8);
  const double fold = std::atan2(0.8, 0.6);
  for (const Method method : methods) {
    for (const double t_end : {0.95, 1.5, 20.0}) {
      const MotionSummary summary = run(model, "caplygin", method, t_end);
      ASSERT_EQ(summary.status, MotionStatus::singular) << method << " " << t_end;
      EXPECT_NEAR(summary.singular_at.value_or(0), fold, 1e-9) << method << " " << t_end;
      EXPECT_NEAR(summary.last.t, fold, 1e-9) << method << " " << t_end;
      EXPECT_NEAR(summary.last.q[0], 0.8, 1e-8) << method << " " << t_end;
      ASSERT_TRUE(summary.diagnosis);
      EXPECT_EQ(summary.diagnosis->code(), ErrorCode::singular_dependent);
      const std::string text = summary.diagnosis->message();
      for (const char* word : {"a fold", "y'", "caplygin", "`multipliers`"})
        EXPECT_NE(text.find(word), std::string::npos) << text;
      EXPECT_EQ(summary.form, parse_form("caplygin"));
    }
    const MotionSummary before = run(model, "caplygin", method, 0.9);
    EXPECT_EQ(before.status, MotionStatus::finished) << method;
    EXPECT_NEAR(before.last.q[0], 0.8 + std::sin(0.9 - fold), 10 * accuracy(method)) << method;
  }
}

// Quadrics in the velocities, in a field that turns them: Σ (aᵢ + bᵢ sin q_j) vᵢ² + e v₁v₂ = c. Every second one has a last coordinate that
// stands nowhere, as Čaplygin's equations want it.
struct TurningQuadric {
  explicit TurningQuadric(std::uint64_t seed) {
    Random random(seed);
    n = seed % 3 == 0 ? 3 : 2;
    const std::size_t seen = seed % 2 == 0 ? n : n - 1;
    const auto between = [&](double low, double high) { return std::round(1000 * random.uniform(low, high)) / 1000; };
    const auto one = [&](std::size_t count) {
      return static_cast<std::size_t>(random.uniform(0, 0.999 * static_cast<double>(count)));
    };
    std::string lagrangian, phi, coordinates, initial;
    e = between(-0.6, 0.6);
    const bool hyperbola = seed % 4 == 1;
    for (std::size_t i = 0; i < n; ++i) {
      const char name = names[i];
      q.push_back(between(-1, 1));
      v.push_back((between(0, 1) < 0.5 ? -1 : 1) * between(0.3, 1.2));
      a.push_back(between(0.8, 2) * (hyperbola && i == 1 ? -1 : 1));
      b.push_back(between(-0.5, 0.5));
      of.push_back(one(seen));
      lagrangian += fmt::format("{}*{}'^2/2 + ({}*{} + {}*sin({}))*{}' + ", between(0.6, 1.8), name, between(-1.5, 1.5),
                                names[one(seen)], between(-0.3, 0.3), names[one(seen)], name);
      if (i < seen) lagrangian += fmt::format("{}*cos({}) + ", between(-0.5, 0.5), name);
      phi += fmt::format("({} + {}*sin({}))*{}'^2 + ", a[i], b[i], names[of[i]], name);
      coordinates += fmt::format("'{}', ", name);
      initial += fmt::format("{0} = {1}\n\"{0}'\" = {2}\n", name, q[i], v[i]);
    }
    double c = e * v[0] * v[1];
    for (std::size_t i = 0; i < n; ++i) c += (a[i] + b[i] * std::sin(q[of[i]])) * v[i] * v[i];
    text = fmt::format(
        "coordinates = [{}]\nlagrangian = \"{}0\"\nconstraints = [\"{}{}*x'*y' = {:.17g}\"]\n{}[initial]\n{}",
        coordinates, lagrangian, phi, e, c, seen < n ? fmt::format("dependent = ['{}']\n", names[n - 1]) : "", initial);
  }

  // ∂φ/∂vᵢ
  double slope(const State& at, std::size_t i) const {
    const double other = i == 0 ? at.v[1] : i == 1 ? at.v[0] : 0;
    return 2 * (a[i] + b[i] * std::sin(at.q[of[i]])) * at.v[i] + e * other;
  }

  static constexpr char names[] = {'x', 'y', 'z'};
  std::size_t n;
  double e;
  std::vector<double> q, v, a, b;
  std::vector<std::size_t> of;
  std::string text;
};

// "finished" is close to the motion by multipliers, and "singular" is a fold of that motion.
TEST(Fold, OfRandomQuadricsIsPassedOrTold) {
  std::size_t passed = 0, told = 0;
  constexpr double t_end = 5;
  const Seeds range = seeds(8);
  for (const std::uint64_t seed : range.all()) {
    const TurningQuadric system(seed);
    const MotionSummary truth = run(system.text, "multipliers", Method::taylor, t_end, 1e-15);
    if (truth.status != MotionStatus::finished) continue;
    const MotionSummary again = run(system.text, "multipliers", Method::dop853, t_end);
    const double condition = std::abs(again.last.q[0] - truth.last.q[0]) / 1e-13 + 1;
    for (const std::string form : {"voronec", "appell", "caplygin", "maggi", "mvm3"}) {
      for (const Method method : methods) {
        const auto name = fmt::format("{} {} {}\n{}", seed, form, to_string(method), system.text);
        MotionSummary summary;
        try {
          summary = run(system.text, form, method, t_end, method == Method::bdf ? 1e-11 : 1e-13);
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::not_caplygin) << name << error.message();
          continue;
        }
        if (summary.status == MotionStatus::finished) {
          passed += summary.reselections;
          for (std::size_t i = 0; i < system.n; ++i)
            EXPECT_NEAR(summary.last.q[i], truth.last.q[i], 10 * accuracy(method) * condition) << name;
          continue;
        }
        ASSERT_EQ(summary.status, MotionStatus::singular) << name;
        ASSERT_TRUE(summary.singular_at) << name;
        EXPECT_EQ(summary.diagnosis->code(), ErrorCode::singular_dependent) << name << summary.diagnosis->message();
        const MotionSummary at = run(system.text, "multipliers", Method::taylor, *summary.singular_at, 1e-15);
        double least = 1;
        for (std::size_t i = 0; i < system.n; ++i) least = std::min(least, std::abs(system.slope(at.last, i)));
        EXPECT_NEAR(least, 0, std::max(1e-9, accuracy(method))) << name;
        ++told;
      }
    }
  }
  if (range.count < 8) return;  // they may have no fold at all
  EXPECT_GT(passed, 20U);
  EXPECT_GT(told, 3U);
}

}  // namespace
}  // namespace cetaev
