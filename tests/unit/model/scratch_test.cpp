// A System is a handle; its scratch copies have every expression in a context of their own.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <vector>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

// Every section that holds expressions.
const char* const everything = R"toml(
coordinates = ["x", "y", "phi"]
kinetic = "m/2*phi'^2"
potential = "-m*g*x"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
auxiliary = ["x'*cos(phi) + y'*sin(phi)", "phi'"]
substituted = ["x' = y'"]
transpositional = [["x''", "41*y'", 0], [0, 0, 0], [0, 0, "phi*t/43"]]
[[points]]
name = "P"
mass = "m"
position = ["x", "y", "0"]
[definitions]
d = "2*P"
[parameters]
m = 2
g = "m*5"
[forces]
phi = "-phi'"
[alternatives.other]
constraints = ["x' = 0"]
[quasi_velocities]
u = "x'*cos(phi) + y'*sin(phi)"
w = "phi'"
[integrals]
E = "phi'"
[closed_form]
phi = "t/3"
[events]
turn = {when = "x' - 7"}
[initial]
x = "m"
"phi'" = "g"
t = "m/11"
lambda = ["g/13"]
lambda0 = ["m/47", 53]
[view]
points = ["P"]
traces = ["P"]
links = [["P", "[0, 0, 17]"]]
blades = [{at = "P", along = "[cos(phi), 19, 0]"}]
wheels = [{at = "P", axle = "[0, 0, 23]", radius = "m/29", spoke = "[31, 0, 0]"}]
balls = [{at = "P", radius = "m/37"}]
)toml";

// All expressions of a system, found by writing down each of its lists.
std::vector<Expr> expressions(const System& s) {
  std::vector<Expr> all;
  const auto put = [&](const auto& list) { all.insert(all.end(), list.begin(), list.end()); };
  put(s->motion.q), put(s->motion.v), put(s->motion.a), all.push_back(s->motion.t);
  for (const Parameter& p : s->parameters) all.insert(all.end(), {p.symbol, p.definition});
  for (const Point& p : s->points) all.push_back(p.mass), put(p.position);
  for (const Definition& d : s->definitions) put(d.components);
  all.insert(all.end(), {s->lagrangian, *s->kinetic, *s->potential, *s->kinetic_besides_points});
  put(s->forces), put(s->auxiliary), put(s->transpositional->A.entries), put(s->initial.lambda0);
  for (const Constraint& c : s->constraints) all.push_back(c.expression);
  for (const Constraint& c : s->alternatives.at(0).constraints) all.push_back(c.expression);
  for (const Constraint& c : s->substituted) all.push_back(c.expression);
  for (const NamedExpression& e : s->quasi_velocities) all.push_back(e.expression);
  for (const NamedExpression& e : s->integrals) all.push_back(e.expression);
  for (const ClosedForm& f : s->closed_form) all.push_back(f.expression);
  for (const Event& e : s->events) all.push_back(e.when);
  all.insert(all.end(), {*s->initial.q.at(0), *s->initial.v.at(2), *s->initial.t, s->initial.lambda.at(0)});
  const View& view = *s->view;
  put(view.points.at(0).at), put(view.traces.at(0).at), put(view.links.at(0).at(1));
  put(view.blades.at(0).at), put(view.blades.at(0).along);
  put(view.wheels.at(0).at), put(view.wheels.at(0).axle), put(*view.wheels.at(0).spoke);
  put(view.balls.at(0).at);
  all.insert(all.end(), {view.wheels.at(0).radius, view.balls.at(0).radius});
  return all;
}

TEST(Scratch, HasEveryExpressionInAContextOfItsOwn) {
  const System system = read_model(everything, "everything.toml");
  const System scratch = system.scratch();
  const std::vector<Expr> here = expressions(system), there = expressions(scratch);
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(&here[i].context(), system->context.get());
    EXPECT_EQ(&there[i].context(), scratch->context.get()) << to_string(here[i]);
    EXPECT_EQ(there[i].id(), here[i].id());
    EXPECT_EQ(to_string(there[i]), to_string(here[i]));
  }
}

TEST(Scratch, CanBeAddedToAndTheModelCannot) {
  const System system = read_model(everything, "everything.toml");
  EXPECT_TRUE(system->context->frozen());
  EXPECT_THROW((void)parse_expression(system, "x*y*phi"), Error);
  const System scratch = system.scratch();
  EXPECT_EQ(to_string(parse_expression(scratch, "x*y*phi")), "x*y*phi");
  EXPECT_EQ(scratch.workable()->context, scratch->context);
  EXPECT_NE(system.workable()->context, system->context);
}

TEST(Scratch, ACopyOfAHandleKeepsAliveWhatItRefersTo) {
  System kept;
  Expr lagrangian;
  {
    const System system = read_model(everything, "everything.toml");
    kept = system;
    lagrangian = system->lagrangian;
  }
  EXPECT_EQ(kept->lagrangian, lagrangian);
  EXPECT_EQ(kept->coordinates.size(), 3u);
}

TEST(Scratch, AChangeLeavesTheOriginalAsItWas) {
  const System system = read_model(everything, "everything.toml");
  const System changed = system.with([](SystemData& data) { data.constraints.clear(); });
  EXPECT_EQ(system->constraints.size(), 1u);
  EXPECT_TRUE(changed->constraints.empty());
  EXPECT_EQ(changed->context, system->context);
}

TEST(Scratch, IntoAnotherContextSymbolsOfOneNameAreOne) {
  const System system = read_model(everything, "everything.toml"), home = system.scratch();
  const System guest = system.into(home->context);
  EXPECT_EQ(guest->motion.q, home->motion.q);
  EXPECT_EQ(guest->lagrangian, home->lagrangian);
}

}  // namespace
}  // namespace cetaev
