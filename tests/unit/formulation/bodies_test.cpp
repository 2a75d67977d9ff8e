// Bodies and contacts against the same systems worked out by hand, and against Newton and Euler.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/model/read.hpp"
#include "unit/joint_torques.hpp"

namespace cetaev {
namespace {

System gallery_model(std::string_view name, const std::vector<std::string>& settings = {}) {
  return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + std::string(name) + ".toml", settings);
}

using ByName = std::map<std::string, double>;

// Accelerations by form and coordinate, times the sign that the other writing gives the coordinate.
std::map<std::string, ByName> accelerations(const System& system, const std::map<std::string, double>& signs) {
  std::map<std::string, ByName> result;
  for (const FormResult& form : evaluate(system).forms) {
    if (!form.values) continue;
    for (std::size_t i = 0; i < system->size(); ++i) {
      const auto sign = signs.find(system->coordinates[i]);
      if (sign != signs.end()) result[form.form.name()][system->coordinates[i]] = sign->second * form.values->a[i];
    }
  }
  return result;
}

// Every form of d'Alembert and Lagrange of one writing against `multipliers` of the other.
void expect_same(const System& bodies, const std::map<std::string, double>& signs, const System& by_hand,
                 const std::vector<std::string>& names, double tolerance) {
  std::map<std::string, double> plain;
  for (const std::string& name : names) plain[name] = 1;
  const auto ours = accelerations(bodies, signs);
  const auto theirs = accelerations(by_hand, plain);
  double size = 1;
  for (const auto& [name, value] : theirs.at("multipliers")) size = std::max(size, std::abs(value));
  for (const char* form : {"multipliers", "gauss", "maggi", "hamel", "voronec", "appell"}) {
    if (!ours.contains(form)) continue;
    std::size_t i = 0;
    for (const auto& [coordinate, sign] : signs) {
      (void)sign;
      // both maps are in the order of the coordinates' names in the bodies' writing
      EXPECT_NEAR(ours.at(form).at(coordinate), theirs.at("multipliers").at(names[i]), tolerance * size)
          << form << " " << coordinate;
      ++i;
    }
  }
}

TEST(BodiesAndHand, TheRollingDisc) {
  const System by_hand = gallery_model("rolling-disc");
  expect_same(gallery_model("rolling-disc-body"), {{"phi", -1}, {"psi", 1}, {"theta", -1}, {"x", 1}, {"y", 1}}, by_hand,
              {"phi", "psi", "theta", "X", "Y"}, 1e-13);
}

TEST(BodiesAndHand, TheRattleback) {
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{}, {"psi=0.4", "alpha=0.2", "beta=-0.3", "alpha'=1", "beta'=-2"}}) {
    expect_same(gallery_model("rattleback-ellipsoid", settings),
                {{"alpha", 1}, {"beta", 1}, {"psi", 1}, {"x", 1}, {"y", 1}}, gallery_model("rattleback", settings),
                {"alpha", "beta", "psi", "x", "y"}, 1e-13);
  }
}

TEST(BodiesAndHand, TheBallOnATurntable) {
  expect_same(gallery_model("ball-on-turntable-quaternion"), {{"x", 1}, {"y", 1}}, gallery_model("ball-on-turntable"),
              {"x", "y"}, 1e-13);
}

// The cylinder at rest.
TEST(BodiesAndHand, TheBallInACylinder) {
  expect_same(gallery_model("ball-in-turning-cylinder", {"Omega=0", "z'=0.5"}), {{"alpha", 1}, {"z", 1}},
              gallery_model("ball-in-cylinder"), {"alpha", "z"}, 1e-13);
}

// The state of Basu-Mandal, Chatterjee and Papadopoulos (2007), far from straight. By hand z points down and y to the right, and the
// frame is turned by the tilt of the steering axis.
TEST(BodiesAndHand, TheBicycle) {
  const System by_hand =
      read_model_file(std::string(CETAEV_SOURCE_DIR) + "/tests/unit/stability/bicycle.toml",
                      std::vector<std::string>{"roll=0.6206670416476966", "pitch=0.3300446174593725",
                                               "steer=-0.2311385135743", "yaw=0.3", "roll'=-0.6068425835418",
                                               "rear'=-8.912989661489", "steer'=-0.4859824687093"});
  const System bodies = gallery_model(
      "bicycle", {"lean=0.6206670416476966", "pitch=pi/10 - 0.3300446174593725", "steer=0.2311385135743", "yaw=-0.3",
                  "lean'=-0.6068425835418", "rear'=8.912989661489", "steer'=0.4859824687093"});
  expect_same(
      bodies,
      {{"front", -1}, {"lean", 1}, {"pitch", -1}, {"rear", -1}, {"steer", -1}, {"x", 1}, {"y", -1}, {"yaw", -1}},
      by_hand, {"front", "roll", "pitch", "rear", "steer", "x", "y", "yaw"}, 1e-13);
}

// The reactions hold the bicycle up: they carry its weight when it rolls straight, shared as the lever says.
TEST(Reactions, OfAStraightBicycleCarryItsWeight) {
  const System bicycle = gallery_model("bicycle", {});
  const Evaluation at = evaluate(bicycle, {{Form::multipliers}});
  double moment = 0, weight = 0;  // about the rear contact
  const double w = 1.02, x[] = {0, 0.3, 0.9, w}, m[] = {2, 85, 4, 3};
  for (int i = 0; i < 4; ++i) weight += 9.81 * m[i], moment += 9.81 * m[i] * x[i];
  EXPECT_NEAR(at.forms[0].values->multipliers[2], moment / w, 1e-10);
  EXPECT_LT(moment / w, weight);
}

TEST(NewtonAndEuler, FindNoTorqueInTheJointsOfAnArmThatFallsFreely) {
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{}, {"q1=1", "q2=2", "q3=-1", "q5=-0.4", "q2'=2", "q3'=-3", "q5'=1.5", "q6'=4"}}) {
    const Evaluation at = evaluate(gallery_model("arm", settings), {{Form::multipliers}});
    std::array<double, 6> q{}, v{}, a{};
    for (std::size_t i = 0; i < 6; ++i)
      q[i] = at.initial.state.q[i], v[i] = at.initial.state.v[i], a[i] = at.forms[0].values->a[i];
    for (const double torque : joint_torques(q, v, a)) EXPECT_NEAR(torque, 0, 1e-12);
    // and not for every acceleration
    a[3] += 0.1;
    EXPECT_GT(std::abs(joint_torques(q, v, a)[3]), 1e-5);
  }
}

}  // namespace
}  // namespace cetaev
