// Rotations of space as Euler angles and spherical coordinates show them: about the pole a shift of one angle, about an axis across it
//   cos φ ∂_θ + sin φ (−cot θ ∂_φ + ∂_ψ / sin θ),
// a sum of fields with one component each, which are made here. Angles counted from the equator have tan θ and 1/cos θ.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

// Coordinates in the arguments of sines and cosines, in these and in what the model defines.
std::vector<bool> angles_in(const System& system, const std::vector<Expr>& roots);

struct Swing {
  std::size_t along = 0;           // the component
  std::size_t turn = 0, tilt = 0;  // φ and θ
  bool sine = false;               // sin φ, or cos φ
  enum class By { one, cot, tan, csc, sec } by = By::one;

  Expr at(std::span<const Expr> q) const;
};

// Those whose φ is one of the given coordinates: θ is an angle that the momentum of φ changes with, ψ another coordinate whose velocity is in that. Nothing where
// they are too many to be looked for.
std::optional<std::vector<Swing>> swings(const System& system, const std::vector<bool>& angle,
                                         const std::vector<bool>& turning);

}  // namespace cetaev
