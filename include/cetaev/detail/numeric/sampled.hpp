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

struct Quadrature {
  std::vector<double> value, error, size;  // ∫ f dt, about what it may be off by, ∫ |f| dt
};

// ∫ f dt to so many parts of ∫ |f| dt, by the same rule on as many pieces as that needs, or as there may be: then `error` says so. The last
// components of f are rates of what `known` gives at the ends of pieces: a piece that misses them is halved too, so that no pulse is over
// between two points of the rule.
Quadrature controlled_integral(const std::function<std::vector<double>(double t)>& f,
                               const std::function<std::vector<double>(double t)>& known, double from, double to,
                               double tolerance);

}  // namespace cetaev
