#include "equations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "accuracy.hpp"
#include "cetaev/algebra/degree.hpp"
#include "cetaev/algebra/thread.hpp"
#include "cetaev/detail/algebra/digits.hpp"
#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/detail/formulation/lambda_on_rows.hpp"
#include "cetaev/detail/formulation/rounding.hpp"
#include "cetaev/detail/formulation/second_order.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/text/patience.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "costs.hpp"
#include "field.hpp"
#include "with_accelerations.hpp"

namespace cetaev {

namespace {

// Every constraint homogeneous in the velocities: J v = 0 on the set, and the reactions do no work.
bool reactions_are_idle(const System& system, const ConstraintSet& set) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set.order[i] == 2 || !homogeneity_degree(set.phi[i], system->motion.v)) return false;
  }
  return true;
}

// What it takes to make or visit a node of an expression, in products of two terms of polynomials.
constexpr double per_node = 10;

// Convolutions for each order of the series: what a step costs.
std::size_t cost_of_step(const FirstOrderSystem& form) {
  const Program program(form.rates, form.inputs(), form.needed_for(form.rates).blocks);
  return SeriesProgram(program, form.state.size()).cost();
}

// Does anything stand in the equations that doubles cannot hold at states of usual size?
bool grows_without_bound(const Terms& terms) {
  std::vector<Expr> all = terms.bias;
  for (const auto* more : {&terms.mass.entries, &terms.constraints.jacobian.entries, &terms.constraints.bias})
    all.insert(all.end(), more->begin(), more->end());
  const std::vector<Expr> nodes = topological(all);
  return std::any_of(nodes.begin(), nodes.end(), [](Expr e) {
    return e.kind() == Kind::function &&
           (e.function() == Function::exp || e.function() == Function::sinh || e.function() == Function::cosh);
  });
}

}  // namespace

std::vector<std::size_t> parameters_in(const System& system, std::span<const Expr> expressions) {
  std::vector<std::size_t> result;
  // by their names: the expressions may be those of a scratch copy
  const std::vector<Expr> symbols = free_symbols(expressions);
  for (std::size_t i = 0; i < system->parameters.size(); ++i) {
    const auto is_it = [&](Expr symbol) { return symbol.name() == system->parameters[i].symbol.name(); };
    if (std::any_of(symbols.begin(), symbols.end(), is_it)) result.push_back(i);
  }
  return result;
}

std::vector<Expr> moving_symbols(const System& system) {
  std::vector<Expr> symbols = system->motion.q;
  symbols.insert(symbols.end(), system->motion.v.begin(), system->motion.v.end());
  symbols.push_back(system->motion.t);
  return symbols;
}

MotionEquations::MotionEquations(const System& system, const Terms& terms, Admissible& admissible,
                                 const AdmissibleState& at, const std::optional<Form>& form,
                                 const std::optional<OneMotion>& once, std::span<const Expr> jumps, bool as_derived,
                                 std::span<const std::string> variations)
    : system_(system),
      terms_(terms),
      jumps_(jumps.begin(), jumps.end()),
      parameters_(parameter_values(system)),
      once_(once),
      as_derived_(as_derived) {
  choose(terms, admissible, at, form);
  if (!variations.empty()) {
    if (with_accelerations_)
      throw Error(
          ErrorCode::not_applicable,
          "accelerations belong to the state of these equations: variations are those of motions that positions "
          "and velocities determine");
    variational_.emplace(system, form_, variations);
  }
  make_rates(terms);
  make_observables(terms);
  if (variational_) make_changes();
  from_state_ = std::make_unique<FirstOrderProgram>(system, form_);
  const ConstraintSet& set = terms.constraints;
  stays_ = set.size() == 0 || (set.position_rows.empty() && set.velocity_rows.size() == set.size() &&
                               form_.state.size() < 2 * system->size() && form_.lambda.empty());
}

namespace {

// Where ∂²L/∂v∂v is singular, algebra has divided by what is zero at these values: by a mass that is none.
bool has_inertia(const System& system, const Terms& terms, const State& at, std::span<const double> parameters) {
  const Program program(terms.mass.entries, state_symbols(system));
  std::vector<double> entries(program.output_count());
  if (Interpreter(program)(state_values(at, parameters), entries) >= 0) return false;
  CompleteLu lu;
  lu.compute(DenseView(entries.data(), system->size(), system->size()));
  return lu.invertible();
}

}  // namespace

