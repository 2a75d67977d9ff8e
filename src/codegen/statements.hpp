// Programs as statements: what every target language prints.
//
// A value that is used once becomes part of the expression that uses it; what is used more often, or would make a line too
// long, gets a name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/program/program.hpp"
#include "names.hpp"

namespace cetaev::codegen {

struct Term;
using Terms = std::vector<Term>;

// An expression tree in the operations that all the languages have.
struct Term {
  enum class Kind {
    constant,
    pi,
    name,
    parameter,
    unknown,
    add,
    subtract,
    multiply,
    divide,
    negate,
    root,
    power,
    function
  };
  Kind kind = Kind::constant;
  Rational value;         // constant
  std::string name;       // name, parameter; unknown: of the solution
  std::size_t index = 0;  // unknown: its place in the solution
  Function function = Function::sin;
  Terms operands;
  std::size_t leaves = 1;

  bool is_leaf() const { return operands.empty(); }
};

// One of: name = term; or, with a system, the solution of a linear system.
struct Statement {
  std::string name;
  Term term;

  struct Solve {
    std::size_t code = 0;  // to return where it is singular
    std::size_t size = 0, sides = 0;
    std::string matrix, solution;  // names of the arrays
    bool factored = false;         // the matrix is the one of an earlier system of this name: its factors serve again
    Terms entries, right;          // row by row; no entries when factored
  };
  std::optional<Solve> solve;
};

struct Body {
  std::vector<std::string> used;  // inputs, by name
  std::vector<Statement> statements;
  Terms outputs;
};

// `inputs` are what the inputs of the program are called, parameters from `first_parameter` on; `codes` are the return codes of
// its systems; `names` have been taken already.
Body lower(const Program& program, const std::vector<std::string>& inputs, std::size_t first_parameter,
           const std::vector<std::size_t>& codes, Names names);

}  // namespace cetaev::codegen
