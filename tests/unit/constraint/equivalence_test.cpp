// The statements of docs/theory about equivalent sets of constraints, each against vector arithmetic done here.
#include "cetaev/constraint/equivalence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "scratch.hpp"

namespace cetaev {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

using Vector = std::array<double, 3>;
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }
double cross(const Vector& a, const Vector& b) {
  return length({a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]});
}

// ---- two points

std::string quoted(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "\"" : ", \"") + item + "\"";
  return "[" + text + "]";
}

enum Dimension { plane = 2, space = 3 };

System two_points(Dimension dimension, const std::vector<std::string>& constraints,
                  const std::vector<std::string>& other) {
  const bool flat = dimension == plane;
  return scratch_model(std::string("coordinates = ") +
                           (flat ? "['x1', 'y1', 'x2', 'y2']" : "['x1', 'y1', 'z1', 'x2', 'y2', 'z2']") +
                           "\nconstraints = " + quoted(constraints) + "\n" +
                           "[[points]]\nname = 'P1'\nmass = 1\nposition = ['x1', 'y1', '" + (flat ? "0" : "z1") +
                           "']\n" + "[[points]]\nname = 'P2'\nmass = 2\nposition = ['x2', 'y2', '" +
                           (flat ? "0" : "z2") + "']\n" + "[definitions]\nd = 'P2 - P1'\nB = '(P1 + P2)/2'\n" +
                           "[initial]\nx2 = 1\n[alternatives.other]\nconstraints = " + quoted(other) + "\n",
                       "two-points.toml");
}

Equivalence compare(const System& system) {
  return compare_sets(system, with_alternative(system, system->alternatives.at(0)));
}

struct Motion2 {
  Vector p1, p2, d, b, d_rate;  // velocities of the points, the line, velocities of middle and line
};

Motion2 motion(const State& state) {
  const std::size_t n = state.q.size() / 2;
  Motion2 m{};
  for (std::size_t i = 0; i < n; ++i) {
    m.p1[i] = state.v[i];
    m.p2[i] = state.v[n + i];
    m.d[i] = state.q[n + i] - state.q[i];
    m.b[i] = (state.v[i] + state.v[n + i]) / 2;
  }
  m.d_rate = m.p2 - m.p1;
  return m;
}

// The constraints of the papers and, independently, by how much a motion misses them.
struct Law {
  const char* text;
  double (*misses)(const Motion2&);
};
const Law across1 = {"dot(P1', d) = 0", [](const Motion2& m) { return dot(m.p1, m.d); }};
const Law across2 = {"dot(P2', d) = 0", [](const Motion2& m) { return dot(m.p2, m.d); }};
const Law along2 = {"cross(P2', d) = 0", [](const Motion2& m) { return cross(m.p2, m.d); }};
const Law rigid = {"dot(d, d') = 0", [](const Motion2& m) { return dot(m.d, m.d_rate); }};
const Law middle_across = {"dot(B', d) = 0", [](const Motion2& m) { return dot(m.b, m.d); }};
const Law middle_along = {"cross(B', d) = 0", [](const Motion2& m) { return cross(m.b, m.d); }};
const Law parallel = {"cross(P1', P2') = 0", [](const Motion2& m) { return cross(m.p1, m.p2); }};
const Law perpendicular = {"dot(P1', P2') = 0", [](const Motion2& m) { return dot(m.p1, m.p2); }};
const Law equal_speeds = {"norm(P1') = norm(P2')", [](const Motion2& m) { return length(m.p1) - length(m.p2); }};

double vector_named(const std::string& name, const Motion2& m) {
  if (name == "B'") return length(m.b);
  if (name == "P1'") return length(m.p1);
  if (name == "P2'") return length(m.p2);
  if (name == "d'" || name == "P1' - P2'") return length(m.d_rate);
  if (name == "d") return length(m.d);
  ADD_FAILURE() << "no vector " << name;
  return 0;
}

