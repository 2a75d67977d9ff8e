#include "state_finder.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "state_search.hpp"

namespace cetaev {

namespace {

// In units of the size of an equation: 10 to these powers. Between them nothing is claimed.
constexpr double zero_below = -OnSet::wanted_digits;
constexpr double nonzero_above = -12;

}  // namespace

StateFinder::StateFinder(const System& system, std::vector<FinderEquation> equations)
    : system_(system),
      equations_(std::move(equations)),
      n_(system->size()),
      unknowns_(3 * n_ + 1),
      parameters_(parameter_values(system)),
      parameter_balls_(parameter_balls(system, OnSet::bits)),
      symbols_(state_symbols(system)),
      domain_(system) {
  const Motion& motion = system->motion;
  symbols_.insert(symbols_.end(), motion.a.begin(), motion.a.end());
  inputs_ = symbols_.size();
  std::vector<Expr> unknowns = motion.q;
  unknowns.insert(unknowns.end(), motion.v.begin(), motion.v.end());
  unknowns.insert(unknowns.end(), motion.a.begin(), motion.a.end());
  unknowns.push_back(motion.t);
  std::vector<Expr> outputs;
  for (const FinderEquation& equation : equations_) outputs.push_back(equation.expression);
  derivatives_ = cetaev::jacobian(outputs, unknowns);
  for (const Expr e : topological(outputs)) {
    if (e.kind() == Kind::product || e.kind() == Kind::power || e.kind() == Kind::function) parts_.push_back(e);
    // what is left of it beside ±1
    if (e.kind() == Kind::function && e.function() == Function::tanh)
      parts_.push_back(exp(Rational(-2) * abs(e.operands()[0])));
  }
  everything_ = lowered(all_indices(equations_.size()));
  numbers_.resize(inputs_);
}

StateFinder::Point StateFinder::start(std::uint64_t seed) {
  // near and far, for other branches
  constexpr std::array<Reach, 4> reaches = {{{2, 2}, {8, 8}, {2, 1500}, {0.1, 0.1}}};
  Random random(seed);
  Point point = point_of(random_start(system_, seed, random, domain_, reaches[seed / 2 % reaches.size()]));
  for (double& a : of(unknowns_of(2), point)) a = random.uniform(-2, 2);
  return point;
}

StateFinder::Step StateFinder::unknowns_of(int order) const {
  if (order < 0) return {{}, 3 * n_, 1};
  return {{}, static_cast<std::size_t>(order) * n_, n_};
}

std::vector<StateFinder::Step> StateFinder::steps(std::span<const std::size_t> rows, bool together) const {
  std::vector<Step> result;
  Step all{{}, 0, 3 * n_};
  for (int order = -1; order <= 2; ++order) {
    Step step = unknowns_of(order);
    for (const std::size_t i : rows) {
      if (equations_[i].order == order) (together && order >= 0 ? all : step).rows.push_back(i);
    }
    if (!step.rows.empty()) result.push_back(std::move(step));
  }
  if (!all.rows.empty()) result.push_back(std::move(all));
  return result;
}

std::unique_ptr<StateFinder::Lowered> StateFinder::lowered(std::span<const std::size_t> rows) const {
  auto result = std::make_unique<Lowered>();
  std::vector<Expr> outputs;
  for (const std::size_t i : rows) outputs.push_back(equations_[i].expression);
  result->values = Program(outputs, symbols_);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t j = 0; j < unknowns_; ++j) {
      if (derivatives_(rows[row], j).is_zero()) continue;
      result->entries.emplace_back(row, j);
      outputs.push_back(derivatives_(rows[row], j));
    }
  }
  result->derivatives = Program(outputs, symbols_);
  result->interpreter.emplace(result->derivatives);
  result->outputs.resize(outputs.size());
  result->f.resize(rows.size());
  result->jacobian.reset(rows.size(), unknowns_);
  return result;
}

StateFinder::Lowered& StateFinder::of_step(const Step& step) {
  std::unique_ptr<Lowered>& known = of_steps_[step.rows];
  if (!known) known = lowered(step.rows);
  return *known;
}

