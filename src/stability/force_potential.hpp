// Forces that have a potential, written as forces.
#pragma once

#include <optional>
#include <vector>

#include "reduced_field.hpp"

namespace cetaev {

// F⁰ by coordinate, with F = F⁰(q) + R, R·v = 0 and ∂F⁰ᵢ/∂qⱼ = ∂F⁰ⱼ/∂qᵢ, by proof: near any state there is a potential U with F⁰ = −∂U/∂q, and E + U is
// constant. Of Lagrangians without time and constraints that bind positions; nothing where there are no forces, or these have none.
std::optional<std::vector<Expr>> force_with_potential(const System& system);

}  // namespace cetaev