void MotionEquations::choose(const Terms& terms, Admissible& admissible, const AdmissibleState& at,
                             const std::optional<Form>& form) {
  release_thread_memory_at_exit();  // a motion may be prepared anew by the thread that runs it
  if (nonlinear_in_accelerations(terms) && (!form || form == Form::multipliers)) {
    with_accelerations_ = true;
    form_ = first_order_with_accelerations(system_, terms);
    if (const std::size_t others = start_of_accelerations(system_, terms, at.state).others; others > 0)
      form_.notes.push_back("the constraints on the accelerations have " + std::to_string(others) + " other solution" +
                            (others == 1 ? "" : "s") +
                            " at the start; the motion begins with the one of least constraint in Gauss's sense");
    return;
  }
  const Setting setting = setting_at(system_, terms, admissible, at);
  const Form wanted = form.value_or(Form::multipliers);
  if (once_ && once_->everywhere) return take_everywhere(setting, at.state);
  if (once_ && !once_->by_algebra && plain_will_do(setting, at.state, form)) return;
  const bool may_overflow = grows_without_bound(terms);
  try {
    if (!as_derived_ && has_inertia(system_, terms, at.state, parameters_)) {
      choose_by_algebra(setting, at.state, form);
      if (!may_overflow || has_values(at.state)) return;
    }
  } catch (const Error&) {
    if (!may_overflow) throw;
  }
  // cosh(u) a = 1 has no numbers where cosh(u) has none; a = 1/cosh(u) has
  Setting plain = setting;
  plain.simplified = false;
  form_ = first_order(plain, at.state, wanted);
}

void MotionEquations::choose_by_algebra(const Setting& setting, const State& at, const std::optional<Form>& form) {
  if (!form) {
    const std::size_t nodes = system_->context->node_count();
    if (auto hamel = first_order_everywhere(setting, at)) {
      form_ = std::move(*hamel);
      estimate_steps(at);
      if (spare_algebra() > per_node * static_cast<double>(system_->context->node_count() - nodes))
        prefer_orthogonal(setting, at);
      prefer_shorter();
      if (serves_here(at) && rounding_error(system_, form_, at) < much_rounding) {
        prefer_along_sums(setting, at, 1);
        return;
      }
    }
    Setting plain = setting;
    plain.simplified = false;
    form_ = first_order(plain, at, Form::multipliers);
    estimate_steps(at);
    // what algebra would leave of multipliers, at best
    constexpr double left = 0.5;
    if (prefer_along_sums(setting, at, left) || prefer_where_of_rank(setting, at)) return;
    form_ = first_order(setting, at, Form::multipliers);
    estimate_steps(at);
    prefer_shorter();
    prefer_along_sums(setting, at, 1);
  } else {
    form_ = first_order_in_doubles(setting, at, *form);
  }
}

// A short motion is at its end before algebra would be done with its equations: they are taken as they are derived.
bool MotionEquations::plain_will_do(const Setting& setting, const State& at, const std::optional<Form>& form) {
  constexpr double of_node =
      2500;  // products of two terms, some 60 µs: to solve and shorten equations, for each node of the model
  const double algebra = of_node * static_cast<double>(system_->context->node_count());
  Setting plain = setting;
  plain.simplified = false;
  form_ = first_order_with_values(plain, at, form.value_or(Form::multipliers));
  estimate_steps(at);
  if (!form) {
    const auto spare = [&] {
      return spare_algebra() >= per_node * static_cast<double>(system_->context->node_count());
    };
    Patience patience(spare_algebra() / per_node);
    try_within(patience, [&] { prefer_accelerations_of_points(plain, at); });
    if (spare()) try_within(patience, [&] { prefer_quasi_velocities(plain, at); });
    if (spare()) try_within(patience, [&] { prefer_along_sums(plain, at, 1); });
  }
  taken_plain_ = work_of_motion() < algebra && serves_here(at) && rounding_error(system_, form_, at) < much_rounding;
  return taken_plain_;
}

