// Facts that `check` finds out about a model, compared with what a paper says about it:
//
//   conic = true        growth = [2, 3]        conic <=> homogeneous        regular and homogeneous => conic
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "../model/names.hpp"
#include "../model/unicode.hpp"
#include "cetaev/constraint/classify.hpp"
#include "cetaev/constraint/homogeneity.hpp"
#include "cetaev/constraint/integrability.hpp"
#include "cetaev/energy/conservation.hpp"
#include "cetaev/formulation/caplygin_type.hpp"
#include "claim_body.hpp"

namespace cetaev::verify {

namespace {

std::string truth(bool yes) { return yes ? "true" : "false"; }
std::string truth(const Finding& finding) {
  return finding.answer == Finding::Answer::undecided ? "undecided" : truth(finding.holds());
}

template <typename Items>
std::string list(const Items& items) {
  std::string result;
  for (const auto& item : items) result += fmt::format("{}{}", result.empty() ? "" : ", ", item);
  return "[" + result + "]";
}

std::string linearity_word(Linearity linearity) {
  switch (linearity) {
    case Linearity::none: return "none";
    case Linearity::linear: return "linear";
    case Linearity::affine: return "affine";
    case Linearity::nonlinear: break;
  }
  return "nonlinear";
}

// The same for every constraint, or "mixed".
std::string common(const std::vector<std::string>& words) {
  if (words.empty()) return "none";
  return std::all_of(words.begin(), words.end(), [&](const std::string& w) { return w == words[0]; }) ? words[0]
                                                                                                      : "mixed";
}

EnergyVerdict energies(Bench& bench) {
  const MotionSample motions(bench.set(), bench.terms(), cetaev::Form::multipliers, bench.dependent());
  return energy_verdict(bench.set(), homogeneity(bench.set()), motions);
}

// The velocity of every random state: is it a virtual displacement, and is every admissible velocity there one?
std::string virtual_velocities(Bench& bench, bool all) {
  for (const PreciseState& state : bench.set().states()) {
    const auto d = virtual_displacements(bench.set(), {state.rounded, false, bench.dependent()});
    if (!d || (all && !d->same_vectors)) return "undecided";
    if (!(all ? *d->same_vectors : d->velocity_is_virtual)) return "false";
  }
  return bench.set().states().empty() ? "undecided" : "true";
}

using Fact = std::function<std::string(Bench&)>;

const std::vector<std::pair<std::string, Fact>>& facts() {
  static const auto classification = [](Bench& b) { return classify(b.system(), b.set().admissible()); };
  static const std::vector<std::pair<std::string, Fact>> all = {
      {"rank", [](Bench& b) { return std::to_string(classification(b).rank); }},
      {"redundant", [](Bench& b) { return std::to_string(classification(b).redundant); }},
      {"degrees_of_freedom", [](Bench& b) { return std::to_string(classification(b).degrees_of_freedom); }},
      {"regular", [](Bench& b) { return truth(classification(b).regular); }},
      {"linearity",
       [](Bench& b) {
         std::vector<std::string> words;
         for (const ConstraintKind& kind : classification(b).constraints)
           words.push_back(linearity_word(kind.linearity));
         return common(words);
       }},
      {"degrees",
       [](Bench& b) {
         std::vector<std::string> words;
         for (const ConstraintKind& kind : classification(b).constraints)
           words.push_back(kind.degree ? kind.degree->to_string() : "none");
         return list(words);
       }},
      {"rheonomic",
       [](Bench& b) {
         const auto kinds = classification(b).constraints;
         return truth(std::any_of(kinds.begin(), kinds.end(), [](const ConstraintKind& k) { return k.rheonomic; }));
       }},
      {"conic", [](Bench& b) { return truth(homogeneity(b.set()).conic); }},
      {"homogeneous", [](Bench& b) { return truth(homogeneity(b.set()).functions); }},
      {"rewritten_homogeneous",
       [](Bench& b) { return truth(homogeneity(b.set()).functions || !homogeneity(b.set()).rewritten.empty()); }},
      {"integrable",
       [](Bench& b) {
         const Integrability i = integrability(b.set());
         return i.decided ? truth(i.integrable) : "undecided";
       }},
      {"holonomic_integrals", [](Bench& b) { return std::to_string(integrability(b.set()).hidden); }},
      {"growth",
       [](Bench& b) {
         const auto growth = integrability(b.set()).growth;
         return growth ? list(*growth) : "none";
       }},
      {"caplygin", [](Bench& b) { return truth(caplygin_type(b.set(), b.terms(), b.dependent()).in_use); }},
      {"energy_conserved", [](Bench& b) { return truth(energies(b).conserved); }},
      {"E_star_is_E", [](Bench& b) { return truth(energies(b).same); }},
      {"E_star_conserved",
       [](Bench& b) {
         const EnergyVerdict e = energies(b);
         return truth(e.star_conserved ? *e.star_conserved : e.conserved);
       }},
      {"velocity_is_virtual", [](Bench& b) { return virtual_velocities(b, false); }},
      {"same_vectors", [](Bench& b) { return virtual_velocities(b, true); }},
  };
  return all;
}

// A fact of the model, or the word itself.
std::string value_of(const std::string& word, Bench& bench, const ClaimBody& body, std::size_t offset, bool literal) {
  for (const auto& [name, fact] : facts())
    if (name == word) return fact(bench);
  if (literal) return word;
  std::vector<std::string> known;
  for (const auto& [name, fact] : facts()) known.push_back(name);
  body.document->source.fail(ErrorCode::unknown_name, "unknown fact " + model::in_quotes(word), offset,
                             model::closest(word, known));
}

// "a and not b"
std::string conjunction(const std::string& text, Bench& bench, const ClaimBody& body, std::size_t offset) {
  std::string result = "true";
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(" and ", at), text.size());
    std::string word = trimmed(std::string_view(text).substr(at, end - at));
    const bool negated = word.starts_with("not ");
    if (negated) word = trimmed(word.substr(4));
    const std::string value = value_of(word, bench, body, offset, false);
    if (value != "true" && value != "false") return "undecided";
    if ((value == "true") == negated) result = "false";
    at = end + 5;
  }
  return result;
}

}  // namespace

