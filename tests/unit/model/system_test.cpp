// What a model file becomes.
#include "cetaev/model/system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cetaev/expr/evaluate.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

std::string skate() { return std::string(CETAEV_SOURCE_DIR) + "/gallery/skate.toml"; }

TEST(System, ReadsTheSkate) {
  const System s = scratch_model_file(skate());
  EXPECT_EQ(s->name, "Skate on an inclined plane");
  EXPECT_EQ(s->coordinates, (std::vector<std::string>{"x", "y", "phi"}));
  EXPECT_EQ(s->lagrangian, parse_expression(s, "m/2*(x'^2 + y'^2) + J/2*phi'^2 + m*g*x*sin(slope)"));
  EXPECT_FALSE(s->kinetic);
  ASSERT_EQ(s->constraints.size(), 1u);
  EXPECT_EQ(s->constraints[0].order, 1);
  EXPECT_EQ(s->constraints[0].text, "x'*sin(phi) - y'*cos(phi) = 0");
  EXPECT_EQ(s->constraints[0].label(), "x'*sin(phi) - y'*cos(phi) = 0");
  EXPECT_EQ(s->dependent, (std::vector<std::size_t>{1}));
  EXPECT_EQ(s->auxiliary.size(), 2u);
  ASSERT_EQ(s->quasi_velocities.size(), 2u);
  EXPECT_EQ(s->quasi_velocities[1].name, "w");
  EXPECT_EQ(s->initial.v[2], s->context->number(Rational(13, 10)));
  EXPECT_FALSE(s->initial.v[1]);
  EXPECT_EQ(s->simulation.t_end, 10.0);
}

TEST(System, SymbolsAreCreatedInTheOrderOfTheFile) {
  const System s = scratch_model_file(skate());
  std::vector<Expr> symbols = s->motion.q;
  symbols.insert(symbols.end(), s->motion.v.begin(), s->motion.v.end());
  symbols.insert(symbols.end(), s->motion.a.begin(), s->motion.a.end());
  symbols.push_back(s->motion.t);
  for (const Parameter& p : s->parameters) symbols.push_back(p.symbol);
  EXPECT_TRUE(std::is_sorted(symbols.begin(), symbols.end()));
  EXPECT_EQ(to_string(s->motion.a[2]), "phi''");
}

TEST(System, TheKineticEnergyOfPointsIsAddedToThatWritten) {
  const System s = scratch_model(R"toml(
coordinates = ["r", "θ"]
kinetic = "J/2*θ'^2"
potential = "m*g*r*sin(θ)"
[[points]]
mass = "m"
position = ["r*cos(θ)", "r*sin(θ)", 0]
[parameters]
m = 2
J = 3
g = 9.81
)toml",
                                 "dir/polar.toml");
  EXPECT_EQ(s->name, "polar");
  ASSERT_TRUE(s->kinetic && s->potential);
  // ½ m (r'² + r² θ'²) + ½ J θ'², by numbers at one state
  const std::vector<Value> at = {
      {s->motion.q[0], 1.5},        {s->motion.q[1], 0.4},        {s->motion.v[0], -0.7},         {s->motion.v[1], 1.1},
      {s->parameters[0].symbol, 2}, {s->parameters[1].symbol, 3}, {s->parameters[2].symbol, 9.81}};
  EXPECT_NEAR(evaluate(*s->kinetic, at), 0.7 * 0.7 + 1.5 * 1.5 * 1.1 * 1.1 + 1.5 * 1.1 * 1.1, 1e-14);
  EXPECT_EQ(s->lagrangian, *s->kinetic - *s->potential);
}

TEST(System, WithALagrangianPointsAreGeometryOnly) {
  const System s = scratch_model(
      "coordinates = [\"x\"]\nlagrangian = \"P.x'^2\"\n[[points]]\nname = \"P\"\nposition = \"[x, 0, 0]\"\n", "m.toml");
  EXPECT_EQ(to_string(s->lagrangian), "x'^2");
  EXPECT_TRUE(s->points[0].mass.is_zero());
}

TEST(System, APotentialAloneIsEnough) {
  EXPECT_EQ(to_string(scratch_model("coordinates = [\"x\"]\npotential = \"x^2\"\n", "m.toml")->lagrangian), "-x^2");
}