// Better equations, where they are found in time; else those there are.
template <class Work>
void MotionEquations::try_within(Patience& patience, const Work& work) {
  FirstOrderSystem form = form_;
  const auto before = std::tuple(steps_, method_, method_chosen_);
  if (patience.with(work)) return;
  form_ = std::move(form);
  std::tie(steps_, method_, method_chosen_) = before;
}

// Without constraints all forms are H a = b. What the accelerations of the points make of b may be shorter than what derivatives of L do.
void MotionEquations::prefer_accelerations_of_points(const Setting& setting, const State& at) {
  if (setting.terms.constraints.size() > 0) return;
  if (spare_algebra() < per_node * static_cast<double>(system_->context->node_count())) return;
  try {
    FirstOrderSystem other = first_order(setting, at, Form::appell);
    if (cost_of_step(other) >= cost_of_step(form_)) return;
    other.form = form_.form;
    form_ = std::move(other);
  } catch (const Error& error) {
    // nobody has asked for it; L that is not quadratic in the velocities has no Gibbs–Appell function
    if (error.code() != ErrorCode::not_applicable) throw;
  }
}

// In a basis that serves everywhere there are fewer unknowns, nothing leaves the constraints, and near singular sets of other forms nothing is lost.
void MotionEquations::prefer_quasi_velocities(const Setting& setting, const State& at) {
  if (setting.terms.constraints.size() == 0) return;
  auto other = first_order_everywhere(setting, at);
  if (other && work_of_step(*other) < work_of_step(form_)) form_ = std::move(*other);
}

void MotionEquations::take_everywhere(const Setting& setting, const State& at) {
  Setting plain = setting;
  plain.simplified = false;
  auto found = first_order_everywhere(plain, at);
  if (!found) throw Error(ErrorCode::not_applicable, "no basis of quasi-velocities is regular everywhere");
  form_ = std::move(*found);
  taken_plain_ = true;
  estimate_steps(at);
}

// Equations in the model's own sums of velocities, where a step then takes less than this part of the work.
bool MotionEquations::prefer_along_sums(const Setting& setting, const State& at, double part) {
  if (setting.terms.constraints.size() == 0) return false;
  std::optional<FirstOrderSystem> other = first_order_along_sums(setting, at);
  if (!other || !(work_of_step(*other) < part * work_of_step(form_))) return false;
  return take_if_good(std::move(*other), at);
}

bool MotionEquations::take_if_good(FirstOrderSystem other, const State& at) {
  std::swap(form_, other);
  if (serves_here(at) && has_values(at) && rounding_error(system_, form_, at) < much_rounding) {
    estimate_steps(at);
    return true;
  }
  std::swap(form_, other);
  return false;
}

// Quasi-velocities that serve wherever the constraints keep their rank, beyond which no motion goes: fewer unknowns than with multipliers, and nothing
// leaves the constraints.
bool MotionEquations::prefer_where_of_rank(Setting setting, const State& at) {
  const ConstraintSet& set = setting.terms.constraints;
  if (set.size() == 0 || !set.position_rows.empty() || set.velocity_rows.size() != set.size())
    return false;                                      // positions could leave theirs
  if (setting.rows.size() < set.size()) return false;  // where some lose rank, others may hold
  if (spare_algebra() < per_node * static_cast<double>(system_->context->node_count())) return false;
  setting.local_bases = true;
  auto other = first_order_everywhere(setting, at);
  if (!other) return false;
  FirstOrderSystem before = form_;
  const double work = work_of_step(form_);
  if (!take_if_good(std::move(*other), at)) return false;
  prefer_orthogonal(setting, at);
  prefer_shorter();
  if (!(work_of_step(form_) < work)) {
    form_ = std::move(before);
    estimate_steps(at);
    return false;
  }
  return true;
}

double MotionEquations::work_of_step(const FirstOrderSystem& form) const {
  const Program rates(form.rates, form.inputs(), form.needed_for(form.rates).blocks);
  constexpr double usual = 1e-14;  // where no tolerance is known
  return cost_of_one_step(method_, rates, form.state.size(), once_ ? once_->tolerance : usual, steps_);
}

bool MotionEquations::has_values(const State& at) const { return cetaev::has_values(system_, form_, at); }

