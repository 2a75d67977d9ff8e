// How large positions and velocities have been along a motion, whatever variables its equations had on the way: what a tolerance is relative to is not
// forgotten where the equations change.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/formulation/first_order.hpp"

namespace cetaev {

class SizesSeen {
 public:
  explicit SizesSeen(const std::vector<std::string>& coordinates) {
    for (const char* const mark : {"", "'"})
      for (const std::string& name : coordinates) names_.push_back(name + mark);
    sizes_.assign(names_.size(), 0.0);
  }

  // From now on states have these variables, and others behind them; quasi-velocities and multipliers have no size from before.
  void follow(std::span<const StateVariable> variables, std::size_t size) {
    of_variables_.assign(size, 0.0);
    places_.clear();
    for (const StateVariable& variable : variables)
      places_.push_back(
          static_cast<std::size_t>(std::find(names_.begin(), names_.end(), variable.name) - names_.begin()));
  }
  // What is to come is measured by itself.
  void forget() { std::fill(sizes_.begin(), sizes_.end(), 0.0); }
  void note(const State& at) {
    for (std::size_t i = 0; i < at.q.size(); ++i) {
      note(i, at.q[i]);
      note(at.q.size() + i, at.v[i]);
    }
  }
  void note(std::span<const double> y) {
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i] < sizes_.size()) note(places_[i], y[i]);
  }
  // Zero where nothing is known.
  std::span<const double> of_variables() {
    for (std::size_t i = 0; i < places_.size(); ++i)
      of_variables_[i] = places_[i] < sizes_.size() ? sizes_[places_[i]] : 0;
    return of_variables_;
  }

 private:
  void note(std::size_t i, double value) { sizes_[i] = std::max(sizes_[i], std::abs(value)); }

  std::vector<std::string> names_;
  std::vector<double> sizes_, of_variables_;
  std::vector<std::size_t> places_;  // of the variables among the names
};

}  // namespace cetaev
