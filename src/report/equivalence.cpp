#include "cetaev/report/equivalence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/text/printable.hpp"
#include "json_values.hpp"
#include "words.hpp"

namespace cetaev {

namespace {

// A state in two or three lines, the time only where something depends on it.
std::string state_text(const System& system, const State& state, bool rheonomic) {
  const std::vector<std::size_t> all = all_indices(system->size());
  std::string text = fmt::format("      {}\n      {}\n", describe_positions(system, state.q, all),
                                 describe_velocities(system, state.v, all));
  if (rheonomic) text += fmt::format("      t = {:.6g}\n", state.t + 0.0);
  return text;
}

bool depends_on_time(const System& system) {
  return std::any_of(system->constraints.begin(), system->constraints.end(),
                     [&](const Constraint& c) { return depends_on(c.expression, std::span(&system->motion.t, 1)); });
}

std::string where_text(const std::string& description) {
  return description == "at rest" ? description : "where " + description;
}

// "where B' = 0", "where P1' = 0 or P2' = 0"
std::string alternatives_text(const std::vector<std::string>& conditions) {
  std::string text;
  for (const std::string& c : conditions) text += text.empty() ? where_text(c) : " or " + where_text(c);
  return text;
}

std::string ground_text(const Implication& implication) {
  const Finding& finding = implication.finding;
  if (finding.proved) return "proved by algebra";
  return fmt::format("zero at {} random admissible state{} to {} digits", finding.states,
                     finding.states == 1 ? "" : "s", finding.digits);
}

std::string verdict_text(const Implication& implication) {
  std::vector<std::string> conditions;
  for (const ExceptionalState& e : implication.exceptions) {
    if (!e.special.description.empty()) conditions.push_back(e.special.description);
  }
  std::string text;
  switch (implication.holds) {
    case Holds::always: text = "yes"; break;
    case Holds::generically:
      text = conditions.empty() ? "yes, with exceptions" : "yes, except " + alternatives_text(conditions);
      break;
    case Holds::on_a_branch:
      text = "only on a branch";
      if (implication.where) {
        text += ", " + where_text(implication.where->description);
      } else if (!conditions.empty()) {
        text += ", not " + alternatives_text(conditions);
      }
      break;
    case Holds::no: return "no";
    case Holds::undecided: return "undecided: no state could be computed to sufficient precision";
  }
  if (implication.up_to_constant) text += ", up to a constant of integration";
  return text + "; " + ground_text(implication);
}

std::string exception_text(const System& system, const std::string& label, const Implication& implication,
                           const ExceptionalState& e, bool rheonomic) {
  const std::string& where = e.special.description;
  std::string text =
      "    " + (where.empty() || implication.holds == Holds::no ? "It fails" : "It fails " + where_text(where));
  if (implication.holds != Holds::no) {
    text += e.full_dimension              ? ", on a branch of full dimension"
            : e.special.special_positions ? ", at special positions"
                                          : ", on a set of lower dimension";
  }
  text += ", for example at\n" + state_text(system, e.state, rheonomic);
  text += fmt::format("    where {}{} is missed by {:.6g}", implication.up_to_constant ? "the derivative of " : "",
                      label, e.value);
  if (e.rank && *e.rank != e.generic_rank)
    text += fmt::format("; the rank is {} there and {} elsewhere", *e.rank, e.generic_rank);
  return text + "\n";
}

// "cross(P1', P2') = 0 (x, z)"
std::string group_label(const System& target, const std::vector<const Implication*>& group) {
  const Constraint& first = target->constraints[group[0]->constraint];
  if (first.component < 0) return first.text;
  std::string components;
  for (const Implication* i : group) {
    components += components.empty() ? "" : ", ";
    components += component_name(target->constraints[i->constraint].component);
  }
  return first.text + " (" + components + ")";
}

std::string direction_text(const System& system, const System& target, const Direction& direction, bool rheonomic) {
  // Components of one equation about which the same is to be said go together.
  std::vector<std::vector<const Implication*>> groups;
  for (const Implication& i : direction.implications) {
    const auto like = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return target->constraints[group[0]->constraint].entry == target->constraints[i.constraint].entry &&
             verdict_text(*group[0]) == verdict_text(i);
    });
    if (like != groups.end()) {
      like->push_back(&i);
    } else {
      groups.push_back({&i});
    }
  }
  std::string text;
  std::vector<std::string> shown;  // an exception with a name is shown once
  for (const auto& group : groups) {
    const Implication& first = *group[0];
    text += fmt::format("  {}\n    {}\n", group_label(target, group), verdict_text(first));
    for (const ExceptionalState& e : first.exceptions) {
      const std::string& name = e.special.description;
      if (first.holds != Holds::no && !name.empty()) {
        if (std::find(shown.begin(), shown.end(), name) != shown.end()) continue;
        shown.push_back(name);
      }
      text += exception_text(system, target->constraints[first.constraint].label(), first, e, rheonomic);
    }
  }
  return text;
}

