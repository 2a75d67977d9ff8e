#include "written_latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "balance_names.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/report/written.hpp"
#include "latex_text.hpp"
#include "written_objects.hpp"

namespace cetaev {

namespace {

constexpr double widest_left = 30;

double total(const std::vector<TypesetTerm>& terms) {
  double sum = 0;
  for (const TypesetTerm& t : terms) sum += t.width + 2.3;
  return sum;
}

// Σ terms; where a line is full, `next_line` and on.
std::string broken(const std::vector<TypesetTerm>& terms, double& used, double line_width,
                   const std::string& next_line) {
  if (terms.empty()) {
    used += 1;
    return "0";
  }
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const TypesetTerm& t = terms[i];
    const double more = t.width + (t.joined ? 0 : 2.3);
    if (i > 0 && (t.opens || used + more > line_width)) {
      text += next_line;
      used = 4;
      if (!t.joined) text += t.negative ? "- " : "+ ";
    } else if (i > 0 && !t.joined) {
      text += t.negative ? " - " : " + ";
    } else if (t.negative && !t.joined) {
      text += "-";
    }
    text += t.text;
    used += more;
  }
  return text;
}

}  // namespace

LatexWriter::LatexWriter(const WrittenSystem& written, double line_width)
    : written_(written), line_width_(line_width), typeset_(written.system, Notation::latex) {}

LatexWriter::Row LatexWriter::row(const WrittenEquation& equation) {
  return {typeset_.terms(equation.left, line_width_ - 8), typeset_.terms(equation.right, line_width_ - 8), ""};
}

LatexWriter::Row LatexWriter::row(const std::vector<WrittenDefinition>& list, std::size_t i) {
  const WrittenDefinition& d = list[i];
  Row row{{{false, left_side(typeset_, d), 3, false}}, {}, ""};
  if (is_rate(d)) {
    row.right = {{false, rate(typeset_, list, i), 30, true}};
    return row;
  }
  if (d.kind == WrittenDefinition::Kind::name && d.value.size() == 3) {
    std::string components;
    for (const Expr e : d.value) components += (components.empty() ? "\\bigl(" : ",\\; ") + typeset_.expression(e);
    row.right = {{false, components + "\\bigr)", 30, false}};
  } else {
    row.right = typeset_.terms(readable(d), line_width_ - 8);
  }
  if (!d.comment.empty()) row.behind = "\\quad\\text{(" + latex_text(d.comment) + ")}";
  return row;
}

std::string LatexWriter::align(const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  // With a long left side every row begins at the margin.
  double widest = 0, right = 0;
  for (const Row& r : rows) {
    widest = std::max(widest, total(r.left));
    right = std::max(right, total(r.right));
  }
  const bool at_margin = widest > widest_left && widest + right > line_width_;
  std::string text = "\\begin{align}\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& r = rows[i];
    const std::string next_line = " \\notag \\\\\n&\\qquad ";
    double used = at_margin ? 0 : widest;
    std::string left;
    if (at_margin) {
      left = "&" + broken(r.left, used, line_width_, next_line);
    } else {
      double unbroken = -1e9;
      left = broken(r.left, unbroken, line_width_, "") + " &";
    }
    if (at_margin && used + total(r.right) > line_width_ && used > 10) {
      left += next_line;
      used = 4;
    } else if (at_margin) {
      left += " ";
    }
    used += 2;
    text += left + "= " + broken(r.right, used, line_width_, next_line);
    // a remark is about as long as its source
    if (!r.behind.empty() && used + 0.8 * static_cast<double>(r.behind.size()) > line_width_) text += next_line;
    text += r.behind + (i + 1 < rows.size() ? " \\\\\n" : "\n");
  }
  return text + "\\end{align}\n";
}

std::string LatexWriter::equations(const std::vector<WrittenEquation>& equations) {
  std::vector<Row> rows;
  for (const WrittenEquation& e : equations) rows.push_back(row(e));
  return align(rows);
}

std::vector<LatexWriter::Row> LatexWriter::rows_of(const std::vector<WrittenDefinition>& definitions) {
  std::vector<Row> rows;
  std::vector<std::string> zero;
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    if (is_zero_term(definitions[i])) {
      zero.push_back(left_side(typeset_, definitions[i]));
    } else {
      rows.push_back(row(definitions, i));
    }
  }
  if (!zero.empty()) rows.push_back({{{false, equal(zero, "B", "\\text{the other } "), 3, false}}, {}, ""});
  return rows;
}

std::string LatexWriter::definitions(const std::vector<WrittenDefinition>& definitions) {
  return align(rows_of(definitions));
}

std::string LatexWriter::lagrangian() {
  return align({{{{false, "L", 1, false}}, typeset_.terms(readable_lagrangian(written_), line_width_ - 8), ""}});
}

