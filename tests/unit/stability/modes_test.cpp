// Eigenvectors as modes, held against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/model/read.hpp"
#include "cetaev/stability/linearize.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

Linearization about(const std::string& text) { return linearize(read_model(text, "modes.toml")); }

const Mode::Part& part(const Mode& mode, const std::string& name) {
  const auto found = std::ranges::find(mode.parts, name, &Mode::Part::name);
  EXPECT_NE(found, mode.parts.end()) << name << " in " << mode.name;
  return found == mode.parts.end() ? mode.parts.front() : *found;
}

// Two equal masses on strings of equal length: ω² = (2 ± √2) g/l, and the lower one swings √2 as far, with the upper one or against it.
TEST(Modes, OfADoublePendulumSwingTogetherOrAgainstEachOther) {
  const Linearization found =
      about("coordinates = ['a', 'b']\nlagrangian = \"a'^2 + b'^2/2 + a'*b'*cos(a - b) + 9.81*(2*cos(a) + cos(b))\"\n");
  ASSERT_EQ(found.modes.size(), 2u);
  for (const auto& [mode, sign] : {std::pair(found.modes[0], 1), std::pair(found.modes[1], -1)}) {
    EXPECT_NEAR(mode.value.imag(), std::sqrt((2 + sign * std::sqrt(2.0)) * 9.81), 1e-12);
    EXPECT_NEAR(part(mode, "a").size, std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(std::abs(part(mode, "a").ahead), sign > 0 ? 180 : 0, 1e-5);
    EXPECT_EQ(mode.name, "b and a");
    EXPECT_EQ(mode.multiplicity, 1u);
  }
}

// x'' + x = 0 drives y'' + y = x at its own frequency: the pair is double and has one direction, in which y moves alone.
TEST(Modes, SayWhereTwoEigenvaluesHaveOneDirection) {
  const Linearization found =
      about("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2 - x^2 - y^2)/2\"\n[forces]\ny = 'x'\n");
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_EQ(found.modes[0].multiplicity, 2u);
  EXPECT_EQ(found.modes[0].directions, 1u);
  EXPECT_EQ(found.modes[0].name, "y");
  EXPECT_THAT(found.modes[0].meaning, HasSubstr("a power of time"));
}

// Without it both move as they please.
TEST(Modes, OfEqualOscillatorsAreAsManyAsThereAre) {
  const Linearization found = about("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2 - x^2 - y^2)/2\"\n");
  ASSERT_EQ(found.modes.size(), 2u);
  for (const Mode& mode : found.modes) EXPECT_EQ(mode.directions, 2u);
  EXPECT_NE(found.modes[0].name, found.modes[1].name);
}

// A ζ = λ ζ: with c = 0.4 and k = 1 a damped oscillator turns its velocity ahead of its position by the angle of λ.
TEST(Modes, HaveTheirTimes) {
  const Linearization found =
      about("coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\n[forces]\nx = \"-0.4*x'\"\n");
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_EQ(found.modes[0].name, "x");
  EXPECT_THAT(found.modes[0].meaning, HasSubstr("falls to half in 3.466"));  // ln 2/0.2
  EXPECT_THAT(found.modes[0].meaning, HasSubstr("period 6.413"));            // 2 π/√0.96
}

// The disc on a circle has another circle for every other rate of its two.
TEST(Modes, OfAFamilyAreOtherSteadyMotions) {
  const Linearization found =
      linearize(read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/rolling-disc-steady.toml"));
  ASSERT_EQ(found.modes.size(), 3u);
  EXPECT_THAT(found.modes[1].meaning, HasSubstr("another steady motion"));
  EXPECT_THAT(found.modes[2].meaning, HasSubstr("another steady motion"));
  // (A − λ) ζ = 0 for the one that wobbles: θ' leads θ by a quarter, and ψ' follows θ'
  const Mode& wobble = found.modes[0];
  EXPECT_NEAR(std::abs(part(wobble, "theta").ahead), 90, 1e-5);
}

}  // namespace
}  // namespace cetaev
