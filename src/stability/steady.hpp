// Steady motions: found near a state, told from others, and proved to exist.
#pragma once

#include <string>
#include <vector>

#include "reduced_field.hpp"

namespace cetaev {

struct SteadyPoint {
  std::vector<double> y, parameters;
  double residual = 0;
  ReducedField::Dependent dependent;
  ReducedField::Values<double> slopes;  // derivatives of the field there
  // Proved: within these balls there is one. Else they are y as it stands.
  bool certified = false;
  std::vector<Ball> y_balls, parameter_balls;
  std::vector<std::string> families;  // components that tell the steady motions near by apart
};

// What is to move so as to make a motion steady: components of y and parameters.
struct Movable {
  std::vector<std::size_t> components, parameters;
};
// Throws unknown-name, and bad-model for a velocity that follows from others.
Movable movable(const ReducedField& field, const std::vector<std::string>& names);

// Newton's method from y. Throws not-steady with the rates that do not vanish, and what singular equations throw.
SteadyPoint find_steady(const ReducedField& field, std::vector<double> y, std::vector<double> parameters,
                        const Movable& moves);
// With proof, where there is one.
void certify(const ReducedField& field, const Movable& moves, SteadyPoint& point, long bits);
// Of a point that is certified, where the equations are regular in its balls: the family of steady motions it belongs to, by proof. There
// are no more components than eigenvalues that are zero.
void find_families(const ReducedField& field, SteadyPoint& point, std::size_t zero, long bits);

}  // namespace cetaev
