#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/indices.hpp"

namespace cetaev {

namespace {

// −infinity of zero; numbers may be beyond the range of doubles.
double log10_of(const Rational& number) { return Ball(number).magnitude_log10(); }

// What the states leave open, which are good to about 95 digits: how large e is nothing tells but how much it changes there.
bool zero_nearby(Expr e, std::span<const BallValue> at, const Ball& there) {
  constexpr double off = 1e-90;
  std::vector<BallValue> near;
  for (const auto& [symbol, ball] : at) {
    const Ball size = Ball::from_double(std::max(1.0, ball.magnitude()));
    near.emplace_back(symbol, ball + Ball::between(-off, off) * size);
  }
  const Ball enclosure = evaluate_ball(e, near, OnSet::bits);
  // where a function ends close by there is no other measure than the state itself
  constexpr double rounding = -88;
  return enclosure.is_finite() ? enclosure.contains_zero() : there.magnitude_log10() <= rounding;
}

}  // namespace

bool zero_at(Expr e, std::span<const BallValue> at, double* value) {
  std::vector<Expr> parts = {e};
  if (e.kind() == Kind::sum) {
    for (std::size_t i = 0; i < e.size(); ++i) parts.push_back(e.term(i));
  }
  const std::vector<Ball> balls = evaluate_balls(parts, at, OnSet::bits);
  if (value != nullptr) *value = balls[0].is_finite() ? balls[0].midpoint() : NAN;
  if (!balls[0].is_finite()) return false;
  // a product is as zero as one of its factors
  const Expr bare = e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero() ? e.term(0) : e;
  if (bare.kind() == Kind::product) {
    for (std::size_t i = 0; i < bare.size(); ++i)
      if (bare.exponent(i).sign() > 0 && bare.base(i).kind() == Kind::sum && zero_at(bare.base(i), at)) return true;
  }
  // What is asked for is stricter than what is said, so that a small constant of a model (1e-70) does not pass for rounding.
  constexpr double digits = OnSet::wanted_digits + 15;
  double scale = -HUGE_VAL;  // log10
  if (e.kind() == Kind::sum) {
    scale = log10_of(e.constant());
    for (std::size_t i = 0; i < e.size(); ++i) {
      scale = std::max(scale, balls[i + 1].magnitude_log10() + log10_of(e.coefficient(i)));
    }
  }
  return balls[0].magnitude_log10() <= scale - digits || zero_nearby(e, at, balls[0]);
}

Finding all_of(std::span<const Finding> findings) {
  Finding result;
  result.answer = Finding::Answer::holds;
  result.proved = true;
  bool counted = false;
  for (const Finding& finding : findings) {
    if (finding.fails()) return finding;
    if (!finding.holds()) result.answer = Finding::Answer::undecided;
    result.branches = std::max(result.branches, finding.branches);
    if (finding.not_reached.size() > result.not_reached.size()) result.not_reached = finding.not_reached;
    if (finding.proved) continue;
    result.proved = false;
    result.states = counted ? std::min(result.states, finding.states) : finding.states;
    result.digits = counted ? std::min(result.digits, finding.digits) : finding.digits;
    counted = true;
  }
  return result;
}

namespace {
std::string every_branch(std::size_t number) {
  return number == 2 ? "both branches" : fmt::format("all {} branches", number);
}
}  // namespace

std::string ground(const System& system, const Finding& finding) {
  switch (finding.answer) {
    case Finding::Answer::undecided: return "no admissible state could be evaluated";
    case Finding::Answer::holds:
      if (finding.proved)
        return finding.branches == 1 ? "proved by algebra" : "proved by algebra on " + every_branch(finding.branches);
      return fmt::format(
          "holds at {} random admissible state{}{} to {} digits{}", finding.states, finding.states == 1 ? "" : "s",
          finding.branches == 1 ? "" : " on each of " + std::to_string(finding.branches) + " branches", finding.digits,
          finding.not_reached.empty()
              ? ""
              : fmt::format("; no state was found where {}", fmt::join(finding.not_reached, " or where ")));
    case Finding::Answer::fails: break;
  }
  const std::vector<std::size_t> every = all_indices(system->size());
  return fmt::format("fails at {}, {}, t = {:.6g}, by {:.6g}", describe_positions(system, finding.witness->q, every),
                     describe_velocities(system, finding.witness->v, every), finding.witness->t + 0.0, finding.value);
}

}  // namespace cetaev
