// Texts in the language of model files, for those who work with expressions elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

// An expression, or an equation, as it stands: a flat tree in which operands stand before what uses them. Names are not looked up.
struct WrittenExpression {
  struct Node {
    // number, symbol, call, vector, component, derivative, negative, sum, product, inverse, power
    std::string_view op;
    std::string text;  // of the number, the symbol, the function or the component
    std::vector<std::uint32_t> operands;
  };
  std::vector<Node> nodes;
  std::vector<std::uint32_t> sides;  // the expression, or both sides of an equation
};
// Throws parse-error.
WrittenExpression written_expression(std::string_view text);

// An expression in the names of the system: one scalar, or the three components of a vector. The system is a scratch copy.
std::vector<Expr> parse_quantity(const System& system, std::string_view text);

}  // namespace cetaev
