#include "cetaev/constraint/integrability.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "../../../bench/snake_model.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;
using Growth = std::vector<std::size_t>;

// Coordinates "x, y", constraints one per entry, the rest of the file.
System model(const std::vector<std::string>& coordinates, const std::vector<std::string>& constraints,
             const std::string& rest = "") {
  std::string names, kinetic, rows;
  for (const std::string& q : coordinates) {
    names += "'" + q + "', ";
    kinetic += (kinetic.empty() ? "" : " + ") + q + "'^2";
  }
  for (const std::string& row : constraints) rows += "\"" + row + "\", ";
  return scratch_model(
      "coordinates = [" + names + "]\nlagrangian = \"" + kinetic + "\"\nconstraints = [" + rows + "]\n" + rest,
      "model.toml");
}

// The expressions live as long as their context.
struct Analysed : Integrability {
  std::shared_ptr<Context> context;
};

Analysed analyse(const System& system) {
  OnSet set(system);
  std::optional<State> state;
  try {
    state = set.admissible().initial().state;
  } catch (const Error&) {
  }
  Analysed result{integrability(set, state), system->context};
  // whatever is found holds at random admissible states, computed afresh
  Derivation rate = derivative_at_fixed_velocity(system->motion);
  const std::vector<Expr> symbols = state_symbols(system);
  Admissible fresh(system);
  for (const FoundIntegral& found : result.integrals) {
    EXPECT_TRUE(found.finding.holds());
    for (std::uint64_t seed = 1001; seed < 1009; ++seed) {
      const std::optional<State> at = fresh.random(seed);
      if (!at) continue;
      const std::vector<double> numbers = state_values(*at, parameter_values(system));
      std::vector<Value> values;
      for (std::size_t i = 0; i < symbols.size(); ++i) values.emplace_back(symbols[i], numbers[i]);
      const double value = evaluate(rate(found.expression), values);
      EXPECT_TRUE(std::isnan(value) || std::fabs(value) < 1e-8) << to_string(found.expression) << ": " << value;
    }
  }
  EXPECT_LE(result.integrals.size(), result.hidden);
  return result;
}

Analysed analyse(const std::vector<std::string>& coordinates, const std::vector<std::string>& constraints,
                 const std::string& rest = "") {
  return analyse(model(coordinates, constraints, rest));
}

std::vector<std::string> integrals_of(const Analysed& i) {
  std::vector<std::string> texts;
  for (const FoundIntegral& f : i.integrals) texts.push_back(to_string(f.expression));
  return texts;
}

// ---- an independent computation of growth: fields written out, brackets by differentiation ----

