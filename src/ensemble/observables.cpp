#include "observables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/text/closest.hpp"
#include "cetaev/detail/text/utf8.hpp"
#include "cetaev/error.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev::ensemble {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using Seen = Observables::One::Kind;

// One --observe, with the places of what is wrong in it.
class ObserveText {
 public:
  ObserveText(const System& scratch, const std::string& text) : system_(scratch), text_(text) {}

  [[noreturn]] void fail(ErrorCode code, std::size_t offset, const std::string& why,
                         const std::string& suggestion = {}) const {
    Error error(code, why);
    error.at({"--observe", 1, text::character_count(std::string_view(text_).substr(0, offset)) + 1, text_});
    if (!suggestion.empty()) error.suggest(suggestion);
    throw error;
  }

  struct Read {
    Seen kind = Seen::end;
    std::optional<Expr> expression;
    std::size_t event = 0;
  };

  Read read() const {
    const auto [word, inside] = call();
    if (word == "max") return {Seen::maximum, expression(inside), 0};
    if (word == "min") return {Seen::minimum, expression(inside), 0};
    if (word == "mean") return {Seen::mean, expression(inside), 0};
    if (word == "time") return {Seen::time, std::nullopt, event(inside)};
    if (word == "at") {
      const std::size_t comma = last_comma(inside);
      if (comma == std::string::npos)
        fail(ErrorCode::bad_model, inside.begin, "what is seen at an event is written at(EXPRESSION, EVENT)");
      return {Seen::at_event, expression({inside.begin, comma}), event({comma + 1, inside.end})};
    }
    return {Seen::end, expression({0, text_.size()}), 0};
  }

 private:
  struct Piece {
    std::size_t begin = 0, end = 0;
  };

  Piece trimmed(Piece piece) const {
    while (piece.begin < piece.end && text_[piece.begin] == ' ') ++piece.begin;
    while (piece.begin < piece.end && text_[piece.end - 1] == ' ') --piece.end;
    return piece;
  }
  std::string str(Piece piece) const { return text_.substr(piece.begin, piece.end - piece.begin); }

  // WORD( … ) as a whole, or no word.
  std::pair<std::string, Piece> call() const {
    const Piece all = trimmed({0, text_.size()});
    std::size_t open = all.begin;
    while (open < all.end && std::isalpha(static_cast<unsigned char>(text_[open]))) ++open;
    if (open == all.begin || open == all.end || text_[open] != '(' || text_[all.end - 1] != ')') return {};
    int depth = 0;
    for (std::size_t i = open; i + 1 < all.end; ++i) {
      if (text_[i] == '(') ++depth;
      if (text_[i] == ')' && --depth == 0) return {};
    }
    return {str({all.begin, open}), {open + 1, all.end - 1}};
  }

  std::size_t last_comma(Piece piece) const {
    const std::size_t at = text_.rfind(',', piece.end);
    return at == std::string::npos || at < piece.begin ? std::string::npos : at;
  }

  std::size_t event(Piece piece) const {
    piece = trimmed(piece);
    std::vector<std::string> names;
    for (const Event& one : system_->events) names.push_back(one.name);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == str(piece)) return i;
    fail(ErrorCode::unknown_name, piece.begin,
         fmt::format("the model has no event '{}'{}", str(piece), names.empty() ? ": it has no [events] at all" : ""),
         text::closest(str(piece), names));
  }

  // An output of the model, or a component of one, by its name.
  std::optional<Expr> output(const std::string& name) const {
    for (const Output& one : system_->outputs) {
      for (std::size_t c = 0; c < one.components.size(); ++c)
        if (one.column(c) == name) return one.components[c];
    }
    return std::nullopt;
  }

  Expr expression(Piece piece) const {
    piece = trimmed(piece);
    const std::string part = str(piece);
    for (const Output& one : system_->outputs)
      if (one.name == part && one.components.size() > 1)
        fail(ErrorCode::bad_model, piece.begin,
             fmt::format("the output '{}' is a vector: observe its components, {} and so on", part, one.column(0)));
    if (part.empty()) fail(ErrorCode::parse_error, piece.begin, "an expression is missing here");
    Expr e;
    if (const auto named = output(part)) {
      e = *named;
    } else {
      try {
        e = parse_expression(system_, part);
      } catch (const Error& error) {
        const std::size_t column = error.position() ? error.position()->column - 1 : 0;
        fail(error.code(), piece.begin + column, error.message(), error.suggestion());
      }
    }
    const std::vector<Expr> known = state_symbols(system_);
    for (const Expr symbol : free_symbols(e))
      if (std::find(known.begin(), known.end(), symbol) == known.end())
        fail(ErrorCode::bad_model, piece.begin,
             fmt::format("observables are expressions of positions, velocities and time: this one contains {}",
                         symbol.name()));
    return e;
  }

  const System& system_;
  const std::string& text_;
};

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

