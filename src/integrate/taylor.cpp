#include "taylor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "accuracy.hpp"
#include "compensated.hpp"
#include "pack.hpp"
#include "scale.hpp"
#include "series_sum.hpp"
#include "step_check.hpp"

namespace cetaev {

namespace {

// A step is not cut into more parts than this for the sake of functions that are only observed.
constexpr double most_parts = 1000;
// Jumps of the equations one after the other.
constexpr int most_crossings = 64;

// log₂ and 2^x to three digits: more would not change a step.
double rough_log2(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const double exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
  const double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL) - 1;
  return exponent + m * (1.4142 - m * (0.5804 - 0.1662 * m));
}
double rough_exp2(double x) {
  const double floor = std::floor(x);
  const double f = x - floor;
  const auto exponent = static_cast<std::uint64_t>(static_cast<std::int64_t>(floor) + 1023) << 52;
  return std::bit_cast<double>(exponent) * (1 + f * (0.6953 + f * (0.2262 + f * 0.0782)));
}

// Within a turn, where a double has more digits after the point than a large angle has; with what rounding dropped.
double reduced_angle(double high, double low) {
  constexpr double turn = 2 * std::numbers::pi, turn_low = 2.4492935982947064e-16;  // 2π − turn
  if (std::abs(high) <= std::numbers::pi) return high;
  const double turns = std::nearbyint(high * (1 / turn));
  if (std::abs(turns) > accuracy::most_turns) return high;  // nothing left to gain
  // turns · turn exactly, in two parts
  const double product = turns * turn, rest = std::fma(turns, turn, -product);
  return ((high - product) - rest) + (low - turns * turn_low);
}

// A trajectory in its lane.
template <unsigned lanes>
class TaylorSteps;

template <unsigned lanes>
struct Lane final : LastStep {
  Lane(const TaylorSteps<lanes>* all_lanes, unsigned its_number, std::size_t size)
      : all(all_lanes), number(its_number), scale(size), y(size) {}

  double previous_time() const override { return previous; }
  double time() const override { return t.high; }
  std::span<const double> state() const override { return all->state(number, y); }
  void interpolate(double at, std::span<double> into) const override { all->interpolate(number, at, into); }

