#include <fmt/format.h>

#include <algorithm>

#include "balance_names.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/text/numbered.hpp"
#include "cetaev/report/written.hpp"
#include "layout.hpp"
#include "written_objects.hpp"

namespace cetaev {

namespace {

constexpr std::size_t screen = 100;
// Left sides up to this wide line up at their '='.
constexpr std::size_t widest_aligned = 36;
constexpr double widest_term = 82;
constexpr double widest_left_term = 94;
// Lines of one form among all: two pages.
constexpr std::size_t longest_listed = 120;

class TextWriter {
 public:
  TextWriter(const WrittenSystem& written, Notation notation) : written_(written), typeset_(written.system, notation) {}

  std::string write() {
    const System& system = written_.system;
    text_ = system->name + "\n";
    line("coordinates " + names(system->coordinates, "") + "; dependent velocities " + dependent());
    lines_.push_back({"L", typeset_.terms(readable_lagrangian(written_), widest_term), ""});
    for (const WrittenDefinition& d : written_.names) define(d);
    flush(2);
    for (const std::string& note : written_.notes) text_ += paragraph("", note, 0);
    if (!written_.energy.empty()) energy();
    for (const WrittenObject& object : written_.objects) write(object);
    for (const WrittenForm& form : written_.forms) write(form);
    return std::move(text_);
  }

 private:
  struct Line {
    std::string left;
    std::vector<TypesetTerm> right;
    std::string behind;  // a remark at the end
  };

  bool unicode() const { return typeset_.notation() == Notation::unicode; }
  void line(const std::string& text) { text_ += "  " + text + "\n"; }

  std::string names(const std::vector<std::string>& list, const std::string& mark) {
    std::vector<std::string> spelled;
    for (const std::string& name : list) spelled.push_back(typeset_.name(name + mark));
    return spelled.empty() ? "none" : enumerate(without_middles(list, std::move(spelled)));
  }

  // a1, …, a20 for names that are numbered without a gap.
  std::vector<std::string> without_middles(const std::vector<std::string>& names,
                                           std::vector<std::string> spelled) const {
    constexpr std::size_t longest = 6;
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin < names.size();) {
      std::size_t end = begin + 1;
      while (end < names.size() && follows(names[end - 1], names[end])) ++end;
      if (end - begin > longest) {
        result.push_back(spelled[begin]);
        result.emplace_back(unicode() ? "…" : "...");
        result.push_back(spelled[end - 1]);
      } else {
        result.insert(result.end(), spelled.begin() + static_cast<std::ptrdiff_t>(begin),
                      spelled.begin() + static_cast<std::ptrdiff_t>(end));
      }
      begin = end;
    }
    return result;
  }
  static bool follows(const std::string& one, const std::string& next) {
    const auto a = text::numbered_name(one), b = text::numbered_name(next);
    return a && b && a->stem == b->stem && a->marks == b->marks && b->index == a->index + 1;
  }

  std::string dependent() {
    std::vector<std::string> list;
    for (const std::size_t i : written_.dependent) list.push_back(written_.system->coordinates[i]);
    return names(list, "'");
  }

  void define(const WrittenDefinition& d) {
    const std::string left = left_side(typeset_, d);
    const std::string behind = d.comment.empty() ? "" : "   (" + d.comment + ")";
    if (d.kind == WrittenDefinition::Kind::name && d.value.size() == 3) {
      // a vector by its components
      std::string components;
      for (const Expr e : d.value) components += (components.empty() ? "[" : ", ") + typeset_.expression(e);
      lines_.push_back({left, {{false, components + "]", 0, false}}, behind});
    } else {
      lines_.push_back({left, typeset_.terms(readable(d), widest_term), behind});
    }
  }

  void put(const WrittenEquation& e) {
    lines_.push_back({typeset_.sum(e.left), typeset_.terms(e.right, widest_left_term), ""});
    long_left_.resize(lines_.size());
    long_left_.back() = typeset_.terms(e.left, widest_left_term);
  }

