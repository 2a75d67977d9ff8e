#include "maps.hpp"

namespace cetaev {

namespace {

// Squares leave the range of doubles where the length does not.
template <typename Vector>
double length_of(const Vector& x) {
  constexpr double smallest = 1e-140, largest = 1e150;
  const double quick = x.norm();
  return quick > smallest && quick < largest ? quick : x.stableNorm();
}

// Eigen's product of a large matrix and a vector prepares more than small ones take.
bool is_small(DenseView a) { return a.rows + a.columns <= 16; }

}  // namespace

double length(std::span<const double> x) { return length_of(mapped(x)); }

double distance(std::span<const double> x, std::span<const double> y) { return length_of(mapped(x) - mapped(y)); }

double row_length(DenseView a, std::size_t i) {
  // A row without entries begins nowhere: there is no address to hand to Eigen.
  return a.columns == 0 ? 0.0 : length_of(mapped(a).row(to_index(i)));
}

DenseMatrix operator*(const DenseMatrix& a, const DenseMatrix& b) {
  DenseMatrix result(a.rows(), b.columns());
  mapped(result).noalias() = mapped(DenseView(a)) * mapped(DenseView(b));
  return result;
}

std::vector<double> operator*(const DenseMatrix& a, std::span<const double> x) {
  std::vector<double> result(a.rows(), 0.0);
  add_product(a, x, result);
  return result;
}

DenseMatrix transposed_times(DenseView a, DenseView b) {
  DenseMatrix result;
  transposed_times(a, b, result);
  return result;
}

void transposed_times(DenseView a, DenseView b, DenseMatrix& product) {
  product.reset(a.columns, b.columns);
  mapped(product).noalias() = mapped(a).transpose() * mapped(b);
}

std::vector<double> transposed_times(DenseView a, std::span<const double> x) {
  std::vector<double> result(a.columns);
  mapped(std::span(result)).noalias() = mapped(a).transpose() * mapped(x);
  return result;
}

void add_product(DenseView a, std::span<const double> x, std::span<double> y) {
  if (is_small(a)) {
    mapped(y).noalias() += mapped(a).lazyProduct(mapped(x));
  } else {
    mapped(y).noalias() += mapped(a) * mapped(x);
  }
}

void subtract_transposed_product(DenseView a, std::span<const double> x, std::span<double> y) {
  if (is_small(a)) {
    mapped(y).noalias() -= mapped(a).transpose().lazyProduct(mapped(x));
  } else {
    mapped(y).noalias() -= mapped(a).transpose() * mapped(x);
  }
}

}  // namespace cetaev
