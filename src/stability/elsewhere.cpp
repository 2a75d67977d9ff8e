#include "elsewhere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

SteadyElsewhere::SteadyElsewhere(const System& system, const std::vector<std::string>& names,
                                 const std::vector<std::string>& solve, bool quasi)
    : work_(system), field_(work_, start_, quasi), moves_(movable(field_, solve, names)), names_(names) {
  for (const std::string& name : names) varied_.push_back(given_value(field_.system(), name));
  mass_ = Program(work_.terms().mass.entries, state_symbols(field_.system()));
}

bool SteadyElsewhere::has_singular_mass(const State& state, std::span<const double> parameters) const {
  const std::size_t n = state.q.size();
  std::vector<double> entries(n * n);
  Interpreter run(mass_);
  run(state_values(state, parameters), entries);
  if (n == 0 || !all_finite(entries)) return false;
  CompleteLu lu;
  lu.compute(transposed_view(entries.data(), n, n));
  return !lu.invertible();
}

std::optional<double> SteadyElsewhere::varied(std::optional<std::size_t> GivenValue::*kind, std::size_t i,
                                              std::span<const double> values) const {
  std::optional<double> value;
  for (std::size_t k = 0; k < varied_.size(); ++k)
    if (varied_[k].*kind == i) value = values[k];
  return value;
}

std::vector<double> SteadyElsewhere::parameters_at(std::span<const double> values) const {
  const System& own = field_.system();
  std::vector<Value> known;
  std::vector<double> parameters;
  for (std::size_t i = 0; i < own->parameters.size(); ++i) {
    const Parameter& parameter = own->parameters[i];
    const std::optional<double> value = varied(&GivenValue::parameter, i, values);
    parameters.push_back(value ? *value : evaluate(parameter.definition, known));
    known.emplace_back(parameter.symbol, parameters.back());
  }
  return parameters;
}

SteadyPoint SteadyElsewhere::found_at(std::span<const double> values) const {
  const System& own = field_.system();
  std::vector<double> parameters = parameters_at(values);
  std::vector<Value> known;
  for (std::size_t i = 0; i < parameters.size(); ++i) known.emplace_back(own->parameters[i].symbol, parameters[i]);
  State state = start_.state;
  const auto set = [&](std::vector<double>& into, const std::vector<std::optional<Expr>>& given,
                       std::optional<std::size_t> GivenValue::*kind) {
    for (std::size_t i = 0; i < into.size(); ++i) {
      if (const std::optional<double> value = varied(kind, i, values))
        into[i] = *value;
      else if (given[i])
        into[i] = evaluate(*given[i], known);
      if (!std::isfinite(into[i]))
        throw Error(ErrorCode::non_finite,
                    fmt::format("the initial value {}{} = {} is not a finite number", own->coordinates[i],
                                kind == &GivenValue::velocity ? "'" : "", given[i] ? to_string(*given[i]) : "nan"));
    }
  };
  set(state.q, own->initial.q, &GivenValue::position);
  set(state.v, own->initial.v, &GivenValue::velocity);
  try {
    std::vector<double> y = field_.state(state, parameters);
    put_on_constraints(y, parameters);
    return find_steady(field_, std::move(y), parameters, moves_);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::non_finite && has_singular_mass(state, parameters))
      throw Error(ErrorCode::singular_mass_matrix, "the mass matrix is singular: nothing determines some acceleration");
    throw;
  }
}

SteadyPoint SteadyElsewhere::at(std::span<const double> values) const {
  try {
    return found_at(values);
  } catch (const Error& error) {
    std::string where;
    for (std::size_t k = 0; k < names_.size(); ++k)
      where += fmt::format("{}{} = {:.9g}", where.empty() ? "" : ", ", names_[k], values[k]);
    throw Error(error.code(), fmt::format("at {}: {}", where, error.what()));
  }
}

void SteadyElsewhere::as_given(SteadyPoint& point, std::span<const double> values, long bits) const {
  const System& own = field_.system();
  std::vector<std::optional<Ball>> known(own->parameters.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    const bool moved = std::ranges::find(moves_.parameters, i) != moves_.parameters.end();
    if (const std::optional<double> value = varied(&GivenValue::parameter, i, values))
      known[i] = Ball::from_double(*value);
    else if (moved)
      known[i] = Ball::from_double(point.parameters[i]);
  }
  point.parameter_balls = balls_of_parameters(own, known, bits);
  std::vector<BallValue> parameters;
  for (std::size_t i = 0; i < known.size(); ++i)
    parameters.emplace_back(own->parameters[i].symbol, point.parameter_balls[i]);
  point.y_balls.clear();
  for (std::size_t i = 0; i < point.y.size(); ++i) {
    point.y_balls.push_back(Ball::from_double(point.y[i]));
    if (std::ranges::find(moves_.components, i) != moves_.components.end()) continue;
    const Expr symbol = field_.form().state[i].symbol;
    for (std::size_t j = 0; j < own->size(); ++j) {
      const bool position = symbol == own->motion.q[j];
      if (!position && symbol != own->motion.v[j]) continue;
      const std::optional<Expr>& given = position ? own->initial.q[j] : own->initial.v[j];
      if (!given || varied(position ? &GivenValue::position : &GivenValue::velocity, j, values)) continue;
      // where the state has it, for what is not admissible was moved
      Ball exact = evaluate_ball(*given, parameters, bits);
      const double tiny = 4 * std::numeric_limits<double>::epsilon() * std::abs(point.y[i]);
      if (exact.is_finite() && std::abs(exact.midpoint() - point.y[i]) <= tiny) point.y_balls.back() = std::move(exact);
    }
  }
}

