#include "cetaev/verify/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "../report/layout.hpp"
#include "along_motion.hpp"
#include "cetaev/analysis/check.hpp"
#include "cetaev/energy/energies.hpp"
#include "cetaev/energy/motion_sample.hpp"
#include "expectations.hpp"
#include "parallel.hpp"

namespace cetaev {

namespace verify {
namespace {

using ItemKind = VerifiedItem::Kind;
using Outcome = VerifiedItem::Outcome;

// Two sides agree when they differ by less than this, beside the larger of the two or 1 (log10).
constexpr double agreement = -50;

std::string states(std::size_t number) { return count(number, "random admissible state", "random admissible states"); }

// At how many states forms and balances are evaluated: systems are solved there in balls, which takes the third power of their size. Of as many coordinates as the
// first of these it is all states that there are, and at least the second.
std::size_t most_states(const System& system) {
  constexpr double coordinates = 128, of_these = 8;
  constexpr std::size_t at_least = 2;
  const double larger = static_cast<double>(system->size()) / coordinates;
  return larger <= 1 ? std::numeric_limits<std::size_t>::max()
                     : std::max(at_least, static_cast<std::size_t>(of_these / (larger * larger * larger)));
}

std::string coordinates_text(const System& system, const State& state) {
  std::string text;
  for (std::size_t i = 0; i < system->size(); ++i)
    text += fmt::format("{}{} = {:.4g}", i == 0 ? "" : ", ", system->coordinates[i], state.q[i]);
  for (std::size_t i = 0; i < system->size(); ++i)
    text += fmt::format(", {}' = {:.4g}", system->coordinates[i], state.v[i]);
  return text;
}

// Dₜ I = 0 on the constraint set, and I constant along the computed motion.
std::vector<VerifiedItem> verify_integrals(const System& system, const Check& check, const ComputedMotion& motion) {
  std::vector<VerifiedItem> items;
  for (std::size_t i = 0; i < check.integrals.size(); ++i) {
    const DeclaredIntegral& integral = check.integrals[i];
    VerifiedItem item{ItemKind::integral, integral.name, Outcome::holds, ground(system, integral.conserved),
                      system->integrals[i].position};
    const auto away = departure(system, system->integrals[i].expression, motion);
    const bool tested = integral.conserved.answer != Finding::Answer::undecided;
    if (away) {
      item.evidence += !std::isfinite(*away) ? "; it has no value somewhere along the motion"
                       : tested              ? fmt::format("; kept to {:.1e} along the motion", *away)
                                : fmt::format("; that it is kept to {:.1e} along the motion is all there is", *away);
    }
    if (integral.conserved.fails() || (away && !(*away <= kept))) {
      item.outcome = Outcome::fails;
      if (integral.conserved.fails()) item.evidence = "its time derivative " + item.evidence;
    } else if (!integral.conserved.holds() && !away) {
      item.outcome = Outcome::does_not_apply;
    }
    items.push_back(std::move(item));
  }
  return items;
}

// The accelerations of every principle that must agree with `multipliers`, in balls at the same states.
std::vector<VerifiedItem> verify_forms(OnSet& set, const Terms& terms, const Check& check,
                                       const MotionSample& reference) {
  const System& system = set.system();
  std::vector<VerifiedItem> items;
  for (const Principle& principle : principles()) {
    if (!principle.dalembert_lagrange || principle == cetaev::Form::multipliers) continue;
    VerifiedItem item{ItemKind::forms, std::string(principle.name), Outcome::holds, "", std::nullopt};
    const MotionSample motions(set, terms, principle.name, check.dependent, most_states(system));
    std::size_t compared = 0;
    for (const MotionSample::Motion& motion : motions.motions()) {
      const auto same = std::find_if(reference.motions().begin(), reference.motions().end(),
                                     [&](const auto& other) { return other.state == motion.state; });
      if (same == reference.motions().end()) continue;
      ++compared;
      for (std::size_t i = 0; i < system->size(); ++i) {
        const Ball difference = motion.a[i] - same->a[i];
        const double size = std::max(0.0, same->a[i].magnitude_log10());
        if (difference.magnitude_log10() - size < agreement) continue;
        item.outcome = Outcome::fails;
        item.evidence = fmt::format("{}'' differs from multipliers by {:.3g} at {}", system->coordinates[i],
                                    difference.midpoint(), coordinates_text(system, motion.state->rounded));
        break;
      }
      if (item.outcome == Outcome::fails) break;
    }
    if (item.outcome != Outcome::fails) {
      if (compared > 0) {
        item.evidence = fmt::format("equal to multipliers to {} digits at {}", -agreement, states(compared));
      } else {
        item.outcome = Outcome::does_not_apply;
        item.evidence = motions.obstacle() ? motions.obstacle()->message() : "no state to compare at";
      }
    }
    items.push_back(std::move(item));
  }
  return items;
}

struct Law {
  std::string name;
  Expr left, right;
};

std::vector<Law> energy_laws(const System& system, const EnergyTerms& terms) {
  const auto sum = [&](const std::vector<BalanceTerm>& list) {
    Expr total = system->context->zero();
    for (const BalanceTerm& term : list) total = total + term.expression;
    return total;
  };
  std::vector<Law> laws = {{"the balance of E", terms.dE_dt, sum(terms.balance)}};
  if (terms.reduced) {
    laws.push_back({"the balance of E*", terms.reduced->dE_dt, sum(terms.reduced->balance)});
    laws.push_back({"E* - E", terms.reduced->E, terms.reduced->E_by_excess});
    laws.push_back({"the power of the reactions", terms.reduced->reaction_power, terms.reaction_power});
  }
  return laws;
}

VerifiedItem verify_energy(const System& system, const MotionSample& motions) {
  VerifiedItem item{ItemKind::energy, "balance", Outcome::holds, "", std::nullopt};
  std::size_t compared = 0;
  for (std::size_t s = 0; s < motions.settings().size(); ++s) {
    const Energies energies(*motions.settings()[s]);
    const std::vector<Law> laws = energy_laws(system, energies.terms());
    std::vector<Expr> outputs;
    for (const Law& law : laws) outputs.insert(outputs.end(), {law.left - law.right, law.left});
    const Program program = energies.program(outputs);
    for (const MotionSample::Motion& motion : motions.motions()) {
      std::vector<Ball> balls;
      if (motion.setting != s || run_in_balls(program, motion.inputs(), balls, OnSet::bits) >= 0) continue;
      bool decided = true;
      for (std::size_t i = 0; i < laws.size() && decided; ++i) {
        const double size = std::max(0.0, balls[2 * i + 1].magnitude_log10());
        if (balls[2 * i].is_finite() && balls[2 * i].magnitude_log10() - size < agreement) continue;
        // where the dependent velocities hardly serve the balls are too wide to tell
        decided = balls[2 * i].is_finite() && !balls[2 * i].contains_zero();
        if (!decided) break;
        item.outcome = Outcome::fails;
        item.evidence = fmt::format("{} is off by {:.3g} at {}", laws[i].name, balls[2 * i].midpoint(),
                                    coordinates_text(system, motion.state->rounded));
        return item;
      }
      if (decided) ++compared;
    }
  }
  if (compared == 0) {
    item.outcome = Outcome::does_not_apply;
    item.evidence = motions.obstacle() ? motions.obstacle()->message() : "no state to test at";
  } else {
    item.evidence = fmt::format("closes to {} digits at {}", -agreement, states(compared));
  }
  return item;
}

void append(std::vector<VerifiedItem>& to, std::vector<VerifiedItem> items) {
  std::move(items.begin(), items.end(), std::back_inserter(to));
}

}  // namespace
}  // namespace verify

std::string_view to_string(VerifiedItem::Kind kind) {
  switch (kind) {
    case VerifiedItem::Kind::expectation: return "expect";
    case VerifiedItem::Kind::integral: return "integral";
    case VerifiedItem::Kind::closed_form: return "closed form";
    case VerifiedItem::Kind::forms: return "form";
    case VerifiedItem::Kind::energy: return "energy";
    case VerifiedItem::Kind::motion: return "motion";
  }
  return "";
}

std::string_view to_string(VerifiedItem::Outcome outcome) {
  switch (outcome) {
    case VerifiedItem::Outcome::holds: return "holds";
    case VerifiedItem::Outcome::fails: return "fails";
    case VerifiedItem::Outcome::does_not_apply: return "does not apply";
  }
  return "";
}

bool VerifiedModel::passed() const {
  return !error && std::none_of(items.begin(), items.end(),
                                [](const VerifiedItem& i) { return i.outcome == VerifiedItem::Outcome::fails; });
}

VerifiedModel verify_model(const System& model) {
  const Workbench bench(model);
  Groundwork work = bench.groundwork();
  const System& system = work.system();
  const auto start = std::chrono::steady_clock::now();
  VerifiedModel result;
  result.name = result.title = system->name;
  const verify::ComputedMotion motion(bench);
  const Check said = check(work, motion.form);
  verify::append(result.items, verify::verify_expectations(system, said));
  verify::append(result.items, verify::verify_integrals(system, said, motion));
  verify::append(result.items, verify::verify_closed_forms(system, motion));

  const MotionSample motions(work.set(), work.terms(), cetaev::Form::multipliers, said.dependent,
                             verify::most_states(system));
  verify::append(result.items, verify::verify_forms(work.set(), work.terms(), said, motions));
  result.items.push_back(verify::verify_energy(system, motions));
  result.items.push_back(verify::verify_motion(system, motion));
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::vector<VerifiedModel> verify_models(std::span<const ModelToVerify> models, const VerifyOptions& options) {
  std::vector<std::optional<VerifiedModel>> results(models.size());
  std::size_t finished = 0;
  verify::in_parallel(
      models.size(), {options.threads, options.interrupted},
      [&](std::size_t i) {
        VerifiedModel result;
        try {
          result = verify_model(models[i].read());
        } catch (const Error& error) {
          result.error = error;
        }
        result.name = models[i].name;
        results[i] = std::move(result);
      },
      [&](std::size_t i) {
        ++finished;
        if (options.progress) options.progress(*results[i], finished, models.size());
      });
  std::vector<VerifiedModel> all;
  for (auto& result : results)
    if (result) all.push_back(std::move(*result));
  return all;
}

}  // namespace cetaev
