// Places on the way to a singular set, the nearer to it the later.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "cetaev/integrate/motion.hpp"

namespace cetaev {

// With room for all of them from the beginning.
class WayToASet {
 public:
  struct Place {
    double as_near = 0, t = 0, E = 0, work = 0;
    std::size_t multipliers = 0, number = 0;
  };

  void make_room(std::size_t coordinates, std::size_t multipliers) {
    n_ = coordinates;
    each_ = 2 * coordinates + multipliers;
    values_.resize(most * each_);
  }
  bool empty() const { return count_ == 0; }
  const Place& last() const { return places_[count_ - 1]; }
  std::span<const Place> places() const { return std::span(places_).first(count_); }
  void clear() { count_ = 0; }
  void drop_last() { --count_; }
  void add(const MotionPoint& at, std::span<const double> lambda, double work, double as_near) {
    if (count_ == most) return;
    places_[count_] = {as_near, at.t, at.E, work, lambda.size(), count_};
    const auto values = values_.begin() + static_cast<std::ptrdiff_t>(count_ * each_);
    std::ranges::copy(lambda, std::ranges::copy(at.v, std::ranges::copy(at.q, values).out).out);
    ++count_;
  }
  State state(const Place& place) const {
    const std::span<const double> q = of(place).first(n_), v = of(place).subspan(n_, n_);
    return {place.t, {q.begin(), q.end()}, {v.begin(), v.end()}};
  }
  std::vector<double> lambda(const Place& place) const {
    const std::span<const double> values = of(place).subspan(2 * n_, place.multipliers);
    return {values.begin(), values.end()};
  }

 private:
  static constexpr std::size_t most = 16;

  std::span<const double> of(const Place& place) const {
    return std::span<const double>(values_).subspan(place.number * each_, each_);
  }

  std::array<Place, most> places_;
  std::size_t count_ = 0, n_ = 0, each_ = 0;
  std::vector<double> values_;
};

}  // namespace cetaev
