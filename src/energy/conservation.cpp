#include "cetaev/energy/conservation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/constraint/describe.hpp"

namespace cetaev {

namespace {

// Balls of the summands of a balance at every motion, and their verdicts.
struct Sampled {
  std::vector<Finding> terms;
  Finding sum;
};

Finding judge(std::span<const std::pair<const PreciseState*, std::pair<double, double>>> values) {
  // (state, (log10 of the size, value)) relative to the largest term
  for (const auto& [state, value] : values) {
    if (value.first > -OnSet::wanted_digits) return Finding::failure(state->rounded, value.second);
  }
  return Finding::evidence(static_cast<int>(values.size()), OnSet::wanted_digits);
}

// The energy itself, its rate and the summands of a balance, of every motion, or of those on one branch of the set.
Sampled sample(const MotionSample& motions, bool reduced, std::optional<std::size_t> branch = {}) {
  using Sized = std::pair<const PreciseState*, std::pair<double, double>>;
  std::vector<std::vector<Sized>> terms;
  std::vector<Sized> sums;
  std::vector<std::optional<Program>> programs(motions.settings().size());
  std::vector<bool> refused(motions.settings().size(), false);
  for (const MotionSample::Motion& motion : motions.motions()) {
    const bool elsewhere = branch && (motion.state->branch != *branch || !motion.on_its_branch);
    if (refused[motion.setting] || elsewhere) continue;
    if (!programs[motion.setting]) {
      const Energies energies(*motions.settings()[motion.setting]);
      const EnergyTerms& e = energies.terms();
      if (reduced && !e.reduced) {
        refused[motion.setting] = true;
        continue;
      }
      std::vector<Expr> outputs = {reduced ? e.reduced->E : e.E};
      const auto& balance = reduced ? e.reduced->balance : e.balance;
      for (const BalanceTerm& term : balance) outputs.push_back(term.expression);
      std::vector<Expr> all(outputs.begin() + 1, outputs.end());
      outputs.push_back(e.E.context().sum(all));
      programs[motion.setting].emplace(energies.program(outputs));
    }
    std::vector<Ball> balls;
    if (run_in_balls(*programs[motion.setting], motion.inputs(), balls, OnSet::bits) >= 0) continue;
    double scale = -20;
    bool finite = true;
    for (const Ball& ball : balls) {
      finite = finite && ball.is_finite();
      scale = std::max(scale, ball.magnitude_log10());
    }
    if (!finite) continue;
    terms.resize(balls.size() - 2);
    const auto sized = [&](const Ball& ball) {
      return Sized{motion.state, {ball.magnitude_log10() - scale, ball.midpoint()}};
    };
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].push_back(sized(balls[i + 1]));
    sums.push_back(sized(balls.back()));
  }
  Sampled result;
  for (const auto& term : terms) result.terms.push_back(judge(term));
  result.sum = judge(sums);
  return result;
}

// "the force on phi", "the forces on x and y"
std::string forces(const System& system) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < system->size(); ++i) {
    if (!system->forces[i].is_zero()) names.push_back(system->coordinates[i]);
  }
  return (names.size() == 1 ? "the force on " : "the forces on ") + enumerate(names);
}

bool has_forces(const System& system) {
  return std::any_of(system->forces.begin(), system->forces.end(), [](Expr f) { return !f.is_zero(); });
}

bool on_accelerations(const System& system) {
  return std::any_of(system->constraints.begin(), system->constraints.end(),
                     [](const Constraint& c) { return c.order == 2; });
}

std::string why_conserved(const System& system, const Homogeneity& homogeneity, const EnergyVerdict& verdict) {
  std::vector<std::string> reasons;
  std::vector<std::string> cancelling;
  for (const EnergyVerdict::Term& term : verdict.terms) {
    if (!term.zero.holds()) cancelling.push_back("the " + term.meaning);
  }
  if (!cancelling.empty()) return enumerate(cancelling) + " cancel";
  reasons.emplace_back("L does not depend on time");
  if (has_forces(system)) {
    const std::string who = forces(system);
    reasons.push_back(who + (who.starts_with("the forces") ? " do no work" : " does no work"));
  }
  if (!system->constraints.empty()) {
    reasons.emplace_back(on_accelerations(system) ? "the reactions do no work"
                         : homogeneity.conic.holds()
                             ? "the admissible velocities form a cone, so the reactions do no work"
                             : "the reactions do no work, although the admissible velocities form no cone");
  }
  return enumerate(reasons);
}

std::string why_not_conserved(const System& system, const EnergyVerdict& verdict) {
  std::vector<std::string> reasons;
  if (verdict.terms[0].zero.fails()) reasons.emplace_back("L depends on time");
  if (verdict.terms[1].zero.fails()) {
    reasons.emplace_back(on_accelerations(system)
                             ? "the reactions do work"
                             : "the reactions do work, since the admissible velocities form no cone");
  }
  if (verdict.terms[2].zero.fails()) {
    const std::string who = forces(system);
    reasons.push_back(who + (who.starts_with("the forces") ? " do work" : " does work"));
  }
  return enumerate(reasons);
}