// What is regular whatever the sides are may not be at ±1, as 1/(1 + σ) is.
bool MotionEquations::serves_here(const State& at) const {
  if (jumps_.empty()) return true;
  try {
    (void)FirstOrderProgram(system_, form_).state(at, {});
    return true;
  } catch (const Error&) {
    return false;
  }
}

void MotionEquations::estimate_steps(const State& at) {
  if (!once_ || with_accelerations_) return;
  try {
    const Program rates(form_.rates, form_.inputs(), form_.needed_for(form_.rates).blocks);
    std::vector<double> lambda;
    if (!form_.lambda.empty()) lambda = on_own_rows(initial_lambda(system_, at), at, parameters_);
    const std::vector<double> y = FirstOrderProgram(system_, form_).state(at, lambda);
    const auto steps = [&](Method method) {
      return steps_at_first_pace(method, rates, at.t, y, once_->t_end, once_->tolerance, parameters_);
    };
    const Method first = method_chosen_ ? method_ : once_->method.value_or(Method::taylor);
    steps_ = steps(first);
    if (!method_chosen_ && !once_->method) {
      const double others = steps(Method::dop853);
      const auto cost = [&](Method method, double count) {
        return cost_of_motion(method, rates, y.size(), once_->tolerance, count);
      };
      if (cost(Method::dop853, others) < cost(first, steps_)) {
        steps_ = others;
        method_ = Method::dop853;
      }
    } else {
      method_ = first;
    }
    method_chosen_ = true;
    if (once_->steps) steps_ = *once_->steps;
  } catch (const Error&) {
    steps_ = std::numeric_limits<double>::infinity();  // singular here: another question
  }
}

// In products of two terms of polynomials.
double MotionEquations::work_of_motion() const {
  constexpr double of_product = 24;  // nanoseconds
  if (!(steps_ < std::numeric_limits<double>::infinity())) return steps_;
  const Program rates(form_.rates, form_.inputs(), form_.needed_for(form_.rates).blocks);
  return steps_ * cost_of_one_step(method_, rates, form_.state.size(), once_->tolerance, steps_) / of_product;
}

// Algebra that would take a tenth of the time that the motion takes without it: then it is no loss worth a word where nothing comes of it. Near a
// singular set it is worth more: equations that divide by less keep more digits.
double MotionEquations::spare_algebra() const {
  constexpr double part = 0.1;
  return once_ && once_->by_algebra ? std::numeric_limits<double>::infinity() : part * work_of_motion();
}

// Linear systems of a few unknowns cost more than the equations themselves: where squares can be completed there are none.
void MotionEquations::prefer_orthogonal(const Setting& setting, const State& at) {
  constexpr std::size_t largest = 4;
  std::size_t solved = 0;
  for (const SolveStep& step : form_.steps) solved = std::max(solved, step.block.matrix.rows);
  if (solved < 2 || solved > largest) return;
  auto other = first_order_orthogonal(setting, at);
  if (other && cost_of_step(*other) < cost_of_step(form_)) form_ = std::move(*other);
}

// The equations as a person would write them, with functions of differences of angles, where that is less work.
void MotionEquations::prefer_shorter() {
  constexpr std::size_t cheap = 8;  // convolutions: not worth the algebra
  constexpr double longest = 3000;  // of everything, written out
  constexpr double most = 0.2;
  constexpr double units_of_effort = 4e7;
  constexpr std::size_t coordinates = 6;  // whose differences are tried
  const std::size_t cost = cost_of_step(form_);
  if (cost <= cheap) return;
  FirstOrderSystem other = form_;
  std::vector<Expr*> all;
  for (Expr& e : other.rates) all.push_back(&e);
  for (SolveStep& step : other.steps) {
    for (Expr& e : step.block.matrix.entries) all.push_back(&e);
    for (Expr& e : step.block.right.entries) all.push_back(&e);
  }
  double length = 0;
  for (const Expr* e : all) length += written_size(*e);
  const double spare = spare_algebra();
  if (length > longest || spare < per_node * length) return;
  const double effort = std::min(most, spare / units_of_effort);
  Simplifier simplifier(effort);
  std::vector<std::pair<Expr, Expr>> pairs;
  const std::vector<Expr>& q = system_->motion.q;
  for (std::size_t i = 0; i < std::min(q.size(), coordinates); ++i) {
    for (std::size_t j = i + 1; j < std::min(q.size(), coordinates); ++j) pairs.emplace_back(q[i], q[j]);
  }
  simplifier.expect_differences(pairs);
  for (Expr* e : all) {
    const Expr shorter = simplifier.simplify(*e);
    if (keeps_digits(std::array{*e}, std::array{shorter})) *e = shorter;
  }
  if (cost_of_step(other) < cost) form_ = std::move(other);
}

