// The registry of principles: everything the house knows about one of them by its name.
//
// A principle is a file that derives its equations and says what they are, and a line of the registry. Whoever asks what the
// state of a form consists of, whether its motion must be that of d'Alembert–Lagrange, or what to call it, asks here.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/form.hpp"

namespace cetaev {

struct Formulation;
struct Setting;
struct Terms;

// What belongs to the state of a form besides the positions.
enum class FormState {
  all_velocities,
  independent_velocities,  // where the dependent ones have a closed form; else all velocities
  quasi_velocities,        // Formulation::quasi says which
  velocities_and_multipliers,
};
// "positions and all velocities"
std::string_view describe(FormState state);

// What a form gives beside the accelerations, one for each independent constraint.
enum class FormReactions { none, multipliers, multiplier_rates };

struct Principle {
  std::string_view name;   // "multipliers"
  std::string_view title;  // "d'Alembert–Lagrange equations with multipliers"
  // The equations; name and state are filled in by derive(). Throws its own diagnosis.
  Formulation (*equations)(const Setting& setting) = nullptr;

  FormState state = FormState::all_velocities;
  FormReactions reactions = FormReactions::none;
  bool dalembert_lagrange = false;            // must agree with `multipliers`
  bool uses_dependent = true;                 // a choice of dependent velocities is in its equations
  bool constraints_on_accelerations = false;  // takes them, as long as they are linear in the accelerations
  bool auxiliary_functions = false;           // uses those of the model
  bool reduced_lagrangian = false;            // its equations are about L*, and
  bool nonholonomic_terms = false;            // about the terms B of Voronec
  // What its motion is called beside that of d'Alembert–Lagrange; the name where it says nothing.
  std::string_view motion = {};
  // Whether it is among the forms of a model where none is named; always where this is absent.
  bool (*listed)(const System& system) = nullptr;
  // Why it does not apply, beyond constraints on accelerations; nothing where it does.
  std::optional<Error> (*own_obstacle)(const Setting& setting) = nullptr;
  // Accelerations under constraints that are not linear in them, for a principle that has any there.
  std::vector<double> (*nonlinear_accelerations)(const System& system, const Terms& terms,
                                                 const State& state) = nullptr;

  // Why it does not apply to these constraints, as far as that can be said before anything is derived.
  std::optional<Error> obstacle(const Setting& setting) const;
  // Throws that, and what the derivation finds.
  Formulation derive(const Setting& setting) const;
};

// In the order of docs/reference/cli.md, then those that were added.
std::span<const Form> principles();
// Those that are meant by all forms of a model.
std::vector<Form> principles_of(const System& system);
const Principle* find_principle(std::string_view name);

// Adds one. To be done before the registry is used, by one thread: what principles() gave before is no longer valid, and nobody
// looks again. Throws bad-model where the name is taken. The texts must live as long as the program.
Form register_principle(const Principle& principle);

}  // namespace cetaev
