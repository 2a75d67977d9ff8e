#include "ruler.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "cetaev/detail/expr/sign.hpp"

namespace cetaev {

namespace algebra {

double Ruler::length(Expr symbol) const {
  constexpr double alone = 2, difference = 2 + 1 + 2 + 1;  // a − b in parentheses
  const bool stands_for_one = std::any_of(differences_.begin(), differences_.end(),
                                          [&](const NamedDifference& d) { return d.symbol == symbol; });
  return stands_for_one ? difference : alone;
}

namespace {

// A sign, less those that a difference behind it saves: (b − a) c for −(a − b) c.
double minus_before(Expr term) {
  constexpr double sign = 0.5;
  if (term.kind() != Kind::product) return sign;
  for (std::size_t k = 0; k < term.size(); ++k) {
    if (!turns_behind_minus(term.base(k), term.exponent(k))) continue;
    const SignsOfASum signs(term.base(k));
    return sign * (static_cast<double>(signs.plus) - static_cast<double>(signs.minus));
  }
  return sign;
}

}  // namespace

// Symbols weigh two, signs, bars, powers and parentheses one; shared parts as often as they are written.
double Ruler::operator()(Expr e) const {
  std::unordered_map<const Node*, double> known;
  const auto number = [](const Rational& r) { return r.abs().is_one() ? 0.0 : r.is_integer() ? 1.0 : 2.0; };
  const std::vector<Expr> order = topological(std::array{e});
  budget_.charge(node_units * static_cast<double>(order.size()));
  for (const Expr node : order) {
    double total = 0;
    switch (node.kind()) {
      case Kind::number: total = std::max(1.0, number(node.number())); break;
      case Kind::pi: total = 2; break;
      case Kind::symbol: total = length(node); break;
      case Kind::sum:
        total = node.constant().is_zero() ? -1 : std::max(1.0, number(node.constant()));
        for (std::size_t k = 0; k < node.size(); ++k) {
          total += 1 + number(node.coefficient(k)) + known[node.term(k).node()];
          if (node.coefficient(k).sign() < 0) total += minus_before(node.term(k));
        }
        break;
      case Kind::product: {
        bool above = false, below = false;
        for (std::size_t k = 0; k < node.size(); ++k) {
          const Expr base = node.base(k);
          // the graph keeps a number before a term as a sum of one
          const bool sum = base.kind() == Kind::sum && (base.size() > 1 || !base.constant().is_zero());
          total += known[base.node()] + (sum ? 1 : 0);
          if (!node.exponent(k).abs().is_one()) total += 1;
          (node.exponent(k).sign() > 0 ? above : below) = true;
        }
        total += below ? (above ? 1 : 2) : 0;
        break;
      }
      default:
        total = 1.5;
        for (const Expr operand : node.operands()) total += known[operand.node()];
    }
    known[node.node()] = total;
  }
  return known[e.node()];
}

}  // namespace algebra

double length_on_paper(Expr e) {
  algebra::Budget unlimited(std::numeric_limits<double>::infinity());
  return algebra::Ruler({}, unlimited)(e);
}

}  // namespace cetaev
