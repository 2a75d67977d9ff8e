// What is seen along a motion.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "cetaev/detail/numeric/bisection.hpp"
#include "cetaev/error.hpp"
#include "observables.hpp"

namespace cetaev::ensemble {

namespace {

constexpr double nothing_seen = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding = std::numeric_limits<double>::epsilon();

// So much of its largest value on the way is nothing: motions are known to no more digits.
constexpr double nothing_beside = 1e-10;
// Of a step: what touches zero is nothing beside its largest value there, and so much nearer it drowns in rounding.
constexpr double nearest = 1e-4;

constexpr int deepest = 12;  // halvings of a step

using Seen = Observables::One::Kind;

// Chebyshev's nodes cos(jπ/16), j = 0 … 16, from the end of a piece to its beginning, with the weights of C. W. Clenshaw and
// A. R. Curtis (1960), those of barycentric interpolation, and the way from the even nodes to the odd ones.
constexpr std::size_t intervals = 16, nodes = intervals + 1;
struct NodeTables {
  std::array<double, nodes> x{}, weight{}, barycentric{};
  std::array<std::array<double, intervals / 2 + 1>, intervals / 2> odd{};

  NodeTables() {
    constexpr double pi = std::numbers::pi;
    constexpr int n = intervals;
    for (int j = 0; j <= n; ++j) {
      x[j] = 2 * j == n ? 0 : std::cos(j * pi / n);
      barycentric[j] = (j % 2 ? -1.0 : 1.0) * (j == 0 || j == n ? 0.5 : 1.0);
      // ∫ of the interpolant over [−1, 1]: w_j = c_j/n (1 − Σ b_k cos(2kjπ/n)/(4k² − 1)), c = 1 at the ends, else 2
      double sum = 1;
      for (int k = 1; k <= n / 2; ++k)
        sum -= (2 * k == n ? 1.0 : 2.0) * std::cos(2 * k * j * pi / n) / (4.0 * k * k - 1);
      weight[j] = (j == 0 || j == n ? 1.0 : 2.0) / n * sum;
    }
    for (int j = 0; j < n / 2; ++j) {
      double below = 0;
      for (int k = 0; k <= n / 2; ++k) {
        odd[j][k] = (k % 2 ? -1.0 : 1.0) * (k == 0 || 2 * k == n ? 0.5 : 1.0) / (x[2 * j + 1] - x[2 * k]);
        below += odd[j][k];
      }
      for (double& value : odd[j]) value /= below;
    }
  }
};
const NodeTables& tables() {
  static const NodeTables all;
  return all;
}

// The polynomial through values at the nodes.
double interpolated(const std::array<double, nodes>& values, double x) {
  double above = 0, below = 0;
  for (std::size_t j = 0; j < nodes; ++j) {
    const double away = x - tables().x[j];
    if (away == 0) return values[j];
    const double w = tables().barycentric[j] / away;
    above += w * values[j];
    below += w;
  }
  return above / below;
}

// Where the polynomial is largest between two places, by J. Kiefer's golden section: its value is then as good as it can be.
double place_of_maximum(const std::array<double, nodes>& values, double low, double high) {
  constexpr double share = 0.6180339887498949;
  double a = high - share * (high - low), b = low + share * (high - low);
  double at_a = interpolated(values, a), at_b = interpolated(values, b);
  for (int i = 0; i < 45 && high - low > 1e-9; ++i) {
    if (at_a > at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - share * (high - low);
      at_a = interpolated(values, a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + share * (high - low);
      at_b = interpolated(values, b);
    }
  }
  return at_a > at_b ? a : b;
}

int sign_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

}  // namespace

void ObservedMotion::begin(std::span<const double> parameters) {
  parameters_ = parameters;
  seen_.assign(of_->list().size(), nothing_seen);
  for (std::size_t i = 0; i < seen_.size(); ++i)
    if (of_->list()[i].kind == Seen::mean) seen_[i] = 0;
  const std::size_t expressions = of_->program().output_count();
  at_node_.resize(nodes * expressions);
  there_.resize(nodes);
  largest_.assign(expressions, 0);
  last_value_.assign(expressions, nothing_seen);
  lost_.assign(expressions, false);
  moved_ = false;
}

void ObservedMotion::event(std::size_t number, const MotionPoint& point) {
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Observables::One& one = of_->list()[i];
    if (one.event != number || !std::isnan(seen_[i])) continue;
    if (one.kind == Seen::time) seen_[i] = point.t;
    if (one.kind == Seen::at_event) seen_[i] = values_->at(point.t, point.q, point.v, parameters_)[one.expression];
  }
}

void ObservedMotion::step(double from, double to, const DenseStep& at) {
  constexpr std::size_t most_pieces = 20'000;  // of a step; more have only functions that turn without end
  if (from == to) return;
  if (!moved_) begin_ = from;
  moved_ = true;
  end_ = to;
  step_ = {from, to};
  pieces_left_ = most_pieces;
  look_into(step_, at, 0);
}

void ObservedMotion::look(double t, const DenseStep& at, std::size_t node) {
  const std::size_t width = of_->program().output_count();
  double* const into = at_node_.data() + node * width;
  try {
    const MotionPoint& point = at(t);
    const std::span<const double> values = values_->at(point.t, point.q, point.v, parameters_);
    std::copy(values.begin(), values.end(), into);
    for (std::size_t i = 0; i < width; ++i) largest_[i] = std::fmax(largest_[i], std::abs(into[i]));
    there_[node] = true;
  } catch (const Error&) {  // the last state before a singular set may have no values
    std::fill(into, into + width, nothing_seen);
    there_[node] = false;
  }
}

double ObservedMotion::value_at(double t, const DenseStep& at, std::size_t expression) {
  try {
    const MotionPoint& point = at(t);
    return values_->of(expression, point.t, point.q, point.v, parameters_);
  } catch (const Error&) {
    return nothing_seen;
  }
}

// Is the polynomial through the even nodes right at the odd ones, to the root of what is wanted? With twice as many nodes the error is
// squared. No better than the times of the nodes are known: before an escape a motion changes by more than that between two doubles.
bool ObservedMotion::resolved(std::size_t expression, Piece piece) const {
  constexpr double close = 1e-7;
  double size = 0;
  for (std::size_t i = 0; i < nodes; ++i) size = std::max(size, std::abs(node(i, expression)));
  double steepest = 0;
  for (std::size_t i = 1; i < nodes; ++i)
    steepest = std::max(steepest,
                        std::abs(node(i, expression) - node(i - 1, expression)) / (tables().x[i - 1] - tables().x[i]));
  const double rounded = rounding * std::max(std::abs(piece.from), std::abs(piece.to));
  const double allowed = close * size + steepest * rounded / std::abs(piece.half());
  for (std::size_t j = 0; j < intervals / 2; ++j) {
    double sum = 0;
    for (std::size_t k = 0; k <= intervals / 2; ++k) sum += tables().odd[j][k] * node(2 * k, expression);
    if (!(std::abs(sum - node(2 * j + 1, expression)) <= allowed)) return false;
  }
  return true;
}

void ObservedMotion::look_into(Piece piece, const DenseStep& at, int depth) {
  for (std::optional<Piece> rest = piece; rest;) rest = look_into_first(*rest, at, depth);
}

// Into a piece or what comes first of it; returns the rest.
std::optional<ObservedMotion::Piece> ObservedMotion::look_into_first(Piece piece, const DenseStep& at, int& depth) {
  const double middle = piece.middle();
  for (std::size_t i = 0; i < nodes; ++i)
    look(i == 0 ? piece.to : i == intervals ? piece.from : middle + tables().x[i] * piece.half(), at, i);
  look_for_values();
  for (const std::size_t mark : of_->marks()) {
    for (const std::size_t end : {std::size_t{0}, intervals})
      if (std::abs(node(end, mark)) <= nothing_beside * largest_[mark])
        look_for_poles(mark, end == 0 ? piece.to : piece.from, end == 0 ? piece.to : piece.from,
                       nearest * std::abs(step_.half()), 10, at);
  }
  const bool last = depth == deepest || middle == piece.from || middle == piece.to || pieces_left_ == 0;
  if (pieces_left_ > 0) --pieces_left_;
  if (!last) {
    if (const std::optional<double> reached = divided(piece, at, depth)) {
      if (*reached == piece.to) return std::nullopt;
      return Piece{*reached, piece.to};
    }
  }
  bool fine = true;
  for (const Observables::Watched& one : of_->watched())
    fine = fine && (lost_[one.expression] || resolved(one.expression, piece));
  // what has no value at a node says nothing of where it vanishes
  for (const std::size_t mark : of_->marks()) {
    bool whole = true;
    for (std::size_t i = 0; i < nodes; ++i) whole = whole && !std::isnan(node(i, mark));
    fine = fine && (!whole || resolved(mark, piece));
  }
  if (fine || last) {
    take(piece, at);
    return std::nullopt;
  }
  ++depth;
  look_into({piece.from, middle}, at, depth);
  return Piece{middle, piece.to};
}

// An expression without a value at a node is lost, but where a root or the like has run out by no more than rounding.
void ObservedMotion::look_for_values() {
  for (const Observables::Watched& one : of_->watched()) {
    for (std::size_t i = 0; i < nodes && !lost_[one.expression]; ++i) {
      if (!there_[i] || !std::isnan(node(i, one.expression))) continue;
      const auto nearly = [&](std::size_t e) { return std::abs(node(i, e)) <= nothing_beside * largest_[e]; };
      lost_[one.expression] = std::none_of(one.margins.begin(), one.margins.end(), nearly) &&
                              std::none_of(one.poles.begin(), one.poles.end(), nearly);
    }
  }
}

// How far has it been looked into, where something divides it?
std::optional<double> ObservedMotion::divided(Piece piece, const DenseStep& at, int depth) {
  for (const std::size_t mark : of_->marks())
    if (const auto reached = divided_at_zero(piece, at, depth, mark)) return reached;
  for (const std::size_t mark : of_->marks())
    if (const auto reached = divided_at_least(piece, at, depth, mark)) return reached;
  return std::nullopt;
}

// Between the last time at which the mark has the one sign and the first at which it has the other. Where it only touches zero, signs are those of
// rounding.
std::optional<double> ObservedMotion::divided_at_zero(Piece piece, const DenseStep& at, int depth, std::size_t mark) {
  std::size_t first = nodes;  // the node before, with a sign
  for (std::size_t i = nodes; i-- > 0;) {
    const int sign = sign_of(node(i, mark));
    if (!(std::abs(node(i, mark)) > nothing_beside * largest_[mark])) continue;
    if (first == nodes || sign == sign_of(node(first, mark))) {
      first = i;
      continue;
    }
    const int before = -sign;
    const auto time = [&](std::size_t k) { return k == 0 ? piece.to : piece.middle() + tables().x[k] * piece.half(); };
    const double low = first == intervals ? piece.from : time(first), high = time(i);
    const double edge = first_beyond(low, high, [&](double t) { return sign_of(value_at(t, at, mark)) != before; });
    const double last = std::nextafter(edge, low);
    const double next = first_beyond(last, high, [&](double t) { return sign_of(value_at(t, at, mark)) == -before; });
    // as near as times are told apart, and where the sign is that of rounding alone as far as values are
    look_for_poles(mark, last, next, 256 * rounding * std::max(std::abs(step_.from), std::abs(step_.to)), 16, at);
    look_for_poles(mark, last, next, nearest * std::abs(step_.half()), 10, at);
    if (last != piece.from) look_into({piece.from, last}, at, depth);
    // longer than rounding where the mark touches zero, and others go on
    if (std::abs(next - last) > 16 * rounding * std::abs(next)) look_into({last, next}, at, deepest);
    return next;
  }
  return std::nullopt;
}

// Where the mark comes near to zero and goes away again.
std::optional<double> ObservedMotion::divided_at_least(Piece piece, const DenseStep& at, int depth, std::size_t mark) {
  constexpr double near =
      1e-3;  // of the least value at a node: below it the nodes are too far apart to see what happens
  for (std::size_t i = 1; i < intervals; ++i) {
    const int sign = sign_of(node(i, mark));
    // what is nothing is no nearer elsewhere
    if (!(std::abs(node(i, mark)) > nothing_beside * largest_[mark]) ||
        !(std::abs(node(i, mark)) <= std::abs(node(i - 1, mark))) ||
        !(std::abs(node(i, mark)) <= std::abs(node(i + 1, mark))))
      continue;
    std::array<double, nodes> values;
    for (std::size_t k = 0; k < nodes; ++k) values[k] = -sign * node(k, mark);
    const double x = place_of_maximum(values, tables().x[i + 1], tables().x[i - 1]);
    if (!(-interpolated(values, x) < near * std::abs(node(i, mark)))) continue;
    const double t = piece.middle() + x * piece.half();
    const double least = sign * value_at(t, at, mark);
    if (!(least < near * std::abs(node(i, mark))) || t == piece.from || t == piece.to) continue;
    if (least <= nothing_beside * largest_[mark] && least >= -nothing_beside * largest_[mark])
      look_for_poles(mark, t, t, nearest * std::abs(step_.half()), 10, at);
    look_into({piece.from, t}, at, depth + 1);
    return t;
  }
  return std::nullopt;
}

void ObservedMotion::look_for_poles(std::size_t mark, double before, double after, double away, double share,
                                    const DenseStep& at) {
  const double forward = step_.to > step_.from ? 1 : -1;
  for (const Observables::Watched& one : of_->watched()) {
    if (std::find(one.poles.begin(), one.poles.end(), mark) == one.poles.end() || lost_[one.expression]) continue;
    lost_[one.expression] = grows(one.expression, before, -forward * away, share, at) ||
                            grows(one.expression, after, forward * away, share, at);
  }
}

// At three distances, each so many times less than the one before it: without bound?
bool ObservedMotion::grows(std::size_t expression, double from, double away, double share, const DenseStep& at) {
  constexpr double enough = 1.5;  // of 1/⁴√u it is 2 and 1.8
  constexpr double seen =
      1e-3;  // of a logarithm that falls on and on; of what comes to rest the second difference is a tenth of the first
  std::array<double, 3> sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double t = from + away * std::pow(share, static_cast<double>(sizes.size() - 1 - i));
    if (t < std::min(step_.from, step_.to) || t > std::max(step_.from, step_.to)) return false;
    sizes[i] = std::abs(value_at(t, at, expression));
  }
  const double first = sizes[1] - sizes[0], second = sizes[2] - sizes[1];
  return (sizes[1] > enough * sizes[0] && sizes[2] > enough * sizes[1]) ||
         (first > seen * sizes[2] && second > first / 2);
}

