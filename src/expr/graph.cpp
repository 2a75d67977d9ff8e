// Walks over the graph: order, free symbols, substitution. All by loops: expressions may be hundreds of thousands deep.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "cetaev/detail/expr/rebuild.hpp"
#include "cetaev/detail/expr/walk.hpp"
#include "cetaev/expr/expr.hpp"
#include "cetaev/interruption.hpp"

namespace cetaev {

namespace {

constexpr double visits_of_a_node = 16;  // that cost as much as to make one

}  // namespace

std::vector<Expr> topological(std::span<const Expr> roots) {
  Walk walk;
  for (const Expr root : roots) walk.visit(root);
  for (std::size_t i = 0; i < walk.size(); ++i) {
    for (const Expr operand : walk[i].operands()) walk.visit(operand);
  }
  may_end_here(static_cast<double>(walk.size()) / visits_of_a_node);
  return walk.in_order();
}

std::vector<Expr> free_symbols(std::span<const Expr> roots) {
  std::vector<Expr> symbols = topological(roots);
  std::erase_if(symbols, [](Expr e) { return !e.is_symbol(); });
  return symbols;
}

std::vector<Expr> free_symbols(Expr e) { return free_symbols(std::array{e}); }

bool depends_on(Expr e, std::span<const Expr> symbols) {
  Walk wanted;
  for (const Expr s : symbols) wanted.visit(s);
  Walk walk;
  walk.visit(e);
  for (std::size_t i = 0; i < walk.size(); ++i) {
    if (walk[i].is_symbol() && wanted.met(walk[i])) return true;
    for (const Expr operand : walk[i].operands()) walk.visit(operand);
  }
  return false;
}

double written_size(Expr e) {
  const std::vector<Expr> order = topological(std::array{e});
  const Places place(order);
  std::vector<double> size(order.size(), 1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Expr operand : order[i].operands()) size[i] += size[place[operand]];
  }
  return size.back();
}

Expr rebuild(Expr e, std::span<const Expr> operands, Context& target) {
  switch (e.kind()) {
    case Kind::number: return target.number(e.number());
    case Kind::pi: return target.pi();
    case Kind::symbol: return target.symbol(e.name());
    case Kind::sum: {
      std::vector<Context::Term> terms;
      terms.reserve(e.size());
      for (std::size_t i = 0; i < e.size(); ++i) terms.push_back({operands[1 + 2 * i], e.coefficient(i)});
      return target.linear_combination(e.constant(), terms);
    }
    case Kind::product: {
      std::vector<Context::Term> factors;
      factors.reserve(e.size());
      for (std::size_t i = 0; i < e.size(); ++i) factors.push_back({operands[2 * i], e.exponent(i)});
      return target.power_product(1, factors);
    }
    case Kind::power: return target.power(operands[0], operands[1]);
    case Kind::function: return target.function(e.function(), operands);
  }
  return e;
}

std::vector<Expr> substitute(std::span<const Expr> roots, std::span<const Replacement> replacements) {
  const std::vector<Expr> order = topological(roots);
  const Places place(order);
  std::vector<Expr> image = order;
  std::vector<bool> replaced(order.size());
  for (const auto& [from, to] : replacements) {
    const std::uint32_t i = place.find(from);
    if (i == Places::nowhere || replaced[i]) continue;
    image[i] = to;
    replaced[i] = true;
  }
  std::vector<Expr> operands;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (replaced[i]) continue;
    bool changed = false;
    operands.clear();
    for (const Expr operand : order[i].operands()) {
      operands.push_back(image[place[operand]]);
      changed = changed || operands.back() != operand;
    }
    if (changed) image[i] = rebuild(order[i], operands, order[i].context());
  }
  std::vector<Expr> results;
  results.reserve(roots.size());
  for (const Expr root : roots) results.push_back(image[place[root]]);
  return results;
}

Expr substitute(Expr e, std::span<const Replacement> replacements) {
  return substitute(std::array{e}, replacements)[0];
}

std::vector<Expr> transfer(std::span<const Expr> roots, Context& target, std::span<const Replacement> replacements) {
  std::unordered_map<const Node*, Expr> image;
  for (const auto& [from, to] : replacements) image.emplace(from.node(), to);
  std::vector<Expr> operands;
  for (const Expr e : topological(roots)) {
    if (image.contains(e.node())) continue;
    operands.clear();
    for (const Expr operand : e.operands()) operands.push_back(image.at(operand.node()));
    image.emplace(e.node(), rebuild(e, operands, target));
  }
  std::vector<Expr> results;
  results.reserve(roots.size());
  for (const Expr root : roots) results.push_back(image.at(root.node()));
  return results;
}

Expr transfer(Expr e, Context& target, std::span<const Replacement> replacements) {
  return transfer(std::array{e}, target, replacements)[0];
}

}  // namespace cetaev
