// Exact solution of small systems of linear equations with expressions as coefficients.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev {

struct LinearSolution {
  std::size_t rank = 0;  // at generic points
  // Step i of the elimination used this equation to express this unknown: the equations are independent.
  std::vector<std::size_t> pivot_rows, pivot_columns;
  std::vector<std::size_t> free_columns;  // ascending

  // Equations that contradict the others at generic points; empty for a consistent system.
  std::vector<std::size_t> contradictory_rows;
  bool consistent() const { return contradictory_rows.empty(); }

  // A·particular = b with zeros in the free unknowns (columns × columns of b); empty when inconsistent.
  Matrix particular;
  // A basis of ker A, one column for each free unknown: 1 there, 0 in the other free unknowns. (Without equations there
  // is no context to write it in: particular and kernel stay empty.)
  Matrix kernel;
  // The result holds where none of these vanishes. Irreducible, not constant, each once.
  std::vector<Expr> conditions;
};

struct SolveOptions {
  // One number per column: unknowns with small numbers are expressed by those with large ones. Empty: all alike.
  std::vector<int> column_order = {};
  // Symbols known not to vanish, such as lengths and masses: good pivots, and never a condition.
  std::vector<Expr> nonzero = {};
};

// A x = b by elimination without fractions. Pivots are constants where there are any, then what cannot vanish, then the
// simplest. Nothing when exact algebra would become too large. Throws Error(bad_model) when an entry divides by an
// expression that vanishes identically.
std::optional<LinearSolution> solve_linear(const Matrix& a, const Matrix& b, const SolveOptions& options = {});
std::optional<LinearSolution> solve_linear(const Matrix& a, std::span<const Expr> b, const SolveOptions& options = {});

}  // namespace cetaev
