// From syntax to expressions: names get their meaning, vectors their components, primes become total derivatives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "names.hpp"
#include "syntax.hpp"
#include "witness.hpp"

namespace cetaev::model {

// The text of one expression, where it stands and what it stands for in messages ("the Lagrangian").
struct ExpressionText {
  Syntax syntax;
  Origin origin;
  std::string what;
};

// What an expression may contain besides parameters.
struct Contents {
  bool coordinates = false, velocities = false, accelerations = false, time = false;
  // Only parameters before this one, in file order.
  std::size_t parameters_before = static_cast<std::size_t>(-1);

  static Contents constants() { return {}; }
  static Contents functions_of_time() { return {false, false, false, true}; }
  static Contents positions() { return {true, false, false, true}; }
  static Contents velocities_too() { return {true, true, false, true}; }
  static Contents anything() { return {true, true, true, true}; }
};

class Elaborator {
 public:
  Elaborator(Context& context, const Motion& motion, const Names& names);

  // The value of an expression or of the difference of the sides of an equation.
  Quantity quantity(const ExpressionText& text, const Contents& contents = Contents::anything());
  // The same for an expression that must be a scalar.
  Expr scalar(const ExpressionText& text, const Contents& contents);

  // Zero wherever it is defined: the structure and a witness decide nearly always, algebra the rest.
  bool vanishes(Expr e);
  // The derivatives an expression really depends on: 0 for positions and time, 1 for velocities, 2 for accelerations.
  // `bound` is Quantity::order.
  int order(Expr e, int bound);
  // The total time derivative.
  Expr total_derivative(Expr e) { return derivation_(e); }

 private:
  using Kind = SyntaxNode::Kind;
  struct Run;  // one expression on its way

  Quantity value_of(const Run& run, const SyntaxNode& node);
  Quantity name(const Run& run, const SyntaxNode& node) const;
  Quantity number(const Run& run, const SyntaxNode& node);
  Quantity sum(const Run& run, const SyntaxNode& node);
  Quantity product(const Run& run, const SyntaxNode& node);
  Quantity inverse(const Run& run, const SyntaxNode& node);
  Quantity power(const Run& run, const SyntaxNode& node);
  Quantity derivative(const Run& run, const SyntaxNode& node);
  Quantity call(const Run& run, const SyntaxNode& node);
  Expr dot(const Quantity& a, const Quantity& b);
  Quantity equation(const Run& run);
  void check_contents(const Run& run, const Quantity& result, const Contents& contents) const;
  [[noreturn]] void refuse_symbol(const Run& run, Expr symbol, const Contents& contents) const;
  void refuse_zero_divisor(const Run& run, std::uint32_t divisor);
  void refuse_huge_sum(const Run& run, std::span<const std::uint32_t> terms) const;
  void refuse_huge_product(const Run& run, std::span<const std::uint32_t> factors) const;

  Context& context_;
  const Motion& motion_;
  const Names& names_;
  Derivation derivation_;
  Witness witness_, other_velocities_, other_accelerations_;
  std::unordered_map<std::uint32_t, std::pair<char, std::size_t>> symbols_;  // by number: q v a t and index
  std::size_t large_numbers_ = 0;
};

}  // namespace cetaev::model