class SymbolicGrowth {
 public:
  explicit SymbolicGrowth(const System& system) : system_(system), positions_(system->motion.q) {
    positions_.push_back(system->motion.t);
    const ConstraintSet set(system);
    std::vector<Replacement> rest;
    for (const Expr v : system->motion.v) rest.emplace_back(v, system->context->zero());
    Matrix forms{set.size(), positions_.size(), {}};
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t j = 0; j < system->size(); ++j) forms.entries.push_back(set.jacobian(i, j));
      forms.entries.push_back(substitute(set.phi[i], rest));
    }
    const std::vector<Expr> zeros(set.size(), system->context->zero());
    const LinearSolution solution = solve_linear(forms, zeros).value();
    for (std::size_t f = 0; f < solution.free_columns.size(); ++f) {
      std::vector<Expr> field;
      for (std::size_t j = 0; j < positions_.size(); ++j) field.push_back(solution.kernel(j, f));
      generators_.push_back(field);
    }
  }

  // Every bracket of a generator with every word, up to this length.
  Growth operator()(std::size_t length) {
    std::vector<std::vector<Expr>> all = generators_, last = generators_;
    Growth growth = {rank(all)};
    for (std::size_t l = 2; l <= length; ++l) {
      std::vector<std::vector<Expr>> next;
      for (const auto& x : generators_) {
        for (const auto& y : last) next.push_back(bracket(x, y));
      }
      all.insert(all.end(), next.begin(), next.end());
      last = std::move(next);
      growth.push_back(rank(all));
      if (growth.back() == positions_.size()) break;
    }
    while (growth.size() > 1 && growth.back() == growth[growth.size() - 2]) growth.pop_back();
    for (std::size_t& g : growth) --g;
    return growth;
  }

 private:
  std::vector<Expr> bracket(const std::vector<Expr>& x, const std::vector<Expr>& y) {
    const auto along = [&](const std::vector<Expr>& field) {
      std::vector<Derivation::Seed> seeds;
      for (std::size_t j = 0; j < positions_.size(); ++j) seeds.emplace_back(positions_[j], field[j]);
      return Derivation(seeds);
    };
    Derivation by_x = along(x), by_y = along(y);
    std::vector<Expr> result;
    for (std::size_t j = 0; j < positions_.size(); ++j) result.push_back(by_x(y[j]) - by_y(x[j]));
    return result;
  }

  // The largest of three random points, by elimination with complete pivoting.
  std::size_t rank(const std::vector<std::vector<Expr>>& fields) {
    std::vector<Expr> entries;
    for (const auto& field : fields) entries.insert(entries.end(), field.begin(), field.end());
    std::size_t best = 0;
    for (int trial = 0; trial < 3; ++trial) {
      std::vector<Value> values;
      for (const Expr x : positions_) values.emplace_back(x, std::uniform_real_distribution(-1.0, 1.0)(random_));
      const std::vector<double> parameters = parameter_values(system_);
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        values.emplace_back(system_->parameters[i].symbol, parameters[i]);
      }
      std::vector<double> a = evaluate(entries, values);
      best = std::max(best, rank(a, fields.size(), positions_.size()));
    }
    return best;
  }

  static std::size_t rank(std::vector<double>& a, std::size_t rows, std::size_t columns) {
    for (std::size_t i = 0; i < rows; ++i) {
      double size = 0;
      for (std::size_t j = 0; j < columns; ++j) size = std::max(size, std::fabs(a[i * columns + j]));
      for (std::size_t j = 0; size > 1e-9 && j < columns; ++j) a[i * columns + j] /= size;
    }
    std::size_t rank = 0;
    for (; rank < std::min(rows, columns); ++rank) {
      std::size_t r = rank, c = rank;
      for (std::size_t i = rank; i < rows; ++i) {
        for (std::size_t j = rank; j < columns; ++j) {
          if (std::fabs(a[i * columns + j]) > std::fabs(a[r * columns + c])) r = i, c = j;
        }
      }
      if (std::fabs(a[r * columns + c]) < 1e-8) break;
      for (std::size_t j = 0; j < columns; ++j) std::swap(a[r * columns + j], a[rank * columns + j]);
      for (std::size_t i = 0; i < rows; ++i) std::swap(a[i * columns + c], a[i * columns + rank]);
      for (std::size_t i = rank + 1; i < rows; ++i) {
        const double factor = a[i * columns + rank] / a[rank * columns + rank];
        for (std::size_t j = rank; j < columns; ++j) a[i * columns + j] -= factor * a[rank * columns + j];
      }
    }
    return rank;
  }

  System system_;
  std::vector<Expr> positions_;
  std::vector<std::vector<Expr>> generators_;
  std::mt19937_64 random_{7};
};

TEST(Integrability, WithoutConstraintsEveryDirectionIsFree) {
  const Analysed free = analyse({"x", "y"}, {});
  EXPECT_THAT(free.growth, Optional(ElementsAre(2)));
  EXPECT_EQ(free.hidden, 0u);
  EXPECT_TRUE(free.integrable);
}

TEST(Integrability, WithAsManyConstraintsAsCoordinatesNothingMoves) {
  const Analysed still = analyse({"x"}, {"x' = 0"});
  EXPECT_THAT(still.growth, Optional(ElementsAre(0)));
  EXPECT_TRUE(still.integrable);
  EXPECT_THAT(integrals_of(still), ElementsAre("x"));
  EXPECT_THAT(integrals_of(analyse({"x"}, {"x' = x"})), ElementsAre("x/exp(t)"));
}

TEST(Integrability, NoNumberIsTooSmall) {
  EXPECT_THAT(analyse({"x", "y", "z"}, {"z' = 1e-100*y*x'"}).growth, Optional(ElementsAre(2, 3)));
}

