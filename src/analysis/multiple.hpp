// An expression as a number times something.
#pragma once

#include "cetaev/expr/expr.hpp"

namespace cetaev {

struct Multiple {
  Rational number = 1;
  Expr term;

  // The graph keeps numbers before terms in sums of one term.
  explicit Multiple(Expr e) : term(e) {
    if (e.kind() != Kind::sum || e.size() != 1 || !e.constant().is_zero()) return;
    number = e.coefficient(0);
    term = e.term(0);
  }
};

}  // namespace cetaev
