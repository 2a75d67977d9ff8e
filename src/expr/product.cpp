// Canonical products and powers.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "cetaev/error.hpp"
#include "context.hpp"

namespace cetaev {

namespace {

// Exact powers of numbers up to this size are computed; 10^(10^9) stays a power.
constexpr std::size_t computed_bits = std::size_t{1} << 16;

constexpr std::size_t largest_product = 64;
constexpr std::size_t group_size = 32;

[[noreturn]] void division_by_zero() { throw Error(ErrorCode::bad_model, "division by zero"); }

bool is_long(Expr e) { return e.size() >= Context::flatten_limit; }

// b^(1/q) as it stands under an integer power: its square is b only where b ≥ 0, so it is kept together.
bool is_root(Expr e) { return e.kind() == Kind::product && e.size() == 1 && !e.exponent(0).is_integer(); }

bool is_small_power(const Rational& base, const Rational& exponent) {
  const auto n = exponent.to_long();
  if (!n) return false;
  if (base.bits() <= 2) return true;  // 1 and −1
  const long magnitude = *n < 0 ? -*n : *n;
  return magnitude < static_cast<long>(computed_bits) &&
         static_cast<std::size_t>(magnitude) * base.bits() <= computed_bits;
}

struct FactorCollector {
  Context::Implementation& inside;
  Rational coefficient;
  std::vector<Pair> pairs;                    // base^number
  std::vector<std::pair<Expr, Expr>> powers;  // base^expression

  Expr number(const Rational& value) { return inside.intern_number(value); }
  void push(Expr base, const Rational& exponent) { pairs.push_back({base, number(exponent)}); }

  void add(Expr e, const Rational& exponent) {
    if (exponent.is_zero()) return;
    switch (e.kind()) {
      case Kind::number: add_number(e.number(), exponent); break;
      case Kind::sum: add_sum(e, exponent); break;
      case Kind::product: add_product(e, exponent); break;
      case Kind::power:
        // (b^s)^n = b^(n s) for whole n only: b may be negative and s whole.
        if (exponent.is_integer()) {
          powers.emplace_back(e.operands()[0], exponent * e.operands()[1]);
        } else {
          push(e, exponent);
        }
        break;
      default: push(e, exponent); break;
    }
  }

  void add_number(const Rational& base, const Rational& exponent) {
    if (base.is_zero()) {
      if (exponent.sign() < 0) division_by_zero();
      coefficient = 0;
    } else if (base.is_one()) {
      return;
    } else if (exponent.is_integer()) {
      if (is_small_power(base, exponent)) {
        coefficient *= base.power(*exponent.to_long());
      } else {
        if (base.sign() < 0 && !exponent.is_even()) coefficient = -coefficient;
        push(number(base.abs()), exponent);
      }
    } else if (base.sign() < 0) {
      push(number(base), exponent);  // not a real number; evaluation will say so
    } else {
      add_radical(base, exponent);
    }
  }

  // base^exponent, base > 0, as a number times powers of primes with exponents between 0 and 1.
  void add_radical(const Rational& base, const Rational& exponent) {
    const auto degree = exponent.denominator().to_long();
    if (degree && *degree > 0) {
      const auto root = base.root(static_cast<unsigned long>(*degree));
      if (root && is_small_power(*root, exponent.numerator())) {
        coefficient *= root->power(*exponent.numerator().to_long());
        return;
      }
    }
    add_prime_powers(base.numerator(), exponent);
    add_prime_powers(base.denominator(), -exponent);
  }

  void add_prime_powers(Rational n, const Rational& exponent) {
    const auto divides = [&](long p) { return (n / Rational(p)).is_integer(); };
    for (long p = 2; p < 1000 && n > Rational(1); ++p) {
      if (n < Rational(p) * Rational(p)) break;
      long multiplicity = 0;
      while (divides(p)) {
        n = n / Rational(p);
        ++multiplicity;
      }
      if (multiplicity > 0) push_prime(Rational(p), Rational(multiplicity) * exponent);
    }
    if (n > Rational(1)) push_prime(n, exponent);
  }

