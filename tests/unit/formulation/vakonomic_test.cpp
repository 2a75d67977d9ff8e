// λ₀ of constraints that say the same: it acts through all of them as they are written.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

constexpr const char* state = R"(
[initial]
x = 0.7
y = -0.4
z = 0.3
"x'" = 1.1
"y'" = 0.6
)";

std::vector<double> vakonomic(const std::string& constraints, const std::string& lambda) {
  const System system = scratch_model(
      fmt::format("coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + 2*y'^2 + 3*z'^2)/2 - x*y + cos(z)\"\n"
                  "constraints = [{}]\ndependent = ['z']\n{}\nlambda = [{}]\n",
                  constraints, state, lambda),
      "vakonomic.toml");
  const Evaluation e = evaluate(system, EvaluationOptions{{Form::vakonomic}, false});
  EXPECT_TRUE(e.find(Form::vakonomic)->values) << e.find(Form::vakonomic)->error->message();
  return e.find(Form::vakonomic)->values->a;
}

// φ_d = C φ: J_d = C J on the set, and Λ = λ + C λ_d.
TEST(Vakonomic, RowsThatAreMultiplesOfEachOtherShareTheirMultipliers) {
  struct Factor {
    std::string text;
    double value;
  };
  const double x = 0.7, y = -0.4, z = 0.3, u = 1.1, w = 0.6;
  const std::vector<Factor> factors = {{"1", 1},
                                       {"-3", -3},
                                       {"(2 + sin(x))", 2 + std::sin(x)},
                                       {"exp(y - z)", std::exp(y - z)},
                                       {"(1 + x'^2)", 1 + u * u},
                                       {"(x'*cos(z) + y')", u * std::cos(z) + w}};
  for (const std::string equation :
       {"z' - x*y' + sin(y)*x'", "z' - x*x'^2 - y'*cos(z)", "z' - sqrt(x'^2 + y'^2 + 1)*y"}) {
    for (const Factor& one : factors) {
      for (const Factor& other : factors) {
        const double l1 = 0.4, l2 = -0.7, l3 = 0.9;
        const std::string single = "\"" + equation + " = 0\"";
        const std::vector<double> truth =
            vakonomic(single, fmt::format("{:.17g}", l1 + one.value * l2 + other.value * l3));
        const std::vector<double> found =
            vakonomic(fmt::format("{0}, \"{1}*({3}) = 0\", \"{2}*({3}) = 0\"", single, one.text, other.text, equation),
                      fmt::format("{}, {}, {}", l1, l2, l3));
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_NEAR(found[i], truth[i], 1e-10 * (1 + std::fabs(truth[i])))
              << equation << ", " << one.text << ", " << other.text;
        }
      }
    }
  }
}

// The sum of two constraints beside both.
TEST(Vakonomic, RowsThatAreCombinationsGiveTheirMultipliersToAllOfThem) {
  const auto two = [](const std::string& rest, const std::string& lambda) {
    const System system = scratch_model(
        fmt::format(
            "coordinates = ['x', 'y', 'z', 'w']\nlagrangian = \"(x'^2 + 2*y'^2 + 3*z'^2 + w'^2)/2 - x*w\"\n"
            "constraints = [\"z' - x*y'^2 = 0\", \"w' - y*x' - z = 0\"{}]\ndependent = ['z', 'w']\n{}\nlambda = [{}]\n",
            rest, state, lambda),
        "vakonomic.toml");
    const Evaluation e = evaluate(system, EvaluationOptions{{Form::vakonomic}, false});
    return e.find(Form::vakonomic)->values->a;
  };
  // 5 (first) + (2 + x) (second), x = 0.7
  const std::vector<double> truth = two("", fmt::format("{}, {:.17g}", 0.3 + 5 * 0.6, -0.2 + 2.7 * 0.6));
  const std::vector<double> found = two(", \"5*(z' - x*y'^2) + (2 + x)*(w' - y*x' - z) = 0\"", "0.3, -0.2, 0.6");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], truth[i], 1e-11) << i;
}

}  // namespace
}  // namespace cetaev
