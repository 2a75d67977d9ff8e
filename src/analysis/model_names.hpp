// The model's own names for what would be longer written out: d.x for x2 - x1, norm(d) for its length.
#pragma once

#include <set>
#include <span>
#include <string>
#include <unordered_map>
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

  // In the order of the model, to be found by what they replace: a model has many names, an expression few of them.
  class Names {
   public:
    void add(Expr what, Expr by);
    bool empty() const { return all_.empty(); }
    std::vector<Replacement> among(std::span<const Expr> nodes) const;

   private:
    std::vector<Replacement> all_;
    std::unordered_map<const Node*, std::vector<std::size_t>> by_node_;
  };

  Names replacements_;
  Names roots_;  // a sum and the symbol of its root
  std::vector<Definition> definitions_;
  std::set<std::string> used_;
};

}  // namespace cetaev