void StateFinder::evaluate(Lowered& some, const Point& point) {
  for (std::size_t i = 0; i < unknowns_; ++i) numbers_[place(i)] = point[i];
  std::ranges::copy(parameters_, numbers_.begin() + static_cast<std::ptrdiff_t>(2 * n_ + 1));
  (*some.interpreter)(numbers_, some.outputs);
  const std::size_t k = some.f.size();
  for (std::size_t i = 0; i < k; ++i) some.f[i] = some.outputs[i];
  for (std::size_t e = 0; e < some.entries.size(); ++e)
    some.jacobian(some.entries[e].first, some.entries[e].second) = some.outputs[k + e];
}

bool StateFinder::solve(const Step& step, Point& point) {
  Lowered& some = of_step(step);
  Point all = point;
  ZeroSet set(step.rows.size(), step.count, [&](const auto& x, auto& f, auto& j) {
    std::ranges::copy(x, of(step, all).begin());
    evaluate(some, all);
    f = some.f;
    j = DenseMatrix(some.jacobian.middle_columns(step.first, step.count));
  });
  const std::span<double> own = of(step, point);
  std::vector<double> x(own.begin(), own.end());
  if (!set.reach(x) || !all_finite(x)) return false;
  std::ranges::copy(x, own.begin());
  return true;
}

// How large every equation is around a point: Σ |∂e/∂x| X, X being the size of the unknowns of the same kind, here and at
// points close by (where e is flat here).
std::vector<double> StateFinder::sizes(Lowered& some, const Point& point) {
  Random random(5);
  std::vector<double> size(some.f.size(), 0.0);
  Point kind(point.size());
  for (const int order : {-1, 0, 1, 2}) {
    const Step block = unknowns_of(order);
    const double largest = largest_magnitude(of(block, point));
    std::ranges::fill(of(block, kind), largest > 1e-12 ? largest : 1.0);
  }
  for (int trial = 0; trial < 4; ++trial) {
    Point x = point;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += (trial == 0 ? 0.0 : 0.01) * random.uniform(-kind[i], kind[i]);
    evaluate(some, x);
    std::vector<double> here(size.size(), 0.0);
    for (const auto& [i, j] : some.entries) here[i] += std::fabs(some.jacobian(i, j)) * kind[j];
    for (std::size_t i = 0; i < size.size(); ++i)
      if (std::isfinite(here[i])) size[i] = std::max(size[i], here[i]);
  }
  for (double& s : size) s = s > 0 ? s : 1;
  return size;
}

std::vector<Ball> StateFinder::to_balls(const Point& point) const {
  std::vector<Ball> balls(inputs_);
  for (std::size_t i = 0; i < unknowns_; ++i) balls[place(i)] = Ball::from_double(point[i]);
  std::ranges::copy(parameter_balls_, balls.begin() + static_cast<std::ptrdiff_t>(2 * n_ + 1));
  return balls;
}

bool StateFinder::refine(const Step& step, std::vector<Ball>& balls) {
  Point rough(unknowns_);
  for (std::size_t i = 0; i < unknowns_; ++i) rough[i] = balls[place(i)].midpoint();
  Lowered& some = of_step(step);
  const std::vector<double> scale = sizes(some, rough);
  evaluate(some, rough);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < step.count; ++i) places.push_back(place(step.first + i));
  return refine_in_balls({some.values, all_indices(step.rows.size()), places,
                          DenseMatrix(some.jacobian.middle_columns(step.first, step.count)), scale},
                         balls);
}

PreciseState StateFinder::precise(const std::vector<Ball>& balls) const {
  PreciseState state;
  const double size = largest_unknown(balls);
  for (std::size_t i = 0; i < inputs_; ++i) state.values.emplace_back(symbols_[i], balls[i]);
  for (std::size_t i = 0; i < n_; ++i) {
    state.rounded.q.push_back(rounded(balls, i, size));
    state.rounded.v.push_back(rounded(balls, n_ + i, size));
  }
  state.rounded.t = rounded(balls, 3 * n_, size);
  return state;
}

double StateFinder::largest_unknown(const std::vector<Ball>& balls) const {
  double size = 0;
  for (std::size_t i = 0; i < unknowns_; ++i) size = std::max(size, std::fabs(balls[place(i)].midpoint()));
  return size;
}

// What is zero to 60 digits is zero for a reader.
double StateFinder::rounded(const std::vector<Ball>& balls, std::size_t unknown, double size) const {
  const double value = balls[place(unknown)].midpoint();
  return std::fabs(value) > 1e-60 * size ? value : 0.0;
}

