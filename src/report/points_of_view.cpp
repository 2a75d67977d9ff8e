#include "cetaev/report/points_of_view.hpp"

#include <fmt/format.h>

#include <utility>

#include "balance_names.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "json_values.hpp"
#include "latex_text.hpp"
#include "layout.hpp"
#include "points_of_view_words.hpp"
#include "words.hpp"
#include "written_latex.hpp"

namespace cetaev {

std::string name_in_lists(Transpositional::View view) {
  return view == Transpositional::View::written ? "model" : std::string(name_of(view));
}

std::string_view title_of(Transpositional::View view) {
  switch (view) {
    case Transpositional::View::hoelder: return "Hölder, Hamel: everything commutes";
    case Transpositional::View::suslov: return "Suslov, Voronec: the independent coordinates commute";
    case Transpositional::View::mvm2: return "Llibre, Ramírez and Sadovskaia, Theorem 2";
    case Transpositional::View::mvm3: return "Llibre, Ramírez and Sadovskaia, Theorem 3";
    case Transpositional::View::written: return "the matrix that the model gives";
  }
  return "";
}

std::string_view in_words(KindOfMotion motion) {
  switch (motion) {
    case KindOfMotion::dalembert_lagrange: return "d'Alembert–Lagrange";
    case KindOfMotion::vakonomic: return "vakonomic";
    case KindOfMotion::other: return "neither d'Alembert–Lagrange nor vakonomic";
  }
  return "";
}

std::vector<WrittenDefinition> relation_rows(const PointsOfView& all, const PointOfView& view) {
  std::vector<WrittenDefinition> result;
  for (std::size_t i = 0; i < view.relations.size(); ++i) {
    if (!view.relations[i].empty())
      result.push_back({WrittenDefinition::Kind::name, all.system->coordinates[i], {}, view.relations[i], ""});
  }
  return result;
}

namespace {

std::string_view word(KindOfMotion motion) {
  switch (motion) {
    case KindOfMotion::dalembert_lagrange: return "dalembert-lagrange";
    case KindOfMotion::vakonomic: return "vakonomic";
    case KindOfMotion::other: return "other";
  }
  return "";
}

// δφ_α of a constraint in use, as a left side.
std::string varied(Typesetter& typeset, const PointsOfView& all, std::size_t v) {
  const std::string phi = typeset.expression(all.system->constraints[all.rows[v]].expression);
  switch (typeset.notation()) {
    case Notation::ascii: return "delta(" + phi + ")";
    case Notation::latex: return "\\delta\\bigl(" + phi + "\\bigr)";
    default: return "δ(" + phi + ")";
  }
}

// A constraint of order 0 acts through its derivative, of which it is the variation.
bool has_variation(const PointsOfView& all, std::size_t v) { return all.system->constraints[all.rows[v]].order > 0; }

class TextOfViews {
 public:
  TextOfViews(const PointsOfView& all, Notation notation) : all_(all), typeset_(all.system, notation) {}

  std::string write() {
    text_ = heading(all_.system);
    const bool unicode = typeset_.notation() == Notation::unicode;
    text_ += unicode ? "\nδ(q̇) − (δq)˙ = A δq, with virtual displacements J δq = 0\n"
                     : "\ndelta(q') - (delta q)' = A delta q, with virtual displacements J delta q = 0\n";
    std::vector<std::string> names;
    for (const std::size_t i : all_.dependent) names.push_back(all_.system->coordinates[i]);
    if (!names.empty()) line("dependent: " + enumerate(names));
    bool first = true;
    for (std::size_t v = 0; v < all_.commuting.size(); ++v) {
      if (!has_variation(all_, v)) continue;
      if (std::exchange(first, false)) line("where everything commutes, the constraints vary by");
      line("  " + varied(typeset_, all_, v) + " = " + typeset_.sum(all_.commuting[v]));
    }
    for (const PointOfView& view : all_.views) write(view);
    at_the_state();
    return text::printable(text_);
  }

 private:
  void line(const std::string& text) { text_ += "  " + text + "\n"; }

  void verdict(const std::string& what, const std::string& answer) { line(pad(what, 36) + answer); }