ToldSpectrum SteadyElsewhere::fine(SteadyPoint point, std::span<const double> values) const {
  const std::size_t n = field_.independent(point.dependent).size();
  std::optional<std::vector<ComplexBall>> found;
  for (const long bits : {128L, 512L}) {
    as_given(point, values, bits);
    sharpen(field_, moves_, point, bits);
    const auto A = field_.matrix(point.dependent, point.y_balls, point.parameter_balls, bits);
    auto enclosed = A ? eigenvalues_in_balls(*A, n, bits) : std::nullopt;
    if (!enclosed) continue;
    found = std::move(enclosed);
    if (is_settled(*found)) break;
  }
  ToldSpectrum result;
  if (found && point.off == 0) {
    for (const ComplexBall& ball : *found) result.push_back(told(ball));
    return result;
  }
  // of a state that is not steady to the last digit more digits say nothing
  return spectrum_about(field_, point);
}

ToldSpectrum SteadyElsewhere::fine_spectrum(std::span<const double> values) const {
  ToldSpectrum all = fine(at(values), values);
  std::ranges::stable_sort(all, {}, [](const ToldEigenvalue& one) { return std::abs(one.value); });
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(zeros_, all.size())));
  return all;
}

void SteadyElsewhere::look_for_zeros(std::span<const std::vector<double>> places) {
  std::optional<std::size_t> least;
  for (const std::vector<double>& place : places) {
    try {
      const ToldSpectrum all = fine(at(place), place);
      const auto here = static_cast<std::size_t>(
          std::ranges::count(all, std::complex<double>(), [](const ToldEigenvalue& one) { return one.value; }));
      least = std::min(least.value_or(here), here);
    } catch (const Error&) {
      // there is no steady motion
    }
  }
  zeros_ = least.value_or(0);
}

ToldSpectrum SteadyElsewhere::spectrum(std::span<const double> values, std::vector<double>* solved_values) const {
  const SteadyPoint point = at(values);
  if (solved_values != nullptr) *solved_values = solved(point);
  const auto A = field_.matrix(point.dependent, point.slopes);
  if (!A) throw Error(ErrorCode::singular_mass_matrix, "the equations of motion are singular at the steady motion");
  const std::size_t n = field_.independent(point.dependent).size();
  const auto by_size = [](const ToldEigenvalue& one) { return std::abs(one.value); };
  if (auto all = spectrum_in_doubles(*A, n)) {
    std::ranges::stable_sort(*all, std::ranges::greater(), by_size);
    const std::size_t others = n - std::min(n, zeros_);
    constexpr double well_enough = 1e-7;  // a part of itself, for what is drawn and tabulated
    bool told_apart = true;
    for (std::size_t i = 0; i < n; ++i) {
      const ToldEigenvalue& one = (*all)[i];
      const bool told = one.value.real() != 0 && one.error <= well_enough * std::abs(one.value);
      told_apart = told_apart && (i < others ? told : one.value == 0.0);
    }
    if (told_apart) return std::move(*all);
  }
  ToldSpectrum all = fine(point, values);
  std::ranges::stable_sort(all, std::ranges::greater(), by_size);
  return all;
}

// What follows from the others moves.
void SteadyElsewhere::put_on_constraints(std::vector<double>& y, std::span<const double> parameters) const {
  constexpr int steps = 50;
  if (field_.constraints().empty()) return;
  for (int step = 0; step < steps; ++step) {
    const ReducedField::Dependent dependent = field_.dependent(y, parameters);
    const std::vector<double> residual = field_.values(y, parameters).constraints;
    const std::vector<double> slopes = field_.constraint_slopes(y, parameters);
    const std::size_t k = dependent.rows.size();
    if (k == 0) return;
    DenseMatrix matrix(k, k);
    std::vector<double> right;
    for (std::size_t r = 0; r < k; ++r) {
      for (std::size_t c = 0; c < k; ++c) matrix(r, c) = slopes[dependent.rows[r] * y.size() + dependent.components[c]];
      right.push_back(-residual[dependent.rows[r]]);
    }
    CompleteLu lu;
    lu.compute(matrix);
    if (!lu.invertible()) return;
    const std::vector<double> change = lu.solve(right);
    double largest = 0, size = largest_magnitude(y);
    for (std::size_t i = 0; i < k; ++i) {
      y[dependent.components[i]] += change[i];
      largest = std::max(largest, std::abs(change[i]));
    }
    if (!(largest > 4 * std::numeric_limits<double>::epsilon() * size)) return;
  }
}

}  // namespace cetaev
