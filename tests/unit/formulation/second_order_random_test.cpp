// Constraints that are nonlinear in the accelerations, made from their solutions. Gauss: of the accelerations that satisfy them the one
// nearest to the free one in the metric of the masses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "scratch.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

double hundredths(double x) { return std::round(x * 100) / 100; }

// Masses and constant forces: the free acceleration is what we say.
struct Free {
  std::vector<double> masses, a;

  static Free random(Random& random, std::size_t n) {
    Free result;
    for (std::size_t i = 0; i < n; ++i) {
      result.masses.push_back(0.25 * static_cast<double>(1 + random.next() % 12));
      result.a.push_back(hundredths(random.uniform(-3, 3)));
    }
    return result;
  }

  System under(const std::string& constraint) const {
    std::string names, kinetic = "0", forces;
    for (std::size_t i = 0; i < a.size(); ++i) {
      names += fmt::format("'q{}', ", i + 1);
      kinetic += fmt::format(" + {}*q{}'^2/2", masses[i], i + 1);
      forces += fmt::format("q{} = \"{}*({})\"\n", i + 1, masses[i], a[i]);
    }
    return scratch_model(fmt::format("coordinates = [{}]\nkinetic = \"{}\"\nconstraints = [\"{}\"]\n[forces]\n{}",
                                     names, kinetic, constraint, forces),
                         "accelerations.toml");
  }
};

// What both principles have to say.
void expect_acceleration(const System& system, const std::vector<double>& truth, bool free) {
  const Evaluation e = evaluate(system, EvaluationOptions{{Form::gauss}, false});
  for (const Form form : {Form::multipliers, Form::gauss}) {
    const FormResult& result = *e.find(form);
    if (!result.values) {
      ADD_FAILURE() << form->name << ": " << result.error->message();
      continue;
    }
    for (std::size_t i = 0; i < truth.size(); ++i) {
      EXPECT_NEAR(result.values->a[i], truth[i], 1e-9 * (1 + std::fabs(truth[i]))) << form->name << " " << i;
    }
  }
  if (const FormResult& result = *e.find(Form::multipliers); free && result.values) {
    for (const double mu : result.values->multipliers) EXPECT_NEAR(mu, 0, 1e-9);
  }
}

TEST(SecondOrder, TheNearestOfSeveralValuesOfOneAcceleration) {
  for (const std::uint64_t seed : seeds(120).all()) {
    Random random(seed);
    const Free free = Free::random(random, 1 + random.next() % 2);
    const bool on_it = random.next() % 2 == 0;
    std::string product = "1";
    double nearest = HUGE_VAL;
    std::vector<double> values;
    const std::size_t count = 1 + random.next() % 3;
    while (values.size() < count) {
      const double value = on_it && values.empty() ? free.a[0] : hundredths(random.uniform(-5, 5));
      bool fresh = true;
      for (const double other : values) {
        fresh = fresh && std::fabs(other - value) > 0.1 && std::fabs(other + value - 2 * free.a[0]) > 0.05;
      }
      if (!fresh) continue;
      values.push_back(value);
      if (std::fabs(value - free.a[0]) < std::fabs(nearest - free.a[0])) nearest = value;
      const std::array<std::string, 4> factors = {"(u)", "(u^3 + u)", "atan(20*u)", "(exp(u) - 1)"};
      std::string factor = factors[random.next() % factors.size()];
      for (std::size_t at = 0; (at = factor.find("u", at)) != std::string::npos;) {
        const std::string u = fmt::format("(q1'' - {})", value);
        factor.replace(at, 1, u);
        at += u.size();
      }
      product += "*" + factor;
    }
    SCOPED_TRACE(fmt::format("seed {}: {} near {}", seed, product, free.a[0]));
    std::vector<double> truth = free.a;
    truth[0] = nearest;
    // nonlinear, whatever the factors are
    expect_acceleration(free.under(product + "*(2 + sin(q1'')) = 0"), truth, nearest == free.a[0]);
  }
}

TEST(SecondOrder, TheNearestPointOfASphereInTheMetricOfTheMasses) {
  for (const std::uint64_t seed : seeds(60).all()) {
    Random random(seed);
    const std::size_t n = 2 + random.next() % 3;
    const Free free = Free::random(random, n);
    const bool on_it = random.next() % 2 == 0;
    std::vector<double> center;
    std::string sum = "0", same = "0";
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      center.push_back(hundredths(random.uniform(-2, 2)));
      sum += fmt::format(" + {}*(q{}'' - {})^2", free.masses[i], i + 1, center[i]);
      same += fmt::format(" + {}*({} - {})^2", free.masses[i], free.a[i], center[i]);
      square += free.masses[i] * (free.a[i] - center[i]) * (free.a[i] - center[i]);
    }
    if (square < 0.1) continue;
    const double radius = hundredths(random.uniform(0.3, 3));
    SCOPED_TRACE(fmt::format("seed {}", seed));
    std::vector<double> truth = free.a;
    for (std::size_t i = 0; i < n && !on_it; ++i) {
      truth[i] = center[i] + (free.a[i] - center[i]) * radius / std::sqrt(square);
    }
    expect_acceleration(free.under(sum + " = " + (on_it ? same : fmt::format("{}^2", radius))), truth, on_it);
  }
}