// One statement: the laws imply the target, except where the named vector vanishes ("" for always, "no" for not at all).
void expect_implies(Dimension dimension, const std::vector<Law>& laws, const Law& target, const std::string& except) {
  SCOPED_TRACE(std::string(dimension == plane ? "plane" : "space") + ", " + target.text + " from " + laws[0].text +
               " …");
  std::vector<std::string> texts;
  for (const Law& law : laws) texts.emplace_back(law.text);
  const System system = two_points(dimension, texts, {target.text});
  const Equivalence result = compare(system);
  bool exception_found = false;
  for (const Implication& implication : result.forward.implications) {
    // A state of the exception satisfies the laws and not the target.
    for (const ExceptionalState& e : implication.exceptions) {
      const Motion2 m = motion(e.state);
      for (const Law& law : laws) EXPECT_NEAR(law.misses(m), 0, 1e-9) << law.text;
      EXPECT_GT(std::fabs(target.misses(m)), 1e-6);
      if (except == "no") continue;
      EXPECT_NEAR(vector_named(except, m), 0, 1e-12);
      EXPECT_THAT(e.special.vanishing, Contains(except));
      exception_found = true;
    }
  }
  if (except.empty()) {
    EXPECT_EQ(result.forward.holds, Holds::always);
  } else if (except == "no") {
    EXPECT_EQ(result.forward.holds, Holds::no);
  } else {
    EXPECT_EQ(result.forward.holds, Holds::generically);
    EXPECT_TRUE(exception_found);
  }
}

TEST(TwoPoints, BothAcrossTheLineIsConstantDistanceAndMiddleAcross) {
  for (const Dimension dimension : {plane, space}) {
    expect_implies(dimension, {across1, across2}, rigid, "");
    expect_implies(dimension, {across1, across2}, middle_across, "");
    expect_implies(dimension, {rigid, middle_across}, across1, "");
    expect_implies(dimension, {rigid, middle_across}, across2, "");
  }
}

TEST(TwoPoints, BothAcrossTheLineMakesTheVelocitiesParallelInThePlaneOnly) {
  expect_implies(plane, {across1, across2}, parallel, "d");  // where the points coincide there is no line
  expect_implies(space, {across1, across2}, parallel, "no");
}

TEST(TwoPoints, MiddleAcrossAndParallelVelocitiesMakeBothAcrossWhileTheMiddleMoves) {
  for (const Dimension dimension : {plane, space}) {
    expect_implies(dimension, {middle_across, parallel}, across1, "B'");
    expect_implies(dimension, {middle_across, parallel}, across2, "B'");
  }
}

TEST(TwoPoints, ConstantDistanceAndParallelVelocitiesMakeBothAcrossWhileTheVelocitiesDiffer) {
  for (const Dimension dimension : {plane, space}) {
    expect_implies(dimension, {rigid, parallel}, across1, "P1' - P2'");
    expect_implies(dimension, {rigid, parallel}, across2, "d'");
  }
}

TEST(TwoPoints, ConstantDistanceMiddleAlongAndEqualSpeeds) {
  for (const Dimension dimension : {plane, space}) {
    expect_implies(dimension, {middle_along, equal_speeds}, rigid, "B'");
  }
  expect_implies(plane, {rigid, equal_speeds}, middle_along, "P1' - P2'");
  expect_implies(space, {rigid, equal_speeds}, middle_along, "no");
}

TEST(TwoPoints, ConstantDistanceAndMiddleAlongMakeEqualSpeedsWhereThePointsDiffer) {
  for (const Dimension dimension : {plane, space}) expect_implies(dimension, {rigid, middle_along}, equal_speeds, "d");
}

TEST(TwoPoints, OfTheThreeConditionsOfZekovicTwoImplyTheThird) {
  expect_implies(plane, {perpendicular, across1}, along2, "P1'");
  expect_implies(space, {perpendicular, across1}, along2, "no");
  for (const Dimension dimension : {plane, space}) {
    expect_implies(dimension, {perpendicular, along2}, across1, "P2'");
    expect_implies(dimension, {across1, along2}, perpendicular, "d");
  }
}

