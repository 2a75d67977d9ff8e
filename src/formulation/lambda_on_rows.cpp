#include "cetaev/detail/formulation/lambda_on_rows.hpp"

#include <algorithm>
#include <utility>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

std::vector<double> lambda_on_rows(const System& system, const ConstraintSet& constraints,
                                   std::span<const std::size_t> rows, std::span<const double> inputs,
                                   std::span<const double> lambda) {
  std::vector<double> result;
  std::vector<double> others(lambda.begin(), lambda.end());
  others.resize(constraints.size());
  for (const std::size_t row : rows) result.push_back(std::exchange(others[row], 0.0));
  if (std::ranges::all_of(others, [](double l) { return l == 0; })) return result;

  const std::vector<Expr> symbols = state_symbols(system);
  std::vector<Value> values;
  for (std::size_t i = 0; i < symbols.size(); ++i) values.emplace_back(symbols[i], inputs[i]);
  const Matrix& J = constraints.jacobian;
  const std::vector<double> entries = evaluate(J.entries, values);
  // Jᵀ of the rows in use, at equal length, and J_dᵀλ_d = Jᵀ Cᵀλ_d
  DenseMatrix used(J.columns, rows.size());
  std::vector<double> sum(J.columns, 0.0);
  for (std::size_t j = 0; j < J.columns; ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) used(j, i) = entries[rows[i] * J.columns + j];
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i] != 0) sum[j] += others[i] * entries[i * J.columns + j];
    }
  }
  std::vector<double> norms;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    norms.push_back(length(used.column(i)));
    used.scale_column(i, 1 / norms.back());
  }
  const std::vector<double> more = LeastNorm(used, rank_tolerance).solve(sum);
  for (std::size_t i = 0; i < rows.size(); ++i) result[i] += more[i] / norms[i];
  return result;
}

}  // namespace cetaev
