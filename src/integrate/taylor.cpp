#include "taylor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "compensated.hpp"
#include "scale.hpp"

namespace cetaev {

namespace {

// The step is judged by this many of the last terms: one alone may vanish by symmetry.
constexpr unsigned judged_terms = 2;
// A step is not cut into more parts than this for the sake of functions that are only observed.
constexpr double most_parts = 1000;
// The sizes of the variables are looked at again when one of them has grown by this much.
constexpr double noticeable_growth = 1.1;

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

// Σ_{k≥1} c_k h^{k−1}, c_k[i] at c[k * size + i]. Sizes known to the compiler are unrolled and vectorised.
template <std::size_t fixed>
void sum_terms(const double* c, std::size_t size, unsigned order, double h, double* sum) {
  const std::size_t n = fixed > 0 ? fixed : size;
  const double* term = c + order * n;
  double local[fixed > 0 ? fixed : 1];
  double* const y = fixed > 0 ? local : sum;
  for (std::size_t i = 0; i < n; ++i) y[i] = term[i];
  for (unsigned k = order - 1; k > 0; --k) {
    term -= n;
    for (std::size_t i = 0; i < n; ++i) y[i] = y[i] * h + term[i];
  }
  if (fixed > 0) std::copy(y, y + n, sum);
}

using SumTerms = void (*)(const double*, std::size_t, unsigned, double, double*);

SumTerms sum_terms_of(std::size_t size) {
  static constexpr std::array<SumTerms, 13> known = {
      sum_terms<0>, sum_terms<1>, sum_terms<2>, sum_terms<3>,  sum_terms<4>,  sum_terms<5>, sum_terms<6>,
      sum_terms<7>, sum_terms<8>, sum_terms<9>, sum_terms<10>, sum_terms<11>, sum_terms<12>};
  return size < known.size() ? known[size] : known[0];
}

// Within a turn, where a double has more digits after the point than a large angle has; with what rounding dropped.
double reduced_angle(const CompensatedSum& angle) {
  constexpr double turn = 2 * std::numbers::pi, turn_low = 2.4492935982947064e-16;  // 2π − turn
  const double turns = std::nearbyint(angle.high / turn);
  if (std::abs(turns) > 1e9) return angle.high;  // nothing left to gain
  // turns · turn exactly, in two parts
  const double product = turns * turn, rest = std::fma(turns, turn, -product);
  return ((angle.high - product) - rest) + (angle.low - turns * turn_low);
}

// The terms left out are to be below the tolerance; the last one kept may be larger. With ρ = tolerance^(1/order) for the ratio
// of successive terms they sum to ρ/(1 − ρ) of it.
double log_slack(unsigned order, double tolerance) {
  const double ratio = std::pow(tolerance, 1.0 / order);
  return std::max(0.0, std::log2((1 - ratio) / ratio));
}

class Taylor final : public Stepper {
 public:
  Taylor(const SeriesProgram& series, std::unique_ptr<SeriesRunner> runner, unsigned order, double tolerance)
      : series_(series),
        runner_(std::move(runner)),
        order_(order),
        size_(series.state_count()),
        log_tolerance_(std::log2(tolerance) + log_slack(order, tolerance)),
        sum_terms_(sum_terms_of(size_)),
        scale_(size_),
        weight_(size_),
        sums_(size_),
        y_(size_),
        at_(size_),
        angles_(series.angles()),
        further_size_(series.further().size() - series.switch_count()),
        coefficients_((order + 1) * size_ + order * series.further().size()),
        last_(coefficients_.size()) {}

  void start(double t, std::span<const double> y, double t_end) override {
    direction_ = t_end < t ? -1 : 1;
    time_.set(t);
    previous_ = t;
    for (std::size_t i = 0; i < size_; ++i) {
      sums_[i].set(y[i]);
      y_[i] = y[i];
    }
    scale_.update(y_);
    update_weights();
  }