  void push_prime(const Rational& prime, const Rational& exponent) {
    const Rational whole = exponent.floor();
    if (!is_small_power(prime, whole)) return push(number(prime), exponent);
    coefficient *= prime.power(*whole.to_long());
    if (exponent != whole) push(number(prime), exponent - whole);
  }

  void add_sum(Expr e, const Rational& exponent) {
    if (is_scaled_term(e)) {
      const Rational& c = e.coefficient(0);
      if (c.sign() > 0 || exponent.is_integer()) {
        add_number(c, exponent);
        add(e.term(0), exponent);
      } else {
        add_number(-c, exponent);
        push(-e.term(0), exponent);
      }
      return;
    }
    if (is_long(e)) return push(e, exponent);
    Rational g = content(e);
    if (exponent.is_integer() && looks_negative(e)) g = -g;
    if (g.is_one()) return push(e, exponent);
    add_number(g, exponent);
    push(g.inverse() * e, exponent);
  }

  // (base^inner)^outer for a whole outer exponent. A root that the outer exponent undoes is kept as a root: collect()
  // decides whether it may go.
  void add_power(Expr base, const Rational& inner, const Rational& outer) {
    const Rational total = inner * outer;
    if (inner.is_integer() || !total.is_integer() || base.is_nonnegative() || base.is_number()) return add(base, total);
    const Rational degree = inner.denominator();
    const std::array<Pair, 1> root = {{{base, number(degree.inverse())}}};
    push(inside.intern_product(root), total * degree);
  }

  void add_product(Expr e, const Rational& exponent) {
    if (exponent.is_integer()) {
      if (is_root(e) || is_long(e)) return push(e, exponent);
      for (std::size_t i = 0; i < e.size(); ++i) add_power(e.base(i), e.exponent(i), exponent);
      return;
    }
    if (e.size() == 1) {
      const Rational& inner = e.exponent(0);
      const Rational total = inner * exponent;
      const Expr base = e.base(0);
      // b ≥ 0 on both sides, or an odd power whose root is still a root: same domain.
      const bool merges = base.is_nonnegative() || (!total.is_integer() && !inner.is_even());
      return merges ? add(base, total) : push(e, exponent);
    }
    // Factors known not to be negative leave the root; the others stay under it together.
    std::vector<Pair> rest;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (e.base(i).is_nonnegative()) {
        add(e.base(i), e.exponent(i) * exponent);
      } else {
        rest.push_back({e.base(i), e.operands()[2 * i + 1]});
      }
    }
    if (rest.size() == e.size()) return push(e, exponent);
    if (rest.empty()) return;
    const Expr remaining = rest.size() == 1 && rest[0].factor.is_one() ? rest[0].expr : inside.intern_product(rest);
    add(remaining, exponent);
  }

  // A factor with the degree of the root it is under: sqrt(b)² has exponent 1 and degree 2.
  struct Opened {
    Expr base;
    Rational exponent;
    Rational degree;
  };

  static Opened opened(const Pair& pair) {
    const Rational& exponent = pair.factor.number();
    if (!is_root(pair.expr)) return {pair.expr, exponent, exponent.denominator()};
    const Rational& inner = pair.expr.exponent(0);
    return {pair.expr.base(0), inner * exponent, inner.denominator()};
  }

  // One round of collecting equal bases. True when a result has to be taken apart again.
  bool collect() {
    std::vector<Opened> factors;
    factors.reserve(pairs.size());
    for (const Pair& pair : pairs) factors.push_back(opened(pair));
    pairs.clear();
    std::sort(factors.begin(), factors.end(),
              [](const Opened& a, const Opened& b) { return a.base.id() < b.base.id(); });
    bool again = false;
    for (std::size_t i = 0; i < factors.size();) {
      const Expr base = factors[i].base;
      Rational exponent = factors[i].exponent;
      Rational degree = factors[i].degree;
      for (++i; i < factors.size() && factors[i].base == base; ++i) {
        exponent += factors[i].exponent;
        degree = degree * factors[i].degree / gcd(degree, factors[i].degree);
      }
      if (exponent.is_zero()) continue;
      if (exponent.is_integer() && !degree.is_one() && !base.is_nonnegative()) {
        // sqrt(b)·sqrt(b) is b only where b ≥ 0
        const std::array<Pair, 1> root = {{{base, number(degree.inverse())}}};
        push(inside.intern_product(root), exponent * degree);
      } else if (must_open(base, exponent, !degree.is_one())) {
        add(base, exponent);
        again = true;
      } else {
        push(base, exponent);
      }
    }
    return again;
  }

