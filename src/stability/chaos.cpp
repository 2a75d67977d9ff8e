#include "cetaev/stability/chaos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "cetaev/formulation/first_order.hpp"
#include "flow.hpp"

namespace cetaev {

namespace {

// Parts of the time after which directions are made orthogonal again, and the growth beyond which that is too seldom: of what a direction is
// made of, eight digits are left.
constexpr double parts = 2000, too_much = 1e8;
// Fewer where each has much to carry, for it takes a step at least; means over parts still want some.
constexpr double least_parts = 200, carried_by_most_parts = 400;
// The beginning, in which directions turn to where they grow, is left out.
constexpr double left_out = 0.1;

// A = Q R, in this order of the columns, into Q; the logarithms of the diagonal of R.
std::vector<double> orthonormalize(DenseMatrix& a) {
  std::vector<double> growth;
  for (std::size_t j = 0; j < a.columns(); ++j) {
    const std::span<double> own = a.column(j);
    // twice is enough
    for (int again = 0; again < 2; ++again) {
      for (std::size_t k = 0; k < j; ++k) {
        const std::span<const double> other = a.column(k);
        const double part = std::inner_product(own.begin(), own.end(), other.begin(), 0.0);
        for (std::size_t i = 0; i < own.size(); ++i) own[i] -= part * other[i];
      }
    }
    const double size = length(own);
    growth.push_back(std::log(size));
    for (double& x : own) x /= size;
  }
  return growth;
}

// How fast volumes of directions on the constraints grow: the trace of Eᵀ A E with A = ∂(v, a)/∂(q, v) and E an orthonormal basis of them.
// Integrated over steps by Gauss's rule.
class Divergence : public Recorder {
 public:
  Divergence(Groundwork& work, const TangentFlow& flow) : flow_(flow), parameters_(parameter_values(work.system())) {
    const AdmissibleState& at = work.initial();
    const FirstOrderSystem form = first_order(work.setting_at(at), at.state, Form::multipliers);
    const FirstOrderSystem::Jacobian jacobian = form.jacobian();
    size_ = jacobian.entries.rows;
    slopes_ = Program(jacobian.entries.entries, form.inputs(), jacobian.systems.blocks);
    run_.emplace(slopes_);
    values_.resize(size_ * size_);
  }

  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
  bool wants_steps() const override { return true; }
  void step(double from, double to, const DenseStep& at) override {
    // of five points on [−1, 1]
    constexpr std::array<double, 5> nodes = {-0.90617984593866399280, -0.53846931010568309104, 0.0,
                                             0.53846931010568309104, 0.90617984593866399280};
    constexpr std::array<double, 5> weights = {0.23692688505618908751, 0.47862867049936646804, 0.56888888888888888889,
                                               0.47862867049936646804, 0.23692688505618908751};
    constexpr int pieces = 4;  // steps of a series are long
    const double half = (to - from) / (2 * pieces);
    for (int piece = 0; piece < pieces; ++piece) {
      const double middle = from + (2 * piece + 1) * half;
      for (std::size_t i = 0; i < nodes.size(); ++i) total_ += half * weights[i] * trace(at(middle + half * nodes[i]));
    }
  }
  double total() const { return total_; }

 private:
  double trace(const MotionPoint& point) {
    const State state{point.t, {point.q.begin(), point.q.end()}, {point.v.begin(), point.v.end()}};
    std::vector<double> inputs = state.q;
    inputs.insert(inputs.end(), state.v.begin(), state.v.end());
    inputs.push_back(state.t);
    inputs.insert(inputs.end(), parameters_.begin(), parameters_.end());
    if ((*run_)(inputs, values_) >= 0) return std::nan("");
    const DenseMatrix E = flow_.tangents(state), A = DenseMatrix::from_rows(values_.data(), size_, size_), AE = A * E;
    return std::inner_product(E.entries().begin(), E.entries().end(), AE.entries().begin(), 0.0);
  }

  const TangentFlow& flow_;
  std::vector<double> parameters_;
  Program slopes_;
  std::optional<Interpreter> run_;
  std::size_t size_ = 0;
  std::vector<double> values_;
  double total_ = 0;
};

// The logarithms of growth, segment after segment.
struct Grown {
  std::vector<double> ends;                 // of the segments
  std::vector<double> divergence;           // the integral up to there
  std::vector<std::vector<double>> growth;  // of each direction

  // Mean rate from a segment on, up to another.
  double rate(std::size_t direction, std::size_t first, std::size_t last, double start) const {
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) sum += growth[i][direction];
    return sum / (ends[last - 1] - (first == 0 ? start : ends[first - 1]));
  }

