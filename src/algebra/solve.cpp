#include "cetaev/detail/algebra/solve.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "cetaev/detail/algebra/zero.hpp"
#include "lowest_terms.hpp"

namespace cetaev {

namespace {

using algebra::Field;
using algebra::Fraction;
using algebra::Poly;
using algebra::Ring;

class Elimination {
 public:
  Elimination(Field& field, const Matrix& a, const Matrix& b, const SolveOptions& options)
      : field_(field),
        ring_(field.ring()),
        options_(options),
        unknowns_(a.columns),
        sides_(b.columns),
        used_(a.rows),
        expressed_(a.columns),
        nonzero_(field.ring().capacity()) {
    for (std::size_t g = 0; g < ring_.generator_count(); ++g) {
      // exp(u) and b^s never vanish
      const auto& meaning = field.generators()[g].meaning;
      nonzero_[g] = std::holds_alternative<algebra::Exponential>(meaning);
      if (const auto* itself = std::get_if<algebra::Itself>(&meaning)) {
        nonzero_[g] = std::find(options.nonzero.begin(), options.nonzero.end(), itself->expr) != options.nonzero.end();
      }
    }
    for (std::size_t i = 0; i < a.rows; ++i) {
      std::vector<Fraction> entries;
      for (std::size_t j = 0; j < unknowns_; ++j) entries.push_back(field(a(i, j)));
      for (std::size_t j = 0; j < sides_; ++j) entries.push_back(field(b(i, j)));
      rows_.push_back(without_denominators(entries));
      remove_content(rows_.back(), true);
    }
  }

  LinearSolution run() {
    LinearSolution result;
    while (const auto pivot = choose_pivot()) {
      const auto [row, column] = *pivot;
      assume_nonzero(rows_[row][column]);
      used_[row] = true;
      expressed_[column] = true;
      result.pivot_rows.push_back(row);
      result.pivot_columns.push_back(column);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (i != row) eliminate(i, row, column);
      }
    }
    result.rank = result.pivot_rows.size();
    for (std::size_t j = 0; j < unknowns_; ++j) {
      if (!expressed_[j]) result.free_columns.push_back(j);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!used_[i] && has_right_side(i)) result.contradictory_rows.push_back(i);
    }
    write_solution(result);
    for (const Poly& p : conditions_) result.conditions.push_back(field_.expression(p));
    return result;
  }

 private:
  using Row = std::vector<Poly>;

  Row without_denominators(std::span<const Fraction> entries) const {
    algebra::CommonDenominator common = algebra::common_denominator(entries);
    Rational unit;
    for (std::size_t j = 0; j < entries.size(); ++j) {
      if (!entries[j].is_zero()) unit = gcd(unit, common.scales[j]);
    }
    for (std::size_t j = 0; j < entries.size(); ++j) {
      if (!entries[j].is_zero()) common.numerators[j] = scaled(common.numerators[j], common.scales[j] / unit);
    }
    return std::move(common.numerators);
  }

  // A number, a product of symbols that do not vanish, or a sum of squares and a positive number.
  bool cannot_vanish(const Poly& p) const {
    if (p.is_constant()) return true;
    const std::vector<unsigned long> last = p.exponents(p.length() - 1);
    const auto is_harmless = [&](std::size_t g) { return last[g] == 0 || (p.length() == 1 && nonzero_[g]); };
    for (std::size_t g = 0; g < last.size(); ++g) {
      if (!is_harmless(g)) return false;
    }
    return p.length() == 1 || field_.generators().is_manifestly_nonnegative(p);
  }

  // Records the irreducible factors of p that can vanish.
  void assume_nonzero(const Poly& p) {
    for (const auto& [base, exponent] : algebra::factor(p).factors) {
      if (cannot_vanish(base)) continue;
      if (std::find(conditions_.begin(), conditions_.end(), base) == conditions_.end()) conditions_.push_back(base);
    }
  }

  // A row stands for an equation as long as what it is divided by does not vanish. In a row that expresses an unknown
  // the content divides products of pivots, which are conditions already.
  void remove_content(Row& row, bool is_condition) {
    Poly content(ring_);
    for (const Poly& entry : row) {
      if (!entry.is_zero()) content = common_divisor(content, entry);
      if (content.is_one()) break;
    }
    if (content.is_zero()) return;
    Rational number;
    for (const Poly& entry : row) {
      Poly copy = entry;
      number = gcd(number, take_content(copy));
    }
    take_content(content);
    content = scaled(content, number);
    if (content.is_one()) return;
    if (is_condition && !content.is_constant()) {
      if (really_vanishes(content)) {
        std::fill(row.begin(), row.end(), Poly(ring_));
        return;
      }
      assume_nonzero(content);
    }
    for (Poly& entry : row) {
      if (!entry.is_zero()) entry = *divide(entry, content);
    }
  }

  // Representatives that are not zero may still be zero as functions, where kernels have relations that are not known.
  bool really_vanishes(const Poly& p) {
    if (p.is_constant() || !field_.has_kernels()) return p.is_zero();
    return vanishes(field_.expression(p));
  }

