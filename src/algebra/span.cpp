#include "span.hpp"

namespace cetaev::algebra {

void add_multiple(SparseVector& a, const Rational& factor, const SparseVector& b) {
  for (const auto& [index, value] : b) {
    const auto [place, fresh] = a.emplace(index, factor * value);
    if (fresh) continue;
    place->second += factor * value;
    if (place->second.is_zero()) a.erase(place);
  }
}

std::optional<SparseVector> Span::add(SparseVector v) {
  SparseVector taken;  // v before = v now + Σ taken(j)·basis(j)
  for (auto place = v.begin(); place != v.end();) {
    const std::size_t index = place->first;
    const auto row = rows_.find(index);
    if (row == rows_.end()) {
      ++place;
      continue;
    }
    const Rational factor = place->second / row->second.vector.begin()->second;
    add_multiple(taken, factor, row->second.combination);
    add_multiple(v, -factor, row->second.vector);
    place = v.upper_bound(index);
  }
  if (v.empty()) return taken;
  Row row{std::move(v), {}};
  add_multiple(row.combination, -1, taken);
  row.combination[dimension_++] = 1;
  const std::size_t first = row.vector.begin()->first;
  rows_.emplace(first, std::move(row));
  return std::nullopt;
}

std::vector<SparseVector> coordinates(std::span<const Fraction> fractions) {
  const CommonDenominator common = common_denominator(fractions);
  std::map<std::vector<unsigned long>, std::size_t> monomials;
  std::vector<SparseVector> result(fractions.size());
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    const Poly& numerator = common.numerators[i];
    numerator.ring().charge_terms(4 * static_cast<double>(numerator.length()));
    for (std::size_t k = 0; k < numerator.length(); ++k) {
      const auto place = monomials.emplace(numerator.exponents(k), monomials.size()).first;
      result[i][place->second] = common.scales[i] * numerator.coefficient(k);
    }
  }
  return result;
}

Decomposition decompose(std::span<const Fraction> given, std::span<const Fraction> arguments) {
  std::vector<Fraction> values(given.begin(), given.end());
  values.insert(values.end(), arguments.begin(), arguments.end());
  std::vector<SparseVector> vectors = coordinates(values);
  Span span;
  std::vector<std::size_t> basis;  // as indices in `values`
  std::vector<SparseVector> combinations(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (auto combination = span.add(std::move(vectors[i]))) {
      combinations[i] = std::move(*combination);
    } else {
      combinations[i] = {{basis.size(), Rational(1)}};
      basis.push_back(i);
    }
  }
  std::vector<Rational> divisors(basis.size(), Rational(1));
  for (std::size_t i = given.size(); i < values.size(); ++i) {
    for (const auto& [k, factor] : combinations[i]) {
      if (basis[k] >= given.size()) divisors[k] = least_common_multiple(divisors[k], factor.denominator());
    }
  }
  Decomposition result;
  result.divisors.resize(arguments.size());
  for (std::size_t k = 0; k < basis.size(); ++k) {
    if (basis[k] >= given.size()) result.divisors[basis[k] - given.size()] = divisors[k];
  }
  for (std::size_t i = given.size(); i < values.size(); ++i) {
    std::vector<Decomposition::Term>& terms = result.arguments.emplace_back();
    for (const auto& [k, factor] : combinations[i]) {
      const bool is_given = basis[k] < given.size();
      terms.push_back({is_given, is_given ? basis[k] : basis[k] - given.size(), factor * divisors[k]});
    }
  }
  return result;
}

Rational least_common_multiple(const Rational& a, const Rational& b) { return (a / gcd(a, b) * b).abs(); }

}  // namespace cetaev::algebra
