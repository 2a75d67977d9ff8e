#include "series_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace cetaev::conformance {

namespace {

constexpr std::size_t order = 40;
constexpr double log10_tolerance = -30;
// A pivot that is smaller beside the first is that of a row which follows from the others.
constexpr double smallest_pivot = 1e-25;
// Steps, and times the length of the tape: half a minute. Towards a singularity it takes some hundred; motions that spiral into a set take thousands.
constexpr std::size_t most_steps = 400, most_work = 1000000;
// A step is this part of the radius of convergence, or nearly so: what it leaves out falls with the order.
const double part_of_radius = std::pow(10, log10_tolerance / static_cast<double>(order));
// Steps shorter than this are those towards a singularity that is no further away than some of them.
constexpr double shortest_step = 1e-13;

Ball exact(long value) {
  Ball result;
  result.set(value);
  return result;
}

Ball function_of(Function f, const Ball& x) {
  Ball result;
  result.set_function(f, x, Ball::working_bits);
  return result;
}

}  // namespace

SeriesMotion::SeriesMotion(const System& system, const Terms& terms)
    : n_(system->size()), k_(terms.constraints.size()), given_(state_symbols(system).size()) {
  for (const Expr symbol : state_symbols(system)) places_.emplace(symbol.node(), add({Rule::given, {}}));
  std::vector<Expr> outputs = terms.mass.entries;
  outputs.insert(outputs.end(), terms.bias.begin(), terms.bias.end());
  outputs.insert(outputs.end(), terms.constraints.jacobian.entries.begin(), terms.constraints.jacobian.entries.end());
  outputs.insert(outputs.end(), terms.constraints.bias.begin(), terms.constraints.bias.end());
  for (const Expr e : topological(outputs)) record(e);
  for (const Expr e : outputs) outputs_.push_back(places_.at(e.node()));
}

SeriesMotion::Place SeriesMotion::add(Step step) {
  tape_.push_back(std::move(step));
  return tape_.size() - 1;
}

SeriesMotion::Place SeriesMotion::plus(const Rational& constant, Place u, const Rational& factor) {
  return add({Rule::sum, {u}, {Ball(constant, Ball::working_bits), Ball(factor, Ball::working_bits)}});
}

// Whole powers by products: what is raised may vanish.
SeriesMotion::Place SeriesMotion::power(Place u, const Rational& exponent) {
  if (!exponent.is_integer()) return add({Rule::power, {u}, {}, exponent});
  if (exponent.sign() < 0) return add({Rule::power, {power(u, -exponent)}, {}, Rational(-1)});
  Place result = u;
  for (Rational n(1); n < exponent; n = n + Rational(1)) result = times(result, u);
  return result;
}

SeriesMotion::Place SeriesMotion::record_function(Function f, Place u) {
  const Place own = add({Rule::integral, {u, 0}, {}, {}, f});
  const Place square = times(u, u);
  const auto derivative = [&]() -> Place {
    switch (f) {
      case Function::exp: return own;
      case Function::log: return power(u, Rational(-1));
      case Function::tan: return plus(Rational(1), times(own, own), Rational(1));
      case Function::tanh: return plus(Rational(1), times(own, own), Rational(-1));
      case Function::asin: return power(plus(Rational(1), square, Rational(-1)), Rational(-1, 2));
      case Function::acos:
        return plus(Rational(0), power(plus(Rational(1), square, Rational(-1)), Rational(-1, 2)), Rational(-1));
      case Function::atan: return power(plus(Rational(1), square, Rational(1)), Rational(-1));
      case Function::asinh: return power(plus(Rational(1), square, Rational(1)), Rational(-1, 2));
      case Function::acosh: return power(plus(Rational(-1), square, Rational(1)), Rational(-1, 2));
      case Function::atanh: return power(plus(Rational(1), square, Rational(-1)), Rational(-1));
      default: break;
    }
    // each is the other's derivative
    const bool round = f == Function::sin || f == Function::cos;
    const Function other = f == Function::sin    ? Function::cos
                           : f == Function::cos  ? Function::sin
                           : f == Function::sinh ? Function::cosh
                           : f == Function::cosh ? Function::sinh
                                                 : throw std::runtime_error("no series of this function");
    const Place beside = add({Rule::integral, {u, 0}, {}, {}, other});
    const Place minus_own = plus(Rational(0), own, Rational(-1)),
                minus_beside = plus(Rational(0), beside, Rational(-1));
    tape_[beside].of[1] = round && f == Function::sin ? minus_own : own;
    return round && f == Function::cos ? minus_beside : beside;
  };
  const Place g = derivative();
  tape_[own].of[1] = g;
  return own;
}