  std::optional<std::pair<std::size_t, std::size_t>> choose_pivot() {
    using Cost = std::tuple<int, int, std::size_t, std::size_t, long, std::size_t, std::size_t>;
    for (;;) {
      std::optional<Cost> best;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (used_[i]) continue;
        const auto filled = static_cast<std::size_t>(
            std::count_if(rows_[i].begin(), rows_[i].end(), [](const Poly& p) { return !p.is_zero(); }));
        for (std::size_t j = 0; j < unknowns_; ++j) {
          const Poly& p = rows_[i][j];
          if (expressed_[j] || p.is_zero()) continue;
          const int order = options_.column_order.empty() ? 0 : options_.column_order[j];
          const int kind = p.is_constant() ? 0 : cannot_vanish(p) ? 1 : 2;
          const Cost own{order, kind, p.length(), filled, p.total_degree(), j, i};
          if (!best || own < *best) best = own;
        }
      }
      if (!best) return std::nullopt;
      const std::size_t column = std::get<5>(*best);
      const std::size_t row = std::get<6>(*best);
      if (!really_vanishes(rows_[row][column])) return std::pair(row, column);
      rows_[row][column] = Poly(ring_);
    }
  }

  // row ← (p/g)·row − (a/g)·pivot row, g = gcd(p, a)
  void eliminate(std::size_t target, std::size_t pivot_row, std::size_t column) {
    Row& row = rows_[target];
    if (row[column].is_zero()) return;
    Poly p = rows_[pivot_row][column];
    Poly a = row[column];
    const Poly common = common_divisor(p, a);
    if (!common.is_one()) {
      p = *divide(p, common);
      a = *divide(a, common);
    }
    for (std::size_t j = 0; j < row.size(); ++j) {
      const Poly& other = rows_[pivot_row][j];
      if (other.is_zero() && row[j].is_zero()) continue;
      row[j] = j == column ? Poly(ring_) : other.is_zero() ? p * row[j] : p * row[j] - a * other;
    }
    remove_content(row, !used_[target]);
  }

  bool has_right_side(std::size_t i) {
    return std::any_of(rows_[i].begin() + static_cast<std::ptrdiff_t>(unknowns_), rows_[i].end(),
                       [&](const Poly& p) { return !really_vanishes(p); });
  }

  Expr entry(const Poly& numerator, const Poly& denominator, long sign) {
    return algebra::expression(field_, algebra::lowest_terms(sign, numerator, denominator));
  }

  void write_solution(LinearSolution& result) {
    const Expr zero = field_.expression(Poly(ring_));
    const Expr one = field_.expression(Poly(ring_, 1));
    const std::size_t free = result.free_columns.size();
    result.kernel = {unknowns_, free, std::vector<Expr>(unknowns_ * free, zero)};
    for (std::size_t f = 0; f < free; ++f) result.kernel(result.free_columns[f], f) = one;
    if (result.consistent()) result.particular = {unknowns_, sides_, std::vector<Expr>(unknowns_ * sides_, zero)};
    for (std::size_t k = 0; k < result.rank; ++k) {
      const Row& row = rows_[result.pivot_rows[k]];
      const std::size_t column = result.pivot_columns[k];
      for (std::size_t f = 0; f < free; ++f) {
        result.kernel(column, f) = entry(row[result.free_columns[f]], row[column], -1);
      }
      for (std::size_t s = 0; s < sides_ && result.consistent(); ++s) {
        result.particular(column, s) = entry(row[unknowns_ + s], row[column], 1);
      }
    }
  }

  Field& field_;
  Ring& ring_;
  const SolveOptions& options_;
  std::size_t unknowns_, sides_;
  std::vector<Row> rows_;
  std::vector<bool> used_, expressed_;
  std::vector<bool> nonzero_;  // of the generators
  std::vector<Poly> conditions_;
};

}  // namespace

std::optional<LinearSolution> solve_linear(const Matrix& a, const Matrix& b, const SolveOptions& options) {
  if (a.rows == 0) {
    LinearSolution free;
    free.free_columns.resize(a.columns);
    std::iota(free.free_columns.begin(), free.free_columns.end(), std::size_t{0});
    return free;
  }
  std::vector<Expr> all = a.entries;
  all.insert(all.end(), b.entries.begin(), b.entries.end());
  try {
    algebra::Budget budget(algebra::normal_form_units);
    Field field(all, budget);
    return Elimination(field, a, b, options).run();
  } catch (const algebra::Exhausted&) {
    return std::nullopt;
  } catch (const algebra::ZeroDenominator& error) {
    throw algebra::division_by_zero(error);
  }
}

std::optional<LinearSolution> solve_linear(const Matrix& a, std::span<const Expr> b, const SolveOptions& options) {
  return solve_linear(a, Matrix{a.rows, 1, {b.begin(), b.end()}}, options);
}

}  // namespace cetaev
