#include "given_velocities.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/expr/derivative.hpp"

namespace cetaev {

std::optional<GivenVelocities> GivenVelocities::of(const FirstOrderSystem& form) {
  const System& system = form.system;
  if (form.global || !form.quasi || form.quasi->basis || system->quasi_velocities.empty()) return std::nullopt;
  return GivenVelocities{jacobian(form.quasi->definition, system->motion.v).entries, system->size(), form.rows,
                         Error(ErrorCode::singular_dependent, form.quasi->if_undetermined)};
}

// The last pivot of both together beside that of J. A row that vanishes is no direction, so that rows are as long as they are beside the first state.
double GivenQuality::look(DenseView JT, std::span<const double> slopes) {
  const std::size_t n = given_.n, rank = given_.rows.size();
  const bool is_first = lengths_.empty();
  lengths_.resize(n);
  all_.reset(n, n);
  of_constraints_.reset(n, rank);
  const auto put = [&](std::size_t column, const auto& entry) {
    if (is_first) {
      double square = 0;
      for (std::size_t i = 0; i < n; ++i) square += entry(i) * entry(i);
      lengths_[column] = std::sqrt(square);
    }
    const double length = lengths_[column];
    for (std::size_t i = 0; i < n; ++i) {
      all_(i, column) = length > 0 ? entry(i) / length : entry(i);
      if (column < rank) of_constraints_(i, column) = all_(i, column);
    }
  };
  for (std::size_t r = 0; r < rank; ++r) put(r, [&](std::size_t i) { return JT(i, given_.rows[r]); });
  for (std::size_t u = 0; rank + u < n; ++u) put(rank + u, [&](std::size_t i) { return slopes[u * n + i]; });
  with_.compute(all_);
  double best = 1;
  if (rank > 0) {
    without_.compute(of_constraints_);
    best = without_.pivot(rank - 1);
  }
  const double quality = best > 0 ? with_.pivot(n - 1) / best : 0;
  if (is_first) first_ = quality;
  return first_ > 0 ? std::max(quality / first_, quality) : quality;
}

double GivenQuality::determinant() { return determinant_in_place(all_).mantissa; }

void GivenQuality::begin_as(const GivenQuality& other) {
  lengths_ = other.lengths_;
  first_ = other.first_;
}

}  // namespace cetaev
