// A cheap witness that an expression is not zero: its value at one fixed point, with a bound on the rounding error.
#pragma once

#include <span>
#include <unordered_map>

#include "cetaev/expr/expr.hpp"

namespace cetaev::model {

// Values of expressions in doubles at one point, each node evaluated once for the life of the object. The point gives
// every symbol a value by its number, the same in every run; symbols in `moved` get others.
//
// What it says is only ever a reason to skip the proof in algebra: where the bound is not clearly exceeded, or the
// value is not defined at the point, it claims nothing.
class Witness {
 public:
  Witness() = default;
  explicit Witness(std::span<const Expr> moved) {
    for (const Expr symbol : moved) moved_.emplace(symbol.id(), true);
  }

  struct Value {
    double value = 0;
    double error = 0;  // bound on |value − true value|, first order
  };

  bool nonzero(Expr e);
  Value at(Expr e);
  // Do the values at the two points differ beyond rounding?
  static bool differ(const Value& a, const Value& b);

 private:
  Value compute(Expr e) const;
  Value symbol_value(Expr e) const;

  std::unordered_map<std::uint32_t, Value> known_;
  std::unordered_map<std::uint32_t, bool> moved_;
};

}  // namespace cetaev::model
