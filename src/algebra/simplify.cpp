#include "cetaev/detail/algebra/simplify.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <set>
#include <unordered_map>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/expr/rebuild.hpp"
#include "cetaev/detail/expr/sign.hpp"
#include "cetaev/expr/derivative.hpp"
#include "lowest_terms.hpp"
#include "ruler.hpp"
#include "sample.hpp"
#include "sparse.hpp"

namespace cetaev {

using algebra::Field;
using algebra::Fraction;
using algebra::LowestTerms;
using algebra::Monomial;
using algebra::Palette;
using algebra::Poly;

namespace {

constexpr double units_of_effort = 4e7;
// A formula that needs more than this is not one to be read.
constexpr double units_of_one_formula = 1e7;
// Nodes of the tree beyond which nothing is tried: what no simplification brings to a length that can be read.
constexpr double largest_attempt = 200'000;
// A sum of more terms than this, a page of them, is left a sum.
constexpr std::size_t most_terms_to_factor = 150;

// Monomials in the velocities beyond which a formula is read by them alone: one fraction of them all, to be less than half as long, would have
// to have each once and next to nothing beside it.
constexpr std::size_t most_parts_in_one = 16;

// Nodes of the tree of an equation beyond which its parts would not be read any better than the whole.
constexpr double longest_ordered = 4000;

// Ratios of lengths on paper.
// A product says more than the sum that it is: where it vanishes, and what cancels. It may be a tenth longer.
constexpr double product_beside_sum = 1.1;
// Equations are read by powers of the velocities. One fraction instead must be less than half as long, by more than what
// the lengths of signs and bars are uncertain by.
constexpr double fraction_beside_collected = 0.45;
// An equation divided by a common factor holds only where that does not vanish. It must save a tenth.
constexpr double divided_beside_cleared = 0.9;

}  // namespace

namespace algebra {

// Polynomials and quotients of them, each side as the shorter of a product of its factors and a sum.
class PolynomialWriter {
 public:
  PolynomialWriter(Field& field, Palette& palette, const Ruler& length)
      : context_(field.expression(Poly(field.ring(), 1)).context()), palette_(palette), length_(length) {}

  Expr operator()(const Rational& scale, const Poly& p) {
    if (p.is_zero() || scale.is_zero()) return context_.zero();
    std::vector<Context::Term> factors;
    const Rational constant = factors_of(p, 1, factors);
    return context_.power_product(scale * constant, factors);
  }

  Palette& palette() { return palette_; }

  Expr operator()(const LowestTerms& terms) {
    if (terms.numerator.is_zero() || terms.scale.is_zero()) return context_.zero();
    std::vector<Context::Term> factors;
    Rational constant = terms.scale * factors_of(terms.numerator, 1, factors);
    if (!terms.denominator.is_one()) constant *= factors_of(terms.denominator, -1, factors);
    return context_.power_product(constant, factors);
  }

 private:
  // Appends p^sign and returns the number in front of it.
  Rational factors_of(const Poly& p, int sign, std::vector<Context::Term>& factors) {
    const Expr plain = palette_.expression(palette_.terms(p));
    if (p.length() > most_terms_to_factor) {
      factors.push_back({plain, Rational(sign)});
      return 1;
    }
    if (const auto number = number_before_product(plain)) {
      factors.push_back({plain.kind() == Kind::sum ? plain.term(0) : plain, Rational(sign)});
      return sign > 0 ? *number : number->inverse();
    }
    const algebra::Factorization parts = palette_.factors(p);
    std::vector<Context::Term> own;
    for (const auto& [base, exponent] : parts.factors) {
      own.push_back({palette_.expression(palette_.terms(base)), Rational(exponent)});
    }
    Rational constant = parts.constant;
    combine_conjugates(own, constant);
    if (length_(context_.power_product(constant, own)) > product_beside_sum * length_(plain)) {
      own = {{plain, Rational(1)}};
      constant = 1;
    }
    for (const Context::Term& factor : own) factors.push_back({factor.expr, Rational(sign) * factor.factor});
    return sign > 0 ? constant : constant.inverse();
  }

