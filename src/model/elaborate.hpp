// From syntax to expressions: names get their meaning, vectors their components, primes become total derivatives.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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
  bool multipliers = false;

  static Contents constants() { return {}; }
  static Contents functions_of_time() { return {false, false, false, true}; }
  static Contents positions() { return {true, false, false, true}; }
  static Contents velocities_too() { return {true, true, false, true}; }
  static Contents anything() { return {true, true, true, true}; }
  static Contents along_motions() {
    Contents contents = anything();
    contents.multipliers = true;
    return contents;
  }
};

class Elaborator {
 public:
  Elaborator(Context& context, const Motion& motion, const Names& names, FrameTree& frames);

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

  // A vector as the sum of its parts, and back.
  Parts parts_of(const Quantity& vector) const;
  Quantity vector_of(Parts parts, int order);

  // What lambda[i] and what a part of the model has stand for where multipliers are allowed: "touch.force", "disc.kinetic".
  using Properties = std::unordered_map<std::string, Quantity>;
  void set_along_motions(std::vector<Expr> multipliers, Properties properties);

 private:
  using Kind = SyntaxNode::Kind;
  // One expression on its way.
  struct Run {
    const ExpressionText& text;
    const Contents& contents;
    std::vector<Quantity> values = {};  // of the nodes so far
    std::vector<bool> frames = {};      // nodes whose value may be a frame, where there are any

    const Syntax& syntax() const { return text.syntax; }
    std::size_t place(std::uint32_t node) const { return syntax().nodes[node].offset; }
    [[noreturn]] void fail(const std::string& message, std::uint32_t node, const std::string& suggestion = {}) const {
      text.origin.fail(ErrorCode::bad_model, message, place(node), suggestion);
    }
    // The value of an operand that must be a scalar, or a vector; `role` says what it is used for.
    Expr scalar(std::uint32_t node, const std::string& role) const {
      if (values[node].vector) fail("a vector where a scalar is needed: " + role, node);
      return values[node].scalar();
    }
    const Quantity& vector(std::uint32_t node, const std::string& role) const {
      if (!values[node].vector) fail("a scalar where a vector is needed: " + role, node);
      return values[node];
    }
    int order_of(const SyntaxNode& node) const {
      int order = -1;
      for (const std::uint32_t operand : syntax().operands_of(node)) order = std::max(order, values[operand].order);
      return order;
    }
  };

  Quantity value_of(const Run& run, const SyntaxNode& node);
  Quantity name(const Run& run, const SyntaxNode& node) const;
  Quantity multiplier(const Run& run, const SyntaxNode& node) const;
  Quantity property(const Run& run, const SyntaxNode& node) const;
  Quantity part_of_reaction(const Run& run, const SyntaxNode& node, const std::string& name) const;
  Quantity component(const Run& run, const SyntaxNode& node);
  Quantity number(const Run& run, const SyntaxNode& node);
  Quantity sum(const Run& run, const SyntaxNode& node);
  Quantity product(const Run& run, const SyntaxNode& node);
  Quantity inverse(const Run& run, const SyntaxNode& node);
  Quantity power(const Run& run, const SyntaxNode& node);
  Quantity derivative(const Run& run, const SyntaxNode& node);
  Quantity call(const Run& run, const SyntaxNode& node);
  // elaborate_frames.cpp: F([a, b, c]), omega(F), omega(F, G), components(v, F); nothing where it is none of them
  std::optional<Quantity> call_of_frames(const Run& run, const SyntaxNode& node);
  Quantity frame_argument(const Run& run, std::uint32_t operand, std::string_view function) const;
  void mark_frames(Run& run) const;
  Expr dot(const Quantity& a, const Quantity& b);
  Quantity cross(const Quantity& a, const Quantity& b, int order);
  Quantity equation(const Run& run);
  void check_contents(const Run& run, const Quantity& result, const Contents& contents) const;
  [[noreturn]] void refuse_symbol(const Run& run, Expr symbol, const Contents& contents) const;
  void refuse_zero_divisor(const Run& run, std::uint32_t divisor);
  void refuse_huge_sum(const Run& run, std::span<const std::uint32_t> terms) const;
  void refuse_huge_product(const Run& run, std::span<const std::uint32_t> factors) const;

  Context& context_;
  const Motion& motion_;
  const Names& names_;
  FrameTree& frames_;
  std::vector<Expr> multipliers_;
  Properties properties_;
  Derivation derivation_;
  Witness witness_, other_velocities_, other_accelerations_;
  std::unordered_map<std::uint32_t, std::pair<char, std::size_t>> symbols_;  // by number: q v a t and index
  std::size_t large_numbers_ = 0;
};

}  // namespace cetaev::model
