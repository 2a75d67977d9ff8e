#include "cetaev/detail/numeric/inverse.hpp"

#include <Eigen/LU>

#include "maps.hpp"

namespace cetaev {

DenseMatrix inverse(DenseView a) {
  DenseMatrix result(a.rows, a.columns);
  mapped(result) = mapped(a).partialPivLu().inverse();
  return result;
}

}  // namespace cetaev
