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

std::optional<ToldSpectrum> spectrum_in_doubles(const std::vector<double>& A, std::size_t n, double off) {
  const auto found = rounded_eigenvalues(transposed_view(A.data(), n, n));
  if (!found) return std::nullopt;
  const double factor = std::max(1.0, off / std::numeric_limits<double>::epsilon());
  ToldSpectrum result;
  for (const auto& [value, error] : *found) result.push_back(told(value, factor * error));
  return result;
}

}  // namespace cetaev
