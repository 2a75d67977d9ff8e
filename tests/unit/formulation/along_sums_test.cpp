// Equations in a model's own sums of velocities against the multipliers, which know nothing of sums and of chosen velocities.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

// Accelerations at admissible states taken at random; false where there are no such equations.
bool agrees_along_sums(const System& model, const std::string& name) {
  Groundwork work(model.scratch());
  const AdmissibleState start = work.start().at;
  const auto found = first_order_along_sums(work.setting_at(start), start.state);
  if (!found) return false;
  EXPECT_TRUE(found->global) << name;
  const FirstOrderProgram program(work.system(), *found);
  const NumberedBlocks systems = found->needed_for(found->accelerations);
  const Multipliers multipliers(work.system(), work.terms());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto state = work.admissible().random(seed);
    if (!state) continue;
    std::vector<double> wanted;
    try {
      wanted = multipliers.evaluate(*state).a;
    } catch (const Error&) {
      continue;  // singular, as a random state may be
    }
    const std::vector<double> a = program.values(found->accelerations, systems, state->t, program.state(*state));
    double largest = 1;
    for (const double x : wanted) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(a[i], wanted[i], 1e-8 * largest) << name << " " << i;
  }
  return true;
}

TEST(AlongSums, GivesTheAccelerationsOfTheMultipliers) {
  std::set<std::string> names;
  for (const GalleryModel& entry : gallery()) {
    const std::string name(entry.name);
    try {
      const System model = read_model(std::string(entry.text), name);
      if (model->constraints.empty() || model->size() > 12) continue;
      if (agrees_along_sums(model, name)) names.insert(name);
    } catch (const Error&) {
      // no state, or another form of constraints
    }
  }
  EXPECT_TRUE(names.contains("rattleback"));
  EXPECT_GE(names.size(), 5U);
}

// Time in the constraints and in the Lagrangian, forces on dependent velocities, a sum of sums, and constraints with a part without velocities.
TEST(AlongSums, HasAllTermsOfTheEquations) {
  const System model = read_model(R"toml(
coordinates = ["x", "y", "a", "b"]
kinetic = "m/2*(x'^2 + y'^2) + (3*w1^2 + w1*w2 + 2*w2^2)/2 + (1 + a^2)*b'^2/2 + x*x'/3"
potential = "m*9.81*sin(a)*cos(b) + x*a"
forces = {x = "-x'*y", a = "t*b'", y = "1"}
constraints = ["x'*cos(b) + y'*sin(b) - (1 + t)*w1 = sin(t)", "y'*cos(b) - x'*sin(b) + sqrt(2 + sin(a))*w2 = 0"]
dependent = ["x", "y"]
[definitions]
w1 = "a'*cos(b) - b'*sin(a)"
w2 = "w1*sin(a) + b'*exp(a/3)"
[parameters]
m = 1.7
[initial]
t = 0.2
x = 0.1
y = -0.4
a = 0.3
b = 0.8
"a'" = 0.5
"b'" = -0.9
)toml",
                                  "terms.toml");
  EXPECT_TRUE(agrees_along_sums(model, "terms"));
}

// Many constraints, one after the other: snakes, whose links are each solved for their own turn.
TEST(AlongSums, SolvesTheConstraintsOfAChainInTurn) {
  for (const int links : {5, 6, 13, 30, 60}) {
    const std::string name = "snake-" + std::to_string(links);
    EXPECT_TRUE(agrees_along_sums(read_model(generated_model(name).value(), name), name)) << name;
  }
}