void ObservedMotion::raise(std::size_t observable, double value, double sign) {
  double& best = seen_[observable];
  if (std::isnan(best) || sign * value > sign * best) best = value;
}

void ObservedMotion::take(Piece piece, const DenseStep& at) {
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Observables::One& one = of_->list()[i];
    if (!one.along() || lost_[one.expression]) continue;
    std::array<double, nodes> values;
    const double sign = one.kind == Seen::minimum ? -1 : 1;
    for (std::size_t k = 0; k < nodes; ++k) values[k] = sign * node(k, one.expression);
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
      take_what_there_is(i, piece);
      continue;
    }
    if (one.kind == Seen::mean) {
      double sum = 0;
      for (std::size_t k = 0; k < nodes; ++k) sum += tables().weight[k] * values[k];
      seen_[i] += piece.half() * sum;
      continue;
    }
    for (std::size_t k = 0; k < nodes; ++k) raise(i, sign * values[k], sign);
    for (std::size_t k = 0; k < nodes; ++k) {
      const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k + 1, intervals);
      if (!(values[k] >= values[before] && values[k] >= values[after])) continue;
      // beside an end it rises by no more than it has changed from the next node
      const bool end = k == before || k == after;
      if (end && !(3 * values[k] - values[before] - values[after] > sign * seen_[i])) continue;
      const double x = place_of_maximum(values, tables().x[after], tables().x[before]);
      // a polynomial that is constant but for rounding has no maximum worth going to
      if (!(interpolated(values, x) > values[k]) || !(interpolated(values, x) > sign * seen_[i])) continue;
      raise(i, value_at(piece.middle() + x * piece.half(), at, one.expression), sign);
    }
  }
  for (const Observables::Watched& one : of_->watched()) {
    for (std::size_t k = nodes; k-- > 0;)
      if (!std::isnan(node(k, one.expression))) last_value_[one.expression] = node(k, one.expression);
  }
}

