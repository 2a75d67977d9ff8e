#include "source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cetaev/detail/constraint/describe.hpp"

namespace cetaev::codegen {

namespace {

constexpr std::size_t line_width = 100;
// Longer equations are left out of the comment.
constexpr double longest_equation = 150;

// Symbols made by the program carry a $ that no model can write.
std::string formula(Expr e) {
  std::string text = to_string(e);
  std::erase(text, '$');
  return text;
}

// Unknowns of systems of one unknown written out as quotients.
Expr with_quotients(const FirstOrderSystem& equations, Expr e) {
  std::vector<Replacement> found;
  for (const SolveStep& step : equations.steps) {
    const LinearBlock& block = step.block;
    if (block.matrix.rows != 1 || written_size(block.matrix(0, 0)) > longest_equation) continue;
    for (std::size_t k = 0; k < block.right.columns; ++k)
      found.emplace_back(block.unknown(0, k), substitute(block.right(0, k), found) / block.matrix(0, 0));
  }
  return found.empty() ? e : substitute(e, found);
}

std::optional<Source::Initial> initial_state(const System& system, const FirstOrderSystem& equations) {
  try {
    const State at = Admissible(system).initial().state;
    std::vector<Value> values;
    const std::vector<double> parameters = parameter_values(system);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      values.emplace_back(system->parameters[i].symbol, parameters[i]);
    std::vector<double> lambda;
    for (const std::size_t row : equations.rows) {
      const bool given = row < system->initial.lambda.size();
      lambda.push_back(given ? evaluate(system->initial.lambda[row], values) : 0.0);
    }
    return Source::Initial{at.t, FirstOrderProgram(system, equations).state(at, lambda)};
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string prefix_of(const System& system) {
  std::string stem = std::filesystem::path(system->file).stem().string();
  if (stem.empty() || stem == "-") stem = system->name;
  return Names().take(stem.empty() ? "model" : stem);
}

class Header {
 public:
  void text(std::string_view text, std::string_view indent = "") {
    for (const std::string& line : wrap(comment_text(text), line_width - indent.size()))
      lines_.push_back(std::string(indent) + line);
  }
  void line(std::string_view text) { lines_.push_back(comment_text(text)); }
  void gap() { lines_.emplace_back(); }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

// The name of the model, what the equations are, and what the state and the parameters are called.
Header header_of_state(const System& system, const Source& source, const std::string& about, std::size_t first_index) {
  Header h;
  h.text(system->name.empty() ? source.prefix : system->name);
  h.text(system->description);
  h.gap();
  h.text(about);
  h.gap();
  h.line("State:");
  for (std::size_t i = 0; i < source.state.size(); ++i) {
    const Source::Variable& y = source.state[i];
    h.line(fmt::format("  {:>3}  {}{}", i + first_index, y.name,
                       y.name == y.written ? "" : "   in the model " + y.written));
  }
  const bool renamed = std::any_of(source.parameters.begin(), source.parameters.end(),
                                   [](const Source::Parameter& p) { return p.name != p.written; });
  if (renamed) {
    h.line("Parameters under other names than in the model:");
    for (const Source::Parameter& p : source.parameters) {
      if (p.name != p.written) h.line(fmt::format("  {}   in the model {}", p.name, p.written));
    }
  }
  return h;
}

void add_return_codes(Header& h, const FirstOrderSystem& equations) {
  if (equations.steps.empty()) return;
  h.gap();
  h.line("Return codes: 0, or the number of the linear system that is singular at this state:");
  const std::size_t count = equations.steps.size();
  for (std::size_t k = 0, next = 0; k < count; k = next) {
    // systems that say the same have one line
    while (next < count && equations.steps[next].meaning == equations.steps[k].meaning) ++next;
    const std::string codes = next == k + 1   ? fmt::format("{}", k + 1)
                              : next == k + 2 ? fmt::format("{} and {}", k + 1, next)
                                              : fmt::format("{} to {}", k + 1, next);
    h.text(fmt::format("{}: {}", codes, equations.steps[k].meaning), "  ");
  }
}

std::vector<std::string> header(const System& system, const FirstOrderSystem& equations, const Source& source,
                                std::size_t first_index) {
  const Principle& principle = equations.form;
  Header h = header_of_state(
      system, source,
      fmt::format("Form: {} ({}), as a first-order system state' = f(t, state). Written by cetaev derive --form {}.",
                  principle.name, principle.title, principle.name),
      first_index);
  if (!equations.dependent.empty()) {
    std::vector<std::string> names;
    for (const std::size_t i : equations.dependent) names.push_back(system->coordinates[i] + "'");
    h.text("The dependent velocities " + enumerate(names) +
           " follow from the state by the constraints, on the branch of the initial state.");
  }
  if (!system->constraints.empty()) {
    h.line("Constraints, in the order of the residual:");
    for (const Constraint& c : system->constraints) h.text(c.label(), "  ");
  }
  h.gap();
  h.line("Equations (a prime is a time derivative):");
  bool all_printed = true;
  for (std::size_t i = 0; i < equations.rates.size(); ++i) {
    const Expr rate = with_quotients(equations, equations.rates[i]);
    const std::string text = written_size(rate) <= longest_equation ? formula(rate) : "";
    // x' = x' says nothing
    if (text == source.state[i].written + "'") continue;
    const bool solved = equations.needed_for(std::span(&rate, 1)).blocks.empty();
    all_printed = all_printed && solved && !text.empty();
    if (solved && !text.empty()) h.text(fmt::format("{}' = {}", source.state[i].written, text), "  ");
  }
  for (const Equation& e : equations.equations) {
    if (all_printed || e.kind == Equation::Kind::constraint || e.kind == Equation::Kind::velocity) continue;
    const std::string about = e.kind == Equation::Kind::least ? "minimise " : "";
    if (written_size(e.expression) <= longest_equation) {
      h.text(about + formula(e.expression) + (about.empty() ? " = 0" : ""), "  ");
    } else {
      h.text(fmt::format("(the equation of {} is too long to be printed here)", label(system, equations.quasi, e)),
             "  ");
    }
  }
  for (const std::string& note : equations.notes) h.text("Note: " + note + ".");
  add_return_codes(h, equations);
  return h.take();
}

// Functions of the state and the parameters, lowered one after the other.
class SourceWriter {
 public:
  explicit SourceWriter(const FirstOrderSystem& equations) : equations_(equations) {
    const System& system = equations.system;
    source.prefix = prefix_of(system);
    source.model = system->name;
    for (const char* helper : {"_factor", "_substitute", "_is_regular", "_column_size"})
      names_.take(source.prefix + helper);
    for (const StateVariable& y : equations.state) {
      source.state.push_back({names_.take(y.name), y.name});
      inputs_.push_back(source.state.back().name);
    }
    inputs_.emplace_back("t");
    const std::vector<double> values = parameter_values(system);
    for (std::size_t i = 0; i < system->parameters.size(); ++i) {
      const Parameter& p = system->parameters[i];
      std::string written(p.symbol.name());
      std::erase(written, '$');  // of quasi-velocities
      source.parameters.push_back({{names_.take(written), written}, values[i], {}});
      if (!p.definition.is_number()) source.parameters.back().definition = comment_text(formula(p.definition));
      inputs_.push_back(source.parameters.back().name);
    }
  }

  void add(const std::string& name, const std::string& result, const std::string& description, std::size_t columns,
           std::span<const Expr> outputs) {
    add(name, result, description, columns, outputs, equations_.needed_for(outputs));
  }
  void add_matrix(const std::string& name, const std::string& description, const Matrix& matrix) {
    add(name, "matrix", description + "; row by row", matrix.columns, matrix.entries);
    source.functions.back().matrix = true;
  }
  void add_rates() { add("rhs", "rate", "the right-hand side f(t, state)", 1, equations_.rates); }
  void add_jacobian() {
    const FirstOrderSystem::Jacobian jacobian = equations_.jacobian();
    add("jacobian", "jacobian", "df/dstate: row i has the derivatives of rate i", equations_.state.size(),
        jacobian.entries.entries, jacobian.systems);
    source.functions.back().matrix = true;
  }

  Source source;

 private:
  void add(const std::string& name, const std::string& result, const std::string& description, std::size_t columns,
           std::span<const Expr> outputs, const NumberedBlocks& systems) {
    Source::Function f{name, result, description, outputs.size() / columns, columns, false, {}};
    std::vector<std::size_t> codes;
    for (const std::size_t step : systems.step) codes.push_back(step + 1);
    f.body =
        lower(Program(outputs, equations_.inputs(), systems.blocks), inputs_, source.state.size() + 1, codes, names_);
    for (const Statement& s : f.body.statements) {
      if (s.solve) (s.solve->size > 1 ? source.solves : source.divides) = true;
    }
    source.functions.push_back(std::move(f));
  }

  const FirstOrderSystem& equations_;
  Names names_;
  std::vector<std::string> inputs_;
};

}  // namespace

bool Source::Function::uses(std::string_view input) const {
  return std::any_of(body.used.begin(), body.used.end(), [&](const std::string& used) { return used == input; });
}

Source describe(const FirstOrderSystem& equations, std::size_t first_index) {
  const System& system = equations.system;
  SourceWriter writer(equations);
  writer.source.constraints = system->constraints.size();
  writer.source.initial = initial_state(system, equations);
  const std::vector<Expr> energy = {equations.energy};
  writer.add_rates();
  writer.add("residual", "residual", "the constraints, left side less right side as the model has them", 1,
             equations.residual);
  writer.add("energy", "energy", "E = v dL/dv - L", 1, energy);
  writer.add("velocity", "velocity", "the velocities of all coordinates, in the order of the model", 1,
             equations.velocities);
  writer.add_jacobian();
  writer.source.header = header(system, equations, writer.source, first_index);
  return std::move(writer.source);
}

Source describe_linear(const FirstOrderSystem& equations, std::span<const NamedMatrix> matrices,
                       const std::string& about, std::size_t first_index) {
  SourceWriter writer(equations);
  writer.add_rates();
  for (const auto& [name, description, matrix] : matrices) writer.add_matrix(name, description, matrix);
  writer.add_jacobian();
  Header h = header_of_state(equations.system, writer.source, about, first_index);
  add_return_codes(h, equations);
  writer.source.header = h.take();
  return std::move(writer.source);
}

}  // namespace cetaev::codegen
