// Dense linear algebra in doubles: matrices by columns, and the decompositions that the stages need. What is behind it is no
// business of theirs.
//
// Objects of decompositions keep their storage: computing again with a matrix of the same shape allocates nothing, nor does
// what takes the place of its result as an argument.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cetaev {

class DenseMatrix;

// Somebody else's entries, column after column.
struct DenseView {
  DenseView(const double* entries, std::size_t row_count, std::size_t column_count)
      : data(entries), rows(row_count), columns(column_count) {}
  DenseView(const DenseMatrix& matrix);  // NOLINT(google-explicit-constructor): a view of a matrix is that matrix

  double operator()(std::size_t i, std::size_t j) const { return data[j * rows + i]; }
  std::span<const double> entries() const { return {data, rows * columns}; }

  const double* data;
  std::size_t rows, columns;
};

// Entries written row after row are, read column after column, those of the transposed matrix.
inline DenseView transposed_view(const double* entries_by_rows, std::size_t rows, std::size_t columns) {
  return {entries_by_rows, columns, rows};
}

class DenseMatrix {
 public:
  DenseMatrix() = default;
  // Of zeros.
  DenseMatrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), entries_(rows * columns) {}
  explicit DenseMatrix(DenseView view)
      : rows_(view.rows), columns_(view.columns), entries_(view.entries().begin(), view.entries().end()) {}
  static DenseMatrix identity(std::size_t n);
  static DenseMatrix from_rows(const double* entries, std::size_t rows, std::size_t columns);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double& operator()(std::size_t i, std::size_t j) { return entries_[j * rows_ + i]; }
  double operator()(std::size_t i, std::size_t j) const { return entries_[j * rows_ + i]; }
  std::span<double> column(std::size_t j) { return std::span(entries_).subspan(j * rows_, rows_); }
  std::span<const double> column(std::size_t j) const { return std::span(entries_).subspan(j * rows_, rows_); }
  std::span<double> entries() { return entries_; }
  std::span<const double> entries() const { return entries_; }

  // All entries become zero. Allocates where there were fewer.
  void reset(std::size_t rows, std::size_t columns);
  // The first so many rows.
  DenseMatrix top_rows(std::size_t count) const;
  // These columns, in this order.
  DenseMatrix select_columns(std::span<const std::size_t> columns) const;
  // Neighbouring columns.
  DenseView middle_columns(std::size_t first, std::size_t count) const {
    return {entries_.data() + first * rows_, rows_, count};
  }
  void set_row(std::size_t i, std::span<const double> entries);
  void scale_row(std::size_t i, double factor);
  void scale_column(std::size_t j, double factor);

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> entries_;
};

inline DenseView::DenseView(const DenseMatrix& matrix)
    : data(matrix.entries().data()), rows(matrix.rows()), columns(matrix.columns()) {}

// ---- vectors

bool all_finite(std::span<const double> x);
double length(std::span<const double> x);
// |x − y|
double distance(std::span<const double> x, std::span<const double> y);
// The largest absolute value; 0 of none.
double largest_magnitude(std::span<const double> x);
double row_length(DenseView a, std::size_t i);

// ---- products

DenseMatrix operator*(const DenseMatrix& a, const DenseMatrix& b);
std::vector<double> operator*(const DenseMatrix& a, std::span<const double> x);
DenseMatrix transposed(DenseView a);
// AᵀB, Aᵀx
DenseMatrix transposed_times(DenseView a, DenseView b);
void transposed_times(DenseView a, DenseView b, DenseMatrix& product);
std::vector<double> transposed_times(DenseView a, std::span<const double> x);
// y += A x, y −= Aᵀx
void add_product(DenseView a, std::span<const double> x, std::span<double> y);
void subtract_transposed_product(DenseView a, std::span<const double> x, std::span<double> y);

// ---- square matrices

