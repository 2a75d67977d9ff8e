// Where constraints jump, as with abs(x)/x or atan2: a continuous motion goes on only if it satisfies them on the other side, too.
#include <algorithm>
#include <cmath>
#include <limits>

#include "accuracy.hpp"
#include "run.hpp"
#include "time_text.hpp"

namespace cetaev {

namespace {

bool has_jumps(std::span<const Expr> expressions) {
  const std::vector<Expr> all = topological(expressions);
  return std::any_of(all.begin(), all.end(), [](Expr e) {
    if (e.kind() != Kind::function) return false;
    switch (e.function()) {
      case Function::abs:
      case Function::atan:
      case Function::atan2:
      case Function::asin:
      case Function::acos: return true;
      default: return false;
    }
  });
}

}  // namespace

void Run::expect_jumps() {
  const FirstOrderSystem& form = prepared_->equations.form();
  may_jump_ = has_jumps(form.residual) || has_jumps(form.velocities);  // dependent ones carry the constraints
}

// What a jump of the constraints shows in: the state does not satisfy them any more, or dependent velocities take another value and the
// energy with them. Each in units of what cannot be an error of one step; infinite where there is no state.
double Run::gross_errors_at(double t) {
  try {
    const MotionPoint& here = view_->at(t, false);
    double size = 1;
    for (const double value : here.q) size = std::max(size, std::abs(value));
    for (const double value : here.v) size = std::max(size, std::abs(value));
    const double energy =
        recording_.drift(here, view_->work()) / std::max({1.0, std::abs(recording_.E_reference()), std::abs(here.E)});
    return std::max(here.residual / size, energy) / accuracy::gross_error(options_.tolerance);
  } catch (const Error&) {
    return std::numeric_limits<double>::infinity();
  }
}

// A jump within the last step: the last time before it and the first beyond.
std::optional<std::pair<double, double>> Run::find_jump() {
  double before = stepper_->previous_time(), beyond = stepper_->time();
  const double first = gross_errors_at(before);
  double last = gross_errors_at(beyond);
  if (!std::isfinite(last)) {
    // 0/0 at the very jump
    beyond += accuracy::over_a_jump * (beyond - before);
    last = gross_errors_at(beyond);
    if (!std::isfinite(last)) return std::nullopt;
  }
  if (!(last - first > 1)) return std::nullopt;
  const double half = first + 0.5 * (last - first);
  while (true) {
    const double middle = before + 0.5 * (beyond - before);
    if (middle == before || middle == beyond) break;
    (gross_errors_at(middle) < half ? before : beyond) = middle;
  }
  // what grows steadily is an error
  if (!(gross_errors_at(beyond) - gross_errors_at(before) > 0.5)) return std::nullopt;
  return std::pair(before, beyond);
}

void Run::end_where_constraints_jump(double t) {
  end_as_singular(t, Error(ErrorCode::rank_lost, "the constraints jump at " + time_text(t) +
                                                     ", and the state there does not satisfy them beyond"));
}

}  // namespace cetaev
