// Frames, bodies and contacts expand to energies and constraints that are known from elsewhere.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/model/build.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

// Any values for coordinates, velocities, accelerations and time; parameters have their own.
class AnyState {
 public:
  AnyState(const System& system, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> anywhere(-1, 1);
    const Motion& m = system->motion;
    for (const auto* list : {&m.q, &m.v, &m.a})
      for (const Expr e : *list) values_.emplace_back(e, anywhere(random));
    values_.emplace_back(m.t, anywhere(random));
    for (const Parameter& p : system->parameters) values_.emplace_back(p.symbol, evaluate(p.definition, values_));
  }
  void set(Expr symbol, double value) {
    for (auto& [known, number] : values_)
      if (known == symbol) number = value;
  }
  double operator()(Expr e) const { return evaluate(e, values_); }
  std::array<double, 3> operator()(const std::array<Expr, 3>& v) const {
    return {(*this)(v[0]), (*this)(v[1]), (*this)(v[2])};
  }

 private:
  std::vector<Value> values_;
};

std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

SystemBuilder with_angles() {
  return SystemBuilder()
      .coordinates({"a", "b", "c", "e0", "e1", "e2", "e3"})
      .parameter("k", 0.4)
      .kinetic("a'^2")
      .frame("yaw", "z a")
      .frame("tilted", "yaw, x -b, y (a + c)/2")
      .frame("fork", "tilted", "[0, sin(k), cos(k)]", "c")
      .frame("leaning", "tilted", "[1, 2, -2]", "t")
      .frame("free", "quaternion e0 e1 e2 e3")
      .frame("wheel", "free, z a");
}

// [ω]× = R' Rᵀ, whatever turns a frame is made of; and R is a rotation, off the constraint of a quaternion too.
TEST(Frames, TheirAngularVelocityIsThatOfTheirRotation) {
  const System system = with_angles().build().scratch();
  ASSERT_EQ(system->frames.size(), 6u);
  Derivation rate = total_derivative(system->motion);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const AnyState at(system, seed);
    for (const Frame& frame : system->frames) {
      const std::array<double, 3> omega = at(frame.omega);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          double orthogonal = 0, spin = 0;
          for (std::size_t k = 0; k < 3; ++k) {
            orthogonal += at(frame.rotation(i, k)) * at(frame.rotation(j, k));
            spin += at(rate(frame.rotation(i, k))) * at(frame.rotation(j, k));
          }
          EXPECT_NEAR(orthogonal, i == j ? 1 : 0, 1e-14) << frame.name;
          const double expected = i == j ? 0 : ((j + 3 - i) % 3 == 1 ? -1 : 1) * omega[3 - i - j];
          EXPECT_NEAR(spin, expected, 1e-13) << frame.name << " " << i << j;
        }
      }
    }
  }
}

// The language's own words for it.
TEST(Frames, ExpressionsOfThemAgreeWithEachOther) {
  const std::vector<std::pair<std::string, std::string>> same = {
      {"tilted([1, 2, 3])", "tilted.x + 2*tilted.y + 3*tilted.z"},
      {"tilted([a, b, c])'", "tilted([a', b', c']) + cross(omega(tilted), tilted([a, b, c]))"},
      {"tilted([a, b, c])''",
       "tilted([a'', b'', c'']) + cross(omega(tilted)', tilted([a, b, c])) + 2*cross(omega(tilted), tilted([a', b', "
       "c'])) + "
       "cross(omega(tilted), cross(omega(tilted), tilted([a, b, c])))"},
      {"omega(fork, tilted)", "c'*fork([0, sin(k), cos(k)])"},
      {"omega(yaw, fork)", "omega(yaw) - omega(fork)"},
      {"components(wheel([a, b, 1]), wheel)", "[a, b, 1]"},
      {"components([a, b, 1], yaw)", "[dot([a, b, 1], yaw.x), dot([a, b, 1], yaw.y), dot([a, b, 1], yaw.z)]"},
      {"components(tilted([a, b, 1]), wheel)",
       "[dot(tilted([a, b, 1]), wheel.x), dot(tilted([a, b, 1]), wheel.y), dot(tilted([a, b, 1]), wheel.z)]"},
      {"cross(fork.x, fork.y)", "fork.z"},
      {"norm(fork([a, b, 1]) + yaw([1, b, 0]))*[1, 0, 0]",
       "sqrt(dot(fork([a, b, 1]) + yaw([1, b, 0]), fork([a, b, 1]) + yaw([1, b, 0])))*[1, 0, 0]"},
      {"-2*wheel.z", "wheel([0, 0, -2])"},
      {"ground.y", "[0, 1, 0]"},
  };
  SystemBuilder builder = with_angles();
  for (std::size_t i = 0; i < same.size(); ++i)
    builder.definition("one" + std::to_string(i), same[i].first).definition("two" + std::to_string(i), same[i].second);
  const System system = builder.build();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const AnyState at(system, seed);
    for (std::size_t i = 0; i < same.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(at(system->definitions[2 * i].components[c]), at(system->definitions[2 * i + 1].components[c]),
                    1e-12)
            << same[i].first << " " << c;
    }
  }
}

