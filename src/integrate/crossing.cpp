// Where the state crosses a set at which the equations jump: on with those of the other side, if there are such.
#include <algorithm>
#include <cmath>
#include <limits>

#include "accuracy.hpp"
#include "run.hpp"
#include "time_text.hpp"

namespace cetaev {

std::span<double> Run::sides() { return std::span(parameters_).last(prepared_->jumps.size()); }

// u' at the state in y_, on the sides in use.
double Run::leaving(std::size_t jump, double t) {
  const std::size_t count = prepared_->jumps.size();
  std::vector<double> values(2 * count);
  MotionInputs inputs(prepared_->equations, parameters_);
  if (Interpreter(prepared_->across_jumps)(inputs.at(t, y_), values) >= 0) return 0;
  return values[count + jump];
}

// Those of the state in y_. On the set itself the equations have no value.
void Run::take_sides(double t) {
  if (prepared_->jumps.empty()) return;
  MotionInputs inputs(prepared_->equations, parameters_);
  Interpreter(prepared_->at_jumps)(inputs.at(t, y_), sides());
  for (double& side : sides()) {
    starts_on_a_jump_ = starts_on_a_jump_ || !(side != 0);
    side = std::copysign(1.0, side);
  }
}

// The first time within the last step at which the equations jump; in `jumps_` which of them.
std::optional<double> Run::next_jump() {
  jumps_.clear();
  if (!watch_->jumps) return std::nullopt;
  const std::vector<Crossing>& found = watch_->jumps->find(*stepper_);
  if (found.empty()) return std::nullopt;
  const double first = found.front().t;
  for (const Crossing& crossing : found) {
    if (std::abs(crossing.t - first) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(first))
      jumps_.push_back(crossing.event);
  }
  return first;
}

// Positions and velocities are those that the motion has come with, and satisfy the constraints there.
bool Run::goes_on_beyond(double t) {
  const auto [t_before, q, v] = view_->state();
  view_->set_parameters(parameters_);
  const MotionPoint& beyond = view_->at(t, y_, false);
  double size = 1, apart = beyond.residual;
  for (std::size_t i = 0; i < v.size(); ++i) {
    size = std::max({size, std::abs(q[i]), std::abs(v[i])});
    apart = std::max(apart, std::abs(beyond.v[i] - v[i]));
  }
  const double gross = accuracy::gross_error(options_.tolerance);
  if (apart > gross * size) return false;
  // velocities that belong to the state satisfy the constraints on positions differentiated, too
  return !prepared_->projection ||
         ManifoldProjection(*prepared_->projection, parameters_).relative_residual(t, y_) <= gross;
}

void Run::cross() {
  const double t = change_at_;
  const std::vector<std::size_t> crossed = std::move(jumps_);
  jumps_.clear();
  const bool at_once = std::abs(t - last_jump_) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(t);
  jumps_at_once_ = at_once ? jumps_at_once_ + 1 : 0;
  last_jump_ = t;
  stepper_->interpolate(t, y_);
  const std::vector<double> before = parameters_;
  const auto end_here = [&] {
    parameters_ = before;
    view_->set_parameters(before);
  };
  try {
    view_->at(t, y_, false);
    for (const std::size_t i : crossed) sides()[i] *= -1;
    if (!goes_on_beyond(t)) {
      end_here();
      end_where_constraints_jump(t);
      return;
    }
    const auto leads_back = [&](std::size_t i) { return !(direction_ * sides()[i] * leaving(i, t) > 0); };
    const auto back = std::find_if(crossed.begin(), crossed.end(), leads_back);
    if (back != crossed.end() || jumps_at_once_ > 2 * prepared_->jumps.size()) {
      const std::string where =
          to_string(prepared_->equations.jumps()[back != crossed.end() ? *back : crossed.front()]);
      end_here();
      end_as_singular(t,
                      Error(ErrorCode::non_finite, "the equations of motion jump where " + where +
                                                       " vanishes, and lead back to it from both sides: they give no "
                                                       "accelerations for a motion that stays there"));
      return;
    }
  } catch (const Error& error) {
    end_here();
    end_at_state(error);
    return;
  }
  set_out_again(t);
}

}  // namespace cetaev
