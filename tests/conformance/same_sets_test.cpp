// The same set in other equations: multiplied by what is never zero, velocities and accelerations in it or not, and by numbers of any size.
#include <gtest/gtest.h>

#include "cetaev/analysis/check.hpp"
#include "cetaev/model/read.hpp"
#include "verdict_systems.hpp"

namespace cetaev::conformance {
namespace {

std::vector<int> verdicts_on(const std::string& text) {
  const System system = read_model(text, "random.toml");
  const Check found = check(system);
  return {static_cast<int>(found.classification.rank),
          static_cast<int>(found.homogeneity.conic.answer),
          static_cast<int>(found.energy.conserved.answer),
          found.integrability.decided ? static_cast<int>(found.integrability.integrable) : 2,
          static_cast<int>(found.branches.size()),
          static_cast<int>(found.lower_order.size()),
          found.determinate ? static_cast<int>(*found.determinate) : 2};
}

std::string with_constraints(const std::string& rows) {
  return "coordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"(x'^2 + 2*y'^2 + z'^2)/2 - x - z\"\nconstraints = [" +
         rows + "]\n[initial]\nx = 1\ny = 1\nz = 1\n\"x'\" = 0.5\n\"y'\" = -0.25\n";
}

TEST(SameSets, HaveTheSameVerdictsWhateverNeverVanishesBesideThem) {
  const std::vector<std::string> holonomic = {"x^2 + y^2 + z^2 - 3", "x - y", "x*y - z", "x + sin(t) - y"},
                                 rolling = {"x' - y*z'", "x' - y' - 3/4", "x'^2 - 4*y'^2"};
  const std::vector<std::string> on_velocities = {"(1 + x'^2 + t^2)", "exp(x' - y')",      "cosh(y'*x)",
                                                  "1/(1 + z'^2)",     "(2 + sin(x' + t))", "sqrt(1 + x'^2 + y'^2)"},
                                 on_accelerations = {"(1 + x''^2)", "exp(y'')", "1/(2 + cos(z''))"};
  const auto compare = [&](const std::string& row, const std::string& factor) {
    const std::vector<int> plain = verdicts_on(with_constraints("\"" + row + " = 0\""));
    const std::vector<int> multiplied = verdicts_on(with_constraints("\"" + factor + "*(" + row + ") = 0\""));
    EXPECT_EQ(multiplied, plain) << factor << "*(" << row << ")";
  };
  on_random(12, [&](Dice& dice, std::uint64_t) {
    const bool order_0 = dice.chance(60);
    const std::vector<std::string>& rows = order_0 ? holonomic : rolling;
    const std::vector<std::string>& factors = order_0 && dice.chance(60) ? on_velocities : on_accelerations;
    compare(rows[dice.below(rows.size())], factors[dice.below(factors.size())]);
  });
}

TEST(SameSets, HaveTheSameVerdictsAtEveryScale) {
  const std::vector<std::string> rows = {"x' - y' - 1",         "x' - y*z'",      "x'^2 - y'^2 - 1",
                                         "x^2 + y^2 + z^2 - 3", "x'^3 - y' - z'", "x - y",
                                         "x'*y' - 1",           "sin(x)*x' - y'", "abs(x' - 1) - 2"};
  on_random(8, [&](Dice& dice, std::uint64_t) {
    const std::string& row = rows[dice.below(rows.size())];
    const std::string size = dice.chance(50) ? "1e160" : "1e-160";
    const std::vector<int> expected = verdicts_on(with_constraints("\"" + row + " = 0\""));
    EXPECT_EQ(verdicts_on(with_constraints("\"" + size + "*(" + row + ") = 0\"")), expected) << size << " " << row;
    EXPECT_EQ(verdicts_on(with_constraints("\"k*(" + row + ") = 0\"") + "[parameters]\nk = " + size + "\n"), expected)
        << "k = " << size << " " << row;
  });
}

}  // namespace
}  // namespace cetaev::conformance
