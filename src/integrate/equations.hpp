// What is integrated: the equations of a form with everything a motion is observed by, made ready once for any number of runs.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/detail/formulation/rounding.hpp"
#include "cetaev/detail/series/series.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/formulation/variational.hpp"
#include "cetaev/integrate/choices.hpp"

namespace cetaev {

class Patience;

// The numbers of the parameters that occur.
std::vector<std::size_t> parameters_in(const System& system, std::span<const Expr> expressions);

// q, v and t.
std::vector<Expr> moving_symbols(const System& system);

// The only motion that equations are made for: no more work on them than it is worth.
struct OneMotion {
  double t_end = 0, tolerance = 0;
  std::optional<Method> method;   // the one that takes least, where none is given
  bool by_algebra = false;        // whatever it takes: as they are derived they serve badly
  bool everywhere = false;        // in a basis that serves everywhere, as they are derived, or not at all
  std::optional<double> steps{};  // that are expected, by those that the same motion has taken so far
};

class MotionEquations {
 public:
  // Without a form: hamel where one basis of admissible velocities serves everywhere, else multipliers. Throws the diagnosis of the
  // form at the state. As they are derived, or after algebra that makes them shorter. The equations jump where one of `jumps` vanishes. With them go their variations by parameters or initial values. The system and its terms must outlive the equations.
  MotionEquations(const System& system, const Terms& terms, Admissible& admissible, const AdmissibleState& at,
                  const std::optional<Form>& form, const std::optional<OneMotion>& once = {},
                  std::span<const Expr> jumps = {}, bool as_derived = false,
                  std::span<const std::string> variations = {});

  const System& system() const { return system_; }
  const FirstOrderSystem& form() const { return form_; }
  // The form is one of d'Alembert–Lagrange, whatever dependent velocities it uses.
  bool dalembert_lagrange() const;
  // The multipliers are observables of the form, not reactions computed beside it.
  bool observes_multipliers() const;
  // Of the model. They are not in the equations: every program takes parameters among its inputs, and these or others may be given.
  const std::vector<double>& parameters() const { return parameters_; }

  // y of the form, its variations and, last, the work ∫ balance dt where the balance of the energy is not zero by itself.
  std::size_t size() const { return with_work_.state.size(); }
  bool has_work() const { return has_work_; }

  // Of the method taylor, about, of the only motion; infinitely many where there may be others.
  double steps() const { return steps_; }

  // y' from y, t, parameters.
  const Program& rates() const { return rates_; }
  // The same and then the events of the model and what vanishes at jumps, for series that show how fast these change.
  Program rates_and_events() const;
  // ∂y'/∂y, column by column, from the same.
  Program jacobian() const;
  // The diagnosis of a linear system of `rates` that is singular.
  Error diagnosis(int system) const;

  // q, v, λ (as in MotionPoint), E, residuals one by one: from y, t, parameters.
  const Program& observables() const { return observables_; }
  std::size_t multiplier_count() const { return multiplier_count_; }
  // The outputs of the model: from y, t, parameters and, behind them, the multipliers where one occurs.
  Program outputs() const;
  std::size_t constraint_count() const { return form_.residual.size(); }

  // Any expressions of q, v, t from y, t, parameters.
  Program observing(std::span<const Expr> expressions) const;
  // The same, and then their derivatives along the motion.
  Program with_rates_of(std::span<const Expr> expressions) const;

  const std::vector<Expr>& jumps() const { return jumps_; }
  // ∂²L/∂v∂v, row by row.
  const std::vector<Expr>& inertia() const { return terms_.mass.entries; }

  // Variations along the equations; null where there are none. For each of them δq and δv, times w: from y, t, parameters.
  const VariationalSystem* variational() const { return variational_ ? &*variational_ : nullptr; }
  const Program& changes() const { return changes_; }
  // Expressions of q, v, t by each of what varies, likewise.
  Program changes_of(std::span<const Expr> expressions) const;
  // Into y: variations that have these δq and δv, of one after the other, at a state; and none of them larger than the state is.
  void vary(const State& at, std::span<const double> parameters, std::span<const double> changes,
            std::span<double> y) const;
  // Variations that have outgrown the state are made smaller; were there any?
  bool shrink_variations(std::span<double> y) const;

  // y of an admissible state, the work from zero.
  std::vector<double> state(const State& at, std::span<const double> lambda) const {
    return state(at, lambda, parameters_);
  }
  // The same at other values of the parameters. Accelerations in the state are found at those of the model only.
  std::vector<double> state(const State& at, std::span<const double> lambda, std::span<const double> parameters) const;
  bool has_accelerations() const { return with_accelerations_; }
  // As they were derived, since algebra would take longer than the motion.
  bool taken_plain() const { return taken_plain_; }
  // In a basis that serves everywhere.
  bool serve_everywhere() const { return form_.form->state == FormState::quasi_velocities && form_.global; }
  // The given one, or what takes least for the only motion.
  Method method() const { return method_; }

  // Nothing but rounding can take y off the constraints: the velocities of the state are free and no positions are bound.
  bool stays_on_constraints() const { return stays_; }

 private:
  void choose(const Terms& terms, Admissible& admissible, const AdmissibleState& at, const std::optional<Form>& form);
  void choose_by_algebra(const Setting& setting, const State& at, const std::optional<Form>& form);
  bool serves_here(const State& at) const;
  bool has_values(const State& at) const;
  // The multipliers of the vakonomic equations at a state, for the rows of the form.
  std::vector<double> on_own_rows(std::span<const double> lambda, const State& at,
                                  std::span<const double> parameters) const;
  void estimate_steps(const State& at);
  bool plain_will_do(const Setting& setting, const State& at, const std::optional<Form>& form);
  template <class Work>
  void try_within(Patience& patience, const Work& work);
  void prefer_accelerations_of_points(const Setting& setting, const State& at);
  void prefer_quasi_velocities(const Setting& setting, const State& at);
  void take_everywhere(const Setting& setting, const State& at);
  bool prefer_along_sums(const Setting& setting, const State& at, double part);
  bool prefer_where_of_rank(Setting setting, const State& at);
  bool take_if_good(FirstOrderSystem other, const State& at);
  double work_of_step(const FirstOrderSystem& form) const;
  double work_of_motion() const;
  double spare_algebra() const;
  void prefer_shorter();
  void prefer_orthogonal(const Setting& setting, const State& at);
  // Expressions of q, v, t in the state.
  std::vector<Expr> in_state(std::span<const Expr> expressions) const;
  void make_rates(const Terms& terms);
  // The rates and more; what the linear systems are where they are singular.
  Program program_of_rates(std::span<const Expr> more, std::vector<Error>* if_singular) const;
  void make_observables(const Terms& terms);
  void make_changes();

  System system_;
  const Terms& terms_;
  std::vector<Expr> jumps_;
  bool with_accelerations_ = false;  // they belong to the state
  FirstOrderSystem form_;
  FirstOrderSystem with_work_;
  std::optional<VariationalSystem> variational_;
  std::vector<double> parameters_;
  std::optional<OneMotion> once_;
  bool as_derived_ = false, taken_plain_ = false;
  Method method_ = Method::taylor;
  bool method_chosen_ = false;
  double steps_ = std::numeric_limits<double>::infinity();  // of the method
  bool has_work_ = false;
  bool stays_ = false;
  std::size_t multiplier_count_ = 0;
  std::vector<Error> if_singular_;  // of the linear systems of the rates
  Program rates_, observables_, changes_;
  std::unique_ptr<FirstOrderProgram> from_state_;
};

}  // namespace cetaev
