// Steady motions of the literature, each against equations that were written down by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/model/read.hpp"
#include "cetaev/stability/chaos.hpp"
#include "cetaev/stability/linearize.hpp"

namespace cetaev {
namespace {

using Complex = std::complex<double>;

System gallery(const std::string& name, const std::vector<std::string>& settings) {
  return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml", settings);
}
System model(const std::string& text) { return read_model(text, "steady.toml"); }

// Of w = (θ', p = ψ' cos θ, n = φ' + ψ' sin θ), with A = m r²/4, C = m r²/2, by the momentum about the centre and the reaction at the contact:
//
//   (A + m r²) θ'' = m g r sin θ + (C + m r²) p n − A p² tan θ,   A p' = θ' (A p tan θ − C n),   (C + m r²) n' = −m r² p θ'
//
// On a circle the first right-hand side vanishes, and beside it λ² (A + m r²) is its derivative by θ with p and n as they follow θ.
TEST(ClosedForms, ADiscOnASteadyCircle) {
  const double r = 0.5, g = 9.81, m = 1, A = m * r * r / 4, C = m * r * r / 2, K = C + m * r * r;
  for (const auto& [theta, turning] : {std::pair(0.3, 1.0), {0.5, 0.7}, {1.0, 2.0}, {-0.4, 1.5}}) {
    const Linearization found = linearize(
        gallery("rolling-disc", {fmt::format("theta={}", theta), "theta'=0", fmt::format("psi'={}", turning)}),
        {"phi'"});
    ASSERT_TRUE(found.steady.certified) << theta;
    const double p = found.steady.state.v[2] * std::cos(theta);
    const double n = found.steady.state.v[4] + found.steady.state.v[2] * std::sin(theta);
    const double tan = std::tan(theta), sec2 = 1 + tan * tan;
    EXPECT_NEAR(m * g * r * std::sin(theta) + K * p * n - A * p * p * tan, 0, 1e-11) << theta;
    const double p_by_theta = (A * p * tan - C * n) / A, n_by_theta = -m * r * r * p / K;
    const double square =
        (m * g * r * std::cos(theta) - A * p * p * sec2 + (K * n - 2 * A * p * tan) * p_by_theta + K * p * n_by_theta) /
        (A + m * r * r);
    const Complex root = std::sqrt(Complex(square));
    ASSERT_EQ(found.eigenvalues.size(), 4u);
    EXPECT_EQ(found.zero, 2u);
    for (const Complex expected : {root, -root}) {
      double apart = INFINITY;
      for (const Eigenvalue& one : found.eigenvalues) apart = std::min(apart, std::abs(one.value - expected));
      EXPECT_LT(apart, 1e-12 * (1 + std::abs(root))) << theta;
    }
  }
}

// Coefficients of det(λ − M), the highest first (Faddeev and LeVerrier).
template <std::size_t n>
std::array<double, n + 1> characteristic_polynomial(const std::array<std::array<double, n>, n>& M) {
  std::array<double, n + 1> c{1};
  std::array<std::array<double, n>, n> N{};
  for (std::size_t k = 1; k <= n; ++k) {
    for (std::size_t i = 0; i < n; ++i) N[i][i] += c[k - 1];
    std::array<std::array<double, n>, n> next{};
    double trace = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t l = 0; l < n; ++l) next[i][j] += M[i][l] * N[l][j];
      }
      trace += next[i][i];
    }
    c[k] = -trace / static_cast<double>(k);
    N = next;
  }
  return c;
}

