// The model's own names for what would be longer written out: d.x for x2 - x1, norm(d) for its length.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

class ModelNames {
 public:
  explicit ModelNames(const System& system);

  // The shorter of e and e with names.
  Expr operator()(Expr e);

  // What they stand for, those that were used.
  std::vector<WrittenDefinition> used() const;

 private:
  static Expr with_roots(Expr e, std::span<const Replacement> roots);
  void add(Expr e, Expr symbol);

  std::vector<Replacement> replacements_;
  std::vector<Replacement> roots_;  // a sum and the symbol of its root
  std::vector<Definition> definitions_;
  std::set<std::string> used_;
};

}  // namespace cetaev
