// A basis of the admissible directions, v = N u + n₀, regular on the whole configuration space where one is found.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

struct Basis {
  Matrix N;                 // n × m
  std::vector<Expr> drift;  // n₀
};

// For constraints linear or affine in the velocities. Takes the constraints one after the other; each is solved for a
// velocity whose coefficient is constant, or for a pair whose coefficients have a constant sum of squares (a blade: the
// direction (cos φ, sin φ)). Nothing when neither can be found.
std::optional<Basis> regular_basis(const Setting& setting);

}  // namespace cetaev