// A body is made of points: six of them on its axes have any inertia, and their kinetic energies add up to that of the body.
TEST(Bodies, HaveTheKineticEnergyOfTheirPoints) {
  for (const char* frame : {"yaw", "tilted", "fork", "leaning", "free", "wheel"}) {
    const std::vector<std::string> inertia = {"2*(q + r)", "2*(p + r)", "2*(p + q)"};
    const std::string centre = "[b, c, a*b] + tilted([c, 1, 0]) + yaw([0, 2, b])";
    const System body = with_angles()
                            .parameter("p", 0.3)
                            .parameter("q", 0.7)
                            .parameter("r", 0.7)
                            .body("B", frame, "6", centre, inertia)
                            .build();
    SystemBuilder cloud = with_angles().parameter("p", 0.3).parameter("q", 0.7).parameter("r", 0.7);
    const std::vector<std::string> places = {"sqrt(p), 0, 0", "0, sqrt(q), 0", "0, 0, sqrt(r)"};
    cloud.definition("C", centre);
    // Points take three components.
    for (const std::string& place : places) {
      for (const char* side : {"+", "-"}) {
        const std::string at = "(C " + std::string(side) + " " + frame + "([" + place + "]))";
        cloud.point("", "1", {at + ".x", at + ".y", at + ".z"});
      }
    }
    std::string text = cloud.text();
    for (std::size_t i; (i = text.find("name = \"\"\n")) != std::string::npos;) text.erase(i, 10);
    const System points = read_model(text, "points.toml");
    for (unsigned seed = 1; seed <= 3; ++seed)
      EXPECT_NEAR(AnyState(body, seed)(*body->kinetic), AnyState(points, seed)(*points->kinetic), 1e-12) << frame;
  }
}

// ωᵀ I ω with a full matrix, against components of omega.
TEST(Bodies, ProductsOfInertiaCountTwice) {
  const System system = with_angles()
                            .body("B", "fork", "0", "[0, 0, 0]", {"3", "4", "5", "0.5", "-0.25", "0.125"})
                            .definition("w", "components(omega(fork), fork)")
                            .build();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const AnyState at(system, seed);
    const auto& w = system->definitions[0].components;
    const double x = at(w[0]), y = at(w[1]), z = at(w[2]);
    EXPECT_NEAR(at(system->bodies[0].kinetic),
                (3 * x * x + 4 * y * y + 5 * z * z) / 2 + 0.5 * x * y - 0.25 * y * z + 0.125 * x * z, 1e-13);
  }
}

