#include <fmt/format.h>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/report/check.hpp"
#include "layout.hpp"
#include "words.hpp"

namespace cetaev {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string degree_words(const ConstraintKind& kind) {
  if (kind.order == 0) return "";
  return kind.degree ? "degree " + kind.degree->to_string() : "not homogeneous";
}

std::string kind_words(const ConstraintKind& kind) {
  switch (kind.order) {
    case 0: return "holonomic";
    case 1: return std::string(word(kind.linearity)) + " in the velocities";
    default: return std::string(word(kind.linearity)) + " in the accelerations";
  }
}

std::string names(const System& system, const std::vector<std::size_t>& which, const char* mark) {
  std::vector<std::string> list;
  for (const std::size_t i : which) list.push_back(system->coordinates[i] + mark);
  return enumerate(list);
}

std::string tuple(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t x : numbers) text += (text.empty() ? "" : ", ") + std::to_string(x);
  return "(" + text + ")";
}

// Long formulas tell a reader nothing on one screen: empty.
std::string short_formula(Expr e) {
  constexpr std::size_t longest = 90;
  const std::string text = written_size(e) > 500 ? std::string() : to_string(e);
  return width(text) > longest ? std::string() : text;
}

// A long one is called by its place in the JSON document, where it is written out.
std::string formula(Expr e, const char* list, std::size_t number) {
  const std::string text = short_formula(e);
  return text.empty() ? fmt::format("{}[{}] of `check --json`", list, number) : text;
}

std::string yes_no(const Finding& finding) {
  if (finding.holds()) return "yes";
  return finding.fails() ? "no" : "undecided";
}

std::string constraints_text(const System& system, const Check& check) {
  const std::size_t k = system->constraints.size();
  if (k == 0) return "\nNo constraints\n";
  Rows rows;
  for (std::size_t i = 0; i < k; ++i) {
    const ConstraintKind& kind = check.classification.constraints[i];
    rows.push_back({system->constraints[i].label(), fmt::format("order {}", kind.order), kind_words(kind),
                    degree_words(kind), kind.rheonomic ? "depends on time" : ""});
  }
  return "\n" + count(k, "constraint", "constraints") + "\n" + table(rows);
}

std::string integrability_words(const Integrability& integrability, const Classification& classification) {
  if (!integrability.decided) return "undecided";
  const std::size_t rank = classification.rank;
  std::string text;
  if (rank == 0) {
    text = "nothing to integrate";
  } else if (integrability.integrable) {
    text = "yes, completely";
  } else if (integrability.hidden > 0) {
    text = fmt::format("in part: {} in it", count(integrability.hidden, "holonomic integral", "holonomic integrals"));
  } else if (classification.restricts_accelerations()) {
    text = "not to constraints on positions";
  } else {
    text = "no, not even in part";
  }
  if (!integrability.linear_rows) return text;  // functions that are nonlinear have no growth vector
  if (integrability.growth) text += "; growth " + tuple(*integrability.growth);
  if (integrability.growth_at_state) text += ", at the initial state " + tuple(*integrability.growth_at_state);
  return text;
}

std::string caplygin_words(const System& system, const Check& check) {
  const CaplyginType& caplygin = check.caplygin;
  if (check.dependent.empty() && caplygin.in_use) return "yes: there is nothing to eliminate";
  std::vector<std::string> others;
  for (const auto& choice : caplygin.choices) {
    if (choice != check.dependent) others.push_back(names(system, choice, "'"));
  }
  constexpr std::size_t shown = 3;
  std::string list;
  for (std::size_t i = 0; i < std::min(others.size(), shown); ++i) list += (i > 0 ? "; " : "") + others[i];
  if (others.size() > shown) list += fmt::format("; and {} more", others.size() - shown);
  if (check.dependent.empty()) return "not at all: " + caplygin.obstacle;
  std::string text = caplygin.in_use ? "yes with dependent " + names(system, check.dependent, "'")
                                     : "not with dependent " + names(system, check.dependent, "'");
  if (!caplygin.in_use && !caplygin.obstacle.empty()) text += ": " + caplygin.obstacle;
  if (!list.empty()) text += fmt::format("; {} with {}", caplygin.in_use ? "also" : "but", list);
  return text;
}

constexpr std::size_t margin = 12;