SeriesMotion::Place SeriesMotion::record(Expr e) {
  if (const auto known = places_.find(e.node()); known != places_.end()) return known->second;
  const auto constant = [&](Ball value) { return add({Rule::sum, {}, {std::move(value)}}); };
  const auto made = [&]() -> Place {
    switch (e.kind()) {
      case Kind::number: return constant(Ball(e.number(), Ball::working_bits));
      case Kind::pi: {
        Ball pi;
        pi.set_pi(Ball::working_bits);
        return constant(pi);
      }
      case Kind::sum: {
        Step sum{Rule::sum, {}, {Ball(e.constant(), Ball::working_bits)}};
        for (std::size_t i = 0; i < e.size(); ++i) {
          sum.of.push_back(record(e.term(i)));
          sum.weights.emplace_back(e.coefficient(i), Ball::working_bits);
        }
        return add(std::move(sum));
      }
      case Kind::product: {
        Place result = power(record(e.base(0)), e.exponent(0));
        for (std::size_t i = 1; i < e.size(); ++i) result = times(result, power(record(e.base(i)), e.exponent(i)));
        return result;
      }
      case Kind::power:
        return record_function(Function::exp,
                               times(record_function(Function::log, record(e.operands()[0])), record(e.operands()[1])));
      case Kind::function: break;
      default: throw std::runtime_error("no series of a symbol that is not given");
    }
    const Place u = record(e.operands()[0]);
    if (e.function() == Function::abs) return power(power(u, Rational(2)), Rational(1, 2));
    if (e.function() != Function::atan2) return record_function(e.function(), u);
    // (x y' − y x')/(x² + y²)
    const Place x = record(e.operands()[1]);
    const Place inverse = power(
        add({Rule::sum, {power(u, Rational(2)), power(x, Rational(2))}, {exact(0), exact(1), exact(1)}}), Rational(-1));
    const Place first = add({Rule::integral, {u, times(x, inverse), u, x}, {}, {}, Function::atan2, true});
    Step second{Rule::integral, {x, times(u, inverse)}, {}, {}, Function::atan2};
    return add({Rule::sum, {first, add(std::move(second))}, {exact(0), exact(1), exact(-1)}});
  };
  const Place place = made();
  places_.emplace(e.node(), place);
  return place;
}

Ball SeriesMotion::coefficient(const Step& step, std::size_t at, std::size_t k) const {
  Ball sum;
  const auto long_of = [](std::size_t i) { return static_cast<long>(i); };
  switch (step.rule) {
    case Rule::given: return values_[at][k];
    case Rule::sum:
      if (k == 0) sum = step.weights[0];
      for (std::size_t i = 0; i < step.of.size(); ++i) sum += step.weights[i + 1] * values_[step.of[i]][k];
      return sum;
    case Rule::product:
      sum.add_convolution(values_[step.of[0]].data(), values_[step.of[1]].data(), k + 1, Ball::working_bits);
      return sum;
    case Rule::power: {
      // k u₀ fₖ = Σ (r j − (k − j)) uⱼ fₖ₋ⱼ
      const Series &u = values_[step.of[0]], &f = values_[at];
      if (k == 0) {
        sum.set_power(u[0], step.exponent, Ball::working_bits);
        return sum;
      }
      Ball plain;
      sum.add_convolution(slopes_[step.of[0]].data() + 1, f.data(), k, Ball::working_bits);
      plain.add_convolution(u.data() + 1, f.data(), k, Ball::working_bits);
      const Ball order_of_term = exact(long_of(k));
      return (Ball(step.exponent + Rational(1), Ball::working_bits) * sum - order_of_term * plain) /
             (u[0] * order_of_term);
    }
    case Rule::integral: {
      const Series &u = values_[step.of[0]], &g = values_[step.of[1]];
      if (k == 0 && step.function == Function::atan2) {
        if (step.of_two)
          sum.set_function(Function::atan2, values_[step.of[2]][0], values_[step.of[3]][0], Ball::working_bits);
        return sum;
      }
      if (k == 0) return function_of(step.function, u[0]);
      sum.add_convolution(slopes_[step.of[0]].data() + 1, g.data(), k, Ball::working_bits);
      return sum / exact(long_of(k));
    }
  }
  return sum;
}