Outcome check_facts(const ClaimBody& body, const Form& form, Benches& benches) {
  Outcome outcome;
  bool every_premise_false = true, implications = false;
  for (const ModelUse& use : body.on) {
    Bench& bench = benches.get(*body.document, use);
    const std::lock_guard lock(bench.mutex());
    ++outcome.models;
    for (std::size_t i = 0; i < form.lines.size(); ++i) {
      const std::string& line = form.lines[i];
      const auto sides = [&](std::string_view sign) -> std::optional<std::pair<std::string, std::string>> {
        const std::size_t at = line.find(sign);
        if (at == std::string::npos) return std::nullopt;
        return std::pair(trimmed(std::string_view(line).substr(0, at)),
                         trimmed(std::string_view(line).substr(at + sign.size())));
      };
      std::string left, right;
      bool yes = false;
      if (const auto both = sides("<=>")) {
        left = conjunction(both->first, bench, body, form.offsets[i]);
        right = conjunction(both->second, bench, body, form.offsets[i]);
        yes = left == right;
      } else if (const auto implication = sides("=>")) {
        implications = true;
        left = conjunction(implication->first, bench, body, form.offsets[i]);
        right = conjunction(implication->second, bench, body, form.offsets[i]);
        yes = left == "false" || right == "true";
        every_premise_false = every_premise_false && left == "false";
      } else if (const auto equation = sides("=")) {
        left = value_of(equation->first, bench, body, form.offsets[i], false);
        right = value_of(equation->second, bench, body, form.offsets[i], true);
        yes = left == right;
      } else {
        body.document->source.fail(ErrorCode::parse_error, "a fact needs one of = => <=>", form.offsets[i]);
      }
      ++outcome.comparisons;
      if (left == "undecided" || right == "undecided") {
        outcome.is_undecided(line + " on " + describe_use(use));
      } else if (!yes) {
        outcome.fails(0, fmt::format("{}: {} against {} on {}", line, left, right, describe_use(use)));
      }
    }
  }
  if (implications && every_premise_false) outcome.is_undecided("no model satisfies the premise");
  return outcome;
}

}  // namespace cetaev::verify
