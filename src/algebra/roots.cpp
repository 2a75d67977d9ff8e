#include "roots.hpp"

#include <flint/fmpz_factor.h>

#include <algorithm>
#include <numeric>

namespace cetaev::algebra {

namespace {

constexpr long largest_root_degree = 10'000;
// Integers up to this size are factored into primes; larger ones only by small primes.
constexpr std::size_t factored_bits = 96;
constexpr unsigned long small_primes = 200;

unsigned long degree_of(const Rational& exponent) {
  const auto degree = exponent.denominator().to_long();
  if (!degree || *degree > largest_root_degree) throw Exhausted();
  return static_cast<unsigned long>(*degree);
}

long machine_integer(const Rational& r) {
  const auto n = r.to_long();
  if (!n) throw Exhausted();
  return *n;
}

Rational greatest_common_divisor(const SparseVector& v) {
  Rational g;
  for (const auto& [index, value] : v) g = gcd(g, value);
  return g;
}

// Prime powers of an integer > 0; a large cofactor counts as one prime.
std::vector<std::pair<Rational, Rational>> prime_powers(const Rational& n) {
  std::vector<std::pair<Rational, Rational>> result;
  if (n.is_one()) return result;
  fmpz_factor_t parts;
  fmpz_factor_init(parts);
  if (n.bits() <= factored_bits) {
    fmpz_factor(parts, n.words());
  } else {
    fmpz_factor_trial_range(parts, n.words(), 0, small_primes);
  }
  Rational rest = n;
  for (slong i = 0; i < parts->num; ++i) {
    Rational prime;
    fmpz_set(prime.words(), parts->p + i);
    const long exponent = static_cast<long>(parts->exp[i]);
    rest = rest / prime.power(exponent);
    result.emplace_back(std::move(prime), exponent);
  }
  fmpz_factor_clear(parts);
  if (!rest.is_one()) result.emplace_back(rest, 1);
  return result;
}

}  // namespace

std::size_t RootKernels::irreducible(const Poly& p) {
  const auto found = std::find(irreducibles_.begin(), irreducibles_.end(), p);
  if (found != irreducibles_.end()) return static_cast<std::size_t>(found - irreducibles_.begin());
  irreducibles_.push_back(p);
  nonnegative_.push_back(generators_.is_manifestly_nonnegative(p));
  return irreducibles_.size() - 1;
}

void RootKernels::factor_into(Monomial& m, const Poly& p, const Rational& exponent) {
  const Factorization parts = factor(p);
  if (parts.constant.sign() < 0 && !exponent.is_even()) m.sign = -m.sign;
  for (const auto& [base, multiplicity] : parts.factors) {
    add_multiple(m.exponents, exponent * Rational(multiplicity), {{irreducible(base), Rational(1)}});
  }
}

void RootKernels::factor_into(Monomial& m, const Rational& positive) {
  Ring& ring = generators_.ring();
  for (const int side : {1, -1}) {
    for (const auto& [prime, exponent] : prime_powers(side > 0 ? positive.numerator() : positive.denominator())) {
      const std::size_t index = irreducible(scaled(Poly(ring, 1), prime));
      add_multiple(m.exponents, Rational(side) * exponent, {{index, Rational(1)}});
    }
  }
}

// base^exponent as powers of numbers and factors that cannot be negative, and of what remains, which is v or v² with v
// not a power of anything.
std::vector<RootKernels::Part> RootKernels::split(const Fraction& base, const Rational& exponent) {
  Ring& ring = generators_.ring();
  Monomial all;
  if (base.scale.sign() < 0) all.sign = -1;
  factor_into(all, base.scale.abs());
  factor_into(all, base.numerator, 1);
  for (const auto& [index, multiplicity] : base.denominators) {
    factor_into(all, ring.denominator(index), Rational(-multiplicity));
  }
  std::vector<Part> parts;
  Monomial rest;
  rest.sign = all.sign;
  for (const auto& [index, multiplicity] : all.exponents) {
    if (nonnegative_[index]) {
      Part& part = parts.emplace_back();
      part.base.exponents.emplace(index, 1);
      part.exponent = multiplicity * exponent;
    } else {
      rest.exponents.emplace(index, multiplicity);
    }
  }
  if (rest.exponents.empty()) {
    // A root of a number that is negative everywhere: not real, nothing to say.
    if (rest.sign < 0) throw Exhausted();
    return parts;
  }
  Rational multiplicity = greatest_common_divisor(rest.exponents);
  if (multiplicity.is_even()) {
    if (rest.sign < 0) throw Exhausted();
    multiplicity = multiplicity / 2;
  }
  const auto negative = std::count_if(rest.exponents.begin(), rest.exponents.end(),
                                      [](const auto& entry) { return entry.second.sign() < 0; });
  if (2 * static_cast<std::size_t>(negative) > rest.exponents.size()) multiplicity = -multiplicity;
  for (auto& entry : rest.exponents) entry.second = entry.second / multiplicity;
  parts.push_back({std::move(rest), multiplicity * exponent});
  return parts;
}

std::size_t RootKernels::add_base(const Monomial& m) {
  bases_.push_back({m, {}});
  return bases_.size() - 1;
}

// m as a product of powers of the bases, itself a new one if need be.
SparseVector RootKernels::express(const Monomial& m) {
  for (std::size_t i = 0; i < bases_.size(); ++i) {
    if (bases_[i].value == m) return {{i, Rational(1)}};
  }
  const auto combination = span_.add(m.exponents);
  if (!combination) {
    span_bases_.push_back(add_base(m));
    return {{span_bases_.back(), Rational(1)}};
  }
  // m^N = ± Π b^(N e) holds up to the sign; with equal signs the positive roots are equal too.
  Rational common = 1;
  for (const auto& [index, e] : *combination) common = least_common_multiple(common, e.denominator());
  int sign = common.is_even() ? 1 : m.sign;
  SparseVector result;
  for (const auto& [index, e] : *combination) {
    if (bases_[span_bases_[index]].value.sign < 0 && !(e * common).is_even()) sign = -sign;
    result.emplace(span_bases_[index], e);
  }
  if (sign > 0) return result;
  return {{add_base(m), Rational(1)}};
}

Fraction RootKernels::value(const Monomial& m) {
  Fraction result(generators_.ring(), m.sign);
  for (const auto& [index, e] : m.exponents) {
    result = result * power(Fraction(irreducibles_[index]), machine_integer(e));
  }
  return result;
}

std::size_t RootKernels::generator_for(std::size_t base, unsigned long degree) {
  for (const auto& [present, generator] : bases_[base].roots) {
    if (present % degree == 0) return generator;
  }
  Ring& ring = generators_.ring();
  const Monomial& m = bases_[base].value;
  const bool absolute =
      std::all_of(m.exponents.begin(), m.exponents.end(), [](const auto& entry) { return entry.second.is_even(); });
  // n/d = the base; v/w = its root when the base is a square
  Poly n(ring, absolute ? 1 : m.sign);
  Poly d(ring, 1);
  Poly written(ring, absolute ? 1 : m.sign);
  for (const auto& [index, e] : m.exponents) {
    const auto whole = static_cast<unsigned long>(machine_integer(e.abs()));
    Poly& side = e.sign() > 0 ? n : d;
    side = side * power(irreducibles_[index], whole);
    if (e.sign() > 0) written = written * power(irreducibles_[index], absolute ? whole / 2 : whole);
  }
  const bool positive = d.is_one() || generators_.is_manifestly_nonnegative(d);
  const std::size_t generator = generators_.add({Root{written, d, degree, absolute}, positive});
  ring.set_relation(generator, degree, n * power(d, degree - 1));
  bases_[base].roots.emplace_back(degree, generator);
  return generator;
}

// b^(whole + k/q) = b^whole·g^k, and g = h/d for the generator h
Fraction RootKernels::power_of_base(std::size_t base, const Rational& exponent) {
  Ring& ring = generators_.ring();
  const Rational whole = exponent.floor();
  const Rational rest = exponent - whole;
  Fraction result(ring, 1);
  if (!whole.is_zero()) result = power(value(bases_[base].value), machine_integer(whole));
  if (rest.is_zero()) return result;
  const std::size_t generator = generator_for(base, degree_of(rest));
  const auto& root = std::get<Root>(generators_[generator].meaning);
  Fraction g(ring.generator(generator));
  if (!root.denominator.is_one()) g = g * inverse(Fraction(root.denominator));
  return result * power(g, machine_integer(rest * Rational(static_cast<long>(root.degree))));
}

std::vector<Fraction> RootKernels::plan(std::span<const Request> requests) {
  std::vector<std::vector<Part>> parts;
  std::vector<const Monomial*> order;
  for (const Request& request : requests) {
    parts.emplace_back();
    if (request.base.is_zero()) continue;
    parts.back() = split(request.base, request.exponent);
  }
  for (const auto& list : parts) {
    for (const Part& part : list) order.push_back(&part.base);
  }
  // Simple bases first, so that others are expressed by them.
  const auto weight = [](const Monomial* m) {
    Rational total;
    for (const auto& [index, e] : m->exponents) total += e.abs();
    return total;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Monomial* a, const Monomial* b) { return weight(a) < weight(b); });
  for (const Monomial* m : order) express(*m);

