// Principles of mechanics as equations and as programs.
//
// A principle takes a `Setting` (the system with the terms they all share, an independent subset of its constraints and a
// choice of dependent velocities) and gives a `Formulation`: its equations as expressions, and a program that computes the
// accelerations from a state. The registry (principle.hpp) lists them; each lives in a file of its own that states its equation
// and source.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/jets.hpp"
#include "cetaev/formulation/principle.hpp"
#include "cetaev/formulation/terms.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

// What a linear system of a formulation being singular means.
struct SolveStep {
  LinearBlock block;
  ErrorCode if_singular = ErrorCode::singular_mass_matrix;
  std::string meaning;  // "the mass matrix is singular …"
};

// An equation of the form: expression = 0, or what is to be made least.
struct Equation {
  enum class Kind {
    motion,        // of the coordinate `about`
    quasi_motion,  // of the quasi-velocity `about`
    constraint,    // the one numbered `about`
    least,         // not an equation: the function that is least
    free_motion,   // of the coordinate `about`, without constraints
    velocity,      // v of the coordinate `about` by the quasi-velocities
    definition,    // of the quasi-velocity `about`
    derivatives,   // of the dependent velocities by the others, γ
    weights,       // s of modified vakonomic mechanics
  };
  Kind kind = Kind::motion;
  std::size_t about = 0;
  Expr expression;
};

// Quasi-velocities u = Y(q,t) v + y₀ in the state of a form.
struct QuasiVelocities {
  std::vector<std::string> names;      // "omega", "u1", "x'"
  std::vector<Expr> u;                 // their symbols
  std::vector<Expr> definition;        // in q, v, t; empty where the basis came first
  std::optional<Basis> basis;          // which then serves everywhere,
  bool of_rank = false;                // or wherever the constraints keep their rank: it vanishes with that
  std::optional<std::size_t> turning;  // in axes that turn with this coordinate
  std::string if_undetermined;         // what to say where they and the constraints do not determine the velocities
};

// What an equation is called: "x", "u1", "constraint 1", "least", "free x", "gamma", "s".
std::string label(const System& system, const std::optional<QuasiVelocities>& quasi, const Equation& equation);

struct Formulation {
  std::string name;
  std::string state;  // what the state consists of, in words
  std::vector<Equation> equations;
  // The same with the velocities that are sums of several quasi-velocities left in them, where there are such; only to be printed.
  std::vector<Equation> with_velocities;
  std::vector<std::string> notes;  // warnings and choices made, in words

  std::optional<QuasiVelocities> quasi;  // where they belong to the state

  // The program: steps in order, then the results. Inputs are state_symbols(), then `lambda`.
  std::vector<SolveStep> steps;
  std::vector<Expr> a;             // n accelerations
  std::vector<Expr> multipliers;   // one per independent constraint row, where the form has them
  std::vector<Expr> lambda;        // symbols of the multipliers that belong to the state (vakonomic)
  std::vector<Expr> lambda_dot;    // their derivatives (vakonomic, mvm2, mvm3)
  Matrix transpositional;          // A of δ(q̇) − Dₜ(δq) = A δq (mvm2, mvm3); else empty
  Matrix transpositional_formula;  // the same as expressions in q, v, a, where they were asked for and found
  std::size_t system_step = 0;     // the step whose determinant decides determinacy,
  std::size_t pivots = 1;          // or the first of so many whose product does
  // The equations are not linear in the accelerations: the steps contain their symbols and are one of Newton's method from there, to be
  // repeated until it gives what it was given.
  bool iterated = false;
};

struct Symmetry;
struct BodyVelocities;

// The constraints and velocities that a derivation starts from.
struct Setting {
  Setting(const System& system, const Terms& terms, std::vector<std::size_t> rows, std::vector<std::size_t> dependent);

  System system;
  const Terms& terms;
  std::vector<std::size_t> rows;         // independent constraints
  std::vector<std::size_t> dependent;    // as many velocities
  std::vector<std::size_t> independent;  // the others
  // Which independent velocity mvm3 does without when the model gives no auxiliary functions (index in `independent`).
  std::optional<std::size_t> mvm3_left_out;
  bool with_equations = false;  // also those that are only printed: what computes a motion can do without them
  // What stands for H a − b, one for each coordinate, in equations that are printed; these themselves where there is nothing.
  std::optional<std::vector<Expr>> inertial;
  // Of equations in quasi-velocities, as they are printed:
  const Symmetry* symmetry = nullptr;        // to be used, where it gives axes that turn with the system
  const BodyVelocities* in_place = nullptr;  // these in the place of found ones; those of the model come before them
  bool local_bases =
      false;  // also one that serves only where nothing in it divides by zero; of motions, where the constraints keep their rank
  // Nodes of their trees together; longer ones are not made.
  double longest_equations = std::numeric_limits<double>::infinity();
  bool written_out = true;  // dependent velocities and bases in closed form where they have one
  bool simplified = true;   // systems of equations of first order shortened by algebra

  std::size_t n() const { return system->size(); }
  std::size_t rank() const { return rows.size(); }
  Context& context() const { return *system->context; }
  Expr zero() const { return context().zero(); }

  // On the independent rows:
  Matrix J() const;
  std::vector<Expr> c() const;
  std::vector<Expr> phi() const;

  // α and its derivatives: by the implicit function theorem, made once; or from a closed form after use_explicit().
  const Jets& jets() const;
  void use_explicit(const std::vector<Expr>& alpha);
  // α in closed form on the branch of a state, where there is one. Throws not-applicable for constraints on accelerations.
  std::optional<std::vector<Expr>> closed_form(const State& state) const;

  // Fresh symbols that no model can name.
  std::vector<Expr> symbols(const std::string& stem, std::size_t count) const;

  // Why the dependent velocities that the model names do not serve at the state in question, if they do not.
  std::optional<Error> dependent_error;
  // Throws that; for the forms that need dependent velocities.
  void require_dependent() const;

  // not-applicable when a constraint is nonlinear in the accelerations: no linear system gives them.
  std::optional<Error> nonlinear_accelerations(std::string_view form) const;

  // not-applicable when the set restricts accelerations.
  std::optional<Error> second_order(std::string_view form) const;

 private:
  mutable std::shared_ptr<Jets> jets_;
  std::shared_ptr<const std::vector<Expr>> alpha_;  // where there is a closed form
};

// A formulation ready to run at states.
class CompiledForm {
 public:
  CompiledForm(const Setting& setting, Formulation form);

  struct Values {
    std::vector<double> a, multipliers, lambda_dot, transpositional;
    double determinant = 0;
  };
  // Throws the diagnosis of the step that is singular, or non-finite; not-applicable where Newton's method finds no accelerations.
  Values evaluate(const State& state, std::span<const double> lambda = {}) const;

  struct BallValues {
    std::vector<Ball> a, multipliers, lambda_dot;
  };
  // Inputs in the order of state_symbols(), then λ. Accelerations found by iteration are good to most of the bits, without a proof.
  BallValues evaluate(std::span<const Ball> inputs, long bits) const;

  const Formulation& form() const { return form_; }
  const Program& program() const { return program_; }

 private:
  // Newton's method from accelerations 0 where the form is iterated: those with which the inputs go on.
  std::vector<double> iterated(std::vector<double> inputs) const;
  [[noreturn]] void refuse(int singular) const;

  std::size_t n_;
  std::vector<double> parameters_;
  Formulation form_;
  Program program_;
};

}  // namespace cetaev
