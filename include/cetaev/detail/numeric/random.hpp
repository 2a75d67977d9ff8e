// Random numbers that are the same in every run, on every machine and with every standard library.
#pragma once

#include <cstdint>

namespace cetaev {

// splitmix64 (Steele, Lea, Flood 2014)
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // 64 bits.
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  // In [low, high), one of 2⁵³ equally spaced numbers.
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1.0p-53);
  }

 private:
  std::uint64_t state_;
};

}  // namespace cetaev
