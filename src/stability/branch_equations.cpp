#include "branch_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cetaev/constraint/initial_variation.hpp"
#include "cetaev/detail/energy/energy_of.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {

namespace {

std::vector<Derivation::Seed> seeds_of(const System& system, const std::string& parameter) {
  std::vector<Derivation::Seed> seeds;
  const std::vector<Expr> changes = parameter_changes(system, parameter);
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (!changes[i].is_zero()) seeds.emplace_back(system->parameters[i].symbol, changes[i]);
  return seeds;
}

double number(const Program& program, const State& at, std::span<const double> parameters) {
  std::vector<double> result(program.output_count());
  Interpreter run(program);
  run(state_values(at, parameters), result);
  return result.front();
}

std::vector<Value> values_of(const System& system, std::span<const double> parameters) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < parameters.size(); ++i) values.emplace_back(system->parameters[i].symbol, parameters[i]);
  return values;
}

Expr parsed_period(const System& system, const std::string& text) {
  const Expr e = parse_expression(system, text);
  for (const Expr symbol : free_symbols(e)) {
    if (std::ranges::none_of(system->parameters, [&](const Parameter& p) { return p.symbol == symbol; }))
      throw Error(ErrorCode::bad_model,
                  fmt::format("the period '{}' is no number: it contains {}", text, symbol.name()));
  }
  return e;
}

double positive_period(double value, const std::string& text) {
  if (!std::isfinite(value) || !(value > 0))
    throw Error(ErrorCode::bad_model, fmt::format("a period is a finite time greater than zero, not '{}'", text));
  return value;
}

}  // namespace

double period_of(const System& system, const std::string& expression) {
  const System own = system.scratch();
  return positive_period(evaluate(parsed_period(own, expression), values_of(own, parameter_values(own))), expression);
}

BranchQuantity::BranchQuantity(const System& system, const std::string& name) : name_(name), n_(system->size()) {
  // Beside a parameter E of the model, the energy is motion(E), as in tables.
  if (name == "motion(E)" || name == "motion(period)") {
    *this = BranchQuantity(system, name == "motion(E)" ? Kind::energy : Kind::period);
    name_ = name;
    return;
  }
  try {
    const GivenValue given = given_value(system, name);
    parameter_ = given.parameter.has_value();
    if (!parameter_) component_ = given.position ? *given.position : n_ + *given.velocity;
    return;
  } catch (const Error&) {
    if (name != "E" && name != "period") throw;
  }
  *this = BranchQuantity(system, name == "E" ? Kind::energy : Kind::period);
}

BranchQuantity BranchQuantity::energy(const System& system) { return {system, Kind::energy}; }

BranchQuantity::BranchQuantity(const System& system, Kind kind)
    : name_(kind == Kind::energy ? "E" : "period"), kind_(kind), n_(system->size()) {
  if (kind != Kind::energy) return;
  std::vector<Expr> outputs = {energy_of(system)};
  for (const std::vector<Expr>& symbols : {system->motion.q, system->motion.v})
    for (const Expr symbol : symbols) outputs.push_back(derivative(outputs.front(), symbol));
  energy_ = Program(outputs, state_symbols(system));
}

void BranchQuantity::vary(const System& system, const std::string& parameter) {
  if (kind_ != Kind::energy) return;
  const std::vector<Expr> slope = {Derivation(seeds_of(system, parameter))(energy_of(system))};
  slope_ = Program(slope, state_symbols(system));
}

double BranchQuantity::value(const State& at, double T, std::span<const double> parameters) const {
  switch (kind_) {
    case Kind::energy: return number(energy_, at, parameters);
    case Kind::period: return T;
    case Kind::component: break;
  }
  return component_ < n_ ? at.q[component_] : at.v[component_ - n_];
}

std::vector<double> BranchQuantity::gradient(const State& at, std::span<const double> parameters) const {
  std::vector<double> result(2 * n_);
  if (kind_ == Kind::component) result[component_] = 1;
  if (kind_ != Kind::energy) return result;
  std::vector<double> all(energy_.output_count());
  Interpreter run(energy_);
  run(state_values(at, parameters), all);
  std::copy(all.begin() + 1, all.end(), result.begin());
  return result;
}

double BranchQuantity::by_parameter(const State& at, std::span<const double> parameters) const {
  return kind_ == Kind::energy && slope_.output_count() > 0 ? number(slope_, at, parameters) : 0;
}

