// Principles of mechanics as equations and as programs.
//
// A principle takes a `Setting` (the system with the terms they all share, an independent subset of its constraints and a
// choice of dependent velocities) and gives a `Formulation`: its equations as expressions, and a program that computes the
// accelerations from a state. The registry lists them; each lives in a file of its own that states its equation and source.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/jets.hpp"
#include "cetaev/formulation/terms.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

// What a linear system of a formulation being singular means.
struct SolveStep {
  LinearBlock block;
  ErrorCode if_singular = ErrorCode::singular_mass_matrix;
  std::string meaning;  // "the mass matrix is singular …"
};

// An equation of the form: expression = 0, with a word on what it is.
struct Equation {
  std::string label;
  Expr expression;
};

struct Formulation {
  std::string name;
  std::string state;  // what the state consists of, in words
  std::vector<Equation> equations;
  std::vector<std::string> notes;  // warnings and choices made, in words

  // The program: steps in order, then the results. Inputs are state_symbols() and, if `needs_lambda`, `lambda`.
  std::vector<SolveStep> steps;
  std::vector<Expr> a;             // n accelerations
  std::vector<Expr> multipliers;   // one per independent constraint row, where the form has them
  std::vector<Expr> lambda;        // symbols of the multipliers that belong to the state (vakonomic)
  std::vector<Expr> lambda_dot;    // their derivatives (vakonomic, mvm2, mvm3)
  Matrix transpositional_formula;  // the same as expressions in q, v, a, where they were asked for and found
  Matrix transpositional;          // A of δ(q̇) − Dₜ(δq) = A δq (mvm2, mvm3); else empty
  std::size_t system_step = 0;     // the step whose determinant decides determinacy
};

// The constraints and velocities that a derivation starts from.
struct Setting {
  Setting(const System& system, const Terms& terms, std::vector<std::size_t> rows, std::vector<std::size_t> dependent);

  const System& system;
  const Terms& terms;
  std::vector<std::size_t> rows;         // independent constraints
  std::vector<std::size_t> dependent;    // as many velocities
  std::vector<std::size_t> independent;  // the others
  // Which independent velocity mvm3 does without when the model gives no auxiliary functions (index in `independent`).
  std::optional<std::size_t> mvm3_left_out;
  bool with_equations = false;                // also equations that are only printed and cost algebra to derive
  std::vector<std::size_t> better_dependent;  // velocities that could be dependent at the state in question

  std::size_t n() const { return system.size(); }
  std::size_t rank() const { return rows.size(); }
  Context& context() const { return *system.context; }
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

  // Throws not-applicable when a constraint is nonlinear in the accelerations: no linear system gives them.
  void refuse_nonlinear_accelerations(std::string_view form) const;

  // Throws not-applicable when the set restricts accelerations.
  void refuse_second_order(std::string_view form) const;

 private:
  mutable std::shared_ptr<Jets> jets_;
};

struct Principle {
  std::string_view name;
  std::string_view title;   // "d'Alembert–Lagrange equations with multipliers"
  bool dalembert_lagrange;  // must agree with `multipliers`
  Formulation (*derive)(const Setting& setting);
};

// In the order of docs/reference/cli.md.
std::span<const Principle> principles();
const Principle* find_principle(std::string_view name);

// A formulation ready to run at states.
class CompiledForm {
 public:
  CompiledForm(const Setting& setting, Formulation form);

  struct Values {
    std::vector<double> a, multipliers, lambda_dot, transpositional;
    double determinant = 0;
  };
  // Throws the diagnosis of the step that is singular, or non-finite.
  Values evaluate(const State& state, std::span<const double> lambda = {}) const;

  struct BallValues {
    std::vector<Ball> a, multipliers, lambda_dot;
  };
  // Inputs in the order of state_symbols(), then λ.
  BallValues evaluate(std::span<const Ball> inputs, long bits) const;

  const Formulation& form() const { return form_; }
  const Program& program() const { return program_; }

 private:
  std::size_t n_;
  std::vector<double> parameters_;
  Formulation form_;
  Program program_;
};

}  // namespace cetaev
