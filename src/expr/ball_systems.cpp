// Linear systems in balls.
//
// Elimination in balls loses a digit or so for every few unknowns, so that large systems are multiplied by an approximate inverse first, here
// by one in doubles: with R ≈ A⁻¹ and |1 − R A| ≤ δ < 1 in the norm of row sums, A is regular, x̃ ← x̃ + R(b − A x̃) gains a factor δ in every
// round, and of the solution x at any x̃, with r = b − A x̃,
//   |x − x̃|ᵢ ≤ (|R||r|)ᵢ + δ/(1 − δ) maxₖ(|R||r|)ₖ
// (Krawczyk, Rump). Only r is computed in balls, n² products a round; the n³ of R and of δ are those of doubles. Many right-hand sides begin with
// an elimination without bounds.
#include <arb_mat.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "ball_inside.hpp"
#include "cetaev/detail/numeric/inverse.hpp"
#include "cetaev/interruption.hpp"

namespace cetaev {

namespace {

bool solve_by_elimination(std::span<const Ball> a, std::span<Ball> b, std::size_t n, std::size_t m, long bits) {
  const auto size = static_cast<slong>(n), columns = static_cast<slong>(m);
  arb_mat_t matrix, x;
  arb_mat_init(matrix, size, size);
  arb_mat_init(x, size, columns);
  for (slong i = 0; i < size; ++i) {
    for (slong j = 0; j < size; ++j)
      arb_set(arb_mat_entry(matrix, i, j), inside(a[static_cast<std::size_t>(i * size + j)]));
    for (slong j = 0; j < columns; ++j) {
      arb_swap(arb_mat_entry(x, i, j), inside(b[static_cast<std::size_t>(i * columns + j)]));
    }
  }
  const bool regular = arb_mat_solve(x, matrix, x, bits) != 0;
  for (slong i = 0; i < size; ++i) {
    for (slong j = 0; j < columns; ++j) {
      arb_swap(arb_mat_entry(x, i, j), inside(b[static_cast<std::size_t>(i * columns + j)]));
    }
  }
  arb_mat_clear(matrix);
  arb_mat_clear(x);
  return regular;
}

constexpr double unit = std::numeric_limits<double>::epsilon() / 2;

// Of the least power of 2 that no ball exceeds; nothing of zeros.
class Exponent {
 public:
  Exponent() { mag_init(largest_); }
  ~Exponent() { mag_clear(largest_); }
  Exponent(const Exponent&) = delete;
  Exponent& operator=(const Exponent&) = delete;

  void include(arb_srcptr ball) {
    mag_t size;
    mag_init(size);
    arb_get_mag(size, ball);
    mag_max(largest_, largest_, size);
    mag_clear(size);
  }
  std::optional<slong> value() const {
    if (mag_is_zero(largest_)) return std::nullopt;
    return fmpz_fits_si(MAG_EXPREF(largest_)) ? fmpz_get_si(MAG_EXPREF(largest_)) : WORD_MAX / 4;
  }

