// Inertias that are lost nowhere are told so by the sums that L is written in, and no others.
#include "../../../src/integrate/definite_inertia.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/model/read.hpp"
#include "motions.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

std::optional<DefiniteInertia> found(const System& system, const std::string& form) {
  Groundwork work(system);
  const MotionEquations equations(work.system(), work.terms(), work.admissible(), work.initial(), parse_form(form));
  return DefiniteInertia::of(equations);
}

// Pendulums of two or three joints in a tree below a cart or another, whose tips have random masses; some in Cartesian sums, some with moments of inertia.
// With one mass left out the last link has no inertia.
std::string random_tree(Random& random, bool with_a_link_without_mass) {
  const int links = 4 + static_cast<int>(random.uniform(0, 4));
  std::string names = "\"s\"", lagrangian = "2*s'^2/2";
  std::vector<std::string> x = {"s'"}, y = {"0"};
  for (int i = 1; i <= links; ++i) {
    const auto parent = static_cast<std::size_t>(random.uniform(0, i));
    const std::string q = fmt::format("q{}", i);
    const double length = std::round(10 * random.uniform(0.3, 2)) / 10,
                 mass = std::round(10 * random.uniform(0.2, 3)) / 10;
    names += ", \"" + q + "\"";
    x.push_back(fmt::format("{} + {}*cos({})*{}'", x[parent], length, q, q));
    y.push_back(fmt::format("{} + {}*sin({})*{}'", y[parent], length, q, q));
    if (with_a_link_without_mass && i == links) {
      lagrangian += fmt::format(" + {}*cos({})", mass, q);
    } else if (random.uniform(0, 1) < 0.3) {
      lagrangian += fmt::format(" + {}*{}'^2/2", mass, q);
    } else {
      lagrangian += fmt::format(" + {}*(({})^2 + ({})^2)/2", mass, x.back(), y.back());
    }
  }
  std::string model = fmt::format("coordinates = [{}]\nlagrangian = \"{}\"\n[initial]\n", names, lagrangian);
  for (int i = 1; i <= links; ++i) model += fmt::format("q{} = {:.3f}\n", i, random.uniform(-3, 3));
  return model;
}

TEST(DefiniteInertia, OfTreesIsFoundAndNotOfThoseWithALinkWithoutMass) {
  for (const std::uint64_t seed : seeds(40).all()) {
    Random random(seed);
    const std::string model = random_tree(random, false);
    EXPECT_TRUE(found(read_model(model, "tree.toml"), "multipliers")) << seed << "\n" << model;
  }
  for (const std::uint64_t seed : seeds(20).all()) {
    Random random(seed);
    // the constraint has the last angle, which the inertia does not have
    std::string model = random_tree(random, true);
    model.insert(model.find("[initial]"), "constraints = [\"s' = 0.3*q1' + 2*" +
                                              model.substr(model.rfind("\"", model.find("]\n")) - 2, 2) + "'\"]\n");
    EXPECT_FALSE(found(read_model(model, "tree.toml"), "multipliers")) << seed << "\n" << model;
  }
}

TEST(DefiniteInertia, IsNotThatOfCoordinatesWithPoles) {
  const char* const spherical = R"toml(
coordinates = ["r", "a", "b", "z"]
lagrangian = "(r'^2 + r^2*a'^2 + r^2*sin(a)^2*b'^2 + z'^2)/2"
[initial]
r = 1
a = 1
)toml";
  EXPECT_FALSE(found(read_model(spherical, "model.toml"), "multipliers"));
  for (const char* name : {"rolling-disc", "rattleback", "ball-on-turntable"})
    EXPECT_FALSE(found(gallery_model(name), "multipliers")) << name;
  for (const char* name : {"arm", "snake-10", "cart", "car", "trailer-3"})
    EXPECT_TRUE(found(gallery_model(name), "multipliers")) << name;
}

// What was found by the values of parameters does not hold where a mass is zero or negative, nor where a length is none.
TEST(DefiniteInertia, HoldsForOtherParametersOrNot) {
  const System system = read_model(R"toml(
coordinates = ["a", "b", "c", "d"]
lagrangian = "m*(a'^2 + b'^2 + c'^2)/2 + ((a' + l*cos(d)*d')^2 + (l*sin(d)*d')^2)/2"
[parameters]
m = 2
l = 0.5
)toml",
                                   "model.toml");
  const auto definite = found(system, "multipliers");
  ASSERT_TRUE(definite);
  EXPECT_TRUE((*definite)(std::vector<double>{1e-3, -4}));
  EXPECT_FALSE((*definite)(std::vector<double>{0, 0.5}));
  EXPECT_FALSE((*definite)(std::vector<double>{-2, 0.5}));
  EXPECT_FALSE((*definite)(std::vector<double>{2, 0}));
}

}  // namespace
}  // namespace cetaev
