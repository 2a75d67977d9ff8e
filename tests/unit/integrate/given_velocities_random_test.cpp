// Quasi-velocities of a model that cease to determine the velocities on the way: the motion goes on there, equations in them do not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/integrate/batch.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"
#include "motions.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

MotionOptions in_given(double t_end, Method method) {
  MotionOptions options = until(t_end, method);
  options.form = Form::hamel;
  options.tolerance = 1e-12;
  options.backend = Backend::interpreter;
  return options;
}

// Points on springs, qᵢ = aᵢ cos wᵢt + bᵢ sin wᵢt, or free points that keep a linear constraint, which they do by themselves; with quasi-velocities
// Σ (α + β qⱼ + γ t) vᵢ + δ qₖ, of a constraint fewer.
struct Springs {
  explicit Springs(std::uint64_t seed) {
    Random random(seed);
    const auto number = [&](double low, double high) { return std::round(100 * random.uniform(low, high)) / 100; };
    constrained = seed % 3 == 0;
    n = seed % 2 == 0 || constrained ? 3 : 2;
    for (std::size_t i = 0; i < n; ++i) {
      w.push_back(constrained ? 0 : number(0.5, 2));
      q.push_back(number(-1, 1));
      v.push_back(number(-2, 2));
    }
    if (constrained) {
      row = {number(-1, 1), number(-1, 1), -1};
      v[2] = row[0] * v[0] + row[1] * v[1];
    }
    for (std::size_t u = 0; u < n - (constrained ? 1 : 0); ++u)
      for (std::size_t i = 0; i < n; ++i)
        slopes.push_back({number(-1, 1) + (u == i ? 1 : 0), number(-1, 1), number(-0.5, 0.5),
                          static_cast<std::size_t>(random.uniform(0, static_cast<double>(n) - 1e-9))});
    for (std::size_t u = 0; u < n; ++u) extra.push_back(number(-1, 1));
  }

  std::string text() const {
    std::string L, names, velocities, start;
    for (std::size_t i = 0; i < n; ++i) {
      names += fmt::format("'q{}', ", i);
      L += fmt::format("{}q{}'^2/2 - {}^2*q{}^2/2", i == 0 ? "" : " + ", i, w[i], i);
      start += fmt::format("q{} = {}\n\"q{}'\" = {}\n", i, q[i], i, v[i]);
    }
    for (std::size_t u = 0; u < slopes.size() / n; ++u) {
      velocities += fmt::format("u{} = \"{}*q0", u, extra[u]);
      for (std::size_t i = 0; i < n; ++i) {
        const Slope& s = slopes[u * n + i];
        velocities += fmt::format(" + ({} + ({})*q{} + ({})*t)*q{}'", s.alone, s.along, s.j, s.in_time, i);
      }
      velocities += "\"\n";
    }
    const std::string constraint =
        constrained ? fmt::format("constraints = [\"({})*q0' + ({})*q1' = q2'\"]\n", row[0], row[1]) : "";
    return fmt::format("coordinates = [{}]\nlagrangian = \"{}\"\n{}[quasi_velocities]\n{}[initial]\n{}", names, L,
                       constraint, velocities, start);
  }

  double position(std::size_t i, double t) const {
    return w[i] == 0 ? q[i] + v[i] * t : q[i] * std::cos(w[i] * t) + v[i] / w[i] * std::sin(w[i] * t);
  }
  // Of the coefficients of u and of the constraint, by hand.
  double determinant(double t) const {
    std::vector<double> m;
    for (const Slope& s : slopes) m.push_back(s.alone + s.along * position(s.j, t) + s.in_time * t);
    m.insert(m.end(), row.begin(), row.end());
    if (n == 2) return m[0] * m[3] - m[1] * m[2];
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  }
  // The first sign change; its slope beside the largest value. Nothing where there is none, or where one can hardly be told.
  struct Zero {
    double t;
    bool certain;
  };
  std::optional<Zero> first_zero(double t_end) const {
    constexpr int looks = 4000;
    double largest = 0, least = HUGE_VAL;
    for (int i = 0; i <= looks; ++i) {
      const double a = t_end * i / looks, b = t_end * (i + 1) / looks, here = determinant(a);
      largest = std::max(largest, std::abs(here));
      least = std::min(least, std::abs(here));
      if (i == looks || here * determinant(b) > 0) continue;
      double low = a, high = b;
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2;
        (determinant(middle) * here > 0 ? low : high) = middle;
      }
      const double slope = (determinant(high + 1e-6) - determinant(high - 1e-6)) / 2e-6;
      return Zero{high, std::abs(slope) > 0.05 * largest && high > 0.01 && high < t_end - 0.01};
    }
    return least < 0.02 * largest ? std::optional(Zero{0, false}) : std::nullopt;
  }

  struct Slope {
    double alone, along, in_time;
    std::size_t j;
  };
  std::size_t n = 0;
  bool constrained = false;
  std::vector<double> w, q, v, row, extra;
  std::vector<Slope> slopes;
};