// "The critical motions are the rotations" is false: rotations about the middle only lose rank.
TEST(TwoPoints, RotationsAboutTheMiddleLoseRankButAreNoExceptions) {
  for (const Dimension dimension : {plane, space}) {
    const System system = two_points(dimension, {across1.text, across2.text}, {middle_across.text, parallel.text});
    const Equivalence result = compare(system);
    bool seen = false;
    for (const RankDrop& drop : result.rank_drops) {
      const Motion2 m = motion(drop.state);
      if (length(m.b) > 1e-12) continue;
      seen = true;
      EXPECT_NEAR(dot(m.p1, m.d), 0, 1e-12);
      EXPECT_GT(length(m.p1), 1e-6);
      EXPECT_THAT(drop.special.vanishing, Contains("B'"));
      EXPECT_EQ(drop.rank[0], 2u);
      EXPECT_EQ(drop.generic_rank[0], 2u);
      EXPECT_EQ(drop.rank[1], dimension == plane ? 1u : 2u);
      EXPECT_EQ(drop.generic_rank[1], dimension == plane ? 2u : 3u);
    }
    EXPECT_TRUE(seen);
    for (const Implication& implication : result.backward.implications) {
      ASSERT_THAT(implication.exceptions, SizeIs(1));
      const Motion2 m = motion(implication.exceptions[0].state);
      EXPECT_NEAR(length(m.b), 0, 1e-12);
      EXPECT_GT(std::fabs(dot(m.p1, m.d)), 1e-6);
      EXPECT_TRUE(implication.exceptions[0].full_dimension);
    }
    EXPECT_EQ(result.equivalent(), dimension == plane);
  }
}

TEST(TwoPoints, VectorsAreNamedEvenWhenTheModelDoesNot) {
  const System system = scratch_model(
      "coordinates = ['a', 'b', 'c', 'e', 'spin']\nkinetic = \"spin'^2\"\n"
      "constraints = [\"1e3*dot(P' + Q', Q - P) = 0\", \"1e-3*cross(P', Q') = 0\"]\n"
      "[[points]]\nname = 'P'\nmass = 1\nposition = ['a', 'b', '0']\n"
      "[[points]]\nname = 'Q'\nmass = 1\nposition = ['c', 'e', '0']\n"
      "[initial]\na = 900\nc = -700\n"
      "[alternatives.across]\nconstraints = [\"dot(P', Q - P) = 0\", \"dot(Q', Q - P) = 0\"]\n",
      "named.toml");
  const Equivalence result = compare(system);
  EXPECT_EQ(result.forward.holds, Holds::generically);
  for (const Implication& implication : result.forward.implications) {
    ASSERT_THAT(implication.exceptions, SizeIs(1));
    EXPECT_THAT(implication.exceptions[0].special.vanishing, Contains("P' + Q'"));
    EXPECT_EQ(implication.exceptions[0].special.description, "P' = -Q'");
  }
  EXPECT_TRUE(result.equivalent());
}

// Parallelism written by two components only fails to imply the third where x1' = x2' = 0.
TEST(TwoPoints, ParallelismByTwoComponents) {
  const System system = two_points(space, {"cross(P1', P2').z = 0", "cross(P1', P2').y = 0"}, {parallel.text});
  const Equivalence result = compare(system);
  EXPECT_EQ(result.backward.holds, Holds::always);
  ASSERT_THAT(result.forward.implications, SizeIs(3));
  const Implication& x = result.forward.implications[0];
  ASSERT_THAT(x.exceptions, SizeIs(1));
  EXPECT_EQ(x.exceptions[0].state.v[0], 0);
  EXPECT_EQ(x.exceptions[0].state.v[3], 0);
  EXPECT_EQ(x.exceptions[0].special.description, "x1' = 0 and x2' = 0");
}

// ---- a particle

System particle(const std::vector<std::string>& constraints, const std::vector<std::string>& other,
                const std::string& rest = "") {
  return scratch_model("coordinates = ['x', 'y', 'z']\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = " +
                           quoted(constraints) + "\n" + rest + "\n[alternatives.other]\nconstraints = " + quoted(other),
                       "particle.toml");
}

Equivalence particle_sets(const std::vector<std::string>& constraints, const std::vector<std::string>& other,
                          const std::string& rest = "") {
  return compare(particle(constraints, other, rest));
}

void expect_proved_equivalent(const Equivalence& result) {
  EXPECT_TRUE(result.equivalent());
  for (const Direction* direction : {&result.forward, &result.backward}) {
    EXPECT_EQ(direction->holds, Holds::always);
    for (const Implication& i : direction->implications) EXPECT_TRUE(i.finding.proved);
  }
}

