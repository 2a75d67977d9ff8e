// Groups that textbooks name, found in models that do not.
#include "cetaev/formulation/symmetry.hpp"

#include <gmock/gmock.h>

#include "cetaev/model/read.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

Symmetry of(const std::string& text) {
  const System system = scratch_model(text, "case.toml");
  OnSet set(system);
  return symmetry(set, Terms(system));
}

std::string group(const std::string& text) { return of(text).group; }

const std::string sleigh = R"toml(
coordinates = ["x", "y", "phi"]
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
kinetic = "J/2*phi'^2"
[[points]]
mass = "m"
position = ["x + a*cos(phi)", "y + a*sin(phi)", 0]
[parameters]
m = 1
J = 2
a = 0.5
)toml";

TEST(Symmetry, OfTheSleighIsThatOfThePlane) {
  const Symmetry found = of(sleigh);
  EXPECT_EQ(found.group, "SE(2)");
  EXPECT_TRUE(found.ground.proved);
  ASSERT_EQ(found.fields.size(), 3u);
  EXPECT_FALSE(found.fields[0].is_shift());
  EXPECT_TRUE(found.fields[0].shift[2].is_one());  // the heading turns with the place
  EXPECT_TRUE(found.fields[1].is_shift() && found.fields[2].is_shift());
}

// Constraints of a vector turn into each other: proved, though the set has no formula that could be put in.
TEST(Symmetry, OfAVehicleIsThatOfThePlane) {
  const System bicycle =
      read_model_file(std::string(CETAEV_SOURCE_DIR) + "/tests/unit/stability/bicycle.toml").scratch();
  OnSet set(bicycle);
  const Symmetry found = symmetry(set, Terms(bicycle));
  EXPECT_EQ(found.group, "SE(2) × R^2");
  EXPECT_TRUE(found.ground.proved);
}

TEST(Symmetry, OfTheSleighIsLostToWindAndKeptWithAThrust) {
  // a force along x shifts with the plane and does not turn with it
  EXPECT_EQ(group(sleigh + "[forces]\nx = 3\n"), "R^2");
  // along the blade it does
  EXPECT_EQ(group(sleigh + "[forces]\nx = \"3*cos(phi)\"\ny = \"3*sin(phi)\"\n"), "SE(2)");
  EXPECT_EQ(group(sleigh + "[forces]\nx = \"3*cos(phi)\"\ny = \"-3*sin(phi)\"\n"), "R^2");
}

TEST(Symmetry, IsThatOfTheSetNotOfTheFunctions) {
  // neither equation of rolling is the same after a turn; both together are
  EXPECT_EQ(group(R"toml(
coordinates = ["x", "y", "psi", "phi"]
lagrangian = "(x'^2 + y'^2 + psi'^2 + phi'^2)/2"
constraints = ["x' = r*phi'*cos(psi)", "y' = r*phi'*sin(psi)"]
[parameters]
r = 0.3
)toml"),
            "SE(2) × R");
}

TEST(Symmetry, HoldsWhateverTheParametersAre) {
  // without weight it would be that of a sphere
  EXPECT_EQ(group(R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - g*z"
constraints = ["x^2 + y^2 + z^2 = 1"]
[parameters]
g = 0
[initial]
z = -1
)toml"),
            "SO(2)");
}

TEST(Symmetry, OfCentralForcesAndOfFreeBodiesIsThatOfSpace) {
  const std::string planet = R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 POTENTIAL"
[initial]
x = 1
)toml";
  const auto with = [&](const std::string& potential) {
    std::string text = planet;
    return text.replace(text.find("POTENTIAL"), 9, potential);
  };
  EXPECT_EQ(group(with("+ 1/sqrt(x^2 + y^2 + z^2)")), "SO(3)");
  EXPECT_EQ(group(with("")), "SE(3)");
  EXPECT_EQ(group(with("- z")), "SE(2)");
  EXPECT_EQ(group(with("+ 1/sqrt(2*x^2 + y^2 + z^2)")), "SO(2)");
  EXPECT_EQ(group(with("+ x*y*z + x^2 + y^3")), "");
}

TEST(Symmetry, ActsOnQuaternionsFromBothSides) {
  // a ball with inertia A, A, C and nothing else: turned in space, and about its own axis
  const std::string body = R"toml(
coordinates = ["e0", "e1", "e2", "e3"]
[frames]
ball = "quaternion e0 e1 e2 e3"
[[bodies]]
name = "body"
frame = "ball"
mass = 1
centre = "[0, 0, 0]"
inertia = [INERTIA]
[initial]
e0 = 1
)toml";
  const auto with = [&](const std::string& inertia) {
    std::string text = body;
    return text.replace(text.find("INERTIA"), 7, inertia);
  };
  EXPECT_EQ(group(with("1, 1, 2")), "SO(3) × SO(2)");
  EXPECT_EQ(group(with("1, 2, 3")), "SO(3)");
  EXPECT_EQ(group(with("1, 1, 1")), "SO(4)");
}

}  // namespace
}  // namespace cetaev