  StepStatus step(double limit) override {
    ++counts_.rhs_evaluations;
    for (std::size_t i = 0; i < size_; ++i) at_[i] = y_[i];
    for (const std::size_t i : angles_) at_[i] = reduced_angle(sums_[i]);
    singular_ = runner_->coefficients(time_.high, at_.data(), coefficients_.data());
    if (singular_ >= 0) return StepStatus::singular;
    for (const std::size_t i : angles_) coefficients_[i] = y_[i];
    double h = longest_step();
    if (std::isnan(h)) return StepStatus::non_finite;
    if (!further_size_.empty()) h = std::min(h, std::max(longest_for_further(), h / most_parts));
    const double left = std::abs((limit - time_.high) - time_.low);
    bool to_the_limit = h >= left;
    if (to_the_limit) h = left;
    if (series_.switch_count() > 0) {
      const double until = until_switch(h);
      to_the_limit = to_the_limit && until == h;
      h = until;
    }
    // what time can resolve
    if (h < 4 * std::numeric_limits<double>::epsilon() * std::abs(time_.high) && !to_the_limit)
      return StepStatus::too_small;
    h *= direction_;
    if (!advance(h)) return StepStatus::non_finite;
    coefficients_.swap(last_);
    previous_ = time_.high;
    previous_low_ = time_.low;
    if (to_the_limit) {
      time_.set(limit);
    } else {
      time_.add(h);
    }
    ++counts_.steps;
    return StepStatus::done;
  }

  double previous_time() const override { return previous_; }
  double time() const override { return time_.high; }
  std::span<const double> state() const override { return y_; }
  void interpolate(double t, std::span<double> y) const override {
    const double h = (t - previous_) - previous_low_;
    const double* c = last_.data() + order_ * size_;
    for (std::size_t i = 0; i < size_; ++i) y[i] = c[i];
    for (unsigned k = order_; k-- > 0;) {
      c -= size_;
      for (std::size_t i = 0; i < size_; ++i) y[i] = y[i] * h + c[i];
    }
  }
  const StepCounts& counts() const override { return counts_; }
  int singular_system() const override { return singular_; }

 private:
  void update_weights() {
    for (std::size_t i = 0; i < size_; ++i) weight_[i] = 1 / scale_.scale(i);
  }

  // |c_k| h^k = tolerance for the last terms, each variable by its size; not a number when a coefficient is not finite.
  double longest_step() const {
    double log_h = std::numeric_limits<double>::infinity();
    for (unsigned k = order_; k > order_ - judged_terms; --k) {
      const double* const c = coefficients_.data() + k * size_;
      double largest = 0;
      for (std::size_t i = 0; i < size_; ++i) {
        const double term = std::abs(c[i]) * weight_[i];
        if (!(term <= largest)) largest = term;  // also when it is not a number
      }
      if (!(largest < std::numeric_limits<double>::infinity())) return std::numeric_limits<double>::quiet_NaN();
      if (largest > std::numeric_limits<double>::min())
        log_h = std::min(log_h, (log_tolerance_ - rough_log2(largest)) / k);
    }
    if (log_h < -1000) return 0;
    return log_h < 1000 ? rough_exp2(log_h) : std::numeric_limits<double>::infinity();
  }

  // Further series are functions that are looked for zeros: their polynomials must show them, roughly.
  double longest_for_further() {
    constexpr double log_rough = -20;  // about 1e-6
    const std::size_t all = series_.further().size(), count = all - series_.switch_count();
    const double* const c = coefficients_.data() + (order_ + 1) * size_;
    double log_h = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
      further_size_[i] = std::max(further_size_[i], std::abs(c[i]));
      const double size = further_size_[i] > 0 ? further_size_[i] : 1;
      for (unsigned k = order_ - 1; k >= order_ - 2; --k) {
        const double term = std::abs(c[k * all + i]) / size;
        if (term > std::numeric_limits<double>::min() && term < std::numeric_limits<double>::max())
          log_h = std::min(log_h, (log_rough - rough_log2(term)) / k);
      }
    }
    return log_h < 1000 ? rough_exp2(std::max(log_h, -1000.0)) : std::numeric_limits<double>::infinity();
  }