TEST(Equivalence, ASetIsEquivalentToItselfHoweverItIsWritten) {
  for (const std::string c : {"x' = 2*y'", "x'*sin(z) - y'*cos(z) = 0", "z' = 3*sqrt(x'^2 + y'^2)", "x^2 + y^2 = 1",
                              "x' = t*y' + sin(t)", "x'' = y'*z'", "x'*y' = z'^2"}) {
    SCOPED_TRACE(c);
    expect_proved_equivalent(particle_sets({c}, {c}));
  }
  expect_proved_equivalent(particle_sets({"x' = 2*y'", "y' = z'"}, {"1e-3*x' = 2e-3*y'", "1000*y' = 1000*z'"}));
  expect_proved_equivalent(
      particle_sets({"x' = 2*y'", "y' = z'"}, {"x' = 2*z'", "x' + y' = 3*z'", "2*x' - 4*y' = 0", "x' - y' - z' = 0"}));
  expect_proved_equivalent(particle_sets({"exp(y' - x') = 1"}, {"x' = y'"}));
  expect_proved_equivalent(particle_sets({"(x' - y')^2 = 0"}, {"x' = y'"}));
  expect_proved_equivalent(particle_sets({"x'^2 + y'^2 = 0"}, {"norm([x', y', 0]) = 0"}));
  expect_proved_equivalent(particle_sets({"x' = sin(t)^2*y'"}, {"x' = y' - y'*cos(t)^2"}));
  EXPECT_TRUE(particle_sets({}, {}).equivalent());
}

// Rows that are nearly parallel or far apart in size are no exceptions and lose no rank.
TEST(Equivalence, ScalesAreNoExceptions) {
  const std::string a = "x*y*y' + 500*z' + sin(t)", b = "x*z' + sin(t)";
  const Equivalence near =
      particle_sets({a + " = 0", b + " = 0"}, {a + " + 1e-3*(" + b + ") = 0", "exp(y)*(" + a + ") = 0"});
  expect_proved_equivalent(near);
  for (const RankDrop& drop : near.rank_drops) ADD_FAILURE() << drop.special.description;
  expect_proved_equivalent(particle_sets({"x*x' + exp(z/5)*y' + (x + y)*z' + x = 0", "t*x' + cos(y)*z' + 1 = 0"},
                                         {"sin(t)*(x*x' + exp(z/5)*y' + (x + y)*z' + x) - 3*(t*x' + cos(y)*z' + 1) = 0",
                                          "exp(y)*(x*x' + exp(z/5)*y' + (x + y)*z' + x) = 0"}));
}

TEST(Equivalence, AnotherBranchIsAnExceptionOfFullDimension) {
  const Equivalence result = particle_sets({"x'^2 - y'^2 = 0"}, {"x' = y'"});
  EXPECT_EQ(result.backward.holds, Holds::always);
  EXPECT_EQ(result.forward.holds, Holds::on_a_branch);
  EXPECT_FALSE(result.equivalent());
  ASSERT_THAT(result.forward.implications[0].exceptions, SizeIs(1));
  const ExceptionalState& e = result.forward.implications[0].exceptions[0];
  EXPECT_TRUE(e.full_dimension);
  EXPECT_DOUBLE_EQ(e.state.v[0], -e.state.v[1]);
  EXPECT_NE(e.state.v[0], 0);
  EXPECT_EQ(e.special.description, "x' = -y'");
}

TEST(Equivalence, ABranchFarAwayIsFoundByItsFactor) {
  const Equivalence result = particle_sets({"(x' - 1)*(x' - 12345) = 0"}, {"x' = 1"});
  EXPECT_EQ(result.forward.holds, Holds::on_a_branch);
  EXPECT_NEAR(result.forward.implications[0].exceptions.at(0).state.v[0], 12345, 1e-9);
}

TEST(Equivalence, AnEquationOfPositionsFollowsUpToAConstant) {
  const Equivalence circle = particle_sets({"x*x' + y*y' = 0"}, {"x^2 + y^2 = 1"});
  EXPECT_TRUE(circle.equivalent());
  EXPECT_TRUE(circle.forward.implications[0].up_to_constant);
  EXPECT_FALSE(circle.backward.implications[0].up_to_constant);

  // the same function with another constant is no consequence
  const Equivalence other = particle_sets({"x^2 + y^2 = 1"}, {"x^2 + y^2 = 2"});
  EXPECT_EQ(other.forward.holds, Holds::no);
  EXPECT_NEAR(other.forward.implications[0].exceptions.at(0).value, -1, 1e-12);

  EXPECT_TRUE(particle_sets({"x'' = 0"}, {"x' = 0"}).forward.implications[0].up_to_constant);
  EXPECT_TRUE(particle_sets({"x' = 0"}, {"x'' = 0"}).equivalent());
}

