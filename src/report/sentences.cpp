// What kind of system it is, in a few sentences.
#include <fmt/format.h>

#include <algorithm>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/report/written.hpp"
#include "layout.hpp"
#include "words.hpp"

namespace cetaev {

namespace {

std::string kind_of(const ConstraintKind& kind) {
  if (kind.order == 0) return "holonomic";
  return std::string(word(kind.linearity)) + (kind.order == 1 ? " in the velocities" : " in the accelerations");
}

std::string names(const System& system, const std::vector<std::size_t>& which) {
  std::vector<std::string> list;
  for (const std::size_t i : which) list.push_back(system->coordinates[i]);
  return enumerate(list);
}

std::string constraints_sentence(const Check& check) {
  const auto& kinds = check.classification.constraints;
  std::vector<std::string> words;
  for (const ConstraintKind& kind : kinds) {
    const std::string word = kind_of(kind);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  const bool rheonomic = std::any_of(kinds.begin(), kinds.end(), [](const auto& k) { return k.rheonomic; });
  std::string text = kinds.size() == 1 ? "The constraint is " + words[0] : "The constraints are " + enumerate(words);
  if (rheonomic) text += ", and time occurs in " + std::string(kinds.size() == 1 ? "it" : "them");
  text += fmt::format("; {} rank is {}", kinds.size() == 1 ? "its" : "their", check.classification.rank);
  if (check.classification.redundant > 0)
    text += fmt::format(", so that {} redundant", check.classification.redundant == 1
                                                      ? "one is"
                                                      : fmt::format("{} are", check.classification.redundant));
  return text + ".";
}

std::string integrability_sentence(const Check& check) {
  const Integrability& i = check.integrability;
  if (!i.decided) return {};
  const bool one = check.classification.constraints.size() == 1;
  const std::string subject = one ? "It is " : "They are ";
  if (i.integrable) return subject + "completely integrable: the system is holonomic.";
  if (i.hidden == 0 && check.classification.restricts_accelerations())
    return fmt::format("No constraint on positions follows from {}.", one ? "it" : "them");
  if (one) return subject + "not integrable.";
  if (i.hidden > 0) {
    return fmt::format(
        "They are integrable in part: {} hidden in them.",
        i.hidden == 1 ? "one holonomic integral is" : fmt::format("{} holonomic integrals are", i.hidden));
  }
  return "They are not integrable, not even in part.";
}

}  // namespace

std::vector<std::string> sentences(const System& system, const Check& check) {
  std::vector<std::string> list;
  const Classification& c = check.classification;
  list.push_back(fmt::format("The system has {} and {}.", count(system->size(), "coordinate", "coordinates"),
                             count(c.degrees_of_freedom, "degree of freedom", "degrees of freedom")));
  if (!system->constraints.empty()) {
    list.push_back(constraints_sentence(check));
    if (const std::string text = integrability_sentence(check); !text.empty()) list.push_back(text);
    const bool accelerations = c.restricts_accelerations();
    if (accelerations && check.homogeneity.conic.answer != Finding::Answer::undecided) {
      list.emplace_back(check.homogeneity.conic.holds() ? "The reactions do no work." : "The reactions may do work.");
    } else if (check.homogeneity.conic.holds()) {
      list.emplace_back("The admissible velocities form a cone, so the reactions do no work.");
    } else if (check.homogeneity.conic.fails()) {
      list.emplace_back("The admissible velocities do not form a cone: the reactions may do work.");
    }
    if (!check.dependent.empty()) {
      list.push_back(fmt::format("Solved for the {} of {}, the system is {}of Čaplygin's type.",
                                 check.dependent.size() == 1 ? "velocity" : "velocities",
                                 names(system, check.dependent), check.caplygin.in_use ? "" : "not "));
    }
  } else {
    list.emplace_back("There are no constraints.");
  }
  const std::string energy = check.energy.jacobi ? "Jacobi's energy integral" : "the energy E = T + V";
  if (check.energy.conserved.holds()) list.push_back(capital(energy) + " is conserved: " + check.energy.because + ".");
  if (check.energy.conserved.fails())
    list.push_back(capital(energy) + " is not conserved: " + check.energy.because + ".");
  if (check.determinate) {
    list.push_back(*check.determinate
                       ? "Position and velocity determine the motion."
                       : "Position and velocity do not determine the motion: " + check.determinate_because + ".");
  }
  return list;
}

}  // namespace cetaev
