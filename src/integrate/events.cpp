#include "events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "accuracy.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/ball.hpp"
#include "golden_section.hpp"
#include "guards.hpp"

namespace cetaev {

namespace {

// Pieces of a step that are looked at in any case, with four values each.
constexpr int pieces = 4;
// A piece is halved so often at most: to a billionth of its length. What happens twice within that goes unnoticed.
constexpr int finest = 30;
// For the sake of one event in one step: some thousand crossings, or one that is nothing but noise.
constexpr int most_looks = 30'000;

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// Where a function is compared with the polynomial of degree four through its values on a piece: on no half, quarter or eighth of it.
constexpr double elsewhere = 2 - std::numbers::phi;

double de_casteljau(std::array<double, 5> b, double s) {
  for (std::size_t n = b.size() - 1; n > 0; --n)
    for (std::size_t i = 0; i < n; ++i) b[i] += s * (b[i + 1] - b[i]);
  return b[0];
}

// Has what goes through these values, and through another one elsewhere, one zero at most, as the polynomial of degree four has? A piece that resolves a
// function misses less of it than the fourth difference (guards.hpp), and shows that elsewhere.
template <class Look>
bool one_zero_at_most(const std::array<double, 5>& f, double noise_here, const Look& look_elsewhere) {
  const double missed = fourth_difference(f);
  const std::array<double, 5> b = bernstein(f);
  // its derivative in Bernstein's basis is four times the differences
  const std::array<double, 4> rises = {b[1] - b[0], b[2] - b[1], b[3] - b[2], b[4] - b[3]};
  if (!on_one_side(b, missed) && !on_one_side(rises, missed)) return false;
  return std::abs(look_elsewhere() - de_casteljau(b, elsewhere)) <= missed + noise_here;
}

}  // namespace

Program event_program(const MotionEquations& equations) {
  std::vector<Expr> outputs;
  for (const Event& event : equations.system()->events) outputs.push_back(event.when);
  return equations.observing(outputs);
}

EventWatch::EventWatch(const MotionEquations& equations, const Program& program, std::span<const double> parameters)
    : EventWatch(equations.system()->events, equations, program, parameters) {
  may_touch_ = true;
}

EventWatch::EventWatch(const std::vector<Event>& events, const MotionEquations& equations, const Program& program,
                       std::span<const double> parameters)
    : events_(events),
      program_(program),
      run_(program),
      inputs_(equations, parameters),
      y_(equations.size()),
      after_(events_.size()),
      last_(events_.size()),
      looks_(4 * pieces + 1, std::vector<double>(events_.size())),
      elsewhere_(pieces, std::vector<double>(events_.size())),
      near_(events_.size()) {}

void EventWatch::values(double t, std::span<const double> y, std::vector<double>& into) {
  run_(inputs_.at(t, y), into);
}

double EventWatch::value(std::size_t event, double t, const LastStep& stepper) {
  stepper.interpolate(t, y_);
  values(t, y_, after_);
  return after_[event];
}

void EventWatch::start(double t, std::span<const double> y) {
  if (!events_.empty()) values(t, y, last_);
  std::ranges::fill(near_, Near{});
}

void EventWatch::start_beside(double t, std::span<const double> y, std::span<const double> sides) {
  start(t, y);
  for (std::size_t i = 0; i < last_.size(); ++i)
    if (!(last_[i] * sides[i] > 0)) last_[i] = std::copysign(accuracy::side_of_zero, sides[i]);
}

const std::vector<Crossing>& EventWatch::find(const LastStep& stepper) {
  found_.clear();
  const double begin = stepper.previous_time(), end = stepper.time();
  const auto time = [&](int look) { return look == 4 * pieces ? end : begin + (end - begin) * look / (4 * pieces); };
  looks_[0] = last_;
  for (int look = 1; look <= 4 * pieces; ++look) {
    stepper.interpolate(time(look), y_);
    values(time(look), look == 4 * pieces ? stepper.state() : std::span<const double>(y_),
           looks_[static_cast<std::size_t>(look)]);
  }
  for (int piece = 0; piece < pieces; ++piece) {
    const double t = time(4 * piece) + elsewhere * (time(4 * piece + 4) - time(4 * piece));
    stepper.interpolate(t, y_);
    values(t, y_, elsewhere_[static_cast<std::size_t>(piece)]);
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    looks_left_ = most_looks;
    met_.clear();
    trail_.assign(1, {begin, last_[i]});
    size_ = 0;
    for (const std::vector<double>& look : looks_)
      if (std::isfinite(look[i])) size_ = std::max(size_, std::abs(look[i]));
    for (int piece = 0; piece < pieces; ++piece) {
      Samples f;
      for (std::size_t k = 0; k < f.size(); ++k) f[k] = looks_[static_cast<std::size_t>(4 * piece) + k][i];
      walk(i, time(4 * piece), time(4 * piece + 4), f, 0, stepper, elsewhere_[static_cast<std::size_t>(piece)][i]);
    }
    settle(i, stepper);
  }
  const double direction = end < begin ? -1 : 1;
  std::stable_sort(found_.begin(), found_.end(),
                   [&](const Crossing& x, const Crossing& y) { return direction * x.t < direction * y.t; });
  return found_;
}

void EventWatch::walk(std::size_t event, double t0, double t1, const Samples& f, int halvings, const LastStep& stepper,
                      std::optional<double> known_elsewhere) {
  // below what time can resolve, states are as they are rounded
  const double shortest = accuracy::few_numbers(std::max(std::abs(t0), std::abs(t1)));
  const bool rounding = std::abs(t1 - t0) <= shortest || std::ranges::all_of(f, [&](double x) {
                          return std::abs(x) <= accuracy::noise_of_an_event * size_;
                        });
  const auto look_elsewhere = [&] {
    if (known_elsewhere) return *known_elsewhere;
    --looks_left_;
    return value(event, t0 + elsewhere * (t1 - t0), stepper);
  };
  if (rounding || halvings == finest || looks_left_ <= 0 ||
      one_zero_at_most(f, accuracy::noise_of_an_event * size_, look_elsewhere)) {
    for (std::size_t k = 1; may_touch_ && k < f.size(); ++k)
      trail_.push_back({k == 4 ? t1 : t0 + (t1 - t0) * static_cast<double>(k) / 4, f[k]});
    return compare_ends(event, t0, t1, f[4], stepper);
  }
  const double middle = t0 + (t1 - t0) / 2;
  const auto between = [&](int eighth) { return value(event, t0 + (t1 - t0) * eighth / 8, stepper); };
  looks_left_ -= 4;
  const Samples first = {f[0], between(1), f[1], between(3), f[2]}, second = {f[2], between(5), f[3], between(7), f[4]};
  walk(event, t0, middle, first, halvings + 1, stepper);
  walk(event, middle, t1, second, halvings + 1, stepper);
}

// From the last value that was compared to this one.
void EventWatch::compare_ends(std::size_t event, double t0, double t1, double f1, const LastStep& stepper) {
  if (std::isnan(f1)) return;  // 0/0 where it jumps: the next one tells
  const double f0 = last_[event];
  const int from = sign(f0), to = sign(f1);
  // exactly zero is counted where it is reached: it belongs to the other side from then on
  last_[event] = f1 != 0 || f0 == 0 ? f1 : std::copysign(accuracy::side_of_zero, -f0);
  // A zero at the very start of the motion is no crossing; one met exactly counts when it is left or reached.
  if (from == 0 || to == from) return;
  double a = t0, b = t1, fa = f0, fb = f1;
  // bisection with a secant now and then: to rounding, whatever the function
  for (int step = 0; fb != 0 && step < 200; ++step) {
    double t = step % 3 == 2 ? a + (b - a) / 2 : a + (b - a) * (fa / (fa - fb));
    if (!(t > std::min(a, b) && t < std::max(a, b))) t = a + (b - a) / 2;
    if (t == a || t == b) break;
    const double f = value(event, t, stepper);
    if (sign(f) == from) {
      a = t;
      fa = f;
    } else {
      b = t;
      fb = f;
    }
  }
  // At a pole both sides grow like one over the distance between them; at a zero they shrink, and at a jump they stay.
  const double of_a = std::abs(f0) == accuracy::side_of_zero ? 1 : std::abs(fa / f0);  // left at an exact zero
  const double growth = of_a * std::abs(fb / f1);
  const double narrowed = std::abs(t1 - t0) / std::abs(b - a);
  if (fb != 0 && growth > std::sqrt(narrowed)) return;
  met_.push_back({b, from});
}

// At the state in y_: the radius of a ball of as many digits as a double has.
double EventWatch::rounding_of(std::size_t event, double t) {
  std::vector<Ball> inputs, outputs;
  for (const double value : inputs_.at(t, y_)) inputs.push_back(Ball::from_double(value));
  const bool regular = run_in_balls(program_, inputs, outputs, std::numeric_limits<double>::digits) < 0;
  const double radius = regular ? outputs[event].radius() : accuracy::noise_of_an_event * size_;
  return std::isfinite(radius) ? radius : accuracy::noise_of_an_event * size_;
}

// What rounding and errors of the state make of the event: Σ |yᵢ ∂f/∂yᵢ| times what a variable is known to. Where it has no value on one side of a variable the
// other tells, and a variable with neither tells nothing.
double EventWatch::explained(std::size_t event, double t, const LastStep& stepper) {
  const double here = value(event, t, stepper);
  double sum = 0;
  const double largest = largest_magnitude(y_);
  for (double& y : y_) {
    const double kept = y, size = std::max(std::abs(y), accuracy::least_part * largest);
    for (const double way : {1.0, -1.0}) {
      y = kept + way * accuracy::half_the_digits * size;
      values(t, y_, after_);
      const double change = std::abs(after_[event] - here) / accuracy::half_the_digits;
      if (!std::isfinite(change)) continue;
      sum += change;
      break;
    }
    y = kept;
  }
  return rounding_of(event, t) + accuracy::state_at_an_event * sum;
}

// Around a low point of |f|, in which f may be zero for all that is known of it, the looks within twice of that are one run. What comes to it from one side and
// leaves to the same has touched zero if it has come as near as is known, however often rounding has crossed it there; what leaves to the other has crossed it
// once. A run that ends with the step is told from what the next one shows.
void EventWatch::settle_near_zero(std::size_t event, const LastStep& stepper) {
  const std::size_t last = trail_.size() - 1;
  const auto size = [&](std::size_t k) { return std::abs(trail_[k].f); };
  Near now = near_[event];
  std::size_t since = 0;  // from this look on nothing is known but their sizes
  for (std::size_t k = 0; k <= last; ++k) {
    const double before = k > 0 ? size(k - 1) : size(k), after = k < last ? size(k + 1) : size(k);
    if (!(size(k) <= before) || (k < last && !(size(k) < after))) continue;
    const double most = std::max(before, after);
    const std::size_t previous = k > 0 ? k - 1 : 0, next = std::min(k + 1, last);
    const bool one_side = sign(trail_[previous].f) == sign(trail_[next].f);
    const bool far =
        one_side && size(k) > 2 * (most - size(k));  // too far from zero to reach it between its neighbours
    const bool outermost = k == 0 || k == last, open_before = now.side != 0 && !now.counted && now.away == 0;
    if (far && outermost && !open_before && size(k) > accuracy::worth_a_look * size_) continue;
    const double from = trail_[previous].t, to = trail_[next].t;
    // of a corner no more is known than of the time; its slope is that between times which leave states some digits
    const double at = std::max(std::abs(from), std::abs(to));
    std::size_t left = previous, right = next;
    while (std::abs(trail_[right].t - trail_[left].t) <= accuracy::few_numbers(at) && (left > 0 || right < last)) {
      if (left > 0) --left;
      if (right < last) ++right;
    }
    const double corner =
        std::max(size(left), size(right)) / std::abs(trail_[right].t - trail_[left].t) * accuracy::told_apart(at);
    const double nothing = explained(event, trail_[k].t, stepper) + (std::isfinite(corner) ? corner : 0);
    if (!(size(k) <= 2 * nothing)) {
      const auto [first, end] = zeros_between(from, to);
      if (end == first && one_side && (outermost || !far)) find_touch(event, from, to, nothing, stepper);
      now = beyond(trail_[k].f);
      since = k;
      continue;
    }
    std::size_t begins = k, ends = k;
    // so are those at times between which states are as they are rounded
    const auto in_the_run = [&](std::size_t i) {
      return size(i) <= 2 * nothing ||
             (size(i) >= 0 && std::abs(trail_[i].t - trail_[k].t) <= accuracy::few_numbers(std::abs(trail_[k].t)));
    };
    while (begins > 0 && in_the_run(begins - 1)) --begins;
    while (ends < last && in_the_run(ends + 1)) ++ends;
    k = ends;
    const bool to_the_end = ends == last;
    Near came = begins > 0 ? beyond(trail_[begins - 1].f) : std::abs(now.away) > 2 * nothing ? beyond(now.away) : now;
    came.away = 0;
    now = to_the_end ? came : beyond(trail_[ends + 1].f);
    since = ends + 1;
    // beside no value nothing is known
    if ((begins > 0 && std::isnan(trail_[begins - 1].f)) || (!to_the_end && std::isnan(trail_[ends + 1].f))) continue;
    const double t0 = trail_[begins > 0 ? begins - 1 : 0].t, t1 = trail_[std::min(ends + 1, last)].t;
    const auto [in_it, behind] = zeros_between(t0, t1);
    const std::size_t count = behind - in_it;
    const int leaves = !to_the_end ? sign(trail_[ends + 1].f) : count % 2 == 0 ? came.side : -came.side;
    const double low =
        count > 0 ? met_[in_it].t + (met_[behind - 1].t - met_[in_it].t) / 2 : lowest(event, t0, t1, stepper);
    came.reached = came.reached || count > 0 || std::abs(value(event, low, stepper)) <= nothing;
    const bool open = came.side != 0 && !came.counted;
    const bool crosses = open && leaves != came.side && count > 0;
    const bool touches = open && leaves == came.side && came.reached && (!to_the_end || count > 0);
    const int direction = events_[event].direction;
    if ((crosses && (direction == 0 || direction == -came.side)) || (touches && direction == 0)) {
      found_.push_back({event, crosses ? met_[in_it].t : low});
      came.counted = true;
    }
    met_.erase(met_.begin() + static_cast<std::ptrdiff_t>(in_it), met_.begin() + static_cast<std::ptrdiff_t>(behind));
    if (to_the_end) now = came;
  }
  for (; since <= last; ++since)
    if (sign(trail_[since].f) == -sign(now.away) || size(since) > std::abs(now.away)) now.away = trail_[since].f;
  near_[event] = now;
}

// The zeros that were met from one time to another.
std::pair<std::size_t, std::size_t> EventWatch::zeros_between(double from, double to) const {
  const double way = to < from ? -1 : 1;
  const auto first = std::ranges::find_if(met_, [&](const Zero& zero) { return way * zero.t >= way * from; });
  const auto end = std::find_if(first, met_.end(), [&](const Zero& zero) { return way * zero.t > way * to; });
  return {static_cast<std::size_t>(first - met_.begin()), static_cast<std::size_t>(end - met_.begin())};
}

double EventWatch::lowest(std::size_t event, double from, double to, const LastStep& stepper) {
  return golden_section(from, to, [&](double t) { return std::abs(value(event, t, stepper)); });
}

// Between looks, of which none is at zero.
void EventWatch::find_touch(std::size_t event, double from, double to, double nothing, const LastStep& stepper) {
  if (events_[event].direction != 0) return;
  const double t = lowest(event, from, to, stepper);
  if (std::abs(value(event, t, stepper)) <= nothing) found_.push_back({event, t});
}

void EventWatch::settle(std::size_t event, const LastStep& stepper) {
  if (may_touch_) settle_near_zero(event, stepper);
  const int direction = events_[event].direction;
  for (const Zero& zero : met_)
    if (direction == 0 || direction == -zero.from) found_.push_back({event, zero.t});
}

}  // namespace cetaev