bool is_along(Seen kind) { return kind == Seen::maximum || kind == Seen::minimum || kind == Seen::mean; }

}  // namespace

Observables::Observables(const System& system, const std::vector<std::string>& texts) : coordinates_(system->size()) {
  const System scratch = system.scratch();
  std::vector<Expr> expressions;
  if (texts.empty()) {
    for (std::size_t i = 0; i < 2 * coordinates_; ++i) {
      const bool velocity = i >= coordinates_;
      const std::size_t j = velocity ? i - coordinates_ : i;
      names_.push_back(scratch->coordinates[j] + (velocity ? "'" : ""));
      list_.push_back({Seen::end, i, 0});
      expressions.push_back(velocity ? scratch->motion.v[j] : scratch->motion.q[j]);
    }
  }
  for (const std::string& text : texts) {
    const ObserveText source(scratch, text);
    const ObserveText::Read read = source.read();
    if (std::find(names_.begin(), names_.end(), text) != names_.end())
      source.fail(ErrorCode::bad_model, 0, fmt::format("'{}' is observed already", text));
    names_.push_back(text);
    list_.push_back({read.kind, expressions.size(), read.event});
    if (read.expression) expressions.push_back(*read.expression);
    along_ = along_ || is_along(read.kind);
  }
  program_ = Program(expressions, state_symbols(scratch));
}

ExpressionValues::ExpressionValues(const Observables& observables)
    : run_(observables.program()),
      inputs_(observables.program().input_count()),
      outputs_(observables.program().output_count()) {}

std::span<const double> ExpressionValues::at(double t, std::span<const double> q, std::span<const double> v,
                                             std::span<const double> parameters) {
  auto into = std::copy(q.begin(), q.end(), inputs_.begin());
  into = std::copy(v.begin(), v.end(), into);
  *into++ = t;
  std::copy(parameters.begin(), parameters.end(), into);
  if (run_(inputs_, outputs_) >= 0) std::fill(outputs_.begin(), outputs_.end(), not_a_number);
  for (double& value : outputs_) value = std::isfinite(value) ? value + 0.0 : not_a_number;
  return outputs_;
}

void ObservedMotion::begin(std::span<const double> parameters) {
  parameters_ = parameters;
  seen_.assign(of_->list().size(), not_a_number);
  for (std::size_t i = 0; i < seen_.size(); ++i)
    if (of_->list()[i].kind == Seen::mean) seen_[i] = 0;
  at_node_.resize(nodes * of_->program().output_count());
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
  if (from == to) return;
  if (!moved_) begin_ = from;
  moved_ = true;
  end_ = to;
  piece(from, to, at, 0);
}

bool ObservedMotion::look(double t, const DenseStep& at, std::size_t node) {
  double* const into = at_node_.data() + node * of_->program().output_count();
  try {
    const MotionPoint& point = at(t);
    const std::span<const double> values = values_->at(point.t, point.q, point.v, parameters_);
    std::copy(values.begin(), values.end(), into);
    return std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
  } catch (const Error&) {  // the last state before a singular set may have no values
    std::fill(into, into + of_->program().output_count(), not_a_number);
    return false;
  }
}

// Is the polynomial through the even nodes right at the odd ones, to the root of what is wanted? With twice as many nodes the error is
// squared. No better than the times of the nodes are known: before an escape a motion changes by more than that between two doubles.
bool ObservedMotion::resolved(std::size_t expression, double from, double to) const {
  constexpr double close = 1e-7;
  const std::size_t width = of_->program().output_count();
  const auto value = [&](std::size_t node) { return at_node_[node * width + expression]; };
  double size = 0;
  for (std::size_t node = 0; node < nodes; ++node) size = std::max(size, std::abs(value(node)));
  double steepest = 0;
  for (std::size_t node = 1; node < nodes; ++node)
    steepest = std::max(steepest, std::abs(value(node) - value(node - 1)) / (tables().x[node - 1] - tables().x[node]));
  const double rounded = std::numeric_limits<double>::epsilon() * std::max(std::abs(from), std::abs(to));
  const double allowed = close * size + steepest * rounded / (std::abs(to - from) / 2);
  for (std::size_t j = 0; j < intervals / 2; ++j) {
    double sum = 0;
    for (std::size_t k = 0; k <= intervals / 2; ++k) sum += tables().odd[j][k] * value(2 * k);
    if (!(std::abs(sum - value(2 * j + 1)) <= allowed)) return false;
  }
  return true;
}