TEST(GivenVelocities, EndWhereTheyDoNotDetermineTheVelocities) {
  constexpr double t_end = 1.5;
  const Seeds range = seeds(40);
  int ended = 0, finished = 0;
  for (const std::uint64_t seed : range.all()) {
    const Springs springs(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, springs.text()));
    const std::optional<Springs::Zero> zero = springs.first_zero(t_end);
    if (zero && !zero->certain) continue;
    ++(zero ? ended : finished);
    for (const Method method : methods) {
      const MotionSummary found = run_text(springs.text(), in_given(t_end, method));
      ASSERT_EQ(found.status, zero ? MotionStatus::singular : MotionStatus::finished) << method;
      if (zero) {
        EXPECT_NEAR(found.singular_at.value_or(0), zero->t, 1e-9) << method;
        EXPECT_EQ(found.diagnosis->code(), ErrorCode::singular_dependent);
        EXPECT_NE(found.diagnosis->message().find("quasi-velocities"), std::string::npos) << found.diagnosis->message();
      }
      for (std::size_t i = 0; i < springs.n; ++i)
        EXPECT_NEAR(found.last.q[i], springs.position(i, found.last.t), 1e-8) << method;
    }
  }
  EXPECT_GE(ended, range.share(15));
  EXPECT_GE(finished, range.share(15));
}

// x² has no sign to change: the motion is followed past x = 0 by other equations, and then in u again.
TEST(GivenVelocities, AreLeftForAWhileWhereTheyVanishWithoutChangingSides) {
  const std::string model =
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[quasi_velocities]\nu1 = \"x^2*x'\"\nu2 = \"y' + "
      "x*x'\"\n[initial]\nx = 1\n\"x'\" = -1\n\"y'\" = 0.5\n";
  for (const Method method : methods) {
    const MotionSummary found = run_text(model, in_given(2, method));
    ASSERT_EQ(found.status, MotionStatus::finished) << method;
    EXPECT_NEAR(found.last.q[0], -1, 1e-8) << method;
    EXPECT_NEAR(found.last.q[1], 1, 1e-8) << method;
    EXPECT_EQ(found.form, Form::hamel);
    EXPECT_TRUE(std::ranges::any_of(
        found.notes, [](const std::string& note) { return note.find("quasi-velocities") != std::string::npos; }));
  }
}

// In lanes as alone.
TEST(GivenVelocities, EndInLanesAsAlone) {
  const std::string model =
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[quasi_velocities]\nu1 = \"x*x'\"\nu2 = \"y' + "
      "x'\"\n[initial]\nx = 1\n\"x'\" = -1\n\"y'\" = 0.5\n";
  const CompiledMotion motion(read_model(model, "given.toml"), in_given(2, Method::taylor));
  std::vector<State> starts(8, motion.initial());
  for (std::size_t i = 0; i < starts.size(); ++i) starts[i].v[0] = -0.6 - 0.1 * static_cast<double>(i);
  const BatchResult found = BatchMotion(motion).run(starts);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(found.ends[i].status, MotionStatus::singular) << i;
    EXPECT_NEAR(found.ends[i].t, -1 / starts[i].v[0], 1e-9) << i;
  }
}

}  // namespace
}  // namespace cetaev