// ∫ (r² − x_i²) dm over the body, by the midpoint rule; a ring and a rod are thin.
TEST(Bodies, UniformOnesHaveTheInertiaOfTheirIntegrals) {
  using Inside = std::function<bool(double, double, double)>;
  const auto integral = [](const Inside& inside, const std::array<double, 3>& half) {
    constexpr int n = 80;
    std::array<double, 4> sums{};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const double x = half[0] * (2 * (i + 0.5) / n - 1), y = half[1] * (2 * (j + 0.5) / n - 1),
                       z = half[2] * (2 * (k + 0.5) / n - 1);
          if (!inside(x, y, z)) continue;
          sums[0] += y * y + z * z;
          sums[1] += x * x + z * z;
          sums[2] += x * x + y * y;
          ++sums[3];
        }
    return std::array{3 * sums[0] / sums[3], 3 * sums[1] / sums[3], 3 * sums[2] / sums[3]};  // of mass 3
  };
  struct Case {
    SystemBuilder::Uniform uniform;
    Inside inside;
    std::array<double, 3> half;
  };
  const auto anywhere = [](double, double, double) { return true; };
  const std::vector<Case> cases = {
      {{"ball", {"2"}}, [](double x, double y, double z) { return x * x + y * y + z * z < 4; }, {2, 2, 2}},
      {{"box", {"1", "2", "3"}}, anywhere, {0.5, 1, 1.5}},
      {{"disc", {"2"}, "y"}, [](double x, double, double z) { return x * x + z * z < 4; }, {2, 0, 2}},
      {{"cylinder", {"2", "3"}, "z"}, [](double x, double y, double) { return x * x + y * y < 4; }, {2, 2, 1.5}},
      {{"rod", {"4"}, "x"}, anywhere, {2, 0, 0}},
      {{"ring", {"2"}, "x"},
       [](double, double y, double z) { return std::abs(y * y + z * z - 4) < 0.4; },
       {0, 2.1, 2.1}},
  };
  for (const Case& one : cases) {
    const System system =
        SystemBuilder().coordinates({"a"}).frame("F", "x a").body("B", "F", "3", "[0, 0, 0]", one.uniform).build();
    const auto expected = integral(one.inside, one.half);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(evaluate(system->bodies[0].inertia[i], {}), expected[i], 0.01 * (1 + expected[i]))
          << one.uniform.shape << " " << i;
  }
}

// Huygens and Steiner: a body about another point is the body of two halves about theirs.
TEST(Bodies, ParallelAxesAddUp) {
  const auto two = [](const std::string& first, const std::string& second, const std::vector<std::string>& inertia,
                      const std::string& mass) {
    SystemBuilder builder = with_angles();
    builder.body("A", "tilted", mass, first, inertia);
    if (!second.empty()) builder.body("B", "tilted", mass, second, inertia);
    return builder.build();
  };
  const System halves = two("[b, c, 0] + tilted([1, 0, 2])", "[b, c, 0] - tilted([1, 0, 2])", {"1", "1.5", "2"}, "3");
  // xx + m z², yy + m (x² + z²), zz + m x², xz − m x z, twice
  const System whole = two("[b, c, 0]", "", {"2 + 24", "3 + 30", "4 + 6", "0", "0", "-12"}, "6");
  for (unsigned seed = 1; seed <= 3; ++seed)
    EXPECT_NEAR(AnyState(halves, seed)(*halves->kinetic), AnyState(whole, seed)(*whole->kinetic), 1e-11);
}

// What is the same all around an axis cannot tell how far it has turned about it.
TEST(Bodies, ASymmetricOneDoesNotKnowItsSpin) {
  const auto energy = [](const std::vector<std::string>& inertia) {
    const System system = SystemBuilder()
                              .coordinates({"psi", "theta", "phi"})
                              .frame("wheel", "z psi, x theta, y phi")
                              .body("B", "wheel", "1", "[0, 0, 0]", inertia)
                              .build();
    return std::pair(system, system->lagrangian);
  };
  const auto [round, T] = energy({"2", "3", "2"});
  EXPECT_FALSE(depends_on(T, std::array{round->motion.q[2]}));
  const auto [ball, T_ball] = energy({"2", "2", "2"});
  EXPECT_FALSE(depends_on(T_ball, std::array{ball->motion.q[0], ball->motion.q[2]}));
  const auto [other, T_other] = energy({"2", "3", "2.5"});
  EXPECT_TRUE(depends_on(T_other, std::array{other->motion.q[2]}));
}

