// The Dormand–Prince method itself: its numbers against the order conditions, and the orders it shows on problems with known
// solutions.
#include "../../../src/integrate/dop853.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace cetaev {
namespace {

using dop853::a;
using dop853::all_stages;

// A rooted tree with its elementary weights at all stages: Φ_i = Π over the branches of Σ_j a_ij Φ_j(branch), and
// γ = order · Π γ(branch). A method with weights b has order p when Σ b_i Φ_i = 1/γ for all trees of order p or less
// (Hairer, Nørsett, Wanner, theorem II.2.13).
struct Tree {
  int order = 1;
  long double density = 1;
  std::vector<long double> weights = std::vector<long double>(all_stages, 1);
};

Tree grown(Tree root, const Tree& branch) {
  root.density = root.density / root.order * (root.order + branch.order) * branch.density;
  root.order += branch.order;
  for (int i = 0; i < all_stages; ++i) {
    long double sum = 0;
    for (int j = 0; j < i; ++j) sum += a[i][j] * branch.weights[j];
    root.weights[i] *= sum;
  }
  return root;
}

std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> trees;
  // Every tree once: its branches in the order in which they stand in the list.
  const auto add = [&](auto&& self, const Tree& tree, int wanted, std::size_t first) -> void {
    if (tree.order == wanted) return trees.push_back(tree);
    const std::size_t count = trees.size();
    for (std::size_t k = first; k < count; ++k)
      if (tree.order + trees[k].order <= wanted) self(self, grown(tree, Tree(trees[k])), wanted, k);
  };
  for (int p = 1; p <= order; ++p) add(add, Tree{}, p, 0);
  return trees;
}

// The coefficients are given to 30 digits; sums of them reach about 100.
constexpr long double exact = std::numeric_limits<long double>::epsilon() * 1e3L + 1e-26L;

long double worst(const std::vector<long double>& b, int first_order, int last_order, long double theta = 1) {
  long double most = 0;
  for (const Tree& tree : trees_up_to(last_order)) {
    if (tree.order < first_order) continue;
    long double sum = -std::pow(theta, static_cast<long double>(tree.order)) / tree.density;
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * tree.weights[i];
    most = std::max(most, std::abs(sum));
  }
  return most;
}

TEST(Dop853, ThereAreTwoHundredRootedTreesUpToOrderEight) { EXPECT_EQ(trees_up_to(8).size(), 200u); }

TEST(Dop853, NodesAreTheSumsOfTheirRows) {
  for (int i = 0; i < all_stages; ++i) {
    long double sum = 0;
    for (int j = 0; j < i; ++j) sum += a[i][j];
    EXPECT_LT(std::abs(sum - dop853::c[i]), exact) << i;
  }
}

TEST(Dop853, WeightsSatisfyAllConditionsOfOrderEightAndNotOfNine) {
  const std::vector<long double> b(a[12], a[12] + 12);
  EXPECT_LT(worst(b, 1, 8), exact);
  EXPECT_GT(worst(b, 9, 9), 1e-7L);
}

TEST(Dop853, EmbeddedMethodsHaveOrdersFiveAndThree) {
  std::vector<long double> fifth(12), third(12);
  for (int i = 0; i < 12; ++i) {
    fifth[i] = a[12][i] - dop853::error5[i];
    third[i] = dop853::b3[i];
  }
  EXPECT_LT(worst(fifth, 1, 5), exact);
  EXPECT_GT(worst(fifth, 6, 6), 1e-6L);
  EXPECT_LT(worst(third, 1, 3), exact);
  EXPECT_GT(worst(third, 4, 4), 1e-4L);
}

TEST(Dop853, DenseOutputHasOrderSevenEverywhereInTheStep) {
  for (const long double s : {0.1L, 0.37L, 0.5L, 0.93L}) {
    // The weights of y(t + s h), from the nested form.
    const long double r = 1 - s;
    std::vector<long double> b(all_stages);
    for (int i = 0; i < all_stages; ++i) {
      const long double change = i < 12 ? a[12][i] : 0, first = i == 0, last = i == 12;
      const long double d1 = first - change, d2 = change - last - d1;
      const auto& d = dop853::dense;
      b[i] = s * (change + r * (d1 + s * (d2 + r * (d[0][i] + s * (d[1][i] + r * (d[2][i] + s * d[3][i]))))));
    }
    EXPECT_LT(worst(b, 1, 7, s), 100 * exact) << static_cast<double>(s);
    EXPECT_GT(worst(b, 8, 8, s), 1e-9L) << static_cast<double>(s);
  }
}

