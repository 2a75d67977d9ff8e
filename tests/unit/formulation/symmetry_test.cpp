// Groups that textbooks name, found in models that do not.
#include "cetaev/formulation/symmetry.hpp"

#include <gmock/gmock.h>

#include <array>

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

// A body about a fixed point, with angles about three axes.
std::string turning_body(const std::string& angles, const std::string& inertia, const std::string& more = {}) {
  return "coordinates = [\"psi\", \"theta\", \"phi\"]\n" + more + "[frames]\nF = \"" + angles +
         "\"\n[[bodies]]\nname = \"body\"\nframe = \"F\"\nmass = 1\ncentre = \"[0, 0, 0]\"\ninertia = [" + inertia +
         "]\n[initial]\ntheta = 0.7\n";
}

TEST(Symmetry, ActsOnEulerAnglesFromBothSides) {
  for (const char* axes : {"zxz", "zyz", "xyx", "zyx", "xzy", "yxz"}) {
    SCOPED_TRACE(axes);
    std::string angles;
    for (int i = 0; i < 3; ++i)
      angles += std::string(i > 0 ? ", " : "") + axes[i] + ' ' + std::array{"psi", "theta", "phi"}[i];
    EXPECT_EQ(group(turning_body(angles, "1, 2, 3")), "SO(3)");
    // about two axes of the body the same: about the last axis it may turn, where its own angle shows that, or about another
    EXPECT_EQ(group(turning_body(angles, axes[2] == 'z'   ? "1, 1, 2"
                                         : axes[2] == 'y' ? "1, 2, 1"
                                                          : "2, 1, 1")),
              "SO(3) × SO(2)");
    EXPECT_EQ(group(turning_body(angles, "3, 3, 3")), "SO(3) × SO(3)");
    const Symmetry found = of(turning_body(angles, "1, 2, 3"));
    EXPECT_TRUE(found.ground.proved);
    EXPECT_EQ(found.fields.size(), 3u);
  }
}

TEST(Symmetry, OfATopIsLostToWeight) {
  EXPECT_EQ(group(turning_body("z psi, x theta, z phi", "1, 1, 2", "potential = \"cos(theta)\"\n")), "SO(2)^2");
  EXPECT_EQ(group(turning_body("z psi, x theta, z phi", "1, 2, 3", "potential = \"cos(theta)\"\n")), "SO(2)");
  // a weak field is one
  EXPECT_EQ(group(turning_body("z psi, x theta, z phi", "1, 2, 3", "potential = \"1e-6*cos(theta)\"\n")), "SO(2)");
}

TEST(Symmetry, OfTheSphereIsFoundWithoutFrames) {
  const auto on_sphere = [](const std::string& factor, const std::string& rest) {
    return "coordinates = [\"u\", \"v\"]\nlagrangian = \"(u'^2 + " + factor + "^2*v'^2)/2" + rest +
           "\"\n[initial]\nu = 0.6\n";
  };
  EXPECT_EQ(group(on_sphere("sin(u)", "")), "SO(3)");
  EXPECT_EQ(group(on_sphere("cos(u)", "")), "SO(3)");
  // what stands nowhere may be an angle or a length
  EXPECT_EQ(group(on_sphere("sin(u)", " - cos(u)")), "R");
  EXPECT_EQ(group(on_sphere("(1 + sin(u))", "")), "R");  // a surface of revolution
  EXPECT_EQ(group(on_sphere("sinh(u)", "")), "R");       // the hyperbolic plane, whose rotations are not looked for
  EXPECT_EQ(group("coordinates = [\"r\", \"u\", \"v\"]\n"
                  "lagrangian = \"(r'^2 + r^2*u'^2 + r^2*sin(u)^2*v'^2)/2 + 1/r\"\n[initial]\nr = 1\nu = 1\n"),
            "SO(3)");
}

// Neither the place nor the axis alone: a rod that a centre attracts turns with its orbit.
TEST(Symmetry, TurnsPlaceAndAxisTogether) {
  const std::string rod = R"toml(
coordinates = ["x", "y", "z", "u", "v"]
kinetic = "(x'^2 + y'^2 + z'^2 + u'^2 + sin(u)^2*v'^2)/2"
potential = "POTENTIAL"
[initial]
x = 1
u = 1
)toml";
  const auto with = [&](const std::string& potential) {
    std::string text = rod;
    return text.replace(text.find("POTENTIAL"), 9, potential);
  };
  EXPECT_EQ(group(with("(x*sin(u)*cos(v) + y*sin(u)*sin(v) + z*cos(u))^2 - 1/sqrt(x^2 + y^2 + z^2)")), "SO(3)");
  EXPECT_EQ(group(with("-1/sqrt(x^2 + y^2 + z^2)")), "SO(3) × SO(3)");
  EXPECT_EQ(group(with("0")), "SE(3) × SO(3)");
  EXPECT_EQ(group(with("(x*sin(u)*cos(v) + y*sin(u)*sin(v))^2 + z^2")), "SO(2)");
}

