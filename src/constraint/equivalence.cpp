#include "cetaev/constraint/equivalence.hpp"

#include <algorithm>

#include "cetaev/detail/constraint/describe.hpp"

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
  return system.with([&](SystemData& data) {
    data.constraints = alternative.constraints;
    data.dependent.reset();
  });
}

System with_constraints_of(const System& model, const System& other) {
  const System system = model.workable();
  const auto missing = [](const System& from, const System& in) {
    std::vector<std::string> names;
    for (const std::string& x : from->coordinates) {
      if (std::find(in->coordinates.begin(), in->coordinates.end(), x) == in->coordinates.end()) names.push_back(x);
    }
    return names;
  };
  std::string why;
  const auto complain = [&](const System& from, const System& in) {
    const auto names = missing(from, in);
    if (names.empty()) return;
    why += (why.empty() ? "" : ", and ") + in->file + " has no coordinate" + (names.size() > 1 ? "s " : " ") +
           enumerate(names);
  };
  complain(system, other);
  complain(other, system);
  if (!why.empty()) {
    throw Error(ErrorCode::bad_model, "the two models must have the same coordinates to be compared: " + why);
  }

  std::vector<Replacement> values;
  for (const Parameter& p : other->parameters)
    values.emplace_back(p.symbol, transfer(p.definition, *system->context, values));
  const auto bring = [&](Expr e) { return transfer(e, *system->context, values); };
  return system.with([&](SystemData& data) {
    data.file = other->file;
    data.name = other->name;
    data.constraints = other->constraints;
    data.dependent.reset();
    for (Constraint& c : data.constraints) c.expression = bring(c.expression);
    data.points = other->points;
    for (Point& p : data.points) {
      p.mass = bring(p.mass);
      for (Expr& e : p.position) e = bring(e);
    }
    data.definitions = other->definitions;
    for (Definition& d : data.definitions) {
      for (Expr& e : d.components) e = bring(e);
    }
  });
}

}  // namespace cetaev