 private:
  mag_t largest_;
};

double midpoint_below(arb_srcptr ball, slong exponent) {
  arf_t scaled;
  arf_init(scaled);
  arf_mul_2exp_si(scaled, arb_midref(ball), -exponent);
  const double result = arf_get_d(scaled, ARF_RND_NEAR);
  arf_clear(scaled);
  return result;
}

double bound_below(mag_srcptr size, slong exponent) {
  mag_t scaled;
  mag_init(scaled);
  mag_mul_2exp_si(scaled, size, -exponent);
  const double result = mag_get_d(scaled);
  mag_clear(scaled);
  return result;
}

// A with rows and columns to largest entries of about 1, by powers of 2, in doubles; its inverse; and δ.
class Preconditioner {
 public:
  Preconditioner(std::span<const Ball> a, std::size_t n) : n_(n), rows_(n), columns_(n) {
    if (!scale(a)) return;
    DenseMatrix middle(n, n);
    std::vector<double> radii(n), sizes(n);  // sums of the rows of rad A and |A|
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const Ball& entry = a[i * n + j];
        const slong exponent = rows_[i] + columns_[j];
        middle(i, j) = midpoint_below(inside(entry), exponent);
        sizes[i] += std::fabs(middle(i, j));
        radii[i] += bound_below(arb_radref(inside(entry)), exponent);
      }
      // what rounding to doubles takes from the entries, the smallest ones included
      radii[i] += unit * sizes[i] + static_cast<double>(n) * std::numeric_limits<double>::min();
    }
    inverse_ = cetaev::inverse(middle);
    if (!all_finite(inverse_.entries())) return;
    magnitudes_ = inverse_;
    for (double& entry : magnitudes_.entries()) entry = std::fabs(entry);
    const DenseMatrix product = inverse_ * middle;
    // |fl(R A) − R A| ≤ γ |R||A|, γ = n u/(1 − n u) and as much again for the sums here
    const double gamma = 4 * static_cast<double>(n) * unit;
    for (double& s : radii) s *= 1 + gamma;
    for (std::size_t i = 0; i < n; ++i) radii[i] += gamma * sizes[i];
    const std::vector<double> rest = magnitudes_ * std::span<const double>(radii);
    delta_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = rest[i];
      for (std::size_t j = 0; j < n; ++j) sum += std::fabs((i == j ? 1.0 : 0.0) - product(i, j));
      delta_ = std::max(delta_, sum * (1 + gamma));
      if (!std::isfinite(sum)) delta_ = HUGE_VAL;
    }
  }

  double delta() const { return delta_; }
  slong row_exponent(std::size_t i) const { return rows_[i]; }
  slong column_exponent(std::size_t j) const { return columns_[j]; }
  DenseMatrix apply(const DenseMatrix& r) const { return inverse_ * r; }
  // Not less than (|R||r|)ᵢ + δ/(1 − δ) maxₖ(|R||r|)ₖ
  std::vector<double> bounds(std::span<const double> sizes) const {
    std::vector<double> result = magnitudes_ * sizes;
    const double rest = delta_ / (1 - delta_) * largest_magnitude(result);
    for (double& bound : result) bound = (bound + rest) * (1 + 8 * static_cast<double>(n_ + 4) * unit);
    return result;
  }

 private:
  bool scale(std::span<const Ball> a) {
    const auto set = [](slong& place, const Exponent& of) {
      constexpr slong largest = slong{1} << 40;  // sums of a few of them are still numbers
      const std::optional<slong> value = of.value();
      place = value.value_or(0);
      return value && place < largest && place > -largest;
    };
    for (std::size_t i = 0; i < n_; ++i) {
      Exponent of;
      for (std::size_t j = 0; j < n_; ++j) of.include(inside(a[i * n_ + j]));
      if (!set(rows_[i], of)) return false;
    }
    Ball scaled;
    for (std::size_t j = 0; j < n_; ++j) {
      Exponent of;
      for (std::size_t i = 0; i < n_; ++i) {
        arb_mul_2exp_si(inside(scaled), inside(a[i * n_ + j]), -rows_[i]);
        of.include(inside(scaled));
      }
      if (!set(columns_[j], of)) return false;
    }
    return true;
  }

  std::size_t n_;
  std::vector<slong> rows_, columns_;
  DenseMatrix inverse_, magnitudes_;
  double delta_ = HUGE_VAL;
};