  const TaylorSteps<lanes>* all;
  unsigned number;
  double direction = 1;
  StateScale scale;
  CompensatedSum t;
  double previous = 0, previous_low = 0;
  mutable std::vector<double> y;     // room for the state
  std::vector<double> further_size;  // the largest values met
  StepCounts counts;
  double usual = 0;  // the length of the last step, if it was not cut
  int crossings = 0;
  int singular = -1;
  std::unique_ptr<Field> field;  // its equations
};

template <unsigned lanes>
class TaylorSteps final : public TaylorLanes {
 public:
  TaylorSteps(const SeriesProgram& series, SeriesRunners runners, unsigned order, double tolerance)
      : series_(series),
        runner_(std::move(runners.series)),
        check_(series, tolerance),
        order_(order),
        size_(series.state_count()),
        log_tolerance_(std::log2(tolerance) + accuracy::taylor_slack(tolerance, order)),
        over_order_(1.0 / order),
        over_less_(1.0 / (order - 1)),
        sum_(series_sum(lanes, size_)),
        high_(size_ * lanes),
        low_(size_ * lanes),
        weight_(size_ * lanes),
        at_(size_ * lanes),
        change_(size_ * lanes),
        angles_(series.angles()),
        further_(series.further().size()),
        coefficients_(((order + 1) * size_ + order * further_) * lanes),
        last_(coefficients_.size()) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      lanes_.emplace_back(this, lane, size_);
      lanes_.back().further_size.resize(further_ - series.switch_count());
      lanes_.back().field = std::move(runners.fields[lane]);
    }
    if (lanes > 1) alone_.resize(coefficients_.size());
  }
  TaylorSteps(const TaylorSteps&) = delete;
  TaylorSteps& operator=(const TaylorSteps&) = delete;

  void set_parameters(unsigned number, std::span<const double> parameters, std::unique_ptr<Field> field) override {
    runner_->set_parameters(number, parameters);
    lanes_[number].field = std::move(field);
  }
  void begin(unsigned number, double t, std::span<const double> y, double t_end) override {
    Lane<lanes>& lane = lanes_[number];
    lane.scale.reset();
    std::fill(lane.further_size.begin(), lane.further_size.end(), 0.0);
    lane.counts = {};
    lane.usual = 0;
    restart(number, t, y, t_end);
  }
  void restart(unsigned number, double t, std::span<const double> y, double t_end) override {
    Lane<lanes>& lane = lanes_[number];
    if (t != lane.t.high) lane.usual = 0;  // back to where a step began that had missed something
    lane.direction = t_end < t ? -1 : 1;
    lane.t.set(t);
    lane.previous = t;
    lane.previous_low = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      high_[i * lanes + number] = y[i];
      low_[i * lanes + number] = 0;
    }
    update_weights(number);
  }

  void step(std::span<const double> limits, std::span<StepStatus> statuses) override {
    double times[lanes], h[lanes], longest[lanes], growth[lanes];
    bool to_the_limit[lanes];
    std::copy(high_.begin(), high_.end(), at_.begin());
    for (unsigned number = 0; number < lanes; ++number) times[number] = lanes_[number].t.high;
    for (const std::size_t i : angles_) {
      for (std::size_t at = i * lanes; at < (i + 1) * lanes; ++at) at_[at] = reduced_angle(high_[at], low_[at]);
    }
    run(times);
    for (const std::size_t i : angles_) store<lanes>(load<lanes>(high_.data(), i), coefficients_.data(), i);
    longest_steps(longest);
    for (unsigned number = 0; number < lanes; ++number) {
      Lane<lanes>& lane = lanes_[number];
      to_the_limit[number] = false;
      statuses[number] = StepStatus::done;
      h[number] = 0;
      if (limits[number] == lane.t.high && lane.t.low == 0) continue;
      ++lane.counts.rhs_evaluations;
      statuses[number] = lane.singular >= 0
                             ? StepStatus::singular
                             : choose_step(lane, longest[number], limits[number], h[number], to_the_limit[number]);
    }
    sum_(coefficients_.data(), size_, order_, h, change_.data());
    require_finite(h, statuses);
    advance(h, growth);
    for (unsigned number = 0; number < lanes; ++number) {
      Lane<lanes>& lane = lanes_[number];
      if (h[number] == 0) {
        keep_last(number);
        continue;
      }
      if (growth[number] > accuracy::noticeable_growth) update_weights(number);
      lane.previous = lane.t.high;
      lane.previous_low = lane.t.low;
      if (to_the_limit[number]) {
        lane.t.set(limits[number]);
      } else {
        lane.t.add(h[number]);
      }
      ++lane.counts.steps;
    }
    coefficients_.swap(last_);
  }

  // Where there is one lane the state lies in a row; of several it is picked out.
  std::span<const double> state(unsigned number, std::vector<double>& room) const {
    if constexpr (lanes == 1) return high_;
    for (std::size_t i = 0; i < size_; ++i) room[i] = high_[i * lanes + number];
    return room;
  }

  const Lane<lanes>& lane(unsigned number) const override { return lanes_[number]; }
  const StepCounts& counts(unsigned number) const override { return lanes_[number].counts; }
  int singular_system(unsigned number) const override { return lanes_[number].singular; }

  void interpolate(unsigned number, double t, std::span<double> y) const {
    const Lane<lanes>& lane = lanes_[number];
    const double h = (t - lane.previous) - lane.previous_low;
    if constexpr (lanes == 1) {
      sum_(last_.data(), size_, order_, &h, y.data());
      for (std::size_t i = 0; i < size_; ++i) y[i] = last_[i] + h * y[i];
    } else {
      const double* const last = last_.data() + order_ * size_ * lanes + number;
      std::size_t i = 0;
      for (; i + 4 <= size_; i += 4) horner<4>(last + i * lanes, h, &y[i]);
      for (; i < size_; ++i) horner<1>(last + i * lanes, h, &y[i]);
    }
  }

 private:
  // So many variables side by side, from their last coefficients on.
  template <std::size_t count>
  void horner(const double* c, double h, double* into) const {
    std::array<double, count> sum;
    for (std::size_t i = 0; i < count; ++i) sum[i] = c[i * lanes];
    for (unsigned k = order_; k-- > 0;) {
      c -= size_ * lanes;
      for (std::size_t i = 0; i < count; ++i) sum[i] = sum[i] * h + c[i * lanes];
    }
    std::copy(sum.begin(), sum.end(), into);
  }

  void update_weights(unsigned number) {
    Lane<lanes>& lane = lanes_[number];
    lane.scale.update(lane.state());
    for (std::size_t i = 0; i < size_; ++i) weight_[i * lanes + number] = 1 / lane.scale.scale(i);
  }

  // The answer of the runner is about all lanes: where a linear system is singular in one of them, each is asked alone.
  void run(const double* times) {
    const int singular = runner_->coefficients(times, at_.data(), coefficients_.data());
    for (Lane<lanes>& lane : lanes_) lane.singular = singular;
    if (lanes == 1 || singular < 0) return;
    std::vector<double>& same = change_;
    for (unsigned number = 0; number < lanes; ++number) {
      double time[lanes];
      std::fill(time, time + lanes, times[number]);
      for (std::size_t i = 0; i < size_ * lanes; ++i) same[i] = at_[i / lanes * lanes + number];
      lanes_[number].singular = runner_->with_parameters_of(number, time, same.data(), alone_.data());
      for (std::size_t i = number; i < alone_.size(); i += lanes) coefficients_[i] = alone_[i];
    }
  }

  void keep_last(unsigned number) {
    for (std::size_t i = number; i < last_.size(); i += lanes) coefficients_[i] = last_[i];
  }

  StepStatus choose_step(Lane<lanes>& lane, double length, double limit, double& h, bool& to_the_limit) {
    if (std::isnan(length)) return StepStatus::non_finite;
    const double left = std::abs((limit - lane.t.high) - lane.t.low);
    if (!lane.further_size.empty())
      length = std::min(length, std::max(longest_for_further(lane), std::min(length, left) / most_parts));
    to_the_limit = length >= left;
    if (to_the_limit) length = left;
    if (series_.switch_count() > 0) {
      const double until = until_switch(lane, length);
      to_the_limit = to_the_limit && until == length;
      length = until;
    }
    const double wanted = length;
    if (check_.wants(length, lane.usual)) {
      length = verified(lane, length);
      to_the_limit = to_the_limit && length == wanted;
      if (lane.crossings > most_crossings) return StepStatus::too_small;
    }
    // beyond what made it shorter, the next step is looked at closely again
    lane.usual = length < wanted ? 0 : length;
    // what time can resolve
    if (length < accuracy::told_apart(std::abs(lane.t.high)) && !to_the_limit) return StepStatus::too_small;
    h = length * lane.direction;
    return StepStatus::done;
  }

  double verified(Lane<lanes>& lane, double length) {
    const double checked =
        check_.verified(*lane.field, lane.t.high, lane.direction, length, lane.usual,
                        {coefficients_.data() + lane.number, size_, lanes, order_}, weight_.data() + lane.number);
    // a motion that meets one jump after the other does not move
    lane.crossings = check_.crossed() ? lane.crossings + 1 : 0;
    return checked;
  }

  // |c_k| h^k = tolerance for the last two terms, one of which alone may vanish by symmetry; each variable by its size. Not a
  // number when a coefficient is not finite; one that is not a number shows in the sum.
  void longest_steps(double* longest) const {
    Pack<lanes> last{}, before{};
    for (std::size_t i = 0; i < size_; ++i) {
      const Pack<lanes> weight = load<lanes>(weight_.data(), i);
      const auto size = [&](unsigned k) {
        return magnitude<lanes>(load<lanes>(coefficients_.data(), k * size_ + i)) * weight;
      };
      last = larger<lanes>(last, size(order_));
      before = larger<lanes>(before, size(order_ - 1));
    }
    double last_of[lanes], before_of[lanes];
    store<lanes>(last, last_of, 0);
    store<lanes>(before, before_of, 0);
    for (unsigned number = 0; number < lanes; ++number)
      longest[number] = longest_step(last_of[number], before_of[number]);
  }

  double longest_step(double last, double before) const {
    if (!(std::max(last, before) < std::numeric_limits<double>::infinity()))
      return std::numeric_limits<double>::quiet_NaN();
    double log_h = std::numeric_limits<double>::infinity();
    if (last > std::numeric_limits<double>::min()) log_h = (log_tolerance_ - rough_log2(last)) * over_order_;
    if (before > std::numeric_limits<double>::min())
      log_h = std::min(log_h, (log_tolerance_ - rough_log2(before)) * over_less_);
    if (log_h < -1000) return 0;
    return log_h < 1000 ? rough_exp2(log_h) : std::numeric_limits<double>::infinity();
  }

  const double* further(unsigned number) const { return coefficients_.data() + (order_ + 1) * size_ * lanes + number; }

  // Further series are functions that are looked for zeros: their polynomials must show them, roughly.
  double longest_for_further(Lane<lanes>& lane) {
    const double* const c = further(lane.number);
    double log_h = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < lane.further_size.size(); ++i) {
      lane.further_size[i] = std::max(lane.further_size[i], std::abs(c[i * lanes]));
      const double size = lane.further_size[i] > 0 ? lane.further_size[i] : 1;
      for (unsigned k = order_ - 1; k >= order_ - 2; --k) {
        const double term = std::abs(c[(k * further_ + i) * lanes]) / size;
        if (term > std::numeric_limits<double>::min() && term < std::numeric_limits<double>::max())
          log_h = std::min(log_h, (accuracy::log_of_a_look - rough_log2(term)) / k);
      }
    }
    return log_h < 1000 ? rough_exp2(std::max(log_h, -1000.0)) : std::numeric_limits<double>::infinity();
  }

  // A lane whose sum is not finite takes no step.
  void require_finite(double* h, std::span<StepStatus> statuses) const {
    Pack<lanes> sum{};
    for (std::size_t i = 0; i < size_; ++i) sum += load<lanes>(change_.data(), i) * 0;
    double sums[lanes];
    store<lanes>(sum, sums, 0);
    for (unsigned number = 0; number < lanes; ++number) {
      if (h[number] == 0 || sums[number] == 0) continue;
      statuses[number] = StepStatus::non_finite;
      h[number] = 0;
    }
  }

  // y + Σ_{k≥1} c_k h^k; lanes with h = 0 stay as they are. The growth is that of the variables beside their sizes.
  void advance(const double* h, double* growth) {
    const auto step = load<lanes>(h, 0);
    Pack<lanes> largest{};
    for (std::size_t i = 0; i < size_; ++i) {
      const Compensated<Pack<lanes>> y{load<lanes>(high_.data(), i), load<lanes>(low_.data(), i)};
      Compensated<Pack<lanes>> next = y;
      next.add(load<lanes>(change_.data(), i) * step);
      const Pack<lanes> high = step != 0 ? next.high : y.high;
      store<lanes>(high, high_.data(), i);
      store<lanes>(step != 0 ? next.low : y.low, low_.data(), i);
      largest = larger<lanes>(largest, magnitude<lanes>(high) * load<lanes>(weight_.data(), i));
    }
    store<lanes>(largest, growth, 0);
  }

  double switch_value(unsigned number, std::size_t s, double h) const {
    const double* const c = further(number) + (further_ - series_.switch_count() + s) * lanes;
    double value = 0;
    for (unsigned k = order_; k-- > 0;) value = value * h + c[k * further_ * lanes];
    return value;
  }

  // The part of a step of length h after which the first argument of a magnitude has changed its sign, just so; or h.
  double until_switch(const Lane<lanes>& lane, double h) const {
    constexpr int parts = 16;
    for (std::size_t s = 0; s < series_.switch_count(); ++s) {
      const auto value = [&](double length) { return switch_value(lane.number, s, lane.direction * length); };
      // the branch in use is that of the sign bit at the start
      const double side = std::copysign(1.0, value(0));
      double inside = 0;
      for (int part = 1; part <= parts; ++part) {
        double outside = h * part / parts;
        if (!(side * value(outside) < 0)) {
          inside = outside;
          continue;
        }
        while (true) {
          const double middle = inside + (outside - inside) / 2;
          if (middle <= inside || middle >= outside) break;
          (side * value(middle) < 0 ? outside : inside) = middle;
        }
        // time must be able to tell
        h = std::min(h, std::max(outside, accuracy::surely_later(std::abs(lane.t.high))));
        break;
      }
    }
    return h;
  }

  const SeriesProgram& series_;
  std::unique_ptr<SeriesRunner> runner_;
  StepCheck check_;
  unsigned order_;
  std::size_t size_;
  double log_tolerance_, over_order_, over_less_;
  SeriesSum sum_;
  std::vector<Lane<lanes>> lanes_;
  std::vector<double> high_, low_;  // y, and what rounding dropped of it
  std::vector<double> weight_;      // one over the sizes of the variables
  std::vector<double> at_, change_;
  std::vector<std::size_t> angles_;
  std::size_t further_;
  std::vector<double> coefficients_, last_;  // at the start of the next step, and of the last one
  std::vector<double> alone_;
};

