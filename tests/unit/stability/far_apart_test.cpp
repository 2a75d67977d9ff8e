// Modes whose rates are many powers of ten apart, in coordinates that mix them, in any unit of time: against the closed forms of the modes.
//
// u'' + 2 d u' + k u = 0 for every mode u, and q = S u with an integer matrix S of determinant one: λ = −d ± √(d² − k), exactly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/stability/chart.hpp"
#include "cetaev/stability/linearize.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

using Complex = std::complex<double>;

struct ModeOf {
  double d, k;
  std::array<Complex, 2> roots() const {
    const Complex root = std::sqrt(Complex(d * d - k));
    // without cancellation where one of them is small
    if (root.imag() != 0 || d == 0) return {-d + root, -d - root};
    const double large = -d - std::copysign(root.real(), d);
    return {large, k / large};
  }
};

// Linear forms u_i in q0 … with integer coefficients whose inverse is of integers, too.
std::vector<std::string> mixed(Random& random, std::size_t n) {
  std::vector<std::vector<long>> rows(n, std::vector<long>(n));
  for (std::size_t i = 0; i < n; ++i) rows[i][i] = 1;
  for (std::size_t step = 0; step < 3 * n; ++step) {
    const auto i = static_cast<std::size_t>(random.uniform(0, static_cast<double>(n))) % n;
    const std::size_t j = (i + 1 + static_cast<std::size_t>(random.uniform(0, static_cast<double>(n - 1)))) % n;
    if (i == j) continue;
    const long factor = random.uniform(0, 1) < 0.5 ? 1 : -1;
    for (std::size_t c = 0; c < n; ++c) rows[i][c] += factor * rows[j][c];
  }
  std::vector<std::string> result;
  for (const auto& row : rows) {
    std::string text = "0";
    for (std::size_t c = 0; c < n; ++c)
      if (row[c] != 0) text += fmt::format(" + ({})*q{}", row[c], c);
    result.push_back(text);
  }
  return result;
}

std::string dotted(std::string form) {
  for (std::size_t at = 0; (at = form.find('q', at)) != std::string::npos; at += 2) form.insert(at + 2, "'");
  return form;
}

// The first mode has the parameters d0 and k0, so that they can be varied.
std::string text_of(const std::vector<ModeOf>& modes, const std::vector<std::string>& forms) {
  std::string L, forces, names;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    names += fmt::format("{}'q{}'", i == 0 ? "" : ", ", i);
    const std::string k = i == 0 ? "k0" : fmt::format("({:.17g})", modes[i].k);
    L += fmt::format(" + ({})^2/2 - {}*({})^2/2", dotted(forms[i]), k, forms[i]);
  }
  for (std::size_t j = 0; j < modes.size(); ++j) {
    forces += fmt::format("q{} = \"0", j);
    for (std::size_t i = 0; i < modes.size(); ++i) {
      // ∂u_i/∂q_j stands before q_j in the form
      const std::string mark = fmt::format(")*q{}", j);
      const std::size_t end = forms[i].find(mark);
      if (end == std::string::npos) continue;
      const std::size_t begin = forms[i].rfind('(', end);
      const std::string d = i == 0 ? "d0" : fmt::format("({:.17g})", modes[i].d);
      forces += fmt::format(" - 2*{}*({})*{})", d, dotted(forms[i]), forms[i].substr(begin, end - begin));
    }
    forces += "\"\n";
  }
  return fmt::format("coordinates = [{}]\nlagrangian = \"0{}\"\n[forces]\n{}[parameters]\nd0 = {:.17g}\nk0 = {:.17g}\n",
                     names, L, forces, modes[0].d, modes[0].k);
}

void expect_spectrum(std::vector<Complex> expected, std::vector<Complex> found, const std::string& where) {
  ASSERT_EQ(expected.size(), found.size()) << where;
  for (const Complex value : expected) {
    const auto nearest =
        std::ranges::min_element(found, {}, [&](Complex other) { return std::abs(other - value) / std::abs(value); });
    EXPECT_LT(std::abs(*nearest - value), 1e-9 * std::abs(value)) << where << value;
    found.erase(nearest);
  }
}

class FarApart : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(UnitsOfTime, FarApart, testing::Values(1.0, 1e-6, 1e5, 1e-100, 1e90));

