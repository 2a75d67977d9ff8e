// Apart, for here zeros have no sign and nothing is infinite: what is multiplied by a zero of the arm falls away, as it would by hand.
#include "arm.hpp"

#include "../arm.hpp"

namespace motion {
namespace {

template <class Real>
void rates(const Real* y, Real* dy) {
  constexpr std::size_t n = cetaev::bench::ArmIn<Real>::N;
  cetaev::bench::ArmIn<Real> arm;
  const auto a = arm.by_matrix(y, y + n);
  for (std::size_t i = 0; i < n; ++i) {
    dy[i] = y[n + i];
    dy[n + i] = a[i];
  }
}

}  // namespace

void arm_rates(const double* y, double* dy) { rates(y, dy); }
void arm_rates(const long double* y, long double* dy) { rates(y, dy); }

}  // namespace motion