  void put(const std::vector<WrittenEquation>& equations, const std::vector<WrittenFamily>& families) {
    if (families.empty())
      for (const WrittenEquation& e : equations) put(e);
    for (const WrittenFamily& f : families) {
      put(f.equation);
      if (!f.index.empty())
        lines_.back().behind = fmt::format("   ({} = {}, {}, {})", f.index, f.first, unicode() ? "…" : "...", f.last);
    }
  }

  std::string minus() const { return unicode() ? "−" : "-"; }

  // Σ terms, broken before a sign where the line is full; its lines begin in the given column.
  std::string broken(const std::vector<TypesetTerm>& terms, std::size_t column) const {
    if (terms.empty()) return "0";
    std::string text;
    std::size_t used = column;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const TypesetTerm& term = terms[i];
      std::string piece;
      if (!term.joined) piece = i == 0 ? (term.negative ? minus() : "") : (term.negative ? minus() + " " : "+ ");
      piece += term.text;
      const std::size_t more = width(piece) + (i == 0 || term.joined ? 0 : 1);
      if (i > 0 && (term.opens || used + more > screen)) {
        while (text.back() == ' ') text.pop_back();
        text += "\n" + std::string(column, ' ');
        used = column;
      } else if (i > 0 && !term.joined) {
        text += " ";
      }
      text += piece;
      used += more;
    }
    return text;
  }