std::string equations_text(const std::vector<Expr>& equations, const char* list, std::size_t branch) {
  std::string text;
  for (const Expr e : equations) {
    const std::string left = short_formula(e);
    text += (text.empty() ? "" : ", ") + (left.empty() ? formula(e, list, branch) : left + " = 0");
  }
  return text;
}

std::string integral_text(const System& system, const FoundIntegral& integral, const std::string& formula) {
  std::string jumps;
  for (const Expr u : integral.jumps) jumps += (jumps.empty() ? "; it jumps where " : " or ") + to_string(u) + " = 0";
  return formula + " = const (" + brief(system, integral.finding) + jumps + ")";
}

// What holds on each branch, where there are several.
std::string branches_text(const System& system, const Check& check) {
  if (check.branches.empty()) return {};
  std::string text = paragraph(
      "branches",
      fmt::format("{}, {}", check.branches.size(),
                  check.branches_complete ? "and no others (proved by algebra)" : "as far as they were found"),
      margin);
  for (std::size_t k = 0; k < check.branches.size(); ++k) {
    const Check::Branch& branch = check.branches[k];
    const auto verdict = [&](const char* yes, const char* no, const Finding& finding) {
      const char* word = finding.holds() ? yes : finding.fails() ? no : "undecided";
      return fmt::format("{} ({})", word, brief(system, finding));
    };
    text += paragraph("", equations_text(branch.equations, "set.branches", k), margin);
    text += paragraph("",
                      fmt::format("  {}; E {}; {}", verdict("a cone", "no cone", branch.conic),
                                  verdict("conserved", "not conserved", branch.conserved),
                                  !branch.integrability.decided     ? "integrability undecided"
                                  : branch.integrability.integrable ? "integrable"
                                                                    : "not integrable"),
                      margin);
    for (const FoundIntegral& integral : branch.integrability.integrals)
      text += paragraph("", "  " + integral_text(system, integral, formula(integral.expression, "set.branches", k)),
                        margin);
  }
  return text;
}

std::string set_text(const System& system, const Check& check) {
  const Classification& classification = check.classification;
  if (system->constraints.empty()) return {};
  std::string text = fmt::format("\nThe set: rank {}", classification.rank);
  if (classification.redundant > 0) text += fmt::format(", {} redundant", classification.redundant);
  text += fmt::format(", {}\n", count(classification.degrees_of_freedom, "degree of freedom", "degrees of freedom"));

  if (!check.ranks.empty()) {
    std::string pieces;
    for (const OnSet::RankThere& piece : check.ranks)
      pieces += fmt::format("{}rank {} where {}", pieces.empty() ? "" : "; ", piece.rank, piece.where);
    text += paragraph("pieces", pieces + ". What is said below holds on each piece, not from one to the next.", margin);
  }
  text += branches_text(system, check);
  for (std::size_t k = 0; k < check.lower_order.size(); ++k)
    text += paragraph(k == 0 ? "besides" : "",
                      equations_text(check.lower_order[k], "set.lower_order", k) +
                          ", a branch of lower order: what is said below is not said of its states",
                      margin);
  const bool accelerations = classification.restricts_accelerations();
  std::string cone = accelerations
                         ? (check.homogeneity.conic.holds() ? "the reactions do no work" : "the reactions may do work")
                         : yes_no(check.homogeneity.conic);
  if (check.homogeneity.needs_rewriting() && !accelerations) cone += ", though not every function is homogeneous";
  text += paragraph(accelerations ? "reactions" : "cone",
                    fmt::format("{} ({})", cone, brief(system, check.homogeneity.conic)), margin);
  const std::vector<Expr>& rewritten = check.homogeneity.rewritten;
  for (std::size_t i = 0; i < rewritten.size(); ++i) {
    const std::string left = short_formula(rewritten[i]);
    text += paragraph("", "the same as " + (left.empty() ? formula(rewritten[i], "set.rewritten", i) : left + " = 0"),
                      margin);
  }
  text += paragraph("integrable", integrability_words(check.integrability, classification), margin);
  text += paragraph("", "(" + check.integrability.ground + ")", margin);
  for (std::size_t i = 0; i < check.integrability.integrals.size(); ++i) {
    const FoundIntegral& integral = check.integrability.integrals[i];
    text +=
        paragraph("", integral_text(system, integral, formula(integral.expression, "set.integrals_found", i)), margin);
  }
  return text + paragraph("Čaplygin", caplygin_words(system, check), margin);
}

