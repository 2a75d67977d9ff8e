// A factor that is never zero says nothing: a constraint multiplied by it is of the order that it has without.
#include <gtest/gtest.h>

#include <string>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

System constrained(const std::string& equation) {
  return read_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"" + equation + "\"]\n",
      "m.toml");
}

int order_of(const std::string& equation) { return constrained(equation)->constraints.at(0).order; }

std::string text_of(const std::string& equation) {
  const System system = constrained(equation);
  return to_string(system->constraints.at(0).expression);
}

TEST(NonzeroFactors, LeaveTheOrderOfAConstraint) {
  for (const char* factor : {"(1 + x'^2 + t^2)", "exp(x')", "cosh(y' - t)", "(2 + sin(x'*y))", "1/(1 + y'^2)",
                             "sqrt(1 + x'^2)", "(1 + x''^2)", "exp(-x'')*exp(y')", "(1 + x'^2)*(3 + cos(y''))"}) {
    const std::string written = std::string(factor) + "*(x - 3*y) = 0";
    EXPECT_EQ(order_of(written), 0) << factor;
    EXPECT_EQ(text_of(written), "x - 3*y") << factor;
  }
  EXPECT_EQ(order_of("x + x*x'^2 = 3*y*(1 + x'^2)"), 0);  // multiplied out
  for (const char* factor : {"(1 + x''^2)", "exp(y'')", "1/(1 + y''^2)"}) {
    const std::string written = std::string(factor) + "*(x' - 3*y') = 0";
    EXPECT_EQ(order_of(written), 1) << factor;
    EXPECT_EQ(text_of(written), "x' - 3*y'") << factor;
  }
}

TEST(NonzeroFactors, AreNotConfusedWithOnesThatVanishOrAreNotDefinedEverywhere) {
  for (const char* factor : {"(x' - 1)", "x'^2", "1/(x' - 1)", "exp(1/x')", "sqrt(x')", "(1 + sin(x'))", "log(x')"})
    EXPECT_EQ(order_of(std::string(factor) + "*(x - 3*y) = 0"), 1) << factor;
  EXPECT_EQ(order_of("(1 + y'^2)*(x' - 3*y') = 0"), 1);
  EXPECT_EQ(order_of("(x'' - 1)*(x' - 3*y') = 0"), 2);
}

}  // namespace
}  // namespace cetaev
