// Expression trees as text, with the parentheses that keep the order of the operations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "statements.hpp"

namespace cetaev::codegen {

// How a language writes what languages write differently.
struct Dialect {
  std::string_view parameter;           // before the name of a parameter: "p->"
  std::string_view functions;           // before the name of a function: "std::", "np."
  bool numpy_names = false;             // arcsin for asin, …
  std::string_view absolute = "fabs";   // |x|
  std::string_view power = "pow";       // of two arguments
  std::string_view before_index = "[";  // of an unknown
  std::string_view after_index = "]";
  std::size_t first_index = 0;
  std::string_view elliptic =
      {};  // a function of the name of an elliptic one, an order of derivative by m and both arguments; empty where there is none
};

// Numbers read back to the same double: 0.1, 2.0, 1.0/3.0. Throws non-finite for what no double holds.
std::string literal(const Rational& value);
std::string literal(double value);
std::string literals(const std::vector<double>& values);  // "1.0, 2.5"

std::string to_text(const Term& term, const Dialect& dialect);

}  // namespace cetaev::codegen
