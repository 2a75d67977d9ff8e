// The nearest admissible state, on problems that are made from their solutions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/error.hpp"
#include "scratch.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

System particle_under(const std::vector<std::string>& constraints, const std::string& rest) {
  std::string list;
  for (const std::string& c : constraints) list += "\"" + c + "\", ";
  return scratch_model("coordinates = ['x', 'y', 'z']\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = [" + list +
                           "]\n" + rest + "\n",
                       "particle.toml");
}

Error refusal_of(const System& system) {
  try {
    Admissible(system).initial();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "the state was accepted";
  return Error(ErrorCode::bad_model, "");
}

// ---- one unknown

// f(z') = 0 with all its zeros, or all near enough to be the nearest.
struct Problem {
  std::string equation;
  std::vector<double> zeros;
  double known_to = 1e-9;
};

// A number of few digits, which text and double share.
double rounded(double x) { return std::round(x * 1000) / 1000; }

class Problems {
 public:
  explicit Problems(std::uint64_t seed) : random_(seed) {}

  Problem next() {
    switch (random_.next() % 6) {
      case 0: return product();
      case 1: return level();
      case 2: return periodic();
      case 3: return with_pole();
      case 4: return at_an_edge();
      default: return steep_and_flat();
    }
  }

  // At least one per mille nearer to one zero than to the others.
  double goal(const Problem& problem) {
    for (;;) {
      const double goal = rounded(random_.uniform(-6, 6));
      std::vector<double> distances;
      for (const double zero : problem.zeros) distances.push_back(std::fabs(zero - goal));
      std::sort(distances.begin(), distances.end());
      if (distances[0] > 1e-3 && (distances.size() == 1 || distances[1] > 1.001 * distances[0])) return goal;
    }
  }

 private:
  double place() { return rounded(random_.uniform(-5, 5)); }
  double slope() { return rounded(std::exp(random_.uniform(std::log(0.2), std::log(60.0)))); }
  std::string pick(std::initializer_list<const char*> list) { return *(list.begin() + random_.next() % list.size()); }

  // Bent functions, each with one zero, times something positive.
  Problem product() {
    Problem result;
    std::string text = pick({"1", "(1 + z'^2)", "exp(z'/3)", "(2 + sin(5*z'))", "1/(1 + exp(-z'))"});
    const int factors = 1 + static_cast<int>(random_.next() % 4);
    for (int i = 0; i < factors; ++i) {
      double zero = place();
      // zeros that nearly coincide are another matter
      while (std::any_of(result.zeros.begin(), result.zeros.end(),
                         [&](double other) { return std::fabs(other - zero) < 0.02; })) {
        zero = place();
      }
      const std::string u = fmt::format("{}*(z' - {})", slope(), zero);
      const std::string f = pick({"atan({})", "tanh({})", "sinh({}/20)", "({})", "(exp({}/10) - 1)", "asinh({})",
                                  "abs({})", "({})^2", "({})^3", "(1 - cos(atan({})))"});
      // 1 − cos u is zero in doubles for all small u
      if (f.find("1 - cos") != std::string::npos) result.known_to = 1e-7;
      text += "*" + f.substr(0, f.find("{}")) + u + f.substr(f.find("{}") + 2);
      result.zeros.push_back(zero);
    }
    result.equation = text + " = 0";
    return result;
  }

  // A monotone function takes a value once.
  Problem level() {
    const double s = slope(), r = place();
    const double value = rounded(random_.uniform(-0.95, 0.95));
    const std::string u = fmt::format("{}*(z' - {})", s, r);
    switch (random_.next() % 5) {
      case 0: return {fmt::format("tanh({}) = {}", u, value), {r + std::atanh(value) / s}};
      case 1: return {fmt::format("atan({}) = {}", u, value), {r + std::tan(value) / s}};
      case 2: return {fmt::format("exp({}) = {}", u, value + 2), {r + std::log(value + 2) / s}};
      case 3: return {fmt::format("asinh({}) = {}", u, value), {r + std::sinh(value) / s}};
      default: return {fmt::format("({})^3 = {}", u, value), {r + std::cbrt(value) / s}};
    }
  }

  Problem periodic() {
    const double s = slope(), r = place();
    const double value = rounded(random_.uniform(-0.9, 0.9));
    Problem result;
    result.equation = fmt::format("sin({}*(z' - {})) = {}", s, r, value);
    const int turns = static_cast<int>(12 * s) + 2;
    for (int i = -turns; i <= turns; ++i) {
      result.zeros.push_back(r + (std::asin(value) + 2 * std::numbers::pi * i) / s);
      result.zeros.push_back(r + (std::numbers::pi - std::asin(value) + 2 * std::numbers::pi * i) / s);
    }
    return result;
  }

  Problem with_pole() {
    const double s = slope(), r = place();
    const double value = rounded(random_.uniform(0.1, 3));
    if (random_.next() % 2 == 0) return {fmt::format("1/({}*(z' - {})) = {}", s, r, value), {r + 1 / (s * value)}};
    Problem result;
    result.equation = fmt::format("tan({}*(z' - {})) = {}", s, r, value);
    const int turns = static_cast<int>(12 * s) + 2;
    for (int i = -turns; i <= turns; ++i) {
      result.zeros.push_back(r + (std::atan(value) + std::numbers::pi * i) / s);
    }
    return result;
  }

  // Defined on one side only.
  Problem at_an_edge() {
    const double s = slope(), r = place();
    const double value = rounded(random_.uniform(-3, 3));
    if (random_.next() % 2 == 0) {
      return {fmt::format("log({}*(z' - {})) = {}", s, r, value), {r + std::exp(value) / s}};
    }
    return {fmt::format("sqrt({}*(z' - {})) = {}", s, r, std::fabs(value)), {r + value * value / s}};
  }

  // atan(s (z − r)) = z/h: three zeros or one, which bisection finds.
  Problem steep_and_flat() {
    const double s = slope(), r = place(), h = rounded(random_.uniform(5, 20));
    Problem result{fmt::format("atan({}*(z' - {})) = z'/{}", s, r, h), {}};
    const auto f = [&](double z) { return std::atan(s * (z - r)) - z / h; };
    constexpr int cells = 400'000;
    for (int i = 0; i < cells; ++i) {
      double low = -40 + 80.0 * i / cells, high = -40 + 80.0 * (i + 1) / cells;
      if (f(low) * f(high) > 0) continue;
      for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2;
        (f(low) * f(middle) <= 0 ? high : low) = middle;
      }
      result.zeros.push_back((low + high) / 2);
    }
    return result;
  }

  Random random_;
};