constexpr const char* disc = R"toml(
coordinates = ["x", "y", "psi", "theta", "phi"]
gravity = ["0", "0", "-g"]
[frames]
lean = "z psi, x theta"
wheel = "lean, y phi"
[[bodies]]
name = "disc"
frame = "wheel"
mass = 2
centre = "[x, y, 0] + lean([0, 0, r])"
inertia = ["A", "C", "A"]
[[contacts]]
name = "touch"
body = "disc"
wheel = {radius = "r", axle = "y"}
[parameters]
r = 0.5
A = 0.3
C = 0.5
g = 9.81
[initial]
theta = 0.3
)toml";

// x' = r φ' cos ψ, y' = r φ' sin ψ as in every textbook, and nothing redundant beside them.
TEST(Contacts, ARollingDiscHasTheConstraintsOfTheTextbook) {
  const System system = read_model(disc, "disc.toml");
  ASSERT_EQ(system->constraints.size(), 2u);
  EXPECT_EQ(system->constraints[0].text, "disc rolls: along x");
  EXPECT_EQ(system->constraints[1].text, "disc rolls: along y");
  EXPECT_EQ(to_string(system->constraints[0].expression), "x' - phi'*r*cos(psi)");
  EXPECT_EQ(to_string(system->constraints[1].expression), "y' - phi'*r*sin(psi)");
  EXPECT_EQ(to_string(system->contacts[0].point[0]), "x");
  EXPECT_TRUE(system->contacts[0].point[2].is_zero());
}

struct Rolling {
  std::string name;
  SystemBuilder builder;
};

// Bodies in every kind of contact, with a coordinate for each way they can move.
std::vector<Rolling> rolling_bodies() {
  std::vector<Rolling> list;
  const auto start = [] {
    return SystemBuilder()
        .coordinates({"x", "y", "z", "psi", "theta", "phi"})
        .frame("lean", "z psi, x theta")
        .frame("wheel", "lean, y phi")
        .frame("table", "y t/5, x t^2/9")
        .initial("z", 1)
        .initial("theta", 0.3)
        .body("B", "wheel", "1", "[x, y, z]", {"1", "1.5", "1.2"});
  };
  const std::vector<std::pair<std::string, ContactShape>> shapes = {
      {"wheel", ContactShape::wheel("0.5", "y")},
      {"wheel across", ContactShape::wheel("0.5", "[1, 2, 2]")},
      {"tyre", ContactShape::tyre("0.5", "0.1", "y")},
      {"ball", ContactShape::ball("0.5")},
      {"ellipsoid", ContactShape::ellipsoid({"0.3", "0.4", "0.5"}, "[0.1, 0, -0.05]")},
      {"round ellipsoid", ContactShape::ellipsoid({"0.3", "0.5", "0.3"}, "[0, 0.1, 0]")}};
  const std::vector<std::pair<std::string, ContactGround>> grounds = {
      {"the ground", {}},
      {"a slope", ContactGround::plane("[0, 0, -0.1]", "[1, 0, 3]")},
      {"a rocking plane", ContactGround::plane("[0, 0, sin(t)/9]", "[sin(t), 0, 3]")},
      {"a table", ContactGround::frame("table", "[0.1, 0, 0]")}};
  for (const auto& [shape_name, shape] : shapes)
    for (const auto& [ground_name, ground] : grounds)
      list.push_back({shape_name + " on " + ground_name, start().contact("touch", "B", shape, ground, "rubber")});
  return list;
}