BranchEquations::BranchEquations(const System& system, const Along& along, const BranchOptions& options)
    : system_(system.scratch()),
      along_(along),
      varied_(system_, along.name),
      energy_(BranchQuantity::energy(system_)),
      shooting_(system, options.motion, varied_.is_parameter() ? along.name : ""),
      autonomous_(shooting_.autonomous()),
      period_(parsed_period(system_, options.period)),
      period_slope_(system_->context->zero()),
      range_(std::abs(along.to - along.from)) {
  if (!(range_ > 0))
    throw Error(ErrorCode::bad_model,
                fmt::format("the range of '{}' has no length: its ends are the same", along.name));
  for (const std::string& name : options.hold) {
    held_.emplace_back(system_, name);
    if (held_.back().is_parameter())
      throw Error(ErrorCode::bad_model,
                  fmt::format("the parameter '{}' keeps its value anyhow: what may be held is {}, "
                              "{}, or an initial value",
                              name, name == "E" ? "the energy, motion(E)" : "E",
                              name == "period" ? "the period, motion(period)" : "period"));
    if (name == along.name) throw Error(ErrorCode::bad_model, fmt::format("'{}' is varied and held", name));
  }
  if (!varied_.is_parameter()) return;
  parameter_ = given_value(system_, along.name).parameter;
  for (BranchQuantity& one : held_) one.vary(system_, along.name);
  period_slope_ = Derivation(seeds_of(system_, along.name))(period_);
}

double BranchEquations::period_at(double value) const {
  const System at = parameter_ ? with_parameter(system_, *parameter_, value) : system_;
  return evaluate(period_, values_of(system_, parameter_values(at)));
}

BranchPlace BranchEquations::first() {
  State from = shooting_.initial();
  double value = 0;
  if (parameter_) {
    const double own = parameter_values(system_)[*parameter_];
    value = std::clamp(own, std::min(along_.from, along_.to), std::max(along_.from, along_.to));
    if (value != own) from = Groundwork(with_parameter(system_, *parameter_, value)).initial().state;
    shooting_.set(value);
  }
  Returned found = find_return(shooting_, from, positive_period(period_at(value), "that of the first motion"));
  if (!parameter_) value = value_of(found.at, found.period);
  state_size_ = found.at.size;
  period_size_ = found.period;
  for (const BranchQuantity& one : held_)
    held_at_.push_back(one.value(found.at.from, found.period, shooting_.parameters()));
  std::vector<double> leaves = shooting_.rates(found.at.from);
  return {std::move(found.at), found.period, value, std::move(leaves)};
}

BranchPlace BranchEquations::shoot(const State& from, double T, double value, const std::vector<std::size_t>& chart,
                                   Recorder* also) {
  if (parameter_) shooting_.set(value);
  if (!autonomous_) T = period_at(value);
  if (!(T > 0) || !std::isfinite(T)) throw Error(ErrorCode::not_periodic, "the period is not greater than zero");
  BranchPlace place{shooting_.shoot(from, T, chart, also), T, value};
  place.leaves = shooting_.rates(place.at.from);
  return place;
}

double BranchEquations::scale(std::size_t column, std::size_t m) const {
  if (column < m) return state_size_;
  return autonomous_ && column == m ? period_size_ : range_;
}

BranchPlace BranchEquations::move(const BranchPlace& from, std::span<const double> u) {
  const std::size_t m = from.at.z.size(), n = shooting_.size();
  std::vector<double> change(2 * n), z(u.begin(), u.begin() + static_cast<std::ptrdiff_t>(m));
  for (double& one : z) one *= state_size_;
  add_product(from.at.along, z, change);
  const double higher = u.back() * range_;
  for (std::size_t i = 0; i < from.at.along_parameter.size(); ++i) change[i] += higher * from.at.along_parameter[i];
  State next = from.at.from;
  for (std::size_t i = 0; i < n; ++i) {
    next.q[i] += change[i];
    next.v[i] += change[n + i];
  }
  return shoot(next, from.T + (autonomous_ ? u[m] * period_size_ : 0), from.value + higher, from.at.z);
}

