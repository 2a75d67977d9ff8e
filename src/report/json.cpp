#include "cetaev/report/json.hpp"

#include <cmath>

#include "json_values.hpp"
#include "words.hpp"

namespace cetaev {

namespace {

// Values on the independent rows as one entry per scalar constraint; the redundant ones take no part.
Json by_row(const System& system, const Evaluation& evaluation, const std::vector<double>& values) {
  std::vector<double> all(system->constraints.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) all[evaluation.rows[i]] = values[i];
  return numbers(all);
}

void add_proposals(Json& object, const ProposedAuxiliary& proposed) {
  if (!proposed.sets.empty()) object["proposed_auxiliary"] = proposed.sets.front().functions;
  Json sets = Json::array();
  for (const ProposedAuxiliary::Set& set : proposed.sets) {
    Json entry{{"kind", set.potentials.empty() ? "linear" : "total-derivatives"}, {"functions", set.functions}};
    if (!set.potentials.empty()) entry["potentials"] = set.potentials;
    entry["zero_relations"] = set.zero_relations;
    entry["because"] = set.ground;
    sets.push_back(std::move(entry));
  }
  Json complement{{"integrable", proposed.integrable ? Json(*proposed.integrable) : Json(nullptr)},
                  {"proved", proposed.proved},
                  {"because", proposed.complement}};
  object["proposals"] = Json{{"sets", sets}, {"complement", complement}, {"searched", proposed.searched}};
  if (!proposed.impossible.empty()) object["proposals"]["impossible"] = proposed.impossible;
}

Json form_json(const System& system, const Evaluation& evaluation, const FormResult& form) {
  Json object;
  if (form.error) {
    object["error"] = diagnosis(*form.error);
    return object;
  }
  const CompiledForm::Values& values = *form.values;
  object["a"] = by_coordinate(system, values.a);
  if (form.form->reactions == FormReactions::multipliers) object["multipliers"] = numbers(values.multipliers);
  if (form.form->state == FormState::velocities_and_multipliers) object["lambda"] = numbers(evaluation.lambda);
  if (form.form->reactions == FormReactions::multiplier_rates)
    object["lambda_dot"] = by_row(system, evaluation, values.lambda_dot);
  if (form.discrepancy) object["discrepancy"] = number(*form.discrepancy);
  if (form.determinant) object["determinant"] = number(*form.determinant);
  if (!values.transpositional.empty()) {
    Json matrix = Json::array();
    const std::size_t n = system->size();
    for (std::size_t i = 0; i < n; ++i) {
      matrix.push_back(numbers({values.transpositional.begin() + static_cast<std::ptrdiff_t>(i * n),
                                values.transpositional.begin() + static_cast<std::ptrdiff_t>((i + 1) * n)}));
    }
    object["transpositional"] = matrix;
  }
  if (!values.transpositional.empty()) {
    object["vanishing_relations"] = Json::array();
    for (const std::size_t i : form.vanishing_relations)
      object["vanishing_relations"].push_back(system->coordinates[i]);
  }
  if (form.proposed) add_proposals(object, *form.proposed);
  if (!form.notes.empty()) object["notes"] = form.notes;
  return object;
}

}  // namespace

std::string to_json(const Error& error) { return dump(Json{{"error", diagnosis(error)}}); }

namespace {

Json terms_json(const std::vector<BalanceTerm>& terms, const std::vector<double>& values) {
  Json list = Json::array();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    list.push_back(Json{{"term", terms[i].formula}, {"meaning", terms[i].meaning}, {"value", number(values[i])}});
  }
  return list;
}

// A number for a scalar, an array of three for a vector; null where there is no value.
Json outputs_json(const System& system, const std::vector<double>& values) {
  Json object = Json::object();
  std::size_t next = 0;
  for (const Output& output : system->outputs) {
    Json list = Json::array();
    for (std::size_t c = 0; c < output.components.size(); ++c, ++next) {
      const bool there = next < values.size() && std::isfinite(values[next]);
      list.push_back(there ? number(values[next]) : Json(nullptr));
    }
    object[output.name] = list.size() == 1 ? list[0] : list;
  }
  return object;
}

Json energy_json(const EnergyAtState& energy) {
  const EnergyValues& values = energy.values;
  const auto optional = [&](double EnergyValues::Reduced::*member) {
    return values.reduced ? number((*values.reduced).*member) : Json(nullptr);
  };
  Json object;
  object["E"] = number(values.E);
  object["E_star"] = optional(&EnergyValues::Reduced::E);
  object["dE_dt"] = number(values.dE_dt);
  object["dE_dt_balance"] = number(values.dE_dt_balance);
  object["dE_star_dt"] = optional(&EnergyValues::Reduced::dE_dt);
  object["dE_star_dt_balance"] = optional(&EnergyValues::Reduced::dE_dt_balance);
  object["reaction_power"] = number(values.reaction_power);
  object["balance"] = terms_json(energy.terms.balance, values.balance);
  if (values.reduced) object["balance_star"] = terms_json(energy.terms.reduced->balance, values.reduced->balance);
  object["parts"] = Json::array();
  for (std::size_t i = 0; i < values.shares.size(); ++i) {
    const EnergyShare& share = energy.terms.shares[i];
    object["parts"].push_back(
        Json{{"of", share.of}, {"what", to_string(share.kind)}, {"value", number(values.shares[i])}});
  }
  return object;
}

}  // namespace