TEST(SecondOrder, TheNearestOfTwoPlanes) {
  for (const std::uint64_t seed : seeds(40).all()) {
    Random random(seed);
    const std::size_t n = 2 + random.next() % 2;
    const Free free = Free::random(random, n);
    std::string product = "1";
    std::array<std::vector<double>, 2> nearest;
    std::array<double, 2> distance{};
    for (std::size_t p = 0; p < 2; ++p) {
      const double level = hundredths(random.uniform(-3, 3));
      std::vector<double> normal;
      std::string form = fmt::format("-({})", level);
      double off = -level, inverse = 0;
      for (std::size_t i = 0; i < n; ++i) {
        normal.push_back(hundredths(random.uniform(0.2, 2)) * (random.next() % 2 == 0 ? 1 : -1));
        form += fmt::format(" + ({})*q{}''", normal[i], i + 1);
        off += normal[i] * free.a[i];
        inverse += normal[i] * normal[i] / free.masses[i];
      }
      product += "*(" + form + ")";
      // a₀ − M⁻¹n (n·a₀ − l)/(n·M⁻¹n)
      for (std::size_t i = 0; i < n; ++i) {
        nearest[p].push_back(free.a[i] - normal[i] / free.masses[i] * off / inverse);
      }
      distance[p] = std::fabs(off) / std::sqrt(inverse);
    }
    if (std::fabs(distance[0] - distance[1]) < 0.02) continue;
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, product));
    expect_acceleration(free.under(product + " = 0"), nearest[distance[0] < distance[1] ? 0 : 1], false);
  }
}

System falling(const std::string& constraint, const std::string& lagrangian = "(x'^2 + y'^2)/2 - 2*y") {
  return scratch_model(
      "coordinates = ['x', 'y']\nlagrangian = \"" + lagrangian + "\"\nconstraints = [\"" + constraint + "\"]\n",
      "falling.toml");
}

TEST(SecondOrder, TheFreeAccelerationIsNotTwoOfThem) {
  expect_acceleration(
      scratch_model("coordinates = ['x']\nlagrangian = \"x'^2/2 + x\"\nconstraints = [\"x''^3 = 1\"]\n", "one.toml"),
      {1}, true);
  const System fall = falling("x''^2 + y''^2 = 4");
  expect_acceleration(fall, {0, -2}, true);
  // (0, 2) satisfies the equations with a multiplier, too
  const Evaluation e = evaluate(fall, EvaluationOptions{{Form::gauss}, false});
  ASSERT_EQ(e.find(Form::multipliers)->notes.size(), 1u);
  EXPECT_THAT(e.find(Form::multipliers)->notes[0], HasSubstr("1 other solution"));
  // where it is a double root
  expect_acceleration(falling("(y'' + 2)^2 = 0"), {0, -2}, true);
}

TEST(SecondOrder, TwoThatAreEquallyNearAreStillRefused) {
  const Evaluation e = evaluate(falling("x''^2 = 9"), EvaluationOptions{{Form::gauss}, false});
  for (const Form form : {Form::multipliers, Form::gauss}) {
    ASSERT_TRUE(e.find(form)->error) << form->name;
    EXPECT_EQ(e.find(form)->error->code(), ErrorCode::no_branch);
  }
}

TEST(SecondOrder, ADoubleRootHasNoMultipliers) {
  // y'' = −1 is all that is left, and Gauss takes it; but no multiple of a gradient that vanishes is the reaction
  const Evaluation e = evaluate(falling("(y'' + 1)^2 = 0"), EvaluationOptions{{Form::gauss}, false});
  ASSERT_TRUE(e.find(Form::gauss)->values) << e.find(Form::gauss)->error->message();
  EXPECT_NEAR(e.find(Form::gauss)->values->a[1], -1, 1e-9);
  ASSERT_TRUE(e.find(Form::multipliers)->error);
  EXPECT_EQ(e.find(Form::multipliers)->error->code(), ErrorCode::rank_lost);
}

TEST(SecondOrder, NoneIsSaidWhereItIsProved) {
  const Evaluation never = evaluate(falling("x''^2 + y''^2 = -1"), EvaluationOptions{{Form::gauss}, false});
  EXPECT_EQ(never.find(Form::gauss)->error->message(),
            "no accelerations satisfy the constraints on them at this state");
}

}  // namespace
}  // namespace cetaev
