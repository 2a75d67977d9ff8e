#include "precise_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cetaev/expr/ball.hpp"

namespace cetaev::conformance {

namespace {

using Real = PreciseMotion::Real;

constexpr long bits = 128;
constexpr Real tolerance = 1e-16L;
// A pivot that is smaller beside the first is that of a row which follows from the others.
constexpr Real smallest_pivot = 1e-13L;

Ball ball_of(Real x) {
  const double high = static_cast<double>(x);
  return Ball::from_double(high) + Ball::from_double(static_cast<double>(x - high));
}

Real real_of(const Ball& x) {
  const double high = x.midpoint();
  return static_cast<Real>(high) + (x - Ball::from_double(high)).midpoint();
}

// x with A x = b, zero where nothing determines it; the smallest pivot used beside the first.
std::pair<std::vector<Real>, double> solve(std::vector<std::vector<Real>> A, std::vector<Real> b) {
  const std::size_t n = b.size();
  // rows of equal size
  for (std::size_t i = 0; i < n; ++i) {
    Real largest = 0;
    for (const Real entry : A[i]) largest = std::max(largest, std::fabs(entry));
    if (largest == 0) continue;
    for (Real& entry : A[i]) entry /= largest;
    b[i] /= largest;
  }
  std::vector<std::size_t> column(n);
  for (std::size_t i = 0; i < n; ++i) column[i] = i;
  Real first = 0, last = 0;
  std::size_t rank = 0;
  for (; rank < n; ++rank) {
    std::size_t row = rank, place = rank;
    for (std::size_t i = rank; i < n; ++i) {
      for (std::size_t j = rank; j < n; ++j) {
        if (std::fabs(A[i][column[j]]) > std::fabs(A[row][column[place]])) row = i, place = j;
      }
    }
    const Real pivot = std::fabs(A[row][column[place]]);
    if (rank == 0) first = pivot;
    if (!(pivot > smallest_pivot * first)) break;
    last = pivot;
    std::swap(A[rank], A[row]);
    std::swap(b[rank], b[row]);
    std::swap(column[rank], column[place]);
    for (std::size_t i = rank + 1; i < n; ++i) {
      const Real factor = A[i][column[rank]] / A[rank][column[rank]];
      if (factor == 0) continue;
      for (std::size_t j = rank; j < n; ++j) A[i][column[j]] -= factor * A[rank][column[j]];
      b[i] -= factor * b[rank];
    }
  }
  std::vector<Real> x(n, 0);
  for (std::size_t i = rank; i-- > 0;) {
    Real sum = b[i];
    for (std::size_t j = i + 1; j < rank; ++j) sum -= A[i][column[j]] * x[column[j]];
    x[column[i]] = sum / A[i][column[i]];
  }
  return {x, first > 0 ? static_cast<double>(last / first) : 0};
}

bool finite(const std::vector<Real>& x) {
  return std::ranges::all_of(x, [](Real value) { return std::isfinite(value); });
}

}  // namespace

PreciseMotion::PreciseMotion(const System& system, const Terms& terms)
    : parameters_(parameter_values(system)), n_(system->size()), k_(terms.constraints.size()) {
  std::vector<Expr> outputs = terms.mass.entries;
  outputs.insert(outputs.end(), terms.bias.begin(), terms.bias.end());
  outputs.insert(outputs.end(), terms.constraints.jacobian.entries.begin(), terms.constraints.jacobian.entries.end());
  outputs.insert(outputs.end(), terms.constraints.bias.begin(), terms.constraints.bias.end());
  program_ = Program(outputs, state_symbols(system));
}

std::vector<Real> PreciseMotion::rates(Real t, const std::vector<Real>& y) {
  std::vector<Ball> inputs, outputs;
  for (const Real value : y) inputs.push_back(ball_of(value));
  inputs.push_back(ball_of(t));
  for (const double parameter : parameters_) inputs.push_back(Ball::from_double(parameter));
  run_in_balls(program_, inputs, outputs, bits);
  std::vector<Real> values;
  for (const Ball& output : outputs) values.push_back(output.is_finite() ? real_of(output) : static_cast<Real>(NAN));
  const Real* next = values.data();
  // H a − Jᵀλ = b, J a = c
  std::vector<std::vector<Real>> A(n_ + k_, std::vector<Real>(n_ + k_, 0));
  std::vector<Real> right(n_ + k_);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j < n_; ++j) A[i][j] = *next++;
  for (std::size_t i = 0; i < n_; ++i) right[i] = *next++;
  for (std::size_t r = 0; r < k_; ++r) {
    for (std::size_t j = 0; j < n_; ++j) {
      A[n_ + r][j] = *next;
      A[j][n_ + r] = -*next++;
    }
  }
  for (std::size_t r = 0; r < k_; ++r) right[n_ + r] = *next++;
  const auto [x, pivot] = solve(std::move(A), std::move(right));
  regularity_ = std::min(regularity_, pivot);
  std::vector<Real> result(y.begin() + static_cast<std::ptrdiff_t>(n_), y.end());
  result.insert(result.end(), x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n_));
  return result;
}