// In another order than they can be solved in, at points without mass, with time, forces, weights and lengths that are all different.
TEST(AlongSums, SolvesConstraintsInTurnWhateverTheirOrder) {
  const std::string model = R"toml(
coordinates = ["x", "y", "a", "b", "c", "d", "e"]
kinetic = "(x'^2 + 2*vx2^2 + 2*vy2^2 + (1 + a^2)*y'^2 + a'^2 + b'^2 + 3*(c' - a')^2 + (2 + sin(t))*d'^2 + e'^2*(2 + cos(b)))/2"
potential = "9.81*sin(a)*cos(d) + x*e + y^2/2"
forces = {x = "-x'*y", a = "t*b'", e = "1 - d'", c = "x'*c'"}
constraints = [
  "(vx2 - 0.3*c'*sin(c))*sin(d) - (vy2 + 0.3*c'*cos(c))*cos(d) - h*d' = 0",
  "vx2*sin(c) - vy2*cos(c) - 0.8*c' = 0",
  "e' = (1 + t)*d'*sin(x) - 2*x'",
  "x'*sin(a) - y'*cos(a) = 0.4*a'",
  "3*b'*PIVOT + vx1*sin(b) - vy1*cos(b) = 0",
]
[definitions]
vx1 = "x' - 0.7*a'*sin(a)"
vy1 = "y' + 0.7*a'*cos(a)"
vx2 = "vx1 - 0.5*b'*sin(b)"
vy2 = "vy1 + 0.5*b'*cos(b)"
[parameters]
h = 1.7
[initial]
t = 0.2
x = 0.1
y = -0.4
a = 0.3
b = 0.8
c = -0.5
d = 0.9
e = 0.2
"x'" = 0.5
"y'" = -0.9
)toml";
  const auto with_pivot = [&](const std::string& pivot) {
    std::string text = model;
    text.replace(text.find("PIVOT"), 5, pivot);
    return read_model(text, "turns.toml");
  };
  EXPECT_TRUE(agrees_along_sums(with_pivot("h"), "turns"));
  // what may vanish is not divided by
  EXPECT_FALSE(agrees_along_sums(with_pivot("sin(d)"), "turns"));
}

// The first axle of trailers has no constant coefficient: its direction is the root, and the trailers follow in turn.
TEST(AlongSums, SolvesTrailersFromTheirFirstAxle) {
  for (const int trailers : {4, 5, 12, 40}) {
    const std::string name = "trailer-" + std::to_string(trailers);
    EXPECT_TRUE(agrees_along_sums(read_model(generated_model(name).value(), name), name)) << name;
  }
}

// Two roots, one of them with time in it, and forces beside them.
TEST(AlongSums, HasAllTermsOfItsRoots) {
  const System model = read_model(R"toml(
coordinates = ["x", "y", "z", "w", "a", "b", "c", "d", "e"]
kinetic = "(x'^2 + 2*y'^2 + z'^2 + (1 + a^2)*w'^2 + vx^2 + vy^2 + a'^2 + b'^2 + 3*(c' - a')^2 + (2 + sin(t))*d'^2 + e'^2*(2 + cos(b)))/2"
potential = "9.81*sin(a)*cos(d) + x*e + y^2/2 + z*w"
forces = {x = "-x'*y", a = "t*b'", e = "1 - d'", c = "x'*c'"}
constraints = [
  "vx*sin(b) - vy*cos(b) = 0.4*b'",
  "x'*sin(a) - y'*cos(a) = 0",
  "z'*cos(t + a) + w'*sin(t + a) = 0",
  "3*c' + vx*sin(b) - z'*t = 0",
  "2*d' = c'*sin(x) + w'",
  "e' = (1 + t)*d'*sin(x) - 2*x'",
]
[definitions]
vx = "x' - 0.7*a'*sin(a)"
vy = "y' + 0.7*a'*cos(a)"
[initial]
t = 0.2
x = 0.1
y = -0.4
z = 0.6
w = -0.2
a = 0.3
b = 0.8
c = -0.5
d = 0.9
e = 0.2
"x'" = 0.5
"a'" = -0.9
"z'" = 0.4
)toml",
                                  "roots.toml");
  EXPECT_TRUE(agrees_along_sums(model, "roots"));
}

// Of the velocities that a link may be solved for, the one with the small coefficient would multiply roundings by a hundred at every link.
TEST(AlongSums, DividesByTheLargestCoefficients) {
  constexpr int links = 10;
  std::string coordinates = "\"a0\"", kinetic = "a0'^2", constraints, initial = "a0 = 0.7\n\"a0'\" = 0.9\n";
  for (int i = 1; i <= links; ++i) {
    const std::string k = std::to_string(i), before = std::to_string(i - 1);
    coordinates += ", \"a" + k + "\", \"b" + k + "\"";
    kinetic += " + (2 + cos(a" + before + "))*a" + k + "'^2 + 3*b" + k + "'^2";
    constraints += "  \"0.01*a" + k + "' + b" + k + "' = (1 + sin(a" + before + ")/2)*a" + before + "'\",\n";
    initial += "a" + k + " = 0.3\nb" + k + " = 0.1\n\"a" + k + "'\" = " + std::to_string(0.2 * i - 1.1) + "\n";
  }
  const System model = read_model("coordinates = [" + coordinates + "]\nkinetic = \"(" + kinetic +
                                      ")/2\"\nconstraints = [\n" + constraints + "]\n[initial]\n" + initial,
                                  "pivots.toml");
  EXPECT_TRUE(agrees_along_sums(model, "pivots"));
}

}  // namespace
}  // namespace cetaev
