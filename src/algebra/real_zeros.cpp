#include "real_zeros.hpp"

#include <flint/fmpz_poly.h>

#include <algorithm>

namespace cetaev::algebra {

namespace {

// Discriminants of higher degree, or in more generators, become long.
constexpr long largest_degree = 12;
constexpr std::size_t most_generators = 6;

// The real roots in one generator with the others at 0.
long count_real_roots(const Poly& p, std::size_t generator) {
  fmpz_poly_t here, derivative, common;
  fmpz_poly_init(here);
  fmpz_poly_init(derivative);
  fmpz_poly_init(common);
  for (std::size_t k = 0; k < p.length(); ++k) {
    std::vector<unsigned long> exponents = p.exponents(k);
    const auto power = static_cast<slong>(exponents[generator]);
    exponents[generator] = 0;
    if (std::ranges::all_of(exponents, [](unsigned long e) { return e == 0; }))
      fmpz_poly_set_coeff_fmpz(here, power, p.coefficient(k).words());
  }
  // each root once
  fmpz_poly_derivative(derivative, here);
  fmpz_poly_gcd(common, here, derivative);
  if (!fmpz_poly_is_zero(common)) fmpz_poly_div(here, here, common);
  const slong count = fmpz_poly_is_zero(here) ? 1 : fmpz_poly_num_real_roots(here);
  fmpz_poly_clear(common);
  fmpz_poly_clear(derivative);
  fmpz_poly_clear(here);
  return count;
}

// The coefficient of the highest power.
Poly leading_coefficient(const Poly& p, std::size_t generator) {
  Ring& ring = p.ring();
  Poly result(ring);
  const auto degree = static_cast<unsigned long>(p.degree(generator));
  for (std::size_t k = 0; k < p.length(); ++k) {
    std::vector<unsigned long> exponents = p.exponents(k);
    if (exponents[generator] != degree) continue;
    exponents[generator] = 0;
    result = result + scaled(ring.monomial(exponents), p.coefficient(k));
  }
  return result;
}

bool no_factor_has_one(const Poly& p);

bool of_irreducible(const Poly& p) {
  Ring& ring = p.ring();
  const std::vector<long> degrees = p.degrees();
  std::vector<std::size_t> occur;
  for (std::size_t g = 0; g < degrees.size(); ++g)
    if (degrees[g] > 0) occur.push_back(g);
  if (occur.empty()) return !p.is_zero();
  // of odd degree in one of them it is zero somewhere, unless its coefficients vanish together
  const bool even = std::ranges::all_of(occur, [&](std::size_t g) { return degrees[g] % 2 == 0; });
  if (!even || p.total_degree() > largest_degree || occur.size() > most_generators) return false;
  const std::size_t g = *std::ranges::min_element(occur, {}, [&](std::size_t i) { return degrees[i]; });
  if (count_real_roots(p, g) != 0) return false;
  if (occur.size() == 1) return true;
  if (!no_factor_has_one(leading_coefficient(p, g))) return false;
  Poly discriminant(ring);
  ring.charge_product(p, p);
  if (fmpz_mpoly_discriminant(discriminant.raw(), p.raw(), static_cast<slong>(g), ring.raw()) == 0) return false;
  return no_factor_has_one(discriminant);
}

bool no_factor_has_one(const Poly& p) {
  if (p.is_zero()) return false;
  return std::ranges::all_of(factor(p).factors, [](const auto& factor) { return of_irreducible(factor.first); });
}

}  // namespace

bool has_no_real_zero(const Poly& p) { return no_factor_has_one(p); }

}  // namespace cetaev::algebra
