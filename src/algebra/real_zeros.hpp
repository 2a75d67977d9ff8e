#pragma once

#include "polynomial.hpp"

namespace cetaev::algebra {

// Is p zero for no real values of its generators, as if these were independent? Its roots in one generator are counted at one value of the
// others; where neither its leading coefficient nor its discriminant is ever zero, which is the same question with one generator less,
// their number is the same everywhere. False means "not known".
bool has_no_real_zero(const Poly& p);

}  // namespace cetaev::algebra
