// Elliptic integrals and Jacobi's functions of balls.
#pragma once

#include <arb.h>

#include "cetaev/expr/expr.hpp"

namespace cetaev::elliptic {

// F or E; indeterminate where the integrand may not be real on the way from 0 to φ.
void integral(Function f, arb_ptr out, arb_srcptr phi, arb_srcptr m, long bits);

// am, dn or ∫ dn² du; indeterminate where m is so near to 1 that its side is not known.
void jacobi(Function f, arb_ptr out, arb_srcptr u, arb_srcptr m, long bits);

}  // namespace cetaev::elliptic
