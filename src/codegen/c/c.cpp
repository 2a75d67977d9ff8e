// C99: static inline functions, to be compiled by itself or included as a header.
#include <fmt/format.h>

#include <algorithm>

#include "c_family.hpp"

namespace cetaev::codegen {

std::string write_c(const Source& source) {
  const std::string& name = source.prefix;
  CFamily style;
  style.dialect.parameter = "p->";
  style.qualifier = "static inline";
  style.helpers = name + "_";

  std::string guard = name + "_CETAEV_H";
  std::transform(guard.begin(), guard.end(), guard.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  std::string out = c_comment(source);
  out += fmt::format("#ifndef {0}\n#define {0}\n\n#include <math.h>\n\n", guard);
  out += fmt::format("enum {{ {0}_states = {1}, {0}_constraints = {2} }};\n\n", name, source.state.size(),
                     source.constraints);
  out += "typedef struct {\n" + c_fields(source, "  ", false);
  if (source.parameters.empty()) out += "  double unused; /* the model has no parameters */\n";
  out += fmt::format("}} {}_parameters;\n\n", name);
  out += fmt::format("/* The values of the model. */\nstatic inline {0}_parameters {0}_default_parameters(void)\n{{\n",
                     name);
  out += fmt::format("  {}_parameters p;\n", name);
  for (const Source::Parameter& p : source.parameters) {
    out += fmt::format("  p.{} = {};{}\n", p.name, literal(p.value),
                       p.definition.empty() ? "" : " /* " + p.definition + " */");
  }
  if (source.parameters.empty()) out += "  p.unused = 0.0;\n";
  out += "  return p;\n}\n\n";
  out += c_functions(source, style, fmt::format("const {}_parameters *p", name));
  return out + "#endif\n";
}

}  // namespace cetaev::codegen