  // Does base^exponent still contain something that add() would take out?
  bool must_open(Expr base, const Rational& exponent, bool was_fractional) const {
    switch (base.kind()) {
      case Kind::number: {
        const Rational& b = base.number();
        if (b.sign() < 0) return exponent.is_integer();
        if (exponent.is_integer()) return is_small_power(b, exponent);
        return exponent.floor().sign() != 0 && is_small_power(b, exponent.floor());
      }
      case Kind::product: return exponent.is_integer() && !is_root(base) && !is_long(base);
      case Kind::sum: return was_fractional && exponent.is_integer();
      case Kind::power: return exponent.is_integer() && !exponent.is_one();
      default: return false;
    }
  }

  // |u|^n: even n gives u^n, odd n gives |u|·u^(n−1), so that derivatives of |u| cancel as they should.
  bool reduce_absolute_values() {
    bool again = false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Pair pair = pairs[i];
      const Rational& n = pair.factor.number();
      if (pair.expr.kind() != Kind::function || pair.expr.function() != Function::abs) continue;
      if (!n.is_integer() || n.is_one()) continue;
      const Expr argument = pair.expr.operands()[0];
      const Rational even = n.is_even() ? n : n - Rational(1);
      pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(i));
      if (!n.is_even()) push(pair.expr, 1);
      add(argument, even);
      again = true;
      break;
    }
    return again;
  }

  // x^a·x^b = x^(a+b), numbers among the exponents included. True when there was something to do.
  bool collect_powers() {
    if (powers.empty()) return false;
    std::stable_sort(powers.begin(), powers.end(),
                     [](const auto& a, const auto& b) { return a.first.id() < b.first.id(); });
    for (std::size_t i = 0; i < powers.size();) {
      const Expr base = powers[i].first;
      const std::size_t begin = i;
      Expr total = powers[i].second;
      for (++i; i < powers.size() && powers[i].first == base; ++i) total = total + powers[i].second;
      const auto same = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.expr == base; });
      if (total.is_number() && !total.is_zero() && !base.is_nonnegative()) {
        // x^a·x^(1−a) is x only where x ≥ 0 or a is whole: left as it is
        for (std::size_t k = begin; k < i; ++k) push(intern_power(base, powers[k].second), 1);
        continue;
      }
      if (same != pairs.end()) {
        total = total + same->factor;
        pairs.erase(same);
      }
      if (total.is_number()) {
        add(base, total.number());
      } else {
        push(intern_power(base, total), 1);
      }
    }
    powers.clear();
    return true;
  }

  Expr intern_power(Expr base, Expr exponent) {
    const std::array<Expr, 2> operands = {base, exponent};
    return inside.intern(Kind::power, Function{}, operands, base.is_nonnegative());
  }

  // A product of thousands of factors has thousands of derivatives of that length; in groups it is a tree, whose
  // derivatives are short.
  void group_if_many() {
    while (pairs.size() > largest_product) {
      std::vector<Pair> groups;
      for (std::size_t i = 0; i < pairs.size(); i += group_size) {
        const std::size_t count = std::min(group_size, pairs.size() - i);
        if (count < Context::flatten_limit) {
          groups.insert(groups.end(), pairs.begin() + static_cast<std::ptrdiff_t>(i), pairs.end());
        } else {
          groups.push_back({inside.intern_product(std::span(pairs).subspan(i, count)), inside.context.one()});
        }
      }
      pairs = std::move(groups);
      std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.expr.id() < b.expr.id(); });
    }
  }

  Expr finish() {
    do {
      while (collect() || reduce_absolute_values()) {
      }
    } while (collect_powers());
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.expr.id() < b.expr.id(); });
    if (coefficient.is_zero()) return inside.context.zero();
    if (pairs.empty()) return number(coefficient);
    group_if_many();
    const bool single = pairs.size() == 1 && pairs[0].factor.is_one();
    const Expr product = single ? pairs[0].expr : inside.intern_product(pairs);
    return coefficient.is_one() ? product : coefficient * product;
  }
};

