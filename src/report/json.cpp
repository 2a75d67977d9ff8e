#include "cetaev/report/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "words.hpp"

namespace cetaev {

namespace {

using Json = nlohmann::ordered_json;

// Every number of a document passes here: none that is not finite gets out, and there is no negative zero.
Json number(double value) {
  if (!std::isfinite(value)) throw Error(ErrorCode::non_finite, "a result is not a finite number");
  return value + 0.0;
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Json by_coordinate(const System& system, const std::vector<double>& values) {
  Json object = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) object[system.coordinates[i]] = number(values[i]);
  return object;
}

Json diagnosis(const Error& error) {
  Json object;
  object["code"] = to_string(error.code());
  object["message"] = error.message();
  if (const auto& position = error.position()) {
    object["file"] = position->file;
    object["line"] = position->line;
    object["column"] = position->column;
  }
  if (!error.suggestion().empty()) object["suggestion"] = error.suggestion();
  return object;
}

Json degree(const std::optional<Rational>& value) {
  if (!value) return nullptr;
  if (const auto whole = value->to_long()) return *whole;
  return number(value->to_double());
}

// Values on the independent rows as one entry per scalar constraint; the redundant ones take no part.
Json by_row(const System& system, const Evaluation& evaluation, const std::vector<double>& values) {
  std::vector<double> all(system.constraints.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) all[evaluation.rows[i]] = values[i];
  return numbers(all);
}

Json form_json(const System& system, const Evaluation& evaluation, const FormResult& form) {
  Json object;
  if (form.error) {
    object["error"] = diagnosis(*form.error);
    return object;
  }
  const CompiledForm::Values& values = *form.values;
  object["a"] = by_coordinate(system, values.a);
  if (form.name == "multipliers") object["multipliers"] = numbers(values.multipliers);
  if (form.name == "vakonomic") object["lambda"] = numbers(evaluation.lambda);
  if (form.name == "vakonomic" || form.name == "mvm2" || form.name == "mvm3") {
    object["lambda_dot"] = by_row(system, evaluation, values.lambda_dot);
  }
  if (form.discrepancy) object["discrepancy"] = number(*form.discrepancy);
  if (form.determinant) object["determinant"] = number(*form.determinant);
  if (!values.transpositional.empty()) {
    Json matrix = Json::array();
    const std::size_t n = system.size();
    for (std::size_t i = 0; i < n; ++i) {
      matrix.push_back(numbers({values.transpositional.begin() + static_cast<std::ptrdiff_t>(i * n),
                                values.transpositional.begin() + static_cast<std::ptrdiff_t>((i + 1) * n)}));
    }
    object["transpositional"] = matrix;
  }
  if (!values.transpositional.empty()) {
    object["vanishing_relations"] = Json::array();
    for (const std::size_t i : form.vanishing_relations) object["vanishing_relations"].push_back(system.coordinates[i]);
  }
  if (!form.proposed_auxiliary.empty()) object["proposed_auxiliary"] = form.proposed_auxiliary;
  if (!form.notes.empty()) object["notes"] = form.notes;
  return object;
}

// Names come from files and may hold anything; what is not UTF-8 is replaced rather than thrown at the user.
std::string dump(const Json& document) { return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string to_json(const Error& error) { return dump(Json{{"error", diagnosis(error)}}); }

std::string to_json(const System& system, const Evaluation& evaluation, const Error* failure) {
  Json document;
  const State& state = evaluation.initial.state;
  document["model"] = system.name;
  document["t"] = number(state.t);
  document["q"] = by_coordinate(system, state.q);
  document["v"] = by_coordinate(system, state.v);
  document["residual"] = numbers(evaluation.residual);
  document["rank"] = evaluation.rank ? Json(*evaluation.rank) : Json(nullptr);
  if (evaluation.rank && *evaluation.rank < system.constraints.size()) {
    document["independent_constraints"] = Json::array();
    for (const std::size_t i : evaluation.rows) document["independent_constraints"].push_back(i + 1);
  }
  Json forms = Json::object();
  for (const FormResult& form : evaluation.forms) forms[form.name] = form_json(system, evaluation, form);
  document["forms"] = forms;
  if (const auto& explicit_values = evaluation.explicit_values) {
    Json object;
    object["dependent"] = Json::array();
    object["alpha"] = Json::object();
    object["alpha_bar"] = Json::object();
    for (std::size_t i = 0; i < explicit_values->dependent.size(); ++i) {
      const std::string& name = system.coordinates[explicit_values->dependent[i]];
      object["dependent"].push_back(name);
      object["alpha"][name] = number(explicit_values->alpha[i]);
      object["alpha_bar"][name] = number(explicit_values->alpha_bar[i]);
    }
    document["explicit"] = object;
  }
  if (failure != nullptr) document["error"] = diagnosis(*failure);
  return dump(document);
}

std::string to_json(const System& system, const Classification& classification) {
  Json document;
  document["model"] = system.name;
  document["coordinates"] = system.size();
  Json list = Json::array();
  for (std::size_t i = 0; i < system.constraints.size(); ++i) {
    const Constraint& constraint = system.constraints[i];
    const ConstraintKind& kind = classification.constraints[i];
    Json entry;
    entry["text"] = constraint.text;
    if (constraint.component >= 0) entry["component"] = component_name(constraint.component);
    entry["order"] = kind.order;
    entry["linearity"] = word(kind.linearity);
    entry["degree"] = degree(kind.degree);
    entry["rheonomic"] = kind.rheonomic;
    list.push_back(entry);
  }
  document["constraints"] = list;
  Json set;
  set["rank"] = classification.rank;
  if (classification.rank_at_state) set["rank_at_state"] = *classification.rank_at_state;
  set["redundant"] = classification.redundant;
  set["degrees_of_freedom"] = classification.degrees_of_freedom;
  if (!classification.regular) set["regular"] = false;
  document["set"] = set;
  if (classification.state) document["state"] = diagnosis(*classification.state);
  return dump(document);
}

std::string to_json(const System& system, const Comparison& comparison) {
  const auto difference = [&](const Difference& d) {
    Json object;
    object["difference"] = number(d.largest);
    object["coordinate"] = system.coordinates[d.coordinate];
    if (d.seed != 0) object["seed"] = d.seed;
    object["t"] = number(d.state.t);
    object["q"] = by_coordinate(system, d.state.q);
    object["v"] = by_coordinate(system, d.state.v);
    object["a"] =
        Json{{comparison.first, by_coordinate(system, d.first)}, {comparison.second, by_coordinate(system, d.second)}};
    return object;
  };
  Json document;
  document["model"] = system.name;
  document["forms"] = {comparison.first, comparison.second};
  document["agree"] = comparison.agree();
  document["tolerance"] = number(comparison.tolerance);
  if (comparison.at_initial) document["at_initial_state"] = difference(*comparison.at_initial);
  if (comparison.initial_error) document["at_initial_state"] = Json{{"error", diagnosis(*comparison.initial_error)}};
  document["random_states"] = comparison.states;
  document["skipped"] = comparison.skipped;
  if (comparison.worst) document["worst"] = difference(*comparison.worst);
  return dump(document);
}

}  // namespace cetaev
