// Systems at random whose verdicts are known by the way they are made: sets of several planes in the velocities, kinetic energies that are
// not quadratic, potentials that bend. Nothing here asks the program about the truth.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "random_system.hpp"
#include "seeds.hpp"

namespace cetaev::conformance {

// Runs one test on many random models.
inline void on_random(std::uint64_t usual, const std::function<void(Dice& dice, std::uint64_t seed)>& test) {
  const Seeds range = seeds(usual);
  for (std::uint64_t seed = range.first; seed < range.end() && !testing::Test::HasFatalFailure(); ++seed) {
    Dice dice(seed * 7919);
    test(dice, seed);
  }
}

extern const std::vector<std::string> letters;  // names of coordinates

long whole(Dice& dice, long size);  // between −size and size
std::string term(long factor, const std::string& name);
long dot(const std::vector<long>& a, const std::vector<long>& b);

// a·v + b, at least one a not zero
struct AffineForm {
  std::vector<long> a;
  long b = 0;

  static AffineForm random(Dice& dice, std::size_t n);
  AffineForm shifted(long by) const { return {a, b + by}; }
  std::string text() const;
  bool same_plane(const AffineForm& other) const;  // of velocities
};

// A constraint that holds on these planes and nowhere else.
struct Planes {
  std::string constraint;
  std::vector<AffineForm> branches;

  // Is each of them a plane, and no two the same?
  bool are_distinct() const;
};
Planes random_planes(Dice& dice, std::size_t n);

// "F = G" as (F - (G)).
std::string as_difference(const std::string& constraint);

struct ForcedModel {
  std::string text;
  std::vector<long> force;  // constant
};
// With one more coordinate that nothing acts on, where it is named.
ForcedModel forced(Dice& dice, std::size_t n, const std::string& constraint, const std::string& free = "");
// Adds a claim that c·v is constant.
std::vector<long> random_claim(Dice& dice, ForcedModel& model);

struct Truth {
  bool conic = true, conserved = true, constant = true;
};
// On a·v + b = 0 with T = v²/2 and the constant force F: v' = F + λa with a·v' = 0, so λ = −a·F/a·a; E' = λ a·v = −λ b.
Truth truth_on(const Planes& planes, const std::vector<long>& force, const std::vector<long>& c);

// T(v), its momenta and second derivatives by differences of long doubles.
struct KineticTerm {
  std::string text;
  std::function<long double(const std::vector<long double>&)> value;
};
KineticTerm random_kinetic(Dice& dice, std::size_t n);

// Solves A x = b by elimination; small and regular.
std::vector<long double> solved(std::vector<std::vector<long double>> A, std::vector<long double> b);

// Springs that act on one side, walls, roots of squares, near and far from where one looks first.
struct BentPotential {
  std::string text;
  std::function<double(double, double)> value;
};
BentPotential bent(Dice& dice);

// As a Lagrangian, and with it the momenta.
struct FreeParticle {
  std::string lagrangian, px, py;
  bool quadratic = true;
};
// Every third one is defined below some speed only.
FreeParticle free_particle(Dice& dice);

}  // namespace cetaev::conformance
