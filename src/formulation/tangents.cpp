#include "tangents.hpp"

namespace cetaev {

std::optional<LinearBlock> Tangents::of(const LinearBlock& block, Context& context) {
  const std::size_t n = block.matrix.rows, sides = block.right.columns, number = blocks_++;
  // the columns δF − (δM) x that are not zero
  std::vector<std::vector<Expr>> columns;
  std::vector<std::pair<std::size_t, std::size_t>> of;  // the direction and the right-hand side
  for (std::size_t j = 0; j < seeds_.size(); ++j) {
    Derivation along(seeds_[j]);
    Matrix dM{n, n, {}};
    for (const Expr e : block.matrix.entries) dM.entries.push_back(along(e));
    for (std::size_t k = 0; k < sides; ++k) {
      std::vector<Expr> column;
      bool zero = true;
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<Expr> terms = {along(block.right(i, k))};
        for (std::size_t l = 0; l < n; ++l) {
          if (!dM(i, l).is_zero()) terms.push_back(-(dM(i, l) * block.unknown(l, k)));
        }
        column.push_back(context.sum(terms));
        zero = zero && column.back().is_zero();
      }
      if (zero) continue;
      columns.push_back(std::move(column));
      of.emplace_back(j, k);
    }
  }
  if (columns.empty()) return std::nullopt;
  LinearBlock result{block.matrix, {n, columns.size(), {}}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto [j, k] = of[c];
      result.right.entries.push_back(columns[c][i]);
      const Expr unknown = context.symbol("$" + tag_ + std::to_string(number) + "_" + std::to_string(i) + "_" +
                                          std::to_string(k) + "_" + std::to_string(j));
      result.unknowns.push_back(unknown);
      seeds_[j].emplace_back(block.unknown(i, k), unknown);
    }
  }
  return result;
}

std::vector<Expr> Tangents::of(std::span<const Expr> expressions, std::size_t direction) const {
  Derivation along(seeds_[direction]);
  std::vector<Expr> result;
  for (const Expr e : expressions) result.push_back(along(e));
  return result;
}

}  // namespace cetaev
