#include "cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/expr/rational_of.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/derivative.hpp"
#include "state_map.hpp"

namespace cetaev {

namespace {

double value_of(Expr e, const System& system, const State& state) {
  const std::vector<Expr> symbols = state_symbols(system);
  const std::vector<double> numbers = state_values(state, parameter_values(system));
  std::vector<Value> values;
  for (std::size_t i = 0; i < symbols.size(); ++i) values.emplace_back(symbols[i], numbers[i]);
  return evaluate(e, values);
}

bool is_on(const CellSide& side, const System& system, const State& state) {
  return side.sign * value_of(side.expression, system, state) > 0;
}

}  // namespace

std::vector<Expr> jumps_of(Expr f, std::span<const Expr> moving) {
  std::vector<Expr> found;
  const std::vector<Expr> symbols = free_symbols(std::array{f});
  for (const Expr u : switching(std::array{f}, moving)) {
    Random random(11);
    bool jumps = false;
    for (int trial = 0; trial < 12 && !jumps; ++trial) {
      std::vector<Value> at;
      for (const Expr s : symbols) at.emplace_back(s, random.uniform(-2, 2));
      for (std::size_t k = 0; k < at.size() && !jumps; ++k) {
        const Expr x = at[k].first;
        if (std::find(moving.begin(), moving.end(), x) == moving.end() || !depends_on(u, std::span(&x, 1))) continue;
        // Newton's method along x alone
        const Expr slope = derivative(u, x);
        const double before = at[k].second;
        for (int step = 0; step < 50; ++step) at[k].second -= evaluate(u, at) / evaluate(slope, at);
        const double zero = at[k].second;
        if (std::isfinite(zero) && std::fabs(evaluate(u, at)) < 1e-9) {
          const auto gap = [&](double distance) {
            at[k].second = zero + distance;
            const double above = evaluate(f, at);
            at[k].second = zero - distance;
            return std::fabs(above - evaluate(f, at));
          };
          // a pole grows, what is continuous shrinks with the distance, a jump stays
          const double far = gap(1e-5 * (1 + std::fabs(zero))), near = gap(1e-7 * (1 + std::fabs(zero)));
          jumps = std::isfinite(far) && near > 0.5 * far && near < 2 * far && near > 1e-3;
        }
        at[k].second = before;
      }
    }
    if (jumps) found.push_back(u);
  }
  return found;
}

std::string CellSide::text() const { return to_string(expression) + (sign > 0 ? " > 0" : " < 0"); }

namespace {

bool is_of_time(Expr e, const Motion& motion) { return !depends_on(e, motion.q) && !depends_on(e, motion.v); }

// How long after a state a function of time is zero that it is nearest to.
std::optional<double> time_until(const System& system, const State& state, Expr difference) {
  const std::vector<Expr> equations = {difference};
  const std::size_t place = 2 * system->size();
  StateMap map(system, equations, jacobian(equations, std::array{system->motion.t}), all_indices(1), place);
  std::vector<double> inputs = state_values(state, parameter_values(system));
  inputs.resize(inputs.size() + system->size(), 0.0);
  std::vector<double> t = {state.t};
  if (!zero_set_of(map, inputs).reach(t)) return std::nullopt;
  return t[0] - state.t;
}

// The same model at another initial time.
System later(const System& system, const Rational& time) {
  return system.with([&](SystemData& data) {
    data.initial.t = (data.initial.t ? *data.initial.t : data.context->zero()) + data.context->number(time);
  });
}

std::optional<State> state_with(const System& system, std::span<const CellSide> of, std::vector<CellSide> held,
                                const Rational& scale, std::uint64_t seed) {
  const Motion& motion = system->motion;
  // which side is held first matters where two cannot be held at once: sin u = s leaves cos u to chance, and cos u = s sin u
  std::vector<CellSide> sides(of.begin(), of.end());
  if (!sides.empty())
    std::rotate(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(seed % sides.size()), sides.end());
  Rational time;  // added to the initial one
  Admissible own(system);
  for (std::size_t round = 0; round <= sides.size(); ++round) {
    const System restricted = (time.is_zero() ? system : later(system, time)).with([&](SystemData& data) {
      for (const CellSide& side : held) {
        Constraint constraint;
        constraint.expression = side.expression - data.context->number(Rational(side.sign) * scale);
        constraint.order = depends_on(side.expression, motion.v) ? 1 : 0;
        data.constraints.push_back(std::move(constraint));
      }
    });
    std::optional<State> state = Admissible(restricted).random(seed);
    if (!state) return std::nullopt;
    // Velocities along which what is held stays as it is are special: any others will do.
    const bool positions = std::any_of(held.begin(), held.end(),
                                       [&](const CellSide& side) { return !depends_on(side.expression, motion.v); });
    if (positions) {
      if (const auto free = own.random_velocity(*state, seed)) {
        const bool same =
            std::all_of(held.begin(), held.end(), [&](const CellSide& side) { return is_on(side, system, *free); });
        if (same) state = free;
      }
    }
    const auto missed =
        std::find_if(sides.begin(), sides.end(), [&](const CellSide& side) { return !is_on(side, system, *state); });
    if (missed == sides.end()) return state;
    if (is_of_time(missed->expression, motion)) {
      // time alone: look for a moment
      bool found = false;
      for (const long times : {1, -1, 8, -8, 64, -64}) {
        const Rational step = Rational(times) * scale;
        State later = *state;
        later.t += step.to_double();
        if (!is_on(*missed, system, later)) continue;
        time = time + step;
        found = true;
        break;
      }
      if (!found) return std::nullopt;
    } else {
      if (std::any_of(held.begin(), held.end(),
                      [&](const CellSide& side) { return side.expression == missed->expression; }))
        return std::nullopt;
      held.push_back(*missed);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<State> state_on(const System& system, std::span<const CellSide> sides, const Rational& scale,
                              std::uint64_t seed) {
  return state_with(system, sides, {}, scale, seed);
}

std::optional<State> state_near(const System& system, const CellSide& side, const Rational& scale, std::uint64_t seed) {
  if (!is_of_time(side.expression, system->motion)) return state_with(system, {}, {side}, scale, seed);
  const std::optional<State> now = Admissible(system).random(seed);
  if (!now) return std::nullopt;
  const Expr there = side.expression - side.expression.context().number(Rational(side.sign) * scale);
  const std::optional<double> until = time_until(system, *now, there);
  if (!until) return std::nullopt;
  return Admissible(later(system, rational_of(*until))).random(seed);
}

}  // namespace cetaev