// The velocity of the material at P by the rotation alone: P is where (C − P) is fixed in the body, so R' Rᵀ (P − C) + C'.
TEST(Contacts, RollingMeansThatTheMaterialRests) {
  for (const Rolling& one : rolling_bodies()) {
    SCOPED_TRACE(one.name);
    const System system = one.builder.build().scratch();
    ASSERT_EQ(system->constraints.size(), 4u);
    Derivation rate = total_derivative(system->motion);
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const AnyState at(system, seed);
      const std::array<double, 3> P = at(system->contacts[0].point), n = at(system->contacts[0].normal),
                                  C = at(system->bodies[0].centre);
      const std::array<double, 3> omega = at(system->frames[1].omega);
      const std::array<double, 3> turning = cross(omega, {P[0] - C[0], P[1] - C[1], P[2] - C[2]});
      // of the plane
      std::array<double, 3> O{}, O_rate{}, plane_omega{};
      if (one.name.ends_with("slope")) O = {0, 0, -0.1};
      if (one.name.ends_with("rocking plane")) {
        const double t = at(system->motion.t), root = std::hypot(std::sin(t), 3);
        O = {0, 0, std::sin(t) / 9};
        O_rate = {0, 0, std::cos(t) / 9};
        // n × n' of (sin t, 0, 3)/√…: about y, by the rate of its angle
        plane_omega = {0, 3 * std::cos(t) / (root * root), 0};
      }
      if (one.name.ends_with("table")) {
        O = {0.1, 0, 0};
        plane_omega = at(system->frames[2].omega);
      }
      const std::array<double, 3> under = cross(plane_omega, {P[0] - O[0], P[1] - O[1], P[2] - O[2]});
      std::array<double, 3> slip{};
      for (std::size_t c = 0; c < 3; ++c)
        slip[c] = at(rate(system->bodies[0].centre[c])) + turning[c] - O_rate[c] - under[c];
      const double along = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2];
      const double size2 = slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2] - along * along;
      const double first = at(system->constraints[1].expression), second = at(system->constraints[2].expression);
      EXPECT_NEAR(first * first + second * second, size2, 1e-12 * (1 + size2));
      // the rate of touching is the normal velocity of the material: P moves on the body and on the plane along both only
      EXPECT_NEAR(at(rate(system->constraints[0].expression)), along, 1e-12 * (1 + std::abs(along)));
      const double spin =
          (omega[0] - plane_omega[0]) * n[0] + (omega[1] - plane_omega[1]) * n[1] + (omega[2] - plane_omega[2]) * n[2];
      EXPECT_NEAR(at(system->constraints[3].expression), spin, 1e-13);
    }
  }
}

// Of all points of the ellipsoid the contact is the lowest: a numerical minimum over the sphere of directions.
TEST(Contacts, AnEllipsoidTouchesWithItsLowestPoint) {
  for (const Rolling& one : rolling_bodies()) {
    if (one.name != "ellipsoid on the ground") continue;
    const System system = one.builder.build();
    const AnyState at(system, 7);
    const Matrix& R = system->frames[1].rotation;
    const std::array<double, 3> axes = {0.3, 0.4, 0.5}, shift = {0.1, 0, -0.05}, C = at(system->bodies[0].centre);
    const auto height = [&](double u, double v) {
      const std::array<double, 3> d = {std::cos(u) * std::cos(v), std::sin(u) * std::cos(v), std::sin(v)};
      double z = C[2];
      for (std::size_t i = 0; i < 3; ++i) z += at(R(2, i)) * (shift[i] + axes[i] * d[i]);
      return z;
    };
    double u = 0, v = 0, lowest = 1e9;
    for (int i = 0; i < 60; ++i)
      for (int j = 0; j < 30; ++j)
        if (const double h = height(0.1 * i * 1.05, -1.57 + 0.105 * j); h < lowest)
          lowest = h, u = 0.1 * i * 1.05, v = -1.57 + 0.105 * j;
    for (double step = 0.05; step > 1e-9; step /= 2)
      for (int again = 0; again < 8; ++again)
        for (const auto& [du, dv] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
          if (const double h = height(u + du * step, v + dv * step); h < lowest)
            lowest = h, u += du * step, v += dv * step;
    EXPECT_NEAR(at(system->contacts[0].point)[2], lowest, 1e-12);
  }
}

TEST(Springs, PullAsTheirLengthSays) {
  const System system = SystemBuilder()
                            .coordinates({"x", "y"})
                            .kinetic("x'^2/2 + y'^2/2")
                            .spring("[x, y, 0]", "[1, 2, 2]", "3", "0.5", "0.7")
                            .spring("[x, 0, 0]", "[0, y, 0]", "5")
                            .build();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const AnyState at(system, seed);
    const double x = at(system->motion.q[0]), y = at(system->motion.q[1]), vx = at(system->motion.v[0]),
                 vy = at(system->motion.v[1]);
    const double length = std::sqrt((x - 1) * (x - 1) + (y - 2) * (y - 2) + 4);
    EXPECT_NEAR(at(*system->potential), 1.5 * (length - 0.5) * (length - 0.5) + 2.5 * (x * x + y * y), 1e-13);
    const double rate = ((x - 1) * vx + (y - 2) * vy) / length;
    EXPECT_NEAR(at(system->forces[0]), -0.7 * rate * (x - 1) / length, 1e-14);
    EXPECT_NEAR(at(system->forces[1]), -0.7 * rate * (y - 2) / length, 1e-14);
  }
}