TEST(Integrability, TheClassicsAreNotIntegrable) {
  const Analysed skate = analyse({"x", "y", "phi"}, {"x'*sin(phi) - y'*cos(phi) = 0"});
  EXPECT_THAT(skate.growth, Optional(ElementsAre(2, 3)));
  EXPECT_FALSE(skate.growth_at_state);
  EXPECT_FALSE(skate.integrable);
  EXPECT_TRUE(skate.proved);
  EXPECT_THAT(analyse({"x", "y", "z"}, {"z' = y*x'"}).growth, Optional(ElementsAre(2, 3)));
  EXPECT_THAT(analyse({"x", "y", "z"}, {"z' = y*x' - x*y'"}).growth, Optional(ElementsAre(2, 3)));
  const Analysed disc =
      analyse({"x", "y", "psi", "phi"}, {"x' = r*phi'*cos(psi)", "y' = r*phi'*sin(psi)"}, "[parameters]\nr = 0.1");
  EXPECT_THAT(disc.growth, Optional(ElementsAre(2, 3, 4)));
  EXPECT_EQ(disc.hidden, 0u);
}

TEST(Integrability, AffineSetsAreJudgedWithTheTime) {
  const Analysed uniform = analyse({"x", "y"}, {"x' = 1"});
  EXPECT_THAT(uniform.growth, Optional(ElementsAre(1)));
  EXPECT_TRUE(uniform.integrable);
  EXPECT_THAT(integrals_of(uniform), ElementsAre("x - t"));
  // dx − y dt is a contact form
  const Analysed contact = analyse({"x", "y"}, {"x' = y"});
  EXPECT_THAT(contact.growth, Optional(ElementsAre(1, 2)));
  EXPECT_EQ(contact.hidden, 0u);
  EXPECT_THAT(integrals_of(analyse({"x", "y"}, {"x' = cos(t)"})), ElementsAre("x - sin(t)"));
  EXPECT_THAT(integrals_of(analyse({"x", "y"}, {"x' = t*y' + y"})), ElementsAre("x - y*t"));
  // a factor of time does not make a set rheonomic
  EXPECT_THAT(analyse({"x", "y", "z"}, {"(2 + t)*z' = (2 + t)*y*x'"}).growth, Optional(ElementsAre(2, 3)));
  const Analysed turntable = analyse({"x", "y", "psi", "theta", "phi"}, {"x' - r*wy = -2*y", "y' + r*wx = 2*x"},
                                     "[parameters]\nr = 0.1\n[initial]\ntheta = 1\n[definitions]\n"
                                     "wx = \"theta'*cos(psi) + phi'*sin(theta)*sin(psi)\"\n"
                                     "wy = \"theta'*sin(psi) - phi'*sin(theta)*cos(psi)\"\n");
  EXPECT_THAT(turntable.growth, Optional(ElementsAre(3, 5)));
  EXPECT_FALSE(turntable.integrable);
}

TEST(Integrability, IntegralsAreFoundAndProved) {
  const auto expect = [](const std::vector<std::string>& q, const std::vector<std::string>& rows,
                         const std::vector<std::string>& integrals, const std::string& rest = "") {
    const Analysed found = analyse(q, rows, rest);
    EXPECT_EQ(found.hidden, integrals.size()) << rows[0];
    EXPECT_EQ(integrals_of(found), integrals);
    EXPECT_TRUE(found.all_found());
    EXPECT_TRUE(found.proved) << found.ground;
  };
  expect({"x", "y"}, {"y*x' - x*y' = 0"}, {"x/y"});  // integrable, not exact
  expect({"x", "y"}, {"1000*y*x' - 1000*x*y' = 0"}, {"x/y"});
  expect({"x", "y"}, {"x*x' + y*y' = 0"}, {"x^2 + y^2"});
  expect({"a1", "b1", "a2", "b2"}, {"(a2 - a1)*(a2' - a1') + (b2 - b1)*(b2' - b1') = 0"},
         {"a1^2 - 2*a1*a2 + b1^2 - 2*b1*b2 + a2^2 + b2^2"});
  expect({"x", "y"}, {"x'*sin(h) - y'*cos(h) = 0"}, {"x*sin(h) - y*cos(h)"}, "[parameters]\nh = 0.7");
  expect({"x", "y"}, {"y' = y*x'"}, {"y*exp(-x)"});
  expect({"x", "y"}, {"y' + y = exp(-t)"}, {"t - y*exp(t)"});
  expect({"x", "y"}, {"x'*(1 + y^2) = y'*(1 + x^2)"}, {"atan(x) - atan(y)"});
  expect({"x", "y"}, {"x'/y = y'/x^2"}, {"2*x^3 - 3*y^2"});
  expect({"x", "y", "z"}, {"y*z*x' + x*z*y' + x*y*z' = 0"}, {"x*y*z"});
  expect({"x", "y", "z"}, {"x*z' = z*x'", "y*z' = 2*z*y'"}, {"x/z", "y^2/z"});
  expect({"x", "y"}, {"x' + a*y' = c"}, {"x + y*a - t*c"}, "[parameters]\na = 0.001\nc = \"pi\"");
  expect({"x", "y", "z"}, {"2*x' + y' = 0", "4*x' + 2*y' = 0", "1e3*x' + 500*y' = 0"}, {"2*x + y"});
  // the two wheels of an axle: their difference is the heading
  expect({"x", "y", "th", "a", "b"},
         {"x'*sin(th) - y'*cos(th) = 0", "r*a' = x'*cos(th) + y'*sin(th) - c*th'",
          "r*b' = x'*cos(th) + y'*sin(th) + c*th'"},
         {"2*th*c + a*r - b*r"}, "[parameters]\nr = 0.1\nc = 0.3");
}

