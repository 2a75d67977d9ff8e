// The linear equations of small motions about a steady one, with the symbols of the model kept.
//
//   M x'' + C x' + K x = 0
//
// for small changes x of the coordinates whose velocities are independent. Nonholonomic systems have positions that matter and whose velocities
// are not independent; then, with p all positions that matter and u the independent velocities, M u' + C u + K p = 0 and p' = P p + U u. So it
// is in the quasi-velocities of the model, in which a motion may be steady that is not in its velocities, as that of a sleigh on a circle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/formulation/first_order.hpp"

namespace cetaev {

struct LinearEquations {
  System system;                        // whose expressions these are: a scratch copy
  std::vector<std::size_t> velocities;  // coordinates of the independent velocities: rows, and columns of M and C
  std::vector<std::string>
      quasi;  // in the place of these, the quasi-velocities, where the motion is steady in them alone
  std::vector<std::size_t> positions;  // columns of K; the same where the equations are of second order in them
  bool second_order = true;
  Matrix M, C, K;
  Matrix P, U;  // where they are not of second order
  // The state they are about: values of coordinates and velocities, expressions of parameters. Where any value serves as well, it is the
  // coordinate or the velocity itself, which then stands in the matrices.
  std::vector<Expr> q, v;
  std::vector<Expr> u, u_symbols;  // of the quasi-velocities, likewise
  // What kept its name, with its value in the model.
  std::vector<Replacement> named;

  // By powers of a speed, where there is one symbol for it and everything is polynomial in it: the symbol, and C = Σ speed^i C_i, and so on.
  struct Power {
    int exponent;
    Matrix matrix;
  };
  struct BySpeed {
    Expr speed;
    std::vector<Power> M, C, K;
  };
  std::optional<BySpeed> by_speed;

  // Parameters whose sign was used, with that sign: |c| is c where c > 0.
  std::vector<std::pair<Expr, int>> signs;
  // Names that the matrices use, by `with_names`: symbol and value, each by those before it.
  std::vector<Replacement> where;
};

// About the initial state. Throws not-steady where it is no steady motion for all values of the parameters, nor for theirs, and not-applicable where the dependent velocities
// have no closed form.
LinearEquations linear_equations(const System& system);

// The same with names for what recurs in the matrices that a reader gets, M, C and K or their parts by powers of the speed, P and U; without any where
// none makes them shorter. Where there are parts, M, C and K stay written out.
LinearEquations with_names(LinearEquations equations);

// And with the names written out again, so that what they stood for is shared where it is computed: for programs.
LinearEquations with_shared_sums(const LinearEquations& equations);

// The same for integrators and for exported code: z' = A z for the small changes z of p and u, with what kept its name among the parameters.
FirstOrderSystem first_order(const LinearEquations& equations);

}  // namespace cetaev
