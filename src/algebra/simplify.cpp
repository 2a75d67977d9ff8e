#include "cetaev/algebra/simplify.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "cetaev/algebra/normal.hpp"
#include "lowest_terms.hpp"
#include "sparse.hpp"

namespace cetaev {

using algebra::Field;
using algebra::Fraction;
using algebra::LowestTerms;
using algebra::Monomial;
using algebra::Palette;
using algebra::Poly;

namespace {

constexpr double longest_attempt = 200'000;  // written size beyond which nothing is tried
constexpr double longest_text = 20'000;

// A polynomial as the shorter of a product of its factors and a sum.
class PolynomialWriter {
 public:
  PolynomialWriter(Field& field, Palette& palette) : field_(field), palette_(palette) {}

  Expr operator()(const Rational& scale, const Poly& p) {
    Context& context = field_.expression(Poly(p.ring(), 1)).context();
    if (p.is_zero() || scale.is_zero()) return context.zero();
    const Expr plain = scale * palette_.expression(palette_.terms(p));
    const Expr product = factored(context, scale, p);
    return length_on_paper(product) < length_on_paper(plain) ? product : plain;
  }

 private:
  Expr factored(Context& context, const Rational& scale, const Poly& p) {
    const algebra::Factorization parts = algebra::factor(p);
    std::vector<Context::Term> factors;
    for (const auto& [base, exponent] : parts.factors) {
      factors.push_back({palette_.expression(palette_.terms(base)), Rational(exponent)});
    }
    Rational constant = scale * parts.constant;
    combine_conjugates(factors, constant);
    return context.power_product(constant, factors);
  }

  // (cos u − 1)(cos u + 1) is −sin² u: FLINT does not know, the ring having no sin² in it
  static void combine_conjugates(std::vector<Context::Term>& factors, Rational& constant) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      for (std::size_t j = 0; j < factors.size(); ++j) {
        const auto [plus, minus] = std::pair(factors[i].expr, factors[j].expr);
        if (i == j || plus.kind() != Kind::sum || plus.size() != 1 || !plus.constant().is_one()) continue;
        const Expr cosine = plus.term(0);
        if (cosine.kind() != Kind::function || cosine.function() != Function::cos || !plus.coefficient(0).is_one())
          continue;
        if (minus != cosine - Rational(1)) continue;
        const Rational common = std::min(factors[i].factor, factors[j].factor);
        if (common.sign() <= 0 || !common.is_integer()) continue;
        if (!common.is_even()) constant = -constant;
        factors[i].factor += -common;
        factors[j].factor += -common;
        factors.push_back({sin(cosine.operands()[0]), Rational(2) * common});
      }
    }
    std::erase_if(factors, [](const Context::Term& t) { return t.factor.is_zero(); });
  }

  Field& field_;
  Palette& palette_;
};

Expr quotient_of(PolynomialWriter& write, const LowestTerms& terms) {
  const Expr above = write(terms.scale, terms.numerator);
  return terms.denominator.is_one() ? above : above / write(1, terms.denominator);
}

// The generators that stand for these symbols.
std::vector<std::size_t> generators_of(Field& field, std::span<const Expr> symbols) {
  std::vector<std::size_t> result;
  for (const Expr symbol : symbols) {
    for (std::size_t g = 0; g < field.ring().generator_count(); ++g) {
      if (field.expression(g) == symbol) result.push_back(g);
    }
  }
  return result;
}

// Does a generator other than these contain one of the symbols, as √(x'² + y'²) contains x'?
bool hidden(Field& field, const Poly& p, std::span<const std::size_t> own, std::span<const Expr> symbols) {
  const std::vector<long> degrees = p.degrees();
  for (std::size_t g = 0; g < field.ring().generator_count(); ++g) {
    if (degrees[g] <= 0 || std::find(own.begin(), own.end(), g) != own.end()) continue;
    if (depends_on(field.expression(g), symbols)) return true;
  }
  return false;
}

struct Part {
  std::vector<long> exponents;  // of the symbols collected by
  Poly coefficient;
};

