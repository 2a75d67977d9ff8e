#include "c_family.hpp"

#include <fmt/format.h>

namespace cetaev::codegen {

namespace {

// Gaussian elimination with row scaling and partial pivoting; {0} qualifier, {1} prefix, {2} prefix of math functions.
constexpr std::string_view helper_text = R"({0} int {1}is_regular(double pivot, double least)
{{
  const double size = {2}fabs(pivot);
  return size > least && size <= 1.7976931348623157e+308;
}}
)";

constexpr std::string_view elimination_text = R"(
/* The largest entry that column k had before the first k columns were eliminated. */
{0} double {1}column_size(int n, const double *a, int k)
{{
  int i, j;
  double largest = 0.0;
  for (i = 0; i < n; ++i) {{
    double entry = a[i*n + k];
    for (j = 0; j < (i < k ? i : k); ++j) entry += a[i*n + j]*a[j*n + k];
    if ({2}fabs(entry) > largest) largest = {2}fabs(entry);
  }}
  return largest;
}}

/* The matrix a (n by n, row by row) in triangular factors with scaled partial pivoting; returns 0 where it is singular:
   where a pivot is small beside its row and its column, so that units do not matter. */
{0} int {1}factor(int n, double *a, double *scale, int *row)
{{
  int i, j, k;
  for (i = 0; i < n; ++i) {{
    double largest = 0.0;
    for (j = 0; j < n; ++j) {{
      const double size = {2}fabs(a[i*n + j]);
      if (!(size <= largest)) largest = size;
    }}
    if (!{1}is_regular(largest, 0.0)) return 0;
    for (j = 0; j < n; ++j) a[i*n + j] /= largest;
    scale[i] = largest;
    row[i] = i;
  }}
  for (k = 0; k < n; ++k) {{
    int pivot = k;
    for (i = k + 1; i < n; ++i) {{
      if ({2}fabs(a[i*n + k]) > {2}fabs(a[pivot*n + k])) pivot = i;
    }}
    if (!{1}is_regular(a[pivot*n + k], 1e-12) &&
        !{1}is_regular(a[pivot*n + k], 1e-12*{1}column_size(n, a, k))) return 0;
    if (pivot != k) {{
      const int other = row[k];
      row[k] = row[pivot];
      row[pivot] = other;
      for (j = 0; j < n; ++j) {{
        const double entry = a[k*n + j];
        a[k*n + j] = a[pivot*n + j];
        a[pivot*n + j] = entry;
      }}
    }}
    for (i = k + 1; i < n; ++i) {{
      const double factor = a[i*n + k] / a[k*n + k];
      a[i*n + k] = factor;
      for (j = k + 1; j < n; ++j) a[i*n + j] -= factor*a[k*n + j];
    }}
  }}
  return 1;
}}

/* x = (matrix)^-1 b for m right-hand sides (n by m, row by row), from the factors. */
{0} void {1}substitute(int n, int m, const double *a, const double *scale, const int *row, const double *b,
  double *x)
{{
  int i, j, k;
  for (i = 0; i < n; ++i) {{
    for (j = 0; j < m; ++j) {{
      double value = b[row[i]*m + j] / scale[row[i]];
      for (k = 0; k < i; ++k) value -= a[i*n + k]*x[k*m + j];
      x[i*m + j] = value;
    }}
  }}
  for (i = n - 1; i >= 0; --i) {{
    for (j = 0; j < m; ++j) {{
      double value = x[i*m + j];
      for (k = i + 1; k < n; ++k) value -= a[i*n + k]*x[k*m + j];
      x[i*m + j] = value / a[i*n + i];
    }}
  }}
}}
)";

class BodyWriter {
 public:
  BodyWriter(const Source& source, const Source::Function& f, const CFamily& style)
      : source_(source), f_(f), style_(style) {}

  std::string run() {
    bool state = false, parameters = false;
    for (std::size_t i = 0; i < source_.state.size(); ++i) {
      const std::string& name = source_.state[i].name;
      if (!f_.uses(name)) continue;
      state = true;
      line("const double {} = state[{}];", name, i);
    }
    for (const Source::Parameter& p : source_.parameters) parameters = parameters || f_.uses(p.name);
    for (const Statement& s : f_.body.statements) s.solve ? solve(*s.solve) : assign(s);
    results();
    if (!f_.uses("t")) line("(void)t;");
    if (!state) line("(void)state;");
    if (!parameters) line("(void)p;");
    if (f_.body.outputs.empty()) line("(void){};", f_.result);
    line("return 0;");
    return std::move(out_);
  }

 private:
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += style_.indent + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  std::string text(const Term& t) const { return to_text(t, style_.dialect); }

