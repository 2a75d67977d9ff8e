#include "model_names.hpp"

#include <algorithm>
#include <array>

#include "cetaev/detail/algebra/simplify.hpp"

namespace cetaev {

ModelNames::ModelNames(const System& system) {
  Context& context = *system->context;
  for (const Definition& definition : system->definitions) {
    if (definition.components.size() == 1) {
      add(definition.components[0], context.symbol(definition.name));
    } else {
      std::vector<Expr> squares;
      for (std::size_t i = 0; i < 3; ++i) {
        const Expr e = definition.components[i];
        add(e, context.symbol(definition.name + "." + "xyz"[i]));
        squares.push_back(e * e);
      }
      // |d|² as a node of its own, and its roots
      const Expr square = context.sum(squares), norm = context.symbol("norm(" + definition.name + ")");
      if (square.kind() == Kind::sum && square.size() > 1) roots_.add(square, norm);
    }
    definitions_.push_back(definition);
  }
}

void ModelNames::Names::add(Expr what, Expr by) {
  by_node_[what.node()].push_back(all_.size());
  all_.emplace_back(what, by);
}

std::vector<Replacement> ModelNames::Names::among(std::span<const Expr> nodes) const {
  std::vector<std::size_t> found;
  for (const Expr node : nodes) {
    const auto it = by_node_.find(node.node());
    if (it != by_node_.end()) found.insert(found.end(), it->second.begin(), it->second.end());
  }
  std::ranges::sort(found);
  std::vector<Replacement> list;
  for (const std::size_t i : found) list.push_back(all_[i]);
  return list;
}

Expr ModelNames::operator()(Expr e) {
  if ((replacements_.empty() && roots_.empty()) || written_size(e) > 20000) return e;
  const std::vector<Expr> nodes = topological(std::array{e});
  const std::vector<Replacement> own = replacements_.among(nodes), own_roots = roots_.among(nodes);
  if (own.empty() && own_roots.empty()) return e;
  const Expr named = substitute(with_roots(e, own_roots), own);
  if (length_on_paper(named) >= length_on_paper(e)) return e;
  for (const Expr s : free_symbols(named)) used_.insert(std::string(s.name()));
  return named;
}

std::vector<WrittenDefinition> ModelNames::used() const {
  std::vector<WrittenDefinition> list;
  for (const Definition& definition : definitions_) {
    const std::string& name = definition.name;
    const bool found = std::any_of(used_.begin(), used_.end(), [&](const std::string& s) {
      return s == name || s.starts_with(name + ".") || s == "norm(" + name + ")";
    });
    if (found) list.push_back({WrittenDefinition::Kind::name, name, {}, definition.components, ""});
  }
  return list;
}

// |d|^(2k) for (d·d)^k, in products and by itself
Expr ModelNames::with_roots(Expr e, std::span<const Replacement> roots) {
  std::vector<Replacement> list;
  for (const auto& [square, norm] : roots) {
    list = {{square, norm * norm}};
    for (const Expr node : topological(std::array{e})) {
      if (node.kind() != Kind::product) continue;
      const auto is_own = [&, own = square](std::size_t i) { return node.base(i) == own; };
      bool has_it = false;
      for (std::size_t i = 0; i < node.size(); ++i) has_it = has_it || is_own(i);
      if (!has_it) continue;
      std::vector<Context::Term> factors;
      for (std::size_t i = 0; i < node.size(); ++i) {
        // other factors may have it in them: (b − r)/r
        factors.push_back({is_own(i) ? norm : substitute(node.base(i), list),
                           is_own(i) ? Rational(2) * node.exponent(i) : node.exponent(i)});
      }
      list.emplace_back(node, e.context().power_product(1, factors));
    }
    e = substitute(e, list);
  }
  return e;
}

void ModelNames::add(Expr e, Expr symbol) {
  // r = sqrt(x^2 + y^2)
  if (e.kind() == Kind::product && e.size() == 1 && e.exponent(0) == Rational(1, 2) && e.base(0).kind() == Kind::sum) {
    roots_.add(e.base(0), symbol);
    return;
  }
  if (e.kind() != Kind::sum || (e.size() == 1 && e.constant().is_zero())) return;
  replacements_.add(e, symbol);
  replacements_.add(-e, -symbol);
}

}  // namespace cetaev