// The matrix [H −Jᵀ; J 0], the rows of H of equal size and those of J by their largest entry, with complete pivoting: of rows that say the same that one is
// taken which is furthest from zero, and not one that vanishes within the step.
bool SeriesMotion::factorize() {
  const std::size_t size = n_ + k_;
  const auto entry = [&](std::size_t i, std::size_t j) -> Ball {
    const std::size_t J = n_ * n_ + n_;
    if (i < n_ && j < n_) return values_[outputs_[i * n_ + j]][0];
    if (i >= n_ && j < n_) return values_[outputs_[J + (i - n_) * n_ + j]][0];
    if (i < n_) return -values_[outputs_[J + (j - n_) * n_ + i]][0];
    return {};
  };
  lu_.assign(size, std::vector<Ball>(size));
  scales_.assign(size, exact(1));
  rows_.resize(size);
  std::iota(rows_.begin(), rows_.end(), 0);
  columns_ = rows_;
  std::vector<double> largest(n_ + 1);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      lu_[i][j] = entry(i, j).center();
      if (!lu_[i][j].is_finite()) return false;
      double& so_far = largest[std::min(i, n_)];
      so_far = std::max(so_far, std::fabs(lu_[i][j].midpoint()));
    }
  for (std::size_t i = 0; i < size; ++i) {
    if (const double of_row = largest[std::min(i, n_)]; of_row > 0) scales_[i] = exact(1) / Ball::from_double(of_row);
    for (Ball& value : lu_[i]) value = (value * scales_[i]).center();
  }
  double first = 0, last = 0;
  for (rank_ = 0; rank_ < size; ++rank_) {
    std::size_t row = rank_, column = rank_;
    const auto pivot = [&](std::size_t i, std::size_t j) { return std::fabs(lu_[rows_[i]][columns_[j]].midpoint()); };
    for (std::size_t i = rank_; i < size; ++i)
      for (std::size_t j = rank_; j < size; ++j)
        if (pivot(i, j) > pivot(row, column)) row = i, column = j;
    if (rank_ == 0) first = pivot(row, column);
    if (!(pivot(row, column) > smallest_pivot * first)) break;
    last = pivot(row, column);
    std::swap(rows_[rank_], rows_[row]);
    std::swap(columns_[rank_], columns_[column]);
    const std::vector<Ball>& own = lu_[rows_[rank_]];
    for (std::size_t i = rank_ + 1; i < size; ++i) {
      std::vector<Ball>& other = lu_[rows_[i]];
      const Ball factor = (other[columns_[rank_]] / own[columns_[rank_]]).center();
      other[columns_[rank_]] = factor;
      for (std::size_t j = rank_ + 1; j < size; ++j)
        other[columns_[j]] = (other[columns_[j]] - factor * own[columns_[j]]).center();
    }
  }
  last_regularity_ = first > 0 ? last / first : 0;
  regularity_ = std::min(regularity_, last_regularity_);
  return true;
}

// Zero where nothing determines it.
std::vector<Ball> SeriesMotion::solve(std::vector<Ball> right) const {
  const std::size_t size = n_ + k_;
  for (std::size_t i = 0; i < size; ++i) right[i] = right[i] * scales_[i];
  for (std::size_t i = 0; i < rank_; ++i)
    for (std::size_t j = i + 1; j < size; ++j) right[rows_[j]] -= lu_[rows_[j]][columns_[i]] * right[rows_[i]];
  std::vector<Ball> x(size);
  for (std::size_t i = rank_; i-- > 0;) {
    Ball sum = right[rows_[i]];
    for (std::size_t j = i + 1; j < rank_; ++j) sum -= lu_[rows_[i]][columns_[j]] * x[columns_[j]];
    x[columns_[i]] = (sum / lu_[rows_[i]][columns_[i]]).center();
  }
  return x;
}

void SeriesMotion::add_term(std::size_t at, std::size_t k) {
  if (tape_[at].rule != Rule::given) {
    values_[at].emplace_back();
    values_[at][k] = coefficient(tape_[at], at, k);
  }
  slopes_[at].push_back(exact(static_cast<long>(k)) * values_[at][k]);
}

