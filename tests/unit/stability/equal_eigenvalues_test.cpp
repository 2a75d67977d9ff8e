// Eigenvalues that are equal and have fewer directions than that: of critically damped oscillators, each pushed by the one before it, and of what lies
// beside them. The characteristic polynomial is a product of powers that are known.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cetaev/model/read.hpp"
#include "cetaev/stability/chart.hpp"
#include "cetaev/stability/linearize.hpp"

namespace cetaev {
namespace {

// n oscillators with x'' + 2 d x' + k x = what the one before it adds.
System chain(std::size_t n, double d, double k) {
  std::string names, energy, forces;
  for (std::size_t i = 0; i < n; ++i) {
    names += fmt::format("{}'x{}'", i == 0 ? "" : ", ", i);
    energy += fmt::format("{}x{}'^2/2", i == 0 ? "" : " + ", i);
    forces += fmt::format("x{0} = \"-2*d*x{0}' - k*x{0}{1}\"\n", i, i == 0 ? "" : fmt::format(" + x{}", i - 1));
  }
  return read_model(fmt::format("coordinates = [{}]\nlagrangian = \"{}\"\n[parameters]\nd = {}\nk = {}\n[forces]\n{}",
                                names, energy, d, k, forces),
                    "chain.toml");
}

TEST(EqualEigenvalues, OfChainsOfOscillatorsAreProved) {
  for (const std::size_t n : {1, 2, 3}) {
    for (const double scale : {1e-6, 1.0, 1e6}) {
      // what the others add is of another size
      const Linearization critical = linearize(chain(n, 3 * scale, 9 * scale * scale));
      EXPECT_EQ(critical.verdict, Stability::asymptotically_stable);
      for (const Eigenvalue& one : critical.eigenvalues) {
        ASSERT_TRUE(one.radius) << n << " of size " << scale;
        EXPECT_NEAR(one.value.real(), -3 * scale, *one.radius);
        EXPECT_EQ(one.value.imag(), 0);
        EXPECT_LT(*one.radius, 1e-9 * scale);
      }
      ASSERT_EQ(critical.modes.size(), 1U);
      EXPECT_EQ(critical.modes.front().multiplicity, 2 * n);
      EXPECT_EQ(critical.modes.front().directions, 1U);

      const Linearization growing = linearize(chain(n, -scale, 5 * scale * scale));
      EXPECT_EQ(growing.verdict, Stability::unstable);
      for (const Eigenvalue& one : growing.eigenvalues) {
        ASSERT_TRUE(one.radius) << n << " of size " << scale;
        EXPECT_NEAR(one.value.real(), scale, *one.radius);
        EXPECT_NEAR(std::abs(one.value.imag()), 2 * scale, *one.radius);
      }
    }
  }
}

TEST(EqualEigenvalues, OnTheAxisDecideNothing) {
  const Linearization found = linearize(read_model(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[forces]\nx = '-4*x'\ny = '-4*y + x - y^3'\n",
      "beside.toml"));
  EXPECT_EQ(found.verdict, Stability::undecided);
  EXPECT_EQ(found.zero, 0U);
  for (const Eigenvalue& one : found.eigenvalues) {
    EXPECT_EQ(one.value.real(), 0);
    EXPECT_NEAR(std::abs(one.value.imag()), 2, 1e-12);
  }
}

// At d = 3 of a range both are −3, and nothing crosses the axis.
TEST(EqualEigenvalues, LieBetweenTheirNeighboursAlongARange) {
  const VariedSpectrum along = linearize_along(chain(2, 1, 9), Along::parse("d=1:5:9"), {});
  EXPECT_TRUE(along.critical.empty());
  for (std::size_t i = 0; i < along.values.size(); ++i) {
    const double d = along.values[i];
    const std::complex<double> root = std::sqrt(std::complex<double>(d * d - 9));
    for (const std::complex<double> one : along.eigenvalues[i])
      EXPECT_LT(std::min(std::abs(one - (-d + root)), std::abs(one - (-d - root))), 1e-6) << d;
  }
  const StabilityChart chart =
      stability_chart(chain(1, 1, 9), {Along::parse("d=1:5:5"), Along::parse("k=1:25:25")}, {}, {});
  for (std::size_t place = 0; place < chart.places.size(); ++place) {
    const auto [d, k] = chart.at(place);
    EXPECT_NEAR(chart.places[place].growth, -d + (d * d > k ? std::sqrt(d * d - k) : 0), 1e-9) << d << ", " << k;
  }
}

// x'' + a x = b y, y'' + c y = b x sgn: driven by forces that have no potential. Where the equations are linear and the eigenvalues apart, they prove stability;
// where more is there, they prove nothing.
TEST(OnTheAxis, LinearEquationsAreStable) {
  const auto found = [](const std::string& more) {
    return linearize(
        read_model("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[forces]\n"
                   "x = '-4*x + y/2" +
                       more + "'\ny = '-2*y - x/2'\n",
                   "follower.toml"));
  };
  const Linearization linear = found("");
  EXPECT_EQ(linear.verdict, Stability::stable);
  EXPECT_FALSE(linear.form);
  EXPECT_NE(linear.because.find("the equations are linear"), std::string::npos) << linear.because;
  const Linearization other = found(" + x^3");
  EXPECT_EQ(other.verdict, Stability::undecided);
  // that they lie on the axis is proved
  EXPECT_EQ(other.because.find("too near to tell"), std::string::npos) << other.because;
}

// Equal ones have one direction between them, and differences grow; a little beside, which only rounding hides, a pair grows.
TEST(OnTheAxis, EqualEigenvaluesAreNotStable) {
  for (const char* coupling : {"0.5", "1", "2"}) {
    const Linearization found =
        linearize(read_model(fmt::format("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\n[forces]\n"
                                         "x = '-4*x + {0}*y'\ny = '-(4 + 2*{0})*y - {0}*x'\n",
                                         coupling),
                             "meeting.toml"));
    EXPECT_EQ(found.verdict, Stability::undecided) << found.because;
  }
}

}  // namespace
}  // namespace cetaev
