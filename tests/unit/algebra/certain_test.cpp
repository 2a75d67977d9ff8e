// What has no zero is said to have none only where that is so: sums of squares of affine forms are multiplied out here, by hand.
#include "cetaev/detail/algebra/certain.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/numeric/random.hpp"

namespace cetaev {
namespace {

struct Certain : testing::Test {
  Context c;
  Expr x = c.symbol("x"), y = c.symbol("y"), z = c.symbol("z"), v = c.symbol("v"), w = c.symbol("w");
  Expr n(long p, long q = 1) { return c.number(Rational(p, q)); }
  Expr power(Expr u, long k) { return pow(u, Rational(k)); }
};

TEST_F(Certain, PolynomialsWithoutRealZerosAreKnown) {
  const Expr u = x - y, s = x + n(2) * y - n(3);
  const Expr without[] = {
      power(u, 2) + n(1),
      power(u, 4) + n(1),
      power(u, 4) + power(u, 2) + n(1, 1000),
      power(u, 2) + power(s, 2) + n(1, 7),
      power(x, 2) + x * y + power(y, 2) + n(1),
      power(x, 2) - x + n(1),
      power(sin(x), 2) + cos(x) + n(3),
      power(x, 6) + power(x, 2) * power(y, 2) + n(5),
  };
  for (const Expr e : without) EXPECT_TRUE(never_zero(normal(e))) << to_string(normal(e));
  const Expr with[] = {
      power(u, 2),
      power(u, 2) - n(1),
      power(u, 4) - n(1, 1000000),
      power(x, 2) + x * y + power(y, 2),
      power(x, 2) + n(3) * x * y + power(y, 2) + n(1),  // at x = −y = 1
      power(x * y - n(1), 2) + power(x, 2) - n(1, 100),
      power(x, 2) + power(y, 2) - power(z, 2) + n(1),
  };
  for (const Expr e : with) EXPECT_FALSE(never_zero(normal(e))) << to_string(normal(e));
}

// Σ kᵢ (aᵢ·x + bᵢ)² + c with positive kᵢ has zeros where c ≤ 0 and it is large somewhere, and none where c > 0.
TEST_F(Certain, SumsOfSquaresMultipliedOutAreToldFromOnesWithZeros) {
  Random random(11);
  const auto whole = [&](long size) { return static_cast<long>(random.uniform(-1, 1) * static_cast<double>(size)); };
  const std::vector<Expr> symbols = {x, y, z};
  int known = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Expr sum = c.zero();
    for (int k = 0; k < 3; ++k) {
      Expr form = n(whole(5));
      for (const Expr symbol : symbols) form = form + n(whole(4)) * symbol;
      sum = sum + n(1 + std::abs(whole(5))) * power(form, 2);
    }
    const Expr positive = normal(sum + n(1 + std::abs(whole(9)), 3));
    known += never_zero(positive) ? 1 : 0;
    // at the origin it is what is taken away here, or more
    const std::vector<Replacement> origin = {{x, n(0)}, {y, n(0)}, {z, n(0)}};
    const Expr zero_there = normal(positive - substitute(positive, origin));
    EXPECT_FALSE(never_zero(zero_there)) << to_string(zero_there);
  }
  EXPECT_EQ(known, 60);
}

TEST_F(Certain, ConstraintsLoseFactorsThatAreNeverZeroAndNoOthers) {
  const Expr f = x - power(y, 2);
  const std::vector<Expr> velocities = {v, w};
  const Expr nothing[] = {power(v, 2) + n(1),          exp(v),
                          apply(Function::cosh, w),    exp(v) + power(w, 4),
                          sqrt(power(v, 2) + n(1)),    n(2) + sin(v * x),
                          n(1) / (n(1) + power(w, 2)), n(2) + apply(Function::tanh, v),
                          log(n(2) + power(v, 2)),     power(v - w, 2) + n(1)};
  for (const Expr g : nothing) {
    // multiplied out, as far as functions are no others then: tanh is sinh/cosh
    const bool same = g != n(2) + apply(Function::tanh, v);
    for (const Expr written : {g * f, same ? normal(g * f) : g * f}) {
      const auto rest = zeros_without(written, velocities);
      ASSERT_TRUE(rest) << to_string(written);
      EXPECT_FALSE(depends_on(*rest, velocities));
      // the same zeros: a multiple by a number, or by what is never zero
      EXPECT_TRUE(never_zero(*rest / f) || normal(*rest / f).is_number()) << to_string(*rest);
    }
  }
  const Expr something[] = {v - n(1),      v,       power(v, 2) - n(1), n(1) / (v - n(1)),
                            exp(n(1) / v), sqrt(v), n(1) + sqrt(v),     log(n(1) + power(v, 2)),
                            n(1) + sin(v), abs(v)};
  for (const Expr g : something) EXPECT_FALSE(zeros_without(g * f, velocities)) << to_string(g);
  EXPECT_FALSE(zeros_without(v * x - w * y, velocities));
  EXPECT_FALSE(zeros_without((n(1) + power(v, 2)) * (v * x - w), velocities));
}

}  // namespace
}  // namespace cetaev
