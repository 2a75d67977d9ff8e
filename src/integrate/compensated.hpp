// Sums that remember what rounding dropped.
#pragma once

namespace cetaev {

// high + low is the sum to twice the precision of a double.
struct CompensatedSum {
  double high = 0, low = 0;

  void set(double value) {
    high = value;
    low = 0;
  }
  // D. E. Knuth's sum of two numbers without error, after the small parts have been joined.
  void add(double term) {
    const double x = term + low;
    const double sum = high + x;
    const double part = sum - high;
    low = (high - (sum - part)) + (x - part);
    high = sum;
  }
};

}  // namespace cetaev
