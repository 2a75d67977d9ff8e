#include "told_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/detail/numeric/rounded_eigenvalues.hpp"

namespace cetaev {

ToldEigenvalue told(std::complex<double> value, double error) {
  const auto part = [&](double x) { return std::abs(x) > error ? x : 0.0; };
  return {{part(value.real()), part(value.imag())}, error};
}

ToldEigenvalue told(const ComplexBall& ball) {
  return {{ball.re.contains_zero() ? 0 : ball.re.midpoint(), ball.im.contains_zero() ? 0 : ball.im.midpoint()},
          std::hypot(ball.re.radius(), ball.im.radius())};
}

bool is_settled(std::span<const ComplexBall> found) {
  constexpr double digits = 20;
  const auto error = [](const ComplexBall& one) {
    return std::max((one.re - one.re.center()).magnitude_log10(), (one.im - one.im.center()).magnitude_log10());
  };
  const auto size = [](const ComplexBall& one) {
    return std::max(one.re.center().magnitude_log10(), one.im.center().magnitude_log10());
  };
  double least = std::numeric_limits<double>::infinity();
  for (const ComplexBall& one : found)
    if (!one.re.contains_zero() || !one.im.contains_zero()) least = std::min(least, size(one));
  return std::ranges::all_of(found, [&](const ComplexBall& one) {
    if (!one.re.contains_zero()) return true;
    return error(one) <= (one.im.contains_zero() ? least : size(one)) - digits;
  });
}

namespace {

constexpr double wide = 4;  // first order does not see where two steady motions meet

}  // namespace

std::optional<ToldSpectrum> spectrum_in_doubles(const std::vector<double>& A, std::size_t n, double off) {
  const auto found = rounded_eigenvalues(transposed_view(A.data(), n, n));
  if (!found) return std::nullopt;
  // in the place of an enclosure: by as much as the state, of what rounding does
  const double factor = std::max(1.0, wide * off / std::numeric_limits<double>::epsilon());
  ToldSpectrum result;
  for (const auto& [value, error] : *found) result.push_back(told(value, factor * error));
  return result;
}

ToldSpectrum spectrum_about(const ReducedField& field, const SteadyPoint& point) {
  constexpr long bits = 128;
  const std::size_t n = field.independent(point.dependent).size();
  std::vector<Ball> y;
  for (std::size_t j = 0; j < point.y.size(); ++j) {
    const double r = wide * point.off * point.sizes[j];
    y.push_back(Ball::between(point.y[j] - r, point.y[j] + r));
  }
  ToldSpectrum result;
  const auto around = field.matrix(point.dependent, y, point.parameter_balls, bits);
  if (const auto found = around ? eigenvalues_in_balls(*around, n, bits) : std::nullopt) {
    for (const ComplexBall& ball : *found) result.push_back(told(ball));
    return result;
  }
  const auto A = field.matrix(point.dependent, point.slopes);
  auto found = A ? spectrum_in_doubles(*A, n, point.off) : std::nullopt;
  if (!found) throw Error(ErrorCode::non_finite, "the eigenvalues of the linearisation could not be computed");
  return std::move(*found);
}

}  // namespace cetaev