// The Lagrangian is the same after any turn; the torque about an axis of space is not, one along the angular velocity of the body is.
TEST(Symmetry, OfSpaceMovesForcesToo) {
  const auto with = [&](const std::string& forces) {
    return group("coordinates = [\"u\", \"v\"]\nlagrangian = \"(u'^2 + sin(u)^2*v'^2)/2\"\n" + forces +
                 "[initial]\nu = 0.6\n");
  };
  EXPECT_EQ(with("[forces]\nu = \"-c*u'\"\nv = \"-c*sin(u)^2*v'\"\n[parameters]\nc = 0.1\n"), "SO(3)");
  EXPECT_EQ(with("[forces]\nu = \"-c*u'\"\nv = \"-c*v'\"\n[parameters]\nc = 0.1\n"), "R");
  EXPECT_EQ(with("[forces]\nv = \"c\"\n[parameters]\nc = 0.1\n"), "R");
}

// A body whose named point is not its centre, two bodies, pendulums: as many angles as there are.
TEST(Symmetry, OfSpaceIsFoundAmongManyAngles) {
  const std::string off_centre = R"toml(
coordinates = ["x", "y", "z", "a", "b", "c"]
[frames]
F = "z a, x b, z c"
[[bodies]]
name = "B"
frame = "F"
mass = 1
centre = "[x, y, z] + F([0, 0, 0.3])"
inertia = [1, 2, 2.5]
[initial]
b = 1
)toml";
  EXPECT_EQ(group(off_centre), "SE(3)");
  const auto two_bodies = [](const std::string& potential) {
    return "coordinates = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]\npotential = \"" + potential + R"toml("
[frames]
F = "z a, x b, z c"
G = "x d, y e, z f"
[[bodies]]
name = "B"
frame = "F"
mass = 1
centre = "[0, 0, 0]"
inertia = [1, 2, 2.5]
[[bodies]]
name = "C"
frame = "G"
mass = 1
centre = "[0, 0, 0]"
inertia = [3, 2, 2.5]
[initial]
b = 1
)toml";
  };
  EXPECT_EQ(group(two_bodies("0")), "SO(3) × SO(3)");
  EXPECT_EQ(group(two_bodies("dot(F([1, 0, 0]), G([0, 1, 0]))")), "SO(3)");
  EXPECT_EQ(group(two_bodies("F([0, 0, 1]).z")), "SO(3) × SO(2)");
  const auto pendulums = [](const std::string& potential) {
    return "coordinates = [\"u\", \"v\", \"w\", \"a\", \"b\", \"c\"]\npotential = \"" + potential +
           "\"\nkinetic = \"(u'^2 + sin(u)^2*a'^2 + v'^2 + sin(v)^2*b'^2 + w'^2 + cos(w)^2*c'^2)/2\"\n[initial]\nu = "
           "1\nv = 2\n";
  };
  EXPECT_EQ(group(pendulums("0")), "SO(3) × SO(3) × SO(3)");
  EXPECT_EQ(group(pendulums("sin(u)*sin(v)*cos(a - b) + cos(u)*cos(v)")), "SO(3) × SO(3)");
  // turns about one axis, and half a turn for another's
  EXPECT_EQ(group(pendulums("sin(u)*sin(v)*cos(a - 2*b) + cos(u)*cos(v)")), "SO(3) × SO(2)");
}

TEST(Symmetry, OfBothSidesIsKeptByEvenDamping) {
  EXPECT_EQ(group(turning_body("z psi, x theta, z phi", "2, 2, 2", "dissipation = \"dot(omega(F), omega(F))/2\"\n")),
            "SO(3) × SO(3)");
  EXPECT_EQ(group(turning_body("z psi, x theta, z phi", "1, 2, 3", "dissipation = \"dot(omega(F), omega(F))/2\"\n")),
            "SO(3)");
}

// Two equal masses turn about their centre, and the centre in space; the three turns of the first do not move the other.
TEST(Symmetry, OfTwoEqualMassesIsThatOfTheirCentreAndOfTheirDistance) {
  EXPECT_EQ(group(R"toml(
coordinates = ["x", "y", "z", "u", "v", "w"]
lagrangian = "(x'^2 + y'^2 + z'^2 + u'^2 + v'^2 + w'^2)/2 - ((x - u)^2 + (y - v)^2 + (z - w)^2)^2"
[initial]
x = 1
)toml"),
            "SE(3) × SO(3)");
}

// Of a group that is larger than what is found no part is called by the name of a group that it is not.
TEST(Symmetry, IsAGroup) {
  EXPECT_EQ(group("coordinates = [\"a\", \"u\", \"v\"]\n"
                  "lagrangian = \"(a'^2 + sin(a)^2*(u'^2 + sin(u)^2*v'^2))/2\"\n[initial]\na = 1\nu = 1\n"),
            "SO(3)");
}

}  // namespace
}  // namespace cetaev