// The balance of the energy along the accelerations of the form,
//   Ė = −∂L/∂t + F·v + R·v,   R = H a − b the reactions,
// R·v left out where theory says that it vanishes.
void MotionEquations::make_rates(const Terms& terms) {
  const Motion& motion = system_->motion;
  Context& context = *system_->context;
  std::vector<Expr> power = {-derivative(system_->lagrangian, motion.t)};
  for (std::size_t i = 0; i < system_->size(); ++i) power.push_back(system_->forces[i] * motion.v[i]);
  if (!dalembert_lagrange() || !reactions_are_idle(system_, terms.constraints)) {
    for (std::size_t i = 0; i < system_->size(); ++i) {
      std::vector<Expr> reaction = {-terms.bias[i]};
      for (std::size_t j = 0; j < system_->size(); ++j) reaction.push_back(terms.mass(i, j) * motion.a[j]);
      power.push_back(context.sum(reaction) * motion.v[i]);
    }
  }
  std::vector<Replacement> in_state;
  for (std::size_t i = 0; i < system_->size(); ++i) {
    in_state.emplace_back(motion.v[i], form_.velocities[i]);
    in_state.emplace_back(motion.a[i], form_.accelerations[i]);
  }
  const Expr balance = substitute(context.sum(power), in_state);
  has_work_ = !balance.is_zero();
  with_work_ = variational_ ? variational_->equations() : form_;
  if (has_work_) {
    with_work_.state.push_back({"work", context.symbol("$work")});
    with_work_.rates.push_back(balance);
  }
  rates_ = program_of_rates({}, &if_singular_);
}

// Of variations from the program of the motion, where that has rules for all that is in it: that takes less work than derivatives of expressions.
Program MotionEquations::program_of_rates(std::span<const Expr> more, std::vector<Error>* if_singular) const {
  const auto errors = [&](const FirstOrderSystem& form, std::span<const std::size_t> steps) {
    if (if_singular == nullptr) return;
    for (const std::size_t step : steps)
      if_singular->emplace_back(form.steps[step].if_singular, form.steps[step].meaning);
  };
  const auto with = [&](std::vector<Expr> outputs) {
    outputs.insert(outputs.end(), more.begin(), more.end());
    return outputs;
  };
  if (variational_) {
    std::vector<Expr> outputs = form_.rates;
    if (has_work_) outputs.push_back(with_work_.rates.back());
    const std::size_t first_of_more = outputs.size();
    outputs = with(std::move(outputs));
    const NumberedBlocks systems = form_.needed_for(outputs);
    const std::size_t zero = outputs.size();
    outputs.push_back(system_->context->zero());
    const std::vector<Expr> inputs = with_work_.inputs();
    std::vector<Program::Direction> directions;
    std::vector<Program::Wanted> wanted;
    for (std::size_t i = 0; i < form_.rates.size(); ++i) wanted.push_back({i, {}});
    for (std::size_t k = 0; k < variational_->directions(); ++k) {
      Program::Direction& direction = directions.emplace_back();
      const auto seed = [&](std::size_t input, Expr change) {
        direction.emplace_back(input, outputs.size());
        outputs.push_back(change);
      };
      for (std::size_t i = 0; i < form_.rates.size(); ++i) {
        seed(i, inputs[variational_->first(k) + i]);
        wanted.push_back({i, k});
      }
      wanted.push_back({zero, {}});
      for (const auto& [symbol, change] : variational_->parameter_seeds(k))
        seed(static_cast<std::size_t>(std::ranges::find(inputs, symbol) - inputs.begin()), change);
    }
    for (std::size_t i = form_.rates.size(); i < first_of_more + more.size(); ++i) wanted.push_back({i, {}});
    if (auto made = Program(outputs, inputs, systems.blocks).with_tangents(directions, wanted)) {
      std::vector<std::size_t> steps;
      for (const std::size_t from : made->systems) steps.push_back(systems.step[from]);
      errors(form_, steps);
      return made->program.with_static_factors(size() + 1);
    }
  }
  const std::vector<Expr> outputs = with(with_work_.rates);
  const NumberedBlocks systems = with_work_.needed_for(outputs);
  errors(with_work_, systems.step);
  return Program(outputs, with_work_.inputs(), systems.blocks).with_static_factors(size() + 1);
}