// X with A X = B.
class Refinement {
 public:
  Refinement(const Preconditioner& by, std::span<const Ball> a, std::span<const Ball> b, std::size_t n, std::size_t m,
             long bits)
      : by_(by), n_(n), m_(m), bits_(bits), columns_(m) {
    for (arb_mat_struct* matrix : {a_, b_, x_, r_})
      arb_mat_init(matrix, static_cast<slong>(n), static_cast<slong>(matrix == a_ ? n : m));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) arb_set(at(a_, i, j), inside(a[i * n + j]));
      for (std::size_t k = 0; k < m; ++k) arb_set(at(b_, i, k), inside(b[i * m + k]));
    }
  }
  ~Refinement() {
    for (arb_mat_struct* matrix : {a_, b_, x_, r_}) arb_mat_clear(matrix);
  }
  Refinement(const Refinement&) = delete;
  Refinement& operator=(const Refinement&) = delete;

  // Where there are many columns rounds take longer than elimination in numbers of so many digits: what this gives has its digits, if no bounds, and
  // these are those of what is left of it.
  void eliminate() {
    if (const auto order = triangular_order()) {
      arb_mat_t lower, right;
      arb_mat_init(lower, static_cast<slong>(n_), static_cast<slong>(n_));
      arb_mat_init(right, static_cast<slong>(n_), static_cast<slong>(m_));
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j <= i; ++j) arb_set(at(lower, i, j), at(a_, order->rows[i], order->columns[j]));
        for (std::size_t k = 0; k < m_; ++k) arb_set(at(right, i, k), at(b_, order->rows[i], k));
      }
      arb_mat_approx_solve_tril(right, lower, right, 0, bits_);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t k = 0; k < m_; ++k) arb_swap(at(x_, order->columns[i], k), at(right, i, k));
      arb_mat_clear(lower);
      arb_mat_clear(right);
    } else if (arb_mat_approx_solve(x_, a_, b_, bits_) == 0) {
      arb_mat_zero(x_);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < m_; ++k) {
        const arb_ptr entry = at(x_, i, k);
        mag_zero(arb_radref(entry));
        if (!arf_is_finite(arb_midref(entry))) arb_zero(entry);
      }
    }
  }

  void operator()(std::span<Ball> x) {
    find_residual();
    while (step()) find_residual();
    enclose();
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t k = 0; k < m_; ++k) arb_swap(inside(x[i * m_ + k]), at(x_, i, k));
  }

 private:
  struct Column {
    std::optional<slong> exponent;  // its residual is at most 2^exponent; nothing where it is zero
    double level = HUGE_VAL;        // log₂ of the last step
    bool done = false;
  };

  static arb_ptr at(arb_mat_struct* m, std::size_t i, std::size_t j) {
    return arb_mat_entry(m, static_cast<slong>(i), static_cast<slong>(j));
  }

  struct Order {
    std::vector<std::size_t> rows, columns;
  };
  // An order of rows and columns in which nothing stands above the diagonal, as in a chain whose links follow one from the other; nothing where
  // there is none. A row is next when all its columns but one have been.
  std::optional<Order> triangular_order() {
    std::vector<std::size_t> open(n_);               // columns of a row that are still to come
    std::vector<std::vector<std::size_t>> with(n_);  // rows that have a column
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        if (arb_is_zero(at(a_, i, j))) continue;
        ++open[i];
        with[j].push_back(i);
      }
    }
    Order order;
    for (std::size_t i = 0; i < n_; ++i)
      if (open[i] == 1) order.rows.push_back(i);
    std::vector<bool> taken(n_);
    for (std::size_t next = 0; next < order.rows.size(); ++next) {
      const std::size_t row = order.rows[next];
      if (open[row] != 1) return std::nullopt;  // two rows of one column
      std::size_t column = 0;
      while (taken[column] || arb_is_zero(at(a_, row, column))) ++column;
      taken[column] = true;
      order.columns.push_back(column);
      for (const std::size_t i : with[column])
        if (--open[i] == 1) order.rows.push_back(i);
    }
    if (order.rows.size() != n_) return std::nullopt;
    return order;
  }

  // B − A X, rows in units of those of A
  void find_residual() {
    const auto stride = static_cast<slong>(m_);
    for (std::size_t i = 0; i < n_; ++i) {
      std::size_t first = 0, end = n_;
      while (end > first && arb_is_zero(at(a_, i, end - 1))) --end;
      while (first < end && arb_is_zero(at(a_, i, first))) ++first;
      const auto size = static_cast<slong>(end - first);
      for (std::size_t k = 0; k < m_; ++k) {
        if (size == 0) {
          arb_set(at(r_, i, k), at(b_, i, k));
        } else {
          arb_dot(at(r_, i, k), at(b_, i, k), 1, at(a_, i, first), 1, at(x_, first, k), stride, size, bits_);
        }
        arb_mul_2exp_si(at(r_, i, k), at(r_, i, k), -by_.row_exponent(i));
      }
    }
    for (std::size_t k = 0; k < m_; ++k) {
      Exponent largest;
      bool certain = false;
      for (std::size_t i = 0; i < n_; ++i) {
        largest.include(at(r_, i, k));
        certain = certain || !arb_contains_zero(at(r_, i, k));
      }
      columns_[k].exponent = largest.value();
      columns_[k].done = columns_[k].done || !certain;
    }
  }

  // X ← X + R (B − A X) in the columns that still gain by it; false where there are none.
  bool step() {
    DenseMatrix residual(n_, m_);
    for (std::size_t k = 0; k < m_; ++k) {
      for (std::size_t i = 0; i < n_ && !columns_[k].done; ++i)
        residual(i, k) = midpoint_below(at(r_, i, k), *columns_[k].exponent);
    }
    const DenseMatrix steps = by_.apply(residual);
    bool any = false;
    arf_t change;
    arf_init(change);
    for (std::size_t k = 0; k < m_; ++k) {
      Column& column = columns_[k];
      if (column.done) continue;
      const double level = static_cast<double>(*column.exponent) + std::log2(largest_magnitude(steps.column(k)));
      // what is left is the width of A and B, and rounding
      column.done = !(level <= column.level - 1);
      if (column.done) continue;
      column.level = level;
      any = true;
      for (std::size_t j = 0; j < n_; ++j) {
        arf_set_d(change, steps(j, k));
        arf_mul_2exp_si(change, change, *column.exponent - by_.column_exponent(j));
        const arf_ptr middle = arb_midref(at(x_, j, k));
        arf_add(middle, middle, change, bits_, ARF_RND_NEAR);
      }
    }
    arf_clear(change);
    return any;
  }

  void enclose() {
    mag_t bound;
    mag_init(bound);
    std::vector<double> sizes(n_);
    for (std::size_t k = 0; k < m_; ++k) {
      const std::optional<slong> exponent = columns_[k].exponent;
      if (!exponent) continue;
      for (std::size_t i = 0; i < n_; ++i) {
        arb_get_mag(bound, at(r_, i, k));
        sizes[i] = bound_below(bound, *exponent);
      }
      const std::vector<double> bounds = by_.bounds(sizes);
      for (std::size_t j = 0; j < n_; ++j) {
        mag_set_d(bound, bounds[j]);
        mag_mul_2exp_si(bound, bound, *exponent - by_.column_exponent(j));
        mag_swap(arb_radref(at(x_, j, k)), bound);
      }
    }
    mag_clear(bound);
  }

  const Preconditioner& by_;
  std::size_t n_, m_;
  long bits_;
  arb_mat_t a_, b_, x_, r_;
  std::vector<Column> columns_;
};

}  // namespace

