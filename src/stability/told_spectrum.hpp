// Eigenvalues with what is known about each.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "steady.hpp"

namespace cetaev {

// Real and imaginary parts that nothing tells from zero are zero.
struct ToldEigenvalue {
  std::complex<double> value;
  double error = 0;  // by how much it may be off
};
using ToldSpectrum = std::vector<ToldEigenvalue>;

// The sign of a real part is known where it is not zero.
ToldEigenvalue told(std::complex<double> value, double error);
ToldEigenvalue told(const ComplexBall& ball);

// Of balls: is each known so well that more digits would not tell more? What is not told from the imaginary axis is known to many more digits than
// doubles have, and what is not told from zero beside the least that is.
bool is_settled(std::span<const ComplexBall> found);

// In doubles, of a state that is as exact as they are, or off by a part of itself. Nothing where the iteration does not converge.
std::optional<ToldSpectrum> spectrum_in_doubles(const std::vector<double>& A, std::size_t n, double off = 0);

// Of a point that is not certified and off by some part of itself: of all states within that, where these can be enclosed.
// Throws non-finite.
ToldSpectrum spectrum_about(const ReducedField& field, const SteadyPoint& point);

}  // namespace cetaev
