// Random systems about an equilibrium, against the matrix that linear algebra gives for them: masses, springs, dampers and gyroscopic terms,
// beside terms of higher order, with a constraint on velocities whose coefficients depend on the positions, and a curved constraint on positions that carries a load.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/stability/linearize.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

using Complex = std::complex<double>;

struct RandomSystem {
  std::string text;
  DenseMatrix A;  // of positions and velocities on the constraints
};

// A number with two digits, so that text and matrix have the same.
double digits(Random& random, double low, double high) { return std::round(100 * random.uniform(low, high)) / 100; }

RandomSystem random_system(Random& random, std::size_t n, bool on_velocities, bool on_positions) {
  DenseMatrix M(n, n), K(n, n), C(n, n);
  std::string L, forces, linear, curved, names, load;
  const auto q = [](std::size_t i) { return fmt::format("q{}", i); };
  for (std::size_t i = 0; i < n; ++i) {
    names += fmt::format("{}'{}'", i == 0 ? "" : ", ", q(i));
    M(i, i) = digits(random, 1, 3);
    K(i, i) = digits(random, -2, 4);
    L += fmt::format(" + {0}*{2}'^2/2 - ({1})*{2}^2/2", M(i, i), K(i, i), q(i));
  }
  for (std::size_t i = 0; i + 1 < n; ++i) {
    M(i, i + 1) = M(i + 1, i) = digits(random, -0.4, 0.4);
    K(i, i + 1) = K(i + 1, i) = digits(random, -1, 1);
    L += fmt::format(" + ({0})*{2}'*{3}' - ({1})*{2}*{3} + {2}^2*{3} - {2}'^2*{3}^2", M(i, i + 1), K(i, i + 1), q(i),
                     q(i + 1));
  }
  for (std::size_t i = 0; i < n; ++i) {
    forces += q(i) + " = \"0";
    for (std::size_t j = 0; j < n; ++j) {
      C(i, j) = digits(random, -0.5, 0.5) + (i == j ? 0.3 : 0);
      forces += fmt::format(" - ({})*{}'", C(i, j), q(j));
    }
    forces += fmt::format(" + {0}'^3 + {0}^2\"\n", q(i));
  }
  std::vector<double> a, b;
  DenseMatrix effective = K;
  const double mu = on_positions ? digits(random, -2, 2) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    a.push_back(digits(random, 0.5, 2));
    b.push_back(digits(random, 0.5, 2) * (i % 2 == 0 ? 1 : -1));
    const double d = digits(random, -1, 1);
    linear += fmt::format(" + ({} + {}*{} + {}^2)*{}'", a[i], digits(random, -1, 1), q((i + 1) % n), q(i), q(i));
    curved += fmt::format(" + ({})*{} + ({})*{}^2", b[i], q(i), d, q(i));
    load += fmt::format(" - ({})*({})*{}", mu, b[i], q(i));
    effective(i, i) -= 2 * mu * d;
  }
  std::string constraints;
  if (on_velocities) constraints += fmt::format("\"0{} = 0\"", linear);
  if (on_positions) constraints += fmt::format("{}\"0{} = 0\"", constraints.empty() ? "" : ", ", curved);
  RandomSystem result;
  result.text = fmt::format("coordinates = [{}]\nlagrangian = \"0{}{}\"\nconstraints = [{}]\n[forces]\n{}", names, L,
                            on_positions ? load : "", constraints, forces);
  // bases of the positions and of the velocities that are left
  const auto kernel = [&](const std::vector<std::vector<double>>& rows) {
    if (rows.empty()) return DenseMatrix::identity(n);
    DenseMatrix J(n, rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) std::ranges::copy(rows[r], J.column(r).begin());
    PivotedQr qr;
    qr.compute(J);
    DenseMatrix Z;
    qr.complement(rows.size(), Z);
    return Z;
  };
  std::vector<std::vector<double>> rows;
  if (on_positions) rows.push_back(b);
  const DenseMatrix T = kernel(rows);
  if (on_velocities) rows.push_back(a);
  const DenseMatrix Z = kernel(rows);
  const std::size_t k = T.columns(), m = Z.columns();
  CompleteLu mass;
  mass.compute(transposed_times(Z, M) * Z);
  const DenseMatrix rate = transposed_times(T, Z);  // T has orthonormal columns
  const DenseMatrix stiffness = mass.solve(transposed_times(Z, effective) * T),
                    damping = mass.solve(transposed_times(Z, C) * Z);
  result.A = DenseMatrix(k + m, k + m);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < m; ++j) result.A(i, k + j) = rate(i, j);
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < k; ++j) result.A(k + i, j) = -stiffness(i, j);
    for (std::size_t j = 0; j < m; ++j) result.A(k + i, k + j) = -damping(i, j);
  }
  return result;
}

TEST(LinearizeRandom, EigenvaluesAreThoseOfLinearAlgebra) {
  for (const std::uint64_t number : seeds(60).all()) {
    Random random(number);
    const std::size_t n = 2 + number % 3;
    const RandomSystem one = random_system(random, n, number % 2 == 1 || n == 4, number % 4 >= 2 && n > 2);
    const Linearization found = linearize(read_model(one.text, "random.toml"));
    EXPECT_TRUE(found.steady.certified) << one.text;
    auto expected = eigenvalues(one.A);
    ASSERT_TRUE(expected) << one.text;
    ASSERT_EQ(found.eigenvalues.size(), expected->size()) << one.text;
    for (const Eigenvalue& value : found.eigenvalues) {
      const auto nearest =
          std::ranges::min_element(*expected, {}, [&](Complex other) { return std::abs(other - value.value); });
      EXPECT_LT(std::abs(*nearest - value.value), 1e-7 * (1 + std::abs(value.value))) << one.text << value.value;
      expected->erase(nearest);
    }
    const bool grows = found.eigenvalues.front().value.real() > 1e-6;
    EXPECT_EQ(found.verdict == Stability::unstable, grows) << one.text;
  }
}

}  // namespace
}  // namespace cetaev
