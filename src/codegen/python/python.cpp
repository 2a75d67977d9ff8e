// Python with NumPy: functions of whole batches of states, the state along the last axis.
#include <fmt/format.h>

#include "../expression.hpp"
#include "../source.hpp"
#include "elliptic_text.hpp"

namespace cetaev::codegen {

namespace {

constexpr std::string_view python_helpers_text = R"(

def _factor(matrix):
    """Triangular factors with scaled partial pivoting; members of the batch that are singular become nan."""
    n = matrix.shape[-1]
    with np.errstate(all="ignore"):
        scale = np.max(np.abs(matrix), axis=-1, keepdims=True)
        factors = matrix / scale
        regular = np.all(np.isfinite(scale) & (scale > 0.0), axis=(-2, -1))
        factors[~regular] = np.eye(n)
        least = 1e-12 * np.max(np.abs(factors), axis=-2)
        order = np.broadcast_to(np.arange(n), matrix.shape[:-1]).copy()
        for k in range(n):
            pivot = (k + np.argmax(np.abs(factors[..., k:, k]), axis=-1))[..., np.newaxis]
            swap = np.broadcast_to(np.arange(n), order.shape).copy()
            swap[..., k] = pivot[..., 0]
            np.put_along_axis(swap, pivot, k, axis=-1)
            order = np.take_along_axis(order, swap, axis=-1)
            factors = np.take_along_axis(factors, swap[..., np.newaxis], axis=-2)
            regular &= np.abs(factors[..., k, k]) > least[..., k]
            factors[..., k + 1 :, k] /= factors[..., k, k, np.newaxis]
            factors[..., k + 1 :, k + 1 :] -= factors[..., k + 1 :, k, np.newaxis] * factors[..., np.newaxis, k, k + 1 :]
        factors[~regular] = np.nan
    return factors, order, scale


def _substitute(factors, order, scale, right):
    n = factors.shape[-1]
    x = np.take_along_axis(right / scale, order[..., np.newaxis], axis=-2)
    for i in range(1, n):
        x[..., i, :] -= np.sum(factors[..., i, :i, np.newaxis] * x[..., :i, :], axis=-2)
    for i in range(n - 1, -1, -1):
        x[..., i, :] -= np.sum(factors[..., i, i + 1 :, np.newaxis] * x[..., i + 1 :, :], axis=-2)
        x[..., i, :] /= factors[..., i, i, np.newaxis]
    return x.reshape(x.shape[:-2] + (-1,))
)";

constexpr std::string_view shape_text = R"(

def _shape(t, state, p):
    """The shape of the batch: of the states, and of t and the parameters where these are arrays."""
    shapes = [np.shape(state)[:-1], np.shape(t)]
    shapes += [np.shape(getattr(p, field.name)) for field in dataclasses.fields(p)]
    return np.broadcast_shapes(*shapes)
)";

class PythonWriter {
 public:
  explicit PythonWriter(const Source& source) : source_(source) {
    dialect_.parameter = "p.";
    dialect_.functions = "np.";
    dialect_.numpy_names = true;
    dialect_.absolute = "abs";
    dialect_.power = "power";
    dialect_.before_index = "[..., ";
    dialect_.elliptic = "_elliptic";
  }

  std::string run() {
    for (const std::string& text : source_.header) out_ += text.empty() ? "#\n" : "# " + text + "\n";
    out_ +=
        "#\n# Every function takes t, states of any shape (..., states) and the parameters; a singular member of a "
        "batch\n"
        "# gives nan. For SciPy: solve_ivp(lambda t, y: rhs(t, y, p), (0, 10), y0).\n\n";
    out_ += "import dataclasses\n\nimport numpy as np\n";
    const std::size_t imports = out_.size();
    out_ += "\n";
    out_ += fmt::format("STATES = {}\nCONSTRAINTS = {}\n{}", source_.state.size(), source_.constraints,
                        source_.initial ? "" : "\n\n");
    if (source_.initial) {
      out_ += fmt::format("# Of the model.\nINITIAL_TIME = {}\nINITIAL_STATE = ({},)\n\n\n",
                          literal(source_.initial->t), literals(source_.initial->state));
    }
    out_ += "@dataclasses.dataclass\nclass Parameters:\n    \"\"\"The values of the model.\"\"\"\n\n";
    for (const Source::Parameter& p : source_.parameters) {
      out_ += fmt::format("    {}: float = {}{}\n", p.name, literal(p.value),
                          p.definition.empty() ? "" : "  # " + p.definition);
    }
    out_ += shape_text;
    if (source_.solves || source_.divides) out_ += python_helpers_text;
    const std::size_t helpers = out_.size();
    for (const Source::Function& f : source_.functions) function(f);
    if (out_.find("_elliptic(", helpers) != std::string::npos) {
      out_.insert(helpers, python_elliptic_text);
      out_.insert(imports, "from scipy import special\n");
    }
    return std::move(out_);
  }

 private:
  std::string text(const Term& t) const { return to_text(t, dialect_); }

  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += "    " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  void function(const Source::Function& f) {
    out_ += fmt::format("\n\ndef {}(t, state, p=Parameters()):\n", f.name);
    line("\"\"\"{}.\"\"\"", f.description);
    line("state = np.asarray(state, dtype=float)");
    line("shape = _shape(t, state, p)");
    for (std::size_t i = 0; i < source_.state.size(); ++i) {
      if (f.uses(source_.state[i].name)) line("{} = state[..., {}]", source_.state[i].name, i);
    }
    for (const Statement& s : f.body.statements) {
      if (s.solve) {
        solve(*s.solve);
      } else {
        line("{} = {}", s.name, text(s.term));
      }
    }
    if (f.name == "energy") {
      line("return np.broadcast_to({}, shape)[()]", text(f.body.outputs[0]));
      return;
    }
    const std::string size = !f.matrix ? fmt::format("({},)", f.rows) : fmt::format("({}, {})", f.rows, f.columns);
    line("{} = np.zeros(shape + {})", f.result, size);
    fill(f.result, f.body.outputs, f.columns, f.matrix);
    line("return {}", f.result);
  }

  // entries that are not zero
  void fill(const std::string& array, const Terms& terms, std::size_t columns, bool matrix) {
    for (std::size_t k = 0; k < terms.size(); ++k) {
      if (terms[k].kind == Term::Kind::constant && terms[k].value.is_zero()) continue;
      const std::string place = matrix ? fmt::format("{}, {}", k / columns, k % columns) : std::to_string(k);
      line("{}[..., {}] = {}", array, place, text(terms[k]));
    }
  }

  void solve(const Statement::Solve& s) {
    if (!s.factored) {
      line("{} = np.zeros(shape + ({}, {}))", s.matrix, s.size, s.size);
      fill(s.matrix, s.entries, s.size, true);
      line("{0} = _factor({0})", s.matrix);
    }
    line("{} = np.zeros(shape + ({}, {}))", s.solution, s.size, s.sides);
    fill(s.solution, s.right, s.sides, true);
    line("{0} = _substitute(*{1}, {0})", s.solution, s.matrix);
  }

  const Source& source_;
  Dialect dialect_;
  std::string out_;
};

}  // namespace

std::string write_python(const Source& source) { return PythonWriter(source).run(); }

}  // namespace cetaev::codegen