// In the frame of the body (Borisov and Mamaev), with γ the vertical, r from the mass centre to the contact and v = r × ω its velocity:
//
//   I ω' − m r × (r × ω') = −ω × I ω + m r × (r' × ω) + m r × (ω × (r × ω)) + m g r × γ,   γ' = γ × ω
//
// about ω = (0, 0, s), γ = (0, 0, 1), where r = (−a² γ₁/c, −b² γ₂/c, h − c) to first order.
TEST(ClosedForms, ARattlebackHasItsCharacteristicPolynomial) {
  const double m = 1, a = 0.2, b = 0.03, c = 0.02, h = 0.01, A = 2e-4, B = 1.6e-3, C = 1.7e-3, D = -2e-5, g = 9.81;
  const double k = h - c, p = -a * a / c, q = -b * b / c;
  for (const double s : {-5.0, 20.0}) {
    // columns ω₁, ω₂, γ₁, γ₂
    using Row = std::array<double, 4>;
    const Row gamma1 = {0, -1, 0, s}, gamma2 = {1, 0, -s, 0};  // γ₁' = γ₂ s − ω₂, γ₂' = ω₁ − γ₁ s
    Row first{}, second{};
    first[0] += D * s, first[1] -= (C - B) * s;
    second[0] += (C - A) * s, second[1] -= D * s;
    for (std::size_t i = 0; i < 4; ++i) {
      first[i] += m * k * p * s * gamma1[i];
      second[i] += m * k * q * s * gamma2[i];
    }
    const Row s1 = {0, -k, 0, q * s}, s2 = {k, 0, -p * s, 0};  // of r × ω
    for (std::size_t i = 0; i < 4; ++i) {
      first[i] -= m * k * s * s1[i];
      second[i] -= m * k * s * s2[i];
    }
    first[3] += m * g * (q - k);
    second[2] += m * g * (k - p);
    const double I1 = A + m * k * k, I2 = B + m * k * k, det = I1 * I2 - D * D;
    std::array<Row, 4> M{};
    for (std::size_t i = 0; i < 4; ++i) {
      M[0][i] = (I2 * first[i] - D * second[i]) / det;
      M[1][i] = (I1 * second[i] - D * first[i]) / det;
    }
    M[2] = gamma1;
    M[3] = gamma2;
    const auto expected = characteristic_polynomial<4>(M);

    const Linearization found = linearize(gallery("rattleback", {"alpha=0", "beta=0", fmt::format("psi'={}", s)}));
    ASSERT_EQ(found.eigenvalues.size(), 5u);
    ASSERT_EQ(found.zero, 1u);
    std::array<Complex, 5> own{1};
    std::size_t degree = 0;
    double growth = 0;
    for (const Eigenvalue& one : found.eigenvalues) {
      if (one.value == 0.0) continue;
      ++degree;
      for (std::size_t i = degree; i > 0; --i) own[i] -= one.value * own[i - 1];
      growth += one.value.real();
    }
    ASSERT_EQ(degree, 4u);
    for (std::size_t i = 0; i <= 4; ++i)
      EXPECT_LT(std::abs(own[i] - expected[i]), 1e-11 * (1 + std::abs(expected[i]))) << "spin " << s << ", power " << i;
    // it does not rattle one way round alone: the rates add up to growth one way, and to decay the other
    EXPECT_EQ(growth > 0, s < 0) << s;
  }
}

// Upright, inclined by alpha and beta: A α'' + C n β' − m g l α = 0, A β'' − C n α' − m g l β = 0, so that with ζ = α + i β
// λ = (i C n ± √(4 A m g l − C² n²))/(2 A).
TEST(ClosedForms, ATopSleepsAboveItsCriticalSpin) {
  const auto top = [](double n) {
    return model(
        fmt::format("coordinates = ['alpha', 'beta', 'phi']\nlagrangian = \"A/2*(alpha'^2*cos(beta)^2 + beta'^2) + "
                    "C/2*(phi' + alpha'*sin(beta))^2 - m*g*l*cos(alpha)*cos(beta)\"\n[parameters]\nA = 2\nC = 1\nm = "
                    "1\ng = 9.81\nl = 0.3\n[initial]\n\"phi'\" = {}\n",
                    n));
  };
  const double A = 2, C = 1, mgl = 9.81 * 0.3, critical = 2 * std::sqrt(A * mgl) / C;
  for (const double n : {1.0, 4.0, 4.8, 5.5, 20.0}) {
    const Linearization found = linearize(top(n));
    ASSERT_TRUE(found.steady.certified);
    const Complex root = std::sqrt(Complex(4 * A * mgl - C * C * n * n));
    for (const Complex sign : {Complex(0, 1), Complex(0, -1)}) {
      for (const Complex other : {root, -root}) {
        const Complex expected = (sign * C * n + other) / (2 * A);
        double apart = INFINITY;
        for (const Eigenvalue& one : found.eigenvalues) apart = std::min(apart, std::abs(one.value - expected));
        EXPECT_LT(apart, 1e-12 * (1 + std::abs(expected))) << n;
      }
    }
    EXPECT_EQ(found.verdict == Stability::unstable, n < critical) << n << found.because;
  }
  const VariedSpectrum varied = linearize_along(top(3), Along::parse("phi'=2:8:25"));
  ASSERT_EQ(varied.critical.size(), 1u);
  EXPECT_NEAR(varied.critical[0].value, critical, 1e-11);
}

