#include "formulas.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../balance_names.hpp"
#include "../layout.hpp"
#include "../mathml.hpp"
#include "cetaev/detail/constraint/describe.hpp"

namespace cetaev {

namespace {

// Summands wider than this are broken up where that is possible; narrower ones fit on the screen of a telephone.
constexpr double widest_term = 34;
// Left sides up to this wide stand in a column of their own.
constexpr double widest_left = 16;

double total(const std::vector<TypesetTerm>& terms) {
  double width = 0;
  for (const TypesetTerm& term : terms) width += term.width + 2.3;
  return width;
}

// Rows one below the other. A long one is no row of a table: it would widen the column of the left sides for all.
std::string block(std::string rows) {
  rows = "<div class=\"eqs\"><div class=\"rows\">\n" + rows + "</div></div>\n";
  const std::string empty = "<div class=\"rows\">\n</div>";
  for (std::size_t at = rows.find(empty); at != std::string::npos; at = rows.find(empty, at))
    rows.erase(at, empty.size());
  return rows;
}

}  // namespace

FormulaWriter::FormulaWriter(const WrittenSystem& written)
    : written_(written), typeset_(written.system, Notation::mathml) {}

std::string FormulaWriter::name(const std::string& name) { return mathml(typeset_.name(name)); }
std::string FormulaWriter::expression(Expr e) { return mathml(typeset_.expression(e)); }

std::string FormulaWriter::sum(const std::vector<TypesetTerm>& terms, bool behind_equals) {
  const std::string equals = behind_equals ? "<mo form=\"infix\">=</mo>" : "";
  if (terms.empty()) return mathml(equals + "<mn>0</mn>");
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const TypesetTerm& term = terms[i];
    std::string sign;
    if (i == 0) {
      sign = equals + (term.negative ? "<mo form=\"prefix\">−</mo>" : "");
    } else if (!term.joined) {
      sign = term.negative ? "<mo form=\"infix\">−</mo>" : "<mo form=\"infix\">+</mo>";
    }
    text += (i == 0 ? "" : term.joined ? "<wbr>" : " ") + mathml(sign + term.text);
  }
  return text;
}

std::string FormulaWriter::row(const std::string& left, double left_width, const std::string& right,
                               const std::string& remark) {
  const bool wide = left_width > widest_left;
  return fmt::format("{}<div class=\"eq{}\"><div class=\"lhs\">{}</div><div class=\"rhs\">{}{}</div></div>\n{}",
                     wide ? "</div>" : "", wide ? " long" : "", left, right,
                     remark.empty() ? "" : " <span class=\"remark\">" + html_text(remark) + "</span>",
                     wide ? "<div class=\"rows\">\n" : "");
}

std::string FormulaWriter::row(const WrittenEquation& equation, double widest) {
  const auto left = typeset_.terms(equation.left, widest_term), right = typeset_.terms(equation.right, widest_term);
  return row(sum(left, false), total(left) > widest ? widest_left + 1 : 0, sum(right, true));
}

std::string FormulaWriter::row(const std::vector<WrittenDefinition>& list, std::size_t i) {
  const WrittenDefinition& d = list[i];
  const std::string left = mathml(left_side(typeset_, d));
  if (is_rate(d)) return row(left, 3, mathml("<mo form=\"infix\">=</mo>" + rate(typeset_, list, i)));
  const double left_width = d.comment.empty() || d.kind != WrittenDefinition::Kind::energy ? 3 : 12;
  if (d.kind == WrittenDefinition::Kind::name && d.value.size() == 3) {
    // (a, b, c), with room to break behind the commas
    const std::string components = mathml("<mo form=\"infix\">=</mo><mo stretchy=\"false\">(</mo>" +
                                          typeset_.expression(d.value[0]) + "<mo separator=\"true\">,</mo>") +
                                   " " + mathml(typeset_.expression(d.value[1]) + "<mo separator=\"true\">,</mo>") +
                                   " " + mathml(typeset_.expression(d.value[2]) + "<mo stretchy=\"false\">)</mo>");
    return row(left, left_width, components, d.comment);
  }
  return row(left, left_width, sum(typeset_.terms(readable(d), widest_term), true), d.comment);
}

