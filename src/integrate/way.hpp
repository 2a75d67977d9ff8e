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
    std::size_t multipliers = 0;
  };

  void make_room(std::size_t coordinates, std::size_t multipliers) {
    n_ = coordinates;
    each_ = 2 * coordinates + multipliers;
    values_.resize(most * each_);
  }
  bool empty() const { return count_ == 0; }
  const Place& last() const { return places_[count_ - 1]; }
  std::size_t size() const { return count_; }
  const Place& place(std::size_t i) const { return places_[i]; }
  void clear() { count_ = 0; }
  void drop_last() { --count_; }
  void add(const MotionPoint& at, std::span<const double> lambda, double work, double as_near) {
    if (count_ == most) return;
    places_[count_] = {as_near, at.t, at.E, work, lambda.size()};
    const auto values = values_.begin() + static_cast<std::ptrdiff_t>(count_ * each_);
    std::ranges::copy(lambda, std::ranges::copy(at.v, std::ranges::copy(at.q, values).out).out);
    ++count_;
  }
  State state(std::size_t i) const {
    const std::span<const double> q = of(i).first(n_), v = of(i).subspan(n_, n_);
    return {places_[i].t, {q.begin(), q.end()}, {v.begin(), v.end()}};
  }
  std::vector<double> lambda(std::size_t i) const {
    const std::span<const double> values = of(i).subspan(2 * n_, places_[i].multipliers);
    return {values.begin(), values.end()};
  }

 private:
  static constexpr std::size_t most = 16;

  std::span<const double> of(std::size_t i) const { return std::span<const double>(values_).subspan(i * each_, each_); }

  std::array<Place, most> places_;
  std::size_t count_ = 0, n_ = 0, each_ = 0;
  std::vector<double> values_;
};

}  // namespace cetaev
