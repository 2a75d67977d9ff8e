#include "cetaev/detail/model/written_expression.hpp"

#include "syntax.hpp"

namespace cetaev {

namespace {

WrittenExpression::Node written_node(const model::Syntax& syntax, const model::SyntaxNode& node) {
  using Kind = model::SyntaxNode::Kind;
  const auto operands = syntax.operands_of(node);
  const auto made = [&](std::string_view op, std::string text = {}) {
    return WrittenExpression::Node{op, std::move(text), {operands.begin(), operands.end()}};
  };
  const std::string text(syntax.text_of(node));
  switch (node.kind) {
    case Kind::number: return made("number", text);
    case Kind::name: return made("symbol", text);
    case Kind::call: return made("call", text);
    case Kind::vector: return made("vector");
    case Kind::component: return made("component", std::string(1, "xyz"[node.component]));
    case Kind::derivative: return made("derivative");
    case Kind::negative: return made("negative");
    case Kind::sum: return made("sum");
    case Kind::product: return made("product");
    case Kind::inverse: return made("inverse");
    case Kind::power: return made("power");
    case Kind::multiplier: {
      std::string without_spaces = text;
      std::erase_if(without_spaces, [](char c) { return c == ' '; });
      return made("symbol", without_spaces);
    }
    case Kind::force_at: return made("symbol", text + ".force");
    case Kind::kinetic_of: return made("symbol", text + ".kinetic");
    case Kind::potential_of: return made("symbol", text + ".potential");
    case Kind::power_of: return made("symbol", text + ".power");
  }
  return {};
}

}  // namespace

WrittenExpression written_expression(std::string_view text) {
  const model::SourceText source("expression", std::string(text));
  const model::Syntax syntax = model::parse_syntax(source.text(), model::Origin::bare(source, 0), true);
  WrittenExpression result;
  for (const model::SyntaxNode& node : syntax.nodes) result.nodes.push_back(written_node(syntax, node));
  result.sides = {syntax.left};
  if (syntax.equation) result.sides.push_back(syntax.right);
  return result;
}

}  // namespace cetaev
