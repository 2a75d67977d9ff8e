// Dependent velocities written out and solved for: closed forms of dense rows are beyond reading and beyond computing with.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/formulation/principle.hpp"
#include "scratch.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

// Rows of which every entry is a sum of two functions of all coordinates; the last velocities are the dependent ones.
std::string dense(std::uint64_t seed, std::size_t rows) {
  Random random(seed);
  const auto number = [&] { return std::round(100 * random.uniform(-1, 1)) / 100; };
  const std::size_t n = rows + 2;
  std::string names, kinetic, constraints, dependent;
  for (std::size_t i = 0; i < n; ++i) {
    names += fmt::format("'q{}', ", i);
    kinetic += fmt::format("{}(2 + sin(q{}))*q{}'^2/2", i == 0 ? "" : " + ", (i + 1) % n, i);
    if (i >= 2) dependent += fmt::format("'q{}', ", i);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    std::string row;
    for (std::size_t i = 0; i < n; ++i)
      row += fmt::format(" + ({}*sin(q{} + q{}) + {}*exp(q{}){})*q{}'", number(), i, (i + r) % n, number(),
                         (i + 2 * r + 1) % n, i == r + 2 ? " + 2" : "", i);
    constraints += fmt::format("\"0{} = 0\", ", row);
  }
  return fmt::format(
      "coordinates = [{}]\nkinetic = \"{}\"\npotential = \"q0*q1\"\nconstraints = [{}]\ndependent = [{}]\n", names,
      kinetic, constraints, dependent);
}

// Not much longer than multipliers, which solve for everything, and with the same accelerations.
TEST(ClosedForms, OfDenseRowsAreSolvedForWhereTheyWouldBeLong) {
  for (const std::uint64_t seed : seeds(8).all()) {
    const std::size_t rows = 1 + seed % 4;
    const System system = scratch_model(dense(seed, rows), "dense.toml");
    SCOPED_TRACE(fmt::format("seed {}, {} rows", seed, rows));
    const Terms terms(system);
    Admissible admissible(system);
    const std::optional<State> at = admissible.random(seed);
    ASSERT_TRUE(at);
    const Setting setting = setting_at(system, terms, admissible, {*at, false, {}});
    const auto length = [](const FirstOrderSystem& form) {
      return Program(form.rates, form.inputs(), form.needed_for(form.rates).blocks).instructions().size();
    };
    const std::size_t of_multipliers = length(first_order(setting, *at, Form::multipliers));
    const std::vector<double> a = Multipliers(system, terms).evaluate(*at).a;
    double size = 1;
    for (const double value : a) size = std::max(size, std::abs(value));
    for (const Form form : {Form::voronec, Form::appell, Form::hamel}) {
      const FirstOrderSystem found = first_order(setting, *at, form);
      EXPECT_LT(length(found), 4 * of_multipliers) << form;
      const FirstOrderProgram program(system, found);
      const std::vector<double> rates = program.rates(at->t, program.state(*at, {}));
      for (std::size_t k = 0; k < 2; ++k)
        EXPECT_NEAR(rates[system->size() + k], a[setting.independent[k]], 1e-9 * size) << form << " " << k;
    }
  }
}

}  // namespace
}  // namespace cetaev