double determinant(DenseView a);
// det A = mantissa · 2^exponent, of any size; allocates nothing, and nothing of A is left.
struct ScaledDeterminant {
  double mantissa = 1;
  int exponent = 0;
};
ScaledDeterminant determinant_in_place(DenseMatrix& a);
// Of any square matrix; nothing where the iteration does not converge.
std::optional<std::vector<std::complex<double>>> eigenvalues(DenseView a);

// A = L Lᵀ of a symmetric positive definite matrix, whose lower half alone is read.
class Cholesky {
 public:
  // With storage for a matrix of this order.
  explicit Cholesky(std::size_t n = 0);
  ~Cholesky();
  Cholesky(Cholesky&&) noexcept;
  Cholesky& operator=(Cholesky&&) noexcept;

  // False where A is not positive definite.
  bool compute(DenseView a);
  // The least Lᵢᵢ beside √Aᵢᵢ: what is left of a direction where those before it are taken away, whatever its own units are. Where little was left of
  // one before, rounding has been divided by that: each counts times the least before it.
  double pivot_ratio() const;
  // x ← L⁻¹x, L⁻ᵀx, A⁻¹x; X ← L⁻¹X
  void solve_lower(std::span<double> x) const;
  void solve_lower(DenseMatrix& x) const;
  void solve_upper(std::span<double> x) const;
  void solve(std::span<double> x) const;
  // A L⁻ᵀ
  DenseMatrix divide_by_upper(DenseView a) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// P A Q = L U with complete pivoting: the careful way, for matrices that may be singular.
class CompleteLu {
 public:
  // Pivots not larger than `tolerance` times the largest count as zero; without it, those that are rounding.
  explicit CompleteLu(std::optional<double> tolerance = std::nullopt);
  ~CompleteLu();
  CompleteLu(CompleteLu&&) noexcept;
  CompleteLu& operator=(CompleteLu&&) noexcept;

  void compute(DenseView a);
  bool invertible() const;
  // |U| at the end of its diagonal.
  double last_pivot() const;
  // A vector that A takes to zero, of a matrix that is not invertible.
  std::vector<double> kernel_vector() const;
  DenseMatrix solve(DenseView b) const;
  std::vector<double> solve(std::span<const double> b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// ---- matrices of any shape, with one row and one column at least

// A P = Q R by reflections, the longest of what is left of the columns first: |R₁₁| ≥ |R₂₂| ≥ …
class PivotedQr {
 public:
  // Pivots not larger than `tolerance` times the first count as zero; without it, those that are rounding.
  explicit PivotedQr(std::optional<double> tolerance = std::nullopt);
  // With storage for a matrix of this shape.
  PivotedQr(std::size_t rows, std::size_t columns);
  ~PivotedQr();
  PivotedQr(PivotedQr&&) noexcept;
  PivotedQr& operator=(PivotedQr&&) noexcept;

  void compute(DenseView a);
  std::size_t rank() const;
  // |R_kk|, and the column of A that it belongs to.
  double pivot(std::size_t k) const;
  std::size_t column(std::size_t k) const;
  // x with |A x − c| least, zero but for `rank` independent columns; c is overwritten.
  void solve(std::span<double> c, std::span<double> x) const;
  // Q: its first `rank` columns are an orthonormal basis of those of A.
  DenseMatrix orthogonal() const;
  // The columns of Q after the first `count`, into Z.
  void complement(std::size_t count, DenseMatrix& z) const;
  // A basis of the x with A x = 0, each with 1 in one of the columns that are left over and 0 in the others.
  DenseMatrix kernel() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

// x of least norm among those with |A x − b| least: A⁺b by a complete orthogonal decomposition.
class LeastNorm {
 public:
  // As of PivotedQr.
  explicit LeastNorm(std::optional<double> tolerance = std::nullopt);
  LeastNorm(DenseView a, std::optional<double> tolerance) : LeastNorm(tolerance) { compute(a); }
  ~LeastNorm();
  LeastNorm(LeastNorm&&) noexcept;
  LeastNorm& operator=(LeastNorm&&) noexcept;

  void compute(DenseView a);
  std::size_t rank() const;
  std::vector<double> solve(std::span<const double> b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace cetaev
