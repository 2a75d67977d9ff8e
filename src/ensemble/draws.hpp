// Random and quasi-random numbers by their place: the i-th one without those before it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cetaev::ensemble {

// Uniform in [0, 1), normal with mean 0 and deviation 1: number i of a stream.
double uniform_draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t i);
double normal_draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t i);

// Coordinate `dimension` of point i of Sobol's sequence, in the order of Gray's code. With a seed all points are shifted, digit by digit,
// by one random vector, which keeps their evenness (R. Cranley, T. Patterson 1976, in base 2).
double sobol_draw(std::uint64_t seed, std::size_t dimension, std::uint64_t i);
constexpr std::size_t sobol_dimensions = 32;

}  // namespace cetaev::ensemble
