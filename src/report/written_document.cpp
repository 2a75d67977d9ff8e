#include <fmt/format.h>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/report/written.hpp"
#include "latex_text.hpp"
#include "layout.hpp"
#include "written_latex.hpp"

namespace cetaev {

namespace {

std::string parameters(const System& system, Typesetter& typeset) {
  if (system->parameters.empty()) return {};
  std::vector<std::string> list;
  for (const Parameter& p : system->parameters) {
    list.push_back(fmt::format("${} = {}$", typeset.name(p.symbol.name()), typeset.expression(p.definition)));
  }
  return "Parameters: " + enumerate(list) + ".\n";
}

std::vector<WrittenEquation> constraints(const System& system) {
  std::vector<WrittenEquation> list;
  for (const Constraint& c : system->constraints) list.push_back({"", {c.expression}, {}});
  return list;
}

std::vector<WrittenEquation> forces(const System& system) {
  std::vector<WrittenEquation> list;
  for (std::size_t i = 0; i < system->size(); ++i) {
    if (system->forces[i].is_zero()) continue;
    list.push_back({"", {system->context->symbol("$F[" + system->coordinates[i] + "]")}, {system->forces[i]}});
  }
  return list;
}

std::string ended(std::string text) {
  if (!text.empty() && std::string(".!?").find(text.back()) == std::string::npos) text += '.';
  return text;
}

}  // namespace

std::string to_latex_document(const WrittenSystem& written, const Check& check) {
  const System& system = written.system;
  LatexWriter writer(written, LatexWriter::of_a_page);
  std::string text =
      "\\documentclass[a4paper]{article}\n"
      "\\usepackage{amsmath}\n"
      "\\usepackage[margin=25mm]{geometry}\n"
      "\\allowdisplaybreaks\n"
      "\\emergencystretch=3em\n"
      "\\title{" +
      latex_text(system->name.empty() ? "Equations of motion" : system->name) +
      "}\n"
      "\\author{}\n\\date{}\n"
      "\\begin{document}\n\\maketitle\n";
  if (!system->description.empty()) text += "\\noindent " + ended(latex_text(system->description)) + "\n";

  text += "\n\\section{The model}\n";
  std::vector<std::string> coordinates;
  for (const std::string& name : system->coordinates) coordinates.push_back("$" + writer.typeset().name(name) + "$");
  text += fmt::format("{}: {}. The Lagrangian is\n", coordinates.size() == 1 ? "Coordinate" : "Coordinates",
                      enumerate(coordinates));
  text += writer.lagrangian();
  if (!written.names.empty()) text += "with\n" + writer.definitions(written.names);
  if (const auto list = forces(system); !list.empty()) text += "The generalized forces are\n" + writer.equations(list);
  if (!system->constraints.empty()) {
    text += system->constraints.size() == 1 ? "The constraint is\n" : "The constraints are\n";
    text += writer.equations(constraints(system));
    std::vector<Expr> known;
    for (const Constraint& c : system->constraints) known.push_back(c.expression);
    writer.take_as_known(std::move(known));
  }
  text += parameters(system, writer.typeset());

  text += "\n\\section{Classification}\n";
  for (const std::string& sentence : sentences(system, check)) text += latex_text(sentence) + "\n";
  for (const std::string& note : written.notes) text += "\\par\\noindent Note: " + ended(latex_text(note)) + "\n";

  text += "\n\\section{Equations of motion}\n";
  for (const WrittenForm& form : written.forms) {
    std::string title = form.title;
    if (!title.empty() && title[0] >= 'a' && title[0] <= 'z' && !title.starts_with("d'"))
      title[0] = static_cast<char>(title[0] - 'a' + 'A');
    text += "\n\\subsection{" + latex_text(title) + "}\n" + writer.form(form);
  }
  if (!written.energy.empty()) {
    text +=
        "\n\\section{Energy}\nThe energy is $E = v\\cdot\\partial L/\\partial v - L$; its rate is taken along the "
        "motions of d'Alembert--Lagrange.\n";
    text += writer.definitions(written.energy);
  }
  return text + "\\end{document}\n";
}

}  // namespace cetaev
