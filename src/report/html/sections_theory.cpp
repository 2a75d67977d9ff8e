// What kind of system it is, its equations, and the model itself.
#include <fmt/format.h>

#include <algorithm>

#include "../layout.hpp"
#include "../mathml.hpp"
#include "../points_of_view_words.hpp"
#include "../words.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/report/written.hpp"
#include "formulas.hpp"
#include "sections.hpp"

namespace cetaev {

namespace {

enum class Tone { yes, no, open };

std::string verdict(Tone tone, const std::string& title, const std::string& sentence, const std::string& ground) {
  static const char* const classes[] = {"yes", "no", "open"};
  std::string text = fmt::format("<div class=\"verdict {}\"><dt>{}</dt><dd>{}", classes[static_cast<int>(tone)],
                                 html_text(title), html_text(sentence));
  if (!ground.empty()) text += "<small>" + html_text(capital(ground)) + ".</small>";
  return text + "</dd></div>\n";
}

Tone tone(const Finding& finding) { return finding.holds() ? Tone::yes : finding.fails() ? Tone::no : Tone::open; }

std::string constraint_words(const ConstraintKind& kind) {
  std::string text = kind.order == 0 ? "holonomic"
                                     : std::string(word(kind.linearity)) +
                                           (kind.order == 1 ? " in the velocities" : " in the accelerations");
  if (kind.order == 1)
    text += kind.degree ? ", homogeneous of degree " + kind.degree->to_string() : ", not homogeneous";
  if (kind.rheonomic) text += ", depends on time";
  return text;
}

std::string growth(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t x : numbers) text += (text.empty() ? "" : ", ") + std::to_string(x);
  return "growth vector (" + text + ")";
}

void set_verdicts(const System& system, const Check& check, std::string& text) {
  const Classification& c = check.classification;
  const bool accelerations = c.restricts_accelerations();
  const Integrability& i = check.integrability;
  if (!i.decided) {
    text += verdict(Tone::open, "Integrability", "Not decided.", i.ground);
  } else if (accelerations && i.hidden == 0) {
    text += verdict(Tone::open, "Second order", "No constraint on positions follows from these constraints.", i.ground);
  } else {
    std::string words = i.integrable ? "The constraints are completely integrable: the system is holonomic."
                        : i.hidden > 0
                            ? fmt::format("The constraints are integrable in part: {} hidden in them.",
                                          i.hidden == 1 ? "one holonomic integral is"
                                                        : fmt::format("{} holonomic integrals are", i.hidden))
                            : "The constraints are nonholonomic: not integrable, not even in part.";
    if (i.linear_rows && i.growth) words += " " + capital(growth(*i.growth)) + ".";
    text += verdict(i.integrable ? Tone::yes : Tone::no, i.integrable ? "Holonomic" : "Nonholonomic", words, i.ground);
  }
  const Finding& conic = check.homogeneity.conic;
  const std::string cone_title = accelerations ? "Reactions" : "Cone";
  if (conic.holds()) {
    text += verdict(Tone::yes, cone_title,
                    accelerations ? "The reactions do no work."
                                  : "The admissible velocities form a cone, so the reactions do no work.",
                    brief(system, conic));
  } else {
    text += verdict(tone(conic), cone_title,
                    !conic.fails()  ? "Whether the admissible velocities form a cone is not decided."
                    : accelerations ? "The reactions may do work."
                                    : "The admissible velocities do not form a cone: the reactions may do work.",
                    brief(system, conic));
  }
  if (!check.dependent.empty()) {
    std::vector<std::string> names;
    for (const std::size_t k : check.dependent) names.push_back(system->coordinates[k] + "'");
    text += verdict(check.caplygin.in_use ? Tone::yes : Tone::no, "Čaplygin",
                    fmt::format("Solved for {}, the system is {}of Čaplygin's type.", enumerate(names),
                                check.caplygin.in_use ? "" : "not "),
                    check.caplygin.in_use ? "" : check.caplygin.obstacle);
  }
}

std::string verdicts(const System& system, const Check& check) {
  std::string text = "<dl class=\"verdicts\">\n";
  const Classification& c = check.classification;
  std::string freedom = fmt::format("{}, {} of rank {}: {}", count(system->size(), "coordinate", "coordinates"),
                                    count(system->constraints.size(), "constraint", "constraints"), c.rank,
                                    count(c.degrees_of_freedom, "degree of freedom", "degrees of freedom"));
  if (system->constraints.empty())
    freedom = fmt::format("{} and no constraints: {}", count(system->size(), "coordinate", "coordinates"),
                          count(c.degrees_of_freedom, "degree of freedom", "degrees of freedom"));
  if (c.redundant > 0) freedom += fmt::format(", {} redundant", count(c.redundant, "constraint", "constraints"));
  text += verdict(Tone::yes, "Freedom", freedom + ".", "");
  if (!system->constraints.empty()) set_verdicts(system, check, text);

  const EnergyVerdict& energy = check.energy;
  const std::string what = energy.jacobi ? "Jacobi's energy integral" : "The energy E = T + V";
  if (energy.conserved.answer == Finding::Answer::undecided) {
    text += verdict(Tone::open, "Energy", "Whether the energy is conserved is not decided.", energy.because);
  } else {
    text += verdict(tone(energy.conserved), "Energy",
                    fmt::format("{} is {}conserved: {}.", what, energy.conserved.holds() ? "" : "not ", energy.because),
                    brief(system, energy.conserved));
  }
  if (energy.star_conserved) {
    text += verdict(
        tone(*energy.star_conserved), "Reduced energy",
        fmt::format("E* is {}conserved: {}.", energy.star_conserved->holds() ? "" : "not ", energy.star_because), "");
  }
  if (check.determinate) {
    text += verdict(*check.determinate ? Tone::yes : Tone::no, "Determinate",
                    *check.determinate ? "Position and velocity determine the motion."
                                       : "Position and velocity do not determine the motion.",
                    check.determinate_because);
  }
  if (c.state) text += verdict(Tone::no, "Initial state", capital(c.state->message()) + ".", "");
  return text + "</dl>\n";
}

}  // namespace

