#include "narrow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "accuracy.hpp"
#include "range.hpp"

namespace cetaev {

namespace {

// A step of unusual length is looked at in as many parts as one of Taylor's method is.
constexpr int parts_of_a_long_step = 32;
// Powers beyond it have peaks that are narrow beside the waves of their base: cos²⁰ is a quarter at 0.37, which is less than a step.
constexpr int high_power = 20;

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// Can it vary by more than a quarter, whatever the state? By its enclosure.
bool may_be_narrow(const System& system, std::span<const Ball> parameters, Expr e, bool exponent) {
  const std::optional<Ball> range = RangeOf(system, e)(parameters);
  if (!range || !range->is_finite()) return true;
  const double middle = std::abs(range->midpoint()), radius = range->radius();
  if (exponent) return 2 * radius > accuracy::narrow;
  return !(middle > radius) || std::log((middle + radius) / (middle - radius)) > accuracy::narrow;
}

}  // namespace

NarrowPlan::NarrowPlan(const MotionEquations& equations, const Terms& terms, const MotionOptions& options)
    : equations_(equations) {
  const System& system = equations.system();
  const ConstraintSet& set = terms.constraints;
  std::vector<Expr> all = terms.bias;
  for (const auto* more : {&terms.mass.entries, &set.jacobian.entries, &set.bias})
    all.insert(all.end(), more->begin(), more->end());
  std::vector<Expr> moving = system->motion.q;
  moving.insert(moving.end(), system->motion.v.begin(), system->motion.v.end());
  const std::vector<Ball> parameters = parameter_balls(system, RangeOf::bits);
  std::vector<Expr> watched;
  std::unordered_set<const Node*> known;
  const auto add = [&](Expr e, bool exponent) {
    if (!depends_on(e, moving) || !known.insert(e.node()).second || !may_be_narrow(system, parameters, e, exponent))
      return;
    watched.push_back(e);
    exponent_.push_back(exponent);
  };
  // 1/(1 + exp(u)) is a step as (1 − tanh(u/2))/2 is
  const auto add_steps_of = [&](Expr divisor) {
    if (divisor.kind() != Kind::sum || (divisor.size() == 1 && divisor.constant().is_zero())) return;
    for (std::size_t i = 0; i < divisor.size(); ++i) {
      const Expr term = divisor.term(i);
      if (term.kind() != Kind::function || term.function() != Function::exp) continue;
      const Expr u = Rational(1, 2) * term.operands()[0];
      add(system->context->one() + u * u, false);
    }
  };
  const auto scan = [&](const std::vector<Expr>& expressions, bool divisors) {
    for (const Expr e : topological(expressions)) {
      if (e.kind() == Kind::power) add(e.operands()[1] * log(e.operands()[0]), true);
      if (e.kind() == Kind::function) {
        const Expr u = e.operands()[0];
        if (e.function() == Function::exp) add(u, true);
        // steps, of which the slope is large near u = 0 only: 1/(1 + u²), or less than that
        if (e.function() == Function::tanh || e.function() == Function::atan)
          add(system->context->one() + u * u, false);
      }
      for (std::size_t i = 0; e.kind() == Kind::product && i < e.size(); ++i) {
        const Rational& exponent = e.exponent(i);
        if (exponent.sign() < 0 || !exponent.is_integer()) {
          if (divisors) add(e.base(i), false);  // a root bends where what is under it nearly vanishes
          add_steps_of(e.base(i));
        } else if (exponent > Rational(high_power)) {
          add(exponent * log(abs(e.base(i))), true);
        }
      }
    }
  };
  scan(all, true);
  // of events their poles are no zeros, however they are approached
  std::vector<Expr> events;
  for (const Event& event : system->events) events.push_back(event.when);
  scan(events, false);
  program_ = equations.with_rates_of(watched);
  code_ = code_for_looks(program_, 1, equations, options);
}

NarrowWatch::NarrowWatch(const NarrowPlan& plan, std::span<const double> parameters)
    : plan_(plan),
      count_(plan.exponent_.size()),
      run_(plan.program_, plan.code_),
      inputs_(plan.equations_, parameters),
      values_(2 * count_),
      y_(plan.equations_.size()),
      last_(count_),
      now_(count_),
      one_(count_),
      highest_(count_) {}

void NarrowWatch::look(double t, std::span<const double> y, std::vector<Depth>& into) {
  const bool known = run_(inputs_.at(t, y), values_) < 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const double value = values_[i], slope = values_[count_ + i];
    const double height = plan_.exponent_[i] ? -value : std::log(std::abs(value));
    if (!known || !std::isfinite(height) || !std::isfinite(slope)) {
      into[i] = {std::numeric_limits<double>::quiet_NaN(), 0};  // another question
      continue;
    }
    into[i] = {height, plan_.exponent_[i] || value < 0 ? -sign_of(slope) : sign_of(slope)};
  }
}

