#include "cetaev/constraint/equivalence.hpp"

#include <algorithm>

#include "cetaev/constraint/describe.hpp"

namespace cetaev {

std::string_view to_string(Holds holds) {
  switch (holds) {
    case Holds::always: return "always";
    case Holds::generically: return "generically";
    case Holds::on_a_branch: return "on a branch";
    case Holds::no: return "no";
    case Holds::undecided: return "undecided";
  }
  return "undecided";
}

bool Direction::up_to_constant() const {
  return std::any_of(implications.begin(), implications.end(), [](const Implication& i) { return i.up_to_constant; });
}

std::vector<std::string> Direction::conditions() const {
  std::vector<std::string> result;
  for (const Implication& implication : implications) {
    if (implication.holds == Holds::no) continue;
    for (const ExceptionalState& e : implication.exceptions) {
      const std::string& text = e.special.description;
      if (!text.empty() && std::find(result.begin(), result.end(), text) == result.end()) result.push_back(text);
    }
  }
  return result;
}

bool Equivalence::equivalent() const {
  const auto enough = [](Holds h) { return h == Holds::always || h == Holds::generically; };
  return enough(forward.holds) && enough(backward.holds);
}

System with_alternative(const System& system, const Alternative& alternative) {
  System result = system;
  result.constraints = alternative.constraints;
  result.dependent.reset();
  return result;
}

System with_constraints_of(const System& system, const System& other) {
  const auto missing = [](const System& from, const System& in) {
    std::vector<std::string> names;
    for (const std::string& x : from.coordinates) {
      if (std::find(in.coordinates.begin(), in.coordinates.end(), x) == in.coordinates.end()) names.push_back(x);
    }
    return names;
  };
  std::string why;
  const auto complain = [&](const System& from, const System& in) {
    const auto names = missing(from, in);
    if (names.empty()) return;
    why += (why.empty() ? "" : ", and ") + in.file + " has no coordinate" + (names.size() > 1 ? "s " : " ") +
           enumerate(names);
  };
  complain(system, other);
  complain(other, system);
  if (!why.empty()) {
    throw Error(ErrorCode::bad_model, "the two models must have the same coordinates to be compared: " + why);
  }

  std::vector<Replacement> values;
  for (const Parameter& p : other.parameters)
    values.emplace_back(p.symbol, transfer(p.definition, *system->context, values));
  const auto bring = [&](Expr e) { return transfer(e, *system->context, values); };
  System result = system;
  result.file = other.file;
  result.name = other.name;
  result.constraints = other.constraints;
  result.dependent.reset();
  for (Constraint& c : result.constraints) c.expression = bring(c.expression);
  result.points = other.points;
  for (Point& p : result.points) {
    p.mass = bring(p.mass);
    for (Expr& e : p.position) e = bring(e);
  }
  result.definitions = other.definitions;
  for (Definition& d : result.definitions) {
    for (Expr& e : d.components) e = bring(e);
  }
  return result;
}

}  // namespace cetaev