TEST_P(FarApart, VerdictsAndEigenvaluesAreThoseOfTheModes) {
  const double rate = GetParam();
  for (const std::uint64_t number : seeds(12).all()) {
    Random random(number);
    const std::size_t n = 2 + number % 2;
    std::vector<ModeOf> modes;
    for (std::size_t i = 0; i < n; ++i) {
      const double size = rate * std::pow(10, std::round(random.uniform(-5, 5)));
      // nothing, damped a little or much, or driven
      const double part =
          number % 4 == 0 ? 0 : std::pow(10, -random.uniform(0, 9)) * (i == 0 && number % 3 == 0 ? -1 : 1);
      modes.push_back({part * size, size * size});
    }
    const System system = read_model(text_of(modes, mixed(random, n)), "modes.toml");
    const Linearization found = linearize(system);
    std::vector<Complex> expected, values;
    bool grows = false, decays = true;
    for (const ModeOf& mode : modes) {
      for (const Complex root : mode.roots()) expected.push_back(root);
      grows = grows || mode.d < 0;
      decays = decays && mode.d > 0;
    }
    for (const Eigenvalue& one : found.eigenvalues) {
      values.push_back(one.value);
      EXPECT_TRUE(one.radius) << number;
    }
    const std::string where = fmt::format("system {} with rates of {}: ", number, rate);
    expect_spectrum(expected, values, where);
    EXPECT_EQ(found.zero, 0u) << where;
    EXPECT_EQ(found.verdict, grows    ? Stability::unstable
                             : decays ? Stability::asymptotically_stable
                                      : Stability::stable)
        << where << found.because;
    std::size_t directions = 0;
    for (const Mode& mode : found.modes) {
      directions += mode.value.imag() != 0 ? 2 : 1;
      EXPECT_EQ(mode.meaning.find("stays"), std::string::npos) << where << mode.meaning;
    }
    EXPECT_GE(directions, n) << where;
  }
}

// Damping that changes its sign, and stiffness that does: Hopf and zero, at zero, whatever stands beside them.
TEST_P(FarApart, CriticalValuesAndChartsAreThoseOfTheModes) {
  const double rate = GetParam();
  for (const std::uint64_t number : seeds(6).all()) {
    Random random(number);
    const double slow = rate, fast = rate * std::pow(10, static_cast<double>(2 + number % 4));
    const bool slow_first = number % 2 == 0;
    const ModeOf own = {0.01 * (slow_first ? slow : fast), std::pow(slow_first ? slow : fast, 2)};
    const ModeOf other = {0.02 * (slow_first ? fast : slow), std::pow(slow_first ? fast : slow, 2)};
    const System system = read_model(text_of({own, other}, mixed(random, 2)), "modes.toml");
    const std::string where = fmt::format("system {} with rates of {}: ", number, rate);
    const VariedSpectrum damping = linearize_along(system, {"d0", -own.d, 2 * own.d, 6});
    ASSERT_EQ(damping.critical.size(), 1u) << where;
    EXPECT_LT(std::abs(damping.critical[0].value), 1e-12 * own.d) << where;
    EXPECT_EQ(damping.critical[0].kind, VariedSpectrum::Critical::Kind::hopf) << where;
    EXPECT_NEAR(damping.critical[0].eigenvalue.imag() / std::sqrt(own.k), 1, 1e-9) << where;
    const VariedSpectrum stiffness = linearize_along(system, {"k0", -0.7 * own.k, own.k, 8});
    ASSERT_EQ(stiffness.critical.size(), 1u) << where;
    EXPECT_LT(std::abs(stiffness.critical[0].value), 1e-12 * own.k) << where;
    EXPECT_EQ(stiffness.critical[0].kind, VariedSpectrum::Critical::Kind::zero) << where;
    const StabilityChart chart =
        stability_chart(system, {Along{"d0", -own.d, own.d, 4}, Along{"k0", -own.k, own.k, 4}});
    EXPECT_EQ(chart.zero, 0u) << where;
    for (std::size_t i = 0; i < chart.places.size(); ++i) {
      const auto [d, k] = chart.at(i);
      ASSERT_TRUE(chart.places[i].has_values()) << where;
      EXPECT_EQ(chart.places[i].growing, k < 0 ? 1u : d < 0 ? 2u : 0u) << where << d << " " << k;
      double growth = -other.d;
      for (const Complex root : ModeOf{d, k}.roots()) growth = std::max(growth, root.real());
      EXPECT_NEAR(chart.places[i].growth / growth, 1, 1e-6) << where << d << " " << k;
    }
  }
}

// Two frequencies that pass each other stay on the axis: no collision, on the values that are computed or between them.
TEST(FarApartTogether, FrequenciesThatPassEachOtherDoNotCollide) {
  for (const std::uint64_t number : seeds(8).all()) {
    Random random(number);
    const double w = std::pow(10, static_cast<double>(number % 5) - 2);
    const System system = read_model(text_of({{0, 1}, {0, w * w}}, mixed(random, 2)), "pass.toml");
    const VariedSpectrum varied =
        linearize_along(system, {"k0", 0.5 * w * w, 1.5 * w * w, number % 2 == 0 ? 11u : 10u});
    EXPECT_TRUE(varied.critical.empty()) << number << " at " << varied.critical[0].value;
    for (const auto& spectrum : varied.eigenvalues)
      for (const Complex value : spectrum) EXPECT_EQ(value.real(), 0) << number;
  }
}

}  // namespace
}  // namespace cetaev