double nearest(const std::vector<double>& zeros, double goal) {
  return *std::min_element(zeros.begin(), zeros.end(),
                           [&](double a, double b) { return std::fabs(a - goal) < std::fabs(b - goal); });
}

TEST(NearestState, OfOneUnknownIsTheNearestZero) {
  for (const std::uint64_t seed : seeds(600).all()) {
    Problems problems(seed);
    const Problem problem = problems.next();
    const double goal = problems.goal(problem);
    const double truth = nearest(problem.zeros, goal);
    SCOPED_TRACE(fmt::format("seed {}: {} from {}", seed, problem.equation, goal));
    try {
      const AdmissibleState s =
          Admissible(
              particle_under({problem.equation}, fmt::format("[initial]\n\"x'\" = 1\n\"y'\" = 2\n\"z'\" = {}", goal)))
              .initial();
      EXPECT_NEAR(s.state.v[2], truth, problem.known_to * (1 + std::fabs(truth)));
      EXPECT_EQ(s.state.v[0], 1);
      EXPECT_EQ(s.state.v[1], 2);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    }
  }
}

// With others beside it, each of its own velocity, and written twice.
TEST(NearestState, OfEquationsThatShareNoUnknownIsTheNearestOfEach) {
  for (const std::uint64_t seed : seeds(60).all()) {
    Problems problems(1000 + seed);
    const Problem one = problems.next(), other = problems.next();
    const double here = problems.goal(one), there = problems.goal(other);
    std::string renamed = other.equation;
    for (std::size_t at = 0; (at = renamed.find("z'")) != std::string::npos;) renamed.replace(at, 2, "y'");
    SCOPED_TRACE(fmt::format("seed {}: {} from {}, {} from {}", seed, one.equation, here, renamed, there));
    try {
      const AdmissibleState s =
          Admissible(particle_under({one.equation, renamed, one.equation},
                                    fmt::format("[initial]\n\"x'\" = 1\n\"z'\" = {}\n\"y'\" = {}", here, there)))
              .initial();
      EXPECT_NEAR(s.state.v[2], nearest(one.zeros, here), one.known_to * 10);
      EXPECT_NEAR(s.state.v[1], nearest(other.zeros, there), other.known_to * 10);
      EXPECT_EQ(s.state.v[0], 1);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    }
  }
}

TEST(NearestState, NearerThanWhatNewtonFinds) {
  const AdmissibleState s =
      Admissible(particle_under({"atan(20*(z'-1)) = 0.1*z'"}, "dependent = ['z']\n[initial]\n\"z'\" = 1.591"))
          .initial();
  EXPECT_NEAR(s.state.v[2], 1.00504, 1e-5);
}

