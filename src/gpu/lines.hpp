// Programs as lines of C for a compiler that inlines them: every register has a name of its own, and linear systems are eliminated in an
// order that is fixed when the lines are made.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/program/program.hpp"
#include "pivots.hpp"

namespace cetaev::gpu {

class Lines {
 public:
  struct Value {
    std::string text;                   // a name or a number
    std::optional<double> number = {};  // where it is one

    bool is_zero() const { return number && *number == 0; }
  };
  using Values = std::vector<Value>;

  // With `checked`, lines go in between that clear `fine` where a pivot is small beside its column.
  explicit Lines(bool checked = false) : checked_(checked) {}

  // The outputs of a program from these inputs, with an order for each of its systems.
  Values add(const Program& program, const Values& inputs, std::span<const PivotOrder> orders = {});
  // X with A X = B.
  Values solve(std::size_t n, std::size_t sides, Values matrix, Values right, const PivotOrder& order);
  // A name for an expression.
  Value name(const std::string& expression);
  void line(const std::string& text) { text_ += "  " + text + "\n"; }

  const std::string& text() const { return text_; }
  // Those that are no numbers.
  const Values& pivots() const { return pivots_; }

 private:
  Value operation(const Instruction& i, const Values& registers);
  Value power(const Value& base, long exponent);
  Value minus_product(const Value& a, const Value& b, const Value& c);
  Value times(const Value& a, const Value& b);

  bool checked_;
  std::string text_;
  std::size_t count_ = 0;
  Values pivots_;
};

Lines::Value number(double value);
// name[0], name[1], …
Lines::Values elements(const std::string& name, std::size_t count);

}  // namespace cetaev::gpu
