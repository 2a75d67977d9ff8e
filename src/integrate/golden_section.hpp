#pragma once

#include <numbers>

namespace cetaev {

// The lowest point of a function between two times; where it vanishes it is like |t − t*|, and the least value says no more.
template <class Value>
double golden_section(double a, double b, const Value& value) {
  constexpr double golden = std::numbers::phi - 1;
  constexpr int most_steps = 90;  // of which each leaves that part: below rounding
  double x = b - golden * (b - a), z = a + golden * (b - a);
  double fx = value(x), fz = value(z);
  for (int step = 0; step < most_steps && a != b; ++step) {
    if (fx < fz) {
      b = z;
      z = x;
      fz = fx;
      x = b - golden * (b - a);
      fx = value(x);
    } else {
      a = x;
      x = z;
      fx = fz;
      z = a + golden * (b - a);
      fz = value(z);
    }
  }
  return fx < fz ? x : z;
}

}  // namespace cetaev
