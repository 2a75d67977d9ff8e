// Walks over the graph: order, free symbols, substitution. All by loops: expressions may be hundreds of thousands deep.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "cetaev/expr/expr.hpp"
#include "rebuild.hpp"

namespace cetaev {

std::vector<Expr> topological(std::span<const Expr> roots) {
  std::vector<Expr> found;
  if (roots.empty()) return found;
  std::vector<bool> seen;
  const auto visit = [&](Expr e) {
    if (e.id() >= seen.size()) seen.resize(std::max<std::size_t>(e.id() + 1, 2 * seen.size()));
    if (seen[e.id()]) return;
    seen[e.id()] = true;
    found.push_back(e);
  };
  std::uint32_t largest = 0;
  for (const Expr root : roots) largest = std::max(largest, root.id());
  seen.resize(largest + 1);
  for (const Expr root : roots) visit(root);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Expr operand : found[i].operands()) visit(operand);
  }
  // A node is made after its operands, so its number is larger.
  std::sort(found.begin(), found.end(), [](Expr a, Expr b) { return a.id() < b.id(); });
  return found;
}

std::vector<Expr> free_symbols(std::span<const Expr> roots) {
  std::vector<Expr> symbols = topological(roots);
  std::erase_if(symbols, [](Expr e) { return !e.is_symbol(); });
  return symbols;
}

std::vector<Expr> free_symbols(Expr e) { return free_symbols(std::array{e}); }

bool depends_on(Expr e, std::span<const Expr> symbols) {
  const std::vector<Expr> present = free_symbols(e);
  return std::any_of(present.begin(), present.end(),
                     [&](Expr s) { return std::find(symbols.begin(), symbols.end(), s) != symbols.end(); });
}

double written_size(Expr e) {
  std::unordered_map<const Node*, double> size;
  for (const Expr node : topological(std::array{e})) {
    double total = 1;
    for (const Expr operand : node.operands()) total += size[operand.node()];
    size[node.node()] = total;
  }
  return size[e.node()];
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
  std::unordered_map<const Node*, Expr> image;
  for (const auto& [from, to] : replacements) image.emplace(from.node(), to);
  const auto image_of = [&](Expr e) {
    const auto found = image.find(e.node());
    return found == image.end() ? e : found->second;
  };
  std::vector<Expr> operands;
  for (const Expr e : topological(roots)) {
    if (image.contains(e.node())) continue;
    bool changed = false;
    operands.clear();
    for (const Expr operand : e.operands()) {
      operands.push_back(image_of(operand));
      changed = changed || operands.back() != operand;
    }
    if (changed) image.emplace(e.node(), rebuild(e, operands, e.context()));
  }
  std::vector<Expr> results;
  results.reserve(roots.size());
  for (const Expr root : roots) results.push_back(image_of(root));
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
