#include "written_out.hpp"

#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/algebra/zero.hpp"

namespace cetaev {

// By the first row.
Expr determinant_of(const Matrix& m) {
  Context& context = m.entries.front().context();
  if (m.rows == 1) return m(0, 0);
  Expr sum = context.zero();
  for (std::size_t c = 0; c < m.columns; ++c) {
    if (m(0, c).is_zero()) continue;
    Matrix minor{m.rows - 1, m.columns - 1, {}};
    for (std::size_t i = 1; i < m.rows; ++i)
      for (std::size_t j = 0; j < m.columns; ++j)
        if (j != c) minor.entries.push_back(m(i, j));
    const Expr part = m(0, c) * determinant_of(minor);
    sum = c % 2 == 0 ? sum + part : sum - part;
  }
  return sum;
}

bool is_zero_written_out(const System& system, Expr e, std::span<const LinearBlock> blocks) {
  std::vector<Replacement> known;
  for (const LinearBlock& block : blocks) {
    if (block.matrix.rows > largest_determinant) return false;
    Matrix m = block.matrix;
    for (Expr& entry : m.entries) entry = substitute(entry, known);
    const Expr whole = determinant_of(m);
    for (std::size_t j = 0; j < block.right.columns; ++j) {
      std::vector<Expr> right;
      for (std::size_t i = 0; i < m.rows; ++i) right.push_back(substitute(block.right(i, j), known));
      for (std::size_t k = 0; k < m.rows; ++k) {
        Matrix other = m;
        for (std::size_t i = 0; i < m.rows; ++i) other(i, k) = right[i];
        known.emplace_back(block.unknown(k, j), determinant_of(other) / whole);
      }
    }
  }
  try {
    return prove_zero(with_parameter_values(system, substitute(e, known))).verdict == Verdict::proved;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace cetaev