// No part of an equation is so large or so small that it drowns others: exp(−1000) leaves no trace in 320 bits.
bool StateFinder::ordinary(const Point& point) const {
  std::vector<Value> values;
  for (std::size_t i = 0; i < parameters_.size(); ++i) values.emplace_back(symbols_[2 * n_ + 1 + i], parameters_[i]);
  for (std::size_t i = 0; i < unknowns_; ++i) values.emplace_back(symbols_[place(i)], point[i]);
  const std::vector<double> numbers = cetaev::evaluate(parts_, values);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double size = std::fabs(numbers[i]);
    const bool never_zero = parts_[i].kind() == Kind::function && parts_[i].function() == Function::exp;
    if (size > 1e40 || (size < 1e-40 && (size > 0 || never_zero))) return false;
  }
  return true;
}

FoundState StateFinder::describe(const std::vector<Ball>& balls, const Point& point) {
  FoundState state;
  state.precise = precise(balls);
  const double unknowns = largest_unknown(balls);
  for (std::size_t i = 0; i < n_; ++i) state.accelerations.push_back(rounded(balls, 2 * n_ + i, unknowns));
  const std::vector<double> size = sizes(*everything_, point);
  std::vector<Ball> found;
  run_in_balls(everything_->values, balls, found, OnSet::bits);
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    AtState what = found[i].is_finite() ? AtState::unknown : AtState::undefined;
    double value = 0;
    if (found[i].is_finite()) {
      const double magnitude = found[i].magnitude_log10() - std::log10(size[i]);
      value = found[i].midpoint();
      if (magnitude <= zero_below) {
        what = AtState::zero;
        value = 0;
      } else if (magnitude >= nonzero_above && !found[i].contains_zero()) {
        what = AtState::nonzero;
      }
    }
    state.equations.push_back(what);
    state.values.push_back(value);
  }
  return state;
}

std::optional<FoundState> StateFinder::find(std::span<const std::size_t> rows, std::uint64_t seed, bool together) {
  Point point = start(seed);
  const std::vector<Step> way = steps(rows, together);
  for (const Step& step : way) {
    if (!solve(step, point)) return std::nullopt;
  }
  std::vector<Ball> balls = to_balls(point);
  for (const Step& step : way) {
    if (!refine(step, balls)) return std::nullopt;
  }
  // What is zero to 60 digits is zero.
  const double size = largest_unknown(balls);
  for (std::size_t i = 0; i < unknowns_; ++i) {
    point[i] = rounded(balls, i, size);
    if (point[i] == 0) balls[place(i)] = Ball(Rational(0));
  }
  if (!ordinary(point)) return std::nullopt;
  FoundState state = describe(balls, point);
  state.special_positions = together;
  return state;
}

StateFinder::Point StateFinder::point_of(const State& state) const {
  Point point(unknowns_, 0.0);
  for (std::size_t i = 0; i < n_; ++i) {
    point[i] = state.q[i];
    point[n_ + i] = state.v[i];
  }
  point[3 * n_] = state.t;
  return point;
}

std::optional<PreciseState> StateFinder::neighbour(const State& state, std::span<const std::size_t> rows,
                                                   std::uint64_t seed) {
  Random random(seed);
  Point point = point_of(state);
  double size = 1e-3;
  for (const double v : state.v) size = std::max(size, std::fabs(v));
  for (std::size_t i = 0; i < n_; ++i) point[n_ + i] += 1e-3 * random.uniform(-size, size);
  std::vector<Step> way = steps(rows, false);
  std::erase_if(way, [&](const Step& step) { return step.first != n_; });
  for (const Step& step : way) {
    if (!solve(step, point)) return std::nullopt;
  }
  std::vector<Ball> balls = to_balls(point);
  for (const Step& step : way) {
    if (!refine(step, balls)) return std::nullopt;
  }
  return precise(balls);
}