TEST(System, AVectorEquationStandsForItsComponents) {
  const System s = scratch_model(R"toml(
coordinates = ["x1", "y1", "x2", "y2"]
kinetic = "x1'^2"
constraints = ["cross(P1', P2') = 0", "0 = P1 - [x1, x2, 0]", "dot(P1', P2')", "P1 = P1"]
[[points]]
name = "P1"
mass = 1
position = ["x1", "y1", "0"]
[[points]]
name = "P2"
mass = 1
position = ["x2", "y2", "0"]
)toml",
                                 "m.toml");
  ASSERT_EQ(s->constraints.size(), 3u);
  EXPECT_EQ(s->constraints[0].label(), "cross(P1', P2') = 0 (z)");
  EXPECT_EQ(s->constraints[0].entry, 0u);
  EXPECT_EQ(s->constraints[0].component, 2);
  EXPECT_EQ(s->constraints[0].expression, parse_expression(s, "x1'*y2' - y1'*x2'"));
  EXPECT_EQ(s->constraints[1].label(), "0 = P1 - [x1, x2, 0] (y)");
  EXPECT_EQ(s->constraints[1].expression, parse_expression(s, "x2 - y1"));
  EXPECT_EQ(s->constraints[1].order, 0);
  EXPECT_EQ(s->constraints[2].component, -1);
  EXPECT_EQ(s->constraints[2].entry, 2u);
}

TEST(System, TheOrderIsThatOfTheHighestDerivativeReallyContained) {
  const System s = scratch_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "x'^2 + y'^2"
constraints = ["x^2 + y^2 = 1", "x' = y", "x''*y = t", "x'' - x'' + y' = 0", "x'*(sin(x'')^2 + cos(x'')^2) = 1",
               "x + (x' + 1)^2 - x'^2 - 2*x' = 0", "(x*y)'' = 0", "t = 3", "1 = 0", "sin(x)^2 + cos(x)^2 = 1"]
)toml",
                                 "m.toml");
  std::vector<int> orders;
  for (const Constraint& c : s->constraints) orders.push_back(c.order);
  EXPECT_EQ(orders, (std::vector<int>{0, 1, 2, 1, 1, 0, 2, 0, 0}));  // the last vanishes identically
  // What has no influence is gone.
  EXPECT_FALSE(depends_on(s->constraints[4].expression, s->motion.a));
  EXPECT_FALSE(depends_on(s->constraints[5].expression, s->motion.v));
}

TEST(System, TextsOfSeveralLinesBecomeOne) {
  const System s = scratch_model(
      "coordinates = [\"x\"]\nlagrangian = \"0\"\nconstraints = [\"\"\"\n  x' =\n    2*x\n\"\"\"]\n", "m.toml");
  EXPECT_EQ(s->constraints[0].text, "x' = 2*x");
  EXPECT_EQ(s->constraints[0].position.line, 4u);
  EXPECT_EQ(s->constraints[0].position.column, 3u);
}

TEST(System, DefinitionsAndPointsAreUsedBeforeAndAfterTheyAreWritten) {
  const System s = scratch_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "e'"
[definitions]
e = "dot(d, d) + k"
d = "2*P"
k = "2*g"
[[points]]
name = "P"
position = ["x", "y*h", 0]
[parameters]
g = 1
h = "k + 1"
)toml",
                                 "m.toml");
  EXPECT_EQ(s->lagrangian, parse_expression(s, "8*x*x' + 8*h^2*y*y'"));
  EXPECT_EQ(s->definitions[0].name, "e");
  EXPECT_EQ(s->definitions[1].components.size(), 3u);
  EXPECT_EQ(to_string(s->parameters[1].definition), "2*g + 1");
}

TEST(System, NumbersAreExact) {
  const System s = scratch_model(R"toml(
coordinates = ["x"]
lagrangian = "0.1*x + 1e-3"
[parameters]
a = 0.1
b = 123456789012345678901234567890.5
c = "0.30000000000000000000001"
d = 1_000
)toml",
                                 "m.toml");
  EXPECT_EQ(to_string(s->lagrangian), "x/10 + 1/1000");
  EXPECT_EQ(s->parameters[0].definition.number(), Rational(1, 10));
  EXPECT_EQ(s->parameters[1].definition.number().to_string(), "246913578024691357802469135781/2");
  EXPECT_EQ(s->parameters[2].definition.number().to_string(), "30000000000000000000001/100000000000000000000000");
  EXPECT_EQ(s->parameters[3].definition.number(), Rational(1000));
}