std::string FormulaWriter::equations(const std::vector<WrittenEquation>& equations) {
  if (equations.empty()) return {};
  std::string text;
  // One left side that is much wider than the others would leave a hole before theirs.
  constexpr double about_as_wide = 6;
  double narrowest = widest_left;
  for (const WrittenEquation& e : equations)
    narrowest = std::min(narrowest, total(typeset_.terms(e.left, widest_term)));
  for (const WrittenEquation& e : equations) text += row(e, std::min(widest_left, narrowest + about_as_wide));
  return block(std::move(text));
}

std::string FormulaWriter::definitions(const std::vector<WrittenDefinition>& definitions) {
  if (definitions.empty()) return {};
  std::string text;
  std::vector<std::string> zero;
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    if (is_zero_term(definitions[i])) {
      zero.push_back(left_side(typeset_, definitions[i]));
    } else {
      text += row(definitions, i);
    }
  }
  if (!zero.empty()) {
    constexpr std::size_t few = 5;
    std::string all;
    for (const std::string& symbol : zero) all += (all.empty() ? "" : "<mo>=</mo>") + symbol;
    if (zero.size() > few) all = "<mtext>the other&#160;</mtext><mi>B</mi>";
    text += row(mathml(all), 3, mathml("<mo form=\"infix\">=</mo><mn>0</mn>"));
  }
  return block(std::move(text));
}

std::string FormulaWriter::lagrangian() {
  return block(row(mathml("<mi>L</mi>"), 1, sum(typeset_.terms(readable_lagrangian(written_), widest_term), true)));
}

std::string FormulaWriter::form(const WrittenForm& form) {
  if (form.refusal) return "<p>Does not apply: " + html_text(form.refusal->message()) + ".</p>\n";
  std::string text = definitions(form.definitions);
  if (form.minimise) {
    text += "<p>Among all accelerations that satisfy the constraints, the true ones make this least:</p>\n";
    text += block(row(mathml("<mi>Z</mi>"), 1, sum(typeset_.terms(form.minimise->left, widest_term), true)));
  }
  const bool elsewhere = stands_elsewhere(written_, form);
  if (elsewhere) text += "<p>The same equations as <span class=\"tag\">" + html_text(form.same_as) + "</span>.</p>\n";
  const auto put = [&](const std::vector<WrittenEquation>& list, const std::vector<WrittenFamily>& families) {
    if (families.empty()) text += equations(list);
    for (const WrittenFamily& f : families) {
      text += equations({f.equation});
      if (!f.index.empty())
        text += fmt::format("<p>for <i>{}</i> = {}, …, {}</p>\n", html_text(f.index), f.first, f.last);
    }
  };
  if (!form.equations.empty() && !elsewhere) put(form.equations, form.families);
  if (!form.constraints.empty() && !elsewhere) {
    text += form.constraints.size() == 1 ? "<p>with the constraint</p>\n" : "<p>with the constraints</p>\n";
    put(form.constraints, form.families_of_constraints);
  }
  if (const auto lines = explained_here(written_, form); !lines.empty() && !elsewhere)
    text += "<p>where</p>\n" + definitions(lines);
  for (const std::vector<Expr>& momentum : form.conserved)
    text += "<p>Conserved: " + sum(typeset_.terms(momentum, widest_term), false) + "</p>\n";
  if (!form.nonzero.empty()) {
    std::vector<std::string> conditions;
    for (const Expr e : form.nonzero) conditions.push_back(mathml(typeset_.expression(e) + "<mo>≠</mo><mn>0</mn>"));
    text += (form.where.empty() ? "<p>where " : "<p>They hold where ") + enumerate(conditions) + ".</p>\n";
  }
  if (!form.transpositional.empty()) {
    std::string rows;
    for (const WrittenDefinition& d : form.transpositional) {
      rows += row(mathml(transposition(typeset_, d.symbol)), 10, sum(typeset_.terms(d.value, widest_term), true));
    }
    text += "<p>Transpositional relations</p>\n" + block(std::move(rows));
  }
  for (const std::string& note : form.notes) text += "<p class=\"note\">" + html_text(capital(note)) + ".</p>\n";
  return text;
}

}  // namespace cetaev
