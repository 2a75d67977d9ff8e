// Elliptic integrals and Jacobi's functions of balls.
#pragma once

#include <arb.h>

#include "cetaev/expr/ball.hpp"

namespace cetaev::elliptic {

// F or E; indeterminate where the integrand may not be real on the way from 0 to φ.
Ball integral(Function f, const Ball& phi, const Ball& m, long bits);

// am, dn or ∫ dn² du; indeterminate where m is so near to 1 that its side is not known.
Ball jacobi(Function f, const Ball& u, const Ball& m, long bits);

// A derivative by m of any of these; indeterminate where m may be, but need not be, 0 or 1.
Ball parameter_derivative(Function f, const Ball& x, const Ball& m, long bits);

// All of them, rounded to so many bits. Of exact numbers so many are right, whatever is lost on the way.
void value(Function f, arb_ptr out, arb_srcptr x, arb_srcptr m, long bits);

}  // namespace cetaev::elliptic
