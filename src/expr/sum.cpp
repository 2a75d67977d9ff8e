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

// A sum under a number as large as this is left alone, as one under a parameter is: 1e12·(x + |x − 3| − 3) vanishes to the last bit
// where 1e12·x + 1e12·|x − 3| − 3e12 is what rounding leaves of its terms.
bool is_kept_apart(Expr e, Expr factor) {
  return is_long_sum(e) || (!is_scaled_term(e) && factor.number().abs() > Rational(Context::multiply_out_limit));
}

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
    } else if (e.kind() != Kind::sum || is_long_sum(e)) {
      pairs.push_back({e, factor});
    } else if (is_kept_apart(e, factor)) {
      // one node for S and −S, as in products
      const Rational c = looks_negative(e) ? -content(e) : content(e);
      pairs.push_back(c.is_one() ? Pair{e, factor} : Pair{c.inverse() * e, inside.intern_number(factor.number() * c)});
    } else {
      add_terms_of(e, factor);
    }
  }

  void open(std::size_t i) {
    const auto [sum, factor] = pairs[i];
    pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(i));
    add_terms_of(sum, factor);
  }

  // A short sum whose factor has become small in this sum.
  bool open_short() {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].expr.kind() != Kind::sum || is_kept_apart(pairs[i].expr, pairs[i].factor)) continue;
      open(i);
      return true;
    }
    return false;
  }

  // A long sum S beside terms that S itself contains: S − x must lose its x. Then, and only then, S is opened; a short one where a
  // term goes.
  bool absorb_overlapping() {
    if (pairs.size() < 2) return false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto [sum, factor] = pairs[i];
      if (sum.kind() != Kind::sum || sum.size() > overlap_limit) continue;
      const std::span<const Expr> operands = sum.operands();
      const bool is_long = is_long_sum(sum);
      // Both lists are ordered by number.
      std::size_t k = 1;
      const bool overlaps = std::any_of(pairs.begin(), pairs.end(), [&, by = factor](const Pair& pair) {
        while (k < operands.size() && operands[k].id() < pair.expr.id()) k += 2;
        if (k >= operands.size() || operands[k] != pair.expr) return false;
        return is_long || (by.number() * operands[k + 1].number() + pair.factor.number()).is_zero();
      });
      if (!overlaps) continue;
      open(i);
      return true;
    }
    return false;
  }

  Expr finish() {
    do {
      sort_and_merge(inside, pairs);
      std::erase_if(pairs, [](const Pair& pair) { return pair.factor.is_zero(); });
    } while (open_short() || absorb_overlapping());
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

Rational content(Expr sum) {
  Rational g = sum.constant().abs();
  if (!g.is_integer()) return 1;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (!sum.coefficient(i).is_integer()) return 1;
    if (!g.is_one()) g = gcd(g, sum.coefficient(i));
  }
  return g;
}

bool looks_negative(Expr e) {
  if (e.is_number()) return e.number().sign() < 0;
  if (e.kind() != Kind::sum || is_long_sum(e)) return false;
  return e.coefficient(0).sign() < 0;
}

}  // namespace cetaev