  void write(const PointOfView& view) {
    text_ += fmt::format("\n{}: {}\n", name_in_lists(view.view), title_of(view.view));
    if (view.error) {
      text_ += paragraph(
          "", fmt::format("does not apply: {} ({})", view.error->message(), to_string(view.error->code())), 0);
      return;
    }
    if (view.A.entries.empty()) {
      line("A has no formula here: its functions are dependent everywhere, or the model is too large");
    } else {
      const auto rows = relation_rows(all_, view);
      if (rows.empty()) line("A = 0");
      for (const WrittenDefinition& d : rows) line(transposition(typeset_, d.symbol) + " = " + typeset_.sum(d.value));
    }
    verdict("(A) the constraints do not vary", answer(view.constraints_stay));
    for (std::size_t v = 0; v < view.variation.size(); ++v) {
      if (!view.variation[v].empty() && has_variation(all_, v))
        line("      " + varied(typeset_, all_, v) + " = " + typeset_.sum(view.variation[v]));
    }
    verdict("(B) the displacements are virtual", "yes");
    verdict(
        "(C) everything commutes",
        answer(view.all_commute) +
            (!view.all_commute.holds() && view.virtual_ones_commute.holds() ? ", but for virtual displacements" : ""));
    verdict("motion", view.motion ? std::string(in_words(*view.motion)) : "undecided: no regular state was found");
    for (const std::string& note : view.notes) text_ += paragraph("", "note: " + note, 0);
  }

  std::string answer(const Finding& finding) const {
    if (finding.proved) return "yes, by algebra";
    if (finding.holds())
      return fmt::format(
          "yes, to {} digits at {}", finding.digits,
          count(static_cast<std::size_t>(finding.states), "random admissible state", "random admissible states"));
    return finding.fails() ? "no" : "undecided: no regular state was found";
  }

  void at_the_state() {
    text_ += fmt::format("\nAccelerations at {}, t = {}\n", all_.generic ? "a generic state" : "the initial state",
                         value(all_.at.state.t));
    std::vector<std::vector<std::string>> rows = {{""}};
    for (const std::string& name : all_.system->coordinates) rows.back().push_back(name + "''");
    const auto row = [&](const std::string& name, const std::vector<double>& a) {
      rows.push_back({name});
      for (const double x : a) rows.back().push_back(value(x));
    };
    row("d'Alembert–Lagrange", all_.reference);
    std::vector<std::string> remarks;
    for (const PointOfView& view : all_.views) {
      const std::string name = name_in_lists(view.view);
      if (view.here) row(name, view.here->a);
      if (view.error_here)
        remarks.push_back(
            fmt::format("{}: {} ({})", name, view.error_here->message(), to_string(view.error_here->code())));
      if (view.here && view.motion && view.here->motion != *view.motion)
        remarks.push_back(fmt::format("{}: here as {}, elsewhere not", name, in_words(view.here->motion)));
    }
    text_ += table(rows);
    for (const std::string& remark : remarks) line(remark);
    text_ += paragraph("",
                       "The motions are those of Hamilton's principle for L - lambda phi with these relations (mvm1); "
                       "the Hamilton–Suslov principle gives d'Alembert–Lagrange with any of them.",
                       0);
  }

