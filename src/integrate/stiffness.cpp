#include "stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accuracy.hpp"
#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

bool looks_stiff(Field& field, double t, std::span<const double> y, double h) {
  std::vector<double> rates(field.size());
  DenseMatrix jacobian(field.size(), field.size());
  if (field.rates(t, y.data(), rates.data()) >= 0 || field.jacobian(t, y.data(), jacobian.entries().data()) >= 0)
    return false;
  if (!all_finite(jacobian.entries())) return false;
  double largest = 0;
  for (const double value : y) largest = std::max(largest, std::abs(value));
  double rate = 0;  // of the state, relative to its size
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = std::max(std::abs(y[i]), accuracy::of_the_largest * largest);
    if (size > 0) rate = std::max(rate, std::abs(rates[i]) / size);
  }
  const auto found = eigenvalues(jacobian);
  if (!found) return false;
  for (const std::complex<double> lambda : *found) {
    const double size = std::abs(lambda);
    if (std::copysign(lambda.real(), lambda.real() * h) < -size / 2 && size * std::abs(h) > 1 &&
        size > accuracy::stiff * rate)
      return true;
  }
  return false;
}

}  // namespace cetaev