TEST(NearestState, FlatRegionsHideNothing) {
  const AdmissibleState s = Admissible(particle_under({"tanh(30*(z'-2)) = -0.5"}, "")).initial();
  EXPECT_NEAR(s.state.v[2], 2 - std::atanh(0.5) / 30, 1e-14);
  // nor does a slope that is steep elsewhere
  const AdmissibleState e = Admissible(particle_under({"exp(50*z') = 1"}, "[initial]\n\"z'\" = 0.5")).initial();
  EXPECT_NEAR(e.state.v[2], 0, 1e-15);
}

// However far the others have to go.
TEST(NearestState, TwoBranchesAreEquallyNearOnlyInWhatTheyAreAbout) {
  const std::string far = "\"y'\" = 0\n\"x'\" = 1\n";
  const AdmissibleState s =
      Admissible(particle_under({"y' = 1000", "(z' - 1e-4)*(z' + 2e-4) = 0"}, "[initial]\n" + far + "\"z'\" = 0"))
          .initial();
  EXPECT_NEAR(s.state.v[2], 1e-4, 1e-16);
  EXPECT_EQ(s.state.v[1], 1000);
  const Error error =
      refusal_of(particle_under({"y' = 1000", "(z' - 1e-4)*(z' + 1e-4) = 0"}, "[initial]\n" + far + "\"z'\" = 0"));
  EXPECT_EQ(error.code(), ErrorCode::no_branch);
  EXPECT_THAT(error.message(), HasSubstr("z' = -0.0001"));
}

// ---- several unknowns

struct Shape {
  std::string equation;  // without "= 0"
  // The nearest of its points to (x, y, z), and how far it is.
  std::array<double, 3> nearest;
  double distance;
};

