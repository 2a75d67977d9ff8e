// Every principle on every model of the gallery, at random admissible states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include "cetaev/constraint/classify.hpp"
#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/gallery.hpp"
#include "forms.hpp"
#include "scratch.hpp"

namespace cetaev {

void PrintTo(const GalleryModel& model, std::ostream* out) { *out << model.name; }

}  // namespace cetaev

namespace cetaev::conformance {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Gt;
using testing::IsEmpty;
using testing::Le;
using testing::Not;

constexpr int states_per_model = 10;
constexpr double agreement = 1e-11;
// Forms that must differ do so by far more than rounding.
constexpr double difference = 1e-6;

using Names = std::vector<std::string_view>;

bool among(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

System read(const GalleryModel& model) { return scratch_model(model.text, std::string(model.name) + ".toml"); }

// λ₀ for the vakonomic equations, all different from zero.
std::vector<double> some_lambda(const System& system, std::uint64_t seed) {
  std::vector<double> lambda;
  for (std::size_t i = 0; i < system->constraints.size(); ++i) {
    lambda.push_back(0.35 + 0.2 * static_cast<double>(i) - 0.15 * static_cast<double>(seed % 2));
  }
  return lambda;
}

// Ten random states where `multipliers` is regular.
std::vector<AtState> regular_states(Forms& forms, const std::vector<std::size_t>& dependent = {}) {
  std::vector<AtState> result;
  for (std::uint64_t seed = 1; seed <= 60 && result.size() < states_per_model; ++seed) {
    const std::optional<State> state = forms.admissible().random(seed);
    if (!state) continue;
    try {
      AtState at = forms.at(*state, dependent, some_lambda(forms.system(), seed));
      if (at["multipliers"].regular()) result.push_back(std::move(at));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::rank_lost) << error.what();
    }
  }
  EXPECT_EQ(result.size(), std::size_t{states_per_model});
  return result;
}

bool restricts_accelerations(const System& system) {
  return std::any_of(system->constraints.begin(), system->constraints.end(),
                     [](const Constraint& c) { return c.order == 2; });
}

bool affine_in_the_velocities(const System& system) {
  const Classification kinds = classify(system);
  return std::all_of(kinds.constraints.begin(), kinds.constraints.end(),
                     [](const ConstraintKind& kind) { return kind.linearity != Linearity::nonlinear; });
}

// The third difference of L along random velocities is zero.
bool quadratic_in_the_velocities(const System& system) {
  const Program program(std::array{system->lagrangian}, state_symbols(system));
  Interpreter run(program);
  Admissible admissible(system);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::optional<State> at = admissible.random(seed);
    if (!at) continue;
    const auto L = [&](double part) {
      State state = *at;
      for (double& v : state.v) v *= part;
      std::vector<double> value(1);
      run(state_values(state, parameter_values(system)), value);
      return value[0];
    };
    const double third = L(1) - 3 * L(0.75) + 3 * L(0.5) - L(0.25);
    if (std::fabs(third) > 1e-12 * (std::fabs(L(1)) + std::fabs(L(0.25)))) return false;
  }
  return true;
}

// p = ∂L/∂v is a combination of the rows of J at every state, so that det W₂ = 0 whatever the auxiliary functions.
const Names momentum_among_the_constraints = {"prescribed-speed", "prescribed-speed-varying"};

// No motion along a quaternion has kinetic energy: H is singular everywhere, and regular on ker J. Gauss's principle needs more.
const Names with_quaternions = {"ball-in-turning-cylinder", "ball-on-tilted-turntable", "ball-on-turntable-quaternion",
                                "chaplygin-ball"};

bool linear_in_the_accelerations(const System& system) {
  const std::vector<bool> nonlinear = ConstraintSet(system).nonlinear_in_accelerations;
  return std::find(nonlinear.begin(), nonlinear.end(), true) == nonlinear.end();
}

// The models whose forms are programs: all but those nonlinear in the accelerations, for which see below.
std::vector<GalleryModel> models_with_programs() {
  std::vector<GalleryModel> result;
  for (const GalleryModel& model : gallery()) {
    if (linear_in_the_accelerations(read(model))) result.push_back(model);
  }
  return result;
}

class EveryGalleryModel : public testing::TestWithParam<GalleryModel> {};

