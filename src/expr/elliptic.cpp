#include "elliptic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace cetaev::elliptic {

namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_real = std::numeric_limits<double>::quiet_NaN();
// The series after the last duplication begin with what is left to the sixth power.
constexpr double small_enough = 1e-3;

bool all_real(double x, double y, double z) { return x >= 0 && y >= 0 && z >= 0 && std::isfinite(x + y + z); }

// R_F(x, y, z) = ½ ∫ dt/√((t + x)(t + y)(t + z)) over the positive t
double carlson_f(double x, double y, double z) {
  if (!all_real(x, y, z)) return not_real;
  if (std::min({x + y, y + z, z + x}) == 0) return infinity;
  for (;;) {
    const double mean = (x + y + z) / 3;
    const double dx = 1 - x / mean, dy = 1 - y / mean, dz = 1 - z / mean;
    if (std::max({std::fabs(dx), std::fabs(dy), std::fabs(dz)}) < small_enough) {
      const double e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
      return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / std::sqrt(mean);
    }
    const double step = std::sqrt(x * y) + std::sqrt(y * z) + std::sqrt(z * x);
    x = (x + step) / 4;
    y = (y + step) / 4;
    z = (z + step) / 4;
  }
}

// R_D(x, y, z) = 3/2 ∫ dt/(√((t + x)(t + y)) (t + z)^(3/2))
double carlson_d(double x, double y, double z) {
  if (!all_real(x, y, z)) return not_real;
  if (x + y == 0 || z == 0) return infinity;
  double sum = 0, power = 1;
  for (;;) {
    const double mean = (x + y + 3 * z) / 5;
    const double dx = 1 - x / mean, dy = 1 - y / mean, dz = 1 - z / mean;
    if (std::max({std::fabs(dx), std::fabs(dy), std::fabs(dz)}) < small_enough) {
      const double xy = dx * dy, zz = dz * dz;
      const double e2 = xy - 6 * zz, e3 = (3 * xy - 8 * zz) * dz, e4 = 3 * (xy - zz) * zz, e5 = xy * zz * dz;
      const double series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
      return 3 * sum + power * series / (mean * std::sqrt(mean));
    }
    const double root = std::sqrt(z);
    const double step = std::sqrt(x * y) + root * (std::sqrt(x) + std::sqrt(y));
    sum += power / (root * (z + step));
    power /= 4;
    x = (x + step) / 4;
    y = (y + step) / 4;
    z = (z + step) / 4;
  }
}

// F(φ, m) for |φ| ≤ π/2, from the sine and the cosine.
double first_part(double s, double c, double m) { return s * carlson_f(c * c, c * c + (1 - m) * s * s, 1); }

double second_part(double s, double c, double m) {
  const double rest = 1 - m, square = c * c + rest * s * s;  // 1 − m sin²φ
  if (rest == 0) return s;
  if (rest < 0 || m < 0) return first_part(s, c, m) - m / 3 * s * s * s * carlson_d(c * c, square, 1);
  // of terms of one sign, DLMF 19.25.10
  return rest * (first_part(s, c, m) + m / 3 * s * s * s * carlson_d(c * c, 1, square)) + m * s * c / std::sqrt(square);
}

// Of φ = n π + r from r and the complete integral, which is not looked at where n = 0.
template <class Part>
double with_periods(Part part, double phi, double m) {
  const double n = std::round(phi / std::numbers::pi), r = phi - n * std::numbers::pi;
  const double own = part(std::sin(r), std::cos(r), m);
  return n == 0 ? own : own + 2 * n * part(1, 0, m);
}

// 0 < m < 1
double amplitude(double u, double m) {
  constexpr std::size_t most = 16;
  std::array<double, most> ratio{};  // c/a
  double a = 1, b = std::sqrt(1 - m), c = std::sqrt(m), scale = 1;
  std::size_t n = 0;
  while (std::fabs(c) > std::numeric_limits<double>::epsilon() * a / 4 && n + 1 < most) {
    c = (a - b) / 2;
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
    scale *= 2;
    ratio[++n] = c / a;
  }
  double phi = scale * a * u;
  for (; n > 0; --n) phi = (phi + std::asin(ratio[n] * std::sin(phi))) / 2;
  return phi;
}

}  // namespace

double first_kind(double phi, double m) { return with_periods(first_part, phi, m); }
double second_kind(double phi, double m) { return with_periods(second_part, phi, m); }

Jacobi jacobi(double u, double m) {
  if (!std::isfinite(u) || !std::isfinite(m)) return {not_real, not_real};
  if (m == 0) return {u, 1};
  if (m == 1) return {2 * std::atan(std::tanh(u / 2)), 1 / std::cosh(u)};
  if (m > 1) {
    // sn(u, m) = sn(k u, 1/m)/k, cn(u, m) = dn(k u, 1/m), dn(u, m) = cn(k u, 1/m)
    const double k = std::sqrt(m);
    const Jacobi other = jacobi(k * u, 1 / m);
    return {std::atan2(std::sin(other.am) / k, other.dn), std::cos(other.am)};
  }
  if (m < 0) {
    // sn(u, m) = sd(k u, μ)/k, cn(u, m) = cd(k u, μ), dn(u, m) = nd(k u, μ) with k² = 1 − m, μ = −m/k²
    const double k = std::sqrt(1 - m);
    const Jacobi other = jacobi(k * u, -m / (1 - m));
    const double angle = std::atan2(std::sin(other.am), k * std::cos(other.am));
    return {angle + turn * std::round((other.am - angle) / turn), 1 / other.dn};
  }
  const double phi = amplitude(u, m), s = std::sin(phi), c = std::cos(phi);
  return {phi, std::sqrt(c * c + (1 - m) * s * s)};
}

double epsilon(double u, double m) {
  if (!std::isfinite(u) || !std::isfinite(m)) return not_real;
  if (m == 1) return std::tanh(u);
  if (m <= 1) return second_kind(jacobi(u, m).am, m);
  // dn(u, m) = cn(k u, 1/m), and m cn² = dn² − 1 + m there
  const double k = std::sqrt(m);
  return k * epsilon(k * u, 1 / m) - (m - 1) * u;
}

}  // namespace cetaev::elliptic
