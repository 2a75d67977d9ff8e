// What C, C++ and CUDA share: bodies of functions, and elimination.
#pragma once

#include <string>

#include "../expression.hpp"
#include "../source.hpp"

namespace cetaev::codegen {

struct CFamily {
  Dialect dialect;
  std::string qualifier;  // of free functions: "static inline"
  std::string helpers;    // before the names of the helper functions: "skate_"
  std::string indent = "  ";
};

// /* … */ at the top of the file.
std::string c_comment(const Source& source);

// Fields of the struct of parameters; C has no default values in it.
std::string c_fields(const Source& source, const std::string& indent, bool with_values);

// name_factor and name_substitute, where a function needs them.
std::string c_helpers(const Source& source, const CFamily& style);

// Assignments of the initial state of the model to `state`; empty where there is none.
std::string c_initial(const Source& source, const std::string& indent);

// The statements between the braces.
std::string c_body(const Source& source, const Source::Function& function, const CFamily& style);

// Everything between the includes and the end of a file of free functions; `parameters` is how they take them ("const T *p").
std::string c_functions(const Source& source, const CFamily& style, const std::string& parameters);

}  // namespace cetaev::codegen