// Σ F_j v_j is the power: f·P' of a force, τ·(ω − ω of what takes the reaction) of a torque, −2 D of dissipation.
TEST(Loads, HaveThePowerOfForcesAndTorques) {
  const System system =
      with_angles()
          .point("P", "1", {"a*b", "c", "sin(a)"})
          .load("[b, 1, t]", "P + fork([1, 2, 3])")
          .torque("2*fork.z + [a', 0, 1]", "fork", "yaw")
          .torque("[1, 2, b]", "wheel", "fork")
          .dissipation("(a' + b')^2 + 3*c'^2")
          .definition("power",
                      "dot([b, 1, t], (P + fork([1, 2, 3]))') + dot(2*fork.z + [a', 0, 1], omega(fork) - omega(yaw)) + "
                      "dot([1, 2, b], omega(wheel) - omega(fork)) - 2*((a' + b')^2 + 3*c'^2)")
          .build();
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const AnyState at(system, seed);
    double power = 0;
    for (std::size_t j = 0; j < system->size(); ++j) power += at(system->forces[j]) * at(system->motion.v[j]);
    EXPECT_NEAR(power, at(system->definitions[0].components[0]), 1e-12);
  }
}

TEST(Loads, AndSpringsHaveNamesInCppToo) {
  const System system = with_angles()
                            .body("B", "fork", "1", "[a, b, c]", {"1", "1", "1"})
                            .body("D", "wheel", "2", "[b, c, a*b]", {"1", "2", "1.5"})
                            .spring("B", "[0, 0, 0]", "3", "0", "0", "seat")
                            .load("[1, 0, 0]", "[a*c, 1, b^2]", "B", "D", "rope")
                            .torque("[0, 0, 1]", "B", "ground", "motor")
                            .output("V", "seat.potential")
                            .output("P", "rope.power + motor.power")
                            .build();
  EXPECT_EQ(system->potential_parts.back().of, "seat");
  ASSERT_EQ(system->force_parts.size(), 2u);
  EXPECT_EQ(system->force_parts[0].of, "rope");
  EXPECT_EQ(system->force_parts[1].of, "motor");
  const System by_text = with_angles()
                             .body("B", "fork", "1", "[a, b, c]", {"1", "1", "1"})
                             .body("D", "wheel", "2", "[b, c, a*b]", {"1", "2", "1.5"})
                             .definition("power",
                                         "dot([1, 0, 0], B' + cross(omega(fork), [a*c, 1, b^2] - B) - D' - "
                                         "cross(omega(wheel), [a*c, 1, b^2] - D))")
                             .build();
  const AnyState at(system, 1), other(by_text, 1);
  double power = 0;
  for (std::size_t j = 0; j < system->size(); ++j)
    power += at(system->force_parts[0].forces[j]) * at(system->motion.v[j]);
  EXPECT_NEAR(power, other(by_text->definitions[0].components[0]), 1e-12);
}

