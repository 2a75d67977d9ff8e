// Canonical sums.
#include <algorithm>
#include <vector>

#include "context.hpp"

namespace cetaev {

namespace {

// Sums this long are compared with the terms beside them (see absorb_overlapping); longer ones are left alone, so that
// adding terms one at a time stays linear.
constexpr std::size_t overlap_limit = 128;

bool is_long_sum(Expr e) { return e.kind() == Kind::sum && e.size() >= Context::flatten_limit; }

struct Collector {
  Context::Implementation& inside;
  Expr constant;
  std::vector<Pair> pairs;

  void add_constant(Expr number) { constant = inside.add_numbers(constant, number); }

  // Adds factor·(every term of a sum).
  void add_terms_of(Expr sum, Expr factor) {
    const std::span<const Expr> operands = sum.operands();
    add_constant(inside.multiply_numbers(operands[0], factor));
    for (std::size_t i = 1; i < operands.size(); i += 2) {
      pairs.push_back({operands[i], inside.multiply_numbers(operands[i + 1], factor)});
    }
  }

  void add(Expr e, Expr factor) {
    if (factor.is_zero()) return;
    if (e.is_number()) {
      add_constant(inside.multiply_numbers(e, factor));
    } else if (e.kind() == Kind::sum && !is_long_sum(e)) {
      add_terms_of(e, factor);
    } else {
      pairs.push_back({e, factor});
    }
  }

  // A long sum S beside terms that S itself contains: S − x must lose its x. Then, and only then, S is opened.
  bool absorb_overlapping() {
    if (pairs.size() < 2) return false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Expr sum = pairs[i].expr;
      if (!is_long_sum(sum) || sum.size() > overlap_limit) continue;
      const std::span<const Expr> operands = sum.operands();
      // Both lists are ordered by number.
      std::size_t k = 1;
      const bool overlaps = std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
        while (k < operands.size() && operands[k].id() < pair.expr.id()) k += 2;
        return k < operands.size() && operands[k] == pair.expr;
      });
      if (!overlaps) continue;
      const Expr factor = pairs[i].factor;
      pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(i));
      add_terms_of(sum, factor);
      return true;
    }
    return false;
  }

  Expr finish() {
    do {
      sort_and_merge(inside, pairs);
      std::erase_if(pairs, [](const Pair& pair) { return pair.factor.is_zero(); });
    } while (absorb_overlapping());
    if (pairs.empty()) return constant;
    if (pairs.size() == 1 && constant.is_zero() && pairs[0].factor.is_one()) return pairs[0].expr;
    return inside.intern_sum(constant, pairs);
  }
};

bool nonnegative_sum(Expr constant, std::span<const Pair> terms) {
  return constant.number().sign() >= 0 && std::all_of(terms.begin(), terms.end(), [](const Pair& term) {
           return term.expr.is_nonnegative() && term.factor.number().sign() > 0;
         });
}

}  // namespace

Expr Context::Implementation::intern_sum(Expr constant, std::span<const Pair> terms) {
  std::vector<Expr> operands;
  operands.reserve(1 + 2 * terms.size());
  operands.push_back(constant);
  for (const Pair& term : terms) {
    operands.push_back(term.expr);
    operands.push_back(term.factor);
  }
  return intern(Kind::sum, Function{}, operands, nonnegative_sum(constant, terms));
}

Expr Context::Implementation::combine(Expr constant, std::span<const Pair> terms) {
  Collector collector{*this, constant, {}};
  collector.pairs.reserve(terms.size() + flatten_limit);
  for (const Pair& term : terms) collector.add(term.expr, term.factor);
  return collector.finish();
}

Expr Context::linear_combination(const Rational& constant, std::span<const Term> terms) {
  Collector collector{*implementation_, number(constant), {}};
  collector.pairs.reserve(terms.size() + flatten_limit);
  for (const Term& term : terms) collector.add(term.expr, number(term.factor));
  return collector.finish();
}

Expr Context::sum(std::span<const Expr> terms) {
  Collector collector{*implementation_, zero_, {}};
  collector.pairs.reserve(terms.size() + flatten_limit);
  for (const Expr e : terms) collector.add(e, one_);
  return collector.finish();
}

bool looks_negative(Expr e) {
  if (e.is_number()) return e.number().sign() < 0;
  if (e.kind() != Kind::sum || is_long_sum(e)) return false;
  return e.coefficient(0).sign() < 0;
}

}  // namespace cetaev
