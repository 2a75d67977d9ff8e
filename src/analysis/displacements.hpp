// Displacements as symbols, for formulas that are linear in them.
#pragma once

#include <span>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

// Σ row_j δq_j, the summands that are not zero; δq_j is the symbol "$delta x".
inline std::vector<Expr> by_displacements(const System& system, std::span<const Expr> row) {
  std::vector<Expr> result;
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (!row[j].is_zero()) result.push_back(row[j] * system->context->symbol("$delta " + system->coordinates[j]));
  }
  return result;
}

}  // namespace cetaev