  // Of a product of what are no sums, which has no other factors.
  static std::optional<Rational> number_before_product(Expr e) {
    Rational number = 1;
    if (e.kind() == Kind::sum) {
      if (e.size() != 1 || !e.constant().is_zero()) return std::nullopt;
      number = e.coefficient(0);
      e = e.term(0);
    }
    if (e.kind() != Kind::product) return std::nullopt;
    for (std::size_t i = 0; i < e.size(); ++i)
      if (e.base(i).kind() == Kind::sum) return std::nullopt;
    return number;
  }

  // (cos u − 1)(cos u + 1) is −sin² u: FLINT does not know, the ring having no sin² in it
  static void combine_conjugates(std::vector<Context::Term>& factors, Rational& constant) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      for (std::size_t j = 0; j < factors.size(); ++j) {
        const auto [plus, minus] = std::pair(factors[i].expr, factors[j].expr);
        if (i == j || plus.kind() != Kind::sum || plus.size() != 1 || !plus.constant().is_one()) continue;
        const Expr cosine = plus.term(0);
        if (cosine.kind() != Kind::function || cosine.function() != Function::cos || !plus.coefficient(0).is_one()) {
          continue;
        }
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

  Context& context_;
  Palette& palette_;
  const Ruler& length_;
};

// A coefficient and the exponents of the symbols collected by.
struct Part {
  std::vector<long> exponents;
  Poly coefficient;
};

}  // namespace algebra

using algebra::Part;
using algebra::PolynomialWriter;

namespace {

// Where sin u does not vanish, neither do cos u ± 1, and where neither of these does, sin u does not.
std::vector<Expr> without_repetition(const std::set<Expr>& conditions) {
  std::set<Expr> result = conditions;
  for (const Expr e : conditions) {
    if (e.kind() != Kind::sum || e.size() != 1 || !e.constant().abs().is_one()) continue;
    const Expr cosine = e.term(0);
    if (cosine.kind() != Kind::function || cosine.function() != Function::cos) continue;
    const Expr sine = sin(cosine.operands()[0]);
    const bool both = conditions.contains(cosine - Rational(1)) && conditions.contains(cosine + Rational(1));
    if (!both && !conditions.contains(sine)) continue;
    result.erase(e);
    result.insert(sine);
  }
  return {result.begin(), result.end()};
}

// The generators that stand for these symbols.
std::vector<std::size_t> generators_of(Field& field, std::span<const Expr> symbols) {
  std::vector<std::size_t> result;
  std::vector<Expr> meaning;
  for (std::size_t g = 0; g < field.ring().generator_count(); ++g) meaning.push_back(field.expression(g));
  for (const Expr symbol : symbols) {
    for (std::size_t g = 0; g < meaning.size(); ++g) {
      if (meaning[g] == symbol) result.push_back(g);
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
    // without the same powers of these generators the terms keep their order
    const auto [place, fresh] = found.try_emplace(std::move(own), ring);
    if (!fresh) ring.charge_terms(static_cast<double>(place->second.length() + 1));
    place->second.push_term(exponents, p, k);
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

// What is free of velocities, separated by the parameters it is proportional to: weight and spring do not belong together, the weights of two
// masses at one place do.
std::vector<Poly> pieces(Field& field, const Part& part, std::span<const Expr> parameters) {
  constexpr std::size_t most = 6;
  const bool moving = std::any_of(part.exponents.begin(), part.exponents.end(), [](long e) { return e != 0; });
  if (moving) return {part.coefficient};
  const std::vector<std::size_t> own = generators_of(field, parameters);
  algebra::Ring& ring = field.ring();
  std::vector<Poly> result, factors;  // what the parameters stand before, up to a number
  for (const Part& piece : parts_of(part.coefficient, own)) {
    std::vector<unsigned long> exponents(ring.capacity(), 0);
    for (std::size_t i = 0; i < own.size(); ++i) exponents[own[i]] = static_cast<unsigned long>(piece.exponents[i]);
    Poly factor = piece.coefficient;
    algebra::take_content(factor);
    const auto same = std::ranges::find(factors, factor);
    const Poly whole = piece.coefficient * ring.monomial(exponents);
    if (same != factors.end()) {
      Poly& sum = result[static_cast<std::size_t>(same - factors.begin())];
      sum = sum + whole;
    } else {
      factors.push_back(std::move(factor));
      result.push_back(whole);
    }
    if (result.size() > most) return {part.coefficient};
  }
  return result;
}

// The same with what cancels in the divisor kept together: k θ² (b cos a + e)² over the square is k θ². Nothing where nothing cancels.
std::vector<Poly> pieces_that_cancel(Field& field, const Part& part, std::span<const Expr> parameters,
                                     const Poly& divisor) {
  constexpr std::size_t longest_looked_into = 40;  // terms: nobody sees what cancels in more
  const bool moving = std::any_of(part.exponents.begin(), part.exponents.end(), [](long e) { return e != 0; });
  if (moving || divisor.length() < 2) return {};
  std::vector<Poly> list;
  Part rest = part;
  for (const std::size_t own : generators_of(field, parameters)) {
    if (rest.coefficient.length() > longest_looked_into) break;
    for (const Part& piece : parts_of(rest.coefficient, std::array{own})) {
      if (piece.exponents[0] != 1 || piece.coefficient.length() < 2) continue;
      if (algebra::lowest_terms(Rational(1), piece.coefficient, divisor).denominator.length() >= divisor.length())
        continue;
      std::vector<unsigned long> exponents(field.ring().capacity(), 0);
      exponents[own] = 1;
      list.push_back(piece.coefficient * field.ring().monomial(exponents));
      rest.coefficient = rest.coefficient - list.back();
      break;
    }
  }
  if (list.empty() || rest.coefficient.is_zero()) return list;
  std::vector<Poly> result = pieces(field, rest, parameters);
  result.insert(result.end(), list.begin(), list.end());
  return result;
}

Expr monomial_of(Field& field, std::span<const std::size_t> generators, const std::vector<long>& exponents) {
  std::vector<Context::Term> factors;
  for (std::size_t i = 0; i < generators.size(); ++i) {
    if (exponents[i] != 0) factors.push_back({field.expression(generators[i]), Rational(exponents[i])});
  }
  return field.expression(Poly(field.ring(), 1)).context().power_product(1, factors);
}

// Debug builds hold every simplified expression to its original in balls at random points.
[[maybe_unused]] bool agree(Expr e, Expr other) {
  const std::array<Expr, 1> roots = {e - other};
  const std::vector<Expr> symbols = free_symbols(roots);
  for (unsigned i = 0; i < 4; ++i) {
    const Ball difference = algebra::value_at(roots[0], algebra::sample_point(symbols, i), 200);
    if (difference.is_finite() && !difference.contains_zero()) return false;
  }
  return true;
}

[[maybe_unused]] Expr sum_of(Expr zero, std::span<const Simplifier::Summand> summands) {
  Expr sum = zero;
  for (const auto& s : summands) sum = sum + s.expr();
  return sum;
}

double length_of(std::span<const Simplifier::Summand> summands) {
  double total = 0;
  for (const auto& s : summands) total += length_on_paper(s.expr()) + 3;
  return total;
}

// Parts of a numerator in their pieces, and with what cancels kept together, where something does.
struct InPieces {
  std::vector<Simplifier::Summand> plain, cancelled;

  template <class Write>
  InPieces(Field& field, std::span<const Part> parts, std::span<const std::size_t> generators,
           std::span<const Expr> parameters, const Poly& divisor, Write write) {
    bool cancels = false;
    for (const Part& part : parts) {
      const Expr monomial = monomial_of(field, generators, part.exponents);
      const std::size_t before = plain.size();
      for (const Poly& piece : pieces(field, part, parameters)) plain.push_back({write(piece), monomial});
      const std::vector<Poly> other = pieces_that_cancel(field, part, parameters, divisor);
      if (other.empty())
        cancelled.insert(cancelled.end(), plain.begin() + static_cast<std::ptrdiff_t>(before), plain.end());
      for (const Poly& piece : other) cancelled.push_back({write(piece), monomial});
      cancels = cancels || !other.empty();
    }
    if (!cancels) cancelled.clear();
  }
  // What cancels, where it is shorter than what was chosen without.
  const std::vector<Simplifier::Summand>& beside(const std::vector<Simplifier::Summand>& chosen) const {
    return !cancelled.empty() && length_of(cancelled) < length_of(chosen) ? cancelled : chosen;
  }
};

}  // namespace

double length_on_paper(const Simplifier::Equation& e) { return length_of(e.unknowns) + length_of(e.rest); }

std::vector<Expr> summands_of(Expr e) {
  if (e.is_zero()) return {};
  if (e.kind() != Kind::sum) return {e};
  std::vector<Expr> list;
  for (std::size_t k = 0; k < e.size(); ++k) list.push_back(e.coefficient(k) * e.term(k));
  if (!e.constant().is_zero()) list.push_back(e.context().number(e.constant()));
  return list;
}

namespace {

Rational content_of(Expr sum) {
  Rational content = sum.constant();
  for (std::size_t k = 0; k < sum.size(); ++k) content = gcd(content, sum.coefficient(k));
  return content.abs();
}

Expr product_of_whole_sums(Expr product) {
  Rational number = 1;
  std::vector<Context::Term> factors;
  for (std::size_t k = 0; k < product.size(); ++k) {
    const Expr base = product.base(k);
    const auto power = product.exponent(k).to_long();
    const bool fractions = base.kind() == Kind::sum && base.size() > 1 && power && !content_of(base).is_integer();
    if (fractions) number *= content_of(base).power(*power);
    factors.push_back({fractions ? content_of(base).inverse() * base : base, product.exponent(k)});
  }
  return number.is_one() ? product : product.context().power_product(number, factors);
}

}  // namespace

Expr with_whole_sums(Expr e) {
  std::unordered_map<const Node*, Expr> image;
  std::vector<Expr> operands;
  for (const Expr node : topological(std::array{e})) {
    bool changed = false;
    operands.clear();
    for (const Expr operand : node.operands()) {
      operands.push_back(image.at(operand.node()));
      changed = changed || operands.back() != operand;
    }
    Expr whole = changed ? rebuild(node, operands, node.context()) : node;
    // a number may have come out of a factor
    const bool times = whole.kind() == Kind::sum && whole.size() == 1 && whole.constant().is_zero();
    if (whole.kind() == Kind::product)
      whole = product_of_whole_sums(whole);
    else if (times && whole.term(0).kind() == Kind::product)
      whole = whole.coefficient(0) * product_of_whole_sums(whole.term(0));
    image.emplace(node.node(), whole);
  }
  return image.at(e.node());
}

Expr Simplifier::Summand::expr() const {
  if (monomial.is_one() || coefficient.kind() != Kind::sum) return coefficient * monomial;
  // ½(m + m₁)·x'² rather than (m/2 + m₁/2)·x'²
  const Rational content = content_of(coefficient);
  return content * ((content.inverse() * coefficient) * monomial);
}

Simplifier::Simplifier(double effort) : units_left_(effort * units_of_effort) {}

bool Simplifier::is_too_large(Expr e) { return written_size(e) > largest_attempt; }

double Simplifier::spent() const { return units_spent_ / units_of_effort; }

void Simplifier::assume_nonzero(std::vector<Expr> symbols) { nonzero_ = std::move(symbols); }
void Simplifier::expect_differences(const std::vector<std::pair<Expr, Expr>>& pairs) {
  differences_.clear();
  for (const auto& [a, b] : pairs) {
    const std::string name = "$" + std::string(a.name()) + "-" + std::string(b.name());
    differences_.push_back({a.context().symbol(name), a, b, {}, {}});
  }
}

// a = b + D
Expr Simplifier::with_differences(Expr e) const {
  std::vector<Replacement> list;
  for (NamedDifference& d : differences_) {
    if (!d.minuend_by_it) d.minuend_by_it = d.subtrahend + d.symbol;
    list.emplace_back(d.minuend, d.minuend_by_it);
  }
  return list.empty() ? e : substitute(e, list);
}

Expr Simplifier::without_differences(Expr e) const {
  std::vector<Replacement> list;
  for (NamedDifference& d : differences_) {
    if (!d.difference) d.difference = d.minuend - d.subtrahend;
    list.emplace_back(d.symbol, d.difference);
  }
  return list.empty() ? e : substitute(e, list);
}

template <class Result, class Work>
Result Simplifier::attempt(Expr e, Work work, Result fallback) {
  const double allowed = std::min(units_of_one_formula, units_left_);
  algebra::Budget budget(allowed);
  const auto account = [&] {
    units_spent_ += budget.spent();
    units_left_ -= budget.spent();
  };
  try {
    budget.charge(algebra::node_units * static_cast<double>(topological(std::array{e}).size()));
    if (is_too_large(e)) throw algebra::Exhausted();
    Field field(std::array{e}, budget);
    Palette palette(field, differences_);
    const algebra::Ruler length(differences_, budget);
    PolynomialWriter write(field, palette, length);
    Result result = work(field, write);
    account();
    return result;
  } catch (const algebra::Exhausted&) {
    account();
    complete_ = false;
    if (allowed < units_of_one_formula) {
      // What comes now stands as it is: a smaller effort simplifies the first so many of what a greater one does.
      sufficient_ = false;
      units_left_ = 0;
    }
    return fallback;
  } catch (const algebra::ZeroDenominator& error) {
    throw algebra::division_by_zero(error);
  }
}

namespace {

// The answer under this key, found now if it was not asked for before.
template <class Map, class Work>
const typename Map::mapped_type& answer(Map& known, typename Map::key_type key, Work work) {
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(std::move(key), work()).first->second;
}

std::vector<Expr> listed(std::span<const Expr> symbols) { return {symbols.begin(), symbols.end()}; }

}  // namespace

Expr Simplifier::simplify(Expr e) {
  return answer(simplified_, e, [&] { return simplified(e); });
}

std::vector<Simplifier::Summand> Simplifier::collect(Expr e, std::span<const Expr> symbols) {
  return answer(collected_, {e, listed(symbols)}, [&] { return collected(e, symbols); });
}

Simplifier::Equation Simplifier::equation(Expr e, std::span<const Expr> unknowns, std::span<const Expr> symbols,
                                          std::size_t leading) {
  return answer(ordered_, {e, listed(unknowns), listed(symbols), leading},
                [&] { return ordered(e, unknowns, symbols, leading); });
}

Expr Simplifier::simplified(Expr e) {
  const Expr one_way = simplify_with(e, with_differences(e));
  return differences_.empty() ? one_way : simplify_with(one_way, e);
}

Expr Simplifier::simplify_with(Expr e, Expr whole) {
  const Expr found = attempt(
      whole, [&](Field& field, PolynomialWriter& write) { return write(algebra::lowest_terms(field(whole))); }, whole);
  const Expr back = without_differences(found);
  assert(agree(e, back));
  return length_on_paper(back) < length_on_paper(e) ? back : e;
}

std::vector<Simplifier::Summand> Simplifier::collected(Expr e, std::span<const Expr> symbols) {
  if (e.is_zero()) return {};
  std::vector<Summand> result = collect_with(e, e, symbols);
  assert(agree(e, sum_of(e.context().zero(), result)));
  if (differences_.empty()) return result;
  std::vector<Summand> other = collect_with(e, with_differences(e), symbols);
  // monomial by monomial the shorter one, where both ways collect by the same
  bool same = result.size() == other.size();
  for (std::size_t i = 0; same && i < result.size(); ++i) same = result[i].monomial == other[i].monomial;
  if (!same) {
    assert(agree(e, sum_of(e.context().zero(), other)));
    return length_of(other) < length_of(result) ? other : result;
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (length_on_paper(other[i].coefficient) < length_on_paper(result[i].coefficient)) result[i] = other[i];
  }
  assert(agree(e, sum_of(e.context().zero(), result)));
  return result;
}

std::vector<Simplifier::Summand> Simplifier::collect_with(Expr e, Expr whole, std::span<const Expr> symbols) {
  const Expr one = e.context().one();
  std::vector<Summand> fallback = {{e, one}};
  std::vector<Summand> result = attempt(
      whole,
      [&](Field& field, PolynomialWriter& write) -> std::vector<Summand> {
        const LowestTerms terms = algebra::lowest_terms(field(whole));
        if (terms.scale.is_zero()) return {};
        const std::vector<std::size_t> generators = generators_of(field, symbols);
        const auto quotient = [&]() -> std::vector<Summand> { return {{without_differences(write(terms)), one}}; };
        bool below = false;
        for (const std::size_t g : generators) below = below || terms.denominator.degree(g) > 0;
        if (below || hidden(field, terms.denominator, generators, symbols) ||
            hidden(field, terms.numerator, generators, symbols)) {
          return quotient();
        }
        const std::vector<Part> parts = parts_of(terms.numerator, generators);
        const InPieces list(field, parts, generators, nonzero_, terms.denominator, [&](const Poly& piece) {
          return without_differences(write(algebra::lowest_terms(terms.scale, piece, terms.denominator)));
        });
        if (parts.size() > most_parts_in_one) return list.beside(list.plain);
        const std::vector<Summand> whole_one = quotient();
        return list.beside(length_of(whole_one) < fraction_beside_collected * length_of(list.plain) ? whole_one
                                                                                                    : list.plain);
      },
      fallback);
  return length_of(fallback) < fraction_beside_collected * length_of(result) ? fallback : result;
}

Simplifier::Equation Simplifier::ordered(Expr e, std::span<const Expr> unknowns, std::span<const Expr> symbols,
                                         std::size_t leading) {
  Equation result = equation_with(e, e, unknowns, symbols, leading);
  if (differences_.empty()) return result;
  Equation other = equation_with(e, with_differences(e), unknowns, symbols, leading);
  return length_on_paper(other) < length_on_paper(result) ? other : result;
}

namespace {

// a b − a (b + c) is −a c: a product with a sum is multiplied out where that meets other terms of the sum and makes it shorter.
Expr without_what_cancels(Expr e) {
  const auto improved = [](Expr sum) -> Expr {
    std::set<Expr> terms;
    for (std::size_t k = 0; k < sum.size(); ++k) terms.insert(sum.term(k));
    const double length = length_on_paper(sum);
    for (std::size_t k = 0; k < sum.size(); ++k) {
      const Expr product = sum.term(k);
      if (product.kind() != Kind::product) continue;
      for (std::size_t j = 0; j < product.size(); ++j) {
        const Expr factor = product.base(j);
        if (factor.kind() != Kind::sum || !product.exponent(j).is_one()) continue;
        const Expr before = product / factor;
        std::vector<Expr> spread;
        bool meets = false;
        for (std::size_t i = 0; i < factor.size(); ++i) {
          const Expr term = before * factor.term(i);
          meets = meets || terms.contains(term);
          spread.push_back(sum.coefficient(k) * factor.coefficient(i) * term);
        }
        spread.push_back(sum.coefficient(k) * factor.constant() * before);
        meets = meets || (!factor.constant().is_zero() && terms.contains(before));
        if (!meets) continue;
        spread.push_back(sum - sum.coefficient(k) * product);
        if (const Expr other = sum.context().sum(spread); length_on_paper(other) < length) return other;
      }
    }
    return sum;
  };
  while (e.kind() == Kind::sum) {
    const Expr shorter = improved(e);
    if (shorter == e) break;
    e = shorter;
  }
  return e;
}

Expr tidied(Expr e) { return without_what_cancels(with_whole_sums(e)); }

// With hardly any algebra.
Simplifier::Equation as_it_stands(Expr e, std::span<const Expr> unknowns) {
  const Expr one = e.context().one();
  Simplifier::Equation result;
  if (written_size(e) > longest_ordered) {
    result.rest = {{with_whole_sums(e), one}};
    return result;
  }
  result = Simplifier::in_order(e, unknowns);
  if (result.unknowns.empty() && depends_on(e, unknowns)) return result;
  for (auto& summand : result.unknowns) summand.coefficient = tidied(summand.coefficient);
  const Expr rest = result.rest.empty() ? e.context().zero() : tidied(result.rest[0].coefficient);
  result.rest.clear();
  for (const Expr summand : summands_of(rest)) result.rest.push_back({summand, one});
  return result;
}

// u' = 4.905 cos φ rather than 200 u' = 981 cos φ
Simplifier::Equation with_unit(Simplifier::Equation equation) {
  if (equation.unknowns.empty() || !equation.unknowns[0].coefficient.is_number()) return equation;
  const Rational unit = equation.unknowns[0].coefficient.number().inverse();
  if (equation.unknowns.size() > 1 && !unit.inverse().is_integer()) return equation;
  for (const auto& other : equation.unknowns) {
    // several accelerations keep their whole numbers
    if (&other != &equation.unknowns[0] && other.coefficient.is_number()) return equation;
  }
  for (auto* list : {&equation.unknowns, &equation.rest}) {
    for (auto& summand : *list) summand.coefficient = unit * summand.coefficient;
  }
  return equation;
}

}  // namespace

Simplifier::Equation Simplifier::in_order(Expr e, std::span<const Expr> unknowns) {
  Equation result;
  const Expr one = e.context().one();
  std::vector<Replacement> without;
  for (const Expr u : unknowns) without.emplace_back(u, e.context().zero());
  const std::vector<Expr> slopes = gradient(e, unknowns);
  const std::vector<Expr> inside = free_symbols(slopes);  // of all at once: they share most of their nodes
  if (std::any_of(unknowns.begin(), unknowns.end(),
                  [&](Expr u) { return std::find(inside.begin(), inside.end(), u) != inside.end(); })) {
    result.rest = {{e, one}};
    return result;
  }
  for (std::size_t j = 0; j < unknowns.size(); ++j)
    if (!slopes[j].is_zero()) result.unknowns.push_back({slopes[j], unknowns[j]});
  if (const Expr rest = substitute(e, without); !rest.is_zero()) result.rest = {{rest, one}};
  return result;
}

// The parts of an equation over a common divisor.
Simplifier::Equation Simplifier::divided(algebra::Field& field, algebra::PolynomialWriter& write,
                                         std::span<const algebra::Part> parts, std::span<const std::size_t> unknown,
                                         std::span<const std::size_t> other, std::span<const Expr> symbols,
                                         const algebra::Poly& divisor) const {
  Equation result;
  const Expr one = field.expression(Poly(field.ring(), 1));
  const auto over = [&](int sign, const Poly& p) {
    return without_differences(write(algebra::lowest_terms(Rational(sign), p, divisor)));
  };
  int sign = 1;
  Poly constant(field.ring());
  for (std::size_t j = 0; j < unknown.size(); ++j) {
    for (const Part& part : parts) {
      if (part.exponents[j] != 1) continue;
      const Expr coefficient = over(1, part.coefficient);
      if (result.unknowns.empty() && has_leading_minus(Summand{coefficient, one}.expr())) sign = -1;
      result.unknowns.push_back({Rational(sign) * coefficient, field.expression(unknown[j])});
    }
  }
  for (const Part& part : parts) {
    if (std::all_of(part.exponents.begin(), part.exponents.end(), [](long e) { return e == 0; })) {
      constant = constant + part.coefficient;
    }
  }
  if (constant.is_zero()) return result;
  if (hidden(field, constant, other, symbols)) {
    result.rest.push_back({over(sign, constant), one});
    return result;
  }
  const std::vector<Part> terms = parts_of(constant, other);
  const InPieces list(field, terms, other, nonzero_, divisor, [&](const Poly& piece) { return over(sign, piece); });
  result.rest = list.plain;
  if (terms.size() <= most_parts_in_one) {
    const Expr undivided = over(sign, constant);
    if (length_on_paper(undivided) < fraction_beside_collected * length_of(result.rest))
      result.rest = {{undivided, one}};
  }
  result.rest = list.beside(result.rest);
  return result;
}

Simplifier::Equation Simplifier::equation_with(Expr e, Expr whole, std::span<const Expr> unknowns,
                                               std::span<const Expr> symbols, std::size_t leading) {
  const Equation fallback = as_it_stands(e, unknowns);
  Equation result = attempt(
      whole,
      [&](Field& field, PolynomialWriter& write) {
        LowestTerms terms = algebra::lowest_terms(field(whole));
        if (terms.scale.is_zero()) return Equation{};
        const std::vector<std::size_t> unknown = generators_of(field, unknowns);
        const std::vector<std::size_t> other = generators_of(field, symbols);
        // Factors that the unknowns are not in say nothing where they do not vanish.
        std::set<Expr> nonzero;
        const auto divided_by = [&](const Poly& p) {
          for (const auto& [base, exponent] : write.palette().factors(p).factors) {
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
        // Σ Kⱼ uⱼ + R
        const std::vector<Part> parts = parts_of(rest, unknown);
        for (const Part& part : parts) {
          long degree = 0;
          for (const long exponent : part.exponents) degree += exponent;
          if (degree > 1) throw algebra::Exhausted();  // not linear in its unknowns
        }
        const Poly one_poly(field.ring(), 1);
        Equation cleared = divided(field, write, parts, unknown, other, symbols, one_poly);
        cleared.nonzero = without_repetition(nonzero);
        // Divided by what the leading unknowns have in common it may be shorter: y'' = −g + λy/r.
        Poly common(field.ring());
        const std::vector<std::size_t> first = generators_of(field, unknowns.first(std::min(leading, unknowns.size())));
        for (std::size_t j = 0; j < unknown.size(); ++j) {
          if (std::find(first.begin(), first.end(), unknown[j]) == first.end()) continue;
          for (const Part& part : parts) {
            if (part.exponents[j] == 1) common = algebra::common_divisor(common, part.coefficient);
          }
        }
        if (common.is_zero() || common.is_constant()) return with_unit(std::move(cleared));
        Equation solved = divided(field, write, parts, unknown, other, symbols, common);
        divided_by(common);
        solved.nonzero = without_repetition(nonzero);
        const bool shorter = length_on_paper(solved) < divided_beside_cleared * length_on_paper(cleared);
        return with_unit(shorter ? std::move(solved) : std::move(cleared));
      },
      fallback);
  return length_on_paper(fallback) < fraction_beside_collected * length_on_paper(result) ? fallback : result;
}

}  // namespace cetaev
