// Where smooth functions of time may vanish within a step: roots and touching roots.
//
// On a piece of the step each is taken for the polynomial of degree four through five of its values. Where the Bernstein coefficients of
// that are of one sign it has no zero, and where they are further from zero than so many times the fourth difference (`accuracy.hpp`) the function has
// none either: a piece that resolves a function misses less of it than that. Other pieces are halved, as far as `finest`.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace cetaev {

class GuardsInStep {
 public:
  using Part = std::pair<double, double>;
  static constexpr int finest = 12;  // halvings: a step is not cut finer than its own events would be told

  // The parts of [begin, end], in the order of the motion, in which one of so many functions may vanish; the whole where they are too many.
  // `look(t, values)` gives the functions at a time. The vector lives until the next call.
  template <class Look>
  const std::vector<Part>& may_vanish(double begin, double end, std::size_t count, const Look& look) {
    parts_.clear();
    looks_ = 0;
    look_at_whole(begin, end, count, look);
    split(begin, end, 0, look);
    if (looks_ > most_looks) parts_.assign(1, {begin, end});
    return parts_;
  }
  // Every function is further from zero than `part` of its largest value, all over [begin, end], which is not cut.
  template <class Look>
  bool all_beyond(double begin, double end, std::span<const double> largest, double part, const Look& look) {
    look_at_whole(begin, end, largest.size(), look);
    for (std::size_t g = 0; g < largest.size(); ++g)
      if (!beyond(values_[0], g, part * largest[g])) return false;
    return true;
  }

 private:
  using Values = std::vector<double>;
  static constexpr int most_looks = 1000;  // one function that touches zero takes fifty

  template <class Look>
  void look_at_whole(double begin, double end, std::size_t count, const Look& look) {
    for (auto& row : values_) row.resize(5);
    auto& whole = values_[0];
    for (std::size_t i = 0; i < whole.size(); ++i) {
      whole[i].resize(count);
      look(begin + (end - begin) * static_cast<double>(i) / 4, whole[i]);
    }
  }
  template <class Look>
  void split(double t0, double t1, int halvings, const Look& look) {
    const std::vector<Values>& here = values_[static_cast<std::size_t>(halvings)];
    if (looks_ > most_looks || none_vanishes(here)) return;
    if (halvings == finest) {
      add(t0, t1);
      return;
    }
    const double middle = t0 + (t1 - t0) / 2;
    for (const std::size_t half : {0U, 1U}) {
      std::vector<Values>& there = values_[static_cast<std::size_t>(halvings) + 1];
      const double from = half == 0 ? t0 : middle, to = half == 0 ? middle : t1;
      for (std::size_t i = 0; i < there.size(); ++i) {
        if (i % 2 == 0) {
          there[i] = here[2 * half + i / 2];
          continue;
        }
        there[i].resize(here[0].size());
        look(from + (to - from) * static_cast<double>(i) / 4, there[i]);
        ++looks_;
      }
      split(from, to, halvings + 1, look);
    }
  }
  // One of the functions, at five times of a piece, keeps that far from zero between them.
  static bool beyond(const std::vector<Values>& at, std::size_t which, double distance);
  static bool none_vanishes(const std::vector<Values>& at);
  void add(double t0, double t1);

  std::array<std::vector<Values>, finest + 1> values_;
  std::vector<Part> parts_;
  int looks_ = 0;
};

// The coefficients of a polynomial of degree four in Bernstein's basis on [0, 1], by its values at 0, 1/4, …, 1.
std::array<double, 5> bernstein(const std::array<double, 5>& values);
// What a piece that resolves a function misses of it.
double fourth_difference(const std::array<double, 5>& values);
// All on one side of zero, by more than this; not a number is on none.
bool on_one_side(std::span<const double> values, double by_more_than);

}  // namespace cetaev