std::optional<std::size_t> StateFinder::rank(const PreciseState& state, std::span<const std::size_t> rows) {
  if (rows.empty()) return 0;
  Lowered& some = of_step({{rows.begin(), rows.end()}, 0, 0});
  std::vector<Ball> inputs, found;
  for (const BallValue& value : state.values) inputs.push_back(value.second);
  Point point(unknowns_);
  for (std::size_t i = 0; i < unknowns_; ++i) point[i] = inputs[place(i)].midpoint();
  const std::size_t k = rows.size();
  const std::vector<double> size = sizes(some, point);  // for rows that vanish here
  if (are_plainly_independent(some, rows, point, size)) return k;
  run_in_balls(some.derivatives, inputs, found, OnSet::bits);
  std::vector<std::vector<Ball>> all(k, std::vector<Ball>(unknowns_)), j(k);
  for (std::size_t e = 0; e < some.entries.size(); ++e)
    all[some.entries[e].first][some.entries[e].second] = std::move(found[k + e]);
  std::vector<double> scale(k);  // log10
  for (std::size_t i = 0; i < k; ++i) {
    const Step columns = unknowns_of(std::max(equations_[rows[i]].order, 1));
    const double largest = largest_magnitude(of(columns, point));
    scale[i] = std::log10(size[i]) - (largest > 1e-12 ? std::log10(largest) : 0);
    double own = -HUGE_VAL;
    for (std::size_t c = 0; c < n_; ++c) {
      j[i].push_back(std::move(all[i][columns.first + c]));
      if (!j[i].back().is_finite()) return std::nullopt;
      own = std::max(own, j[i].back().magnitude_log10());
    }
    // a row that does not vanish here is judged by itself
    if (own > scale[i] + zero_below) scale[i] = own;
  }
  return eliminated(j, scale);
}

// Told by doubles: most states are far from where digits matter, and of long chains an elimination in balls takes seconds.
bool StateFinder::are_plainly_independent(Lowered& some, std::span<const std::size_t> rows, const Point& point,
                                          std::span<const double> size) {
  if (rows.size() > n_) return false;
  evaluate(some, point);
  DenseMatrix j(rows.size(), n_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Step columns = unknowns_of(std::max(equations_[rows[i]].order, 1));
    const double largest = largest_magnitude(of(columns, point));
    for (std::size_t c = 0; c < n_; ++c) j(i, c) = some.jacobian(i, columns.first + c);
    const double norm = row_length(j, i);
    // what is beside its size as small as this may vanish
    if (!std::isfinite(norm) || !(norm * (largest > 1e-12 ? largest : 1.0) > rank_tolerance * size[i])) return false;
    j.scale_row(i, 1 / norm);
  }
  PivotedQr decomposition(rank_tolerance);
  decomposition.compute(j);
  return decomposition.rank() == rows.size();
}

// The number of pivots of Gauss's elimination, complete pivoting, in units of the rows. True dependencies show far below
// the 50 digits that decide.
std::size_t StateFinder::eliminated(std::vector<std::vector<Ball>>& j, std::vector<double>& scale) const {
  constexpr double smallest_pivot = -50;
  std::size_t rank = 0;
  for (; rank < std::min(j.size(), n_); ++rank) {
    double best = smallest_pivot;
    std::size_t row = 0, column = 0;
    for (std::size_t i = rank; i < j.size(); ++i) {
      for (std::size_t c = rank; c < n_; ++c) {
        const double here = j[i][c].magnitude_log10() - scale[i];
        if (here > best) {
          best = here;
          row = i;
          column = c;
        }
      }
    }
    if (best <= smallest_pivot) break;
    std::swap(j[rank], j[row]);
    std::swap(scale[rank], scale[row]);
    for (auto& r : j) std::swap(r[rank], r[column]);
    for (std::size_t i = rank + 1; i < j.size(); ++i) {
      const Ball factor = j[i][rank] / j[rank][rank];
      for (std::size_t c = rank + 1; c < n_; ++c) j[i][c] = (j[i][c] - factor * j[rank][c]).center();
    }
  }
  return rank;
}

std::size_t StateFinder::rank(const State& state, std::span<const std::size_t> rows, int order) {
  if (rows.empty()) return 0;
  evaluate(*everything_, point_of(state));
  const Step columns = unknowns_of(order);
  DenseMatrix j(rows.size(), columns.count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < columns.count; ++c) j(i, c) = everything_->jacobian(rows[i], columns.first + c);
    const double norm = row_length(j, i);
    if (!std::isfinite(norm)) return 0;
    if (norm > 0) j.scale_row(i, 1 / norm);
  }
  PivotedQr decomposition(rank_tolerance);
  decomposition.compute(j);
  return decomposition.rank();
}

}  // namespace cetaev