std::string energy_text(const System& system, const EnergyVerdict& energy) {
  const auto words = [](const Finding& finding) {
    if (finding.holds()) return std::string("conserved");
    return std::string(finding.fails() ? "not conserved" : "undecided");
  };
  std::string text = "\nEnergy\n";
  text += paragraph(
      energy.jacobi ? "E (Jacobi)" : "E = T + V",
      fmt::format("{}: {} ({})", words(energy.conserved), energy.because, brief(system, energy.conserved)), margin);
  if (energy.star_conserved) {
    text += paragraph("E*", words(*energy.star_conserved) + ": " + energy.star_because, margin);
  } else if (energy.same && !system->constraints.empty()) {
    text += paragraph("E*", "the same as E on a cone", margin);
  }
  return text;
}

// The group, and what each of its fields does: dx = -y, dy = x, dphi = 1.
std::string symmetry_text(const System& system, const Symmetry& symmetry) {
  if (symmetry.fields.empty()) return {};
  std::string text = fmt::format("\nThe same under {} ({})\n", symmetry.group, brief(system, symmetry.ground));
  for (const SymmetryField& field : symmetry.fields) {
    const std::vector<Expr> xi = field.at(system->motion.q);
    std::string line;
    for (std::size_t i = 0; i < system->size(); ++i)
      if (!xi[i].is_zero()) line += (line.empty() ? "d" : ", d") + system->coordinates[i] + " = " + to_string(xi[i]);
    text += paragraph("", line, 2);
  }
  return text;
}

std::string integrals_text(const System& system, const Check& check) {
  std::string text;
  if (!check.first_integrals.empty()) {
    Rows rows;
    for (std::size_t i = 0; i < check.first_integrals.size(); ++i) {
      const LinearIntegral& integral = check.first_integrals[i];
      rows.push_back(
          {formula(integral.integral, "first_integrals", i), integral.meaning, brief(system, integral.ground)});
    }
    const bool of_another = !check.integrals.empty() && check.form != Form::multipliers;
    text += fmt::format("\nConstants of the motion{}, linear in the momenta\n",
                        of_another ? " of d'Alembert–Lagrange" : "") +
            table(rows);
  }
  if (!check.integrals.empty()) {
    Rows rows;
    for (const DeclaredIntegral& integral : check.integrals) {
      rows.push_back({integral.name,
                      integral.conserved.holds()   ? "constant"
                      : integral.conserved.fails() ? "NOT constant"
                                                   : "undecided",
                      brief(system, integral.conserved)});
    }
    text += "\nDeclared by the model, along the motions of " + check.form.name() + "\n" + table(rows);
  }
  return text;
}

std::string displacements_text(const System& system, const Check& check) {
  if (!check.displacements || system->constraints.empty()) return {};
  const VirtualDisplacements& d = *check.displacements;
  std::string text = "\nVirtual displacements at the initial state\n";
  constexpr std::size_t most = 6;
  for (std::size_t i = 0; i < std::min(d.dependent.size(), most); ++i) {
    std::string sum;
    for (std::size_t r = 0; r < d.independent.size(); ++r) {
      const double gamma = d.gamma[i][r];
      if (std::abs(gamma) < 1e-13) continue;  // what rounding leaves of a zero
      sum += fmt::format("{}{:.6g} d{}", sum.empty() ? (gamma < 0 ? "-" : "") : (gamma < 0 ? " - " : " + "),
                         std::abs(gamma), system->coordinates[d.independent[r]]);
    }
    text += fmt::format("  d{} = {}\n", system->coordinates[d.dependent[i]], sum.empty() ? "0" : sum);
  }
  if (d.dependent.size() > most) text += fmt::format("  and {} more\n", d.dependent.size() - most);
  if (!d.velocity_is_virtual) {
    text += "  The velocity is not one of them: the reactions may do work.\n";
  } else if (d.same_vectors && *d.same_vectors) {
    text += "  The admissible velocities here are the same vectors.\n";
  } else {
    text += "  The velocity is one of them; other admissible velocities need not be.\n";
  }
  return text;
}