std::string to_json(const System& system, const Evaluation& evaluation, const std::optional<EnergyAtState>& energy,
                    const Error* failure) {
  Json document;
  const State& state = evaluation.initial.state;
  document["model"] = system->name;
  document["t"] = number(state.t);
  document["q"] = by_coordinate(system, state.q);
  document["v"] = by_coordinate(system, state.v);
  document["residual"] = numbers(evaluation.residual);
  document["rank"] = evaluation.rank ? Json(*evaluation.rank) : Json(nullptr);
  if (evaluation.rank && *evaluation.rank < system->constraints.size()) {
    document["independent_constraints"] = Json::array();
    for (const std::size_t i : evaluation.rows) document["independent_constraints"].push_back(i + 1);
  }
  Json forms = Json::object();
  for (const FormResult& form : evaluation.forms) forms[form.form.name()] = form_json(system, evaluation, form);
  document["forms"] = forms;
  if (const auto& explicit_values = evaluation.explicit_values) {
    Json object;
    object["dependent"] = Json::array();
    object["alpha"] = Json::object();
    object["alpha_bar"] = Json::object();
    for (std::size_t i = 0; i < explicit_values->dependent.size(); ++i) {
      const std::string& name = system->coordinates[explicit_values->dependent[i]];
      object["dependent"].push_back(name);
      object["alpha"][name] = number(explicit_values->alpha[i]);
      object["alpha_bar"][name] = number(explicit_values->alpha_bar[i]);
    }
    document["explicit"] = object;
  }
  if (energy) document["energy"] = energy_json(*energy);
  if (!system->outputs.empty()) document["outputs"] = outputs_json(system, evaluation.outputs);
  if (!evaluation.output_notes.empty()) document["output_notes"] = evaluation.output_notes;
  if (failure != nullptr) document["error"] = diagnosis(*failure);
  return dump(document);
}

namespace {

Json motion_json(const System& system, const MotionComparison& motion) {
  const auto difference = [&](const MotionDifference& d) {
    return Json{
        {"difference", number(d.largest)}, {"t", number(d.t)}, {"coordinate", system->coordinates[d.coordinate]}};
  };
  const auto run = [](const MotionSummary& summary) {
    Json object;
    object["status"] = to_string(summary.status);
    object["t"] = number(summary.last.t);
    if (summary.diagnosis) object["diagnosis"] = diagnosis(*summary.diagnosis);
    return object;
  };
  Json object;
  object["agree"] = motion.agree();
  object["threshold"] = number(motion.threshold);
  object["part_at"] = motion.part_at ? number(*motion.part_at) : Json(nullptr);
  object["t_end"] = number(motion.t_end);
  object["position"] = difference(motion.position);
  object["velocity"] = difference(motion.velocity);
  object["runs"] =
      Json{{motion.first.name(), run(motion.first_summary)}, {motion.second.name(), run(motion.second_summary)}};
  return object;
}

}  // namespace

std::string to_json(const System& system, const Comparison& comparison, const MotionComparison* motion) {
  const auto difference = [&](const Difference& d) {
    Json object;
    object["difference"] = number(d.largest);
    object["coordinate"] = system->coordinates[d.coordinate];
    if (d.seed != 0) object["seed"] = d.seed;
    object["t"] = number(d.state.t);
    object["q"] = by_coordinate(system, d.state.q);
    object["v"] = by_coordinate(system, d.state.v);
    object["a"] = Json{{comparison.first.name(), by_coordinate(system, d.first)},
                       {comparison.second.name(), by_coordinate(system, d.second)}};
    return object;
  };
  Json document;
  document["model"] = system->name;
  document["forms"] = {comparison.first.name(), comparison.second.name()};
  document["agree"] = comparison.agree();
  document["tolerance"] = number(comparison.tolerance);
  if (comparison.at_initial) document["at_initial_state"] = difference(*comparison.at_initial);
  if (comparison.initial_error) document["at_initial_state"] = Json{{"error", diagnosis(*comparison.initial_error)}};
  document["random_states"] = comparison.states;
  document["skipped"] = comparison.skipped;
  if (comparison.worst) document["worst"] = difference(*comparison.worst);
  if (motion != nullptr) {
    document["agree"] = comparison.agree() && motion->agree();
    document["motion"] = motion_json(system, *motion);
  }
  return dump(document);
}

}  // namespace cetaev
