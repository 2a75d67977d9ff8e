#include "never_vanishes.hpp"

#include <algorithm>

#include "cetaev/detail/algebra/normal.hpp"

namespace cetaev {

std::optional<Expr> small_determinant(const Matrix& M) {
  const auto minor = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    return M(i, k) * M(j, l) - M(i, l) * M(j, k);
  };
  Expr result;
  switch (M.rows) {
    case 1: result = M(0, 0); break;
    case 2: result = minor(0, 1, 0, 1); break;
    case 3: result = M(0, 0) * minor(1, 2, 1, 2) - M(0, 1) * minor(1, 2, 0, 2) + M(0, 2) * minor(1, 2, 0, 1); break;
    default: return std::nullopt;
  }
  return result;
}

Expr normal_of(Expr determinant) {
  try {
    return normal(determinant, Shape::factored);
  } catch (const Error&) {
    return determinant;
  }
}

Matrix gram(const Matrix& A) {
  Matrix result{A.rows, A.rows, {}};
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t j = 0; j < A.rows; ++j) {
      std::vector<Expr> terms;
      for (std::size_t k = 0; k < A.columns; ++k) terms.push_back(A(i, k) * A(j, k));
      result.entries.push_back(A.entries.front().context().sum(terms));
    }
  }
  return result;
}

namespace {

bool is_product(Expr e) {
  if (e.kind() != Kind::product) return false;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (e.exponent(i).sign() < 0) return false;
  return true;
}

bool is_sum_of_nonnegatives(Expr e) {
  if (e.kind() != Kind::sum || e.constant().sign() < 0) return false;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (e.coefficient(i).sign() < 0 || !e.term(i).is_nonnegative()) return false;
  return true;
}

}  // namespace

NeverVanishes::NeverVanishes(const System& system, Expr e) {
  if (e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero()) e = e.term(0);
  if (is_product(e)) {
    all_ = true;
    for (std::size_t i = 0; i < e.size(); ++i) terms_.emplace_back(system, e.base(i));
    return;
  }
  if (is_sum_of_nonnegatives(e)) {
    positive_ = e.constant().sign() > 0;
    for (std::size_t i = 0; i < e.size(); ++i) terms_.emplace_back(system, e.term(i));
    return;
  }
  whole_.emplace(system, e);
}

bool NeverVanishes::operator()(std::span<const Ball> parameters) const {
  if (all_) return std::ranges::all_of(terms_, [&](const auto& factor) { return factor(parameters); });
  if (!whole_)
    return positive_ || std::any_of(terms_.begin(), terms_.end(), [&](const auto& term) { return term(parameters); });
  const std::optional<Ball> range = (*whole_)(parameters);
  return range && !range->contains_zero();
}

bool NeverVanishes::operator()(std::span<const double> parameters) const {
  std::vector<Ball> balls;
  for (const double value : parameters) balls.push_back(Ball::from_double(value));
  return (*this)(balls);
}

}  // namespace cetaev