std::string substitution_text(const System& system, const Substitution& s) {
  std::string text = "\nA constraint substituted into the Lagrangian\n";
  if (!s.still_there.empty()) {
    return text + "  L still contains " + names(system, s.still_there, "'") +
           ", so nothing has been substituted into it; keep the constraint and use any form but reduced.\n";
  }
  if (s.harmless()) {
    return text + "  Nothing is missing: every Voronec term B vanishes, as for integrable constraints.\n";
  }
  text += "  Lagrange's equations of this L are wrong: on their left they lack\n";
  Rows rows;
  for (std::size_t r = 0; r < s.independent.size(); ++r) {
    std::string sum;
    for (const auto& term : s.terms) {
      if (term.independent != s.independent[r] || term.zero.holds()) continue;
      const std::string& name = system->coordinates[term.dependent];
      const std::string B = term.B ? short_formula(*term.B) : std::string();
      if (B.empty()) {
        sum += fmt::format(" - B[{},{}] p_{}", name, system->coordinates[term.independent], name);
      } else {
        const bool negative = B.starts_with('-');
        const std::string opposite = negative ? short_formula(-*term.B) : std::string();
        sum += opposite.empty() ? fmt::format(" - ({}) p_{}", B, name) : fmt::format(" + ({}) p_{}", opposite, name);
      }
    }
    if (sum.empty()) continue;
    rows.push_back(
        {system->coordinates[s.independent[r]], sum.substr(1),
         s.missing.empty() ? std::string() : fmt::format("= {} at the initial state", value(-s.missing[r]))});
  }
  text += table(rows);
  text += "  with p = dL/dv of the Lagrangian before the substitution";
  text += s.momenta.empty() ? ", which this model does not contain.\n" : ", here from the masses of the points.\n";
  return text;
}

std::string measure_text(const System& system, const InvariantMeasure& measure) {
  const Finding& exists = measure.exists;
  std::string names;
  for (const std::string& name : measure.state) names += (names.empty() ? "" : ", ") + name;
  if (exists.fails())
    return fmt::format("The flow of {} has no invariant measure with a density of the coordinates: {}.\n", names,
                       measure.because);
  if (!exists.holds())
    return fmt::format("Whether the flow has an invariant measure is not decided: {}.\n", measure.because);
  std::string density;
  for (std::size_t i = 0; i < measure.density.size(); ++i) {
    const auto& [factor, exponent] = measure.density[i];
    std::string one = short_formula(factor);
    if (one.empty()) one = fmt::format("invariant_measure.density[{}] of `check --json`", i);
    density +=
        (density.empty() ? "" : " ") +
        (exponent == Rational(1) ? fmt::format("({})", one) : fmt::format("({})^({})", one, exponent.to_string()));
  }
  if (measure.of_phase_space)
    return fmt::format("The flow keeps the volume of phase space, by Liouville's theorem: {}{}.\n", measure.because,
                       density.empty() ? "" : "; of (" + names + ") the density is " + density);
  return fmt::format("The flow of ({}) keeps {} ({}).\n", names,
                     density.empty() ? "volumes" : "the measure with the density " + density, brief(system, exists));
}

}  // namespace

std::string to_text(const System& system, const Check& check, const InvariantMeasure* measure) {
  std::string text = heading(system);
  text += fmt::format("\n{}: ", count(system->size(), "coordinate", "coordinates"));
  for (std::size_t i = 0; i < system->size(); ++i) text += (i > 0 ? ", " : "") + system->coordinates[i];
  if (system->constraints.empty()) {
    text += "; " + count(check.classification.degrees_of_freedom, "degree of freedom", "degrees of freedom");
  }
  text += "\n";
  text += constraints_text(system, check) + set_text(system, check) + energy_text(system, check.energy) +
          symmetry_text(check.system, check.symmetry) + integrals_text(system, check) +
          displacements_text(system, check);
  if (check.substitution) text += substitution_text(system, *check.substitution);
  text += "\n";
  const Classification& classification = check.classification;
  if (check.determinate) {
    text += *check.determinate
                ? "Position and velocity determine the motion.\n"
                : "Position and velocity do not determine the motion: " + check.determinate_because + "\n";
  }
  if (measure != nullptr) text += measure_text(system, *measure);
  if (!classification.regular) {
    text += "The gradients of the constraints do not span the normals of their own set, as with a squared equation.\n";
  }
  if (classification.rank_at_state)
    text += fmt::format("At the initial state the rank is {}.\n", *classification.rank_at_state);
  if (classification.state) {
    text += fmt::format("The initial state: {} ({})\n", classification.state->message(),
                        to_string(classification.state->code()));
  }
  return text::printable(text);
}

}  // namespace cetaev
