// A second witness of a motion: the equations of d'Alembert–Lagrange before anybody has solved them for anything.
//
// The watch for singular sets says when a form may not go on. What it misses nothing else in the form shows: beyond a fold, on the wrong branch
// of a root, residual and energy are those of a motion, and a wrong sign in a form keeps its own energy. So at a place within a step the velocities
// are held to the rates of the positions, and their rates to the accelerations of
//
//   H a − Jᵀλ = b,   J a = c
//
// at the state there; where there are branches, also those of the dense output, which has gone through a fold as the equations have not. Only
// gross errors are told, which no tolerance and no rounding explains: small ones are those of the method.
//
// Of another principle these are the accelerations, and rates of its multipliers, that its own steps give at positions and all velocities, before
// anything is solved for in closed form, shortened, or left out of the state.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/program/program.hpp"
#include "equations.hpp"
#include "inputs.hpp"
#include "recording.hpp"

namespace cetaev {

// Do the equations have branches: velocities that are not in the state, by constraints that are not linear in them?
bool have_branches(const MotionEquations& equations, const Terms& terms);

// A principle other than d'Alembert–Lagrange as it stands for itself: constant, shared by threads. For the model's own values of parameters.
struct OwnSteps {
  CompiledForm form;
  Multipliers terms;  // which say what accelerations are the rest of
};
// Null where the equations are of d'Alembert–Lagrange, or are not those of the setting.
std::unique_ptr<const OwnSteps> own_steps(const MotionEquations& equations, const Terms& terms, Admissible& admissible,
                                          const AdmissibleState& at);

// Of one motion along equations; they must outlive it, and so must the steps, if they are not of d'Alembert–Lagrange.
class Witness {
 public:
  // `asked`: somebody wants this form; else the program has taken it for being quick.
  Witness(const MotionEquations& equations, const OwnSteps* own, bool branches, bool asked,
          std::span<const double> parameters, double tolerance);

  // Another step: is it to be looked at? Where there are branches, every one: beyond the step in which the branch is lost the equations are right
  // again, of another motion. Wrong formulas stay wrong.
  bool wants() { return wants_step(++steps_); }
  // The same of the next one, which may pass where it is not.
  bool wants_next() const { return wants_step(steps_ + 1); }
  void pass() { ++steps_; }
  // Whether the last step is no motion, somewhere up to `end`; `view` is upon it.
  bool contradicts(MotionView& view, const LastStep& step, double end);

 private:
  bool wants_step(std::size_t number) const;
  bool rates_are_wrong(MotionView& view, double t, double part);
  bool change_is_wrong(MotionView& view, const LastStep& step, double t, double part, double length);
  void see(MotionView& view, double t);
  std::span<const double> accelerations(MotionView& view);
  double size_of_terms(const State& at);
  template <class State>
  void take_change(MotionView& view, double t, double part, const State& state);
  bool explained(MotionView& view, double t, double h);
  bool within_errors(double h) const;
  void find_spread(MotionView& view, double t);

  const OwnSteps* own_;
  std::optional<Multipliers::Workspace> workspace_;
  std::vector<double> own_a_, parameters_;
  std::size_t reactions_;  // as many as there are constraints
  Interpreter rates_;
  MotionInputs inputs_;
  bool all_velocities_, branches_, asked_;
  double tolerance_, turn_ = 0;
  std::size_t steps_ = 0, seen_ = 0;
  std::vector<double> y_, dy_, beside_;
  std::vector<double> change_;  // of positions, then of velocities and of multipliers in the state: in a unit of time
  double rounding_ = 0;         // in it
  std::vector<double> q_, v_, a_;  // at the place itself; behind accelerations the rates of multipliers
  double terms_ = 0;               // of the accelerations: what cancels where all is at rest
  std::vector<double> spread_;     // what is not known of velocities and accelerations
};

}  // namespace cetaev
