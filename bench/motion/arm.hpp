// The gallery's arm of six joints by composite bodies, Newton and Euler and elimination.
#pragma once

namespace motion {

// Of angles and their rates.
void arm_rates(const double* y, double* dy);
void arm_rates(const long double* y, long double* dy);

}  // namespace motion
