#include "witness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "accuracy.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/formulation/groundwork.hpp"

namespace cetaev {

namespace {

// Where formulas cannot change their branch: the first steps, and then one of so many. A look takes as long as three or four steps of a skate, of which
// there are some hundred in its motion: where nobody has asked for the form, fewer.
constexpr std::size_t first_steps = 4, one_of = 64, second_unasked = 32, one_of_unasked = 1024;

// Positions and velocities, in the order of the coordinates, are what the state begins with.
bool has_all_velocities(const MotionEquations& equations) {
  return equations.form().state.size() >= 2 * equations.system()->size() &&
         equations.form().form->state != FormState::quasi_velocities;
}

}  // namespace

bool have_branches(const MotionEquations& equations, const Terms& terms) {
  if (equations.form().state.size() >= 2 * equations.system()->size()) return false;
  const std::vector<Expr>& v = equations.system()->motion.v;
  return std::ranges::any_of(terms.constraints.jacobian.entries, [&](Expr e) { return depends_on(e, v); });
}

std::unique_ptr<const OwnSteps> own_steps(const MotionEquations& equations, const Terms& terms, Admissible& admissible,
                                          const AdmissibleState& at) {
  const FirstOrderSystem& form = equations.form();
  if (equations.dalembert_lagrange() || equations.has_accelerations()) return nullptr;
  try {
    const Setting setting = setting_at(equations.system(), terms, admissible, at);
    if (setting.rows != form.rows || (!form.chosen.empty() && setting.dependent != form.chosen)) return nullptr;
    return std::make_unique<const OwnSteps>(
        OwnSteps{CompiledForm(setting, form.form->derive(setting)), Multipliers(equations.system(), terms)});
  } catch (const Error&) {
    return nullptr;  // where nobody else can tell what the principle has there
  }
}

Witness::Witness(const MotionEquations& equations, const OwnSteps* own, bool branches, bool asked,
                 std::span<const double> parameters, double tolerance)
    : own_(own),
      parameters_(parameters.begin(), parameters.end()),
      reactions_(equations.constraint_count()),
      rates_(equations.rates()),
      inputs_(equations, parameters),
      all_velocities_(has_all_velocities(equations)),
      branches_(branches),
      asked_(asked),
      tolerance_(tolerance),
      y_(equations.size()),
      dy_(equations.size()),
      beside_(equations.size()),
      change_(2 * equations.system()->size() + equations.form().lambda.size()) {
  if (own_ != nullptr) workspace_.emplace(own_->terms);
}

bool Witness::wants_step(std::size_t number) const {
  if (!branches_ && !asked_) return number == 1 || number == second_unasked || number % one_of_unasked == 0;
  return branches_ || (seen_ < first_steps && number < one_of) || number % one_of == 0;
}

bool Witness::contradicts(MotionView& view, const LastStep& step, double end) {
  constexpr double golden = std::numbers::phi - 1;
  const double begin = step.previous_time(), length = end - begin, part = accuracy::places_of_a_slope * length;
  turn_ += golden;
  turn_ -= std::floor(turn_);
  try {
    const double t = begin + turn_ * length;
    step.interpolate(t, y_);
    if (rates_are_wrong(view, t, part)) return true;
    if (!branches_ || !(std::abs(part) > accuracy::too_near_for_a_slope(std::max(std::abs(begin), std::abs(end)))))
      return false;
    return change_is_wrong(view, step, end - 2 * part, part, length);
  } catch (const Error&) {
    return false;  // no accelerations are known here: another question
  }
}

// By the equations: of velocities that are in the state, or as they change where the state goes on as its rates say.
bool Witness::rates_are_wrong(MotionView& view, double t, double part) {
  if (rates_(inputs_.at(t, y_), dy_) >= 0 || !all_finite(dy_)) return false;
  see(view, t);
  if (all_velocities_) {
    ++seen_;
    std::copy_n(dy_.begin(), change_.size(), change_.begin());
    rounding_ = accuracy::rounding_of_a_row(std::max(largest_magnitude(change_), terms_));
    return !explained(view, t, 0);
  }
  // where dependent velocities are nearly undetermined a part of the step is long beside what they are smooth over: what is wrong stays so
  std::vector<double> seemed_wrong;
  double its_rounding = 0;
  for (const double shorter : {part, part / 16, part / 256}) {
    take_change(view, t, shorter, [&](double place) {
      for (std::size_t i = 0; i < y_.size(); ++i) beside_[i] = y_[i] + place * shorter * dy_[i];
    });
    // in a step that is too short nothing is seen; one that is nearly so is short enough, but for rounding, which is other there
    if (accuracy::rounding_of_rates(rounding_) > accuracy::other_rates(tolerance_) * largest_magnitude(v_)) {
      if (shorter == part) return false;
      for (std::size_t i = 0; i < change_.size(); ++i)
        spread_[i] = std::max(spread_[i], std::abs(change_[i] - seemed_wrong[i]));
      change_ = std::move(seemed_wrong);
      rounding_ = its_rounding;
      return !within_errors(0);
    }
    if (shorter == part) ++seen_;
    if (explained(view, t, 0)) return false;
    seemed_wrong = change_;
    its_rounding = rounding_;
  }
  return true;
}

bool Witness::change_is_wrong(MotionView& view, const LastStep& step, double t, double part, double length) {
  step.interpolate(t, y_);
  see(view, t);
  take_change(view, t, part, [&](double place) { step.interpolate(t + place * part, beside_); });
  return !explained(view, t, std::abs(length));
}

void Witness::see(MotionView& view, double t) {
  const MotionPoint& here = view.at(t, y_);
  q_.assign(here.q.begin(), here.q.end());
  v_.assign(here.v.begin(), here.v.end());
  const std::span<const double> a = accelerations(view);
  a_.assign(a.begin(), a.end());
  terms_ = own_ != nullptr ? size_of_terms(view.state()) : view.size_of_their_terms();
}

// Of accelerations of d'Alembert–Lagrange, at a state at which those of another principle are asked for.
double Witness::size_of_terms(const State& at) {
  std::vector<double> a(at.q.size()), lambda(reactions_);
  own_->terms.evaluate(state_values(at, parameters_), *workspace_, a, lambda);
  return workspace_->size_of_terms();
}

// At the last point of the view, which is that of y_.
std::span<const double> Witness::accelerations(MotionView& view) {
  if (own_ == nullptr) return view.accelerations();
  const std::size_t n = v_.size(), multipliers = change_.size() - 2 * n;
  CompiledForm::Values found = own_->form.evaluate(
      view.state(), multipliers > 0 ? std::span(y_).subspan(2 * n, multipliers) : std::span<double>());
  own_a_ = std::move(found.a);
  if (multipliers > 0) own_a_.insert(own_a_.end(), found.lambda_dot.begin(), found.lambda_dot.end());
  return own_a_;
}

// With errors of the fourth order.
template <class State>
void Witness::take_change(MotionView& view, double t, double part, const State& state) {
  constexpr std::array<std::pair<double, double>, 4> stencil = {
      {{-2, 1.0 / 12}, {-1, -2.0 / 3}, {1, 2.0 / 3}, {2, -1.0 / 12}}};
  const std::size_t n = v_.size();
  std::ranges::fill(change_, 0);
  rounding_ =
      accuracy::rounding_of_a_row(std::max({largest_magnitude(y_), largest_magnitude(q_), largest_magnitude(v_)})) /
          std::abs(part) +
      accuracy::rounding_of_a_row(terms_);
  for (const auto& [place, weight] : stencil) {
    state(place);
    const MotionPoint& point = view.at(t + place * part, beside_, false);
    for (std::size_t i = 0; i < n; ++i) {
      change_[i] += weight / part * point.q[i];
      change_[n + i] += weight / part * point.v[i];
    }
  }
}

bool Witness::explained(MotionView& view, double t, double h) {
  spread_.assign(change_.size(), 0);
  if (within_errors(h)) return true;
  find_spread(view, t);
  return within_errors(h);
}

// Each beside its own size, or beside what belongs to it in the time of a step, where it is one that made the change. A state is known beside the
// largest of its positions, and of its velocities.
bool Witness::within_errors(double h) const {
  const std::size_t n = v_.size();
  const double gross = accuracy::other_rates(tolerance_), known = accuracy::known_on_the_way(tolerance_);
  const double rate = h > 0 ? 1 / h : 0, rounding = accuracy::rounding_of_rates(rounding_);
  const double of_v = std::max(rounding, known * std::max(largest_magnitude(v_), largest_magnitude(q_) * rate));
  const double of_a = std::max(rounding, known * std::max(largest_magnitude(a_), largest_magnitude(v_) * rate));
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double of_i = i < n ? std::abs(v_[i]) : 0;
    const double v = std::max(of_i, std::abs(a_[i]) * h);
    const double a = std::max({std::abs(a_[i]), std::abs(change_[n + i]), of_i * rate});
    if (i < n && !(std::abs(change_[i] - v_[i]) <= std::max({gross * v, of_v, spread_[i]}))) return false;
    if (!(std::abs(change_[n + i] - a_[i]) <= std::max({gross * a, of_a, spread_[n + i]}))) return false;
  }
  return true;
}

// By how much velocities and accelerations change where the state changes by what is not known of it: those of stiff systems, and near what is
// singular, by much.
void Witness::find_spread(MotionView& view, double t) {
  const std::size_t n = v_.size();
  const double size = largest_magnitude(y_), step = accuracy::half_the_digits * size;
  const double known = accuracy::known_on_the_way(tolerance_) * size;
  for (double& value : y_) {
    const double kept = value;
    value += step;
    const MotionPoint& beside = view.at(t, y_);
    const std::vector<double> v(beside.v.begin(), beside.v.end());
    const std::span<const double> a = accelerations(view);
    for (std::size_t i = 0; i < n; ++i) spread_[i] += std::abs(v[i] - v_[i]) / step * known;
    for (std::size_t i = 0; i < a.size(); ++i) spread_[n + i] += std::abs(a[i] - a_[i]) / step * known;
    value = kept;
  }
}

}  // namespace cetaev
