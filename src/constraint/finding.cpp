#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/indices.hpp"

namespace cetaev {

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
  // States are good to about 95 digits. What is asked for is stricter than what is said, so that a small constant of a model
  // (1e-70) does not pass for rounding.
  constexpr double digits = OnSet::wanted_digits + 15, rounding = -88;
  double scale = -HUGE_VAL;  // log10
  if (e.kind() == Kind::sum) {
    scale = e.constant().is_zero() ? -HUGE_VAL : std::log10(std::fabs(e.constant().to_double()));
    for (std::size_t i = 0; i < e.size(); ++i) {
      scale = std::max(scale, balls[i + 1].magnitude_log10() + std::log10(std::fabs(e.coefficient(i).to_double())));
    }
  }
  return balls[0].magnitude_log10() <= std::max(scale - digits, rounding);
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