bool MotionEquations::dalembert_lagrange() const { return form_.form->dalembert_lagrange; }

bool MotionEquations::observes_multipliers() const { return with_accelerations_ || !dalembert_lagrange(); }

std::vector<Expr> MotionEquations::in_state(std::span<const Expr> expressions) const {
  std::vector<Replacement> velocities;
  for (std::size_t i = 0; i < system_->size(); ++i) velocities.emplace_back(system_->motion.v[i], form_.velocities[i]);
  return substitute(expressions, velocities);
}

Program MotionEquations::rates_and_events() const {
  if (system_->events.empty() && jumps_.empty()) return rates_;
  std::vector<Expr> events = jumps_;
  for (const Event& event : system_->events) events.push_back(event.when);
  return program_of_rates(in_state(events), nullptr);
}

Program MotionEquations::jacobian() const {
  const FirstOrderSystem::Jacobian jacobian = with_work_.jacobian();
  std::vector<Expr> columns;
  for (std::size_t j = 0; j < jacobian.entries.columns; ++j) {
    for (std::size_t i = 0; i < jacobian.entries.rows; ++i) columns.push_back(jacobian.entries(i, j));
  }
  return {columns, with_work_.inputs(), jacobian.systems.blocks};
}

void MotionEquations::make_observables(const Terms& terms) {
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < system_->size(); ++i) outputs.push_back(system_->motion.q[i]);
  outputs.insert(outputs.end(), form_.velocities.begin(), form_.velocities.end());
  // λ of the state, or those of the form; the reactions of d'Alembert–Lagrange are observed by themselves
  const std::vector<Expr>& multipliers = form_.lambda.empty() ? form_.multipliers : form_.lambda;
  if (observes_multipliers() && multipliers.size() == form_.rows.size() && !multipliers.empty()) {
    multiplier_count_ = terms.constraints.size();
    std::vector<Expr> all(multiplier_count_, system_->context->zero());
    for (std::size_t i = 0; i < form_.rows.size(); ++i) all[form_.rows[i]] = multipliers[i];
    outputs.insert(outputs.end(), all.begin(), all.end());
  }
  outputs.push_back(form_.energy);
  outputs.insert(outputs.end(), form_.residual.begin(), form_.residual.end());
  observables_ = Program(outputs, with_work_.inputs(), form_.needed_for(outputs).blocks);
}

Program MotionEquations::outputs() const {
  const Motion& motion = system_->motion;
  std::vector<Replacement> along;
  for (std::size_t i = 0; i < system_->size(); ++i) {
    along.emplace_back(motion.v[i], form_.velocities[i]);
    along.emplace_back(motion.a[i], form_.accelerations[i]);
  }
  const std::vector<Expr> expressions = substitute(system_->output_expressions(), along);
  std::vector<Expr> inputs = with_work_.inputs();
  inputs.insert(inputs.end(), system_->multipliers.begin(), system_->multipliers.end());
  return {expressions, inputs, form_.needed_for(expressions).blocks};
}

Program MotionEquations::observing(std::span<const Expr> expressions) const {
  const std::vector<Expr> outputs = in_state(expressions);
  return {outputs, with_work_.inputs(), form_.needed_for(outputs).blocks};
}