// On a body a force acts on its material, wherever the place moves: f·(C' + ω × (P − C)), with the opposite on what it stands against.
TEST(Loads, OnABodyPushItsMaterial) {
  const std::string text = with_angles()
                               .body("B", "fork", "1", "[a, b, c]", {"1", "1", "1"})
                               .body("D", "wheel", "2", "[b, c, a*b]", {"1", "2", "1.5"})
                               .definition("f", "[b, a', t]")
                               .definition("P", "[a*c, 1, b^2]")
                               .definition("tau", "[1, c', 2]")
                               .definition("on", "dot(f, B' + cross(omega(fork), P - B))")
                               .definition("against", "dot(f, D' + cross(omega(wheel), P - D))")
                               .definition("turning", "dot(tau, omega(fork) - omega(wheel))")
                               .text();
  const System one = read_model(text + "[[loads]]\nforce = \"f\"\nat = \"P\"\non = \"B\"\n", "one.toml");
  const System two = read_model(
      text + "[[loads]]\nforce = \"f\"\nat = \"P\"\ntorque = \"tau\"\non = \"B\"\nagainst = \"D\"\n", "two.toml");
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const auto power = [&](const System& system, const std::vector<std::pair<std::size_t, double>>& expected) {
      const AnyState at(system, seed);
      double found = 0, sum = 0;
      for (std::size_t j = 0; j < system->size(); ++j) found += at(system->forces[j]) * at(system->motion.v[j]);
      for (const auto& [definition, sign] : expected) sum += sign * at(system->definitions[definition].components[0]);
      EXPECT_NEAR(found, sum, 1e-12);
    };
    power(one, {{3, 1.0}});
    power(two, {{3, 1.0}, {4, -1.0}, {5, 1.0}});
  }
}

// T and V by what has them and the forces by where they come from, which add up to what the model has; and under their names in outputs.
TEST(Parts, AddUpToTheEnergiesAndForces) {
  const System system = read_model(R"toml(
coordinates = ["x", "a"]
kinetic = "x'^2/3"
potential = "x^4"
gravity = [0, 0, "-g"]
dissipation = "a'^2"
[parameters]
g = 9.81
[frames]
F = "y a"
[[points]]
name = "P"
mass = 2
position = ["x", "0", "x^2"]
[[bodies]]
name = "B"
frame = "F"
mass = 3
centre = "P + F([0, 0, 1])"
inertia = [1, 2, 1]
[[springs]]
name = "seat"
between = ["P", "B"]
stiffness = 5
damping = 0.1
length = 0.5
[[springs]]
between = ["B", "[0, 0, 1]"]
stiffness = 2
damping = 0.3
[[loads]]
name = "motor"
torque = "[0, cos(t), 0]"
on = "B"
[forces]
x = "-x'"
[outputs]
T = "B.kinetic + P.kinetic"
V = "B.potential + P.potential"
tension = "seat.potential"
drive = "motor.power"
)toml",
                                   "parts.toml");
  const auto names = [](const auto& parts) {
    std::vector<std::string> list;
    for (const auto& part : parts) list.push_back(part.of);
    return list;
  };
  EXPECT_EQ(names(system->kinetic_parts), (std::vector<std::string>{"as written", "B", "P"}));
  EXPECT_EQ(names(system->potential_parts), (std::vector<std::string>{"as written", "weight", "seat", "spring 2"}));
  EXPECT_EQ(names(system->force_parts),
            (std::vector<std::string>{"forces", "motor", "damping of seat", "damping of spring 2", "dissipation"}));
  const AnyState at(system, 5);
  double T = 0, V = 0;
  for (const EnergyPart& part : system->kinetic_parts) T += at(part.energy);
  for (const EnergyPart& part : system->potential_parts) V += at(part.energy);
  EXPECT_NEAR(T, at(*system->kinetic), 1e-13);
  EXPECT_NEAR(V, at(*system->potential), 1e-12);
  for (std::size_t j = 0; j < 2; ++j) {
    double force = 0;
    for (const ForcePart& part : system->force_parts) force += at(part.forces[j]);
    EXPECT_NEAR(force, at(system->forces[j]), 1e-13);
  }
  const double x = at(system->motion.q[0]), a = at(system->motion.q[1]), t = at(system->motion.t),
               vx = at(system->motion.v[0]), va = at(system->motion.v[1]);
  EXPECT_NEAR(at(system->outputs[0].components[0]), T - vx * vx / 3, 1e-13);
  EXPECT_NEAR(at(system->outputs[1].components[0]), 9.81 * (2 * x * x + 3 * (x * x + std::cos(a))), 1e-12);
  EXPECT_NEAR(at(system->outputs[2].components[0]), 2.5 * 0.25, 1e-13) << "P and B are 1 apart, half as much at rest";
  EXPECT_NEAR(at(system->outputs[3].components[0]), std::cos(t) * va, 1e-13);
}