std::vector<std::string> chips(const Story& story) {
  const System& system = story.system;
  std::vector<std::string> list = {count(system->size(), "coordinate", "coordinates")};
  if (!system->constraints.empty()) list.push_back(count(system->constraints.size(), "constraint", "constraints"));
  if (!story.check) return list;
  const Check& check = *story.check;
  list.push_back(count(check.classification.degrees_of_freedom, "degree of freedom", "degrees of freedom"));
  if (check.classification.restricts_accelerations()) {
    list.emplace_back("of second order");
  } else if (!system->constraints.empty() && check.integrability.decided) {
    list.emplace_back(check.integrability.integrable ? "holonomic" : "nonholonomic");
  }
  const auto& kinds = check.classification.constraints;
  if (std::any_of(kinds.begin(), kinds.end(),
                  [](const ConstraintKind& k) { return k.order > 0 && k.linearity == Linearity::nonlinear; }))
    list.emplace_back("nonlinear");
  if (check.energy.conserved.holds()) list.emplace_back("energy conserved");
  if (check.energy.conserved.fails()) list.emplace_back("energy not conserved");
  return list;
}

std::string kind_section(Desk& desk) {
  const Story& story = desk.story;
  if (!story.check) return diagnosis_html("There is no classification", *story.check_error);
  std::string text = verdicts(desk.system, *story.check);
  if (desk.system->constraints.empty()) return text;
  text +=
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"The constraints\"><table><caption>The "
      "constraints</caption><thead><tr><th scope=\"col\">Constraint</th>"
      "<th scope=\"col\">Kind</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < desk.system->constraints.size(); ++i) {
    text +=
        fmt::format("<tr><td><code>{}</code></td><td>{}</td></tr>\n", html_text(desk.system->constraints[i].label()),
                    constraint_words(story.check->classification.constraints[i]));
  }
  return text + "</tbody></table></div>\n";
}

