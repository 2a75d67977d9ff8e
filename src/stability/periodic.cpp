// Shooting: z(T) = z(0) on the constraints, up to ignorable coordinates and turns of angles, by Newton's method
//
//   (S(T) − 1) δz + z'(T) δT = −(z(T) − z(0))
//
// of least length, since periodic motions come in families and every state of one is as good as the others. S(T) is the matrix whose
// eigenvalues are Floquet's multipliers.
#include "cetaev/stability/periodic.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "shooting.hpp"

namespace cetaev {

namespace {

constexpr int most_iterations = 60, most_halvings = 12;
// The period that was given, or so many times as long, or as short.
constexpr double most_times = 3;

// δq, δv and δT.
std::pair<std::vector<double>, double> newton(const Shooting& shooting, const Return& here) {
  const std::size_t m = here.z.size(), n = shooting.size(), columns = m + (shooting.autonomous() ? 1 : 0);
  std::vector<double> change(2 * n);
  if (m == 0) return {change, 0};
  DenseMatrix system(m, columns);
  std::vector<double> right;
  const std::vector<double> rates = shooting.autonomous() ? shooting.rates(here.to) : std::vector<double>();
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t j = 0; j < m; ++j) system(r, j) = here.S(here.z[r], j) - (r == j ? 1 : 0);
    if (shooting.autonomous()) system(r, m) = rates[here.z[r]];
    right.push_back(-here.difference[here.z[r]]);
  }
  std::vector<double> step = LeastNorm(system, least_pivot_of_newton).solve(right);
  const double longer = shooting.autonomous() ? step.back() : 0;
  step.resize(m);
  add_product(here.along, step, change);
  return {change, longer};
}

}  // namespace

Returned find_return(Shooting& shooting, const State& from, double period) {
  if (!shooting.autonomous()) shooting.require_period(period);
  const std::size_t n = shooting.size();
  double T = period;
  const Carried carried = shooting.carried();
  const std::size_t before = shooting.steps();
  const auto too_much = [&] { return carried.is_large() && carried.effort(shooting.steps() - before) > most_effort; };
  Return here = shooting.shoot(from, T, shooting.chart(from));
  shooting.find_turns(here);
  for (int iteration = 0; iteration < most_iterations && here.residual > 0 && !too_much(); ++iteration) {
    const auto [change, longer] = newton(shooting, here);
    double factor = 1;
    bool better = false;
    for (int halving = 0; halving < most_halvings && !better && !too_much(); ++halving, factor /= 2) {
      State next = here.from;
      for (std::size_t i = 0; i < n; ++i) {
        next.q[i] += factor * change[i];
        next.v[i] += factor * change[n + i];
      }
      const double next_T = T + factor * longer;
      // every state comes back after no time at all
      if (!(next_T / period > 1 / most_times) || next_T / period > most_times) continue;
      try {
        Return there = shooting.shoot(next, next_T, shooting.chart(next));
        better = there.residual < here.residual;
        if (!better) continue;
        here = std::move(there);
        T = next_T;
      } catch (const Error&) {
        // shorter
      }
    }
    if (!better) break;
  }
  if (!(here.residual <= come_back * here.size))
    throw Error(ErrorCode::not_periodic,
                fmt::format("no periodic motion was found near the initial state with a period near {:.6g}: the best "
                            "one comes back to {:.2g} after {:.6g}",
                            period, here.residual, T) +
                    (too_much() ? fmt::format("; it was not looked for further: {} numbers were carried over {} steps",
                                              carried.numbers(), shooting.steps() - before)
                                : ""));
  if (shooting.autonomous() && !shooting.moves_at(here))
    throw Error(ErrorCode::not_periodic,
                "what was found is no periodic motion but a steady one, which comes back after any time: " +
                    describe_positions(shooting.system(), here.from.q, all_indices(n)) +
                    "; begin further away from it, with a period nearer to that of a motion");
  return {std::move(here), T};
}

PeriodicMotion find_periodic(const System& system, double period, const MotionOptions& options) {
  if (!std::isfinite(period) || !(period > 0))
    throw Error(ErrorCode::bad_model, "a period is a finite time greater than zero");
  Shooting shooting(system, options);
  const Returned found = find_return(shooting, shooting.initial(), period);
  return shooting.motion(found.at, found.period);
}

}  // namespace cetaev
