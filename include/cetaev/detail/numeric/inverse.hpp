#pragma once

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

// A⁻¹ to rounding, by elimination with partial pivoting; of a singular matrix something that is not finite, or nothing like an inverse.
DenseMatrix inverse(DenseView a);

}  // namespace cetaev