TEST(Gravity, PullsPointsAndBodies) {
  const System system = SystemBuilder()
                            .coordinates({"x", "a"})
                            .gravity({"1", "0", "-g"})
                            .parameter("g", 9.81)
                            .point("P", "2", {"x", "0", "x^2"})
                            .frame("F", "y a")
                            .body("B", "F", "3", "P + F([0, 0, 1])", {"1", "1", "1"})
                            .build();
  const AnyState at(system, 1);
  const double x = at(system->motion.q[0]), a = at(system->motion.q[1]);
  EXPECT_NEAR(at(*system->potential), -2 * (x - 9.81 * x * x) - 3 * (x + std::sin(a) - 9.81 * (x * x + std::cos(a))),
              1e-13);
}

TEST(Outputs, AreExpressionsOfTheMotionAndItsReactions) {
  const System system = read_model(std::string(disc) + R"toml([outputs]
spin = "omega(wheel).z"
across = "lambda[2] + psi''"
force = "touch.force"
[units]
x = "m"
spin = "rad/s"
)toml",
                                   "disc.toml");
  EXPECT_EQ(system->output_columns(), (std::vector<std::string>{"spin", "across", "force.x", "force.y", "force.z"}));
  ASSERT_EQ(system->multipliers.size(), 2u);
  EXPECT_EQ(system->outputs[1].components[0], system->multipliers[1] + system->motion.a[2]) << "in another context?";
  EXPECT_EQ(system->outputs[2].components[0], system->multipliers[0]);
  EXPECT_EQ(system->unit_of("spin"), "rad/s");
  EXPECT_EQ(system->unit_of("y"), "");
  // The coordinates keep the disc on the plane; what presses it down is its weight and the acceleration of its centre.
  const AnyState at(system, 3);
  const double theta = at(system->motion.q[3]), rate = at(system->motion.v[3]), second = at(system->motion.a[3]);
  const double up = -0.5 * (std::cos(theta) * rate * rate + std::sin(theta) * second);
  EXPECT_NEAR(at(system->outputs[2].components[2]), 2 * (up + 9.81), 1e-13);
  // and loads, where they are on the disc: one at a place beside it says nothing about the ground under it
  const auto with_load = [](const std::string& place) {
    return std::string(disc) + "[[loads]]\nforce = \"[0, 0, -7]\"\nat = \"" + place +
           "\"\n[outputs]\nforce = \"touch.force\"\n";
  };
  const System loaded = read_model(with_load("disc + wheel([r, 0, 0])"), "disc.toml");
  const AnyState there(loaded, 3);
  EXPECT_NEAR(there(loaded->outputs[0].components[2]), 2 * (up + 9.81) + 7, 1e-13);
  EXPECT_THROW(read_model(with_load("[x, y, phi]"), "disc.toml"), Error);
  EXPECT_TRUE(system->outputs[2].reaction);
  EXPECT_FALSE(system->outputs[1].reaction) << "a multiplier is what the form makes of it";
  // and a copy keeps them
  const System copy = system.scratch();
  EXPECT_EQ(to_string(copy->outputs[1].components[0]), to_string(system->outputs[1].components[0]));
  EXPECT_EQ(&copy->outputs[1].components[0].context(), copy->context.get());
}

}  // namespace
}  // namespace cetaev