TEST(Integrability, AnIntegralThatIsNotFoundIsSaidToBeThere) {
  const Analysed hard = analyse({"x", "y"}, {"x' + (sin(x*y) + y^3 + 2)*y' = 0"});
  EXPECT_EQ(hard.hidden, 1u);
  EXPECT_TRUE(hard.integrable);
  EXPECT_FALSE(hard.all_found());
  EXPECT_FALSE(hard.proved);
  EXPECT_THAT(hard.ground, HasSubstr("0 of 1 integral found"));
}

TEST(Integrability, GantmachersRodHidesOneIntegral) {
  const Analysed rod =
      analyse({"x1", "x2", "x3", "x4"}, {"x1*x1' + x2*x2' = 0", "x1*x3' - x2*x4' = 0"}, "[initial]\nx1 = 1");
  EXPECT_EQ(rod.hidden, 1u);
  EXPECT_FALSE(rod.integrable);
  EXPECT_THAT(rod.growth, Optional(ElementsAre(2, 3)));
  EXPECT_THAT(integrals_of(rod), ElementsAre("x1^2 + x2^2"));
}

TEST(Integrability, HolonomicConstraintsCountThroughTheirDerivatives) {
  const Analysed pendulum = analyse({"x", "y"}, {"sqrt(x^2 + y^2) = 2"}, "[initial]\nx = 2");
  EXPECT_THAT(pendulum.growth, Optional(ElementsAre(1)));
  EXPECT_TRUE(pendulum.integrable);
  ASSERT_EQ(pendulum.integrals.size(), 1u);
  EXPECT_EQ(pendulum.integrals[0].row, 0u);
  // on x = 0 the second says z' = 0
  const Analysed wall = analyse({"x", "y", "z"}, {"x = 0", "z' = x*y'"});
  EXPECT_TRUE(wall.integrable);
  EXPECT_THAT(integrals_of(wall), ElementsAre("x", "z"));
}

TEST(Integrability, GrowthMayStallAtASpecialState) {
  const Analysed flat = analyse({"x", "y", "z"}, {"z' = y^2*x'"});
  EXPECT_THAT(flat.growth, Optional(ElementsAre(2, 3)));
  EXPECT_THAT(flat.growth_at_state, Optional(ElementsAre(2, 2, 3)));
  EXPECT_FALSE(analyse({"x", "y", "z"}, {"z' = y^2*x'"}, "[initial]\ny = 0.001").growth_at_state);
  EXPECT_THAT(analyse({"x", "y", "z"}, {"z' = y^4*x'"}).growth_at_state, Optional(ElementsAre(2, 2, 2, 2, 3)));
  EXPECT_THAT(analyse({"x", "y", "z"}, {"z' = cos(y)^2*x'"}, "[initial]\ny = \"pi/2\"").growth_at_state,
              Optional(ElementsAre(2, 2, 3)));
  // z = 0 is a surface that no motion leaves
  EXPECT_THAT(analyse({"x", "y", "z"}, {"z' = z*x*y'"}).growth_at_state, Optional(ElementsAre(2)));
  EXPECT_FALSE(analyse({"x", "y", "z"}, {"z' = z*x*y'"}, "[initial]\nz = 1").growth_at_state);
}