NarrowWatch::Depth NarrowWatch::at(std::size_t term, double t, const LastStep& step) {
  step.interpolate(t, y_);
  look(t, y_, one_);
  return one_[term];
}

void NarrowWatch::start(double t, std::span<const double> y) {
  usual_ = 0;
  look(t, y, last_);
}

std::optional<double> NarrowWatch::flank(const LastStep& step) {
  const double begin = step.previous_time(), end = step.time(), length = std::abs(end - begin);
  const int way = end < begin ? -1 : 1;  // slopes are those in time
  const int parts = length > accuracy::unusual * usual_ ? parts_of_a_long_step : 1;
  usual_ = length;
  std::optional<double> first;
  for (std::size_t i = 0; i < count_; ++i) highest_[i] = last_[i].height;
  double before = begin;
  for (int part = 1; part <= parts && !first; ++part) {
    const double t = part == parts ? end : begin + (end - begin) * part / parts;
    if (part == parts) {
      look(t, step.state(), now_);
    } else {
      step.interpolate(t, y_);
      look(t, y_, now_);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      highest_[i] = std::fmax(highest_[i], last_[i].height);
      if (!(way * last_[i].slope < 0 && way * now_[i].slope >= 0) || std::isnan(now_[i].height)) continue;
      const auto found = flank_of(i, before, t, highest_[i], begin, step);
      if (found && (!first || std::abs(*found - begin) < std::abs(*first - begin))) first = found;
    }
    std::swap(last_, now_);
    before = t;
  }
  return first;
}

// The height falls at one time and rises at the other.
std::optional<double> NarrowWatch::flank_of(std::size_t term, double falls, double rises, double highest, double begin,
                                            const LastStep& step) {
  // until both ends and their middle are as high as each other
  const auto halve = [&](double& a, double& b, const auto& belongs_to_a) {
    const double resolved = accuracy::told_apart(std::max(std::abs(a), std::abs(b)));
    double height_a = at(term, a, step).height, height_b = at(term, b, step).height;
    while (std::abs(b - a) > resolved) {
      const double middle = a + (b - a) / 2;
      const Depth depth = at(term, middle, step);
      const double spread = std::max(std::abs(depth.height - height_a), std::abs(depth.height - height_b));
      const bool to_a = belongs_to_a(depth);
      (to_a ? a : b) = middle;
      (to_a ? height_a : height_b) = depth.height;
      if (spread < accuracy::level) break;
    }
  };
  const int way = rises < falls ? -1 : 1;
  halve(falls, rises, [way](const Depth& depth) { return way * depth.slope < 0; });
  const double lowest = at(term, falls, step).height;
  if (!(highest - lowest > accuracy::narrow)) return std::nullopt;
  // the last time before it at which half of it was left: the way down is looked for in parts, from the bottom up
  double inside = falls, outside = falls;
  for (int part = parts_of_a_long_step - 1; part >= 0; --part) {
    outside = begin + (falls - begin) * part / parts_of_a_long_step;
    if (at(term, outside, step).height > lowest + accuracy::flank) break;
    inside = outside;
  }
  halve(inside, outside, [&](const Depth& depth) { return !(depth.height > lowest + accuracy::flank); });
  const double least = accuracy::few_numbers(std::max(std::abs(begin), std::abs(falls)));
  if (!(std::abs(outside - begin) > least)) return std::nullopt;
  return outside;
}

}  // namespace cetaev