class Taylor final : public Stepper {
 public:
  Taylor(const SeriesProgram& series, SeriesRunners runners, unsigned order, double tolerance)
      : steps_(series, std::move(runners), order, tolerance) {}

  void start(double t, std::span<const double> y, double t_end) override { steps_.restart(0, t, y, t_end); }
  StepStatus step(double limit) override {
    StepStatus status = StepStatus::done;
    steps_.step({&limit, 1}, {&status, 1});
    return status;
  }
  double previous_time() const override { return steps_.lane(0).previous; }
  double time() const override { return steps_.lane(0).t.high; }
  std::span<const double> state() const override { return steps_.lane(0).state(); }
  void interpolate(double t, std::span<double> y) const override { steps_.interpolate(0, t, y); }
  const StepCounts& counts() const override { return steps_.counts(0); }
  int singular_system() const override { return steps_.singular_system(0); }

 private:
  TaylorSteps<1> steps_;
};

}  // namespace

unsigned taylor_order(const SeriesProgram& series, double tolerance) {
  // Convolutions two terms at a time shift what is cheapest, the more of them there are. Where the solution has no singularity
  // at a finite time, longer steps pay.
  constexpr std::size_t few = 8;
  const double terms = accuracy::taylor_terms(tolerance);
  const double part = series.entire() ? 1.5 : series.cost() <= few ? 1.0 : 1.3;
  return static_cast<unsigned>(std::clamp(std::ceil(part * terms), 4.0, 40.0));
}

std::unique_ptr<Stepper> make_taylor(const SeriesProgram& series, SeriesRunners runners, unsigned order,
                                     double tolerance) {
  return std::make_unique<Taylor>(series, std::move(runners), order, tolerance);
}

std::unique_ptr<TaylorLanes> make_taylor_lanes(const SeriesProgram& series, SeriesRunners runners, unsigned lanes,
                                               unsigned order, double tolerance) {
  assert(lanes == 2 || lanes == 4 || lanes == 8);
  if (lanes == 2) return std::make_unique<TaylorSteps<2>>(series, std::move(runners), order, tolerance);
  if (lanes == 4) return std::make_unique<TaylorSteps<4>>(series, std::move(runners), order, tolerance);
  return std::make_unique<TaylorSteps<8>>(series, std::move(runners), order, tolerance);
}

}  // namespace cetaev
