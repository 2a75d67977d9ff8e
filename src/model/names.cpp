#include "names.hpp"

#include <algorithm>
#include <utility>

#include "syntax.hpp"

namespace cetaev::model {

std::string_view kind_name(NameKind kind) {
  switch (kind) {
    case NameKind::coordinate: return "a coordinate";
    case NameKind::parameter: return "a parameter";
    case NameKind::point: return "a point";
    case NameKind::definition: return "a definition";
    case NameKind::frame: return "a frame";
    case NameKind::body: return "a body";
    case NameKind::contact: return "a contact";
    case NameKind::output: return "an output";
    case NameKind::time: return "the time";
    case NameKind::pi: return "the number pi";
    case NameKind::function: return "a function";
  }
  return "a name";
}

std::string_view own_column(std::string_view name) {
  if (name == "t") return "the column of the time in tables of motions";
  if (name == "E") return "the column of the energy in tables of motions";
  if (name == "residual") return "the column of the residual in tables of motions";
  if (name == "status") return "a column of tables of sweeps: how each motion has ended";
  if (name == "diagnosis") return "a column of tables of sweeps: why a motion has ended";
  constexpr std::string_view multiplier = "lambda";
  const bool numbered = name.starts_with(multiplier) && name.size() > multiplier.size() &&
                        name.find_first_not_of("0123456789", multiplier.size()) == std::string_view::npos;
  return numbered ? "the column of a multiplier in tables of motions" : "";
}

Names::Names(Context& context, Expr time) {
  for (const std::string_view name : function_names()) add(name, NameKind::function, 0, {});
  add("t", NameKind::time, 0, Quantity::scalar(time));
  add("pi", NameKind::pi, 0, Quantity::scalar(context.pi()));
}

bool Names::add(std::string_view name, NameKind kind, std::size_t index, const Quantity& value) {
  const bool added = entries_.emplace(std::string(name), Entry{kind, index, value}).second;
  if (added) order_.emplace_back(name);
  return added;
}

void Names::set_value(std::string_view name, const Quantity& value) { entries_.at(std::string(name)).value = value; }

const Names::Entry* Names::find(std::string_view name) const {
  const auto found = entries_.find(std::string(name));
  return found == entries_.end() ? nullptr : &found->second;
}

std::string Names::suggestion(std::string_view unknown, bool functions_only) const {
  std::vector<std::string> candidates;
  // The names of the model before those of the language.
  for (const bool functions : {false, true})
    for (const std::string& name : order_)
      if ((find(name)->kind == NameKind::function) == functions && (functions || !functions_only))
        candidates.push_back(name);
  if (!functions_only) {
    // x_dot and xdot for x'
    for (const auto& [ending, primes] : {std::pair{"ddot", "''"}, std::pair{"dot", "'"}}) {
      if (!unknown.ends_with(ending)) continue;
      std::string_view stem = unknown.substr(0, unknown.size() - std::string_view(ending).size());
      if (stem.ends_with('_')) stem.remove_suffix(1);
      const Entry* entry = find(stem);
      if (entry != nullptr && entry->kind != NameKind::function) return std::string(stem) + primes;
    }
  }
  return closest(unknown, candidates);
}

}  // namespace cetaev::model