TEST(System, ExpressionsMeanWhatTheyMeanInMechanics) {
  const System s = scratch_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "0"
[[points]]
name = "P"
position = ["x", "y", "t"]
[definitions]
d = "2*P - [1, 0, 0]"
[parameters]
m = 2
)toml",
                                 "m.toml");
  const auto same = [&](const char* a, const char* b) {
    EXPECT_EQ(parse_expression(s, a), parse_expression(s, b)) << a << "   " << b;
  };
  same("-x^2", "0 - x*x");
  same("2^3^2", "512");
  same("2^-1", "1/2");
  same("2*-x", "-2*x");
  same("x - y - x", "-y");
  same("8/4/2", "1");
  same("(x*y)'", "x'*y + x*y'");
  same("(x^2)''", "2*x'^2 + 2*x*x''");
  same("m'", "0");
  same("t'", "1");
  same("(m*t^2)'", "2*m*t");
  same("P'.z", "1");
  same("P.x'", "x'");
  same("d'.y", "2*y'");
  same("norm(P)", "sqrt(x^2 + y^2 + t^2)");
  same("dot(P, d)", "x*(2*x - 1) + 2*y^2 + 2*t^2");
  same("cross(P, [1, 0, 0]).z", "-y");
  same("cross([1, 0, 0], [0, 1, 0]).z", "1");
  same("(P/2).x", "x/2");
  same("(P*3 - 3*P).y", "0");
  same("(-P).y", "-y");
  same("dot(P', P')", "x'^2 + y'^2 + 1");
  same("sqrt(4)*sin(pi/6)", "1");
  same("(sin(x))'", "cos(x)*x'");
  same(" x\n+\ty ", "y + x");
}

TEST(System, InitialValuesAreNumbersOrExpressionsOfParameters) {
  const System s = scratch_model(R"toml(
coordinates = ["x", "lambda"]
lagrangian = "0"
[parameters]
l = 2
[initial]
x = "l/3"
"x'" = -1
lambda = 0.5
t = "pi"
)toml",
                                 "m.toml");
  EXPECT_EQ(to_string(*s->initial.q[0]), "l/3");
  EXPECT_EQ(to_string(*s->initial.v[0]), "-1");
  EXPECT_EQ(to_string(*s->initial.q[1]), "1/2");
  EXPECT_FALSE(s->initial.has_lambda);
  EXPECT_EQ(*s->initial.t, s->context->pi());
  const System other =
      scratch_model("coordinates = [\"x\"]\nlagrangian = \"0\"\n[initial]\nlambda = [1, \"1/2\"]\n", "m.toml");
  EXPECT_TRUE(other->initial.has_lambda);
  EXPECT_EQ(other->initial.lambda.size(), 2u);
}

TEST(System, AListCalledLambdaIsTheMultipliersWhateverElseIsCalledSo) {
  const System coordinate = scratch_model(
      "coordinates = [\"lambda\"]\nlagrangian = \"0\"\n[initial]\nlambda = [1, 2]\n\"lambda'\" = 3\n", "m.toml");
  EXPECT_EQ(coordinate->initial.lambda.size(), 2u);
  EXPECT_FALSE(coordinate->initial.q[0]);
  EXPECT_EQ(to_string(*coordinate->initial.v[0]), "3");
  const System parameter = scratch_model(
      "coordinates = [\"x\"]\nlagrangian = \"0\"\n[parameters]\nlambda = 7\n[initial]\nlambda = [\"lambda/2\"]\n",
      "m.toml");
  ASSERT_EQ(parameter->initial.lambda.size(), 1u);
  EXPECT_EQ(to_string(parameter->initial.lambda[0]), "lambda/2");
}

TEST(System, SimulationDefaultsAreRead) {
  const System s = scratch_model(
      "coordinates = [\"x\"]\nlagrangian = \"0\"\n[simulation]\nt_end = \"2*pi\"\nsamples = 11\ntolerance = 1e-9\n"
      "method = \"dop853\"\nform = \"auto\"\n",
      "m.toml");
  EXPECT_DOUBLE_EQ(*s->simulation.t_end, 6.283185307179586);
  EXPECT_EQ(s->simulation.samples, 11);
  EXPECT_EQ(s->simulation.tolerance, 1e-9);
  EXPECT_EQ(s->simulation.method->name, "dop853");
  EXPECT_EQ(s->simulation.form->name, "auto");
  EXPECT_EQ(s->simulation.form->position.line, 8U);
  EXPECT_EQ(s->simulation.form->position.column, 9U);
}