// Where a verdict rests on numbers: how small a term they do not see.
std::string caution(const Equivalence& equivalence) {
  int digits = 0;
  for (const Direction* direction : {&equivalence.forward, &equivalence.backward}) {
    for (const Implication& i : direction->implications) {
      if (i.holds == Holds::no || i.holds == Holds::undecided || i.finding.proved) continue;
      digits = digits == 0 ? i.finding.digits : std::min(digits, i.finding.digits);
    }
  }
  if (digits == 0) return {};
  return fmt::format(
      "\nNot all of this is proved. A term smaller than 1e-{} of the largest in its equation may have been taken for "
      "zero.\n",
      digits);
}

std::string left_out_text(const Equivalence& equivalence) {
  const std::vector<std::string>& all = equivalence.left_out;
  if (all.empty()) return {};
  constexpr std::size_t shown = 3;
  std::string text = "\nLeft out, there being so many: states where ";
  for (std::size_t i = 0; i < std::min(shown, all.size()); ++i) text += (i == 0 ? "" : ", or ") + all[i];
  if (all.size() > shown) text += fmt::format(", or {} others like these", all.size() - shown);
  return text + " were not looked for.\n";
}

std::string summary(const Equivalence& equivalence) {
  std::vector<std::string> conditions = equivalence.forward.conditions();
  for (const std::string& c : equivalence.backward.conditions()) {
    if (std::find(conditions.begin(), conditions.end(), c) == conditions.end()) conditions.push_back(c);
  }
  const bool constant = equivalence.forward.up_to_constant() || equivalence.backward.up_to_constant();
  std::string text;
  if (equivalence.equivalent()) {
    text = "Equivalent";
    if (!conditions.empty()) text += " except " + alternatives_text(conditions);
    if (constant) text += ", up to constants of integration";
  } else if (equivalence.undecided()) {
    text = "Undecided";
  } else {
    const auto follows = [](const Direction& d) { return d.holds == Holds::always || d.holds == Holds::generically; };
    text = "Not equivalent";
    if (follows(equivalence.forward)) text += ": the second follows from the first, not the first from the second";
    if (follows(equivalence.backward)) text += ": the first follows from the second, not the second from the first";
  }
  return text + ".\n";
}

std::string set_text(const System& system) {
  std::string text = "{";
  std::size_t last = static_cast<std::size_t>(-1);
  for (const Constraint& c : system->constraints) {
    if (c.entry == last) continue;
    text += (text.size() > 1 ? ", " : "") + c.text;
    last = c.entry;
  }
  return text + "}";
}

std::string note(const RankDrop& drop) {
  const std::string& where = drop.special.description;
  std::string text = "Where both sets hold";
  if (!where.empty()) text += where == "at rest" ? ", at rest" : " and " + where;
  text += ", ";
  std::vector<std::string> parts;
  for (std::size_t s = 0; s < 2; ++s) {
    const char* name = s == 0 ? "the first" : "the second";
    parts.push_back(drop.rank[s] < drop.generic_rank[s]
                        ? fmt::format("{} has rank {} instead of {}", name, drop.rank[s], drop.generic_rank[s])
                        : fmt::format("{} keeps rank {}", name, drop.rank[s]));
  }
  return text + enumerate(parts);
}

// ---- JSON

Json state_json(const System& system, const State& state) {
  Json object;
  object["t"] = number(state.t);
  object["q"] = by_coordinate(system, state.q);
  object["v"] = by_coordinate(system, state.v);
  return object;
}