  const PointsOfView& all_;
  Typesetter typeset_;
  std::string text_;
};

std::string_view yes_or_no(const Finding& finding) { return finding.holds() ? "yes" : finding.fails() ? "no" : "?"; }

}  // namespace

std::string to_text(const PointsOfView& all, Notation notation) { return TextOfViews(all, notation).write(); }

std::string to_latex(const PointsOfView& all) {
  WrittenSystem written;
  written.system = all.system;
  LatexWriter writer(written, LatexWriter::of_an_article);
  Typesetter& typeset = writer.typeset();
  std::string text = "% " + latex_comment(all.system->name) + "\n% needs \\usepackage{amsmath}\n";
  std::string verdicts;
  for (const PointOfView& view : all.views) {
    text += "\n% " + name_in_lists(view.view) + "\n";
    if (view.error) {
      text += latex_text(title_of(view.view)) + ": " + latex_text(view.error->message()) + ".\n";
      continue;
    }
    text += latex_text(title_of(view.view)) + ":\n";
    if (!view.A.entries.empty()) {
      text += "\\[\n  A = \\begin{pmatrix}\n";
      for (std::size_t i = 0; i < view.A.rows; ++i) {
        text += "    ";
        for (std::size_t j = 0; j < view.A.columns; ++j)
          text += (j == 0 ? "" : " & ") + typeset.expression(view.A(i, j));
        text += i + 1 < view.A.rows ? " \\\\\n" : "\n";
      }
      text += "  \\end{pmatrix}\n\\]\n";
    }
    WrittenForm form;
    form.transpositional = relation_rows(all, view);
    form.notes = view.notes;
    text += writer.form(form);
    for (std::size_t v = 0; v < view.variation.size(); ++v) {
      if (!view.variation[v].empty() && has_variation(all, v))
        text += "\\[\n  " + varied(typeset, all, v) + " = " + typeset.sum(view.variation[v]) + "\n\\]\n";
    }
    verdicts +=
        fmt::format("  {} & {} & yes & {} & {} \\\\\n", name_in_lists(view.view), yes_or_no(view.constraints_stay),
                    yes_or_no(view.all_commute), view.motion ? latex_text(in_words(*view.motion)) : std::string("?"));
  }
  return text +
         "\n\\begin{tabular}{lcccl}\n  & (A) $\\delta\\phi = 0$ & (B) $J\\,\\delta q = 0$ & (C) $A = 0$ & "
         "motion \\\\\n" +
         verdicts + "\\end{tabular}\n";
}

std::string to_json(const PointsOfView& all) {
  const System& system = all.system;
  Typesetter text(system, Notation::ascii), latex(system, Notation::latex);
  const auto written = [&](const std::vector<Expr>& summands) {
    return Json{{"text", text.sum(summands)}, {"latex", latex.sum(summands)}};
  };
  const auto matrix = [&](std::size_t columns, const std::vector<double>& entries) {
    Json rows = Json::array();
    for (std::size_t i = 0; i + columns <= entries.size() && columns > 0; i += columns)
      rows.push_back(numbers({entries.begin() + static_cast<std::ptrdiff_t>(i),
                              entries.begin() + static_cast<std::ptrdiff_t>(i + columns)}));
    return rows;
  };
  Json document;
  document["model"] = system->name;
  document["t"] = number(all.at.state.t);
  document["q"] = by_coordinate(system, all.at.state.q);
  document["v"] = by_coordinate(system, all.at.state.v);
  if (all.generic) document["generic"] = true;
  document["a"] = by_coordinate(system, all.reference);
  document["dependent"] = Json::array();
  for (const std::size_t i : all.dependent) document["dependent"].push_back(system->coordinates[i]);
  document["constraints"] = Json::array();
  for (std::size_t v = 0; v < all.rows.size(); ++v)
    document["constraints"].push_back(
        {{"text", system->constraints[all.rows[v]].label()}, {"variation", written(all.commuting[v])}});
  document["views"] = Json::array();
  for (const PointOfView& view : all.views) {
    Json object;
    object["name"] = name_in_lists(view.view);
    object["title"] = title_of(view.view);
    if (view.error) {
      object["error"] = diagnosis(*view.error);
      document["views"].push_back(std::move(object));
      continue;
    }
    object["A"] = nullptr;
    if (!view.A.entries.empty() || system->size() == 0) {
      object["A"] = Json::array();
      for (std::size_t i = 0; i < view.A.rows; ++i) {
        Json row = Json::array();
        for (std::size_t j = 0; j < view.A.columns; ++j) row.push_back(text.expression(view.A(i, j)));
        object["A"].push_back(std::move(row));
      }
      object["relations"] = Json::array();
      for (const WrittenDefinition& d : relation_rows(all, view)) {
        Json relation = written(d.value);
        relation["coordinate"] = d.symbol;
        object["relations"].push_back(std::move(relation));
      }
    }
    object["A_at_state"] = view.here ? matrix(system->size(), view.here->A) : Json(nullptr);
    object["holds"] = {{"A", truth(view.constraints_stay)}, {"B", true}, {"C", truth(view.all_commute)}};
    object["grounds"] = {{"A", ground(system, view.constraints_stay)}, {"C", ground(system, view.all_commute)}};
    if (view.all_commute.fails()) object["commutes_virtually"] = truth(view.virtual_ones_commute);
    if (view.constraints_stay.fails()) {
      object["variation"] = Json::array();
      for (const std::vector<Expr>& summands : view.variation) object["variation"].push_back(written(summands));
    }
    if (view.here) object["variation_at_state"] = matrix(system->size() - all.dependent.size(), view.here->variation);
    object["motion"] = view.motion ? Json(word(*view.motion)) : Json(nullptr);
    if (view.here) {
      if (view.motion != view.here->motion) object["motion_at_state"] = word(view.here->motion);
      object["a"] = by_coordinate(system, view.here->a);
      object["discrepancy"] = number(view.here->discrepancy);
    }
    if (view.error_here) object["error_at_state"] = diagnosis(*view.error_here);
    if (!view.notes.empty()) object["notes"] = view.notes;
    document["views"].push_back(std::move(object));
  }
  return dump(document);
}

}  // namespace cetaev