// Where F − its Taylor polynomial begins with y^N, the set z' = F(y) x' stalls N − 1 times at y = 0. The factor 1 + y puts
// F into the derivatives, too.
TEST(Integrability, PowerSeriesOfEveryFunctionAreRight) {
  const std::pair<const char*, std::size_t> cases[] = {
      {"sin(y) - y + y^3/6", 5},
      {"cos(y) - 1 + y^2/2", 4},
      {"tan(y) - y - y^3/3", 5},
      {"asin(y) - y - y^3/6", 5},
      {"acos(y) - pi/2 + y + y^3/6", 5},
      {"atan(y) - y + y^3/3", 5},
      {"atan2(y, 1 + y) - y + y^2", 3},
      {"sinh(y) - y - y^3/6", 5},
      {"cosh(y) - 1 - y^2/2", 4},
      {"tanh(y) - y + y^3/3", 5},
      {"asinh(y) - y + y^3/6", 5},
      {"acosh(5/4 + y) - log(2) - 4*y/3 + 40*y^2/27", 3},
      {"atanh(y) - y - y^3/3", 5},
      {"exp(y) - 1 - y - y^2/2", 3},
      {"log(1 + y) - y + y^2/2", 3},
      {"sqrt(1 + y) - 1 - y/2 + y^2/8", 3},
      {"(1 + y)^(1/3) - 1 - y/3 + y^2/9", 3},
      {"1/(1 + y)^2 - 1 + 2*y - 3*y^2", 3},
      {"(1 + y)^(1 + y) - 1 - y - y^2", 3},
      {"(1 + y)^5 - 1 - 5*y - 10*y^2", 3},
      {"abs(y - 1) - 1 + y + y^2", 2},
  };
  for (const auto& [f, order] : cases) {
    Growth expected(order, 2);
    expected.push_back(3);
    EXPECT_EQ(analyse({"x", "y", "z"}, {"z' = (1 + y)*(" + std::string(f) + ")*x'"}).growth_at_state, expected) << f;
  }
}

TEST(Integrability, GrowthAgreesWithBracketsWrittenOut) {
  const System systems[] = {
      model({"x", "y", "phi"}, {"x'*sin(phi) - y'*cos(phi) = 0"}),
      model({"x", "y", "psi", "phi"}, {"x' = phi'*cos(psi)", "y' = phi'*sin(psi)"}),
      model({"x", "y", "th", "d"},
            {"x'*sin(th) - y'*cos(th) = 0", "x'*sin(th + d) - y'*cos(th + d) - 2*th'*cos(d) = 0"}),
      model({"x1", "x2", "x3", "x4"}, {"x1*x1' + x2*x2' = 0", "x1*x3' - x2*x4' = 0"}),
      model({"a", "b", "c", "d", "e"}, {"c' = b*a'", "d' = c*a'", "e' = d*a'"}),
      model({"a", "b", "c", "d", "e"}, {"c' = b*a' - a*b'", "d' = c*a'", "e' = c*b'"}),
      model({"x", "y", "z"}, {"x' = y*z' + t"}),
      model({"x", "y", "z"}, {"x' = y", "z' = t*x"}),
      model({"x", "y"}, {"x'*(sin(t) - y) = y'*(cos(t) - x)"}),
      scratch_model(bench::snake_model(2), "snake"),
      scratch_model(bench::snake_model(3), "snake"),
  };
  for (const System& system : systems) {
    EXPECT_THAT(analyse(system).growth, Optional(SymbolicGrowth(system)(5))) << system->constraints[0].text;
  }
}

