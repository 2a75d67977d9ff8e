// Which state does [initial] describe? The rules of docs/reference/model.md, one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/error.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

System particle(const std::string& constraints, const std::string& initial, const std::string& rest = "") {
  return scratch_model("coordinates = ['x', 'y', 'z']\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = [" +
                           constraints + "]\n" + rest + "\n[initial]\n" + initial,
                       "particle.toml");
}

AdmissibleState initial(const System& system) { return Admissible(system).initial(); }

Error refusal(const System& system) {
  try {
    initial(system);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "the state was accepted";
  return Error(ErrorCode::bad_model, "");
}

TEST(InitialState, AnAdmissibleOneIsKeptAsItIs) {
  const AdmissibleState s = initial(particle("\"x' = 2*y'\"", "\"x'\" = 3\n\"y'\" = 1.5\n\"z'\" = 0.25"));
  EXPECT_FALSE(s.moved);
  EXPECT_THAT(s.state.v, ElementsAre(3, 1.5, 0.25));
}

TEST(InitialState, WhatWasNotWrittenFollowsFromWhatWas) {
  const AdmissibleState s = initial(particle("\"x' = 2*y'\"", "\"x'\" = 3"));
  EXPECT_TRUE(s.moved);
  EXPECT_THAT(s.state.v, ElementsAre(3, 1.5, 0));
  EXPECT_THAT(s.dependent, ElementsAre(1));
}

// At w = 1 the derivative of w³ − 3w is zero, and x, y are not in the constraint at all.
TEST(InitialState, WhatWasWrittenMovesWhereNothingElseCan) {
  const double root = 2.2790187861665936;  // of w³ − 3w = 5, by Cardano: u + 1/u with u³ = (5 + √21)/2
  EXPECT_NEAR(root, std::cbrt((5 + std::sqrt(21.0)) / 2) + 1 / std::cbrt((5 + std::sqrt(21.0)) / 2), 1e-15);
  EXPECT_NEAR(initial(particle("\"z'^3 - 3*z' = 5\"", "\"z'\" = 1")).state.v[2], root, 1e-14);
  EXPECT_NEAR(initial(particle("\"z^3 - 3*z = 5\"", "z = 1")).state.q[2], root, 1e-14);
  EXPECT_NEAR(initial(particle("\"abs(z + 1) + abs(z - 1) = 3\"", "z = 0.2")).state.q[2], 1.5, 1e-14);
}

TEST(InitialState, GivenIndependentValuesAreKeptExactly) {
  const AdmissibleState s = initial(particle("\"z' = sqrt(x'^2 + y'^2)/3\"", "\"x'\" = 0.1\n\"y'\" = 0.7\n"));
  EXPECT_EQ(s.state.v[0], 0.1);
  EXPECT_EQ(s.state.v[1], 0.7);
  EXPECT_NEAR(s.state.v[2], std::hypot(0.1, 0.7) / 3, 1e-16);
  EXPECT_THAT(s.dependent, ElementsAre(2));
}

TEST(InitialState, TheUsersDependentVelocityIsTheOneThatMoves) {
  const AdmissibleState s = initial(particle("\"x' = 2*y'\"", "\"x'\" = 3", "dependent = ['x']"));
  EXPECT_THAT(s.state.v, ElementsAre(0, 0, 0));
  EXPECT_THAT(s.dependent, ElementsAre(0));
}

TEST(InitialState, AGivenDependentValueChoosesTheBranch) {
  const std::string cone = "\"z'^2 = x'^2 + y'^2\"";
  for (const std::string guess : {"1", "-0.5"}) {
    const AdmissibleState s = initial(particle(cone, "\"x'\" = 3\n\"y'\" = 4\n\"z'\" = " + guess, "dependent = ['z']"));
    EXPECT_EQ(s.state.v[0], 3);
    EXPECT_EQ(s.state.v[1], 4);
    EXPECT_NEAR(s.state.v[2], guess == "1" ? 5 : -5, 1e-14);
  }
  // z' not written stands at 0, between the two
  const Error error = refusal(particle(cone, "\"x'\" = 3\n\"y'\" = 4"));
  EXPECT_EQ(error.code(), ErrorCode::no_branch);
  EXPECT_THAT(error.message(), HasSubstr("z' = 5"));
  EXPECT_THAT(error.message(), HasSubstr("z' = -5"));
}

TEST(InitialState, TheNearestBranchIsTakenEvenIfNewtonWouldLeapToAnother) {
  // sin(z') = 0 from z' = 1.6: Newton flies off by 1/cos(1.6) ≈ −34; the nearest solutions are π (1.54 away) and 0 (1.6)
  const AdmissibleState s = initial(particle("\"sin(z') = 0\"", "\"z'\" = 1.6"));
  EXPECT_NEAR(s.state.v[2], 3.141592653589793, 1e-14);
}

TEST(InitialState, IfEveryVelocityIsWrittenAllOfThemMoveLeast) {
  // the nearest point of a plane, and of a sphere
  const AdmissibleState plane = initial(particle("\"x' + 2*y' + 2*z' = 9\"", "\"x'\" = 1\n\"y'\" = 0\n\"z'\" = 0"));
  EXPECT_NEAR(plane.state.v[0], 1 + 8.0 / 9, 1e-14);
  EXPECT_NEAR(plane.state.v[1], 16.0 / 9, 1e-14);
  EXPECT_NEAR(plane.state.v[2], 16.0 / 9, 1e-14);
  for (const double size : {0.1, 0.9, 1.2, 40.0}) {
    const auto component = [&](double c) { return std::to_string(c * size); };
    const System sphere =
        particle("\"x'^2 + y'^2 + z'^2 = 1\"",
                 "\"x'\" = " + component(0.6) + "\n\"y'\" = " + component(0) + "\n\"z'\" = " + component(-0.8));
    const AdmissibleState s = initial(sphere);
    EXPECT_NEAR(s.state.v[0], 0.6, 1e-12) << size;
    EXPECT_NEAR(s.state.v[1], 0, 1e-12);
    EXPECT_NEAR(s.state.v[2], -0.8, 1e-12);
  }
}

TEST(InitialState, PositionsGoOntoHolonomicConstraints) {
  const AdmissibleState s =
      initial(particle("\"x^2 + y^2 = 25\"", "x = 3\ny = -1\n\"x'\" = 2", "[simulation]\nt_end = 1"));
  // z is not written, but the circle does not contain it: one of x, y has to give way
  EXPECT_NEAR(s.state.q[0] * s.state.q[0] + s.state.q[1] * s.state.q[1], 25, 1e-13);
  EXPECT_NEAR(s.state.q[0] * s.state.v[0] + s.state.q[1] * s.state.v[1], 0, 1e-13);

  const AdmissibleState kept =
      initial(particle("\"x^2 + y^2 = 25\"", "x = 3\ny = -1\n\"x'\" = 2", "dependent = ['y']"));
  EXPECT_EQ(kept.state.q[0], 3);
  EXPECT_NEAR(kept.state.q[1], -4, 1e-14);
  EXPECT_EQ(refusal(particle("\"x^2 + y^2 = 25\"", "x = 3")).code(), ErrorCode::no_branch);
}

TEST(InitialState, NoAdmissibleStateNearIsADiagnosisWithResiduals) {
  const Error error =
      refusal(particle("\"x' = 2\", \"y'^2 = z'\"", "\"z'\" = -1\n\"x'\" = 2", "dependent = ['x', 'y']"));
  EXPECT_EQ(error.code(), ErrorCode::inconsistent_initial_state);
  EXPECT_THAT(error.message(), HasSubstr("y'^2 = z'"));
  EXPECT_THAT(error.message(), HasSubstr("residual 1"));
}

TEST(InitialState, ContradictoryConstraintsAreNamed) {
  EXPECT_EQ(refusal(particle("\"x' = 1\", \"x' = 2\"", "")).code(), ErrorCode::inconsistent_constraints);
  EXPECT_EQ(refusal(particle("\"x'^2 + y'^2 + 1 = 0\"", "")).code(), ErrorCode::inconsistent_constraints);
  const Error never = refusal(particle("\"1 = 0\"", ""));
  EXPECT_EQ(never.code(), ErrorCode::inconsistent_constraints);
  EXPECT_THAT(never.message(), HasSubstr("1 = 0"));
}

TEST(InitialState, ADependentVelocityThatCannotCarryTheConstraintIsNamedWithABetterOne) {
  const System upright = scratch_model(
      "coordinates = ['x', 'y', 'z']\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = [\"x'*sin(z) - y'*cos(z) = "
      "1\"]\n"
      "dependent = ['y']\n[initial]\nz = \"pi/2\"\n",
      "blade.toml");
  // cos(π/2) is 6e-17 in doubles, not 0: the choice is singular all the same
  const Error singular = refusal(upright);
  EXPECT_EQ(singular.code(), ErrorCode::singular_dependent);
  EXPECT_THAT(singular.message(), HasSubstr("x' would do"));
}

TEST(InitialState, AListOfDependentVelocitiesHasAsManyEntriesAsTheRank) {
  const System system = particle("\"x' = 2*y'\"", "", "dependent = ['x', 'y']");
  const Error error = refusal(system);
  EXPECT_EQ(error.code(), ErrorCode::bad_model);
  EXPECT_EQ(error.message(), "`dependent` names 2 velocities, but the constraints have rank 1: name exactly 1");
  ASSERT_TRUE(error.position());
  EXPECT_EQ(error.position()->line, 4u);
}

TEST(InitialState, SizesDoNotMatter) {
  for (const std::string size : {"1e-6", "1e-3", "1e3", "1e7", "1e9"}) {
    const double l = std::stod(size);
    const System circle = scratch_model(
        "coordinates = ['x', 'y']\nkinetic = \"(x'^2 + y'^2)/2\"\nconstraints = [\"x^2 + y^2 = " + size +
            "^2\"]\n[initial]\nx = \"0.6*" + size + "\"\ny = \"0.1*" + size + "\"\n\"x'\" = \"-2*" + size + "\"\n",
        "circle.toml");
    const AdmissibleState s = initial(circle);
    EXPECT_NEAR(std::hypot(s.state.q[0], s.state.q[1]) / l, 1, 1e-14) << size;
    EXPECT_NEAR(s.state.v[0] / l, -2, 1e-14) << size;
    Admissible admissible(circle);
    EXPECT_TRUE(admissible.regular()) << size;
    const System far = particle("\"x' = " + size + "\", \"y = " + size + "\"", "");
    EXPECT_EQ(initial(far).state.v[0], l);
    EXPECT_EQ(initial(far).state.q[1], l);
  }
  EXPECT_EQ(initial(particle("\"x' = 1e-13\"", "")).state.v[0], 1e-13);
}

TEST(InitialState, ValuesThatNobodyGaveMayMoveTogether) {
  // x' y' = 1 is nearest to the origin at (1, 1) and at (−1, −1)
  EXPECT_EQ(refusal(particle("\"x'*y' = 1\"", "")).code(), ErrorCode::no_branch);
  // and nearest to (1.5, 1.5) at (1, 1), with z' kept
  const AdmissibleState s = initial(particle("\"x'*y' = 1\"", "\"x'\" = 1.5\n\"y'\" = 1.5\n\"z'\" = 3"));
  EXPECT_NEAR(s.state.v[0], 1, 1e-14);
  EXPECT_NEAR(s.state.v[1], 1, 1e-14);
  EXPECT_EQ(s.state.v[2], 3);
}

TEST(InitialState, AWrittenValueIsNotGivenUpForOneThatIsNot) {
  const Error error = refusal(particle("\"x'^2 + y'^2 = 1\"", "\"x'\" = 2\n\"z'\" = 0"));
  EXPECT_EQ(error.code(), ErrorCode::inconsistent_initial_state);
  EXPECT_THAT(error.message(), HasSubstr("by changing y'"));
}

TEST(InitialState, NamedDependentPositionsMoveEvenIfAllAreWritten) {
  const AdmissibleState s = initial(particle("\"x^2 + y^2 = 1\"", "x = -0.1\ny = 0.6\nz = 0", "dependent = ['x']"));
  EXPECT_EQ(s.state.q[1], 0.6);
  EXPECT_NEAR(s.state.q[0], -0.8, 1e-15);
}

TEST(InitialState, WhatIsNotDefinedIsSaidInWords) {
  for (const char* constraint : {"x' = log(x - 1)", "x' = 1/x"}) {
    const Error error = refusal(particle("\"" + std::string(constraint) + "\"", ""));
    EXPECT_THAT(error.message(), HasSubstr("is not defined")) << constraint;
    EXPECT_THAT(error.message(), testing::Not(testing::AnyOf(HasSubstr("nan"), HasSubstr("inf;"), HasSubstr("-inf"))));
  }
}

TEST(InitialState, RedundantConstraintsAreNoObstacle) {
  const AdmissibleState s =
      initial(particle("\"x' = 2*y'\", \"2*x' = 4*y'\", \"cross([x', y', z'], [2, 1, 3]) = 0\"", "\"x'\" = 4"));
  EXPECT_NEAR(s.state.v[1], 2, 1e-14);
  EXPECT_NEAR(s.state.v[2], 6, 1e-14);
}

// The short way of a sweep against the search, which knows nothing of it: the same states but for rounding, the same refusals.
struct OneOfMany {
  State given;
  std::vector<double> parameters;
};
std::optional<State> by_search(const System& system, const OneOfMany& one, ErrorCode& code) {
  SystemData data = *system.scratch();
  for (std::size_t i = 0; i < data.parameters.size(); ++i)
    data.parameters[i].definition = data.context->number(exactly(one.parameters[i]));
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data.initial.q[i]) data.initial.q[i] = data.context->number(exactly(one.given.q[i]));
    if (data.initial.v[i]) data.initial.v[i] = data.context->number(exactly(one.given.v[i]));
  }
  try {
    return initial(System(std::move(data))).state;
  } catch (const Error& error) {
    code = error.code();
    return std::nullopt;
  }
}