std::string LatexWriter::object(const WrittenObject& object) {
  if (object.refusal) return "There is none: " + latex_text(object.refusal->message()) + ".\n";
  std::string text;
  std::vector<Row> rows;
  for (const WrittenObject::Array& array : object.arrays) {
    if (array.axes.size() == 2) {
      // a matrix
      std::string entries;
      const std::size_t columns = array.axes[1].size();
      for (std::size_t i = 0; i < array.entries.size(); ++i) {
        entries += array.entries[i].empty() ? "0" : typeset_.sum(array.entries[i]);
        entries += i + 1 == array.entries.size() ? "\n" : (i + 1) % columns == 0 ? " \\\\\n" : " & ";
      }
      text += "\\begin{equation}\n" + spelled_symbol(typeset_, array) + " = \\begin{pmatrix}\n" + entries +
              "\\end{pmatrix}\n\\end{equation}\n";
      continue;
    }
    const bool all_zero =
        std::all_of(array.entries.begin(), array.entries.end(), [](const auto& e) { return e.empty(); });
    if (all_zero) rows.push_back({{{false, spelled_symbol(typeset_, array), 3, false}}, {}, ""});
    for (std::size_t i = 0; !all_zero && i < array.entries.size(); ++i) {
      rows.push_back({{{false, spelled_entry(typeset_, array, i), 6, false}},
                      typeset_.terms(array.entries[i], line_width_ - 8),
                      ""});
    }
  }
  text += align(rows);
  for (const std::string& note : object.notes) text += "\\par\\noindent Note: " + latex_text(note) + ".\n";
  return text;
}

std::string LatexWriter::notes(const WrittenForm& form) {
  std::string text;
  for (const std::string& note : form.notes) text += "\\par\\noindent Note: " + latex_text(note) + ".\n";
  return text;
}

std::string LatexWriter::form(const WrittenForm& form) {
  if (form.refusal) return "This form does not apply: " + latex_text(form.refusal->message()) + ".\n";
  std::vector<Row> rows = rows_of(form.definitions);
  if (form.minimise) {
    Row least = row(*form.minimise);
    std::swap(least.left, least.right);
    least.left = {{false, "Z", 1, false}};
    least.behind = " \\quad\\text{is least, subject to}";
    rows.push_back(std::move(least));
  }
  const bool elsewhere = stands_elsewhere(written_, form);
  const auto own = [&](const std::vector<WrittenEquation>& list) {
    return elsewhere ? std::span<const WrittenEquation>() : std::span(list);
  };
  const auto put_families = [&](const std::vector<WrittenFamily>& families) {
    for (const WrittenFamily& f : families) {
      rows.push_back(row(f.equation));
      if (!f.index.empty()) rows.back().behind = fmt::format(" \\quad ({} = {}, \\dots, {})", f.index, f.first, f.last);
    }
  };
  if (!elsewhere) put_families(form.families);
  if (form.families.empty())
    for (const WrittenEquation& e : own(form.equations)) rows.push_back(row(e));
  bool left_out = false;
  if (!elsewhere) put_families(form.families_of_constraints);
  for (const WrittenEquation& e :
       form.families_of_constraints.empty() ? own(form.constraints) : std::span<const WrittenEquation>()) {
    const bool known = std::find_if(known_.begin(), known_.end(), [&](Expr c) {
                         return e.right.empty() && e.left.size() == 1 && e.left[0] == c;
                       }) != known_.end();
    if (known) {
      left_out = true;
    } else {
      rows.push_back(row(e));
    }
  }
  for (const WrittenDefinition& d : form.transpositional) {
    rows.push_back(
        {{{false, transposition(typeset_, d.symbol), 8, false}}, typeset_.terms(readable(d), line_width_ - 8), ""});
  }
  std::string text = align(rows);
  if (elsewhere) {
    text += "The equations are those of \\texttt{" + latex_text(form.same_as) + "}.\n";
    return text + notes(form);
  }
  if (const auto lines = explained_here(written_, form); !lines.empty()) text += "where\n" + definitions(lines);
  if (left_out) text += known_.size() == 1 ? "with the constraint.\n" : "with the constraints.\n";
  if (!form.nonzero.empty()) {
    std::vector<std::string> conditions;
    for (const Expr e : form.nonzero) conditions.push_back("$" + typeset_.expression(e) + " \\neq 0$");
    text += (left_out || !form.where.empty() ? "They hold where " : "where ") + enumerate(conditions) + ".\n";
  }
  for (const std::vector<Expr>& momentum : form.conserved)
    text += "\\par\\noindent Conserved: $" + typeset_.sum(momentum) + "$.\n";
  return text + notes(form);
}

std::string to_latex(const WrittenSystem& written) {
  LatexWriter writer(written, LatexWriter::of_an_article);
  const System& system = written.system;
  std::string text = "% " + latex_comment(system->name) + "\n% needs \\usepackage{amsmath}\n";
  for (const std::string& note : written.notes) text += "% " + latex_comment(note) + "\n";
  if (!written.names.empty()) text += writer.definitions(written.names);
  if (!written.energy.empty()) text += "\n% energy\n" + writer.definitions(written.energy);
  for (const WrittenObject& object : written.objects) {
    text += fmt::format("\n% {}: {}\n", name_of(object.object), title_of(object.object));
    text += writer.object(object);
  }
  for (const WrittenForm& form : written.forms) {
    text += fmt::format("\n% {}: {}\n", form.name, latex_comment(form.title));
    if (written.forms.size() > 1) text += "\\par\\medskip\\noindent\\textbf{" + latex_text(form.title) + ".}\n";
    text += writer.form(form);
  }
  return text;
}

}  // namespace cetaev
