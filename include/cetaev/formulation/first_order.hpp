// The equations of a form as a first-order system y' = f(y, t, parameters): what exported code and integrators run on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

struct StateVariable {
  std::string name;  // as a reader knows it: "x", "x'", "u", "lambda1"
  Expr symbol;
};

// Blocks of linear systems with the numbers of the steps they come from, for the diagnosis when one is singular.
struct NumberedBlocks {
  std::vector<LinearBlock> blocks;
  std::vector<std::size_t> step;
};

// Everything below is an expression in inputs() and the unknowns of `steps`.
struct FirstOrderSystem {
  System system;  // whose expressions these are: a scratch copy
  Form form = Form::multipliers;
  // What the principle says its state is: q and all velocities, q and the independent ones where α has a closed form, q and
  // quasi-velocities, q, v and λ.
  std::vector<StateVariable> state;
  Expr t;
  std::vector<Expr> parameters;

  std::vector<SolveStep> steps;
  std::vector<Expr> rates;             // y'
  std::vector<Expr> velocities;        // of all coordinates
  std::vector<Expr> accelerations;     // likewise
  std::vector<Expr> multipliers;       // one for each of `rows`, where the form has them
  std::vector<Expr> lambda;            // symbols of the multipliers that belong to the state (vakonomic), last in it
  std::vector<std::size_t> rows;       // the independent constraints in use
  std::vector<std::size_t> dependent;  // coordinates of the dependent velocities, where the state leaves them out
  std::vector<std::size_t> chosen;     // coordinates of the dependent velocities that the equations use, where they do
  std::vector<Expr> residual;          // f, φ or h of every constraint, as written
  Expr energy;                         // E = v·∂L/∂v − L
  // Matrices besides those of `steps` that the equations divide by: singular where one of these is.
  std::vector<Matrix> divided_by;
  // The matrix M of the last of the steps as uᵀ M u = Σ (F u)ᵀ W (F u), where it was made so: forms F and weights W without anything that moves.
  struct Squares {
    Matrix forms, weights;
  };
  std::vector<Squares> squares;
  bool global = true;  // the state can be used everywhere: no choice of dependent velocities is in it
  bool of_rank =
      false;  // or wherever the constraints keep their rank: its directions vanish with that, so nothing follows from them about it
  std::vector<Equation> equations;       // of the form, to be printed
  std::optional<QuasiVelocities> quasi;  // that they are about, where they are
  std::vector<std::string> notes;

  // y from positions and all velocities, in the symbols of the model and the unknowns of `from_steps`; λ is itself.
  std::vector<SolveStep> from_steps;
  std::vector<Expr> from_state;

  std::vector<Expr> inputs() const;  // y, t, parameters
  // Those of the steps, and of their right-hand sides, on which the outputs depend.
  NumberedBlocks needed_for(std::span<const Expr> outputs) const;

  // ∂f/∂y exactly. A linear system M x = F differentiated is M ∂x = ∂F − (∂M) x: further right-hand sides of the same
  // matrix, whose factors can be used again.
  struct Jacobian {
    Matrix entries;
    NumberedBlocks systems;
  };
  Jacobian jacobian() const;
};

// A form at the setting of a state, on whose branch closed forms are taken. Throws the form's own diagnosis where it does
// not apply, and the diagnosis of a linear system that is singular everywhere. Dependent velocities and bases that are not to be
// written out (`setting.written_out`), which for many constraints they never are, are solved for at run time.
FirstOrderSystem first_order(Setting setting, const State& at, Form form);

// hamel where its state serves everywhere; nothing where it does not apply.
std::optional<FirstOrderSystem> first_order_everywhere(const Setting& setting, const State& at);
// That, else multipliers.
FirstOrderSystem first_order_by_default(const Setting& setting, const State& at);

// hamel in some of the velocities that serve everywhere, with the model's own sums of velocities left as they are written: for bodies that roll. Nothing
// where there are no such velocities.
std::optional<FirstOrderSystem> first_order_along_sums(const Setting& setting, const State& at);

// hamel in quasi-velocities of the program's own choice, in which the mass matrix is diagonal: Σ M_ij u_i u_j = Σ D_i (s_i σ_i)²
// by completing squares, constant coefficients first. Nothing where it has no closed form.
std::optional<FirstOrderSystem> first_order_orthogonal(Setting setting, const State& at);

// Runs f, and its inverse from positions and velocities, in doubles.
class FirstOrderProgram {
 public:
  FirstOrderProgram(const System& system, FirstOrderSystem equations);

  const FirstOrderSystem& equations() const { return equations_; }
  // y of an admissible state; λ one for each of `rows`. Throws the diagnosis of a singular step.
  std::vector<double> state(const State& at, std::span<const double> lambda = {}) const {
    return state(at, lambda, parameters_);
  }
  // The same at other values of the parameters, one for each in file order.
  std::vector<double> state(const State& at, std::span<const double> lambda, std::span<const double> parameters) const;
  std::vector<double> rates(double t, std::span<const double> y) const;
  // Any expressions of the equations.
  std::vector<double> values(std::span<const Expr> outputs, const NumberedBlocks& systems, double t,
                             std::span<const double> y) const;

 private:
  std::vector<double> run(const Program& program, const NumberedBlocks& systems, std::span<const SolveStep> steps,
                          std::span<const double> inputs) const;

  System system_;
  FirstOrderSystem equations_;
  std::vector<double> parameters_;
  NumberedBlocks rate_systems_, from_systems_;
  Program rates_, from_state_;
};

}  // namespace cetaev
