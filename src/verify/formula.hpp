// The language of the formulas in papers/*.toml: the expressions of model files with subscripts, sums over indices and
// derivatives (docs/reference/claims.md). Names are not looked up here.
//
//   statement   name[i, j] := expression                 a definition, of one case where an index is a number
//               expression = expression = …              or with != < > between
//   subscript   name[index, …]                           index: sums of names and integers, such as m+nu
//   sum         sum(nu, expression), sum(i, 1, m, …)     over the range that goes with the letter, or the given one
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../model/syntax.hpp"
#include "cetaev/expr/rational.hpp"

namespace cetaev::verify {

struct Index {
  struct Part {
    std::string name;  // empty for a number
    long number = 0;
    int sign = 1;
  };
  std::vector<Part> parts;
  std::size_t offset = 0;
};

struct FormulaNode {
  enum class Kind : std::uint8_t {
    number,
    name,       // x
    subscript,  // alpha[nu]
    call,       // sin(x), d(L, v[r]), D(e), euler[i](L)
    sum,        // sum(nu, e): text is the index; indices are the bounds, when they are given
    vector,     // [a, b, c]
    component,  // a.x
    prime,      // a'
    negative,
    add,
    subtract,
    multiply,
    divide,
    power,
  };
  Kind kind;
  int component = 0;
  std::size_t offset = 0;
  std::string text;  // of a name, a subscripted name, a function, a number
  std::vector<Index> indices;
  std::vector<std::uint32_t> operands;
};

// One string of the file.
struct Statement {
  enum class Relation : std::uint8_t { equal, not_equal, less, greater };
  struct Comparison {
    Relation relation;
    std::uint32_t left, right;
    std::size_t offset;
  };

  std::string text;
  model::Origin origin;
  std::vector<FormulaNode> nodes;  // operands before the nodes that use them

  // A definition has a name, index parameters (single parts; numbers and coordinates are the case they stand for) and a
  // body; otherwise there are comparisons.
  std::string name;
  std::vector<Index> parameters;
  std::uint32_t body = 0;
  std::vector<Comparison> comparisons;
  bool is_definition() const { return !name.empty(); }
};

// Throws Error(parse_error) at the place in the file.
Statement parse_statement(std::string text, const model::Origin& origin);

}  // namespace cetaev::verify