TEST(Integrability, GrowthOfRandomSetsAgreesWithBracketsWrittenOut) {
  std::mt19937_64 random(3);
  const auto pick = [&](std::initializer_list<const char*> from) {
    return std::string(from.begin()[random() % from.size()]);
  };
  for (int trial = 0; trial < 24; ++trial) {
    const bool rheonomic = trial % 3 == 0;
    std::vector<std::string> rows;
    for (const char* dependent : {"u", "w"}) {
      std::string row = std::string(dependent) + "'";
      for (const char* independent : {"x", "y"}) {
        row += " - (" + pick({"0", "1", "x", "y", "u", "w", "x*y", "y^2", "sin(x)", "exp(y)", "u*y"}) + ")*" +
               independent + "'";
      }
      if (rheonomic) row += " + " + pick({"0", "1", "t", "x", "cos(t)", "w"});
      rows.push_back(row);
    }
    const System system = model({"x", "y", "u", "w"}, rows);
    const Analysed found = analyse(system);
    EXPECT_THAT(found.growth, Optional(SymbolicGrowth(system)(5))) << rows[0] << "; " << rows[1];
    EXPECT_EQ(found.hidden, 4 - found.growth->back());
  }
}

TEST(Integrability, WritingTheSameSetDifferentlyChangesNothing) {
  const Growth disc = {2, 3, 4};
  const std::vector<std::string> q = {"x", "y", "psi", "phi"};
  EXPECT_EQ(analyse(q, {"1e3*x' = 1e3*phi'*cos(psi)", "1e-3*y' = 1e-3*phi'*sin(psi)"}).growth, disc);
  EXPECT_EQ(
      analyse(q, {"(2 + x^2)*(x' - phi'*cos(psi)) = 0", "y' - phi'*sin(psi) + x*(x' - phi'*cos(psi)) = 0"}).growth,
      disc);
  EXPECT_EQ(analyse(q, {"x' = phi'*cos(psi)", "y' = phi'*sin(psi)", "x'*sin(psi) = y'*cos(psi)"}).growth, disc);
  // other units: millimetres and milliradians
  EXPECT_EQ(analyse(q, {"x' = 1e3*phi'*cos(psi/1000)", "y' = 1e3*phi'*sin(psi/1000)"}).growth, disc);
  // other coordinates, one more that is free, one more that is held
  EXPECT_EQ(analyse({"x", "y", "psi", "phi", "s"}, {"x' + 3*x^2*x' = phi'*cos(psi)", "y' - x' = phi'*sin(psi)"}).growth,
            (Growth{3, 4, 5}));
  const Analysed held = analyse({"x", "y", "psi", "phi", "s"}, {"x' = phi'*cos(psi)", "y' = phi'*sin(psi)", "s' = 0"});
  EXPECT_EQ(held.growth, disc);
  EXPECT_EQ(held.hidden, 1u);
  EXPECT_THAT(integrals_of(held), ElementsAre("s"));
}

TEST(Integrability, SheetsOfVelocitiesAreJudgedEachByItself) {
  for (const char* constraint : {"(y' - x')^2 = 2", "y'^3 - 3*y' + 1 = 0", "y'^2 = 1 + y^2", "exp(y') = 2 + y'"}) {
    const Analysed sheets = analyse({"x", "y"}, {constraint});
    EXPECT_FALSE(sheets.linear) << constraint;
    EXPECT_FALSE(sheets.growth) << constraint;
    EXPECT_EQ(sheets.hidden, 1u) << constraint;
    EXPECT_TRUE(sheets.integrable) << constraint;
    EXPECT_THAT(sheets.ground, HasSubstr("of each sheet")) << constraint;
  }
  // sheets that meet at rest
  const Analysed both = analyse({"x", "y"}, {"x'^2 = y'^2"});
  EXPECT_FALSE(both.linear);
  EXPECT_FALSE(both.growth);
  EXPECT_EQ(both.hidden, 0u);
  // y' = √(1 + x²) whatever x does; a plane that turns along y, and its opposite; two sheets of a hyperboloid, each of which spans everything
  EXPECT_EQ(analyse({"x", "y"}, {"y'^2 = 1 + x^2"}).hidden, 0u);
  EXPECT_EQ(analyse({"x", "y", "z"}, {"(z' - y*x')^2 = 2"}).hidden, 0u);
  EXPECT_EQ(analyse({"x", "y", "z"}, {"z'^2 = 1 + x'^2 + y'^2"}).hidden, 0u);
}

