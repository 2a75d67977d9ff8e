// The explicit Runge–Kutta method of Dormand and Prince of order 8, with error estimates of orders 5 and 3 and dense output
// of order 7.
//
// Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., Springer 1993: the method
// in II.5, its dense output in II.6, the control of the step in II.4, the first step likewise; the test for stiffness is in
// E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.2.
//
//   k_s = f(t + c_s h, y + h Σ_j a_sj k_j),   y₁ = y + h Σ_s b_s k_s,   error = h e₅² / √(e₅² + e₃²/100)
//
// A template over the number type and the right-hand side, so that hand-written equations are compiled into it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "cetaev/detail/integrate/stepper.hpp"
#include "dop853_coefficients.hpp"

namespace cetaev {

// rhs(t, y, dy) answers −1, or the number of a linear system that is singular. Tolerances: unit(i, y) is the error allowed in
// y_i when it has the value y; accepted(y) tells of a state reached; coarsen() of errors that do not fall with the step;
// integral_gain is the exponent β of II.4 that smooths the sequence of steps; most_noise(), where there is one, how many times the tolerance rounding errors of
// the right-hand side may be in a step, and noise(times) tells of them. N is the number of equations, 0 when it is known
// at run time only.
template <class Real, class Rhs, class Tolerances, std::size_t N = 0>
class Dop853 {
 public:
  Dop853(Rhs rhs, Tolerances tolerances, std::size_t size = N)
      : rhs_(std::move(rhs)), tolerances_(std::move(tolerances)) {
    if constexpr (N == 0) {
      size_ = size;
      for (Vector* v : {&y_, &low_, &y_new_, &low_new_, &stage_, &y_old_}) v->resize(size);
      for (Vector& k : k_) k.resize(size);
      for (Vector& d : dense_) d.resize(size);
    }
  }

  Tolerances& tolerances() { return tolerances_; }
  const StepCounts& counts() const { return counts_; }
  int singular_system() const { return singular_system_; }
  bool stiff() const { return stiff_; }
  Real time() const { return t_; }
  Real previous_time() const { return t_old_; }
  const Real* state() const { return y_.data(); }
  std::size_t size() const {
    if constexpr (N == 0) return size_;
    return N;
  }

  // Started anew where it stands and in the same direction, it keeps the length of its steps.
  void start(Real t, const Real* y, Real t_end) {
    const bool forwards = t_end >= t;
    if (t != t_ || forwards != forwards_) h_ = longest_ = noise_ = taken_before_ = 0, error_before_ = Real(1e-4);
    forwards_ = forwards;
    t_ = t_old_ = t;
    t_low_ = t_old_low_ = 0;
    for (std::size_t i = 0; i < size(); ++i) y_[i] = y[i], low_[i] = 0;
    tolerances_.accepted(y_.data());
    rates_known_ = dense_known_ = from_last_ = false;
    taken_ = 0;
    stiff_signs_ = calm_signs_ = 0;
  }