Program MotionEquations::with_rates_of(std::span<const Expr> expressions) const {
  const Motion& motion = system_->motion;
  std::vector<Replacement> accelerations;
  for (std::size_t i = 0; i < system_->size(); ++i) accelerations.emplace_back(motion.a[i], form_.accelerations[i]);
  std::vector<Expr> all(expressions.begin(), expressions.end());
  for (const Expr e : expressions) {
    std::vector<Expr> terms = {derivative(e, motion.t)};
    for (std::size_t i = 0; i < system_->size(); ++i) {
      terms.push_back(derivative(e, motion.q[i]) * motion.v[i]);
      terms.push_back(derivative(e, motion.v[i]) * motion.a[i]);
    }
    all.push_back(system_->context->sum(terms));
  }
  const std::vector<Expr> outputs = substitute(in_state(all), accelerations);
  return {outputs, with_work_.inputs(), form_.needed_for(outputs).blocks};
}

void MotionEquations::make_changes() {
  std::vector<Expr> outputs;
  for (std::size_t k = 0; k < variational_->directions(); ++k) {
    const std::vector<Expr>& own = variational_->changes(k);
    outputs.insert(outputs.end(), own.begin(), own.end());
  }
  changes_ = Program(outputs, with_work_.inputs(), with_work_.needed_for(outputs).blocks);
}

Program MotionEquations::changes_of(std::span<const Expr> expressions) const {
  std::vector<Expr> outputs;
  const Motion& motion = system_->motion;
  for (std::size_t k = 0; k < variational_->directions(); ++k) {
    std::vector<Derivation::Seed> seeds = variational_->parameter_seeds(k);
    for (std::size_t i = 0; i < system_->size(); ++i) {
      seeds.emplace_back(motion.q[i], variational_->changes(k)[i]);
      seeds.emplace_back(motion.v[i], variational_->changes(k)[system_->size() + i]);
    }
    Derivation along(seeds);
    for (const Expr e : expressions) outputs.push_back(along(e));
  }
  outputs = in_state(outputs);
  return {outputs, with_work_.inputs(), with_work_.needed_for(outputs).blocks};
}

void MotionEquations::vary(const State& at, std::span<const double> parameters, std::span<const double> changes,
                           std::span<double> y) const {
  const std::size_t each = 2 * system_->size();
  for (std::size_t k = 0; k < variational_->directions(); ++k) {
    const std::vector<double> s = variational_->from(k, at, parameters, changes.subspan(k * each, each), 1);
    const std::size_t first = variational_->first(k);
    std::copy(s.begin(), s.end(), y.begin() + static_cast<std::ptrdiff_t>(first));
    y[first + s.size()] = 1;
  }
  shrink_variations(y);
}

bool MotionEquations::shrink_variations(std::span<double> y) const {
  const std::size_t size = variational_->size();
  // beside a state whose squares are zero variations are measured by 1, as that is
  const double own_size = largest_magnitude(y.first(size));
  const double state = own_size * own_size > 0 ? own_size : 1;
  bool any = false;
  for (std::size_t k = 0; k < variational_->directions(); ++k) {
    const std::span<double> own = y.subspan(variational_->first(k), size + 1);
    const double ratio = largest_magnitude(own) / state;
    if (!(ratio > accuracy::outgrown) || !std::isfinite(ratio)) continue;
    const double factor = std::ldexp(1.0, -std::ilogb(ratio));
    for (double& value : own) value *= factor;
    any = true;
  }
  return any;
}

Error MotionEquations::diagnosis(int system) const { return if_singular_[static_cast<std::size_t>(system)]; }

std::vector<double> MotionEquations::on_own_rows(std::span<const double> lambda, const State& at,
                                                 std::span<const double> parameters) const {
  return lambda_on_rows(system_, terms_.constraints, form_.rows, state_values(at, parameters), lambda);
}

std::vector<double> MotionEquations::state(const State& at, std::span<const double> lambda,
                                           std::span<const double> parameters) const {
  std::vector<double> active;
  if (!form_.lambda.empty()) {
    const std::lock_guard lock(system_->context->mutex());
    active = on_own_rows(lambda, at, parameters);
  }
  std::vector<double> y = from_state_->state(at, active, parameters);
  if (with_accelerations_) {
    const std::lock_guard lock(system_->context->mutex());
    const std::vector<double> more = start_of_accelerations(system_, terms_, at).values;
    y.insert(y.end(), more.begin(), more.end());
  }
  y.resize(size());
  return y;
}

}  // namespace cetaev