namespace {

std::string sources_html(const std::vector<Source>& sources) {
  std::string text;
  for (const Source& source : sources) {
    text += fmt::format(
        "<details class=\"source\"><summary>{}</summary><pre tabindex=\"0\" "
        "class=\"copy\"><code>{}</code></pre></details>\n",
        source.title, html_text(source.text));
  }
  return text.empty() ? text : "<div class=\"sources\">" + text + "</div>\n";
}

// Formulas beyond this many bytes help nobody on a page.
constexpr std::size_t longest_form = 100'000;

std::string form_html(const Desk& desk, FormulaWriter& writer, const WrittenForm& form,
                      const std::vector<Source>& sources) {
  std::string text = writer.form(form);
  if (text.size() > longest_form) {
    text = fmt::format(
        "<p>These equations are too long for a page. <code>cetaev derive {} --form {}</code> prints them.</p>\n",
        html_text(desk.system->file), form.name);
    return text;
  }
  std::size_t length = 0;
  for (const Source& source : sources) length += source.text.size();
  return text + (length < 2 * longest_form ? sources_html(sources) : "");
}

// Constraints that are not linear in the accelerations leave no form that could be written out.
std::string implicit_equations(const Desk& desk) {
  std::string text =
      "<p>No form has equations that could be written out here: the constraints are not linear in the "
      "accelerations, and these follow from them only together with the equations";
  const std::string row =
      "<mi>H</mi><mi>a</mi><mo form=\"infix\">−</mo><msup><mrow><mo stretchy=\"false\">(</mo>"
      "<mi>∂</mi><mi>h</mi><mo stretchy=\"false\">/</mo><mi>∂</mi><mi>a</mi>"
      "<mo stretchy=\"false\">)</mo></mrow><mi>T</mi></msup><mi>μ</mi><mo form=\"infix\">=</mo>"
      "<mi>b</mi><mo separator=\"true\">,</mo><mspace width=\"1em\"/><mi>h</mi>"
      "<mo form=\"infix\">=</mo><mn>0</mn>";
  text += "</p>\n<div class=\"eqs\"><p>" + mathml(row) + "</p></div>\n<p>where " +
          mathml("<mi>H</mi><mi>a</mi><mo form=\"infix\">=</mo><mi>b</mi>") + " are the equations without ";
  text += "constraints, and " + mathml("<mi>h</mi>") + " are the constraints.";
  if (desk.story.has_motion())
    text += " For the motion above they were solved at the start and then differentiated along it.";
  return text + "</p>\n";
}

std::string yes_or_no(const Finding& finding) { return finding.holds() ? "yes" : finding.fails() ? "no" : "undecided"; }

// Who lets what commute, and what follows.
std::string views_html(const PointsOfView& all) {
  WrittenSystem written;
  written.system = all.system;
  FormulaWriter writer(written);
  std::string verdicts, relations;
  for (const PointOfView& view : all.views) {
    const std::string title = html_text(capital(std::string(title_of(view.view))));
    const std::string head =
        fmt::format("<th scope=\"row\">{} <span class=\"tag\">{}</span></th>", title, name_in_lists(view.view));
    if (view.error) {
      verdicts += fmt::format("<tr>{}<td colspan=\"4\">{}</td></tr>\n", head, html_text(view.error->message()));
      continue;
    }
    verdicts += fmt::format(
        "<tr>{}<td>{}</td><td>yes</td><td>{}{}</td><td>{}</td></tr>\n", head, yes_or_no(view.constraints_stay),
        yes_or_no(view.all_commute),
        view.all_commute.fails() && view.virtual_ones_commute.holds() ? ", but for virtual displacements" : "",
        view.motion ? html_text(in_words(*view.motion)) : "undecided");
    WrittenForm form;
    form.transpositional = relation_rows(all, view);
    if (!form.transpositional.empty()) relations += "<h4>" + title + "</h4>\n" + writer.form(form);
  }
  return "<details class=\"form\"><summary>Points of view on the transpositional relations</summary>\n<p>Do variation "
         "and "
         "time derivative commute? Each answer is a matrix <i>A</i> of δ(q̇) − (δq)˙ = <i>A</i> δq, and has its own "
         "motion.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Points of "
         "view\"><table><thead><tr>"
         "<th scope=\"col\">Whose</th><th scope=\"col\">The constraints do not vary</th><th scope=\"col\">The "
         "displacements "
         "are virtual</th><th scope=\"col\">Everything commutes</th><th "
         "scope=\"col\">Motion</th></tr></thead><tbody>\n" +
         verdicts + "</tbody></table></div>\n" + (relations.size() < longest_form ? relations : "") + "</details>\n";
}

}  // namespace