  StepStatus step(Real limit) {
    t_old_ = t_, t_old_low_ = t_low_;
    dense_known_ = false;
    taken_ = 0;
    if (limit == t_) return StepStatus::done;
    if (!rates_known_) {
      if (const StepStatus status = rates(t_, y_.data(), k_[0]); status != StepStatus::done) return status;
      if (!finite(k_[0])) return StepStatus::non_finite;
      rates_known_ = true;
    } else if (from_last_) {
      k_[0] = k_[stages];
    }
    from_last_ = false;
    if (h_ == 0) h_ = first_step(limit);

    Real last_error = 0, last_h = 0;
    for (bool retry = false;; retry = true) {
      const Real room = (limit - t_) - t_low_;
      const bool last = Real(1.01) * std::abs(h_) >= std::abs(room);
      const bool longer = !retry && wants_longer() && longer_step * std::abs(h_) < std::abs(room);
      const Real h = last ? room : longer ? longer_step * h_ : h_;
      const auto [status, found] = attempt(h, last ? limit : t_ + (t_low_ + h));
      if (longer) {
        if (status == StepStatus::done) learn_noise(h, found);
        until_longer_ = between_longer_;
      }
      const Real error = beyond_noise(h, found);

      if (status == StepStatus::done && error <= 1) {
        if (longer) h_ = h;
        error_found_ = found;
        accept(h, error, last, limit, retry);
        return StepStatus::done;
      }
      ++counts_.rejected;
      if (longer) continue;  // with the usual length
      if (status == StepStatus::done) {
        // An error made by the method falls with h⁸, one made by rounding not faster than h.
        if (last_error > 0 && error * cube(last_h) > last_error * cube(h)) tolerances_.coarsen();
        last_error = error, last_h = h;
        h_ = h / std::min(Real(3), std::pow(error, exponent()) / safety);
      } else {
        last_error = 0;
        h_ = h / 4;
      }
      // Times next to each other, and with a singularity at t = 0 a step that is nothing against those before.
      constexpr Real eps = std::numeric_limits<Real>::epsilon();
      if (std::abs(h_) <= 4 * eps * std::abs(t_) + eps * longest_ / 1000)
        return status == StepStatus::done ? StepStatus::too_small : status;
    }
  }

  // Within the last step. Three further stages are computed when a step is first asked.
  void interpolate(Real t, Real* y) {
    // Times are rounded where they are told: the ends of the step are those that were told.
    if (taken_ == 0 || t == t_ || t == t_old_) {
      const Vector& end = taken_ != 0 && t == t_old_ ? y_old_ : y_;
      std::copy(end.begin(), end.end(), y);
      return;
    }
    if (!dense_known_) prepare_dense();
    const Real s = ((t - t_old_) - t_old_low_) / taken_;
    const Real r = 1 - s;
    for (std::size_t i = 0; i < size(); ++i) {
      const Real high = dense_[3][i] + s * (dense_[4][i] + r * (dense_[5][i] + s * dense_[6][i]));
      y[i] = y_old_[i] + s * (dense_[0][i] + r * (dense_[1][i] + s * (dense_[2][i] + r * high)));
    }
  }

  // Likewise, by the rates at both ends alone.
  void glance(Real t, Real* y) {
    if (taken_ == 0 || t == t_ || t == t_old_ || dense_known_) return interpolate(t, y);
    const Real s = ((t - t_old_) - t_old_low_) / taken_, r = 1 - s;
    for (std::size_t i = 0; i < size(); ++i) {
      const Real change = y_[i] - y_old_[i], first = taken_ * k_[0][i] - change;
      y[i] = y_old_[i] + s * (change + r * (first + s * (change - taken_ * k_[stages][i] - first)));
    }
  }

 private:
  using Vector = std::conditional_t<N == 0, std::vector<Real>, std::array<Real, N>>;
  static constexpr int stages = dop853::stages;
  static constexpr int all_stages = dop853::all_stages;
  static constexpr Real safety = Real(0.9L);
  static Real exponent() { return Real(1) / 8 - Tolerances::integral_gain / 5; }
  static Real cube(Real x) { return std::abs(x * x * x); }

  static bool finite(const Vector& v) {
    for (const Real x : v)
      if (!std::isfinite(x)) return false;
    return true;
  }

