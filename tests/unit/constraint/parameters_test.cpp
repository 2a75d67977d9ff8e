// Other values for the parameters of a system that has been read.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

TEST(WithParameters, TakesEveryDoubleAsItIs) {
  const System system = read_model(R"toml(
coordinates = ["x"]
lagrangian = "a*x'^2/2 - b*x - c*x^2"
[parameters]
a = 2
b = "3*a"
c = "sqrt(b)"
)toml",
                                   "parameters.toml");
  const std::vector<double> before = parameter_values(system);
  for (const std::vector<double>& values :
       {std::vector<double>{0.1, -1.0 / 3, 1e-300}, {5e-324, std::numeric_limits<double>::max(), 0}, {1, 2, 3}}) {
    const System other = with_parameters(system, values);
    EXPECT_EQ(parameter_values(other), values);
    EXPECT_EQ(to_string(other->lagrangian), to_string(system->lagrangian));
    EXPECT_TRUE(other->context->frozen());
  }
  EXPECT_EQ(parameter_values(system), before);
  EXPECT_THROW(with_parameters(system, std::vector<double>{1, 2}), Error);
  EXPECT_THROW(with_parameters(system, std::vector<double>{1, 2, std::numeric_limits<double>::infinity()}), Error);
}

}  // namespace
}  // namespace cetaev
