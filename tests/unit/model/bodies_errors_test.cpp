// Mistakes in frames, bodies, contacts, loads and outputs: what is wrong, where, and what was meant.
#include "refuses.hpp"

namespace cetaev {
namespace {

constexpr auto bad = ErrorCode::bad_model;
constexpr auto unknown = ErrorCode::unknown_name;

// A disc on the ground, with other words in it.
std::string disc(const std::string& frames, const std::string& body, const std::string& contact,
                 const std::string& more = "") {
  return "coordinates = [\"x\", \"y\", \"z\", \"psi\", \"theta\", \"phi\"]\n[parameters]\nm = 1\nr = 0.5\n[frames]\n" +
         frames + "\n[[bodies]]\nname = \"disc\"\n" + body + "\n" +
         (contact.empty() ? "" : "[[contacts]]\nname = \"touch\"\n") + contact + "\n" + more;
}
const std::string lean = "lean = \"z psi, x theta\"\nwheel = \"lean, y phi\"";
const std::string round_body =
    "frame = \"wheel\"\nmass = \"m\"\ncentre = \"[x, y, z]\"\nuniform = {disc = \"r\", axis = \"y\"}";
const std::string rolls = "body = \"disc\"\nwheel = {radius = \"r\", axle = \"y\"}";
const std::string upright = "[initial]\nz = 0.4\ntheta = 0.1\n";

// The coordinate or velocity that may not stand there comes from a frame, and not from a name in the text.
TEST(BodyErrors, WhatComesFromFrames) {
  refuses(disc(lean, round_body, "body = \"disc\"\nwheel = {radius = \"r\", axle = \"¶lean.x\"}", upright), bad,
          "'axle' of 'wheel' of contact 'touch' contains the coordinate psi; it may contain parameters");
  refuses(disc(lean, round_body, rolls, upright + "[[loads]]\ntorque = \"¶omega(lean)'\"\non = \"disc\""), bad,
          "the torque of load 1 contains the acceleration psi''; it may contain coordinates, velocities, the time and "
          "parameters");
  refuses(disc(lean + "\nfurther = \"z ¶omega(lean).z\"", round_body, rolls, upright), bad,
          "an angle of the frame 'further' contains the velocity psi'; it may contain coordinates, the time and "
          "parameters");
}

TEST(BodyErrors, DissipationWithoutVelocities) {
  refuses("coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\ndissipation = ¶\"x^2\"\n", bad,
          "the dissipation does nothing: there are no velocities in it, and its forces are its derivatives by these; "
          "damping of a coordinate is c*x'^2/2, what has an energy belongs into 'potential'");
}

TEST(BodyErrors, BodiesWithoutNamesHaveNumbers) {
  refuses(
      "coordinates = [\"x\"]\n[[bodies]]\nframe = \"¶turned\"\nmass = 1\ncentre = \"[x, 0, 0]\"\ninertia = [1, 1, 1]\n",
      bad, "'frame' of body 1: there is no frame 'turned'");
}

// A wheel that rolls as its coordinates say has no multiplier along its way, whatever drives it.
TEST(BodyErrors, ReactionsThatCoordinatesHide) {
  const std::string wheel =
      "[frames]\nF = \"y phi\"\n[[bodies]]\nname = \"d\"\nframe = \"F\"\nmass = 2\nuniform = {disc = 0.5, axis = "
      "\"y\"}\n";
  const std::string touch =
      "[[contacts]]\nname = \"touch\"\nbody = \"d\"\nwheel = {radius = 0.5, axle = \"y\"}\n"
      "[initial]\nz = 0.5\n[outputs]\nf = \"¶touch.force\"\n";
  const auto known_in_part = [](const std::string& part) {
    return "the reaction at 'touch' is known in part, " + part +
           ": for the rest the coordinates keep the contact touching or rolling by themselves, so that no multiplier "
           "belongs to it, and it may not be all that holds its body; give the height, or the way it rolls, a "
           "coordinate of its own";
  };
  const std::string weight = "gravity = [\"0\", \"0\", \"-9.81\"]\n";
  refuses("coordinates = [\"phi\", \"z\"]\n" + weight + wheel + "centre = \"[0.5*phi, 0, z]\"\n" + touch, bad,
          known_in_part("touch.force.z"));
  const auto free = [&](const std::string& gravity) {
    return "coordinates = [\"phi\", \"x\", \"z\"]\n" + gravity + wheel + "centre = \"[x, 0, z]\"\n" + touch;
  };
  refuses(free("gravity = [\"0\", \"3\", \"-9.81\"]\n"), bad, known_in_part("touch.force.x and touch.force.z"));
  std::string known = free(weight);
  known.erase(known.find("¶"), std::string_view("¶").size());
  EXPECT_NO_THROW(read_model(known, "wheel.toml"));
}

TEST(BodyErrors, Frames) {
  refuses(disc("lean = \"¶yew, x theta\"\nyaw = \"z psi\"", round_body, rolls), bad,
          "the frame 'lean': there is no frame 'yew'", "yaw");
  refuses(disc("a = \"b, x theta\"\nb = \"¶a, z psi\"\nwheel = \"a\"", round_body, rolls), bad,
          "defined in a circle: a → b → a");
  refuses(disc("a = \"z ¶Q\"\nwheel = \"a\"", round_body, rolls), unknown, "unknown name 'Q'");
  refuses(disc("wheel = \"z psi, ¶theta\"", round_body, rolls), bad,
          "the frame 'wheel': 'theta' is no turn; a turn is an axis x, y or z and an angle, as in \"z psi, x theta\", "
          "behind the frame it "
          "starts from");
  refuses(disc("wheel = \"z psi,¶\"", round_body, rolls), bad,
          "the frame 'wheel' has an empty turn: a turn is an axis x, y or z and an angle, as in \"z psi, x theta\", "
          "behind the frame it "
          "starts from");
  refuses(
      disc("wheel = \"z ¶psi'\"", round_body, rolls), bad,
      "an angle of the frame 'wheel' contains the velocity psi'; it may contain coordinates, the time and parameters");
  refuses(disc("wheel = \"z ¶[psi, 0, 0]\"", round_body, rolls), bad,
          "a vector where a scalar is needed: an angle of the frame 'wheel'");
  refuses(disc("¶ground = \"z psi\"", round_body, rolls), bad, "'ground' is always there and cannot be turned");
  refuses(disc("¶psi = \"z psi\"", round_body, rolls), bad, "'psi' cannot be the name of a frame: it is a coordinate");
  refuses(disc("wheel = {from = \"ground\", axis = \"¶[0, 0, 0]\", angle = \"psi\"}", round_body, rolls), bad,
          "the axis of the frame 'wheel' has no direction: its length is zero");
  refuses(disc("wheel = {axis = \"¶[m - m, 0, sin(r)^2 + cos(r)^2 - 1]\", angle = \"psi\"}", round_body, rolls), bad,
          "the axis of the frame 'wheel' has no direction: its length is zero");
  refuses(disc("wheel = {axis = \"¶[0, sin(pi*m), m - 2*r]\", angle = \"psi\"}", round_body, rolls), bad,
          "the axis of the frame 'wheel' has no direction: its length is zero for these values of the parameters");
  EXPECT_NO_THROW(read_model(
      disc("wheel = {axis = \"[m - 2*r, 0, 1e-30*m]\", angle = \"psi\"}", round_body, rolls, upright), "disc.toml"));
  refuses(disc("wheel = {axis = \"[0, ¶psi, 1]\", angle = \"psi\"}", round_body, rolls), bad,
          "the axis of the frame 'wheel' contains the coordinate psi; it may contain parameters");
  refuses(disc("wheel = ¶{axis = \"x\"}", round_body, rolls), bad, "the frame 'wheel' has no 'angle'");
  refuses(disc("wheel = \"¶quaternion x y z\"", round_body, rolls), bad,
          "a quaternion is made of four coordinates, as in \"quaternion e0 e1 e2 e3\"; found 3");
  refuses(disc("wheel = \"quaternion x y z ¶thetta\"", round_body, rolls), bad,
          "'thetta' in a quaternion is not a coordinate", "theta");
  refuses(disc("wheel = \"quaternion x y z ¶x\"", round_body, rolls), bad, "'x' stands twice in a quaternion");
}

TEST(BodyErrors, ExpressionsOfFrames) {
  const auto defined = [](const std::string& expression) {
    return disc(lean, round_body, "", "[definitions]\nd = \"" + expression + "\"\n");
  };
  refuses(defined("2*¶lean"), bad,
          "'lean' is a frame: its axes are lean.x, .y and .z, and a vector in it is lean([a, b, c])");
  refuses(defined("¶lean([1, 2, 3], 4)"), bad,
          "a vector in the frame 'lean' is written lean([a, b, c]): one argument, found 2");
  refuses(defined("lean(¶psi)"), bad, "a scalar where a vector is needed: the components in the frame 'lean'");
  refuses(defined("omega(¶psi)"), bad, "the argument of omega is the name of a frame or of a body");
  refuses(defined("¶omega(lean, wheel, lean)"), bad, "omega takes a frame, or two: omega(F, G), found 3");
  refuses(defined("¶components([1, 2, 3])"), bad, "components takes a vector and a frame: components(v, F), found 1");
  refuses(defined("components(¶x, lean)"), bad, "a scalar where a vector is needed: the argument of components");
  refuses(defined("¶leam([1, 2, 3])"), unknown, "unknown function 'leam'");
}

TEST(BodyErrors, Bodies) {
  const auto with = [](const std::string& body) { return disc(lean, body, ""); };
  const std::string start = "frame = \"wheel\"\nmass = \"m\"\ncentre = \"[x, y, z]\"\n";
  refuses(with("frame = \"¶wheels\"\nmass = 1\ncentre = \"[x, y, z]\"\ninertia = [1, 1, 1]"), bad,
          "'frame' of body 'disc': there is no frame 'wheels'", "wheel");
  refuses("coordinates = [\"x\"]\n¶[[bodies]]\nname = \"B\"\nmass = 1\ninertia = [1, 1, 1]", bad,
          "body 'B' has no 'centre', the place of its centre of mass");
  refuses("coordinates = [\"x\"]\n¶[[bodies]]\nname = \"B\"\nmass = 1\ncentre = \"[x, 0, 0]\"", bad,
          "body 'B' has neither 'inertia' nor 'uniform'; a body without extent is one of [[points]]");
  refuses(with(start + "¶center = \"[x, y, z]\"\ninertia = [1, 1, 1]"), bad, "unknown key 'center' in [[bodies]]",
          "centre");
  refuses(with(start + "inertia = ¶[1, 1, 3]"), bad,
          "no body has this inertia: a moment of inertia of body 'disc' exceeds the sum of the other two, 3 > 1 + 1");
  refuses(with(start + "inertia = ¶[1, \"-m\", 1]"), bad,
          "no body has this inertia: a moment of inertia of body 'disc' is negative, -1");
  refuses(with(start + "inertia = ¶[2, 2, 2, 0, 0, 1.5]"), bad,
          "no body has this inertia: a principal moment of inertia of body 'disc' exceeds the sum of the other two, "
          "3.5 > 0.5 + 2");
  refuses(with(start + "inertia = ¶[1, 2]"), bad,
          "'inertia' of body 'disc' has three entries, xx, yy, zz, or six, with xy, yz, xz behind them; found 2");
  refuses(with(start + "inertia = [1, 1, 1]\n¶uniform = {ball = \"r\"}"), bad,
          "body 'disc' has both 'inertia' and 'uniform': one says it all");
  refuses(with(start + "uniform = {¶bal = \"r\"}"), bad, "unknown key 'bal' of 'uniform' of body 'disc'", "ball");
  refuses(with(start + "uniform = {ball = \"r\", ¶rod = \"r\"}"), bad,
          "'uniform' of body 'disc' has two shapes, ball and rod");
  refuses(with(start + "uniform = ¶{disc = \"r\"}"), bad, "'uniform' of body 'disc' has no 'axis': x, y or z");
  refuses(with(start + "uniform = {disc = ¶-1, axis = \"y\"}"), bad,
          "a negative length in 'uniform' of body 'disc': -1");
  refuses(with(start + "uniform = {disc = \"r\", axis = ¶\"w\"}"), bad,
          "'axis' of 'uniform' of body 'disc' must be \"x\", \"y\" or \"z\"");
  refuses(with("frame = \"wheel\"\nmass = ¶-2\ncentre = \"[x, y, z]\"\ninertia = [1, 1, 1]"), bad,
          "the mass of body 'disc' is negative: -2");
  refuses("coordinates = [\"x\"]\nlagrangian = \"x'^2\"\n¶gravity = [0, 0, -1]\n", bad,
          "'gravity' beside 'lagrangian': the Lagrangian says already what the energies are");
}

TEST(BodyErrors, Contacts) {
  const auto with = [](const std::string& contact, const std::string& initial = upright) {
    return disc(lean, round_body, contact, initial);
  };
  refuses(with("body = \"¶disk\"\nwheel = {radius = \"r\", axle = \"y\"}"), bad,
          "contact 'touch': there is no body 'disk'", "disc");
  refuses(with("body = \"disc\"\n¶wheel = {radius = \"r\", axle = \"y\"}", "[initial]\nz = 0.1\ntheta = \"pi/2\"\n"),
          bad,
          "the wheel of contact 'touch' lies flat on the ground at the start: it has no lowest point there; give its "
          "lean in [initial]");
  const std::string below = disc(lean, round_body, rolls, "[initial]\nz = -0.25\n");
  const std::size_t at = below.find("[[contacts]]");
  refuses(below.substr(0, at) + "¶" + below.substr(at), bad,
          "contact 'touch' is on the wrong side: the centre of 'disc' is 0.25 below the ground at the start");
  const std::string own =
      "', which turns with 'disc' itself: it cannot roll on a plane of its own; give the frame of what it touches, or "
      "leave 'on' out for the ground";
  refuses(with("body = \"disc\"\nball = {radius = \"r\"}\non = {frame = ¶\"wheel\"}"), bad,
          "'on' of contact 'touch' is the frame 'wheel" + own);
  refuses(disc(lean + "\nside = \"wheel, x 1/2\"\n", round_body,
               "body = \"disc\"\nball = {radius = \"r\"}\non = {frame = ¶\"side\"}", upright),
          bad, "'on' of contact 'touch' is the frame 'side" + own);
  refuses(with("body = \"disc\"\nball = {radius = ¶-1}"), bad,
          "'radius' of 'ball' of contact 'touch' is not positive: -1");
  refuses(with("body = \"disc\"\nball = {radius = \"r + ¶z\"}"), bad,
          "'radius' of 'ball' of contact 'touch' contains the coordinate z; it may contain parameters");
  refuses(
      with("body = \"disc\"\nwheel = {radius = \"r\", axle = \"¶[m - 1, 0, 0]\"}"), bad,
      "'axle' of 'wheel' of contact 'touch' has no direction: its length is zero for these values of the parameters");
  refuses(with("body = \"disc\"\nellipsoid = {axes = [1, 2, \"1 + ¶t\"]}"), bad,
          "'axes' of 'ellipsoid' of contact 'touch' contains the time t; it may contain parameters");
  refuses(with("body = \"disc\"\nball = ¶{}"), bad, "'ball' of contact 'touch' has no 'radius'");
  refuses(with("body = \"disc\"\nball = {radius = 1}\n¶tyre = {radius = 1, crown = 1, axle = \"y\"}"), bad,
          "contact 'touch' has two shapes, ball and tyre");
  refuses(with(rolls + "\nkind = \"¶roling\""), bad, "unknown kind 'roling'; there are rolling, rubber, sliding",
          "rolling");
  refuses(with(rolls + "\non = {frame = \"¶tabel\", point = \"[0, 0, 0]\"}"), bad,
          "'on' of contact 'touch': there is no frame 'tabel'");
  refuses(with(rolls + "\non = ¶{point = \"[0, 0, 0]\"}"), bad,
          "'on' of contact 'touch' has neither a 'normal' nor a 'frame': one of them says how it lies");
  refuses(with(rolls + "\non = {normal = ¶\"[0, 0, 0]\"}"), bad,
          "'normal' of 'on' of contact 'touch' has no direction: its length is zero");
  refuses(with("body = \"disc\"\nellipsoid = {axes = ¶[1, 2]}"), bad, "an ellipsoid has three semi-axes, found 2");
  refuses(disc(lean + "\nother = \"x ¶touch.x\"", round_body, rolls, upright), bad,
          "the frame 'other' depends on a contact, 'touch'");
  refuses(
      "coordinates = [\"z\"]\n[parameters]\np = \"¶touch.z\"\n[[bodies]]\nname = \"B\"\nmass = 1\ncentre = \"[0, 0, "
      "z]\"\n"
      "inertia = [1, 1, 1]\n[[contacts]]\nname = \"touch\"\nbody = \"B\"\nball = {radius = 1}\n",
      bad, "the parameter 'p' contains 'touch', which depends on a contact and moves; it may contain parameters");
}

TEST(BodyErrors, SpringsAndLoads) {
  const auto with = [](const std::string& more) { return disc(lean, round_body, "", more); };
  refuses(with("[[loads]]\n¶force = \"[0, 0, 1]\""), bad, "load 1 acts on nothing: a force has a place, 'at'");
  refuses(with("[[loads]]\nforce = \"[0, 0, 1]\"\nat = ¶\"[1, 2, t]\""), bad,
          "load 1 acts on nothing: no coordinate moves its place; a force on a body that passes there is 'on' it");
  refuses(with("[[loads]]\nforce = \"[0, 0, 1]\"\nat = \"disc\"\non = \"¶lean\""), bad,
          "load 1 acts on nothing: 'lean' is a frame, which has no material; a force is 'on' a body");
  refuses(with("[[loads]]\nforce = \"[0, 0, 1]\"\nat = \"disc\"\non = ¶\"ground\""), bad,
          "load 1 acts on nothing: the ground does not move");
  refuses(with("[[loads]]\nforce = \"[0, 0, 1]\"\nat = \"disc\"\non = ¶\"disc\"\nagainst = \"disc\""), bad,
          "load 1 acts on nothing: a force between a body and itself");
  refuses(with("[[loads]]\nforce = \"[0, 0, 1]\"\nat = \"disc\"\n¶against = \"disc\""), bad,
          "'against' without 'on' in load 1");
  refuses(with("[[loads]]\nname = \"¶psi\"\nforce = \"[0, 0, 1]\"\nat = \"disc\""), bad,
          "'psi' cannot be the name of a load: it is a coordinate");
  refuses(
      with("[[springs]]\nname = \"a\"\nbetween = [\"disc\", \"[0, 0, 0]\"]\nstiffness = 1\n[[loads]]\nname = \"¶a\"\n"
           "force = \"[0, 0, 1]\"\nat = \"disc\""),
      bad, "'a' is named twice");
  refuses(with("[[loads]]\n¶torque = \"[0, 0, 1]\""), bad,
          "load 1 acts on nothing: a torque is 'on' a frame or a body");
  refuses(with("[[loads]]\ntorque = \"[0, 0, 1]\"\non = ¶\"ground\""), bad,
          "load 1 acts on nothing: the ground does not turn");
  refuses(with("[[loads]]\ntorque = \"[0, 0, 1]\"\non = \"¶leen\""), bad, "'on' of load 1: there is no frame 'leen'",
          "lean");
  refuses(with("¶[[loads]]\nat = \"disc\""), bad, "load 1 has neither 'force' nor 'torque'");
  refuses(with("[[loads]]\nforce = \"¶psi\"\nat = \"disc\""), bad,
          "a scalar where a vector is needed: the force of load 1");
  refuses(with("¶[[springs]]\nname = \"seat\"\nstiffness = 1"), bad,
          "spring 'seat' has no 'between', the two places it joins");
  refuses(with("¶[[springs]]\nstiffness = 1"), bad, "spring 1 has no 'between', the two places it joins");
  refuses(with("[[springs]]\nbetween = ¶[\"disc\"]\nstiffness = 1"), bad, "a spring joins two places, found 1");
  refuses(with("[[springs]]\nbetween = ¶[\"disc\", \"disc\"]\nstiffness = 1"), bad,
          "spring 1 joins a place with itself");
  refuses(with("[[springs]]\nbetween = ¶[\"[m, 0, 0]\", \"[0, 0, 1]\"]\nstiffness = 1"), bad,
          "spring 1 joins two places that no coordinate moves: it does nothing; name a place on a body");
  refuses(
      with("[[springs]]\nbetween = [\"disc\", \"[0, 0, 1]\"]\nstiffness = 1\ndamping = ¶-0.2"), bad,
      "'damping' of spring 1 is negative: it would drive what it is to slow down; a parameter may be so, where that is "
      "meant");
  refuses(with("¶[[springs]]\nbetween = [\"disc\", \"[0, 0, 0]\"]"), bad, "spring 1 has no 'stiffness'");
}

TEST(BodyErrors, OutputsAndUnits) {
  const auto with = [](const std::string& more) { return disc(lean, round_body, rolls, upright + more); };
  refuses(with("[outputs]\na = \"¶lambda[4]\""), bad,
          "there is no lambda[4]: the multipliers of the scalar constraints are lambda[1] to lambda[3]");
  refuses(with("[outputs]\na = \"¶touch.force'\""), bad,
          "the rate of a reaction is needed here; a motion gives reactions, not their rates");
  refuses(with("[outputs]\na = \"¶disc.force\""), bad,
          "'disc' is a body; only contacts have a '.force', the reaction there");
  refuses(with("[outputs]\na = \"¶touch.kinetic\""), bad,
          "'touch' is a contact; only bodies and points have a '.kinetic', their kinetic energy");
  refuses(with("[outputs]\na = \"¶psi.power\""), bad, "'psi' is a coordinate; only loads and contacts have a '.power'");
  refuses(with("[outputs]\na = \"¶motr.power\"\n[[loads]]\nname = \"motor\"\ntorque = \"[0, 0, 1]\"\non = \"disc\""),
          unknown, "unknown name 'motr'", "motor");
  const std::string seat = "[[springs]]\nname = \"seat\"\nbetween = [\"disc\", \"[0, 0, 0]\"]\nstiffness = 1\n";
  refuses(
      with(seat + "[outputs]\na = \"¶seat.kinetic\""), bad,
      "'seat' has a '.potential' and no '.kinetic'; only bodies and points have a '.kinetic', their kinetic energy");
  refuses(with(seat + "[outputs]\na = \"¶seat.force\""), bad,
          "'seat' has a '.potential' and no '.force'; only contacts have a '.force', the reaction there");
  refuses(with("[definitions]\na = \"¶disc.kinetic\""), bad,
          "the definition 'a' contains an energy; they follow from the motion and may stand in [outputs]");
  refuses(with("[outputs]\na = \"¶tuch.force\""), unknown, "unknown name 'tuch'", "touch");
  refuses(with("[outputs]\n¶x = \"y\""), bad,
          "'x' is a column of every motion already; an output needs a name of its own");
  refuses(with("[outputs]\n¶E = \"y\""), bad,
          "'E' cannot be the name of an output: it is the column of the energy in tables of motions");
  refuses(with("[outputs]\n¶lambda1 = \"y\""), bad,
          "'lambda1' cannot be the name of an output: it is the column of a multiplier in tables of motions");
  refuses(with("[definitions]\na = \"¶lambda[1]\""), bad,
          "the definition 'a' contains a multiplier; they follow from the motion and may stand in [outputs]");
  refuses(with("[definitions]\na = \"¶touch.force\""), bad,
          "the definition 'a' contains a reaction; they follow from the motion and may stand in [outputs]");
  refuses(with("[units]\n¶X = \"m\""), bad, "'X' in [units] is not a coordinate, a velocity, a parameter or an output",
          "x");
  refuses("coordinates = [\"x\"]\nlagrangian = \"x'^2\"\n[outputs]\na = \"¶lambda[1]\"\n", bad,
          "there is no lambda[1]: the model has no constraints");
  refuses("coordinates = [\"x\"]\nlagrangian = \"x'^2 + x¶[1]\"\n", ErrorCode::parse_error,
          "expected an operator between 'x' and '['");
  refuses("coordinates = [\"x\"]\nlagrangian = \"(x)¶.force\"\n", ErrorCode::parse_error,
          "'.force' follows the name of a contact");
}

// Names that others use as they like stay free.
TEST(BodyErrors, OmegaGroundAndComponentsMayBeNamesOfTheModel) {
  EXPECT_NO_THROW(
      read_model("coordinates = [\"omega\", \"ground\"]\nlagrangian = \"omega'^2 + ground'^2*components\"\n"
                 "[parameters]\ncomponents = 2\n",
                 "free.toml"));
  refuses("coordinates = [\"omega\"]\nlagrangian = \"omega'^2 + ¶omega(2)\"\n", bad,
          "'omega' is a coordinate, not a function; a product needs '*'");
}

// What is no column by its name may have any.
TEST(BodyErrors, ParametersMayHaveTheNamesOfColumns) {
  EXPECT_NO_THROW(
      read_model("coordinates = [\"lambda\", \"T\"]\nlagrangian = \"E*lambda'^2 + residual*T'^2 - lambda1*status*T\"\n"
                 "[parameters]\nE = 1\nresidual = 2\nlambda1 = 3\nstatus = 4\n",
                 "free.toml"));
}

}  // namespace
}  // namespace cetaev
