// y' = f(y, t) against the forms it is made from, and ∂f/∂y against differences, both far beyond double precision.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/gallery.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

constexpr long bits = 320;

// Expressions to be run in balls.
class Compiled {
 public:
  Compiled(const std::vector<Expr>& outputs, const NumberedBlocks& systems, const std::vector<BallValue>& values) {
    std::vector<Expr> symbols;
    for (const auto& [symbol, value] : values) symbols.push_back(symbol);
    program_ = Program(outputs, symbols, systems.blocks);
  }

  // Empty where a linear system is singular.
  std::vector<Ball> operator()(const std::vector<BallValue>& values) const {
    std::vector<Ball> inputs, results;
    for (const auto& [symbol, value] : values) inputs.push_back(value);
    if (run_in_balls(program_, inputs, results, bits) >= 0) return {};
    return results;
  }

 private:
  Program program_;
};

std::vector<Ball> run(const std::vector<Expr>& outputs, const NumberedBlocks& systems,
                      const std::vector<BallValue>& values) {
  return Compiled(outputs, systems, values)(values);
}

// |x − y| beside the larger of y and 1, as an upper bound
double gap(const Ball& x, const Ball& y) {
  static Context context;
  static const Expr a = context.symbol("a"), b = context.symbol("b");
  const std::vector<BallValue> values = {{a, x}, {b, y}};
  const double scale = std::max(0.0, y.magnitude_log10());
  return std::pow(10.0, evaluate_ball(a - b, values, bits).magnitude_log10() - scale);
}

// One form at one precise state.
class AtState {
 public:
  AtState(const System& system, const Setting& setting, const PreciseState& state, std::string_view form)
      : setting_(setting), first_(first_order(setting, state.rounded, form)) {
    const std::size_t fixed = 2 * system->size() + 1 + system->parameters.size();
    model_.assign(state.values.begin(), state.values.begin() + static_cast<std::ptrdiff_t>(fixed));
    for (std::size_t i = 0; i < first_.lambda.size(); ++i)
      model_.emplace_back(first_.lambda[i], Ball(Rational(static_cast<long>(3 * i + 1), 4)));
    NumberedBlocks from;
    for (const SolveStep& step : first_.from_steps) from.blocks.push_back(step.block);
    const std::vector<Ball> y = run(first_.from_state, from, model_);
    if (y.empty()) return;
    for (std::size_t i = 0; i < y.size(); ++i) y_.emplace_back(first_.state[i].symbol, y[i].center());
    for (std::size_t i = 2 * system->size(); i < fixed; ++i) y_.push_back(model_[i]);
  }

  // The largest gap between the accelerations of the first-order system and those of the form; nothing at singular states.
  std::optional<double> accelerations() const {
    if (y_.empty()) return std::nullopt;
    const Formulation form = first_.form->derive(setting_);
    NumberedBlocks systems;
    for (const SolveStep& step : form.steps) systems.blocks.push_back(step.block);
    std::vector<Expr> expected = form.a, found = first_.accelerations;
    expected.insert(expected.end(), setting_.system->motion.v.begin(), setting_.system->motion.v.end());
    found.insert(found.end(), first_.velocities.begin(), first_.velocities.end());
    return largest_gap(run(found, first_.needed_for(found), y_), run(expected, systems, model_));
  }

  // The largest gap between ∂f/∂y and central differences.
  std::optional<double> jacobian() const {
    if (y_.empty()) return std::nullopt;
    const FirstOrderSystem::Jacobian exact = first_.jacobian();
    const std::vector<Ball> entries = run(exact.entries.entries, exact.systems, y_);
    if (entries.empty()) return std::nullopt;
    const Compiled rates(first_.rates, first_.needed_for(first_.rates), y_);
    static Context context;
    static const Expr a = context.symbol("a"), b = context.symbol("b");
    const Expr step = context.number(Rational(1) / Rational(10).power(25));
    double largest = 0;
    for (std::size_t j = 0; j < first_.state.size(); ++j) {
      std::array<std::vector<Ball>, 2> sides;
      for (int side = 0; side < 2; ++side) {
        std::vector<BallValue> moved = y_;
        const std::vector<BallValue> at = {{a, y_[j].second}};
        moved[j].second = evaluate_ball(side == 0 ? a + step : a - step, at, bits);
        sides[side] = rates(moved);
        if (sides[side].empty()) return std::nullopt;
      }
      for (std::size_t i = 0; i < first_.rates.size(); ++i) {
        const std::vector<BallValue> values = {{a, sides[0][i]}, {b, sides[1][i]}};
        const Ball difference = evaluate_ball((a - b) / (step + step), values, bits);
        largest = std::max(largest, gap(entries[i * first_.state.size() + j], difference));
      }
    }
    return largest;
  }

 private:
  static std::optional<double> largest_gap(const std::vector<Ball>& x, const std::vector<Ball>& y) {
    if (x.empty() || y.empty()) return std::nullopt;
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, gap(x[i], y[i]));
    return largest;
  }

  const Setting& setting_;
  FirstOrderSystem first_;
  std::vector<BallValue> model_, y_;
};

struct Totals {
  std::size_t accelerations = 0, jacobians = 0, singular = 0;
};

void compare(const System& system, std::size_t states, Totals& totals) {
  OnSet set(system);
  const Terms terms(system);
  for (std::size_t k = 0; k < std::min(states, set.states().size()); ++k) {
    const PreciseState& state = set.states()[k];
    const Setting setting = setting_at(system, terms, set.admissible(), {state.rounded, false, state.dependent});
    for (const Principle& principle : principles()) {
      SCOPED_TRACE(system->name + ", " + std::string(principle.name));
      std::optional<Error> refused;
      try {
        (void)principle.derive(setting);
      } catch (const Error& error) {
        refused = error;
      }
      try {
        const AtState at(system, setting, state, principle.name);
        EXPECT_FALSE(refused) << "the form refuses, the first-order system does not";
        const auto a = at.accelerations();
        const auto jacobian = at.jacobian();
        a ? ++totals.accelerations : ++totals.singular;
        if (jacobian) ++totals.jacobians;
        EXPECT_LT(a.value_or(0), 1e-30);
        EXPECT_LT(jacobian.value_or(0), 1e-20);
      } catch (const Error& error) {
        if (refused) {
          EXPECT_EQ(error.code(), refused->code()) << error.message();
        } else {
          ++totals.singular;
        }
      }
    }
  }
}

class FirstOrder : public testing::TestWithParam<GalleryModel> {};

TEST_P(FirstOrder, HasTheAccelerationsOfTheFormAndTheirDerivatives) {
  const System system = scratch_model(GetParam().text, std::string(GetParam().name));
  Totals totals;
  compare(system, system->size() > 3 ? 1 : 3, totals);
  const auto nonlinear = Terms(system).constraints.nonlinear_in_accelerations;
  if (std::find(nonlinear.begin(), nonlinear.end(), true) != nonlinear.end()) return;
  EXPECT_GT(totals.accelerations, totals.singular);
  EXPECT_EQ(totals.accelerations, totals.jacobians);
}

INSTANTIATE_TEST_SUITE_P(Gallery, FirstOrder, testing::ValuesIn(gallery().begin(), gallery().end()),
                         [](const auto& test) {
                           std::string name(test.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace cetaev