// Accelerations of each form of d'Alembert–Lagrange against those of `multipliers`; how often each was compared.
std::map<std::string_view, int> hold_to_multipliers(const System& system, const std::vector<AtState>& states) {
  std::map<std::string_view, int> compared;
  for (const AtState& at : states) {
    const Outcome& reference = at["multipliers"];
    for (const Outcome& outcome : at.outcomes) {
      if (!outcome.derived->principle->dalembert_lagrange || !outcome.regular()) continue;
      ++compared[outcome.name()];
      EXPECT_LE(relative_difference(outcome.values->a, reference.values->a), agreement)
          << outcome.name() << ", condition " << outcome.condition << ", at " << describe(system, at.state);
    }
  }
  return compared;
}

TEST_P(EveryGalleryModel, HasOneMotionByAllPrinciplesOfDAlembertAndLagrange) {
  const System system = read(GetParam());
  Forms forms(system);
  const std::vector<AtState> states = regular_states(forms);
  std::map<std::string_view, int> compared = hold_to_multipliers(system, states);

  EXPECT_EQ(compared["multipliers"], states_per_model);
  // H may be near-singular where the constraints make up for it.
  if (among(GetParam().name, with_quaternions)) {
    EXPECT_EQ(compared["gauss"], 0);
  } else {
    EXPECT_GE(compared["gauss"], states_per_model - 2);
  }
  if (restricts_accelerations(system)) return;
  for (const std::string_view name : {"maggi", "voronec"}) EXPECT_EQ(compared[name], states_per_model) << name;
  EXPECT_EQ(compared["appell"], quadratic_in_the_velocities(system) ? states_per_model : 0);
  EXPECT_EQ(compared["hamel"], affine_in_the_velocities(system) ? states_per_model : 0);
  if (among(GetParam().name, momentum_among_the_constraints)) {
    EXPECT_EQ(compared["mvm3"], 0);
  } else {
    EXPECT_GE(compared["mvm3"], states_per_model - 2);
  }
}