  // long lists are mostly zeros
  void results() {
    const Terms& outputs = f_.body.outputs;
    const bool clear = f_.columns > 1;
    if (clear) line("for (int entry = 0; entry < {}; ++entry) {}[entry] = 0.0;", outputs.size(), f_.result);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool zero = outputs[i].kind == Term::Kind::constant && outputs[i].value.is_zero();
      if (!clear || !zero) line("{}[{}] = {};", f_.result, i, text(outputs[i]));
    }
  }

  void assign(const Statement& s) { line("const double {} = {};", s.name, text(s.term)); }

  std::string list(const Terms& terms, std::size_t columns) const {
    std::string result;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i > 0) result += i % columns == 0 ? ",\n" + style_.indent + "  " : ", ";
      result += text(terms[i]);
    }
    return result;
  }

  void solve(const Statement::Solve& s) {
    if (s.size == 1) {
      divide(s);
      return;
    }
    if (!s.factored) {
      line("double {}[{}] = {{\n{}  {}}};", s.matrix, s.size * s.size, style_.indent, list(s.entries, s.size));
      line("double {}_scale[{}];", s.matrix, s.size);
      line("int {}_row[{}];", s.matrix, s.size);
    }
    line("const double {}_right[{}] = {{\n{}  {}}};", s.solution, s.size * s.sides, style_.indent,
         list(s.right, s.sides));
    line("double {}[{}];", s.solution, s.size * s.sides);
    if (!s.factored)
      line("if (!{0}factor({1}, {2}, {2}_scale, {2}_row)) return {3};", style_.helpers, s.size, s.matrix, s.code);
    line("{0}substitute({1}, {2}, {3}, {3}_scale, {3}_row, {4}_right, {4});", style_.helpers, s.size, s.sides, s.matrix,
         s.solution);
  }

  // one unknown
  void divide(const Statement::Solve& s) {
    if (!s.factored) {
      line("const double {} = {};", s.matrix, text(s.entries[0]));
      line("if (!{}is_regular({}, 0.0)) return {};", style_.helpers, s.matrix, s.code);
    }
    std::string quotients;
    for (const Term& t : s.right) {
      Term divisor;
      divisor.kind = Term::Kind::name;
      divisor.name = s.matrix;
      Term quotient;
      quotient.kind = Term::Kind::divide;
      quotient.operands = {t, divisor};
      quotients += (quotients.empty() ? "" : ", ") + text(quotient);
    }
    line("const double {}[{}] = {{{}}};", s.solution, s.sides, quotients);
  }

  const Source& source_;
  const Source::Function& f_;
  const CFamily& style_;
  std::string out_;
};

}  // namespace

std::string c_comment(const Source& source) {
  std::string out = "/*\n";
  for (const std::string& text : source.header) out += text.empty() ? " *\n" : " * " + text + "\n";
  return out + " */\n";
}

std::string c_fields(const Source& source, const std::string& indent, bool with_values) {
  std::string out;
  for (const Source::Parameter& p : source.parameters) {
    out += indent + "double " + p.name + (with_values ? " = " + literal(p.value) : "") + ";";
    if (with_values && !p.definition.empty()) out += " /* " + p.definition + " */";
    out += "\n";
  }
  return out;
}

std::string c_helpers(const Source& source, const CFamily& style) {
  std::string out;
  const auto add = [&](std::string_view text) {
    out += fmt::format(fmt::runtime(text), style.qualifier, style.helpers, style.dialect.functions);
  };
  if (source.solves || source.divides) add(helper_text);
  if (source.solves) add(elimination_text);
  return out.empty() ? out : out + "\n";
}

std::string c_initial(const Source& source, const std::string& indent) {
  std::string out;
  for (std::size_t i = 0; source.initial && i < source.state.size(); ++i)
    out += fmt::format("{}state[{}] = {};\n", indent, i, literal(source.initial->state[i]));
  return out;
}

std::string c_body(const Source& source, const Source::Function& function, const CFamily& style) {
  return BodyWriter(source, function, style).run();
}

std::string c_functions(const Source& source, const CFamily& style, const std::string& parameters) {
  std::string out;
  if (source.initial) {
    out += fmt::format(
        "/* The initial state of the model; returns its time. */\n{} double {}_initial_state(double *state)\n{{\n",
        style.qualifier, source.prefix);
    out += c_initial(source, style.indent) + fmt::format("  return {};\n}}\n\n", literal(source.initial->t));
  }
  out += c_helpers(source, style);
  for (const Source::Function& f : source.functions) {
    out += fmt::format("/* {}; {}[{}] */\n", f.description, f.result, f.rows * f.columns);
    out += fmt::format("{} int {}_{}(double t, const double *state, {}, double *{})\n{{\n", style.qualifier,
                       source.prefix, f.name, parameters, f.result);
    out += c_body(source, f, style) + "}\n\n";
  }
  return out;
}

}  // namespace cetaev::codegen