TEST(Equivalence, PositionsAndTimesAtWhichAConstraintSaysNothingAreExceptions) {
  const auto exception = [](const Equivalence& result) {
    EXPECT_EQ(result.forward.holds, Holds::generically);
    EXPECT_TRUE(result.equivalent());
    const ExceptionalState e = result.forward.implications[0].exceptions.at(0);
    EXPECT_FALSE(e.full_dimension);
    EXPECT_TRUE(e.special.special_positions);
    EXPECT_EQ(e.rank, 0u);
    EXPECT_EQ(e.generic_rank, 1u);
    return e;
  };
  EXPECT_EQ(exception(particle_sets({"y*x' = 0"}, {"x' = 0"})).state.q[1], 0);
  EXPECT_EQ(exception(particle_sets({"t*x' = 0"}, {"x' = 0"})).state.t, 0);
  const ExceptionalState e = exception(particle_sets({"(y - 3)*x' = (y - 3)*z'"}, {"x' = z'"}));
  EXPECT_DOUBLE_EQ(e.state.q[1], 3);
  EXPECT_NE(e.state.v[0], e.state.v[2]);
}

TEST(Equivalence, SetsWithNothingInCommonFailBothWays) {
  const Equivalence result = particle_sets({"x'^2 + y'^2 = 1"}, {"z' = 2*x' + t"});
  EXPECT_EQ(result.forward.holds, Holds::no);
  EXPECT_EQ(result.backward.holds, Holds::no);
  const State& witness = result.forward.implications[0].exceptions.at(0).state;
  EXPECT_NEAR(std::hypot(witness.v[0], witness.v[1]), 1, 1e-12);
  EXPECT_GT(std::fabs(witness.v[2] - 2 * witness.v[0] - witness.t), 1e-6);
  EXPECT_EQ(particle_sets({}, {"x' = 0"}).forward.holds, Holds::no);
  EXPECT_EQ(particle_sets({"x' = 0"}, {"x' = 0", "y' = 0"}).forward.holds, Holds::no);
}

TEST(Equivalence, AContradictionIsDiagnosed) {
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"x' = y'", "x' = y' + 1"}, {"x'^2 + y'^2 + 1 = 0"}}) {
    try {
      particle_sets({"x' = y'"}, other);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::inconsistent_constraints);
      EXPECT_THAT(error.message(), HasSubstr(other.back()));
    }
  }
}

TEST(Equivalence, AnotherModelMayOrderItsCoordinatesAndNameItsParametersOtherwise) {
  const System first = scratch_model(
      "coordinates = ['x', 'y']\nkinetic = \"x'^2\"\nconstraints = [\"x' = k*y'\"]\n"
      "[parameters]\nk = 2\n",
      "first.toml");
  const auto other = [](const std::string& coordinates, const std::string& parameters) {
    return scratch_model("coordinates = [" + coordinates +
                             "]\nkinetic = \"x'^2\"\nconstraints = [\"y' = x'/ratio\"]\n" + "[parameters]\n" +
                             parameters,
                         "other.toml");
  };
  const auto verdict = [&](const System& second) {
    return compare_sets(first, with_constraints_of(first, second)).equivalent();
  };
  EXPECT_TRUE(verdict(other("'y', 'x'", "k = 5\nratio = 'sqrt(k - 1)'")));
  EXPECT_FALSE(verdict(other("'y', 'x'", "k = 2\nratio = 3")));
  try {
    with_constraints_of(first, other("'y', 'x', 'z'", "ratio = 2"));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_model);
    EXPECT_THAT(error.message(), HasSubstr("first.toml has no coordinate z"));
  }
}

TEST(Equivalence, TheAnswerIsTheSameInEveryRun) {
  const auto once = [] {
    const System system = two_points(plane, {across1.text, across2.text}, {middle_across.text, parallel.text});
    return compare(system).backward.implications[0].exceptions.at(0).state.v;
  };
  EXPECT_EQ(once(), once());
}

}  // namespace
}  // namespace cetaev
