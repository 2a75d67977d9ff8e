#include "cetaev/detail/expr/nested.hpp"

#include <algorithm>
#include <vector>

#include "cetaev/detail/expr/walk.hpp"
#include "context.hpp"

namespace cetaev {

namespace {

// Whole positive powers of what powers of numbers, roots and absolute values have no rule for.
bool multiplies_plainly(Expr base, const Rational& exponent) {
  if (exponent.sign() <= 0 || !exponent.is_integer() || base.is_number()) return false;
  switch (base.kind()) {
    case Kind::sum:
    case Kind::symbol: return true;
    case Kind::function: return base.function() == Function::sin || base.function() == Function::cos;
    default: return false;
  }
}

bool append_factors(Expr e, std::vector<Pair>& factors) {
  if (e.kind() != Kind::product) {
    factors.push_back({e, e.context().one()});
    return multiplies_plainly(e, Rational(1));
  }
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (!multiplies_plainly(e.base(i), e.exponent(i))) return false;
    factors.push_back({e.operands()[2 * i], e.operands()[2 * i + 1]});
  }
  return true;
}

}  // namespace

Expr nested_sum(Context& context, std::span<const Context::Term> terms) {
  Context::Implementation& inside = Context::Implementation::of(context.zero());
  Rational constant(0);
  std::vector<Pair> pairs;
  for (const auto& [e, factor] : terms) {
    if (factor.is_zero()) continue;
    if (e.is_number()) {
      constant = constant + factor * e.number();
    } else if (is_scaled_term(e)) {
      pairs.push_back({e.term(0), context.number(factor * e.coefficient(0))});
    } else {
      pairs.push_back({e, context.number(factor)});
    }
  }
  sort_and_merge(inside, pairs);
  std::erase_if(pairs, [](const Pair& pair) { return pair.factor.is_zero(); });
  if (pairs.empty()) return context.number(constant);
  if (pairs.size() == 1 && constant.is_zero() && pairs[0].factor.is_one()) return pairs[0].expr;
  return inside.intern_sum(context.number(constant), pairs);
}

std::vector<Expr> nested_substitute(std::span<const Expr> roots, std::span<const Replacement> replacements) {
  const std::vector<Expr> order = topological(roots);
  const Places place(order);
  std::vector<Expr> image = order;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Expr e = order[i];
    if (e.is_symbol()) {
      const auto replaced = std::find_if(replacements.begin(), replacements.end(),
                                         [&](const Replacement& replacement) { return replacement.first == e; });
      if (replaced != replacements.end()) image[i] = replaced->second;
      continue;
    }
    const auto of = [&](Expr operand) { return image[place[operand]]; };
    if (std::all_of(e.operands().begin(), e.operands().end(), [&](Expr operand) { return of(operand) == operand; }))
      continue;
    if (e.kind() == Kind::sum) {
      std::vector<Context::Term> terms = {{e.context().number(e.constant()), Rational(1)}};
      for (std::size_t k = 0; k < e.size(); ++k) terms.push_back({of(e.term(k)), e.coefficient(k)});
      image[i] = nested_sum(e.context(), terms);
    } else if (e.kind() == Kind::product) {
      image[i] = e.context().one();
      for (std::size_t k = 0; k < e.size(); ++k) {
        const Expr base = of(e.base(k));
        const bool square = e.exponent(k) == Rational(2);
        image[i] = nested_product(image[i], square                   ? nested_product(base, base)
                                            : e.exponent(k).is_one() ? base
                                                                     : pow(base, e.exponent(k)));
      }
    } else {
      image[i] = substitute(e, replacements);
    }
  }
  std::vector<Expr> results;
  for (const Expr root : roots) results.push_back(image[place[root]]);
  return results;
}

Expr nested_product(Expr a, Expr b) {
  Context& context = a.context();
  if (a.is_number()) {
    const Context::Term term{b, a.number()};
    return nested_sum(context, std::span(&term, 1));
  }
  if (b.is_number()) return nested_product(b, a);
  Rational coefficient(1);
  for (Expr* e : {&a, &b}) {
    if (!is_scaled_term(*e)) continue;
    coefficient = coefficient * e->coefficient(0);
    *e = e->term(0);
  }
  std::vector<Pair> factors;
  if (!append_factors(a, factors) || !append_factors(b, factors)) return coefficient * (a * b);
  Context::Implementation& inside = Context::Implementation::of(a);
  sort_and_merge(inside, factors);
  const Context::Term term{inside.intern_product(factors), coefficient};
  return nested_sum(context, std::span(&term, 1));
}

}  // namespace cetaev