Json implication_json(const System& system, const System& target, const Implication& implication) {
  const Constraint& constraint = target->constraints[implication.constraint];
  Json object;
  object["text"] = constraint.text;
  if (constraint.component >= 0) object["component"] = component_name(constraint.component);
  object["implied"] = to_string(implication.holds);
  if (implication.up_to_constant) object["up_to_constant"] = true;
  if (implication.holds == Holds::no) {
    object["ground"] = "fails at a witness";
  } else if (implication.holds == Holds::undecided) {
    object["ground"] = "no state could be computed to sufficient precision";
  } else {
    object["ground"] = ground_text(implication);
    object["proved"] = implication.finding.proved;
    object["states"] = implication.finding.states;
  }
  if (implication.where) object["where"] = implication.where->description;
  object["exceptions"] = Json::array();
  for (const ExceptionalState& e : implication.exceptions) {
    Json entry = state_json(system, e.state);
    if (!e.accelerations.empty()) entry["a"] = by_coordinate(system, e.accelerations);
    entry["value"] = number(e.value);
    entry["description"] = e.special.description;
    entry["vanishing"] = e.special.vanishing;
    entry["rank"] = e.rank ? Json(*e.rank) : Json(nullptr);
    entry["generic_rank"] = e.generic_rank;
    entry["full_dimension"] = e.full_dimension;
    entry["special_positions"] = e.special.special_positions;
    object["exceptions"].push_back(entry);
  }
  return object;
}

Json direction_json(const System& system, const System& target, const Direction& direction) {
  Json object;
  object["holds"] = to_string(direction.holds);
  object["constraints"] = Json::array();
  for (const Implication& i : direction.implications)
    object["constraints"].push_back(implication_json(system, target, i));
  return object;
}

Json comparison_json(const System& system, const NamedEquivalence& comparison) {
  const Equivalence& e = comparison.equivalence;
  Json document;
  document["model"] = system->name;
  document["other"] = comparison.other;
  document["equivalent"] = e.equivalent();
  document["forward"] = direction_json(system, comparison.second, e.forward);
  document["backward"] = direction_json(system, system, e.backward);
  document["notes"] = Json::array();
  for (const RankDrop& drop : e.rank_drops) {
    Json entry;
    entry["text"] = note(drop);
    entry["vanishing"] = drop.special.vanishing;
    entry["rank"] = {drop.rank[0], drop.rank[1]};
    entry["generic_rank"] = {drop.generic_rank[0], drop.generic_rank[1]};
    entry.update(state_json(system, drop.state));
    document["notes"].push_back(entry);
  }
  document["left_out"] = e.left_out;
  return document;
}

}  // namespace

std::string to_text(const System& system, const NamedEquivalence& comparison) {
  const Equivalence& e = comparison.equivalence;
  std::string text = fmt::format("{}\n  first   {}\n  second  {}  ({}{})\n\n{}", system->name, set_text(system),
                                 set_text(comparison.second), comparison.alternative ? "alternative " : "",
                                 comparison.other, summary(e));
  const bool rheonomic = depends_on_time(system) || depends_on_time(comparison.second);
  const auto part = [&](const char* title, const System& target, const Direction& direction) {
    if (direction.implications.empty()) return;
    text += fmt::format("\n{}\n{}", title, direction_text(system, target, direction, rheonomic));
  };
  part("Does the second follow from the first?", comparison.second, e.forward);
  part("Does the first follow from the second?", system, e.backward);
  if (!e.rank_drops.empty()) {
    text += "\nRanks\n";
    for (const RankDrop& drop : e.rank_drops)
      text += "  " + note(drop) + ", for example at\n" + state_text(system, drop.state, rheonomic);
  }
  text += caution(e);
  text += left_out_text(e);
  return text::printable(text);
}

std::string to_json(const System& system, const NamedEquivalence& comparison) {
  return dump(comparison_json(system, comparison));
}

std::string to_json(const System& system, const std::vector<NamedEquivalence>& comparisons) {
  Json document;
  document["model"] = system->name;
  bool all = true;
  for (const NamedEquivalence& c : comparisons) all = all && c.equivalence.equivalent();
  document["equivalent"] = all;
  document["alternatives"] = Json::array();
  for (const NamedEquivalence& c : comparisons) document["alternatives"].push_back(comparison_json(system, c));
  return dump(document);
}

}  // namespace cetaev
