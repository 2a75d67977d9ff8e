#include "cetaev/model/build.hpp"

#include <gtest/gtest.h>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

SystemBuilder skate() {
  return SystemBuilder()
      .name("Skate \"in\" C++")
      .coordinates({"x", "y", "phi"})
      .lagrangian("m/2*(x'^2 + y'^2) + J/2*phi'^2 + m*g*x*sin(slope)")
      .constraint("x'*sin(phi) - y'*cos(phi) = 0")
      .parameter("m", 1)
      .parameter("J", "m/2")
      .parameter("g", 9.81)
      .parameter("slope", "pi/6")
      .event("turn", "x'", -1, true)
      .initial("phi'", 1.3);
}

TEST(SystemBuilder, SaysTheSameAsAFile) {
  const System built = skate().build();
  EXPECT_EQ(built->name, "Skate \"in\" C++");
  EXPECT_EQ(built->coordinates, (std::vector<std::string>{"x", "y", "phi"}));
  EXPECT_EQ(to_string(built->lagrangian), to_string(parse_expression(built.scratch(),
                                                                     "m/2*(x'^2 + y'^2) + J/2*phi'^2 + "
                                                                     "m*g*x*sin(slope)")));
  ASSERT_EQ(built->constraints.size(), 1u);
  EXPECT_EQ(built->constraints[0].text, "x'*sin(phi) - y'*cos(phi) = 0");
  EXPECT_EQ(to_string(built->parameters[1].definition), "m/2");
  ASSERT_EQ(built->events.size(), 1u);
  EXPECT_EQ(built->events[0].direction, -1);
  EXPECT_TRUE(built->events[0].stop);
  EXPECT_EQ(to_string(*built->initial.v[2]), "13/10");
}

TEST(SystemBuilder, NumbersKeepEveryBit) {
  for (const double value : {1.0 / 3.0, -5e-324, 1.7976931348623157e308, 6.02214076e23, -0.0}) {
    const System built =
        SystemBuilder().coordinates({"x"}).lagrangian("x'^2").parameter("a", value).initial("x", value).build();
    EXPECT_EQ(built->parameters[0].definition.number().to_double(), value);
    EXPECT_EQ(built->initial.q[0]->number().to_double(), value);
  }
  EXPECT_THROW(SystemBuilder().parameter("a", std::numeric_limits<double>::quiet_NaN()), Error);
}

TEST(SystemBuilder, MistakesAreShownInTheTextItStandsFor) {
  try {
    SystemBuilder().coordinates({"x"}).lagrangian("z'^2").build();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_name);
    ASSERT_TRUE(error.position());
    EXPECT_EQ(error.position()->line_text, "lagrangian = \"z'^2\"");
  }
}

TEST(SystemBuilder, EverySectionIsWritten) {
  const System built = SystemBuilder()
                           .coordinates({"x", "y"})
                           .kinetic("0")
                           .potential("k*d^2")
                           .point("P", "2", {"x", "y", "0"})
                           .definition("d", "x - y")
                           .parameter("k", 3)
                           .constraint("x' = y'")
                           .dependent({"y"})
                           .auxiliary("x'")
                           .transpositional({{"0", "x''"}, {"t", "0"}})
                           .lambda({0.1})
                           .lambda0({-2.5})
                           .force("x", "-x'")
                           .quasi_velocity("u", "x' + y'")
                           .integral("p", "x' - y'")
                           .build();
  EXPECT_EQ(built->points.size(), 1u);
  EXPECT_EQ(to_string(*built->potential), "k*(x - y)^2");
  EXPECT_EQ(built->dependent, std::vector<std::size_t>{1});
  EXPECT_EQ(built->auxiliary.size(), 1u);
  EXPECT_EQ(built->transpositional->view, Transpositional::View::written);
  EXPECT_EQ(to_string(built->transpositional->A(0, 1)), "x''");
  EXPECT_EQ(to_string(built->transpositional->A(1, 0)), "t");
  EXPECT_EQ(to_string(built->initial.lambda.at(0)), "1/10");
  EXPECT_EQ(to_string(built->initial.lambda0.at(0)), "-5/2");
  EXPECT_EQ(built->quasi_velocities[0].name, "u");
  EXPECT_EQ(built->integrals[0].name, "p");
  EXPECT_EQ(to_string(built->forces[0]), "-x'");
}

}  // namespace
}  // namespace cetaev
