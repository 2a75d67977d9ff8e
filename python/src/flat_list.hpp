// Expressions as flat lists in which each entry names earlier ones: what is shared is told once, and nothing is too deep or too long.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bindings.hpp"

namespace cetaev::python {

class FlatList {
 public:
  // What symbols are called; by their own names where nothing is given.
  explicit FlatList(std::function<std::string(std::string_view)> called = {}) : called_(std::move(called)) {}

  const py::list& entries() const { return entries_; }

  std::size_t add(Expr root) {
    const Expr roots[] = {root};
    for (const Expr e : topological(roots))
      if (places_.emplace(e.node(), entries_.size()).second) entries_.append(entry(e));
    return place(root);
  }

  py::list list(std::span<const Expr> expressions) {
    py::list places;
    for (const Expr e : expressions) places.append(add(e));
    return places;
  }

  // One for a scalar, three for a vector.
  py::object add(std::span<const Expr> components) {
    if (components.size() == 1) return py::int_(add(components[0]));
    return list(components);
  }

 private:
  std::size_t place(Expr e) const { return places_.at(e.node()); }

  py::tuple entry(Expr e) const {
    py::list of, with;
    switch (e.kind()) {
      case Kind::number: return py::make_tuple("number", e.number().to_string());
      case Kind::pi: return py::make_tuple("pi");
      case Kind::symbol: return py::make_tuple("symbol", called_ ? called_(e.name()) : std::string(e.name()));
      case Kind::sum:
        for (std::size_t i = 0; i < e.size(); ++i) {
          of.append(place(e.term(i)));
          with.append(e.coefficient(i).to_string());
        }
        return py::make_tuple("sum", of, with, e.constant().to_string());
      case Kind::product:
        for (std::size_t i = 0; i < e.size(); ++i) {
          of.append(place(e.base(i)));
          with.append(e.exponent(i).to_string());
        }
        return py::make_tuple("product", of, with);
      case Kind::power: return py::make_tuple("power", place(e.operands()[0]), place(e.operands()[1]));
      case Kind::function:
        for (const Expr a : e.operands()) of.append(place(a));
        return py::make_tuple("call", std::string(name_of(e.function())), of);
    }
    return py::make_tuple("number", "0");
  }

  std::function<std::string(std::string_view)> called_;
  py::list entries_;
  std::unordered_map<const Node*, std::size_t> places_;
};

}  // namespace cetaev::python