bool solve_in_balls(std::span<const Ball> a, std::span<Ball> b, std::size_t n, std::size_t m, long bits) {
  may_end_here(static_cast<double>(n * n * (n + m)));
  // Up to as many unknowns Arb eliminates as the balls are: their digits are enough for it.
  constexpr long digits_of_an_unknown = 10;
  const auto finite = [](const Ball& ball) { return ball.is_finite(); };
  if (bits > digits_of_an_unknown * static_cast<long>(n) || !std::ranges::all_of(a, finite) ||
      !std::ranges::all_of(b, finite))
    return solve_by_elimination(a, b, n, m, bits);
  const Preconditioner by(a, n);
  // Each round at least halves what is left: a step differs from that by δ of it, δ(1 + δ)/(1 − δ) ≤ ½.
  constexpr double slowest = 0.25;
  if (!(by.delta() <= slowest)) return solve_by_elimination(a, b, n, m, bits);
  // Products: n²m a round, against n³/3 + n²m for elimination and one round after it, at most.
  const double rounds = std::ceil(static_cast<double>(bits) / -std::log2(by.delta()));
  Refinement refinement(by, a, b, n, m, bits);
  if ((rounds - 2) * static_cast<double>(m) > static_cast<double>(n) / 3) refinement.eliminate();
  refinement(b);
  return true;
}

}  // namespace cetaev
