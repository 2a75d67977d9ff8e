// Long chains against their motion link by link, in absolute accelerations and in the arithmetic of long doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/gallery.hpp"
#include "scratch.hpp"

namespace cetaev::conformance {
namespace {

using Real = long double;

// What depends on the acceleration s of the tail along the first link and on the angular acceleration a of that link:
// constant + along·s + turning·a.
struct Affine {
  Real constant = 0, along = 0, turning = 0;

  friend Affine operator+(Affine x, Affine y) {
    return {x.constant + y.constant, x.along + y.along, x.turning + y.turning};
  }
  friend Affine operator*(Real c, Affine x) { return {c * x.constant, c * x.along, c * x.turning}; }
};

// The snake of the gallery, links of mass m and length l with a blade under each middle. With e along a link and n to its left, ω its
// rate, A the acceleration of the joint in front and M of the middle,
//   M = A + l/2 (α n − ω² e),  n·M = ω e·V  (the blade, differentiated; V the velocity of the middle),  A of the next = A + l (α n − ω² e),
// so that every link's α follows from the one before it without a matrix. Jourdain's principle in s and a,
//   Σ m M·∂M/∂p + I α ∂α/∂p = 0,
// is two equations.
std::vector<double> accelerations_of_snake(const State& state) {
  const std::size_t links = state.q.size() - 2;
  const Real m = 1, l = 0.2L, inertia = m * l * l / 12;
  const Real c1 = std::cos(Real{state.q[2]}), s1 = std::sin(Real{state.q[2]});
  std::array<Real, 2> velocity = {state.v[0], state.v[1]};  // of the joint
  std::array<Affine, 2> joint;                              // its acceleration
  std::vector<Affine> turning(links);
  std::array<std::array<Real, 3>, 2> equations{};  // of s and a, and what is constant
  for (std::size_t i = 0; i < links; ++i) {
    const Real theta = state.q[2 + i], omega = state.v[2 + i];
    const std::array<Real, 2> e = {std::cos(theta), std::sin(theta)}, n = {-e[1], e[0]};
    const Real forwards = e[0] * velocity[0] + e[1] * velocity[1];  // e·V: the middle turns about the joint
    if (i == 0) {
      turning[0] = {0, 0, 1};
      // across the first link the tail follows its blade
      const Affine across{omega * forwards, 0, -l / 2};
      joint = {c1 * Affine{0, 1, 0} + -s1 * across, s1 * Affine{0, 1, 0} + c1 * across};
    } else {
      turning[i] = (2 / l) * (Affine{omega * forwards} + (-n[0]) * joint[0] + (-n[1]) * joint[1]);
    }
    std::array<Affine, 2> middle;
    for (std::size_t k = 0; k < 2; ++k) {
      const Affine half = (l / 2) * (n[k] * turning[i] + Affine{-omega * omega * e[k]});
      middle[k] = joint[k] + half;
      joint[k] = middle[k] + half;
      velocity[k] += l * omega * n[k];
    }
    const auto add = [&](Real weight, const Affine& x) {
      for (std::size_t p = 0; p < 2; ++p) {
        const Real by = weight * (p == 0 ? x.along : x.turning);
        equations[p][0] += by * x.along;
        equations[p][1] += by * x.turning;
        equations[p][2] += by * x.constant;
      }
    };
    add(m, middle[0]);
    add(m, middle[1]);
    add(inertia, turning[i]);
  }
  const auto& [one, other] = equations;
  const Real determinant = one[0] * other[1] - one[1] * other[0];
  const Real s = (one[1] * other[2] - one[2] * other[1]) / determinant;
  const Real a = (one[2] * other[0] - one[0] * other[2]) / determinant;
  const auto value = [&](const Affine& x) { return x.constant + x.along * s + x.turning * a; };

  const Affine across{Real{state.v[2]} * (c1 * state.v[0] + s1 * state.v[1]), 0, -l / 2};
  std::vector<double> result = {static_cast<double>(c1 * s - s1 * value(across)),
                                static_cast<double>(s1 * s + c1 * value(across))};
  for (const Affine& x : turning) result.push_back(static_cast<double>(value(x)));
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

// What the accelerations change by when every datum is changed by one unit in its last place.
double change_by_rounding(const State& state) {
  const std::vector<double> exact = accelerations_of_snake(state);
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same in every run
  double change = 0;
  for (int trial = 0; trial < 16; ++trial) {
    State rounded = state;
    for (std::vector<double>* list : {&rounded.q, &rounded.v})
      for (double& x : *list) x *= 1 + (random() % 2 == 0 ? 1 : -1) * std::numeric_limits<double>::epsilon();
    change = std::max(change, largest_difference(exact, accelerations_of_snake(rounded)));
  }
  return change;
}

struct Length {
  int links;
  std::vector<Form> forms;  // all where none is named
};

class LongSnakes : public testing::TestWithParam<Length> {};

// Elimination of n unknowns gives the solution of a system whose entries differ by 3n roundings (Higham, Accuracy and Stability of
// Numerical Algorithms, theorem 9.4), and no form solves for more than Gauss's: N + 2 unknowns and then 2N + 2.
TEST_P(LongSnakes, MoveAsTheyDoLinkByLink) {
  const int links = GetParam().links;
  const std::string name = "snake-" + std::to_string(links);
  Groundwork work(scratch_model(*generated_model(name), name + ".toml"));
  EvaluationOptions options;
  options.forms = GetParam().forms;
  const Evaluation evaluation = evaluate(work, options);
  const State& state = evaluation.initial.state;
  const std::vector<double> expected = accelerations_of_snake(state);
  const double tolerance = 3 * (3 * links + 4) * change_by_rounding(state);
  ASSERT_LT(tolerance, 1e-9 * largest_difference(expected, std::vector<double>(expected.size())));

  std::size_t compared = 0;
  for (const FormResult& form : evaluation.forms) {
    if (!form.form->dalembert_lagrange && form.form != Form::multipliers) continue;
    if (!form.values) {
      EXPECT_EQ(form.form, Form::caplygin) << form.form->name << ": " << form.error->message();
      continue;
    }
    EXPECT_LE(largest_difference(form.values->a, expected), tolerance) << form.form->name;
    ++compared;
  }
  EXPECT_GE(compared, options.forms.empty() ? 7U : 1 + options.forms.size());
}

INSTANTIATE_TEST_SUITE_P(FiftyToFourHundredLinks, LongSnakes,
                         testing::Values(Length{50, {}}, Length{100, {Form::gauss, Form::maggi, Form::appell}},
                                         Length{200, {Form::gauss, Form::hamel}}, Length{400, {Form::gauss}}),
                         [](const auto& length) { return std::to_string(length.param.links); });

}  // namespace
}  // namespace cetaev::conformance