std::string equations_section(Desk& desk) {
  const WrittenStory& story = *desk.story.written;
  if (!story.written) return diagnosis_html("There are no equations", *story.error);
  const WrittenSystem& written = *story.written;
  FormulaWriter writer(written);
  std::string text = "<p>The Lagrangian is</p>\n" + writer.lagrangian();
  if (!written.names.empty()) {
    const std::string names = writer.definitions(written.names);
    if (names.size() < longest_form) text += "<p>with</p>\n" + names;
  }
  const std::string chosen = (desk.story.summary ? desk.story.summary->form : Form::multipliers).name();
  std::string others, refused;
  bool shown = false;
  for (std::size_t i = 0; i < written.forms.size(); ++i) {
    const WrittenForm& form = written.forms[i];
    const std::string title = capital(form.title);
    shown = shown || !form.refusal;
    if (form.refusal) {
      refused += fmt::format("<li><b>{}</b>: {}.</li>\n", html_text(title), html_text(form.refusal->message()));
    } else if (form.name == chosen) {
      text += fmt::format("<h3>{} <span class=\"tag\">{}</span></h3>\n", html_text(title), form.name) +
              (desk.story.has_motion() ? "<p>The motion above was computed from this form.</p>\n" : "") +
              form_html(desk, writer, form, story.sources[i]);
    } else {
      others +=
          fmt::format("<details class=\"form\"><summary>{} <span class=\"tag\">{}</span></summary>\n{}</details>\n",
                      html_text(title), form.name, form_html(desk, writer, form, story.sources[i]));
    }
  }
  const bool accelerations = std::any_of(desk.system->constraints.begin(), desk.system->constraints.end(),
                                         [](const Constraint& c) { return c.order == 2; });
  if (!shown && accelerations) text += implicit_equations(desk);
  if (!others.empty()) text += "<h3>In every other form</h3>\n" + others;
  if (!refused.empty())
    text += "<details class=\"form\"><summary>Forms that do not apply</summary><ul>\n" + refused + "</ul></details>\n";
  if (story.views) text += views_html(*story.views);
  if (!story.every_form)
    text += fmt::format(
        "<p class=\"note\">The other forms are too long for a page; <code>cetaev derive {}</code> prints them.</p>\n",
        html_text(desk.system->file));
  for (const std::string& note : written.notes) text += "<p class=\"note\">" + html_text(capital(note)) + ".</p>\n";
  return text;
}

std::string model_section(Desk& desk) {
  std::string text;
  if (!desk.system->settings.empty()) {
    text += "<p>These values were put over it:";
    for (const std::string& setting : desk.system->settings) text += " <code>" + html_text(setting) + "</code>";
    text += ".</p>\n";
  }
  return text + "<pre tabindex=\"0\" class=\"copy model\"><code>" + html_text(desk.system->text) + "</code></pre>\n";
}

std::string reproduce_section(Desk& desk, const PageOptions& options) {
  return fmt::format(
      "<p>This page was made by Cetaev {} in {:.2f} s. The same page, and the same motion as numbers:</p>\n"
      "<pre tabindex=\"0\" class=\"copy\"><code>{}\n{}</code></pre>\n"
      "<p>Results do not depend on the machine beyond the last bits of the elementary functions.</p>\n",
      html_text(options.version), desk.story.seconds, html_text(options.command), html_text(options.run));
}

}  // namespace cetaev