// Gragg's: `count` steps of the midpoint rule, whose error is a series in the square of the step.
std::vector<Real> PreciseMotion::midpoint_steps(Real t, const std::vector<Real>& y, Real length, int count) {
  const Real h = length / count;
  std::vector<Real> before = y, now = y, rate = rates(t, y);
  for (std::size_t i = 0; i < y.size(); ++i) now[i] += h * rate[i];
  for (int step = 1; step <= count; ++step) {
    rate = rates(t + step * h, now);
    std::vector<Real> next = step < count ? before : now;
    for (std::size_t i = 0; i < y.size(); ++i)
      next[i] = step < count ? before[i] + 2 * h * rate[i] : (before[i] + now[i] + h * rate[i]) / 2;
    before = std::exchange(now, std::move(next));
  }
  return now;
}

PreciseMotion::Outcome PreciseMotion::run(const State& from, double t_end) {
  constexpr int columns = 9;
  regularity_ = 1;
  Real t = from.t, length = (static_cast<Real>(t_end) - t) / 16;
  std::vector<Real> y(from.q.begin(), from.q.end());
  y.insert(y.end(), from.v.begin(), from.v.end());
  Outcome outcome;
  int steps_left = 1000;
  while (t < t_end && length > 1e-6L && steps_left-- > 0) {
    length = std::min<Real>(length, t_end - t);
    std::array<std::vector<Real>, columns> table;
    Real error = 0;
    for (int k = 0; k < columns; ++k) {
      std::vector<Real> entry = midpoint_steps(t, y, length, 2 * (k + 1));
      for (int j = 1; j <= k; ++j) {
        const Real ratio = static_cast<Real>(k + 1) / (k + 1 - j);
        std::vector<Real> better = entry;
        for (std::size_t i = 0; i < y.size(); ++i)
          better[i] += (entry[i] - table[static_cast<std::size_t>(j - 1)][i]) / (ratio * ratio - 1);
        table[static_cast<std::size_t>(j - 1)] = std::exchange(entry, std::move(better));
      }
      if (k == columns - 1) {
        for (std::size_t i = 0; i < y.size(); ++i)
          error = std::max(error,
                           std::fabs(entry[i] - table[static_cast<std::size_t>(k - 1)][i]) / (1 + std::fabs(entry[i])));
      }
      table[static_cast<std::size_t>(k)] = std::move(entry);
    }
    if (finite(table.back()) && error <= tolerance) {
      t += length;
      y = std::move(table.back());
    }
    const double change = error > 0 ? std::pow(static_cast<double>(tolerance / error), 1.0 / (2 * columns - 1)) : 4;
    length *= std::isfinite(change) ? std::clamp(0.8 * change, 0.1, 4.0) : 0.1;
  }
  outcome.reached = !(t < t_end);
  outcome.t = static_cast<double>(t);
  for (std::size_t i = 0; i < n_; ++i) {
    outcome.q.push_back(static_cast<double>(y[i]));
    outcome.v.push_back(static_cast<double>(y[n_ + i]));
  }
  outcome.regularity = regularity_;
  return outcome;
}

}  // namespace cetaev::conformance
