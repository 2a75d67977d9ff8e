// Where the rows of a tape lie in the workspace.
#pragma once

#include <algorithm>
#include <vector>

#include "series_tape.hpp"

namespace cetaev::native {

// Rows of what is multiplied by vectors end with whole ones.
constexpr std::size_t padded(std::size_t n) { return (n + 7) / 8 * 8; }

// First the rows that are read forwards, then those that are read backwards, then what divides, inverses and scratch. `stride` is the length of a row,
// with zeros behind its coefficients.
struct TapeLayout {
  TapeLayout(const SeriesProgram& program, unsigned highest, std::size_t zeros)
      : order(static_cast<std::int32_t>(highest)), stride(highest + 1 + zeros) {
    for (const Program::System& s : program.systems()) {
      const std::size_t n = s.size;
      inverse_of.push_back(inverses);
      inverses += n * padded(n);
      largest = std::max(largest, padded(n));
      scratch = std::max(scratch, 2 * n * (2 * n + s.right_hand_sides));
    }
  }
  std::size_t backwards(const SeriesTape& tape) const { return tape.forward_rows * stride; }
  std::size_t reciprocals(const SeriesTape& tape) const { return backwards(tape) + tape.backward_rows * stride; }
  std::size_t inverse(const SeriesTape& tape) const { return reciprocals(tape) + tape.reciprocals; }
  std::size_t rest(const SeriesTape& tape) const { return inverse(tape) + inverses; }
  std::size_t size(const SeriesTape& tape) const { return rest(tape) + SeriesTape::most_at_once * largest + scratch; }

  std::int32_t order;
  std::size_t stride, inverses = 0, largest = 0, scratch = 0;
  std::vector<std::size_t> inverse_of;  // where the inverse of each system begins
};

// Values of the static registers, the time and the state.
struct SeriesStart {
  const double *statics, *t, *y;
};

// The first rounds of one trajectory by loops over the tape; −1, or the number of a linear system that is singular.
int run_rounds(const SeriesProgram& program, const SeriesTape& tape, const TapeLayout& layout, const SeriesStart& start,
               double* workspace, std::int32_t rounds);

// From the rows to [order][state][lane] and then [order][further][lane].
void copy_coefficients(const SeriesProgram& program, const SeriesTape& tape, const TapeLayout& layout, unsigned lanes,
                       const double* workspace, double* coefficients);

}  // namespace cetaev::native
