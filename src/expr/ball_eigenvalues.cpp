// Eigenvalues with bounds of their errors, and definite forms.
#include <acb_mat.h>
#include <acb_poly.h>
#include <arb_mat.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ball_inside.hpp"
#include "cetaev/detail/expr/balanced_balls.hpp"

namespace cetaev {

namespace {

// Pellet's test: exactly k zeros of p are smaller than ρ if |c_k| ρ^k > Σ |c_i| ρ^i over the others. Tried for
// ρ = max over i < k of (2 n |c_i|/|c_k|)^(1/(k − i)), which is zero where all of these are.
bool has_smallest(mag_t rho, const acb_poly_t p, slong k, slong bits) {
  const slong n = acb_poly_degree(p);
  mag_t sum, term, power;
  mag_init(sum);
  mag_init(term);
  mag_init(power);
  arf_t low, bound;
  arf_init(low);
  arf_init(bound);
  acb_get_abs_lbound_arf(low, acb_poly_get_coeff_ptr(p, k), bits);
  arf_get_mag_lower(power, low);
  mag_zero(rho);
  for (slong i = 0; i < k; ++i) {
    acb_get_mag(term, acb_poly_get_coeff_ptr(p, i));
    mag_mul_ui(term, term, static_cast<ulong>(2 * n));
    mag_div(term, term, power);
    mag_root(term, term, static_cast<ulong>(k - i));
    mag_max(rho, rho, term);
  }
  bool proved = mag_is_zero(rho) != 0;
  if (!proved && mag_is_finite(rho) != 0) {
    for (slong i = 0; i <= n; ++i) {
      if (i == k) continue;
      acb_get_mag(term, acb_poly_get_coeff_ptr(p, i));
      mag_pow_ui(power, rho, static_cast<ulong>(i));
      mag_addmul(sum, term, power);
    }
    arb_t powered;
    arb_init(powered);
    arf_set_mag(arb_midref(powered), rho);
    arb_pow_ui(powered, powered, static_cast<ulong>(k), bits);
    arb_get_lbound_arf(bound, powered, bits);
    arb_clear(powered);
    arf_mul(low, low, bound, bits, ARF_RND_DOWN);
    arf_set_mag(bound, sum);
    proved = arf_cmp(low, bound) > 0;
  }
  arf_clear(low);
  arf_clear(bound);
  mag_clear(sum);
  mag_clear(term);
  mag_clear(power);
  return proved;
}

// The zeros of the characteristic polynomial, where some of them are zero: of those left one each lies within n |p/p'| of its approximation,
// if these discs are apart.
bool enclose_with_zeros(acb_ptr found, const acb_mat_t matrix, slong bits) {
  const slong n = acb_mat_nrows(matrix);
  acb_poly_t p, rest;
  acb_poly_init(p);
  acb_poly_init(rest);
  acb_mat_charpoly(p, matrix, bits);
  slong zeros = 0;
  while (zeros < n && acb_contains_zero(acb_poly_get_coeff_ptr(p, zeros))) ++zeros;
  mag_t rho, term;
  mag_init(rho);
  mag_init(term);
  bool proved = zeros > 0 && has_smallest(rho, p, zeros, bits);
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
  mag_clear(rho);
  mag_clear(term);
  acb_poly_clear(p);
  acb_poly_clear(rest);
  return proved;
}

// The same where some of the others are equal, or too near to each other, as those of a critically damped oscillator, which have one eigenvector
// between them: groups of approximations, each with a disc about its mean that has as many zeros, and the discs apart.
class GroupsOfZeros {
 public:
  GroupsOfZeros(const acb_mat_t matrix, acb_srcptr approximate, slong bits) : bits_(bits) {
    acb_poly_init(p_);
    acb_poly_init(shifted_);
    acb_mat_charpoly(p_, matrix, bits);
    for (slong i = 0; i < acb_mat_nrows(matrix); ++i) {
      Group& group = groups_.emplace_back();
      group.members = 1;
      acb_get_mid(group.sum, approximate + i);
    }
  }
  ~GroupsOfZeros() {
    acb_poly_clear(p_);
    acb_poly_clear(shifted_);
  }
  GroupsOfZeros(const GroupsOfZeros&) = delete;
  GroupsOfZeros& operator=(const GroupsOfZeros&) = delete;

  // What has no disc of its own goes with what lies nearest.
  bool enclose(acb_ptr found) {
    for (Group& group : groups_) place(group);
    for (std::size_t g = first_bad(); g < groups_.size(); g = first_bad()) {
      if (groups_.size() == 1) return false;
      const std::size_t other = nearest_to(g);
      acb_add(groups_[g].sum, groups_[g].sum, groups_[other].sum, bits_);
      groups_[g].members += groups_[other].members;
      place(groups_[g]);
      groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(other));
    }
    slong i = 0;
    for (const Group& group : groups_) {
      for (slong k = 0; k < group.members; ++k, ++i) {
        acb_set(found + i, group.disc);
        // one of a real polynomial that is alone near the real axis is real
        if (group.members == 1 && arb_contains_zero(acb_imagref(found + i))) arb_zero(acb_imagref(found + i));
      }
    }
    return true;
  }

 private:
  struct Group {
    Group() {
      acb_init(sum);
      acb_init(disc);
    }
    Group(Group&& other) noexcept : Group() { *this = std::move(other); }
    Group& operator=(Group&& other) noexcept {
      acb_swap(sum, other.sum);
      acb_swap(disc, other.disc);
      members = other.members;
      proved = other.proved;
      return *this;
    }
    ~Group() {
      acb_clear(sum);
      acb_clear(disc);
    }
    acb_t sum, disc;
    slong members = 0;
    bool proved = false;
  };

  void place(Group& group) {
    acb_div_si(group.disc, group.sum, group.members, bits_);
    acb_get_mid(group.disc, group.disc);
    acb_poly_taylor_shift(shifted_, p_, group.disc, bits_);
    mag_t rho;
    mag_init(rho);
    group.proved = has_smallest(rho, shifted_, group.members, bits_);
    if (group.proved) acb_add_error_mag(group.disc, rho);
    mag_clear(rho);
  }
  std::size_t first_bad() const {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (!groups_[g].proved) return g;
      for (std::size_t h = 0; h < g; ++h)
        if (acb_overlaps(groups_[g].disc, groups_[h].disc)) return g;
    }
    return groups_.size();
  }
  std::size_t nearest_to(std::size_t g) const {
    std::size_t nearest = g;
    acb_t apart;
    acb_init(apart);
    mag_t least, size;
    mag_init(least);
    mag_init(size);
    for (std::size_t h = 0; h < groups_.size(); ++h) {
      if (h == g) continue;
      acb_sub(apart, groups_[g].disc, groups_[h].disc, bits_);
      acb_get_mid(apart, apart);
      acb_get_mag(size, apart);
      if (nearest != g && mag_cmp(size, least) >= 0) continue;
      nearest = h;
      mag_set(least, size);
    }
    acb_clear(apart);
    mag_clear(least);
    mag_clear(size);
    return nearest;
  }

  slong bits_;
  acb_poly_t p_, shifted_;
  std::vector<Group> groups_;
};

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
    enclosed = acb_mat_eig_multiple(found, matrix, approximate, vectors, bits) != 0 ||
               GroupsOfZeros(matrix, approximate, bits).enclose(found);
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
