#include "cetaev/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cetaev/detail/constraint/describe.hpp"
#include "layout.hpp"
#include "words.hpp"

namespace cetaev {

namespace {

std::string energy_text(const EnergyAtState& energy) {
  const EnergyValues& values = energy.values;
  std::vector<std::vector<std::string>> rows = {{"", "value", "rate", "by the balance"}};
  rows.push_back({"E", value(values.E), value(values.dE_dt), value(values.dE_dt_balance)});
  if (const auto& r = values.reduced) {
    rows.push_back({"E*", value(r->E), value(r->dE_dt), value(r->dE_dt_balance)});
  }
  std::string text = "\nEnergy\n" + table(rows);
  rows.clear();
  const auto terms = [&](const char* name, const std::vector<BalanceTerm>& list, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (numbers[i] != 0) rows.push_back({name, list[i].formula, value(numbers[i]), list[i].meaning});
    }
  };
  terms("E'", energy.terms.balance, values.balance);
  if (values.reduced) terms("E*'", energy.terms.reduced->balance, values.reduced->balance);
  return text + table(rows);
}

// Where there are several: whose energy it is, and what does work. Rounding does none.
std::string shares_text(const EnergyAtState& energy) {
  const std::vector<double>& shares = energy.values.shares;
  double size = std::abs(energy.values.E);
  for (const double share : shares) size = std::max(size, std::abs(share));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const EnergyShare& share = energy.terms.shares[i];
    if (std::abs(shares[i]) > 1e-13 * size)
      rows.push_back({std::string(to_string(share.kind)), share.of, value(shares[i])});
  }
  return rows.size() < 2 ? std::string() : "\nEnergy in parts\n" + table(rows);
}

std::string outputs_text(const System& system, const Evaluation& evaluation) {
  const std::vector<double>& values = evaluation.outputs;
  const std::vector<std::string> names = system->output_columns();
  if (names.empty() || values.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < names.size(); ++i)
    rows.push_back({names[i], std::isfinite(values[i]) ? value(values[i]) : "no value"});
  // They are those of `multipliers` also where only other forms were asked for.
  const bool shown = evaluation.find(Form::multipliers) != nullptr;
  std::string text = (shown ? "\nOutputs\n" : "\nOutputs, along the motion of d'Alembert–Lagrange\n") + table(rows);
  for (const std::string& note : evaluation.output_notes) text += paragraph("", note, 0);
  return text;
}

// Auxiliary functions for mvm2, and where they were looked for.
std::vector<std::string> proposals(const ProposedAuxiliary& proposed) {
  std::vector<std::string> result;
  for (const ProposedAuxiliary::Set& set : proposed.sets) {
    std::string list;
    for (const std::string& function : set.functions) list += (list.empty() ? "" : ", ") + function;
    result.push_back(fmt::format("without discrepancy with the auxiliary functions {} ({}){}", list, set.ground,
                                 set.zero_relations ? "; their transpositional relations are zero" : ""));
  }
  if (!proposed.complement.empty()) result.push_back(proposed.complement);
  if (!proposed.impossible.empty()) result.push_back(proposed.impossible);
  for (const std::string& place : proposed.searched) result.push_back("searched without success: " + place);
  return result;
}

}  // namespace