TEST_P(EveryGalleryModel, DeclinesAPrincipleOnlyForTheReasonThatHolds) {
  const System system = read(GetParam());
  Forms forms(system);
  for (const AtState& at : regular_states(forms)) {
    for (const Outcome& outcome : at.outcomes) {
      if (!outcome.error) continue;
      const ErrorCode code = outcome.error->code();
      SCOPED_TRACE(std::string(outcome.name()) + ": " + outcome.error->what());
      if (code == ErrorCode::not_applicable) {
        EXPECT_TRUE(restricts_accelerations(system) ||
                    (outcome.name() == "hamel" && !affine_in_the_velocities(system)) ||
                    (outcome.name() == "appell" && !quadratic_in_the_velocities(system)));
      } else if (code == ErrorCode::not_caplygin) {
        EXPECT_EQ(outcome.name(), "caplygin");
      } else if (code == ErrorCode::singular_auxiliary) {
        EXPECT_TRUE(outcome.name() == "mvm2" || outcome.name() == "mvm3");
        EXPECT_GT(outcome.condition, near_singular);
      } else {
        // the constraint substituted into L may leave no kinetic energy in L*: |P'| given
        EXPECT_EQ(code, ErrorCode::singular_mass_matrix);
        EXPECT_TRUE(outcome.name() == "mvm2" || outcome.name() == "reduced" ||
                    (outcome.name() == "gauss" && among(GetParam().name, with_quaternions)));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gallery, EveryGalleryModel, testing::ValuesIn(models_with_programs()),
                         [](const auto& instance) {
                           std::string name(instance.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The loops over models below are tests of their own, because only some models are concerned.

TEST(DependentVelocities, OfTheModelsOwnChoiceGiveTheSameMotion) {
  // Čaplygin's type is a matter of that choice.
  const Names caplygin = {"appell-hamel-machine",
                          "appell-hamel-machine-behind",
                          "heisenberg",
                          "rolling-disc",
                          "rolling-disc-vertical",
                          "skate",
                          "skate-level",
                          "skate-straight"};
  int models = 0;
  for (const GalleryModel& model : gallery()) {
    const System system = read(model);
    if (!system->dependent) continue;
    SCOPED_TRACE(model.name);
    ++models;
    Forms forms(system);
    const std::vector<AtState> states = regular_states(forms, *system->dependent);
    std::map<std::string_view, int> compared = hold_to_multipliers(system, states);
    for (const std::string_view name : {"maggi", "voronec", "appell"}) {
      EXPECT_GE(compared[name], states_per_model / 2) << name;
      for (const AtState& at : states) {
        const std::optional<Error>& error = at[name].error;
        EXPECT_TRUE(!error || error->code() == ErrorCode::singular_dependent) << name << ": " << error->what();
      }
    }
    EXPECT_TRUE(!among(model.name, caplygin) || compared["caplygin"] >= states_per_model / 2);
  }
  EXPECT_GE(models, 14);
}

TEST(RedundantRows, DoNotChangeTheAccelerations) {
  int models = 0;
  for (const GalleryModel& model : models_with_programs()) {
    SCOPED_TRACE(model.name);
    const System system = read(model);
    Forms forms(system);
    const Multipliers all_rows(system, forms.terms());
    for (const AtState& at : regular_states(forms)) {
      EXPECT_LE(relative_difference(all_rows.evaluate(at.state).a, at["multipliers"].values->a), agreement)
          << describe(system, at.state);
    }
    models += classify(system).redundant > 0;
  }
  EXPECT_GE(models, 5);
}

// Differences of a form's accelerations from those of `multipliers`, one per state at which it is regular.
std::vector<double> differences(const std::vector<AtState>& states, std::string_view name) {
  std::vector<double> result;
  for (const AtState& at : states) {
    if (at[name].regular()) result.push_back(relative_difference(at[name].values->a, at["multipliers"].values->a));
  }
  return result;
}

// At a third of the states or more: some constraints have a branch that is integrable (two points with P1' = P2'), and
// random states lie there too.
bool differs(const std::vector<double>& list) {
  const auto beyond = std::count_if(list.begin(), list.end(), [](double d) { return d > difference; });
  return 3 * static_cast<std::size_t>(beyond) >= list.size();
}

// What the model says of itself; `verify` holds it to that.
bool integrable(const System& system) {
  return std::any_of(system->expectations.begin(), system->expectations.end(), [](const Expectation& expected) {
    return expected.path == "/set/integrable" && expected.value.boolean;
  });
}

// Not integrable, and yet: the particle of Appell and Hamel runs straight on, so that neither λ Eφ nor B p can turn it.
constexpr std::string_view straight_path = "appell-hamel";

TEST(Vakonomic, AgreesOnIntegrableConstraintsForEveryInitialMultiplier) {
  for (const GalleryModel& model : gallery()) {
    const System system = read(model);
    if (!integrable(system)) continue;
    SCOPED_TRACE(model.name);
    Forms forms(system);
    const std::vector<double> found = differences(regular_states(forms), "vakonomic");
    EXPECT_EQ(found.size(), std::size_t{states_per_model});
    EXPECT_THAT(found, Each(Le(agreement)));
  }
}

TEST(Vakonomic, AgreesOnAConstraintThatIsIntegrableWithoutBeingExact) {
  const System system = scratch_model(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + 2*y'^2)/2 - x*y^2\"\nconstraints = [\"y*x' - x*y' = 0\"]\n",
      "ray.toml");
  Forms forms(system);
  EXPECT_THAT(differences(regular_states(forms), "vakonomic"), AllOf(Not(IsEmpty()), Each(Le(agreement))));
}

TEST(Vakonomic, DiffersOnEveryOtherModelWhenTheMultiplierIsNotZero) {
  int models = 0;
  for (const GalleryModel& model : gallery()) {
    const System system = read(model);
    if (integrable(system) || restricts_accelerations(system) || system->constraints.empty()) continue;
    SCOPED_TRACE(model.name);
    ++models;
    Forms forms(system);
    const std::vector<double> found = differences(regular_states(forms), "vakonomic");
    EXPECT_GE(found.size(), 8u);
    EXPECT_EQ(differs(found), model.name != straight_path) << testing::PrintToString(found);
  }
  EXPECT_GE(models, 50);
}

TEST(Reduced, AgreesOnIntegrableConstraints) {
  for (const GalleryModel& model : gallery()) {
    const System system = read(model);
    if (!integrable(system)) continue;
    SCOPED_TRACE(model.name);
    Forms forms(system);
    const std::vector<double> found = differences(regular_states(forms), "reduced");
    EXPECT_GE(found.size(), 8u);
    EXPECT_THAT(found, Each(Le(agreement)));
  }
}

TEST(Reduced, DiffersOnEveryOtherModelUnlessTheMissingTermsHappenToVanish) {
  // the disc that stays vertical has Σ_ν B_r^ν p_ν = 0 for r = psi, phi, and so has the machine with its weight on the axis
  const Names harmless = {straight_path, "rolling-disc-vertical", "appell-hamel-machine-centred"};
  // |P'| given leaves L* without kinetic energy: no accelerations at all
  const Names nothing_left = {"equal-speeds", "equal-speeds-plane", "prescribed-speed", "prescribed-speed-varying"};
  int models = 0;
  for (const GalleryModel& model : gallery()) {
    const System system = read(model);
    if (integrable(system) || restricts_accelerations(system) || system->constraints.empty()) continue;
    SCOPED_TRACE(model.name);
    ++models;
    Forms forms(system);
    const std::vector<double> found = differences(regular_states(forms), "reduced");
    if (among(model.name, nothing_left)) {
      EXPECT_THAT(found, IsEmpty());
    } else if (among(model.name, harmless)) {
      EXPECT_THAT(found, AllOf(Not(IsEmpty()), Each(Le(agreement))));
    } else {
      EXPECT_GE(found.size(), 3u);
      EXPECT_TRUE(differs(found)) << testing::PrintToString(found);
    }
  }
  EXPECT_GE(models, 50);
}

TEST(Mvm2, WithTheIndependentVelocitiesAsAuxiliaryFunctionsIsReduced) {
  int compared = 0, models = 0;
  for (const GalleryModel& model : gallery()) {
    SCOPED_TRACE(model.name);
    const System system = read(model).with([](SystemData& data) { data.auxiliary.clear(); });
    if (restricts_accelerations(system)) continue;
    Forms forms(system);
    int here = 0;
    for (const AtState& at : regular_states(forms)) {
      const Outcome& reduced = at["reduced"];
      const Outcome& mvm2 = at["mvm2"];
      if (!mvm2.regular() || !reduced.regular()) continue;
      ++here;
      // mvm2 is held at its own condition: its matrix may be near-singular where that of multipliers is not
      EXPECT_LE(relative_difference(mvm2.values->a, reduced.values->a), agreement) << describe(system, at.state);
    }
    models += here > 0;
    compared += here;
  }
  EXPECT_GE(models, 55);
  EXPECT_GE(compared, 500);
}

TEST(Mvm2, WithTheFunctionsOfThePapersAgreesOnSkateAndRod) {
  for (const GalleryModel& model : gallery()) {
    if (!among(model.name, {"skate", "skate-level", "skate-straight", "gantmacher-rod", "circle", "circle-angle"}))
      continue;
    SCOPED_TRACE(model.name);
    const System system = read(model);
    Forms forms(system);
    EXPECT_THAT(differences(regular_states(forms), "mvm2"), AllOf(Not(IsEmpty()), Each(Le(agreement))));
  }
}

TEST(NonlinearInTheAccelerations, GaussAndMultipliersAgreeAndTheOthersDecline) {
  int compared = 0;
  for (const GalleryModel& model : gallery()) {
    const System at_home = read(model);
    if (linear_in_the_accelerations(at_home)) continue;
    SCOPED_TRACE(model.name);
    Admissible admissible(at_home);
    for (std::uint64_t seed = 1; seed <= states_per_model; ++seed) {
      const std::optional<State> state = admissible.random(seed);
      ASSERT_TRUE(state);
      std::vector<std::string> settings = {"t=" + std::to_string(state->t)};
      for (std::size_t i = 0; i < at_home->size(); ++i) {
        settings.push_back(at_home->coordinates[i] + "=" + std::to_string(state->q[i]));
        settings.push_back(at_home->coordinates[i] + "'=" + std::to_string(state->v[i]));
      }
      const Evaluation here = evaluate(scratch_model(model.text, std::string(model.name), settings));
      const FormResult& multipliers = *here.find("multipliers");
      const FormResult& gauss = *here.find("gauss");
      ASSERT_TRUE(multipliers.values && gauss.values);
      EXPECT_LE(relative_difference(gauss.values->a, multipliers.values->a), agreement);
      ++compared;
      for (const FormResult& form : here.forms) {
        if (form.form == Form::multipliers || form.form == Form::gauss) continue;
        ASSERT_TRUE(form.error) << form.form.name();
        EXPECT_EQ(form.error->code(), ErrorCode::not_applicable) << form.form.name();
      }
    }
  }
  EXPECT_GE(compared, states_per_model);
}

}  // namespace
}  // namespace cetaev::conformance