TEST(Integrability, NonlinearSetsAreJudgedByAllTheirVelocities) {
  const Analysed line = analyse({"x", "y"}, {"exp(y' - x') - 1 = 0"});
  EXPECT_TRUE(line.linear);
  EXPECT_FALSE(line.linear_rows);
  EXPECT_EQ(line.hidden, 1u);
  EXPECT_TRUE(line.integrable);
  EXPECT_THAT(integrals_of(line), ElementsAre("x - y"));

  const Analysed part = analyse({"x", "y", "z"}, {"x' + y' = 0", "x'^2 + z'^2 = 1"});
  EXPECT_FALSE(part.linear);
  EXPECT_EQ(part.hidden, 1u);
  EXPECT_FALSE(part.integrable);
  EXPECT_THAT(integrals_of(part), ElementsAre("x + y"));

  const Analysed sphere =
      analyse({"x", "y", "z"}, {"x^2 + y^2 + z^2 = 4", "x'^2 + y'^2 + z'^2 = 1"}, "[initial]\nx = 2");
  EXPECT_EQ(sphere.hidden, 1u);
  EXPECT_EQ(analyse({"x", "y", "z"}, {"z' = 2*sqrt(x'^2 + y'^2)"}).hidden, 0u);
  EXPECT_EQ(analyse({"x", "y", "z"}, {"x'*y' = z'"}).hidden, 0u);
  // linear in disguise
  EXPECT_TRUE(analyse({"x", "y"}, {"(x'^2 - y'^2)/(x' - y') = 0"}).linear_rows);
  EXPECT_THAT(analyse({"x", "y", "z"}, {"z'^p = y*x'^p"}, "[parameters]\np = 1").growth, Optional(ElementsAre(2, 3)));
}

TEST(Integrability, ConstraintsOnAccelerationsRestrictNoVelocities) {
  const Analysed only = analyse({"x", "y"}, {"x''^2 + y''^2 = 1"});
  EXPECT_FALSE(only.growth);
  EXPECT_EQ(only.hidden, 0u);
  EXPECT_FALSE(only.integrable);
  const Analysed mixed = analyse({"x", "y", "z"}, {"z'' = 1", "x*x' + y*y' = 0"});
  EXPECT_FALSE(mixed.growth);
  EXPECT_EQ(mixed.hidden, 1u);
  EXPECT_FALSE(mixed.integrable);
}

TEST(Integrability, WhatCannotBeDecidedIsSaid) {
  const Analysed squared = analyse({"x", "y"}, {"(x'^2 - 1)^2 = 0"});
  EXPECT_FALSE(squared.decided);
  EXPECT_THAT(squared.ground, HasSubstr("undecided"));
  const Analysed kink = analyse({"x", "y", "z"}, {"z' = abs(y)*x'"});
  EXPECT_FALSE(kink.growth_at_state);
  EXPECT_THAT(kink.ground, HasSubstr("at the given state"));
}

// Ten links, twelve coordinates: the brackets go eight deep.
TEST(Integrability, ALongSnakeCanReachEveryPosition) {
  const Analysed snake = analyse(scratch_model(bench::snake_model(10), "snake"));
  ASSERT_TRUE(snake.growth);
  EXPECT_THAT(*snake.growth, ElementsAre(2, 3, 5, 6, 8, 9, 11, 12));
  EXPECT_EQ(snake.hidden, 0u);
  EXPECT_TRUE(snake.proved);
}

// Each car of a train on its own hitch: the distributions of Goursat, one direction at a time.
TEST(Integrability, ATrainOfTrailersGrowsByOne) {
  std::vector<std::string> q = {"x", "y"}, rows;
  std::string x = "x", y = "y";
  Growth expected = {2};
  for (int i = 0; i < 5; ++i) {
    const std::string angle = "a" + std::to_string(i);
    q.push_back(angle);
    rows.push_back("(" + x + ")'*sin(" + angle + ") - (" + y + ")'*cos(" + angle + ") = 0");
    x += " - cos(a" + std::to_string(i + 1) + ")";
    y += " - sin(a" + std::to_string(i + 1) + ")";
    expected.push_back(expected.back() + 1);
  }
  const Analysed train = analyse(q, rows);
  EXPECT_EQ(train.growth, expected);
}

}  // namespace
}  // namespace cetaev