TEST(System, EventsAreRead) {
  const System s = scratch_model(R"toml(
coordinates = ["x", "y"]
lagrangian = "x'^2 + y'^2"
[parameters]
h = 2
[definitions]
height = "y - h"
[events]
ground = "height"
"upper turn" = {when = "y'", direction = -1}
late = {when = "t - 5", direction = +1, action = "stop"}
[events.far]
when = "x - 10"
action = "record"
)toml",
                                 "m.toml");
  ASSERT_EQ(s->events.size(), 4u);
  EXPECT_EQ(s->events[0].name, "ground");
  EXPECT_EQ(to_string(s->events[0].when), "y - h");
  EXPECT_EQ(s->events[0].direction, 0);
  EXPECT_FALSE(s->events[0].stop);
  EXPECT_EQ(s->events[0].position.line, 9u);
  EXPECT_EQ(s->events[1].name, "upper turn");
  EXPECT_EQ(s->events[1].when, s->motion.v[1]);
  EXPECT_EQ(s->events[1].direction, -1);
  EXPECT_EQ(s->events[2].direction, 1);
  EXPECT_TRUE(s->events[2].stop);
  EXPECT_EQ(s->events[3].name, "far");
  EXPECT_FALSE(s->events[3].stop);
}

TEST(System, KeepsItsTextAndSettings) {
  const std::string text = "coordinates = [\"x\"]\nlagrangian = \"m*x'^2\"\n[parameters]\nm = 1\n";
  const std::vector<std::string> settings = {"m=2", "x'=1"};
  const System s = scratch_model(text, "m.toml", settings);
  EXPECT_EQ(s->text, text);
  EXPECT_EQ(s->settings, settings);
}

TEST(System, EveryGalleryModelIsRead) {
  for (const auto& file : std::filesystem::directory_iterator(std::string(CETAEV_SOURCE_DIR) + "/gallery"))
    if (file.path().extension() == ".toml") {
      EXPECT_NO_THROW(scratch_model_file(file.path().string())) << file.path();
    }
}

// A chain of links with a blade under each; the work must grow with the length of the file, not with its square.
std::string snake(int links) {
  std::string coordinates = "\"x\", \"y\"", kinetic = "0", constraints, points;
  for (int i = 1; i <= links; ++i) {
    const std::string n = std::to_string(i), p = std::to_string(i - 1);
    coordinates += ", \"θ" + n + "\"";
    kinetic += " + J/2*θ" + n + "'^2";
    constraints += "  \"P" + n + ".x'*sin(θ" + n + ") - P" + n + ".y'*cos(θ" + n + ") = 0\",\n";
    points += "[[points]]\nname = \"P" + n + "\"\nmass = \"m\"\nposition = ";
    points += i == 1
                  ? "[\"x\", \"y\", 0]\n"
                  : "\"P" + p + " + l/2*[cos(θ" + p + ") + cos(θ" + n + "), sin(θ" + p + ") + sin(θ" + n + "), 0]\"\n";
  }
  return "coordinates = [" + coordinates + "]\nkinetic = \"" + kinetic + "\"\nconstraints = [\n" + constraints + "]\n" +
         points + "[parameters]\nm = 1\nl = 1\nJ = 0.1\n";
}

TEST(System, ASnakeOfAThousandLinksHasNodesInProportion) {
  const System s = scratch_model(snake(1000), "snake.toml");
  EXPECT_EQ(s->constraints.size(), 1000u);
  EXPECT_TRUE(
      std::all_of(s->constraints.begin(), s->constraints.end(), [](const Constraint& c) { return c.order == 1; }));
  EXPECT_LT(s->context->node_count(), 100'000u);
}

TEST(System, TheSameFileGivesTheSameExpressionsEveryTime) {
  const System a = scratch_model_file(skate()), b = scratch_model_file(skate());
  EXPECT_EQ(to_string(a->lagrangian), to_string(b->lagrangian));
  EXPECT_EQ(a->context->node_count(), b->context->node_count());
  EXPECT_NE(a->context, b->context);
}

}  // namespace
}  // namespace cetaev