// p as Σ coefficient·monomial, highest degree first, then the monomial that begins earlier.
std::vector<Part> parts_of(const Poly& p, std::span<const std::size_t> generators) {
  std::map<std::vector<long>, Poly> found;
  algebra::Ring& ring = p.ring();
  for (std::size_t k = 0; k < p.length(); ++k) {
    std::vector<unsigned long> exponents = p.exponents(k);
    std::vector<long> own;
    for (const std::size_t g : generators) {
      own.push_back(static_cast<long>(exponents[g]));
      exponents[g] = 0;
    }
    const Poly term = scaled(ring.monomial(exponents), p.coefficient(k));
    const auto [place, fresh] = found.emplace(own, term);
    if (!fresh) place->second = place->second + term;
  }
  std::vector<Part> result;
  for (auto& [exponents, coefficient] : found) result.push_back({exponents, std::move(coefficient)});
  std::stable_sort(result.begin(), result.end(), [](const Part& a, const Part& b) {
    long da = 0, db = 0;
    for (const long e : a.exponents) da += e;
    for (const long e : b.exponents) db += e;
    return da != db ? da > db : a.exponents > b.exponents;
  });
  return result;
}

Expr monomial_of(Field& field, std::span<const std::size_t> generators, const std::vector<long>& exponents) {
  std::vector<Context::Term> factors;
  for (std::size_t i = 0; i < generators.size(); ++i) {
    if (exponents[i] != 0) factors.push_back({field.expression(generators[i]), Rational(exponents[i])});
  }
  return field.expression(Poly(field.ring(), 1)).context().power_product(1, factors);
}

double length_of(std::span<const Simplifier::Summand> summands) {
  double total = 0;
  for (const auto& s : summands) total += length_on_paper(s.expr()) + 3;
  return total;
}

}  // namespace

double length_on_paper(Expr e) {
  const double size = written_size(e);
  return size > longest_text ? 3 * size : static_cast<double>(to_string(e).size());
}

Simplifier::Simplifier(double seconds)
    : end_(std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))) {}

bool Simplifier::in_time() const { return std::chrono::steady_clock::now() < end_; }

void Simplifier::assume_nonzero(std::vector<Expr> symbols) { nonzero_ = std::move(symbols); }
void Simplifier::expect_differences(std::vector<std::pair<Expr, Expr>> pairs) { pairs_ = std::move(pairs); }

// a = b + D
Expr Simplifier::with_differences(Expr e) const {
  std::vector<Replacement> list;
  for (const auto& [a, b] : pairs_) {
    list.emplace_back(a, b + e.context().symbol("$" + std::string(a.name()) + "-" + std::string(b.name())));
  }
  return list.empty() ? e : substitute(e, list);
}

Expr Simplifier::without_differences(Expr e) const {
  std::vector<Replacement> list;
  for (const auto& [a, b] : pairs_) {
    list.emplace_back(e.context().symbol("$" + std::string(a.name()) + "-" + std::string(b.name())), a - b);
  }
  return list.empty() ? e : substitute(e, list);
}

template <class Result, class Work>
Result Simplifier::attempt(Expr e, Work work, Result fallback) {
  if (!in_time() || written_size(e) > longest_attempt) {
    complete_ = false;
    return fallback;
  }
  try {
    Field field(std::array{e}, algebra::normal_form_units);
    Palette palette(field);
    PolynomialWriter write(field, palette);
    return work(field, write);
  } catch (const algebra::Exhausted&) {
    complete_ = false;
    return fallback;
  } catch (const algebra::ZeroDenominator& error) {
    throw algebra::division_by_zero(error);
  }
}

Expr Simplifier::simplify(Expr e) {
  const Expr whole = with_differences(e);
  const Expr found = attempt(
      whole,
      [&](Field& field, PolynomialWriter& write) { return quotient_of(write, algebra::lowest_terms(field(whole))); },
      whole);
  const Expr back = without_differences(found);
  return length_on_paper(back) < length_on_paper(e) ? back : e;
}