  // How far the mean rate from a segment on may be from that of a motion without end. What has grown goes up and down beside steady growth, by r
  // from its lowest to its highest: where that has a bound, as that of directions which turn round and round, the mean is off by r over the time at
  // most; where it is a random walk, as in chaos, r is 1.25 standard deviations of where it ends in the mean. Twice that, and what the second half
  // changed, for what grows or decays with the logarithm of time.
  double spread(std::size_t direction, std::size_t first, double start) const {
    const double mean = rate(direction, first, ends.size(), start), begin = first == 0 ? start : ends[first - 1];
    double sum = 0, lowest = 0, highest = 0;
    for (std::size_t i = first; i < ends.size(); ++i) {
      sum += growth[i][direction];
      const double beside = sum - mean * (ends[i] - begin);
      lowest = std::min(lowest, beside);
      highest = std::max(highest, beside);
    }
    const double second_half = rate(direction, first + (ends.size() - first) / 2, ends.size(), start);
    return 2 * (highest - lowest) / (ends.back() - begin) + std::abs(mean - second_half);
  }
};

}  // namespace

LyapunovSpectrum lyapunov(const System& system, const MotionOptions& options) {
  const TangentFlow flow(system, options, {}, TangentFlow::Directions::as_many_as_may_be);
  const Carried carried = flow.carried();
  LyapunovSpectrum result;
  State at = flow.initial();
  const double start = at.t, whole = options.t_end - start;
  if (!(whole > 0))
    throw Error(ErrorCode::bad_model, fmt::format("exponents are of a motion forwards: it begins at t = {:.6g}, and "
                                                  "--t-end has to be later than that, not {:.6g}",
                                                  start, options.t_end));
  const std::size_t m = carried.directions;
  DenseMatrix directions = flow.tangents(at);
  if (m < directions.columns()) {
    // made of all of them: directions of coordinates that move by themselves would stay among these
    DenseMatrix mixed(directions.columns(), m);
    for (std::size_t k = 0; k < m; ++k)
      for (std::size_t i = 0; i < mixed.rows(); ++i)
        mixed(i, k) = std::cos(std::numbers::sqrt2 * static_cast<double>((i + 1) * (k + 1) * (i + 2 * k + 3)));
    directions = directions * mixed;
    (void)orthonormalize(directions);
    result.left_out = fmt::format("the {} smaller ones: with {} coordinates no more than {} directions are carried",
                                  flow.dimension() - m, system->size(), m);
  }

  std::optional<Groundwork> work;
  std::optional<Divergence> divergence;
  if (m == flow.dimension()) {
    try {
      work.emplace(Groundwork::apart(system));
      divergence.emplace(*work, flow);
    } catch (const Error&) {
      divergence.reset();
    }
  }

  Grown grown;
  double segment =
      whole / std::clamp(parts * carried_by_most_parts / static_cast<double>(carried.numbers()), least_parts, parts);
  while (at.t != options.t_end) {
    const double left = options.t_end - at.t;
    const double end = std::abs(left) <= 1.5 * std::abs(segment) ? options.t_end : at.t + segment;
    TangentFlow::Advanced there = flow.advance(at, directions, end, divergence ? &*divergence : nullptr);
    result.steps += there.steps;
    at = there.to;
    const std::vector<double> growth = orthonormalize(there.directions);
    if (!all_finite(growth)) throw Error(ErrorCode::non_finite, "the variations of the motion are not finite");
    directions = std::move(there.directions);
    if (growth.empty() || grown.ends.empty() || at.t != grown.ends.back()) {
      grown.ends.push_back(at.t);
      grown.divergence.push_back(divergence ? divergence->total() : std::nan(""));
      grown.growth.push_back(growth);
    }
    const auto [least, most] = std::minmax_element(growth.begin(), growth.end());
    if (m > 0 && *most - *least > std::log(too_much)) segment /= 2;
    if (there.interrupted) {
      result.interrupted = true;
      break;
    }
    if (carried.is_large() && carried.effort(result.steps) > most_effort && at.t != options.t_end) {
      result.left_out += fmt::format("{}what comes after t = {:.6g}: {} numbers were carried over {} steps",
                                     result.left_out.empty() ? "" : "; ", at.t, carried.numbers(), result.steps);
      break;
    }
  }
  result.t = at.t - start;
  const std::size_t count = grown.ends.size();
  const auto first = static_cast<std::size_t>(
      std::find_if(grown.ends.begin(), grown.ends.end(),
                   [&](double t) { return std::abs(t - start) >= left_out * std::abs(result.t); }) -
      grown.ends.begin());
  struct One {
    double exponent, spread;
  };
  std::vector<One> all;
  const std::size_t from = std::min(first + 1, count - 1);
  for (std::size_t k = 0; k < m; ++k) {
    const One one{grown.rate(k, from, count, start), grown.spread(k, from, start)};
    all.push_back(one);
  }
  std::sort(all.begin(), all.end(), [](const One& a, const One& b) { return a.exponent > b.exponent; });
  for (const One& one : all) {
    result.exponents.push_back(one.exponent);
    result.spread.push_back(one.spread);
    result.sum += one.exponent;
  }
  const bool later = from > 0;
  const double mean = (grown.divergence.back() - (later ? grown.divergence[from - 1] : 0)) /
                      (grown.ends.back() - (later ? grown.ends[from - 1] : start));
  if (std::isfinite(mean)) result.divergence = mean;
  return result;
}

}  // namespace cetaev
