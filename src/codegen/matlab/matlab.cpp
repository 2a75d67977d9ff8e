// Matlab and Octave: one file of functions, whose first returns handles to the others.
#include <fmt/format.h>

#include <algorithm>

#include "../expression.hpp"
#include "../source.hpp"

namespace cetaev::codegen {

namespace {

// Triangular factors with scaled partial pivoting, as in the other languages.
constexpr std::string_view matlab_helpers_text = R"(
function [factors, regular] = factor_(matrix)
  factors.scale = max(abs(matrix), [], 2);
  regular = all(isfinite(factors.scale)) && all(factors.scale > 0);
  if regular
    scaled = matrix ./ repmat(factors.scale, 1, size(matrix, 2));
    [factors.L, factors.U, factors.P] = lu(scaled);
    regular = all(abs(diag(factors.U)) > 1e-12*max(abs(scaled), [], 1).');
  end
end

function x = substitute_(factors, right)
  x = factors.U \ (factors.L \ (factors.P*(right ./ repmat(factors.scale, 1, size(right, 2)))));
  x = reshape(x.', [], 1);
end
)";

class MatlabWriter {
 public:
  explicit MatlabWriter(const Source& source) : source_(source) {
    dialect_.parameter = "p.";
    dialect_.absolute = "abs";
    dialect_.power = "power";
    dialect_.before_index = "(";
    dialect_.after_index = ")";
    dialect_.first_index = 1;
  }

  std::string run() {
    const std::string& name = source_.prefix;
    out_ = fmt::format("function model = {}()\n", name);
    for (const std::string& text : source_.header) out_ += text.empty() ? "%\n" : "% " + text + "\n";
    out_ += fmt::format(
        "%\n% model = {0}();  p = model.parameters;\n% [t, y] = ode45(@(t, y) model.rhs(t, y, p), [0 10], "
        "model.initial_state);\n"
        "%\n% To be kept in the file {0}.m. The state is a column. Each function returns its result and a code as\n"
        "% above; where that is not 0, or where the result is not real, the result is NaN.\n",
        name);
    line("model.states = {};", source_.state.size());
    line("model.constraints = {};", source_.constraints);
    if (source_.initial) {
      line("model.initial_time = {};", literal(source_.initial->t));
      line("model.initial_state = [{}].';", literals(source_.initial->state));
    }
    line("model.parameters = struct();");
    for (const Source::Parameter& p : source_.parameters) {
      line("model.parameters.{} = {};{}", p.name, literal(p.value), p.definition.empty() ? "" : "  % " + p.definition);
    }
    for (const Source::Function& f : source_.functions) line("model.{0} = @{0}_;", f.name);
    out_ += "end\n";
    for (const Source::Function& f : source_.functions) function(f);
    if (source_.solves || source_.divides) out_ += matlab_helpers_text;
    return std::move(out_);
  }

 private:
  std::string text(const Term& t) const { return to_text(t, dialect_); }

  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += "  " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  void function(const Source::Function& f) {
    out_ += fmt::format("\nfunction [{}, code] = {}_(t, state, p)\n", f.result, f.name);
    line("% {}", f.description);
    line("code = 0;");
    const bool solves = std::any_of(f.body.statements.begin(), f.body.statements.end(),
                                    [](const Statement& s) { return s.solve.has_value(); });
    if (solves) line("{} = NaN({}, {});", f.result, f.rows, f.columns);
    for (std::size_t i = 0; i < source_.state.size(); ++i) {
      if (f.uses(source_.state[i].name)) line("{} = state({});", source_.state[i].name, i + 1);
    }
    for (const Statement& s : f.body.statements) {
      if (s.solve) {
        solve(*s.solve);
      } else {
        line("{} = {};", s.name, text(s.term));
      }
    }
    zeros(f.result, f.rows, f.columns);
    fill(f.result, f.body.outputs, f.columns);
    line("if ~isreal({0}), {0} = NaN({1}, {2}); end", f.result, f.rows, f.columns);
    out_ += "end\n";
  }

  void zeros(const std::string& array, std::size_t rows, std::size_t columns) {
    line("{} = zeros({}, {});", array, rows, columns);
  }

  // entries that are not zero
  void fill(const std::string& array, const Terms& terms, std::size_t columns) {
    for (std::size_t k = 0; k < terms.size(); ++k) {
      if (terms[k].kind == Term::Kind::constant && terms[k].value.is_zero()) continue;
      line("{}({}, {}) = {};", array, k / columns + 1, k % columns + 1, text(terms[k]));
    }
  }

  void solve(const Statement::Solve& s) {
    if (!s.factored) {
      zeros(s.matrix, s.size, s.size);
      fill(s.matrix, s.entries, s.size);
      line("[{0}, regular_] = factor_({0});", s.matrix);
      line("if ~regular_, code = {}; return; end", s.code);
    }
    zeros(s.solution, s.size, s.sides);
    fill(s.solution, s.right, s.sides);
    line("{0} = substitute_({1}, {0});", s.solution, s.matrix);
  }

  const Source& source_;
  Dialect dialect_;
  std::string out_;
};

}  // namespace

std::string write_matlab(const Source& source) { return MatlabWriter(source).run(); }

}  // namespace cetaev::codegen
