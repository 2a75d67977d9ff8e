// Where something begins to hold.
#pragma once

namespace cetaev {

// Between a number at which it does not hold and one at which it does, down to neighbouring numbers: the latter.
template <class Holds>
double first_beyond(double before, double beyond, const Holds& holds) {
  // Each half has one end on either side.
  for (int halvings = 0; halvings < 100; ++halvings) {
    const double middle = before + 0.5 * (beyond - before);
    if (middle == before || middle == beyond) break;
    (holds(middle) ? beyond : before) = middle;
  }
  return beyond;
}

}  // namespace cetaev
