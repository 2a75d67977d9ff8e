#include "draws.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "cetaev/detail/numeric/random.hpp"

namespace cetaev::ensemble {

namespace {

constexpr int sobol_bits = 53;

// Of a stream: splitmix64 from a state that is itself a random number of seed and stream, so that streams do not overlap by design.
std::uint64_t bits_at(std::uint64_t seed, std::uint64_t stream, std::uint64_t i) {
  const std::uint64_t key = Random(Random(seed).next() ^ (stream * 0xd1342543de82ef95U)).next();
  return Random(key + i * 0x9e3779b97f4a7c15U).next();
}

double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

// Primitive polynomials x^s + a_1 x^(s−1) + … + 1, with a_1 … a_(s−1) as the bits of a, and initial direction numbers m of dimensions 2
// to 32: S. Joe, F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008)
// 2635–2654, table new-joe-kuo-6.21201.
struct SobolSeed {
  int s;
  unsigned a;
  std::array<unsigned, 7> m;
};
constexpr std::array<SobolSeed, sobol_dimensions - 1> sobol_seeds = {{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
}};

// v_k = m_k 2^(bits − k): m_k = 2 a_1 m_(k−1) ⊕ 4 a_2 m_(k−2) ⊕ … ⊕ 2^s m_(k−s) ⊕ m_(k−s).
using Directions = std::array<std::uint64_t, sobol_bits>;
Directions directions_of(std::size_t dimension) {
  Directions v{};
  if (dimension == 0) {
    for (int k = 0; k < sobol_bits; ++k) v[k] = std::uint64_t{1} << (sobol_bits - 1 - k);
    return v;
  }
  const SobolSeed& seed = sobol_seeds[dimension - 1];
  for (int k = 0; k < sobol_bits; ++k) {
    if (k < seed.s) {
      v[k] = std::uint64_t{seed.m[k]} << (sobol_bits - 1 - k);
      continue;
    }
    v[k] = v[k - seed.s] ^ (v[k - seed.s] >> seed.s);
    for (int j = 1; j < seed.s; ++j)
      if ((seed.a >> (seed.s - 1 - j)) & 1U) v[k] ^= v[k - j];
  }
  return v;
}

const Directions& sobol_directions(std::size_t dimension) {
  static const auto all = [] {
    std::array<Directions, sobol_dimensions> table;
    for (std::size_t d = 0; d < sobol_dimensions; ++d) table[d] = directions_of(d);
    return table;
  }();
  return all[dimension];
}

}  // namespace

double uniform_draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t i) {
  return to_unit(bits_at(seed, stream, i));
}

// G. E. P. Box, M. E. Muller 1958; the first uniform number in (0, 1].
double normal_draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t i) {
  const double u = 1 - to_unit(bits_at(seed, 2 * stream + 1, i)), w = to_unit(bits_at(seed, ~(2 * stream), i));
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * w);
}

double sobol_draw(std::uint64_t seed, std::size_t dimension, std::uint64_t i) {
  const Directions& v = sobol_directions(dimension);
  std::uint64_t x = seed == 0 ? 0 : bits_at(seed, ~dimension, 0) >> (64 - sobol_bits);
  for (std::uint64_t gray = i ^ (i >> 1); gray != 0; gray &= gray - 1) x ^= v[std::countr_zero(gray)];
  return static_cast<double>(x) * 0x1.0p-53;
}

}  // namespace cetaev::ensemble
