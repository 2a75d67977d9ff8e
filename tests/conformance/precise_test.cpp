// The same conformance in balls of hundreds of bits: what agrees there to fifty digits does not agree by rounding.
#include "precise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cetaev/gallery.hpp"
#include "scratch.hpp"

namespace cetaev::conformance {
namespace {

constexpr long bits = 320;
constexpr double fifty_digits = -50;

System read(const GalleryModel& model) { return scratch_model(model.text, std::string(model.name) + ".toml"); }

bool linear_in_the_accelerations(const System& system) {
  const std::vector<bool> nonlinear = ConstraintSet(system).nonlinear_in_accelerations;
  return std::find(nonlinear.begin(), nonlinear.end(), true) == nonlinear.end();
}

// Some states of the model where `multipliers` is regular, with its own λ₀ = 0.4, 0.8, … for the vakonomic equations.
std::vector<AtState> some_states(Forms& forms, std::size_t count) {
  std::vector<double> lambda;
  for (std::size_t i = 0; i < forms.system()->constraints.size(); ++i)
    lambda.push_back(0.4 * static_cast<double>(i + 1));
  std::vector<AtState> result;
  for (std::uint64_t seed = 1; seed <= 40 && result.size() < count; ++seed) {
    const std::optional<State> state = forms.admissible().random(seed);
    if (!state) continue;
    AtState at = forms.at(*state, {}, lambda);
    if (at["multipliers"].regular()) result.push_back(std::move(at));
  }
  return result;
}

TEST(Precisely, AllPrinciplesOfDAlembertAndLagrangeAgreeToFiftyDigits) {
  int compared = 0;
  for (const GalleryModel& model : gallery()) {
    SCOPED_TRACE(model.name);
    const System system = read(model);
    if (!linear_in_the_accelerations(system)) continue;
    Forms forms(system);
    const std::vector<AtState> states = some_states(forms, 2);
    EXPECT_EQ(states.size(), 2u);
    for (const AtState& at : states) {
      const std::vector<Ball> refined = refine(at.derived->setting, at.state, bits);
      for (const Outcome& outcome : at.outcomes) {
        if (!outcome.derived->principle->dalembert_lagrange || !outcome.regular() || outcome.name() == "multipliers")
          continue;
        EXPECT_LT(precise_difference_log10(at, outcome.name(), refined, bits), fifty_digits)
            << outcome.name() << " at " << describe(system, at.state);
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 600);
}

TEST(Precisely, DoublePrecisionGivesTheLeadingDigits) {
  for (const GalleryModel& model : gallery()) {
    SCOPED_TRACE(model.name);
    const System system = read(model);
    if (!linear_in_the_accelerations(system)) continue;
    Forms forms(system);
    for (const AtState& at : some_states(forms, 2)) {
      const std::vector<Ball> refined = refine(at.derived->setting, at.state, bits);
      const auto precise = at["multipliers"].derived->form->evaluate(refined, bits).a;
      std::vector<double> rounded;
      for (const Ball& ball : precise) rounded.push_back(ball.midpoint());
      for (const Outcome& outcome : at.outcomes) {
        if (!outcome.derived->principle->dalembert_lagrange || !outcome.regular()) continue;
        EXPECT_LE(relative_difference(outcome.values->a, rounded), 1e-11)
            << outcome.name() << " at " << describe(system, at.state);
      }
    }
  }
}

TEST(Precisely, DAlembertsPrincipleHoldsByFiniteDifferencesOfWhatTheModelSays) {
  constexpr long many_bits = 800;  // h = 2⁻²⁰⁰, so that both h² and what 1/h² leaves are far below 10⁻⁵⁰
  int models = 0;
  for (const GalleryModel& model : gallery()) {
    SCOPED_TRACE(model.name);
    const System system = read(model);
    if (std::any_of(system->constraints.begin(), system->constraints.end(),
                    [](const Constraint& c) { return c.order == 2; }))
      continue;
    Forms forms(system);
    for (const AtState& at : some_states(forms, 1)) {
      const Setting& setting = at.derived->setting;
      const std::vector<Ball> refined = refine(setting, at.state, many_bits);
      const auto a = at["multipliers"].derived->form->evaluate(refined, many_bits).a;
      EXPECT_LT(dalembert_residual_log10(setting, refined, a, many_bits), fifty_digits) << describe(system, at.state);
      ++models;
    }
  }
  EXPECT_GE(models, 60);
}

TEST(Precisely, VakonomicEquationsAreThoseOfLagrangeWithTheMultipliersAsCoordinates) {
  constexpr long many_bits = 800;
  int models = 0;
  for (const GalleryModel& model : gallery()) {
    SCOPED_TRACE(model.name);
    const System system = read(model);
    if (std::any_of(system->constraints.begin(), system->constraints.end(),
                    [](const Constraint& c) { return c.order == 2; }))
      continue;
    Forms forms(system);
    for (const AtState& at : some_states(forms, 1)) {
      if (!at["vakonomic"].regular()) continue;
      const Setting& setting = at.derived->setting;
      std::vector<Ball> inputs = refine(setting, at.state, many_bits);
      for (std::size_t i = 0; i < setting.rank(); ++i)
        inputs.push_back(Ball::from_double(0.375 + 0.25 * static_cast<double>(i)));
      EXPECT_LT(hamilton_residual_log10(setting, *at["vakonomic"].derived->form, inputs, {}, many_bits), fifty_digits)
          << describe(system, at.state);
      ++models;
    }
  }
  EXPECT_GE(models, 58);
}

// A of positions, velocities and accelerations, auxiliary functions and constants that nobody chose for the model.
TEST(Precisely, Theorem1IsHamiltonsPrincipleWithTheRelationsThatTheModelGives) {
  constexpr long many_bits = 800;
  int models = 0;
  for (const GalleryModel& model : gallery()) {
    SCOPED_TRACE(model.name);
    const System read_in = read(model);
    const std::size_t n = read_in->size();
    if (n > 6 || std::any_of(read_in->constraints.begin(), read_in->constraints.end(),
                             [](const Constraint& c) { return c.order == 2; }))
      continue;
    const System system = read_in.with([&](SystemData& data) {
      const Motion& m = data.motion;
      const auto some = [](std::size_t i) { return Rational(static_cast<long>((5 * i + 2) % 11) - 5, 7); };
      Transpositional relations{Transpositional::View::written, {n, n, {}}, {}};
      for (std::size_t i = 0; i < n * n; ++i) {
        relations.A.entries.push_back(some(i) * m.v[i % n] + some(i + 3) * cos(m.q[(i + 1) % n]) +
                                      Rational(1, 40) * (some(i + 1) * (m.a[(i + 2) % n] * m.q[i % n])));
      }
      data.transpositional = relations;
      data.auxiliary = {m.v[0] * m.v[n - 1] * sin(m.q[0]), m.q[n - 1] * m.v[0]};
      data.initial.lambda0 = {data.context->number(Rational(3, 8)), data.context->number(Rational(-5, 4))};
    });
    Forms forms(system);
    for (const AtState& at : some_states(forms, 1)) {
      if (!at["mvm1"].regular()) continue;
      const Setting& setting = at.derived->setting;
      std::vector<Ball> inputs = refine(setting, at.state, many_bits);
      for (std::size_t i = 0; i < setting.rank(); ++i)
        inputs.push_back(Ball::from_double(0.375 + 0.25 * static_cast<double>(i)));
      EXPECT_LT(
          hamilton_residual_log10(setting, *at["mvm1"].derived->form, inputs, system->transpositional->A, many_bits),
          fifty_digits)
          << describe(system, at.state);
      ++models;
    }
  }
  EXPECT_GE(models, 40);
}

TEST(Precisely, VakonomicAgreesOnTheCircleAndDiffersOnTheSkate) {
  for (const GalleryModel& model : gallery()) {
    if (model.name != "circle" && model.name != "skate") continue;
    SCOPED_TRACE(model.name);
    const System system = read(model);
    Forms forms(system);
    for (const AtState& at : some_states(forms, 3)) {
      std::vector<Ball> refined = refine(at.derived->setting, at.state, bits);
      const auto truth = at["multipliers"].derived->form->evaluate(refined, bits).a;
      refined.push_back(Ball::from_double(0.4));
      const auto vakonomic = at["vakonomic"].derived->form->evaluate(refined, bits).a;
      const double difference = difference_log10(*system->context, truth, vakonomic, bits);
      if (model.name == "circle") {
        EXPECT_LT(difference, fifty_digits);
      } else {
        EXPECT_GT(difference, -6);
      }
    }
  }
}

TEST(Precisely, Mvm2WithTheIndependentVelocitiesIsReduced) {
  int compared = 0;
  for (const GalleryModel& model : gallery()) {
    SCOPED_TRACE(model.name);
    const System system = read(model).with([](SystemData& data) { data.auxiliary.clear(); });
    if (std::any_of(system->constraints.begin(), system->constraints.end(),
                    [](const Constraint& c) { return c.order == 2; }))
      continue;
    Forms forms(system);
    for (const AtState& at : some_states(forms, 1)) {
      if (!at["mvm2"].regular() || !at["reduced"].regular()) continue;
      const std::vector<Ball> refined = refine(at.derived->setting, at.state, bits);
      const auto mvm2 = at["mvm2"].derived->form->evaluate(refined, bits).a;
      const auto reduced = at["reduced"].derived->form->evaluate(refined, bits).a;
      EXPECT_LT(difference_log10(*system->context, mvm2, reduced, bits), fifty_digits) << describe(system, at.state);
      ++compared;
    }
  }
  EXPECT_GE(compared, 50);
}

}  // namespace
}  // namespace cetaev::conformance