  // Rows of the tables.
  template <int s>
  struct StageRow {
    static constexpr long double at(int j) { return dop853::a[s][j]; }
  };
  template <int d>
  struct DenseRow {
    static constexpr long double at(int j) { return dop853::dense[d][j]; }
  };
  struct ErrorRow {
    static constexpr long double at(int j) { return dop853::error5[j]; }
  };
  // Where the rates of the stages lie; in a variable of its own, so that writing into other arrays cannot change it, and loops are done several
  // numbers at a time.
  using Places = std::array<const Real*, all_stages>;
  Places places() const {
    Places k;
    for (std::size_t j = 0; j < k.size(); ++j) k[j] = k_[j].data();
    return k;
  }
  // Σ_j row_j k_j[i] over j < count, without the zeros of the table. Every row begins with a number that is not zero.
  template <class Row, int count>
  static Real combined(const Places& k, std::size_t i) {
    Real sum = static_cast<Real>(Row::at(0)) * k[0][i];
    const auto add = [&]<int j>(std::integral_constant<int, j>) {
      if constexpr (Row::at(j) != 0) sum += static_cast<Real>(Row::at(j)) * k[j][i];
    };
    [&]<int... j>(std::integer_sequence<int, j...>) { (add(std::integral_constant<int, j + 1>{}), ...); }
    (std::make_integer_sequence<int, count - 1>{});
    return sum;
  }

  StepStatus rates(Real t, const Real* y, Vector& dy) {
    ++counts_.rhs_evaluations;
    singular_system_ = rhs_(t, y, dy.data());
    return singular_system_ < 0 ? StepStatus::done : StepStatus::singular;
  }

  template <int s>
  StepStatus stage(Real h) {
    const Places k = places();
    const Real* const from = s > stages ? y_old_.data() : y_.data();
    Real* const __restrict to = stage_.data();
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i] + h * combined<StageRow<s>, s>(k, i);
    const Real t = s > stages ? t_old_ + (t_old_low_ + static_cast<Real>(dop853::c[s]) * h)
                              : t_ + (t_low_ + static_cast<Real>(dop853::c[s]) * h);
    return rates(t, stage_.data(), k_[s]);
  }
  template <int first, int... s>
  StepStatus all(Real h, std::integer_sequence<int, s...>) {
    StepStatus status = StepStatus::done;
    static_cast<void>((((status = stage<first + s>(h)) == StepStatus::done) && ...));
    return status;
  }