  // y + Σ_{k≥1} c_k h^k; false, with everything as it was, when that is not finite
  bool advance(double h) {
    sum_terms_(coefficients_.data(), size_, order_, h, y_.data());
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += y_[i] * 0;
    if (!(sum == 0)) {
      for (std::size_t i = 0; i < size_; ++i) y_[i] = sums_[i].high;
      return false;
    }
    for (std::size_t i = 0; i < size_; ++i) {
      sums_[i].add(y_[i] * h);
      y_[i] = sums_[i].high;
    }
    bool grown = false;
    for (std::size_t i = 0; i < size_; ++i) grown = grown || std::abs(y_[i]) * weight_[i] > noticeable_growth;
    if (grown) {
      scale_.update(y_);
      update_weights();
    }
    return true;
  }

  double switch_value(std::size_t s, double h) const {
    const std::size_t further = series_.further().size();
    const double* c = coefficients_.data() + (order_ + 1) * size_ + (further - series_.switch_count()) + s;
    double value = 0;
    for (unsigned k = order_; k-- > 0;) value = value * h + c[k * further];
    return value;
  }

  // The part of a step of length h after which the first argument of a magnitude has changed its sign, just so; or h.
  double until_switch(double h) const {
    constexpr int parts = 16;
    for (std::size_t s = 0; s < series_.switch_count(); ++s) {
      // the branch in use is that of the sign bit at the start
      const double side = std::copysign(1.0, switch_value(s, 0));
      double inside = 0;
      for (int part = 1; part <= parts; ++part) {
        double outside = h * part / parts;
        if (!(side * switch_value(s, direction_ * outside) < 0)) {
          inside = outside;
          continue;
        }
        while (true) {
          const double middle = inside + (outside - inside) / 2;
          if (middle <= inside || middle >= outside) break;
          (side * switch_value(s, direction_ * middle) < 0 ? outside : inside) = middle;
        }
        // time must be able to tell
        h = std::min(h, std::max(outside, 8 * std::numeric_limits<double>::epsilon() * std::abs(time_.high)));
        break;
      }
    }
    return h;
  }

  const SeriesProgram& series_;
  std::unique_ptr<SeriesRunner> runner_;
  unsigned order_;
  std::size_t size_;
  double log_tolerance_;
  SumTerms sum_terms_;
  double direction_ = 1;
  StateScale scale_;
  std::vector<double> weight_;
  CompensatedSum time_;
  double previous_ = 0, previous_low_ = 0;
  std::vector<CompensatedSum> sums_;
  std::vector<double> y_, at_;
  std::vector<std::size_t> angles_;
  std::vector<double> further_size_;         // the largest values met
  std::vector<double> coefficients_, last_;  // at the start of the next step, and of the last one
  StepCounts counts_;
  int singular_ = -1;
};

}  // namespace

unsigned taylor_order(const SeriesProgram& series, double tolerance) {
  // −ln(tolerance)/2 terms are the cheapest where a term costs in proportion to its order; convolutions two terms at a time
  // shift that a little. Where the solution has no singularity at a finite time, longer steps pay.
  const double terms = 1 - std::log(tolerance) / 2;
  return static_cast<unsigned>(std::clamp(std::ceil((series.entire() ? 1.5 : 1.1) * terms), 4.0, 40.0));
}

std::unique_ptr<Stepper> make_taylor(const SeriesProgram& series, std::unique_ptr<SeriesRunner> runner, unsigned order,
                                     double tolerance) {
  return std::make_unique<Taylor>(series, std::move(runner), order, tolerance);
}

}  // namespace cetaev