// Terms of degree 0 or 1 in L that belong to the kinetic energy: E is then not T + V.
bool is_jacobi(const System& system) {
  const Motion& motion = system->motion;
  std::vector<Expr> momenta = gradient(system->lagrangian, motion.v);
  std::vector<Expr> terms = {-system->lagrangian};
  for (std::size_t i = 0; i < motion.v.size(); ++i) terms.push_back(motion.v[i] * momenta[i]);
  const Expr E = system->context->sum(terms);
  if (system->kinetic) {
    const Expr potential = system->potential ? *system->potential : system->context->zero();
    return !vanishes(E - (*system->kinetic + potential));
  }
  // only L is known: is its part with velocities homogeneous of degree 2?
  std::vector<Replacement> rest;
  for (const Expr v : motion.v) rest.emplace_back(v, system->context->zero());
  try {
    const Expr moving = system->lagrangian - substitute(system->lagrangian, rest);
    if (moving.is_zero()) return false;
    const auto degree = homogeneity_degree(moving, motion.v);
    return !degree || *degree != Rational(2);
  } catch (const Error&) {
    return true;  // L has no value at rest
  }
}

}  // namespace

EnergyVerdict energy_verdict(OnSet& set, const Homogeneity& homogeneity, const MotionSample& motions) {
  const System& system = set.system();
  const Motion& motion = system->motion;
  EnergyVerdict verdict;
  verdict.jacobi = is_jacobi(system);
  verdict.same = homogeneity.conic.holds();

  const Sampled sampled = sample(motions, false);
  const auto term_of = [](const Sampled& of, std::size_t i) { return of.terms.empty() ? Finding{} : of.terms[i]; };
  std::vector<Expr> power;
  for (std::size_t i = 0; i < system->size(); ++i) power.push_back(system->forces[i] * motion.v[i]);
  const Expr by_time = derivative(system->lagrangian, motion.t), by_forces = system->context->sum(power);
  verdict.terms.push_back({"-dL/dt", "explicit time in L", set.vanishes(by_time)});
  verdict.terms.push_back(
      {"lambda J v", "power of the reactions", homogeneity.conic.holds() ? homogeneity.conic : term_of(sampled, 1)});
  verdict.terms.push_back({"F v", "power of the forces", set.vanishes(by_forces)});
  std::vector<Finding> zeros;
  for (const auto& term : verdict.terms) zeros.push_back(term.zero);
  verdict.conserved = all_of(zeros);
  // Terms that do not vanish may cancel; only the motion tells.
  if (!verdict.conserved.holds()) verdict.conserved = set.on_all_branches(std::array{sampled.sum});
  if (set.branches().size() > 1) {
    const std::vector<Finding> time = set.vanishes_by_branch(by_time), work = set.vanishes_by_branch(by_forces);
    for (std::size_t k = 0; k < set.branches().size(); ++k) {
      const Sampled here = sample(motions, false, set.branches()[k].number);
      const Finding reactions = homogeneity.by_branch[k].holds() ? homogeneity.by_branch[k] : term_of(here, 1);
      const Finding all = all_of(std::array{time[k], reactions, work[k]});
      verdict.by_branch.push_back(all.holds() ? all : here.sum);
    }
    // where motions are only those of least constraint, they are on the nearest branch
    if (std::ranges::all_of(motions.motions(), &MotionSample::Motion::on_its_branch))
      verdict.conserved = set.on_all_branches(verdict.by_branch);
  }
  if (verdict.conserved.holds()) {
    verdict.because = why_conserved(system, homogeneity, verdict);
  } else if (verdict.conserved.fails()) {
    verdict.because = why_not_conserved(system, verdict);
  } else {
    verdict.because =
        (motions.obstacle() ? motions.obstacle()->message() : std::string("no motion could be evaluated"));
  }

  if (!verdict.same) {
    const Sampled star = sample(motions, true);
    if (!star.terms.empty()) {
      const EnergyTerms terms(*motions.settings()[motions.motions().front().setting]);
      std::vector<std::string> acting;
      for (std::size_t i = 0; i < star.terms.size(); ++i) {
        const BalanceTerm& term = terms.reduced->balance[i];
        verdict.star_terms.push_back({term.formula, term.meaning, star.terms[i]});
        if (!star.terms[i].holds()) acting.push_back(term.meaning);
      }
      verdict.star_conserved = star.sum;
      if (star.sum.holds()) {
        verdict.star_because = acting.empty() ? "every term of its balance vanishes" : enumerate(acting) + " cancel";
      } else {
        verdict.star_because = "it changes by " + enumerate(acting);
      }
    }
  }
  return verdict;
}

}  // namespace cetaev
