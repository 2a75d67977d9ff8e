// Pieces of JSON documents.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/error.hpp"
#include "cetaev/expr/rational.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

using Json = nlohmann::ordered_json;

// Every number of a document passes here: none that is not finite gets out, and there is no negative zero.
inline Json number(double value) {
  if (!std::isfinite(value)) throw Error(ErrorCode::non_finite, "a result is not a finite number");
  return value + 0.0;
}

inline Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

// Null where it is not finite.
inline Json known(double value) { return std::isfinite(value) ? number(value) : Json(nullptr); }

inline Json by_coordinate(const System& system, const std::vector<double>& values, Json (*told)(double) = number) {
  Json object = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) object[system->coordinates[i]] = told(values[i]);
  return object;
}

inline Json diagnosis(const Error& error) {
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

inline Json degree(const std::optional<Rational>& value) {
  if (!value) return nullptr;
  if (const auto whole = value->to_long()) return *whole;
  return number(value->to_double());
}

// Names come from files and may hold anything; what is not UTF-8 is replaced rather than thrown at the user.
inline std::string dump(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// true, false, or null where it is not decided
inline Json truth(const Finding& finding) {
  if (finding.answer == Finding::Answer::undecided) return nullptr;
  return finding.holds();
}

// The state at which something fails, and by how much.
inline Json witness(const System& system, const Finding& finding) {
  if (!finding.fails() || !finding.witness) return nullptr;
  return Json{{"t", number(finding.witness->t)},
              {"q", by_coordinate(system, finding.witness->q)},
              {"v", by_coordinate(system, finding.witness->v)},
              {"value", number(finding.value)}};
}

}  // namespace cetaev
