// Random trees of bodies: accelerations from the leaves to the root against the mass matrix, whose b is made from derivatives of the Lagrangian.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/model/read.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

// Joints that turn, about axes of a frame or any others, and joints that slide; some of them driven; on the ground or on each other.
class RandomTree {
 public:
  explicit RandomTree(std::uint64_t seed) : random_(seed) {}

  // `besides`: what has kinetic energy besides bodies, so that momenta are what the recursion is about.
  enum class Besides { nothing, velocities, point };
  std::string model(Besides besides) {
    const int N = 5 + pick(8);
    for (int i = 1; i <= N; ++i) joint(i);
    std::string coordinates;
    for (int i = 1; i <= N; ++i) coordinates += (i > 1 ? ", \"q" : "\"q") + std::to_string(i) + "\"";
    std::string top = "coordinates = [" + coordinates + "]\ngravity = [\"0.3\", \"0\", \"-g\"]\n";
    if (pick(2) == 0) top += "dissipation = \"0.1*q1'^2 + 0.2*q2'*q3'\"\n";
    if (pick(2) == 0) top += "potential = \"q1^2*q2 + cos(q3)\"\n";
    if (besides == Besides::velocities) top += "kinetic = \"(q1' + 2*t)^2 + q2*q1' + q3^2*q2'^2\"\n";
    return top + "[parameters]\ng = 9.81\nm = 1.3\n[frames]\n" + frames_ + "[definitions]\n" + places_ + bodies_ +
           (besides == Besides::point
                ? "[[points]]\nname = \"bob\"\nmass = 0.7\nposition = \"p" + std::to_string(N) + "\"\n"
                : "") +
           "[[loads]]\nforce = \"[1, t, q2']\"\nat = \"p" + std::to_string(N) +
           "\"\n[[springs]]\nbetween = [\"p1\", \"p" + std::to_string(N) +
           "\"]\nstiffness = \"3\"\nlength = \"0.5\"\ndamping = \"0.2\"\n[initial]\nt = 0.3\n" + initial_;
  }

 private:
  int pick(int count) { return static_cast<int>(random_.next() % static_cast<std::uint64_t>(count)); }
  std::string number(double low, double high) { return std::to_string(random_.uniform(low, high)); }
  std::string vector() { return "[" + number(-1, 1) + ", " + number(-1, 1) + ", " + number(-1, 1) + "]"; }

  void joint(int i) {
    const std::string k = std::to_string(i), q = "q" + k, frame = "f" + k;
    const int parent = pick(4) == 0 ? pick(i) : i - 1;
    const std::string before = parent == 0 ? "ground" : "f" + std::to_string(parent);
    const std::string start = parent == 0 ? "[0, 0, 0]" : "p" + std::to_string(parent);
    std::string slid;
    static const std::string angles[] = {"$", "-$", "(2*$ + 0.3)", "($ + 0.4*t)", "($ - q1)/2"};
    std::string angle = angles[i > 1 ? pick(5) : pick(4)];
    angle.replace(angle.find('$'), 1, q);
    switch (pick(5)) {
      case 0:
        frames_ += frame + " = {from = \"" + before + "\", axis = \"[0.6, 0, 0.8]\", angle = \"" + angle + "\"}\n";
        break;
      case 1:  // slides
        frames_ += frame + " = \"" + (parent == 0 ? "" : before + ", ") + "x 0.3\"\n";
        slid = " + " + q + "*" + frame + "." + "xyz"[pick(3)];
        break;
      default: frames_ += frame + " = \"" + (parent == 0 ? "" : before + ", ") + "xyz"[pick(3)] + " " + angle + "\"\n";
    }
    places_ += "p" + k + " = \"" + start + slid + " + " + frame + "(" + vector() + ")\"\n";
    static const std::string inertias[] = {"inertia = [0.2, 0.3, 0.4]", "inertia = [0.2, 0.3, 0.2]",
                                           "inertia = [\"m*0.4\", 0.5, 0.6, 0.05, -0.03, 0.02]",
                                           "uniform = {ball = \"0.2\"}", "uniform = {box = [1, 2, 3]}"};
    bodies_ += "[[bodies]]\nname = \"b" + k + "\"\nframe = \"" + frame +
               "\"\nmass = " + (pick(3) == 0 ? "\"m\"" : number(0.5, 2)) + "\ncentre = \"" + start + slid + " + " +
               frame + "(" + vector() + ")\"\n" + inertias[pick(5)] + "\n";
    initial_ += q + " = " + number(-1, 1) + "\n\"" + q + "'\" = " + number(-2, 2) + "\n";
  }

  Random random_;
  std::string frames_, places_, bodies_, initial_;
};

TEST(RandomTrees, MoveAsTheirMassMatrixSays) {
  std::size_t count = 0, without_matrix = 0;
  for (const std::uint64_t seed : seeds(60).all()) {
    ++count;
    const auto besides = seed % 5 == 0   ? RandomTree::Besides::velocities
                         : seed % 5 == 1 ? RandomTree::Besides::point
                                         : RandomTree::Besides::nothing;
    const std::string text = RandomTree(seed).model(besides);
    Groundwork work(read_model(text, "tree.toml").scratch());
    const State state = work.initial().state;
    const Setting setting = work.setting_at(work.initial());
    const Formulation derived = Form::multipliers->derive(setting);
    if (derived.steps.size() == state.q.size()) ++without_matrix;
    const CompiledForm form(setting, derived);
    const std::vector<double> a = form.evaluate(state).a;
    const std::vector<double> others = Multipliers(work.system(), work.terms()).evaluate(state).a;
    double largest = 0;
    for (const double x : others) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < others.size(); ++i)
      EXPECT_NEAR(a[i], others[i], 1e-10 * largest) << seed << "\n" << text;
  }
  EXPECT_GT(2 * without_matrix, count);
}

}  // namespace
}  // namespace cetaev
