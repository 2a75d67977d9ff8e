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

// Names come from files and may hold anything; what is not UTF-8 is replaced rather than thrown at the user.
std::string dump(const Json& document) { return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string to_json(const Error& error) { return dump(Json{{"error", diagnosis(error)}}); }

std::string to_json(const System& system, const Evaluation& evaluation) {
  Json document;
  const State& state = evaluation.initial.state;
  document["model"] = system.name;
  document["t"] = number(state.t);
  document["q"] = by_coordinate(system, state.q);
  document["v"] = by_coordinate(system, state.v);
  document["residual"] = numbers(evaluation.residual);
  document["rank"] = evaluation.rank ? Json(*evaluation.rank) : Json(nullptr);
  Json form;
  if (evaluation.multipliers) {
    form["a"] = by_coordinate(system, evaluation.multipliers->a);
    form["multipliers"] = numbers(evaluation.multipliers->multipliers);
  } else {
    form["error"] = diagnosis(*evaluation.multipliers_error);
  }
  document["forms"] = Json{{"multipliers", form}};
  if (evaluation.multipliers_error) document["error"] = diagnosis(*evaluation.multipliers_error);
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

}  // namespace cetaev