void ObservedMotion::piece(double from, double to, const DenseStep& at, int depth) {
  constexpr int deepest = 12;
  const double middle = from + (to - from) / 2;
  bool whole = true;
  for (std::size_t node = 0; node < nodes; ++node) {
    const double t = node == 0 ? to : node == intervals ? from : middle + tables().x[node] * (to - from) / 2;
    whole = look(t, at, node) && whole;
  }
  bool fine = whole;
  for (const Observables::One& one : of_->list())
    fine = fine && (!is_along(one.kind) || resolved(one.expression, from, to));
  if (fine) return take(from, to, at);
  if (depth == deepest || middle == from || middle == to)
    return whole ? take(from, to, at) : take_what_there_is(from, to);
  piece(from, middle, at, depth + 1);
  piece(middle, to, at, depth + 1);
}

void ObservedMotion::raise(std::size_t observable, double value, double sign) {
  double& best = seen_[observable];
  if (std::isnan(best) || sign * value > sign * best) best = value;
}

void ObservedMotion::take(double from, double to, const DenseStep& at) {
  const std::size_t width = of_->program().output_count();
  const double middle = from + (to - from) / 2, half = (to - from) / 2;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Observables::One& one = of_->list()[i];
    if (!is_along(one.kind)) continue;
    std::array<double, nodes> values;
    const double sign = one.kind == Seen::minimum ? -1 : 1;
    for (std::size_t node = 0; node < nodes; ++node) values[node] = sign * at_node_[node * width + one.expression];
    if (one.kind == Seen::mean) {
      double sum = 0;
      for (std::size_t node = 0; node < nodes; ++node) sum += tables().weight[node] * values[node];
      seen_[i] += half * sum;
      continue;
    }
    for (std::size_t node = 0; node < nodes; ++node) raise(i, sign * values[node], sign);
    for (std::size_t node = 1; node < intervals; ++node) {
      if (!(values[node] >= values[node - 1] && values[node] >= values[node + 1])) continue;
      const double x = place_of_maximum(values, tables().x[node + 1], tables().x[node - 1]);
      // a polynomial that is constant but for rounding has no maximum worth going to
      if (!(interpolated(values, x) > values[node]) || !(interpolated(values, x) > sign * seen_[i])) continue;
      const MotionPoint& point = at(middle + x * half);
      raise(i, values_->at(point.t, point.q, point.v, parameters_)[one.expression], sign);
    }
  }
}

// Where an expression has no value at some node.
void ObservedMotion::take_what_there_is(double from, double to) {
  const std::size_t width = of_->program().output_count();
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Observables::One& one = of_->list()[i];
    if (!is_along(one.kind)) continue;
    const auto value = [&](std::size_t node) { return at_node_[node * width + one.expression]; };
    for (std::size_t node = 0; node < nodes; ++node) {
      if (std::isnan(value(node))) continue;
      if (one.kind == Seen::mean) {
        seen_[i] += tables().weight[node] * (to - from) / 2 * value(node);
      } else {
        raise(i, value(node), one.kind == Seen::minimum ? -1 : 1);
      }
    }
  }
}

void ObservedMotion::finish(const State& last, std::span<double> outputs) {
  const std::span<const double> at_end = values_->at(last.t, last.q, last.v, parameters_);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Observables::One& one = of_->list()[i];
    outputs[i] = one.kind == Seen::end ? at_end[one.expression] : seen_[i];
    if (!is_along(one.kind)) continue;
    if (!moved_) outputs[i] = at_end[one.expression];
    if (moved_ && one.kind == Seen::mean) outputs[i] = seen_[i] / (end_ - begin_);
    if (!std::isfinite(outputs[i])) outputs[i] = not_a_number;
  }
}

}  // namespace cetaev::ensemble
