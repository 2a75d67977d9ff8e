#include "branch_corrector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "branch_places.hpp"

namespace cetaev {

namespace {

constexpr int most_corrections = 10;
// The rank of all rows, beside the largest.
constexpr double told_from_dependent = 1e-7;

// The rows with one more below.
DenseMatrix with_row(const DenseMatrix& rows, std::span<const double> below, std::size_t more_columns = 0) {
  DenseMatrix all(rows.rows() + 1, rows.columns() + more_columns);
  for (std::size_t j = 0; j < rows.columns(); ++j) {
    std::ranges::copy(rows.column(j), all.column(j).begin());
    all(rows.rows(), j) = below[j];
  }
  return all;
}

// How well the derivatives of a motion a period later are known, beside the largest of them.
constexpr double known_part = told_from_circle * told_from_circle;

// By Hadamard: each row may be off by that part of its length, and the others are no longer than they are.
BranchCorrector::Test tested_determinant(const DenseMatrix& matrix) {
  double volume = 1;
  for (std::size_t i = 0; i < matrix.rows(); ++i) volume *= row_length(matrix, i);
  return {determinant(matrix), static_cast<double>(matrix.rows()) * known_part * volume};
}

}  // namespace

std::vector<double> BranchCorrector::first_tangent(const BranchPlace& first) {
  const DenseMatrix matrix = equations_.rows(first, first).matrix;
  PivotedQr qr(told_from_dependent);
  qr.compute(matrix);
  const std::size_t unknowns = matrix.columns();
  if (qr.rank() == unknowns)
    throw Error(ErrorCode::not_applicable,
                fmt::format("the periodic motion is the only one near by{}: it does not change with '{}'",
                            !holds_ ? "" : " that keeps what is held", along_.name));
  if (const std::size_t more = unknowns - 1 - qr.rank(); more > 0)
    throw Error(
        ErrorCode::bad_model,
        fmt::format("near this one the periodic motions with one value of '{0}' form a family of {1} "
                    "dimension{2}, as far as their multipliers tell: name as many quantities that stay as they are "
                    "with --hold, of E, period and initial values; if it is no family, something happens just at "
                    "this value, and another value of '{0}' to begin with helps",
                    along_.name, more, more == 1 ? "" : "s"));
  const DenseMatrix kernel = qr.kernel();
  std::vector<double> tangent(kernel.column(0).begin(), kernel.column(0).end());
  const double size = length(tangent);
  for (double& one : tangent) one /= tangent.back() < 0 ? -size : size;
  return tangent;
}

std::optional<std::vector<double>> BranchCorrector::tangent_beside(const DenseMatrix& rows,
                                                                   std::span<const double> last) {
  std::vector<double> right(rows.rows() + 1);
  right.back() = 1;
  std::vector<double> tangent = LeastNorm(with_row(rows, last), least_pivot_of_newton).solve(right);
  const double size = length(tangent);
  if (!(size > 0) || !std::isfinite(size)) return std::nullopt;
  for (double& one : tangent) one /= size;
  return tangent;
}

DenseMatrix BranchCorrector::superfluous(const BranchEquations::Rows& rows) const {
  const std::size_t k = std::min(equations_.conserved(), rows.returns);
  DenseMatrix result(rows.returns, k);
  if (k == 0) return result;
  PivotedQr qr;
  qr.compute(rows.matrix.top_rows(rows.returns));
  qr.complement(rows.returns - k, result);
  return result;
}

BranchCorrector::Test BranchCorrector::branching(const BranchEquations::Rows& rows, const Base& base) const {
  const std::size_t k = base.left_out.columns();
  DenseMatrix all = with_row(rows.matrix, base.tangent, k);
  double turned = 1;
  if (k > 0) {
    const DenseMatrix own = superfluous(rows);
    for (std::size_t c = 0; c < k; ++c) std::ranges::copy(own.column(c), all.column(rows.matrix.columns() + c).begin());
    turned = determinant(transposed_times(base.left_out, own)) < 0 ? -1 : 1;
  }
  if (all.rows() != all.columns()) return {};
  Test result = tested_determinant(all);
  result.value *= turned;
  return result;
}

BranchCorrector::Test BranchCorrector::turning(const DenseMatrix& rows, std::span<const double> tangent) {
  // the tangent is the kernel of the rows, which are known to a part of the largest: it is to that over the smallest pivot
  PivotedQr qr;
  qr.compute(rows);
  const std::size_t k = std::min(rows.rows(), rows.columns() - 1);
  const double smallest = k == 0 ? 1 : qr.pivot(k - 1) / qr.pivot(0);
  return {tangent.back(), known_part / smallest};
}

BranchCorrector::Test BranchCorrector::doubling(const Return& at) {
  DenseMatrix M = at.monodromy();
  for (std::size_t i = 0; i < M.rows(); ++i) M(i, i) += 1;
  return M.rows() == 0 ? Test() : tested_determinant(M);
}

Spectrum BranchCorrector::multipliers(const Return& at) {
  if (at.z.empty()) return {};
  return eigenvalues(at.monodromy()).value_or(Spectrum());
}

BranchCorrector::Base BranchCorrector::base_at(const BranchPlace& place, const std::vector<double>& tangent) {
  const std::vector<double> everywhere = equations_.everywhere(place, tangent);
  Base base;
  base.place = equations_.shoot(place.at.from, place.T, place.value, equations_.shooting().chart(place.at.from));
  const BranchEquations::Rows rows = equations_.rows(base.place, base.place);
  base.tangent = tangent_beside(rows.matrix, equations_.in_chart(base.place, everywhere)).value_or(tangent);
  base.left_out = superfluous(rows);
  base.multipliers = multipliers(base.place.at);
  base.doubling = doubling(base.place.at);
  base.branching = branching(rows, base);
  base.turning = turning(rows.matrix, base.tangent);
  return base;
}

// Newton's method to where the last row, too, is what it should be: `along`·(u − base) = s.
std::optional<BranchCorrector::Trial> BranchCorrector::correct(const Base& base, BranchPlace guess,
                                                               std::span<const double> along, double s) {
  double last = INFINITY;
  for (int step = 0; step < most_corrections; ++step) {
    Trial trial{std::move(guess), {}, 0};
    trial.rows = equations_.rows(trial.place, base.place);
    const std::vector<double> moved = equations_.seen_from(base.place, trial.place);
    double reached = 0;
    for (std::size_t i = 0; i < moved.size(); ++i) reached += along[i] * moved[i];
    std::vector<double> right;
    for (const double one : trial.rows.residual) right.push_back(-one);
    right.push_back(s - reached);
    if (!all_finite(right) || !all_finite(trial.rows.matrix.entries())) return std::nullopt;
    const std::vector<double> change =
        LeastNorm(with_row(trial.rows.matrix, along), least_pivot_of_newton).solve(right);
    const double size = length(change);
    const bool there = equations_.solved(trial.place, trial.rows) && std::abs(right.back()) <= come_back;
    if (there && (size <= no_more_correction || size > last / 4)) {
      for (std::size_t i = 0; i < moved.size(); ++i) trial.s += base.tangent[i] * moved[i];
      return trial;
    }
    if (!(size < 2 * last)) return std::nullopt;
    last = size;
    guess = equations_.move(trial.place, change);
  }
  return std::nullopt;
}

std::optional<BranchCorrector::Trial> BranchCorrector::at_length(const Base& base, double s, const Trial* known) {
  try {
    std::vector<double> ahead = base.tangent;
    for (double& one : ahead) one *= s;
    if (known != nullptr) {
      const std::vector<double> there = equations_.seen_from(base.place, known->place);
      const double part = s / known->s;
      for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] += (there[i] - base.tangent[i] * known->s) * part * part;
    }
    return correct(base, equations_.move(base.place, ahead), base.tangent, s);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<BranchCorrector::Trial> BranchCorrector::at_value(const Base& base, const Trial& behind, double value) {
  const double range = std::abs(along_.to - along_.from);
  const double part = (value - base.place.value) / (behind.place.value - base.place.value);
  std::vector<double> ahead = equations_.seen_from(base.place, behind.place), unit(ahead.size());
  for (double& one : ahead) one *= part;
  unit.back() = 1;
  try {
    auto found = correct(base, equations_.move(base.place, ahead), unit, (value - base.place.value) / range);
    if (found && found->s > 0 && found->s <= behind.s * 1.5) {
      found->place.value = value;
      return found;
    }
  } catch (const Error&) {
    // along the branch
  }
  const auto s = zero_between(0, base.place.value - value, behind.s, behind.place.value - value,
                              [&](double length) -> std::optional<double> {
                                const auto trial = at_length(base, length, &behind);
                                return trial ? std::optional(trial->place.value - value) : std::nullopt;
                              });
  return s ? at_length(base, *s, &behind) : std::nullopt;
}

}  // namespace cetaev
