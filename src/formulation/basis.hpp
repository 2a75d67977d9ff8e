// A basis of the admissible directions, v = N u + n₀, regular on the whole configuration space where one is found.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

// A coefficient beside the largest of its constraint: dividing by less costs half of the digits.
constexpr double too_small_beside = 1.5e-8;

// Systems up to this size have their velocities solved for given quasi-velocities.
constexpr std::size_t largest_solved = 8;

// For constraints linear or affine in the velocities. Takes the constraints one after the other; each is solved for a
// velocity whose coefficient is constant, or for a pair whose coefficients have a constant sum of squares (a blade: the
// direction (cos φ, sin φ)). Nothing when neither can be found. Of any equations Σ rows·w + at_rest = 0, one row for each constraint in use, or
// of the constraints themselves. `locally`: where neither can be found, a
// constraint is solved for a velocity whose coefficient varies, one that does not vanish at the initial positions where there is such; the basis
// serves where no denominator in it vanishes. `where_of_rank`: constraints that are left over and are about one velocity more than they are many have
// their minors for a direction, which are zero together only where the constraints lose rank.
enum class Validity { everywhere, where_of_rank, locally };
std::optional<Basis> regular_basis(const Setting& setting, const Matrix& rows, const std::vector<Expr>& at_rest,
                                   Validity validity = Validity::everywhere);
std::optional<Basis> regular_basis(const Setting& setting, Validity validity = Validity::everywhere);

// What is left of functions of the velocities where these are zero.
std::vector<Expr> at_rest(const Setting& setting, const std::vector<Expr>& functions);

// From given u = Y v + y₀ and the constraints, where exact algebra can solve them for v.
std::optional<Basis> basis_of(const Setting& setting, const std::vector<Expr>& u);
// The same of any equations rows·w + at_rest = (u, 0), of which the first so many are those of u.
std::optional<Basis> basis_of(const Setting& setting, const Matrix& rows, const std::vector<Expr>& at_rest,
                              std::size_t count);

// As a person would write it: what is read is made of its entries, and is the shorter for each of them that is. One that serves locally is
// multiplied by its denominators where that is shorter: it then serves wherever its directions are independent.
void shorten(Basis& basis, Validity validity);

// Whether N and n₀ are polynomials in what they contain, parameters aside: then v = N u + n₀ on the whole configuration space.
bool is_regular_everywhere(const Setting& setting, const Basis& basis);

}  // namespace cetaev