std::vector<double> BranchEquations::seen_from(const BranchPlace& base, const BranchPlace& place) const {
  const std::size_t n = shooting_.size();
  std::vector<double> u;
  for (const std::size_t i : base.at.z) {
    const double before = i < n ? base.at.from.q[i] : base.at.from.v[i - n];
    const double after = i < n ? place.at.from.q[i] : place.at.from.v[i - n];
    u.push_back((after - before) / state_size_);
  }
  if (autonomous_) u.push_back((place.T - base.T) / period_size_);
  u.push_back((place.value - base.value) / range_);
  return u;
}

std::vector<double> BranchEquations::everywhere(const BranchPlace& at, std::span<const double> u) const {
  const std::size_t m = at.at.z.size();
  std::vector<double> all(2 * shooting_.size());
  add_product(at.at.along, u.first(m), all);
  for (std::size_t i = 0; i < at.at.along_parameter.size(); ++i)
    all[i] += u.back() * range_ / state_size_ * at.at.along_parameter[i];
  all.push_back(autonomous_ ? u[m] : 0);
  all.push_back(u.back());
  return all;
}

std::vector<double> BranchEquations::in_chart(const BranchPlace& at, std::span<const double> all) const {
  std::vector<double> u;
  for (const std::size_t i : at.at.z) u.push_back(all[i]);
  if (autonomous_) u.push_back(all[all.size() - 2]);
  u.push_back(all.back());
  return u;
}

BranchEquations::Rows BranchEquations::rows(const BranchPlace& place, const BranchPlace& base) const {
  const Return& at = place.at;
  const std::size_t m = at.z.size(), n = shooting_.size(), columns = unknowns(at);
  const std::size_t quantities = conserved();
  Rows result{DenseMatrix(m + (autonomous_ ? 1 : 0) + quantities, columns), {}, m};
  DenseMatrix& matrix = result.matrix;
  const std::vector<double> rates = shooting_.rates(at.to);
  const double longer =
      parameter_ && !autonomous_ ? evaluate(period_slope_, values_of(system_, shooting_.parameters())) : 0;
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t j = 0; j < m; ++j) matrix(r, j) = at.S(at.z[r], j) - (r == j ? 1 : 0);
    if (autonomous_) matrix(r, m) = rates[at.z[r]] * period_size_ / state_size_;
    if (parameter_)
      matrix(r, columns - 1) = (at.by_parameter[at.z[r]] + rates[at.z[r]] * longer) * range_ / state_size_;
    result.residual.push_back(at.difference[at.z[r]] / state_size_);
  }
  std::size_t row = m;
  if (autonomous_) {
    std::vector<double> along;
    for (const std::size_t i : at.z) along.push_back(base.leaves[i]);
    const double size = length(along);
    const std::vector<double> moved = seen_from(base, place);
    result.residual.push_back(0);
    for (std::size_t j = 0; j < m && size > 0; ++j) {
      matrix(row, j) = along[j] / size;
      result.residual.back() += along[j] / size * moved[j];
    }
    ++row;
  }
  const auto quantity = [&](const BranchQuantity& one, double size) {
    const std::vector<double> slope = one.gradient(at.from, shooting_.parameters());
    const std::vector<double> by_z = transposed_times(at.along, slope);
    for (std::size_t j = 0; j < m; ++j) matrix(row, j) = by_z[j] * state_size_ / size;
    if (autonomous_) matrix(row, m) = one.by_period() * period_size_ / size;
    if (!parameter_) return;
    double by_value = one.by_parameter(at.from, shooting_.parameters());
    for (std::size_t i = 0; i < 2 * n; ++i) by_value += slope[i] * at.along_parameter[i];
    matrix(row, columns - 1) = by_value * range_ / size;
  };
  if (!parameter_) {
    quantity(varied_, range_);
    matrix(row++, columns - 1) = -1;
    result.residual.push_back((value_of(at, place.T) - place.value) / range_);
  }
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const double size = std::max(1.0, std::abs(held_at_[k]));
    quantity(held_[k], size);
    ++row;
    result.residual.push_back((held_[k].value(at.from, place.T, shooting_.parameters()) - held_at_[k]) / size);
  }
  return result;
}

bool BranchEquations::solved(const BranchPlace& place, const Rows& rows) const {
  if (!(place.at.residual <= come_back * place.at.size)) return false;
  return std::all_of(rows.residual.begin() + static_cast<std::ptrdiff_t>(rows.returns), rows.residual.end(),
                     [](double one) { return std::abs(one) <= come_back; });
}

}  // namespace cetaev
