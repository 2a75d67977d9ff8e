// How long expressions are on paper, counted as work.
#pragma once

#include <span>

#include "budget.hpp"
#include "cetaev/detail/algebra/simplify.hpp"

namespace cetaev::algebra {

class Ruler {
 public:
  // Symbols that stand for differences are as long as these.
  Ruler(std::span<const NamedDifference> differences, Budget& budget) : differences_(differences), budget_(budget) {}
  double operator()(Expr e) const;

 private:
  double length(Expr symbol) const;

  std::span<const NamedDifference> differences_;
  Budget& budget_;
};

}  // namespace cetaev::algebra
