// Eigenvalues with bounds of their errors, and definite forms.
#include <acb_mat.h>
#include <acb_poly.h>
#include <arb_mat.h>

#include <algorithm>
#include <cmath>

#include "ball_inside.hpp"
#include "cetaev/detail/expr/balanced_balls.hpp"

namespace cetaev {

namespace {

// The zeros of the characteristic polynomial, where some of them are zero: by Pellet's test exactly k of them are smaller than ρ if
// |c_k| ρ^k > Σ |c_i| ρ^i over the others, and of those left one each lies within n |p/p'| of its approximation, if these discs are apart.
bool enclose_with_zeros(acb_ptr found, const acb_mat_t matrix, slong bits) {
  const slong n = acb_mat_nrows(matrix);
  acb_poly_t p, rest;
  acb_poly_init(p);
  acb_poly_init(rest);
  acb_mat_charpoly(p, matrix, bits);
  slong zeros = 0;
  while (zeros < n && acb_contains_zero(acb_poly_get_coeff_ptr(p, zeros))) ++zeros;
  bool proved = zeros > 0;
  mag_t rho, sum, term, power;
  mag_init(rho);
  mag_init(sum);
  mag_init(term);
  mag_init(power);
  arf_t low, bound;
  arf_init(low);
  arf_init(bound);
  if (proved) {
    // ρ = 2 max over i < k of (|c_i|/|c_k|)^(1/(k − i)), or a little where all of these are zero
    acb_get_abs_lbound_arf(low, acb_poly_get_coeff_ptr(p, zeros), bits);
    mag_t lower;
    mag_init(lower);
    arf_get_mag_lower(lower, low);
    mag_zero(rho);
    for (slong i = 0; i < zeros; ++i) {
      acb_get_mag(term, acb_poly_get_coeff_ptr(p, i));
      mag_mul_ui(term, term, static_cast<ulong>(2 * n));
      mag_div(term, term, lower);
      mag_root(term, term, static_cast<ulong>(zeros - i));
      mag_max(rho, rho, term);
    }
    if (!mag_is_zero(rho)) {
      mag_zero(sum);
      for (slong i = 0; i <= n; ++i) {
        if (i == zeros) continue;
        acb_get_mag(term, acb_poly_get_coeff_ptr(p, i));
        mag_pow_ui(power, rho, static_cast<ulong>(i));
        mag_addmul(sum, term, power);
      }
      arb_t powered;
      arb_init(powered);
      arf_set_mag(arb_midref(powered), rho);
      arb_pow_ui(powered, powered, static_cast<ulong>(zeros), bits);
      arb_get_lbound_arf(bound, powered, bits);
      arb_clear(powered);
      arf_mul(low, low, bound, bits, ARF_RND_DOWN);
      arf_set_mag(bound, sum);
      proved = arf_cmp(low, bound) > 0;
    }
    mag_clear(lower);
  }
  for (slong i = 0; proved && i < zeros; ++i) {
    acb_zero(found + i);
    arb_add_error_mag(acb_realref(found + i), rho);
    arb_add_error_mag(acb_imagref(found + i), rho);
  }
  const slong left = n - zeros;
  if (proved && left > 0) {
    acb_poly_shift_right(rest, p, zeros);
    proved = acb_poly_find_roots(found + zeros, rest, nullptr, 0, bits) == left;
    acb_t value, slope;
    acb_init(value);
    acb_init(slope);
    for (slong i = zeros; proved && i < n; ++i) {
      acb_get_mid(found + i, found + i);
      acb_poly_evaluate2(value, slope, p, found + i, bits);
      acb_div(value, value, slope, bits);
      acb_mul_ui(value, value, static_cast<ulong>(n), bits);
      proved = acb_is_finite(value) != 0;
      acb_get_mag(term, value);
      arb_add_error_mag(acb_realref(found + i), term);
      arb_add_error_mag(acb_imagref(found + i), term);
    }
    for (slong i = zeros; proved && i < n; ++i) {
      for (slong j = 0; proved && j < i; ++j) proved = acb_overlaps(found + i, found + j) == 0;
    }
    acb_clear(value);
    acb_clear(slope);
  }
  // zeros of a real polynomial that are alone near the real axis are real
  for (slong i = zeros; proved && i < n; ++i) {
    if (arb_contains_zero(acb_imagref(found + i))) arb_zero(acb_imagref(found + i));
  }
  arf_clear(low);
  arf_clear(bound);
  mag_clear(rho);
  mag_clear(sum);
  mag_clear(term);
  mag_clear(power);
  acb_poly_clear(p);
  acb_poly_clear(rest);
  return proved;
}

}  // namespace

namespace {

// Of a balanced part; added to the others.
bool add_eigenvalues_in_balls(std::span<const Ball> a, std::size_t n, long bits, std::vector<ComplexBall>& to) {
  const auto order = static_cast<slong>(n);
  acb_mat_t matrix, vectors;
  acb_mat_init(matrix, order, order);
  acb_mat_init(vectors, order, order);
  acb_ptr approximate = _acb_vec_init(order), found = _acb_vec_init(order);
  for (slong i = 0; i < order; ++i) {
    for (slong j = 0; j < order; ++j)
      acb_set_arb(acb_mat_entry(matrix, i, j), inside(a[static_cast<std::size_t>(i * order + j)]));
  }
  bool enclosed = n == 1 && acb_is_finite(acb_mat_entry(matrix, 0, 0)) != 0;
  if (enclosed) acb_set(found, acb_mat_entry(matrix, 0, 0));
  enclosed = enclosed || enclose_with_zeros(found, matrix, bits);
  if (!enclosed) {
    acb_mat_approx_eig_qr(approximate, nullptr, vectors, matrix, nullptr, 0, bits);
    enclosed = acb_mat_eig_multiple(found, matrix, approximate, vectors, bits) != 0;
  }
  for (slong i = 0; enclosed && i < order; ++i) {
    ComplexBall& one = to.emplace_back();
    arb_set(inside(one.re), acb_realref(found + i));
    arb_set(inside(one.im), acb_imagref(found + i));
  }
  _acb_vec_clear(approximate, order);
  _acb_vec_clear(found, order);
  acb_mat_clear(matrix);
  acb_mat_clear(vectors);
  return enclosed;
}

}  // namespace

std::vector<BalancedPart> balanced_parts(std::span<const Ball> a, std::size_t n) {
  std::vector<double> sizes;
  for (const Ball& entry : a) sizes.push_back(entry.magnitude_log10() / std::log10(2.0));
  return balanced_parts(sizes, n);
}

std::vector<Ball> balanced(std::span<const Ball> a, std::size_t n, const BalancedPart& part) {
  std::vector<Ball> scaled;
  for (std::size_t i = 0; i < part.members.size(); ++i) {
    for (std::size_t j = 0; j < part.members.size(); ++j)
      arb_mul_2exp_si(inside(scaled.emplace_back()), inside(a[part.members[i] * n + part.members[j]]),
                      part.exponents[j] - part.exponents[i]);
  }
  return scaled;
}

std::optional<std::vector<ComplexBall>> eigenvalues_in_balls(std::span<const Ball> a, std::size_t n, long bits) {
  std::vector<ComplexBall> result;
  if (!std::ranges::all_of(a, [](const Ball& entry) { return entry.is_finite(); })) return std::nullopt;
  for (const BalancedPart& part : balanced_parts(a, n))
    if (!add_eigenvalues_in_balls(balanced(a, n, part), part.members.size(), bits, result)) return std::nullopt;
  return result;
}

bool positive_definite_in_balls(std::span<const Ball> a, std::size_t n, long bits) {
  const auto order = static_cast<slong>(n);
  arb_mat_t matrix, factor;
  arb_mat_init(matrix, order, order);
  arb_mat_init(factor, order, order);
  for (slong i = 0; i < order; ++i) {
    for (slong j = 0; j < order; ++j)
      arb_set(arb_mat_entry(matrix, i, j), inside(a[static_cast<std::size_t>(i * order + j)]));
  }
  const bool definite = arb_mat_cho(factor, matrix, bits) != 0;
  arb_mat_clear(matrix);
  arb_mat_clear(factor);
  return definite;
}

}  // namespace cetaev
