#include "elliptic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "cetaev/expr/ball.hpp"

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
    const double rx = std::sqrt(x), ry = std::sqrt(y), rz = std::sqrt(z);  // products leave the range of doubles
    const double step = rx * ry + ry * rz + rz * rx;
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
    const double root = std::sqrt(z), rx = std::sqrt(x), ry = std::sqrt(y);
    const double step = rx * ry + root * (rx + ry);
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

// ∫ cos²θ/√(1 − m sin²θ) dθ
double cosine_part(double s, double c, double m) {
  return first_part(s, c, m) - s * s * s / 3 * carlson_d(c * c, c * c + (1 - m) * s * s, 1);
}

// A parameter and 1 less it, which subtraction would not give where the parameter is near to 1.
struct Parameter {
  double m, rest;
};

struct Amplitude {
  double phi, s, c, dn;  // am, its sine and cosine
};

// 0 < m < 1, by Bulirsch's recurrence (Numer. Math. 7, 1965) of dn and c/s upwards from the last mean, in which nothing cancels.
Amplitude amplitude(double u, const Parameter& p) {
  constexpr double tiny = 1e-9;  // u² is less than a rounding
  if (std::fabs(u) < tiny) return {u, u, 1, 1};
  constexpr std::size_t most = 16;
  std::array<double, most> first{}, second{};
  double a = 1, b = std::sqrt(p.rest), mean = 1;
  std::size_t n = 0;
  for (;; ++n) {
    first[n] = a;
    second[n] = b;
    mean = (a + b) / 2;
    if (std::fabs(a - b) <= std::sqrt(std::numeric_limits<double>::epsilon()) / 4 * a || n + 1 == most) break;
    b = std::sqrt(a * b);
    a = mean;
  }
  const double angle = mean * u, sine = std::sin(angle), cosine = std::cos(angle);
  if (sine == 0) return {angle, 0, cosine, 1};
  double ratio = cosine / sine, c = mean * ratio, dn = 1;
  for (std::size_t i = n + 1; i-- > 0;) {
    ratio *= c;
    c *= dn;
    dn = (second[i] + ratio) / (first[i] + ratio);
    ratio = c / first[i];
  }
  const double s = std::copysign(1 / std::hypot(c, 1), sine);
  const double phi = std::atan2(s, c * s);
  return {phi + turn * std::round((angle - phi) / turn), s, c * s, dn};
}

// Jacobi's transformations from parameters above 1 and below 0: k, by which u is multiplied, and the parameter between.
struct Between {
  double k;
  Parameter p;
};
Between from_above(double m) { return {std::sqrt(m), {1 / m, (m - 1) / m}}; }
Between from_below(double m) { return {std::sqrt(1 - m), {-m / (1 - m), 1 / (1 - m)}}; }

// dn and the others carry u times the relative rounding of k u. Where that is more than this, six bits would be lost.
constexpr double largest = 64;

std::optional<Jacobi> find_jacobi(double u, double m, double most) {
  if (m == 0) return Jacobi{u, 1};
  if (m == 1) return Jacobi{2 * std::atan(std::tanh(u / 2)), 1 / std::cosh(u)};
  if (m > 1) {
    // sn(u, m) = sn(k u, 1/m)/k, cn(u, m) = dn(k u, 1/m), dn(u, m) = cn(k u, 1/m)
    const auto [k, p] = from_above(m);
    if (std::fabs(k * u) > most) return std::nullopt;
    const Amplitude other = amplitude(k * u, p);
    return Jacobi{std::atan2(other.s / k, other.dn), other.c};
  }
  if (m < 0) {
    // sn(u, m) = sd(k u, μ)/k, cn(u, m) = cd(k u, μ), dn(u, m) = nd(k u, μ) with k² = 1 − m, μ = −m/k²
    const auto [k, p] = from_below(m);
    if (std::fabs(k * u) > most) return std::nullopt;
    const Amplitude other = amplitude(k * u, p);
    const double angle = std::atan2(other.s, k * other.c);
    return Jacobi{angle + turn * std::round((other.phi - angle) / turn), 1 / other.dn};
  }
  if (std::fabs(u) > most) return std::nullopt;
  const Amplitude own = amplitude(u, {m, 1 - m});
  return Jacobi{own.phi, own.dn};
}

}  // namespace

double first_kind(double phi, double m) { return with_periods(first_part, phi, m); }
double second_kind(double phi, double m) { return with_periods(second_part, phi, m); }

double in_balls(Function f, double x, double m) {
  if (!std::isfinite(x) || !std::isfinite(m)) return not_real;
  constexpr long bits = std::numeric_limits<double>::digits + 8;
  Ball result;
  result.set_function(f, Ball::from_double(x), Ball::from_double(m), bits);
  return result.is_finite() ? result.midpoint() : not_real;
}

Jacobi jacobi(double u, double m) {
  if (!std::isfinite(u) || !std::isfinite(m)) return {not_real, not_real};
  if (const std::optional<Jacobi> found = find_jacobi(u, m, largest)) return *found;
  return {in_balls(Function::amplitude, u, m), in_balls(Function::delta, u, m)};
}

Jacobi roughly(double u, double m) { return find_jacobi(u, m, infinity).value(); }

double epsilon(double u, double m) {
  if (!std::isfinite(u) || !std::isfinite(m)) return not_real;
  if (m == 0) return u;
  if (m == 1) return std::tanh(u);
  if (m < 1) {
    const std::optional<Jacobi> found = find_jacobi(u, m, largest);
    return found ? second_kind(found->am, m) : in_balls(Function::epsilon, u, m);
  }
  // dn(u, m) = cn(k u, 1/m)
  const auto [k, p] = from_above(m);
  if (std::fabs(k * u) > largest) return in_balls(Function::epsilon, u, m);
  return with_periods(cosine_part, amplitude(k * u, p).phi, p.m) / k;
}

}  // namespace cetaev::elliptic
