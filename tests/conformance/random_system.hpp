// Mechanical systems at random, as the text of model files.
#pragma once

#include <cstdint>
#include <string>

namespace cetaev::conformance {

// The same numbers on every machine: splitmix64, and nothing but integers made from it.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool chance(unsigned percent) { return next() % 100 < percent; }

 private:
  std::uint64_t state_;
};

struct RandomModel {
  std::string text;
  bool holonomic = false;  // every constraint is, or repeats one that is
  bool caplygin = false;   // of Čaplygin's type with the dependent velocities it names
};

// Two to six coordinates; points moving on smooth functions of the coordinates and the time, kinetic energies, gyroscopic
// terms, potentials, forces; constraints that are holonomic, linear, affine, polynomial, with roots and transcendental,
// rheonomic or not, on accelerations, and redundant ones; auxiliary functions and quasi-velocities. The same seed gives
// the same text.
RandomModel random_model(std::uint64_t seed);

}  // namespace cetaev::conformance