// Steps of one length, whatever the error.
template <class Real>
struct Fixed {
  static constexpr Real integral_gain = 0;
  Real unit(std::size_t, Real) const { return 1e4; }
  void accepted(const Real*) {}
  void coarsen() {}
};

struct Errors {
  long double at_end = 0, within = 0;
};

// Largest error at the end of the steps and in their middles, with n steps from 0 to 1.
template <class Rhs, class Solution>
Errors errors(Rhs rhs, Solution solution, std::size_t size, int n) {
  Dop853<long double, Rhs, Fixed<long double>> method(rhs, {}, size);
  std::vector<long double> y(size), is(size);
  solution(0.0L, y.data());
  method.start(0, y.data(), 1);
  long double at_end = 0, within = 0;
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(method.step(static_cast<long double>(i + 1) / n), StepStatus::done);
    EXPECT_EQ(method.time(), static_cast<long double>(i + 1) / n);
    solution(method.time(), is.data());
    for (std::size_t k = 0; k < size; ++k) at_end = std::max(at_end, std::abs(method.state()[k] - is[k]));
    for (const long double part : {0.3L, 0.55L, 0.8L}) {
      const long double t = (i + part) / n;
      method.interpolate(t, y.data());
      solution(t, is.data());
      for (std::size_t k = 0; k < size; ++k) within = std::max(within, std::abs(y[k] - is[k]));
    }
  }
  return {at_end, within};
}

template <class Rhs, class Solution>
void expect_orders(Rhs rhs, Solution solution, std::size_t size, int n) {
  const auto [coarse, coarse_within] = errors(rhs, solution, size, n);
  const auto [fine, fine_within] = errors(rhs, solution, size, 2 * n);
  EXPECT_NEAR(static_cast<double>(std::log2(coarse / fine)), 8, 0.6);
  // The dense output has order 7, that is local errors of h⁸.
  EXPECT_NEAR(static_cast<double>(std::log2(coarse_within / fine_within)), 8, 0.8);
}

TEST(Dop853, ShowsOrderEightOnALinearProblem) {
  // The conditions that only non-linear equations ask are in the next tests.
  expect_orders(
      [](long double, const long double* y, long double* dy) {
        dy[0] = y[1], dy[1] = -y[0];
        return -1;
      },
      [](long double t, long double* y) { y[0] = std::cos(t), y[1] = -std::sin(t); }, 2, 4);
}

TEST(Dop853, ShowsOrderEightOnANonLinearProblem) {
  expect_orders(  // y = tan(t/2 + 1/5)
      [](long double, const long double* y, long double* dy) {
        dy[0] = (1 + y[0] * y[0]) / 2;
        return -1;
      },
      [](long double t, long double* y) { y[0] = std::tan(t / 2 + 0.2L); }, 1, 8);
}

TEST(Dop853, ShowsOrderEightWithTimeInTheEquations) {
  expect_orders(  // y = exp(sin 2t), and a product of both
      [](long double t, const long double* y, long double* dy) {
        dy[0] = 2 * std::cos(2 * t) * y[0];
        dy[1] = y[1] * (2 * std::cos(2 * t) + 1 / (1 + t));
        return -1;
      },
      [](long double t, long double* y) {
        y[0] = std::exp(std::sin(2 * t));
        y[1] = y[0] * (1 + t);
      },
      2, 8);
}

TEST(Dop853, LosesNothingInLongSums) {
  // A hundred thousand steps of a third of a thousandth each: added up plainly, 1e-12 and more would be lost.
  const auto rhs = [](double, const double*, double* dy) {
    dy[0] = 1.0 / 3.0;
    return -1;
  };
  Dop853<double, decltype(rhs), Fixed<double>, 1> method(rhs, {});
  const double start = 0;
  method.start(0, &start, 100);
  double plain = 0;
  for (int i = 1; i <= 100'000; ++i) {
    const double before = method.time();
    while (method.time() < i * 1e-3) ASSERT_EQ(method.step(i * 1e-3), StepStatus::done);
    plain += (method.time() - before) / 3;
  }
  EXPECT_NEAR(method.state()[0], 100.0 / 3.0, 1.5e-14);
  EXPECT_GT(std::abs(plain - 100.0 / 3.0), 1e-13);
}

}  // namespace
}  // namespace cetaev