std::string to_text(const System& system, const Evaluation& evaluation, const std::optional<EnergyAtState>& energy) {
  const State& state = evaluation.initial.state;
  std::string text = heading(system);

  text += fmt::format("\nState at t = {}{}\n", value(state.t),
                      evaluation.initial.moved ? " (moved to satisfy the constraints)" : "");
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"", "position", "velocity"});
  for (std::size_t i = 0; i < system->size(); ++i)
    rows.push_back({system->coordinates[i], value(state.q[i]), value(state.v[i])});
  text += table(rows);

  const FormResult* reference = evaluation.find(Form::multipliers);
  const CompiledForm::Values* reaction = reference != nullptr && reference->values ? &*reference->values : nullptr;
  const std::size_t k = system->constraints.size();
  if (k == 0) {
    text += "\nNo constraints\n";
  } else {
    text += fmt::format("\n{}", count(k, "constraint", "constraints"));
    if (evaluation.rank) text += fmt::format(", rank {}", *evaluation.rank);
    text += "\n";
    rows.clear();
    rows.push_back({"", "residual"});
    if (reaction) rows.back().emplace_back("multiplier");
    for (std::size_t i = 0; i < k; ++i) {
      rows.push_back({system->constraints[i].label(), value(evaluation.residual[i])});
      if (reaction) rows.back().push_back(value(reaction->multipliers[i]));
    }
    text += table(rows);
    if (reaction && evaluation.rank && *evaluation.rank < k) {
      text += "  The constraints are redundant: these multipliers are the ones of least norm; the other forms use " +
              describe_rows(system, evaluation.rows) + ".\n";
    }
  }

  text += "\nAccelerations\n";
  rows.clear();
  rows.push_back({""});
  for (const std::string& name : system->coordinates) rows.back().push_back(name + "''");
  std::vector<std::string> remarks;
  for (const FormResult& form : evaluation.forms) {
    if (form.error) {
      remarks.push_back(form.form.name() + ": " + form.error->message() +
                        fmt::format(" ({})", to_string(form.error->code())));
      continue;
    }
    rows.push_back({form.form.name()});
    for (const double a : form.values->a) rows.back().push_back(value(a));
    for (const std::string& note : form.notes) remarks.push_back(form.form.name() + ": " + note);
    if (form.discrepancy && *form.discrepancy > 1e-9) {
      remarks.push_back(
          fmt::format("{}: differs from d'Alembert–Lagrange by {}", form.form.name(), value(*form.discrepancy)));
    }
  }
  for (const FormResult& form : evaluation.forms) {
    if (!form.proposed) continue;
    for (const std::string& sentence : proposals(*form.proposed)) remarks.push_back(form.form.name() + ": " + sentence);
  }
  if (rows.size() > 1) text += table(rows);
  for (const std::string& remark : remarks) text += "  " + remark + "\n";
  if (energy) text += energy_text(*energy);
  if (energy) text += shares_text(*energy);
  text += outputs_text(system, evaluation);
  return text::printable(text);
}

std::string to_text(const System& system, const Comparison& comparison) {
  const std::string first = comparison.first.name(), second = comparison.second.name();
  std::string text = fmt::format("{}\n{} and {}\n", system->name, first, second);
  const auto accelerations = [&](const Difference& d) {
    std::vector<std::vector<std::string>> rows = {{"", "position", "velocity", first, second}};
    for (std::size_t i = 0; i < system->size(); ++i) {
      rows.push_back(
          {system->coordinates[i], value(d.state.q[i]), value(d.state.v[i]), value(d.first[i]), value(d.second[i])});
    }
    return table(rows);
  };
  const auto verdict = [&](const Difference& d) {
    return d.largest <= comparison.tolerance
               ? fmt::format("agree (largest difference {:.2g})", d.largest)
               : fmt::format("differ by {:.6g}, most in {}''", d.largest, system->coordinates[d.coordinate]);
  };
  if (comparison.at_initial)
    text +=
        "\nAt the initial state they " + verdict(*comparison.at_initial) + "\n" + accelerations(*comparison.at_initial);
  if (comparison.initial_error)
    text += "\nAt the initial state there is nothing to compare: " + comparison.initial_error->message() + "\n";
  text += fmt::format("\nAt {} they ", count(comparison.states, "random admissible state", "random admissible states"));
  text += comparison.worst ? verdict(*comparison.worst) : "were not compared";
  if (comparison.skipped > 0)
    text += fmt::format("; {} left out", count(comparison.skipped, "state was", "states were"));
  text += "\n";
  if (comparison.worst && comparison.worst->largest > comparison.tolerance) {
    text += fmt::format("The largest difference is at seed {}, t = {}:\n", comparison.worst->seed,
                        value(comparison.worst->state.t));
    text += accelerations(*comparison.worst);
  }
  return text::printable(text);
}

}  // namespace cetaev
