// C++11 and later: a class that Boost.odeint can integrate.
#include <fmt/format.h>

#include "../c/c_family.hpp"

namespace cetaev::codegen {

namespace {

constexpr std::string_view class_text = R"(#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

// {0} system;  boost::numeric::odeint::integrate(system, state, t0, t1, dt);
// The functions return 0 or a code as above; operator() throws std::domain_error instead.
class {0} {{
 public:
  static constexpr std::size_t states = {1};
  static constexpr std::size_t constraints = {2};
  using state_type = std::array<double, {1}>;

  struct parameters {{
{3}  }};
  parameters p;

  {0}() = default;
  explicit {0}(const parameters& values) : p(values) {{}}

  template <class State, class Rate>
  void operator()(const State& state, Rate& rate, double t) const {{
    if (rhs(t, state, rate) != 0) throw std::domain_error("{0}: a linear system is singular at this state");
  }}
)";

}  // namespace

std::string write_cpp(const Source& source) {
  CFamily style;
  style.dialect.parameter = "p.";
  style.dialect.functions = "std::";
  style.qualifier = "  static";
  style.helpers = "";
  style.indent = "    ";

  std::string out = c_comment(source);
  out +=
      fmt::format(class_text, source.prefix, source.state.size(), source.constraints, c_fields(source, "    ", true));
  if (source.initial) {
    out += "\n  // The initial state of the model; returns its time.\n  template <class State>\n";
    out += "  static double initial_state(State& state) {\n" + c_initial(source, style.indent);
    out += fmt::format("    return {};\n  }}\n", literal(source.initial->t));
  }
  for (const Source::Function& f : source.functions) {
    out += fmt::format("\n  // {}; {}[{}]\n", f.description, f.result, f.rows * f.columns);
    out += fmt::format(
        "  template <class State, class Result>\n  int {}(double t, const State& state, Result& {}) const {{\n", f.name,
        f.result);
    out += c_body(source, f, style) + "  }\n";
  }
  const std::string helpers = c_helpers(source, style);
  if (!helpers.empty()) out += "\n private:\n" + helpers;
  return out + "};\n";
}

}  // namespace cetaev::codegen
