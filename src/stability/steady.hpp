// Steady motions: found near a state, told from others, and proved to exist.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reduced_field.hpp"

namespace cetaev {

// To how many digits a state is taken to be given, where it is not zero: rates that may vanish within them do.
constexpr double given_to = 1e-9;

struct SteadyPoint {
  std::vector<double> y, parameters;
  std::vector<double> sizes;  // of y, beside which it is known: of what has moved next to zero, how far it has
  double residual = 0;
  ReducedField::Dependent dependent;
  ReducedField::Values<double> slopes;  // derivatives of the field there
  // Proved: within these balls there is one. Else they are y as it stands, or sharpened.
  bool certified = false;
  std::vector<Ball> y_balls, parameter_balls;
  // By which part of itself the state in balls may be off, where it is not certified: nothing to speak of, rounding, or given_to.
  double off = given_to;
  std::vector<std::string> families;  // components that tell the steady motions near by apart
};

// What is to move so as to make a motion steady: components of y and parameters.
struct Movable {
  std::vector<std::string> names;
  std::vector<std::size_t> components, parameters;
  std::vector<std::size_t> followers;  // parameters that are formulas of these
  Program by_parameters;               // derivatives of what is kept and of the constraints, a column for each of these
  bool any() const { return !components.empty() || !parameters.empty(); }
  bool follows(std::size_t parameter) const { return std::ranges::find(followers, parameter) != followers.end(); }
};
// Throws unknown-name, and bad-model for a velocity that follows from others, for a name that is given twice, or that has its values from
// elsewhere (`varied`).
Movable movable(const ReducedField& field, const std::vector<std::string>& names,
                const std::vector<std::string>& varied = {});
// Where they stand now, in the order of the names.
std::vector<double> values_of(const Movable& moves, const ReducedField& field, const SteadyPoint& point);
// All parameters where some have other values than their definitions give; those that are formulas follow.
std::vector<Ball> balls_of_parameters(const System& system, std::span<const std::optional<Ball>> other, long bits);
// Those of the constraints with them.
std::vector<std::size_t> with_dependent(std::vector<std::size_t> components, const ReducedField::Dependent& dependent);

// Newton's method from y. Throws not-steady with the rates that do not vanish, and what singular equations throw.
SteadyPoint find_steady(const ReducedField& field, std::vector<double> y, std::vector<double> parameters,
                        const Movable& moves);
// The balls of a point that is not certified to more digits than doubles have, from where they stand; with how far they are off.
void sharpen(const ReducedField& field, const Movable& moves, SteadyPoint& point, long bits);
// With proof, where there is one.
void certify(const ReducedField& field, const Movable& moves, SteadyPoint& point, long bits);
// Of a point that is certified, where the equations are regular in its balls: the family of steady motions it belongs to, by proof. There
// are no more components than eigenvalues that are zero. `slopes` are the derivatives in these balls.
void find_families(const ReducedField& field, const Movable& moves, SteadyPoint& point,
                   const ReducedField::Values<Ball>& slopes, std::size_t zero, long bits);

}  // namespace cetaev