  // Leaves the new state in y_new_, its rates in k_12, and stage_ at the argument of the last stage.
  std::pair<StepStatus, Real> attempt(Real h, Real t_new) {
    if (const StepStatus status = all<1>(h, std::make_integer_sequence<int, stages - 1>{}); status != StepStatus::done)
      return {status, 0};
    const Places k = places();
    const Real *const y = y_.data(), *const low = low_.data();
    Real* const __restrict y_new = y_new_.data(), * const __restrict low_new = low_new_.data();
    const std::size_t count = size();
    Real sum5 = 0, sum3 = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Real slope = combined<StageRow<stages>, stages>(k, i);
      const Real change = h * slope + low[i];
      y_new[i] = y[i] + change;
      low_new[i] = change - (y_new[i] - y[i]);
      const Real over = 1 / tolerances_.unit(i, y_new[i]);
      const Real e5 = combined<ErrorRow, stages>(k, i) * over;
      const Real third = static_cast<Real>(dop853::b3[0]) * k[0][i] + static_cast<Real>(dop853::b3[8]) * k[8][i] +
                         static_cast<Real>(dop853::b3[11]) * k[11][i];
      const Real e3 = (slope - third) * over;
      sum5 += e5 * e5;
      sum3 += e3 * e3;
    }
    const Real whole = sum5 + sum3 / 100;
    const Real error = whole > 0 ? std::abs(h) * sum5 / std::sqrt(whole * static_cast<Real>(size())) : whole;
    if (!std::isfinite(error)) {
      for (int s = 0; s < stages; ++s)
        if (!finite(k_[s])) return {StepStatus::non_finite, 0};
      if (!finite(y_new_)) return {StepStatus::non_finite, 0};
      return {StepStatus::done, std::numeric_limits<Real>::max()};
    }
    if (beyond_noise(h, error) > 1) return {StepStatus::done, error};
    if (const StepStatus status = rates(t_new, y_new_.data(), k_[stages]); status != StepStatus::done)
      return {status, 0};
    if (!finite(k_[stages])) return {StepStatus::non_finite, 0};
    return {StepStatus::done, error};
  }

  // An error that the method makes falls with h⁸. Where a step three times as long has an error not much more than three times as large, what is seen is rounding of the
  // right-hand side, which goes with h: it is not held against a step as long as it is no more than most_noise(). Tried now and then.
  static constexpr Real longer_step = 3;
  static constexpr bool knows_noise = requires(Tolerances t) { t.most_noise(); };
  bool wants_longer() const {
    if constexpr (knows_noise) return taken_before_ != 0 && until_longer_ == 0 && tolerances_.most_noise() > 0;
    return false;
  }
  void learn_noise(Real h, Real error) {
    if constexpr (knows_noise) {
      constexpr int again = 4, soonest = 32, latest = 2048;  // steps
      constexpr Real not_much_more = Real(1.5L);
      if (error < not_much_more * error_found_ * h / taken_before_ && error_found_ > Real(0.01L)) {
        // twice in a row, soon after each other
        const Real seen = std::min(error_found_ / std::abs(taken_before_), error / std::abs(h));
        noise_ = seen_before_ > 0 ? std::min(seen, seen_before_) : noise_;
        between_longer_ = noise_ > 0 ? soonest : again;
        seen_before_ = seen;
      } else {
        noise_ /= 2;
        seen_before_ = 0;
        between_longer_ = std::min(2 * between_longer_, latest);
      }
    }
  }
  Real beyond_noise(Real h, Real error) const {
    if constexpr (knows_noise) {
      constexpr Real spread = Real(1.5L);  // noise is now more, now less
      return std::max(Real(0), error - std::min(spread * noise_ * std::abs(h), tolerances_.most_noise()));
    }
    return error;
  }

  void accept(Real h, Real error, bool last, Real limit, bool retried) {
    ++counts_.steps;
    watch_stiffness(h);
    if constexpr (knows_noise) {
      if (noise_ > 0) tolerances_.noise(error_found_);
      if (until_longer_ > 0 && !last) --until_longer_;
      taken_before_ = h;
    }
    std::swap(y_old_, y_);
    std::swap(y_, y_new_);
    std::swap(low_, low_new_);
    taken_ = h;
    longest_ = std::max(longest_, std::abs(h));
    if (last) {
      t_ = limit, t_low_ = 0;
    } else {
      const Real change = h + t_low_;
      const Real t = t_ + change;
      t_low_ = change - (t - t_);
      t_ = t;
    }
    tolerances_.accepted(y_.data());
    from_last_ = true;

    // h_new = h · 0.9 · error^(−1/8 + β/5) · (error before)^β, between h/3 and 6 h
    Real factor = std::pow(error, exponent()) / safety;
    if constexpr (Tolerances::integral_gain != 0) factor /= std::pow(error_before_, Tolerances::integral_gain);
    Real next = h / std::clamp(factor, Real(1) / 6, Real(3));
    error_before_ = std::max(error, Real(1e-4));
    if (retried && std::abs(next) > std::abs(h)) next = h;
    // A step cut short by the limit says little about the next one.
    if (last && !retried && std::abs(h_) > std::abs(next)) next = h_;
    h_ = next;
  }

  // Two stages at the same time, k_11 and k_12, give an estimate of the dominant eigenvalue; the domain of stability ends
  // near h λ = −6.1.
  void watch_stiffness(Real h) {
    if (counts_.steps % 8 != 0 && stiff_signs_ == 0) return;
    Real rates_apart = 0, states_apart = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const Real dk = k_[stages][i] - k_[stages - 1][i], dy = y_new_[i] - stage_[i];
      rates_apart += dk * dk;
      states_apart += dy * dy;
    }
    if (h * h * rates_apart > Real(6.1) * Real(6.1) * states_apart) {
      calm_signs_ = 0;
      if (++stiff_signs_ == 15) stiff_ = true;
    } else if (++calm_signs_ == 6) {
      stiff_signs_ = calm_signs_ = 0;
    }
  }

  // So that an explicit Euler step, and its second derivative, promise an error of a hundredth of the tolerance.
  Real first_step(Real limit) {
    const auto size_of = [&](const auto& component) {
      Real sum = 0;
      for (std::size_t i = 0; i < size(); ++i) {
        const Real x = component(i) / tolerances_.unit(i, y_[i]);
        sum += x * x;
      }
      return std::sqrt(sum);
    };
    const Real sign = forwards_ ? 1 : -1;
    const Real longest = std::abs(limit - t_);
    const Real position = size_of([&](std::size_t i) { return y_[i]; });
    const Real slope = size_of([&](std::size_t i) { return k_[0][i]; });
    Real h = slope > Real(1e-10) && position > Real(1e-10) ? position / slope / 100 : longest / Real(1e6);
    h = std::min(h, longest);
    if (!(h > 0) || !std::isfinite(h)) return sign * longest / Real(1e6);

    for (std::size_t i = 0; i < size(); ++i) stage_[i] = y_[i] + sign * h * k_[0][i];
    if (rates(t_ + sign * h, stage_.data(), k_[1]) != StepStatus::done || !finite(k_[1])) return sign * h / 100;
    const Real bend = size_of([&](std::size_t i) { return k_[1][i] - k_[0][i]; }) / h;
    const Real steep = std::max(slope, bend);
    const Real wanted = steep > Real(1e-15) ? std::pow(Real(0.01L) / steep, Real(1) / 8) : h;
    return sign * std::min({100 * h, wanted, longest});
  }

  // y(t + s h) = y + s (d₀ + r (d₁ + s (d₂ + r (d₃ + s … )))) with r = 1 − s, in II.6 form.
  void prepare_dense() {
    const Real h = taken_;
    const Places k = places();
    const bool complete =
        all<stages + 1>(h, std::make_integer_sequence<int, all_stages - stages - 1>{}) == StepStatus::done &&
        finite(k_[13]) && finite(k_[14]) && finite(k_[15]);
    for (std::size_t i = 0; i < size(); ++i) {
      const Real change = y_[i] - y_old_[i];
      dense_[0][i] = change;
      dense_[1][i] = h * k_[0][i] - change;
      dense_[2][i] = change - h * k_[stages][i] - dense_[1][i];
      // Where the equations end between the stages, Hermite's cubic has to do.
      dense_[3][i] = complete ? h * combined<DenseRow<0>, all_stages>(k, i) : 0;
      dense_[4][i] = complete ? h * combined<DenseRow<1>, all_stages>(k, i) : 0;
      dense_[5][i] = complete ? h * combined<DenseRow<2>, all_stages>(k, i) : 0;
      dense_[6][i] = complete ? h * combined<DenseRow<3>, all_stages>(k, i) : 0;
    }
    dense_known_ = true;
  }

  Rhs rhs_;
  Tolerances tolerances_;
  std::size_t size_ = N;
  // State and time with what their sums have lost to rounding.
  Vector y_{}, low_{}, y_new_{}, low_new_{}, stage_{}, y_old_{};
  std::array<Vector, all_stages> k_{};
  std::array<Vector, 7> dense_{};
  Real t_ = 0, t_low_ = 0, t_old_ = 0, t_old_low_ = 0;
  Real h_ = 0;        // the next step
  Real taken_ = 0;    // the last one
  Real longest_ = 0;  // of those taken
  Real error_before_ = Real(1e-4);
  // Of rounding, in units of the tolerance and for a step of length one; the last step that was taken, and its error with that; steps until a longer one is tried.
  Real noise_ = 0, seen_before_ = 0, taken_before_ = 0, error_found_ = 0;
  int until_longer_ = 64, between_longer_ = 64;
  bool forwards_ = true, rates_known_ = false, from_last_ = false, dense_known_ = false, stiff_ = false;
  int stiff_signs_ = 0, calm_signs_ = 0, singular_system_ = -1;
  StepCounts counts_;
};

}  // namespace cetaev