  // The collected lines with their '=' below each other.
  void flush(std::size_t indent) {
    std::size_t aligned = 0;
    for (const Line& l : lines_) {
      if (width(l.left) <= widest_aligned) aligned = std::max(aligned, width(l.left));
    }
    long_left_.resize(lines_.size());
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& l = lines_[i];
      const std::string margin(indent, ' ');
      std::size_t rest = 3;
      for (const TypesetTerm& t : l.right) rest += width(t.text) + 3;
      const bool long_left = width(l.left) > widest_aligned;
      if (long_left && indent + width(l.left) + rest > screen) {
        text_ += margin + (long_left_[i].empty() ? l.left : broken(long_left_[i], indent + 2)) + "\n";
        text_ += margin + "  = " + broken(l.right, indent + 4) + l.behind + "\n";
      } else {
        const std::string left = long_left ? l.left : pad(l.left, aligned);
        text_ += margin + left + " = " + broken(l.right, indent + width(left) + 3) + l.behind + "\n";
      }
    }
    lines_.clear();
    long_left_.clear();
  }

  void energy() {
    text_ += unicode() ? "\nenergy: E = v·∂L/∂v − L and its rate along the motions of d'Alembert–Lagrange\n"
                       : "\nenergy: E = v dL/dv - L and its rate along the motions of d'Alembert-Lagrange\n";
    for (std::size_t i = 0; i < written_.energy.size(); ++i) {
      const WrittenDefinition& d = written_.energy[i];
      if (is_rate(d)) {
        flush(2);
        line(left_side(typeset_, d) + " = " + rate(typeset_, written_.energy, i));
        while (i + 1 < written_.energy.size() && !written_.energy[i + 1].comment.empty() &&
               !is_rate(written_.energy[i + 1])) {
          define(written_.energy[++i]);
        }
        flush(4);
      } else {
        define(d);
      }
    }
    flush(2);
  }

  void write(const WrittenObject& object) {
    text_ += fmt::format("\n{}: {}\n", name_of(object.object), title_of(object.object));
    if (object.refusal) {
      text_ +=
          paragraph("", fmt::format("none: {} ({})", object.refusal->message(), to_string(object.refusal->code())), 0);
      return;
    }
    for (const WrittenObject::Array& array : object.arrays) {
      std::size_t zero = 0;
      for (std::size_t i = 0; i < array.entries.size(); ++i) {
        const std::vector<Expr>& entry = array.entries[i];
        if (entry.empty() && !array.axes.empty()) {
          ++zero;
        } else {
          lines_.push_back({spelled_entry(typeset_, array, i), typeset_.terms(entry, widest_term), ""});
        }
      }
      flush(2);
      if (zero == array.entries.size()) {
        line(spelled_symbol(typeset_, array) + " = 0");
      } else if (zero > 0) {
        line(fmt::format("the other entr{} of {} {} zero", zero == 1 ? "y" : "ies", spelled_symbol(typeset_, array),
                         zero == 1 ? "is" : "are"));
      }
    }
    for (const std::string& note : object.notes) text_ += paragraph("", "note: " + note, 0);
  }

  void write(const WrittenForm& form) {
    text_ += fmt::format("\n{}: {}\n", form.name, form.title);
    if (form.refusal) {
      text_ += paragraph(
          "", fmt::format("does not apply: {} ({})", form.refusal->message(), to_string(form.refusal->code())), 0);
      return;
    }
    line("state: " + form.state);
    std::vector<std::string> unknowns;
    std::vector<std::string> plain;
    for (const Expr e : form.unknowns) {
      unknowns.push_back(typeset_.expression(e));
      plain.emplace_back(e.name());
    }
    unknowns = without_middles(plain, std::move(unknowns));
    text_ += paragraph("", "unknowns: " + (unknowns.empty() ? "none" : enumerate(unknowns)), 0);
    const std::size_t begin = text_.size();
    write_lines(form);
    const auto lines = static_cast<std::size_t>(
        std::ranges::count(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.end(), '\n'));
    const bool first = &form == &written_.forms.front();
    if (!written_.all_forms || first || lines <= longest_listed) return;
    text_.resize(begin);
    text_ +=
        paragraph("",
                  fmt::format("{} equations on {} lines, too long to be read among the others: --form {} prints them, "
                              "--format c, cpp, python, cuda or matlab writes code",
                              form.equations.size() + form.constraints.size(), lines, form.name),
                  0);
  }

  // What stands under the names of state and unknowns.
  void write_lines(const WrittenForm& form) {
    std::vector<std::string> zero;
    for (const WrittenDefinition& d : form.definitions) {
      if (is_zero_term(d)) {
        zero.push_back(left_side(typeset_, d));
      } else {
        define(d);
      }
    }
    flush(2);
    if (!zero.empty()) line(equal(zero, "B", "the other ") + " = 0");
    if (form.minimise) {
      line("minimise");
      text_ += "    " + broken(typeset_.terms(form.minimise->left, widest_term), 4) + "\n";
      line("subject to");
    }
    if (stands_elsewhere(written_, form)) {
      line("the same equations as " + form.same_as);
    } else {
      equations(form);
    }
    if (!form.transpositional.empty()) {
      line("transpositional relations");
      for (const WrittenDefinition& d : form.transpositional) {
        lines_.push_back({transposition(typeset_, d.symbol), typeset_.terms(d.value, widest_term), ""});
      }
      flush(4);
    }
    for (const std::string& note : form.notes) text_ += paragraph("", "note: " + note, 0);
  }

  // Of motion, with what belongs to them.
  void equations(const WrittenForm& form) {
    put(form.equations, form.families);
    put(form.constraints, form.families_of_constraints);
    flush(4);
    if (!form.families.empty() || !form.families_of_constraints.empty()) line("one by one: --expand, or --format json");
    if (const auto lines = explained_here(written_, form); !lines.empty()) {
      line("where");
      for (const WrittenDefinition& d : lines) define(d);
      flush(4);
    }
    for (const std::vector<Expr>& momentum : form.conserved)
      text_ += "  conserved: " + broken(typeset_.terms(momentum, widest_term), 13) + "\n";
    if (!form.nonzero.empty()) {
      std::vector<std::string> conditions;
      for (const Expr e : form.nonzero) conditions.push_back(typeset_.expression(e) + (unicode() ? " ≠ 0" : " != 0"));
      line((form.where.empty() ? "where " : "and ") + enumerate(conditions));
    }
  }

  const WrittenSystem& written_;
  Typesetter typeset_;
  std::string text_;
  std::vector<Line> lines_;
  std::vector<std::vector<TypesetTerm>> long_left_;  // the terms of left sides, beside lines_
};

}  // namespace

std::string to_text(const WrittenSystem& written, Notation notation) {
  return text::printable(TextWriter(written, notation).write());
}

}  // namespace cetaev