// Where an expression has no value at some node: a root or the like has run out by rounding, and the value beside it serves.
void ObservedMotion::take_what_there_is(std::size_t observable, Piece piece) {
  const Observables::One& one = of_->list()[observable];
  const auto beside = [&](std::size_t k) {
    for (std::size_t away = 0; away < nodes; ++away) {
      if (k >= away && !std::isnan(node(k - away, one.expression))) return node(k - away, one.expression);
      if (k + away < nodes && !std::isnan(node(k + away, one.expression))) return node(k + away, one.expression);
    }
    return last_value_[one.expression];
  };
  for (std::size_t k = 0; k < nodes; ++k) {
    const double value = beside(k);
    if (std::isnan(value)) continue;
    if (one.kind == Seen::mean) {
      seen_[observable] += tables().weight[k] * piece.half() * value;
    } else {
      raise(observable, value, one.kind == Seen::minimum ? -1 : 1);
    }
  }
}

void ObservedMotion::finish(const State& last, std::span<double> outputs) {
  const std::span<const double> at_end = values_->at(last.t, last.q, last.v, parameters_);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Observables::One& one = of_->list()[i];
    outputs[i] = one.kind == Seen::end ? at_end[one.expression] : seen_[i];
    if (!one.along()) continue;
    if (!moved_) outputs[i] = at_end[one.expression];
    if (moved_ && one.kind == Seen::mean) outputs[i] = seen_[i] / (end_ - begin_);
    if (moved_ && lost_[one.expression]) outputs[i] = nothing_seen;
    if (!std::isfinite(outputs[i])) outputs[i] = nothing_seen;
  }
}

}  // namespace cetaev::ensemble