SeriesMotion::Outcome SeriesMotion::run(std::span<const Ball> from, double t_end) {
  const std::size_t size = n_ + k_, J = n_ * n_ + n_, c = J + k_ * n_;
  regularity_ = 1;
  std::vector<Ball> y(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(2 * n_));
  Ball t = from[2 * n_];
  Outcome outcome;
  const auto begin_series = [&] {
    values_.assign(tape_.size(), {});
    slopes_.assign(tape_.size(), {});
    for (std::size_t i = 0; i < 2 * n_; ++i) values_[i].assign(1, y[i]);
    for (std::size_t i = 2 * n_; i < given_; ++i) {
      values_[i] = Series(order + 2);
      values_[i][0] = from[i];
    }
    values_[2 * n_][0] = t;
    values_[2 * n_][1] = exact(1);
  };
  for (std::size_t step = 0; step < most_steps && step * tape_.size() < most_work && !outcome.reached; ++step) {
    begin_series();
    std::vector<Series> x(size);  // a, λ
    bool good = true;
    for (std::size_t k = 0; k <= order && good; ++k) {
      for (std::size_t at = 0; at < tape_.size(); ++at) add_term(at, k);
      if (k == 0) good = factorize();
      if (!good) break;
      const auto of = [&](std::size_t output) -> const Series& { return values_[outputs_[output]]; };
      // Σ uₘ xₖ₋ₘ from m = 1 on
      const auto known = [&](std::size_t output, std::size_t unknown) {
        Ball sum;
        if (k > 0) sum.add_convolution(of(output).data() + 1, x[unknown].data(), k, Ball::working_bits);
        return sum;
      };
      std::vector<Ball> right(size);
      for (std::size_t i = 0; i < n_; ++i) {
        right[i] = of(n_ * n_ + i)[k];
        for (std::size_t j = 0; j < n_; ++j) right[i] -= known(i * n_ + j, j);
        for (std::size_t r = 0; r < k_; ++r) right[i] += known(J + r * n_ + i, n_ + r);
      }
      for (std::size_t r = 0; r < k_; ++r) {
        right[n_ + r] = of(c + r)[k];
        for (std::size_t j = 0; j < n_; ++j) right[n_ + r] -= known(J + r * n_ + j, j);
      }
      const std::vector<Ball> term = solve(std::move(right));
      for (std::size_t i = 0; i < size; ++i) x[i].push_back(term[i]);
      for (std::size_t i = 0; i < n_; ++i) {
        good = good && term[i].is_finite();
        values_[i].push_back(values_[n_ + i][k] / exact(static_cast<long>(k) + 1));
        values_[n_ + i].push_back(term[i] / exact(static_cast<long>(k) + 1));
      }
    }
    // the last terms are below the tolerance
    double log10_h = 10;
    for (std::size_t i = 0; good && i < 2 * n_; ++i)
      for (const std::size_t k : {order, order - 1}) {
        const double room = log10_tolerance + std::log10(1 + std::fabs(y[i].midpoint()));
        log10_h = std::min(log10_h, (room - values_[i][k].magnitude_log10()) / static_cast<double>(k));
      }
    const double h = good ? std::pow(10, log10_h) : 0, left = (Ball::from_double(t_end) - t).midpoint();
    if (!(h > shortest_step)) {
      outcome.singular_at = t.midpoint() + h / part_of_radius;
      break;
    }
    outcome.reached = h >= left;
    const Ball length = outcome.reached ? Ball::from_double(t_end) - t : Ball::from_double(h);
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      Ball sum = values_[i][order];
      for (std::size_t k = order; k-- > 0;) sum = sum * length + values_[i][k];
      y[i] = sum.center();
    }
    t = (t + length).center();
  }
  begin_series();
  for (std::size_t at = 0; at < tape_.size(); ++at) add_term(at, 0);
  if (!factorize()) last_regularity_ = 0;
  outcome.last_regularity = last_regularity_;
  outcome.t = t.midpoint();
  for (std::size_t i = 0; i < n_; ++i) {
    outcome.q.push_back(y[i].midpoint());
    outcome.v.push_back(y[n_ + i].midpoint());
  }
  outcome.regularity = regularity_;
  return outcome;
}

}  // namespace cetaev::conformance
