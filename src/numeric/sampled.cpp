#include "cetaev/detail/numeric/sampled.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace cetaev {

namespace {

// Newton's form c₀ + (t − z₀)(c₁ + (t − z₁)(c₂ + …)); where slopes are known every node stands twice.
class Newton {
 public:
  Newton(std::span<const double> t, std::span<const double> y, std::span<const double> slopes) {
    const std::size_t times = slopes.empty() ? 1 : 2;
    for (std::size_t i = 0; i < t.size(); ++i) {
      nodes_.insert(nodes_.end(), times, t[i]);
      differences_.insert(differences_.end(), times, y[i]);
    }
    for (std::size_t order = 1; order < nodes_.size(); ++order) {
      for (std::size_t i = nodes_.size(); i-- > order;) {
        const double apart = nodes_[i] - nodes_[i - order];
        differences_[i] = apart == 0 ? slopes[i / 2] : (differences_[i] - differences_[i - 1]) / apart;
      }
    }
  }

  DerivativesAt at(double t) const {
    DerivativesAt p;
    for (std::size_t k = nodes_.size(); k-- > 0;) {
      const double s = t - nodes_[k];
      p.second = p.second * s + 2 * p.first;
      p.first = p.first * s + p.value;
      p.value = p.value * s + differences_[k];
    }
    return p;
  }

 private:
  std::vector<double> nodes_, differences_;
};

// The first of `count` neighbours of the i-th of n samples, as evenly on both sides as there are.
std::size_t first_of(std::size_t i, std::size_t n, std::size_t count) {
  return std::min(i - std::min(i, (count - 1) / 2), n - count);
}

}  // namespace

DerivativesAt derivatives_at(std::span<const double> t, std::span<const double> y, std::span<const double> slopes,
                             std::size_t i, std::size_t neighbours) {
  const std::size_t count = std::min(neighbours, t.size()), first = first_of(i, t.size(), count);
  const Newton polynomial(t.subspan(first, count), y.subspan(first, count),
                          slopes.empty() ? slopes : slopes.subspan(first, count));
  return polynomial.at(t[i]);
}

// Between two samples the polynomial through the six around them, by Gauss's rule, which is exact for it.
std::vector<double> running_integral(std::span<const double> t, std::span<const double> y) {
  constexpr std::array points = {-0.7745966692414834, 0.0, 0.7745966692414834};
  constexpr std::array weights = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  std::vector<double> sum(t.size(), 0.0);
  const std::size_t count = std::min<std::size_t>(6, t.size());
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    const std::size_t first = first_of(i, t.size(), count);
    const Newton polynomial(t.subspan(first, count), y.subspan(first, count), {});
    const double half = (t[i + 1] - t[i]) / 2, middle = t[i] + half;
    sum[i + 1] = sum[i];
    for (std::size_t k = 0; k < points.size(); ++k)
      sum[i + 1] += half * weights[k] * polynomial.at(middle + half * points[k]).value;
  }
  return sum;
}

}  // namespace cetaev
