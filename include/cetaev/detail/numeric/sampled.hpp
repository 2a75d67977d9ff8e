// Functions that are known at samples: their derivatives and integrals, by polynomials through neighbouring samples. And integrals of functions
// that can be asked anywhere.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace cetaev {

struct DerivativesAt {
  double value = 0, first = 0, second = 0;
};

// Of y at the i-th of times that increase; of the polynomial through so many samples around it, and with their slopes where these are given
// (else `slopes` is empty).
DerivativesAt derivatives_at(std::span<const double> t, std::span<const double> y, std::span<const double> slopes,
                             std::size_t i, std::size_t neighbours);

// ∫ y dt from the first sample to each.
std::vector<double> running_integral(std::span<const double> t, std::span<const double> y);

// ∫ f dt of several functions at once, each to some roundings of ∫ |f| dt, by Kronrod's rule of 15 points on halves of halves.
std::vector<double> integral(const std::function<std::vector<double>(double t)>& f, double from, double to);

}  // namespace cetaev