double away(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// A circle or line in the plane of x' and y', a sphere or plane in space.
Shape random_shape(Random& random, const std::array<double, 3>& from, bool in_space) {
  const auto number = [&](double low, double high) { return rounded(random.uniform(low, high)); };
  std::array<double, 3> c = {number(-3, 3), number(-3, 3), in_space ? number(-3, 3) : 0};
  const std::array<double, 3> p = {from[0], from[1], in_space ? from[2] : 0};
  Shape shape;
  if (random.next() % 2 == 0) {
    const double radius = number(0.2, 3);
    shape.equation = fmt::format("((x' - {})^2 + (y' - {})^2{} - {}^2)", c[0], c[1],
                                 in_space ? fmt::format(" + (z' - {})^2", c[2]) : "", radius);
    const double r = away(p, c);
    for (std::size_t i = 0; i < 3; ++i) shape.nearest[i] = c[i] + (p[i] - c[i]) * radius / r;
  } else {
    std::array<double, 3> n = {number(-1, 1), number(-1, 1), in_space ? number(-1, 1) : 0};
    const double level = number(-2, 2), square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    shape.equation = fmt::format("({}*x' + {}*y' + {}*z' - {})", n[0], n[1], n[2], level);
    const double s = (level - n[0] * p[0] - n[1] * p[1] - n[2] * p[2]) / square;
    for (std::size_t i = 0; i < 3; ++i) shape.nearest[i] = p[i] + s * n[i];
  }
  if (!in_space) shape.nearest[2] = from[2];
  shape.distance = away(shape.nearest, from);
  return shape;
}

TEST(NearestState, OfSeveralUnknownsIsTheNearestPointOfTheNearestShape) {
  for (const std::uint64_t seed : seeds(150).all()) {
    Random random(seed);
    const bool in_space = random.next() % 3 == 0;
    const std::array<double, 3> from = {rounded(random.uniform(-4, 4)), rounded(random.uniform(-4, 4)),
                                        rounded(random.uniform(-4, 4))};
    std::vector<Shape> shapes(1 + random.next() % 3);
    std::string product = "1";
    for (Shape& shape : shapes) {
      shape = random_shape(random, from, in_space);
      product += "*" + shape.equation;
    }
    std::sort(shapes.begin(), shapes.end(), [](const Shape& a, const Shape& b) { return a.distance < b.distance; });
    if (shapes.size() > 1 && shapes[1].distance < 1.01 * shapes[0].distance) continue;
    if (shapes[0].distance < 1e-3) continue;
    const std::string equation = random.next() % 3 == 0 ? "atan(5*" + product + ") = 0" : product + " = 0";
    SCOPED_TRACE(fmt::format("seed {}: {} from {}, {}, {}", seed, equation, from[0], from[1], from[2]));
    try {
      const AdmissibleState s =
          Admissible(particle_under({equation}, fmt::format("[initial]\n\"x'\" = {}\n\"y'\" = {}\n\"z'\" = {}", from[0],
                                                            from[1], from[2])))
              .initial();
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(s.state.v[i], shapes[0].nearest[i], 1e-8);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    }
  }
}

// A line cuts a circle in two points.
TEST(NearestState, OfTwoEquationsIsTheNearestOfTheirCommonPoints) {
  for (const std::uint64_t seed : seeds(60).all()) {
    Random random(seed);
    const auto number = [&](double low, double high) { return rounded(random.uniform(low, high)); };
    const double radius = number(0.5, 4), angle = number(0, 6), level = rounded(radius * random.uniform(-0.9, 0.9));
    const double x0 = number(-5, 5), y0 = number(-5, 5);
    // cos(angle) x + sin(angle) y = level
    const double half = std::sqrt(radius * radius - level * level), c = std::cos(angle), s = std::sin(angle);
    const std::array<double, 2> one = {c * level - s * half, s * level + c * half},
                                other = {c * level + s * half, s * level - c * half};
    const double d1 = std::hypot(one[0] - x0, one[1] - y0), d2 = std::hypot(other[0] - x0, other[1] - y0);
    if (std::fabs(d1 - d2) < 0.01 * d1) continue;
    const std::array<double, 2>& truth = d1 < d2 ? one : other;
    const AdmissibleState found =
        Admissible(particle_under({fmt::format("x'^2 + y'^2 = {}^2", radius),
                                   fmt::format("tanh(3*(cos({0})*x' + sin({0})*y' - {1})) = 0", angle, level)},
                                  fmt::format("[initial]\n\"x'\" = {}\n\"y'\" = {}\n\"z'\" = 1", x0, y0)))
            .initial();
    EXPECT_NEAR(found.state.v[0], truth[0], 1e-9) << seed;
    EXPECT_NEAR(found.state.v[1], truth[1], 1e-9) << seed;
    EXPECT_EQ(found.state.v[2], 1);
  }
}

// ---- none

TEST(NearestState, ThatThereIsNoneIsSaidWhereItIsProved) {
  for (const char* never :
       {"x'^2 + y'^2 + z'^2 + x^2 + 1 = 0", "sin(z') = 2", "tanh(x'*y') = 1.5", "z'^2 - 2*z' + 3 = 0",
        "abs(z' - 1) = -0.25", "exp(x' + y' + z' + x + y + z) = 0", "1/(x' - y') = 0", "2*atan(z') + pi = 0"}) {
    const Error error = refusal_of(particle_under({never}, "[initial]\n\"z'\" = 0.5"));
    EXPECT_EQ(error.code(), ErrorCode::inconsistent_constraints) << never;
    EXPECT_THAT(error.message(), HasSubstr("no state satisfies constraint 1")) << never;
  }
  // of several constraints those are named that have none in common
  const Error two = refusal_of(particle_under({"z' = y'", "x' + y = 1", "2*x' + 2*y = 3"}, ""));
  EXPECT_EQ(two.code(), ErrorCode::inconsistent_constraints);
  EXPECT_THAT(two.message(), HasSubstr("2*x' + 2*y = 3"));
  const Error apart = refusal_of(particle_under({"x'^2 = 4", "z' = 1", "x'^3 = 1"}, ""));
  EXPECT_EQ(apart.message(),
            "the constraints contradict each other: no state satisfies constraints 1 (x'^2 = 4) and 3 (x'^3 = 1)");
}

TEST(NearestState, NoneFoundIsNotNoneExists) {
  // u/√(1 + u²) is never 1, but balls cannot know that of all u
  const Error open = refusal_of(particle_under({"(x' + y')/sqrt(1 + (x' + y')^2) = 1"}, ""));
  EXPECT_EQ(open.code(), ErrorCode::inconsistent_initial_state);
  EXPECT_THAT(open.message(), HasSubstr("no state was found"));
  EXPECT_THAT(open.message(), HasSubstr("not proved"));
  // with the values that are given there is none; with others there is
  const Error here = refusal_of(particle_under({"x'^2 + y'^2 = 1"}, "dependent = ['y']\n[initial]\n\"x'\" = 2"));
  EXPECT_EQ(here.code(), ErrorCode::inconsistent_initial_state);
  EXPECT_THAT(here.message(), HasSubstr("no admissible state can be reached from the given one by changing y'"));
}

}  // namespace
}  // namespace cetaev
