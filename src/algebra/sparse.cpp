#include "sparse.hpp"

#include <algorithm>

namespace cetaev::algebra {

namespace {

constexpr std::size_t most_terms = 600;  // beyond this nobody reads, and rewriting would take long
constexpr int deepest_grouping = 2;
// Beside lengths of the same with powers: sin θ cos θ is how torques and energies are read, sin 2θ only where it says more.
constexpr double multiples_beside_powers = 0.85;

// cosine·cos(Σ kᵢ θᵢ) + sine·sin(Σ kᵢ θᵢ), by k; the first kᵢ that is not zero is positive.
struct Wave {
  Rational cosine, sine;
};
using Waves = std::map<std::vector<long>, Wave>;

void add_wave(Waves& waves, std::vector<long> k, const Rational& cosine, Rational sine) {
  const auto first = std::ranges::find_if(k, [](long x) { return x != 0; });
  if (first == k.end()) {
    sine = 0;
  } else if (*first < 0) {
    for (long& x : k) x = -x;
    sine = -sine;
  }
  Wave& wave = waves[std::move(k)];
  wave.cosine += cosine;
  wave.sine += sine;
}

// Times cos θᵢ or sin θᵢ.
Waves times(const Waves& waves, std::size_t i, Function function) {
  Waves result;
  const Rational half(1, 2);
  for (const auto& [k, wave] : waves) {
    std::vector<long> above = k, below = k;
    ++above[i];
    --below[i];
    const Rational c = half * wave.cosine, s = half * wave.sine;
    if (function == Function::cos) {
      add_wave(result, std::move(above), c, s);
      add_wave(result, std::move(below), c, s);
    } else {  // 2 sin θ cos k = sin(k + θ) − sin(k − θ), 2 sin θ sin k = cos(k − θ) − cos(k + θ)
      add_wave(result, std::move(above), -s, c);
      add_wave(result, std::move(below), s, -c);
    }
  }
  return result;
}

long exponent_of(const Monomial& m, std::size_t g) {
  const auto found = m.find(g);
  return found == m.end() ? 0 : found->second;
}

Monomial times(Monomial m, std::size_t g, long exponent) {
  const long now = (m[g] += exponent);
  if (now == 0) m.erase(g);
  return m;
}

void add(Terms& terms, const Monomial& m, const Rational& c) {
  const auto [place, fresh] = terms.emplace(m, c);
  if (fresh) return;
  place->second += c;
  if (place->second.is_zero()) terms.erase(place);
}

}  // namespace

Palette::Palette(Field& field, std::span<const NamedDifference> differences)
    : budget_(field.ring().budget()),
      length_(differences, budget_),
      context_(field.expression(Poly(field.ring(), 1)).context()) {
  const Generators& generators = field.generators();
  for (std::size_t g = 0; g < field.ring().generator_count(); ++g) {
    expressions_.push_back(field.expression(g));
    const auto* function = std::get_if<ScaledFunction>(&generators[g].meaning);
    // cosines come directly before their sines
    if (function == nullptr || function->function != Function::cos) continue;
    angles_.push_back({g, g + 1, function->factor * function->argument});
  }
}

Terms Palette::terms(const Poly& p) {
  budget_.charge(node_units * static_cast<double>(p.length()));
  Terms result;
  for (std::size_t k = 0; k < p.length(); ++k) {
    Monomial m;
    const std::vector<unsigned long> exponents = p.exponents(k);
    for (std::size_t g = 0; g < exponents.size(); ++g) {
      if (exponents[g] != 0) m[g] = static_cast<long>(exponents[g]);
    }
    result.emplace(std::move(m), p.coefficient(k));
  }
  return result;
}

Expr Palette::expression(const Monomial& monomial) {
  std::vector<Context::Term> factors;
  for (const auto& [g, exponent] : monomial) factors.push_back({expressions_[g], Rational(exponent)});
  return context_.power_product(1, factors);
}

Expr Palette::sum(const Terms& terms) {
  charge(2 * node_units, terms);
  std::vector<Context::Term> list;
  Rational constant;
  for (const auto& [m, c] : terms) {
    if (m.empty()) {
      constant += c;
    } else {
      list.push_back({expression(m), c});
    }
  }
  return context_.linear_combination(constant, list);
}

std::pair<std::size_t, Rational> Palette::signed_generator_for(Function function, Expr argument) {
  // sin(−u) is −sin(u): the canonical argument decides the sign
  Expr e = apply(function, argument);
  Rational sign = 1;
  if (e.kind() == Kind::sum) {
    sign = e.coefficient(0);
    e = e.term(0);
  }
  const auto found = std::find(expressions_.begin(), expressions_.end(), e);
  if (found != expressions_.end()) return {static_cast<std::size_t>(found - expressions_.begin()), sign};
  expressions_.push_back(e);
  return {expressions_.size() - 1, sign};
}

// α c^k M − α c^(k−2) M = −α s² c^(k−2) M, and the same with s and c exchanged
bool Palette::merge_square(Terms& terms, const Angle& angle) {
  charge(2 * lookup_units, terms);
  for (const auto& [one, other] : {std::pair(angle.cosine, angle.sine), std::pair(angle.sine, angle.cosine)}) {
    for (const auto& [m, c] : terms) {
      if (exponent_of(m, one) < 2) continue;
      const Monomial lower = times(m, one, -2);
      const auto partner = terms.find(lower);
      if (partner == terms.end() || partner->second != -c) continue;
      const Monomial merged = times(lower, other, 2);
      const Rational coefficient = -c;
      const Monomial upper = m;
      terms.erase(upper);
      terms.erase(lower);
      add(terms, merged, coefficient);
      return true;
    }
  }
  return false;
}

// cᵢcⱼ ± sᵢsⱼ = cos(i ∓ j), sᵢcⱼ ± cᵢsⱼ = sin(i ± j)
bool Palette::merge_pair(Terms& terms, const Angle& a, const Angle& b) {
  charge(4 * lookup_units, terms);
  struct Rule {
    std::size_t first[2], second[2];  // generators of the two products
    Function function;
    int sign;  // of j in the angle when the coefficients are equal
  };
  const Rule rules[] = {{{a.cosine, b.cosine}, {a.sine, b.sine}, Function::cos, -1},
                        {{a.sine, b.cosine}, {a.cosine, b.sine}, Function::sin, 1}};
  for (const Rule& rule : rules) {
    for (const auto& [m, c] : terms) {
      if (exponent_of(m, rule.first[0]) < 1 || exponent_of(m, rule.first[1]) < 1) continue;
      const Monomial rest = times(times(m, rule.first[0], -1), rule.first[1], -1);
      const Monomial other = times(times(rest, rule.second[0], 1), rule.second[1], 1);
      const auto partner = terms.find(other);
      if (partner == terms.end() || (partner->second != c && partner->second != -c)) continue;
      const int sign = partner->second == c ? rule.sign : -rule.sign;
      const Expr argument = sign > 0 ? a.argument + b.argument : a.argument - b.argument;
      if (argument.is_number()) continue;
      const auto [generator, own_sign] = signed_generator_for(rule.function, argument);
      const Rational coefficient = own_sign * c;
      const Monomial upper = m;
      const Monomial merged = times(rest, generator, 1);
      terms.erase(upper);
      terms.erase(other);
      add(terms, merged, coefficient);
      return true;
    }
  }
  return false;
}

std::vector<Palette::Angle> Palette::angles_in(const Terms& terms) {
  charge(lookup_units, terms);
  std::vector<bool> occurs(expressions_.size(), false);
  for (const auto& [m, c] : terms)
    for (const auto& [g, exponent] : m) occurs[g] = true;
  std::vector<Angle> result;
  for (const Angle& angle : angles_)
    if (occurs[angle.cosine] || occurs[angle.sine]) result.push_back(angle);
  return result;
}

void Palette::merge(Terms& terms) {
  bool changed = true;
  while (changed && terms.size() <= most_terms) {
    changed = false;
    const std::vector<Angle> angles = angles_in(terms);
    for (const Angle& angle : angles) changed = changed || merge_square(terms, angle);
    for (std::size_t i = 0; i < angles.size() && !changed; ++i) {
      for (std::size_t j = i + 1; j < angles.size() && !changed; ++j) changed = merge_pair(terms, angles[i], angles[j]);
    }
  }
}

Terms Palette::in_sines(const Terms& terms, const Angle& angle) {
  charge(node_units, terms);
  Terms result;
  for (const auto& [m, c] : terms) {
    const long k = exponent_of(m, angle.cosine);
    // c^k = c^(k mod 2) (1 − s²)^(k div 2)
    Rational binomial = 1;
    for (long i = 0; i <= k / 2; ++i) {
      add(result, times(times(m, angle.cosine, k % 2 - k), angle.sine, 2 * i), c * binomial);
      binomial *= Rational(-(k / 2 - i), i + 1);
    }
  }
  return result;
}

Factorization Palette::factors(const Poly& p) {
  Factorization result = factor(p);
  const std::vector<long> degrees = p.degrees();
  for (const Angle& angle : angles_) {
    if (degrees[angle.cosine] < 2) continue;
    std::vector<std::pair<Poly, long>> finer;
    for (const auto& [base, exponent] : result.factors) {
      finer.emplace_back(base, exponent);
      if (base.length() < 2 || base.length() > most_terms || base.degree(angle.cosine) < 2) continue;
      // 5 + 4 sin u − cos² u is (2 + sin u)²
      Poly other(p.ring());
      for (const auto& [m, c] : in_sines(terms(base), angle)) {
        std::vector<unsigned long> exponents(p.ring().capacity(), 0);
        for (const auto& [g, power] : m) exponents[g] = static_cast<unsigned long>(power);
        other = other + scaled(p.ring().monomial(exponents), c);
      }
      const Factorization parts = factor(other);
      if (parts.factors.size() < 2 && parts.factors.front().second < 2) continue;
      finer.pop_back();
      result.constant *= parts.constant.power(exponent);
      for (const auto& [part, times_inside] : parts.factors) finer.emplace_back(part, times_inside * exponent);
    }
    result.factors = std::move(finer);
  }
  return result;
}

std::optional<Terms> Palette::in_multiples(const Terms& terms) {
  const std::vector<Angle> angles = angles_in(terms);
  if (angles.empty()) return std::nullopt;
  Terms result;
  for (const auto& [m, c] : terms) {
    Monomial other;
    Waves waves = {{std::vector<long>(angles.size(), 0), {c, 0}}};
    for (const auto& [g, exponent] : m) {
      std::size_t i = 0;
      while (i < angles.size() && g != angles[i].cosine && g != angles[i].sine) ++i;
      if (i == angles.size()) {
        other.emplace(g, exponent);
        continue;
      }
      const Function function = g == angles[i].cosine ? Function::cos : Function::sin;
      for (long power = 0; power < exponent; ++power) {
        budget_.charge(4 * node_units * static_cast<double>(waves.size()));
        waves = times(waves, i, function);
        if (waves.size() > most_terms) return std::nullopt;
      }
    }
    for (const auto& [k, wave] : waves) {
      std::vector<Context::Term> argument;
      for (std::size_t i = 0; i < k.size(); ++i)
        if (k[i] != 0) argument.push_back({angles[i].argument, Rational(k[i])});
      const Expr angle = context_.linear_combination(0, argument);
      for (const auto& [function, factor] :
           {std::pair(Function::cos, wave.cosine), std::pair(Function::sin, wave.sine)}) {
        if (factor.is_zero()) continue;
        if (argument.empty()) {
          add(result, other, factor);
        } else {
          const auto [generator, sign] = signed_generator_for(function, angle);
          add(result, times(other, generator, 1), sign * factor);
        }
      }
    }
    if (result.size() > most_terms) return std::nullopt;
  }
  return result;
}

std::optional<Expr> Palette::as_square(const Terms& terms) {
  if (terms.size() != 3) return std::nullopt;
  charge(4 * node_units, terms);
  Monomial common = terms.begin()->first;
  for (const auto& [m, c] : terms)
    for (auto& [g, exponent] : common) exponent = std::min(exponent, exponent_of(m, g));
  std::erase_if(common, [](const auto& power) { return power.second == 0; });
  std::vector<std::pair<Monomial, Rational>> parts;
  for (const auto& [m, c] : terms) {
    Monomial left = m;
    for (const auto& [g, exponent] : common) left = times(left, g, -exponent);
    parts.emplace_back(std::move(left), c);
  }
  const auto half = [](const Monomial& m) -> std::optional<Monomial> {
    Monomial result;
    for (const auto& [g, exponent] : m) {
      if (exponent % 2 != 0) return std::nullopt;
      result.emplace(g, exponent / 2);
    }
    return result;
  };
  for (std::size_t middle = 0; middle < 3; ++middle) {
    const auto& [first, a] = parts[(middle + 1) % 3];
    const auto& [second, b] = parts[(middle + 2) % 3];
    const auto& [mixed, c] = parts[middle];
    if (a.sign() != b.sign() || c * c != Rational(4) * a * b) continue;
    const auto one = half(first), other = half(second);
    if (!one || !other) continue;
    Monomial product = *one;
    for (const auto& [g, exponent] : *other) product = times(product, g, exponent);
    if (product != mixed) continue;
    Rational content = gcd(a, b);
    if (a.sign() < 0) content = -content;
    const auto p = (a / content).root(2), q = (b / content).root(2);
    if (!p || !q) continue;
    const bool plus = (c / content).sign() > 0;
    Terms base;
    base.emplace(*one, *p);
    base.emplace(*other, plus ? *q : -*q);
    const Expr outside = expression(common);
    return content * (outside * pow(sum(base), Rational(2)));
  }
  return std::nullopt;
}

std::optional<Expr> Palette::as_half_angle(const Terms& terms) {
  if (terms.size() != 2) return std::nullopt;
  for (const auto& [plain, other] :
       {std::pair(terms.begin(), std::next(terms.begin())), std::pair(std::next(terms.begin()), terms.begin())}) {
    for (const auto& [g, exponent] : other->first) {
      const Expr e = expressions_[g];
      if (e.kind() != Kind::function || e.function() != Function::cos) continue;
      if (times(other->first, g, -1) != plain->first || plain->second.abs() != other->second.abs()) continue;
      const Expr half = Rational(1, 2) * e.operands()[0];
      if (half.kind() != Kind::sum && !half.is_symbol()) continue;
      for (std::size_t k = 0; half.kind() == Kind::sum && k < half.size(); ++k)
        if (!half.coefficient(k).is_integer()) return std::nullopt;
      const bool plus = plain->second.sign() == other->second.sign();
      const Expr common = expression(plain->first);
      return Rational(2) * plain->second * (common * pow(plus ? cos(half) : sin(half), Rational(2)));
    }
  }
  return std::nullopt;
}

// A factor of several terms taken out, then the same inside and with the rest. Of the factors that most terms have, the one
// with the shortest result; in long sums the first one.
Expr Palette::grouped(const Terms& terms, int depth) {
  constexpr std::size_t try_all = 12;
  if (const auto square = as_square(terms)) return *square;
  if (const auto square = as_half_angle(terms)) return *square;
  if (terms.size() < 2 || depth == 0) return sum(terms);
  charge(node_units, terms);
  std::map<std::size_t, std::size_t> counts;
  for (const auto& [m, c] : terms) {
    for (const auto& [g, exponent] : m) ++counts[g];
  }
  std::size_t most = 1;
  for (const auto& [g, count] : counts) most = std::max(most, count);
  if (most < 2) return sum(terms);
  Expr best;
  for (const auto& [g, count] : counts) {
    if (count < most) continue;
    const Expr candidate = grouped_by(terms, g, depth);
    if (!best || length_(candidate) < length_(best)) best = candidate;
    if (terms.size() > try_all) break;
  }
  return best;
}

Expr Palette::grouped_by(const Terms& terms, std::size_t generator, int depth) {
  charge(node_units, terms);
  long exponent = 0;
  for (const auto& [m, c] : terms) {
    const long own = exponent_of(m, generator);
    if (own > 0 && (exponent == 0 || own < exponent)) exponent = own;
  }
  Terms with, without;
  for (const auto& [m, c] : terms) {
    if (exponent_of(m, generator) > 0) {
      with.emplace(times(m, generator, -exponent), c);
    } else {
      without.emplace(m, c);
    }
  }
  const Expr factor = pow(expressions_[generator], Rational(exponent));
  // One after the other, here and elsewhere where both make new nodes: compilers differ in which operand comes first, and the
  // order of appearance is the order of reading.
  const Expr rest = grouped(without, depth - 1);
  return rest + factor * grouped(with, depth - 1);
}

// The shorter of what grouping gives and the sum.
Expr Palette::shorter(const Terms& terms) {
  const Expr one = grouped(terms, deepest_grouping), other = sum(terms);
  return length_(other) < length_(one) ? other : one;
}

// Sums P of some generators, each once, with what it is multiplied by: (A − m b²)·(b + 2 a cos φ) of four terms. Nothing where no sum
// occurs twice.
std::optional<Expr> Palette::by_common_sums(const Terms& terms, bool of_functions) {
  charge(4 * node_units, terms);
  const auto inner = [&](std::size_t g) { return (expressions_[g].kind() == Kind::function) == of_functions; };
  std::map<Monomial, Terms> sums;  // by the monomial of the other generators
  for (const auto& [m, c] : terms) {
    Monomial own, other;
    for (const auto& [g, exponent] : m) (inner(g) ? own : other).emplace(g, exponent);
    sums[other].emplace(std::move(own), c);
  }
  std::map<Terms, Terms> factors;  // of each sum without its own factors
  bool common = false;
  for (const auto& [outside, own] : sums) {
    Monomial taken = own.begin()->first;
    Rational content;
    for (const auto& [m, c] : own) {
      content = gcd(content, c);
      for (auto& [g, exponent] : taken) exponent = std::min(exponent, exponent_of(m, g));
    }
    if (own.begin()->second.sign() < 0) content = -content;
    Terms rest;
    Monomial place = outside;
    for (const auto& [g, exponent] : taken)
      if (exponent != 0) place = times(place, g, exponent);
    for (const auto& [m, c] : own) {
      Monomial left = m;
      for (const auto& [g, exponent] : taken)
        if (exponent != 0) left = times(left, g, -exponent);
      rest.emplace(std::move(left), c / content);
    }
    Terms& with = factors[std::move(rest)];
    add(with, place, content);
    common = common || with.size() > 1;
  }
  if (!common) return std::nullopt;
  std::vector<Expr> parts;
  for (const auto& [sum_of, with] : factors) {
    const Expr one = shorter(sum_of);
    parts.push_back(one * shorter(with));
  }
  return context_.sum(parts);
}

Expr Palette::expression(Terms terms) {
  if (terms.size() > most_terms) return sum(terms);
  Terms merged = terms;
  merge(merged);
  // a product with one function at most has no shorter form
  if (merged.size() == 1) {
    long functions = 0;
    for (const auto& [g, exponent] : merged.begin()->first)
      functions += expressions_[g].kind() == Kind::function ? exponent : 0;
    if (functions <= 1) return sum(merged);
  }
  std::vector<Terms> candidates = {terms};
  for (const Angle& angle : angles_in(terms)) {
    Terms other = in_sines(candidates.back(), angle);
    if (other.size() < candidates.back().size()) candidates.push_back(std::move(other));
  }
  Expr best;
  double least = 0;
  const auto consider = [&](const Terms& candidate, double at_most) {
    const auto take = [&](std::optional<Expr> e) {
      if (!e) return;
      const double size = length_(*e) / at_most;
      if (best && size >= least) return;
      best = *e;
      least = size;
    };
    take(shorter(candidate));
    for (const bool of_functions : {false, true}) take(by_common_sums(candidate, of_functions));
  };
  candidates.front() = std::move(merged);
  for (Terms& candidate : candidates) {
    if (&candidate != &candidates.front()) merge(candidate);
    consider(candidate, 1);
  }
  if (const auto multiples = in_multiples(terms)) consider(*multiples, multiples_beside_powers);
  return best;
}

}  // namespace cetaev::algebra
