// What an exported file says, before any language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/codegen/export.hpp"
#include "statements.hpp"

namespace cetaev::codegen {

struct Source {
  std::string prefix;  // of the names in the file: "skate"
  std::string model;   // name of the model

  struct Variable {
    std::string name;     // identifier
    std::string written;  // in the model
  };
  std::vector<Variable> state;
  struct Parameter : Variable {
    double value = 0;
    std::string definition;  // as the model has it, where that is not a number
  };
  std::vector<Parameter> parameters;
  std::size_t constraints = 0;

  // Of the model, where it is admissible and regular.
  struct Initial {
    double t = 0;
    std::vector<double> state;
  };
  std::optional<Initial> initial;

  // A function of (t, state, parameters) that fills an array.
  struct Function {
    std::string name;         // "rhs"
    std::string result;       // "rate"
    std::string description;  // one line
    std::size_t rows = 0, columns = 1;
    bool matrix = false;  // with rows and columns, though it may have one of each
    Body body;

    bool uses(std::string_view input) const;
  };
  std::vector<Function> functions;
  bool solves = false;              // some function solves a linear system of more than one unknown
  bool divides = false;             // or of one
  std::vector<std::string> header;  // lines of the comment at the top, without marks
};

// `first_index` is how the language numbers the state.
Source describe(const FirstOrderSystem& equations, std::size_t first_index);
Source describe_linear(const FirstOrderSystem& equations, std::span<const NamedMatrix> matrices,
                       const std::string& about, std::size_t first_index);

// The printers.
std::string write_c(const Source& source);
std::string write_cpp(const Source& source);
std::string write_cuda(const Source& source);
std::string write_python(const Source& source);
std::string write_matlab(const Source& source);

}  // namespace cetaev::codegen