  std::vector<SparseVector> exponents(requests.size());
  std::vector<Rational> degree(bases_.size(), Rational(1));
  for (std::size_t i = 0; i < requests.size(); ++i) {
    for (const Part& part : parts[i]) add_multiple(exponents[i], part.exponent, express(part.base));
    for (const auto& [base, e] : exponents[i]) degree[base] = least_common_multiple(degree[base], e.denominator());
  }
  for (std::size_t base = 0; base < degree.size(); ++base) {
    if (!degree[base].is_one()) generator_for(base, degree_of(degree[base].inverse()));
  }
  std::vector<Fraction> results;
  Ring& ring = generators_.ring();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].base.is_zero()) {
      if (requests[i].exponent.sign() < 0) throw ZeroDenominator();
      results.emplace_back(ring);
      continue;
    }
    Fraction result(ring, 1);
    for (const auto& [base, e] : exponents[i]) result = result * power_of_base(base, e);
    results.push_back(std::move(result));
  }
  return results;
}

Fraction RootKernels::root(const Fraction& base, const Rational& exponent) {
  const Request request{base, exponent};
  return std::move(plan(std::span(&request, 1)).front());
}

Fraction RootKernels::root_of_integer(long n, const Rational& exponent) {
  return root(Fraction(generators_.ring(), Rational(n)), exponent);
}

}  // namespace cetaev::algebra
