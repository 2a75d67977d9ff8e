// Sums that remember what rounding dropped.
#pragma once

namespace cetaev {

// high + low is the sum to twice the precision of a double; Real may be several doubles side by side.
template <class Real>
struct Compensated {
  Real high{}, low{};

  void set(Real value) {
    high = value;
    low = Real{};
  }
  // D. E. Knuth's sum of two numbers without error, after the small parts have been joined.
  void add(Real term) {
    const Real x = term + low;
    const Real sum = high + x;
    const Real part = sum - high;
    low = (high - (sum - part)) + (x - part);
    high = sum;
  }
};

using CompensatedSum = Compensated<double>;

}  // namespace cetaev