TEST(InitialState, OfASweepIsThatOfTheSearch) {
  const char* const rest = "[parameters]\na = 1\nb = 1";
  const System models[] = {
      particle("\"a*x'*sin(x) - y'*cos(x) = b*z'\"", "x = 1\n\"x'\" = 1\n\"z'\" = 1\n" + std::string(rest),
               "dependent = ['y']"),
      particle("\"a*x'*sin(x) - y'*cos(x) = b*z'\"", "x = 1\n\"x'\" = 1\n" + std::string(rest)),
      particle("\"x' = a*z'*cos(y)\", \"y' = b*z'*sin(y) + t\"", "y = 1\n\"z'\" = 1\n" + std::string(rest)),
      particle("\"a*x' + b*y' = 0\", \"x' - y' = z'\"", "\"z'\" = 1\n" + std::string(rest), "dependent = ['x', 'y']"),
      particle("\"a*x' = b*y'\", \"2*a*x' = 2*b*y'\"", "\"x'\" = 1\n\"z'\" = 1\n" + std::string(rest)),
      particle("\"x^2 + y^2 = a^2\", \"z' = b*x'\"", "x = 1\ny = 0\n\"y'\" = 1\n" + std::string(rest)),
      particle("\"a*x' + b*y' = 1\"", "\"x'\" = 1\n\"y'\" = 1\n\"z'\" = 1\n" + std::string(rest))};
  Random random(11);
  int found = 0, refused = 0;
  for (const System& system : models) {
    Admissible many(system);
    for (int k = 0; k < 30; ++k) {
      // now and then a value at which something vanishes, or nearly
      const auto draw = [&] {
        const double special[] = {0, 1, -1, 1e-5, 1e-9, 1e-13, 1e6};
        const double which = random.uniform(0, 14);
        return which < 7 ? special[static_cast<std::size_t>(which)] : random.uniform(-2, 2);
      };
      OneOfMany one{given_state(system), {draw(), draw()}};
      for (std::size_t i = 0; i < system->size(); ++i) {
        if (system->initial.q[i]) one.given.q[i] = draw();
        if (system->initial.v[i]) one.given.v[i] = draw();
      }
      ErrorCode told{}, expected{};
      std::optional<State> here;
      try {
        here = many.initial(one.given, one.parameters);
      } catch (const Error& error) {
        told = error.code();
      }
      const std::optional<State> there = by_search(system, one, expected);
      SCOPED_TRACE(testing::Message() << &system - models << ", " << k << ": a = " << one.parameters[0]
                                      << ", b = " << one.parameters[1]);
      // whether the constraints can hold anywhere, or `dependent` fits, is asked of a model and not of one motion among many
      if (!there && (expected == ErrorCode::inconsistent_constraints || expected == ErrorCode::bad_model)) continue;
      ASSERT_EQ(here.has_value(), there.has_value()) << to_string(there ? told : expected);
      if (!there) {
        EXPECT_EQ(told, expected);
        ++refused;
        continue;
      }
      ++found;
      double size = 1e-3;
      for (const double v : there->v) size = std::max(size, std::fabs(v));
      for (std::size_t i = 0; i < system->size(); ++i) {
        EXPECT_NEAR(here->q[i], there->q[i], 1e-12);
        EXPECT_NEAR(here->v[i], there->v[i], 2e-12 * size) << i;
      }
    }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace cetaev