std::vector<Simplifier::Summand> Simplifier::collect(Expr e, std::span<const Expr> symbols) {
  const Expr one = e.context().one();
  if (e.is_zero()) return {};
  const Expr whole = with_differences(e);
  std::vector<Summand> fallback = {{e, one}};
  std::vector<Summand> result = attempt(
      whole,
      [&](Field& field, PolynomialWriter& write) -> std::vector<Summand> {
        const LowestTerms terms = algebra::lowest_terms(field(whole));
        if (terms.scale.is_zero()) return {};
        const std::vector<std::size_t> generators = generators_of(field, symbols);
        const std::vector<Summand> quotient = {{without_differences(quotient_of(write, terms)), one}};
        bool below = false;
        for (const std::size_t g : generators) below = below || terms.denominator.degree(g) > 0;
        if (below || hidden(field, terms.denominator, generators, symbols) ||
            hidden(field, terms.numerator, generators, symbols)) {
          return quotient;
        }
        std::vector<Summand> list;
        for (const Part& part : parts_of(terms.numerator, generators)) {
          const LowestTerms own = algebra::lowest_terms(terms.scale, part.coefficient, terms.denominator);
          list.push_back(
              {without_differences(quotient_of(write, own)), monomial_of(field, generators, part.exponents)});
        }
        return length_of(quotient) < 0.7 * length_of(list) ? quotient : list;
      },
      fallback);
  return result;
}

Simplifier::Equation Simplifier::equation(Expr e, std::span<const Expr> unknowns, std::span<const Expr> symbols) {
  const Expr one = e.context().one();
  const Expr whole = with_differences(e);
  Equation fallback;
  fallback.rest = {{e, one}};
  return attempt(
      whole,
      [&](Field& field, PolynomialWriter& write) {
        Equation result;
        LowestTerms terms = algebra::lowest_terms(field(whole));
        if (terms.scale.is_zero()) return result;
        std::vector<Expr> all(unknowns.begin(), unknowns.end());
        all.insert(all.end(), symbols.begin(), symbols.end());

        const std::vector<std::size_t> unknown = generators_of(field, unknowns);
        const std::vector<std::size_t> other = generators_of(field, symbols);
        // Factors that the unknowns are not in say nothing where they do not vanish.
        std::set<Expr> nonzero;
        const auto divided_by = [&](const Poly& p) {
          for (const auto& [base, exponent] : algebra::factor(p).factors) {
            const Expr factor = without_differences(write(1, base));
            if (std::find(nonzero_.begin(), nonzero_.end(), factor) == nonzero_.end()) nonzero.insert(factor);
          }
        };
        divided_by(terms.denominator);
        const algebra::Factorization factors = algebra::factor(terms.numerator);
        Poly rest(field.ring(), 1);
        const auto has_unknown = [&](const Poly& p) {
          return std::any_of(unknown.begin(), unknown.end(), [&](std::size_t g) { return p.degree(g) > 0; });
        };
        bool split = false;
        for (const auto& [base, exponent] : factors.factors) split = split || has_unknown(base);
        for (const auto& [base, exponent] : factors.factors) {
          if (split && !has_unknown(base)) {
            divided_by(base);
            continue;
          }
          for (long i = 0; i < exponent; ++i) rest = rest * base;
        }
        result.nonzero.assign(nonzero.begin(), nonzero.end());

        // Σ Kⱼ uⱼ + R
        Poly constant(field.ring());
        std::vector<std::size_t> order;
        const std::vector<Part> parts = parts_of(rest, unknown);
        int sign = 1;
        bool first = true;
        for (std::size_t j = 0; j < unknown.size(); ++j) {
          for (const Part& part : parts) {
            long degree = 0;
            for (const long exponent : part.exponents) degree += exponent;
            if (degree != 1 || part.exponents[j] != 1) continue;
            Expr coefficient = without_differences(write(1, part.coefficient));
            if (first && to_string(coefficient).starts_with('-')) sign = -1;
            first = false;
            result.unknowns.push_back({Rational(sign) * coefficient, field.expression(unknown[j])});
          }
        }
        for (const Part& part : parts) {
          long degree = 0;
          for (const long exponent : part.exponents) degree += exponent;
          if (degree == 0) constant = constant + part.coefficient;
          if (degree > 1) throw algebra::Exhausted();  // not linear in its unknowns
        }
        if (constant.is_zero()) return result;
        const Expr undivided = without_differences(write(Rational(sign), constant));
        if (hidden(field, constant, other, symbols)) {
          result.rest.push_back({undivided, one});
          return result;
        }
        for (const Part& part : parts_of(constant, other)) {
          result.rest.push_back({without_differences(write(Rational(sign), part.coefficient)),
                                 monomial_of(field, other, part.exponents)});
        }
        if (length_on_paper(undivided) < 0.7 * length_of(result.rest)) result.rest = {{undivided, one}};
        return result;
      },
      fallback);
}

}  // namespace cetaev
