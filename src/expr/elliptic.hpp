// Elliptic integrals and Jacobi's functions in doubles, for real arguments and every real parameter m = k².
//
// Carlson's symmetric integrals by duplication (Numer. Algorithms 10, 1995), the functions by the arithmetic-geometric mean (Abramowitz and Stegun
// 16.4); other parameters through 0 < m < 1 by the transformations of Jacobi (16.10, 16.11), which multiply u: where it is many periods, by balls. Not a number where the integrand is not real on the way
// from 0 to φ; infinite where the integral is.
#pragma once

#include "cetaev/expr/expr.hpp"

namespace cetaev::elliptic {

double first_kind(double phi, double m);   // F(φ, m)
double second_kind(double phi, double m);  // E(φ, m)

struct Jacobi {
  double am, dn;
};
Jacobi jacobi(double u, double m);
Jacobi roughly(double u, double m);  // with fewer digits where k u is large; without balls
double epsilon(double u, double m);  // ∫ dn² du

// Any of the functions, derivatives by m included, by balls: slower, and right to the last digits.
double in_balls(Function f, double x, double m);

}  // namespace cetaev::elliptic
