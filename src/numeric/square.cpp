#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cetaev/detail/numeric/row_reduction.hpp"
#include "maps.hpp"

namespace cetaev {

double determinant(DenseView a) { return mapped(a).determinant(); }

// By columns, which are the rows of a matrix with the same determinant.
ScaledDeterminant determinant_in_place(DenseMatrix& a) {
  ScaledDeterminant result;
  reduce_rows(a.rows(), 0, a.entries().data(), nullptr, [&](std::size_t, double pivot, bool exchanged) {
    int exponent = 0;
    result.mantissa = std::frexp(result.mantissa * (exchanged ? -pivot : pivot), &exponent);
    result.exponent += exponent;
    return std::abs(result.mantissa) > 0;  // neither zero nor not a number
  });
  return result;
}

namespace {

// A few unknowns are solved for by code that knows how many they are: loops that find it out, and Eigen, spend more on that. Of L there is what
// is below its diagonal, row by row, and one over its diagonal.
constexpr std::size_t few = 8;
struct FewFactors {
  std::array<double, few * few> below{};
  std::array<double, few> over{};
  double least_square = 1;  // of the pivot ratio
};

template <std::size_t n>
bool factor(FewFactors& l, const double* a) {
  l.least_square = 1;
  double before = 1;
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = &l.below[i * few];
    for (std::size_t j = 0; j < i; ++j) {
      double rest = a[j * n + i];
      for (std::size_t m = 0; m < j; ++m) rest -= row[m] * l.below[j * few + m];
      row[j] = rest * l.over[j];
    }
    const double diagonal = a[i * n + i];
    double rest = diagonal;
    for (std::size_t m = 0; m < i; ++m) rest -= row[m] * row[m];
    if (!(rest > 0)) return false;
    l.over[i] = 1 / std::sqrt(rest);
    // the squares of the row of L add up to the entry
    const double ratio = rest / diagonal;
    l.least_square = std::min(l.least_square, ratio * before);
    before = std::min(before, ratio);
  }
  return true;
}

template <std::size_t n>
void solve_lower(const FewFactors& l, double* x) {
  for (std::size_t i = 0; i < n; ++i) {
    double rest = x[i];
    for (std::size_t m = 0; m < i; ++m) rest -= l.below[i * few + m] * x[m];
    x[i] = rest * l.over[i];
  }
}

template <std::size_t n>
void solve_upper(const FewFactors& l, double* x) {
  for (std::size_t i = n; i-- > 0;) {
    double rest = x[i];
    for (std::size_t m = i + 1; m < n; ++m) rest -= l.below[m * few + i] * x[m];
    x[i] = rest * l.over[i];
  }
}

struct ForSize {
  bool (*factor)(FewFactors&, const double*);
  void (*solve_lower)(const FewFactors&, double*);
  void (*solve_upper)(const FewFactors&, double*);
};
constexpr auto for_few = []<std::size_t... n>(std::index_sequence<n...>) {
  return std::array{ForSize{factor<n>, solve_lower<n>, solve_upper<n>}...};
}
(std::make_index_sequence<few + 1>{});

}  // namespace

struct Cholesky::Factors {
  // Made with its size: a decomposition that has computed nothing must not be copied, since parts of it have no value yet.
  explicit Factors(std::size_t n) : llt(to_index(n)) {}
  Eigen::LLT<Eigen::MatrixXd> llt;
  const ForSize* small = nullptr;  // where there are few
  FewFactors of_few;
};

Cholesky::Cholesky(std::size_t n) : factors_(std::make_unique<Factors>(n)) {}
Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;

bool Cholesky::compute(DenseView a) {
  factors_->small = a.rows <= few ? &for_few[a.rows] : nullptr;
  if (factors_->small != nullptr) return factors_->small->factor(factors_->of_few, a.data);
  factors_->llt.compute(mapped(a));
  return factors_->llt.info() == Eigen::Success;
}

double Cholesky::pivot_ratio() const {
  if (factors_->small != nullptr) return std::sqrt(factors_->of_few.least_square);
  double smallest = 1, before = 1;
  const Eigen::MatrixXd& factors = factors_->llt.matrixLLT();
  for (Eigen::Index i = 0; i < factors.rows(); ++i) {
    double squares = 0;
    for (Eigen::Index j = 0; j <= i; ++j) squares += factors(i, j) * factors(i, j);
    const double ratio = factors(i, i) / std::sqrt(squares);
    smallest = std::min(smallest, ratio * before);
    before = std::min(before, ratio);
  }
  return smallest;
}

void Cholesky::solve_lower(std::span<double> x) const {
  if (factors_->small != nullptr) return factors_->small->solve_lower(factors_->of_few, x.data());
  auto target = mapped(x);
  factors_->llt.matrixL().solveInPlace(target);
}

void Cholesky::solve_lower(DenseMatrix& x) const {
  if (factors_->small != nullptr) {
    for (std::size_t j = 0; j < x.columns(); ++j) factors_->small->solve_lower(factors_->of_few, x.column(j).data());
    return;
  }
  auto target = mapped(x);
  factors_->llt.matrixL().solveInPlace(target);
}

void Cholesky::solve_upper(std::span<double> x) const {
  if (factors_->small != nullptr) return factors_->small->solve_upper(factors_->of_few, x.data());
  auto target = mapped(x);
  factors_->llt.matrixU().solveInPlace(target);
}

void Cholesky::solve(std::span<double> x) const {
  solve_lower(x);
  solve_upper(x);
}

DenseMatrix Cholesky::divide_by_upper(DenseView a) const {
  // X Lᵀ = A is L Xᵀ = Aᵀ
  DenseMatrix result = transposed(a);
  solve_lower(result);
  return transposed(result);
}

}  // namespace cetaev
