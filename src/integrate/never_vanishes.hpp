// What cannot vanish wherever a motion may go, by the values of the parameters.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/expr/ball.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/model/system.hpp"
#include "range.hpp"

namespace cetaev {

constexpr std::size_t largest_determinant = 3;
// Of matrices up to 3 × 3; nothing for larger ones.
std::optional<Expr> small_determinant(const Matrix& M);
// The same in normal form, which shows best whether it can vanish; it may be long beyond measure, since nothing is shared in it.
Expr normal_of(Expr determinant);
// A Aᵀ
Matrix gram(const Matrix& A);

// Cannot vanish, whatever values the symbols have that are no parameters: by its enclosure when they may be anything. A sum of what is not negative,
// as x² + ε² is, does not vanish if one of its terms does not.
class NeverVanishes {
 public:
  NeverVanishes(const System& system, Expr e);
  bool operator()(std::span<const Ball> parameters) const;
  bool operator()(std::span<const double> parameters) const;

 private:
  bool all_ = false;       // of the terms are asked, factors of a product
  bool positive_ = false;  // or one of them
  std::vector<NeverVanishes> terms_;
  std::optional<RangeOf> whole_;  // where it is no such sum
};

}  // namespace cetaev