// On a hoop that turns at the rate W: below, θ = 0 with λ² = W² − g/l; beyond W² = g/l also cos θ = g/(l W²) with λ² = −W² sin² θ, at rest
// relative to the hoop and held by the energy there.
TEST(ClosedForms, APendulumOnATurningHoop) {
  const auto hoop = [](double W, double theta) {
    return model(
        fmt::format("coordinates = ['theta']\nlagrangian = \"l^2/2*(theta'^2 + W^2*sin(theta)^2) + "
                    "g*l*cos(theta)\"\n[parameters]\nl = 0.7\ng = 9.81\nW = {}\n[initial]\ntheta = {}\n",
                    W, theta));
  };
  const double g = 9.81, l = 0.7, critical = std::sqrt(g / l);
  for (const double W : {1.0, 3.0, 4.0, 7.0}) {
    const Linearization below = linearize(hoop(W, 0));
    const Complex root = std::sqrt(Complex(W * W - g / l));
    EXPECT_LT(std::abs(std::abs(below.eigenvalues[0].value) - std::abs(root)), 1e-13) << W;
    EXPECT_EQ(below.verdict, W < critical ? Stability::stable : Stability::unstable) << W;
    if (W < critical) continue;
    const Linearization beside = linearize(hoop(W, 1), {"theta"});
    ASSERT_TRUE(beside.steady.certified);
    const double theta = std::acos(g / (l * W * W));
    EXPECT_NEAR(beside.steady.state.q[0], theta, 1e-13);
    EXPECT_LT(std::abs(std::abs(beside.eigenvalues[0].value.imag()) - W * std::sin(theta)), 1e-12) << W;
    EXPECT_EQ(beside.verdict, Stability::stable) << beside.because;
  }
  const VariedSpectrum varied = linearize_along(hoop(3, 0), Along::parse("W=1:7:13"));
  ASSERT_EQ(varied.critical.size(), 1u);
  EXPECT_NEAR(varied.critical[0].value, critical, 1e-12);
}

// Of two steady states that meet none is told by Newton's method: then there is no radius, however small the rates are, and no family.
TEST(ClosedForms, WithoutACertificateThereIsNoRadius) {
  const Linearization found = linearize(
      read_model("coordinates = ['x']\nlagrangian = \"x'^2/2 - (x - sqrt(2))^3/3\"\n[initial]\nx = 1.4\n", "meet.toml"),
      {"x"});
  EXPECT_FALSE(found.steady.certified);
  EXPECT_LT(found.steady.residual, 1e-12);
  ASSERT_EQ(found.eigenvalues.size(), 2u);
  for (const Eigenvalue& one : found.eigenvalues) EXPECT_FALSE(one.radius) << one.value;
  EXPECT_TRUE(found.families.empty());
  EXPECT_EQ(found.verdict, Stability::undecided);
}

// A disc on a circle is steady where (I₃ + m r²) φ' ψ' cos θ + … balances its weight, which is linear in g: for a uniform disc
// 4 g sin θ = −r ψ' (6 φ' cos θ + 5 ψ' sin θ cos θ) in these angles. A parameter that moves is certified as well.
TEST(ClosedForms, AParameterThatMovesIsCertified) {
  const Linearization found =
      linearize(gallery("rolling-disc", {"theta=0.5", "theta'=0", "psi'=0.7", "phi'=-10"}), {"g"});
  EXPECT_TRUE(found.steady.certified);
  ASSERT_EQ(found.steady.solved.size(), 1u);
  EXPECT_EQ(found.steady.solved[0].first, "g");
  // the same motion, with g given and another value moving
  const Linearization back = linearize(gallery("rolling-disc", {"theta=0.5", "theta'=0", "psi'=0.7", "phi'=-9",
                                                                "g=" + std::to_string(found.steady.solved[0].second)}),
                                       {"phi'"});
  EXPECT_NEAR(back.steady.state.v[4], -10, 1e-5);
  for (const Eigenvalue& one : found.eigenvalues) EXPECT_TRUE(one.radius) << one.value;
  EXPECT_EQ(found.zero, 2u);
  EXPECT_EQ(found.families.size(), 2u);
}

// x'' = −x + (1 − x² − x'²) x': the unit circle, beside which differences of r² decay with the mean rate −2 ⟨x'²⟩ = −1.
TEST(ClosedForms, LyapunovExponentsOfACircleToTheirSpread) {
  MotionOptions options;
  options.t_end = 300;
  options.cache = false;
  const LyapunovSpectrum found =
      lyapunov(model("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\nforces = {x = \"(1 - x^2 - x'^2)*x'\"}\n"
                     "[initial]\nx = 0.3\n"),
               options);
  ASSERT_EQ(found.exponents.size(), 2u);
  const double expected[] = {0, -1};
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(found.spread[i], 0.02) << i;
    EXPECT_LT(std::abs(found.exponents[i] - expected[i]), 3 * found.spread[i] + 1e-12) << i;
  }
}

}  // namespace
}  // namespace cetaev