bool nonnegative_factor(const Pair& factor) {
  const Rational& e = factor.factor.number();
  return factor.expr.is_nonnegative() || e.is_even() || !e.is_integer();
}

}  // namespace

Expr Context::Implementation::intern_product(std::span<const Pair> factors) {
  std::vector<Expr> operands;
  operands.reserve(2 * factors.size());
  for (const Pair& factor : factors) {
    operands.push_back(factor.expr);
    operands.push_back(factor.factor);
  }
  return intern(Kind::product, Function{}, operands, std::all_of(factors.begin(), factors.end(), nonnegative_factor));
}

Expr Context::power_product(const Rational& coefficient, std::span<const Term> factors) {
  FactorCollector collector{*implementation_, coefficient, {}, {}};
  collector.pairs.reserve(factors.size() + 4);
  for (const Term& factor : factors) collector.add(factor.expr, factor.factor);
  return collector.finish();
}

// The product of factors that stay as they are: distinct symbols, functions and sums, and products of such. No number or exponent
// has to be computed for it; that is so for most products of derivatives. Nothing where it takes more.
std::optional<Expr> Context::Implementation::plain_product(std::span<const Expr> factors) {
  constexpr std::size_t most = 16;
  std::array<Pair, most> pairs;
  std::size_t count = 0;
  const auto stays = [](Expr base, Expr exponent) {
    switch (base.kind()) {
      case Kind::symbol: return true;
      case Kind::function: return base.function() != Function::abs;
      case Kind::sum: return exponent.is_one() && is_long(base);
      default: return false;
    }
  };
  const auto add = [&](Expr base, Expr exponent) {
    if (count == most || !stays(base, exponent)) return false;
    pairs[count++] = {base, exponent};
    return true;
  };
  for (const Expr e : factors) {
    if (e.is_one()) continue;
    if (e.kind() != Kind::product) {
      if (!add(e, context.one())) return std::nullopt;
      continue;
    }
    if (is_root(e) || is_long(e)) return std::nullopt;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (!add(e.base(i), e.operands()[2 * i + 1])) return std::nullopt;
    }
  }
  const std::span<Pair> found(pairs.data(), count);
  std::sort(found.begin(), found.end(), [](const Pair& a, const Pair& b) { return a.expr.id() < b.expr.id(); });
  for (std::size_t i = 1; i < count; ++i) {
    if (found[i].expr == found[i - 1].expr) return std::nullopt;
  }
  if (count == 0) return context.one();
  return count == 1 && found[0].factor.is_one() ? found[0].expr : intern_product(found);
}

Expr Context::product(std::span<const Expr> factors) {
  if (const auto plain = implementation_->plain_product(factors)) return *plain;
  FactorCollector collector{*implementation_, Rational(1), {}, {}};
  collector.pairs.reserve(factors.size() + 4);
  for (const Expr e : factors) collector.add(e, 1);
  return collector.finish();
}

Expr Context::power(Expr base, const Rational& exponent) {
  if (exponent.is_one()) return base;
  const std::array<Term, 1> factors = {{{base, exponent}}};
  return power_product(1, factors);
}

Expr Context::power(Expr base, Expr exponent) {
  if (exponent.is_number()) return power(base, exponent.number());
  if (base.is_one()) return base;
  const std::array<Expr, 2> operands = {base, exponent};
  return implementation_->intern(Kind::power, Function{}, operands, base.is_nonnegative());
}

}  // namespace cetaev
