#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "compact.hpp"
#include "lanes.hpp"
#include "tape_layout.hpp"

namespace cetaev::native {

namespace {

typedef double Four __attribute__((vector_size(32)));

// Behind the coefficients of a row.
constexpr std::size_t zeros = 3;

namespace any_processor {

inline void fuse(const double* x, const double* y, Four& sum) {
  Four a, b;
  std::memcpy(&a, x, sizeof a);
  std::memcpy(&b, y, sizeof b);
#if defined(__aarch64__)
  for (int i = 0; i < 4; ++i) sum[i] = __builtin_fma(a[i], b[i], sum[i]);
#else
  sum += a * b;
#endif
}

#include "series_loops.hpp"

}  // namespace any_processor

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CETAEV_LOOPS_FOR_AVX2
#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace with_avx2 {

inline void fuse(const double* x, const double* y, Four& sum) {
  sum = _mm256_fmadd_pd(_mm256_loadu_pd(x), _mm256_loadu_pd(y), sum);
}

#include "series_loops.hpp"

}  // namespace with_avx2
#pragma GCC pop_options
#endif

template <unsigned lanes>
int rounds_in_loops(const SeriesProgram& program, const SeriesTape& tape, const TapeLayout& layout,
                    const SeriesStart& start, double* workspace, std::int32_t rounds) {
#ifdef CETAEV_LOOPS_FOR_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx2)
    return with_avx2::Loops<lanes>(program, tape, layout, workspace).run(start.statics, start.t, start.y, rounds);
#endif
  return any_processor::Loops<lanes>(program, tape, layout, workspace).run(start.statics, start.t, start.y, rounds);
}

template <unsigned lanes>
class SeriesInLanes final : public CompactSeries {
 public:
  SeriesInLanes(const SeriesProgram& program, unsigned order)
      : p_(program), layout_(p_, order, zeros), tape_(p_, static_cast<std::uint32_t>(layout_.stride * lanes)) {}

  std::size_t workspace_size() const override { return layout_.size(tape_) * lanes; }

  int run(const double* statics, const double* t, const double* y, double* coefficients,
          double* workspace) const override {
    const int singular = rounds_in_loops<lanes>(p_, tape_, layout_, {statics, t, y}, workspace, layout_.order);
    if (singular < 0) copy_coefficients(p_, tape_, layout_, lanes, workspace, coefficients);
    return singular;
  }

 private:
  SeriesProgram p_;
  TapeLayout layout_;
  SeriesTape tape_;
};

}  // namespace

int run_rounds(const SeriesProgram& program, const SeriesTape& tape, const TapeLayout& layout, const SeriesStart& start,
               double* workspace, std::int32_t rounds) {
  return rounds_in_loops<1>(program, tape, layout, start, workspace, rounds);
}

void copy_coefficients(const SeriesProgram& program, const SeriesTape& tape, const TapeLayout& layout, unsigned lanes,
                       const double* workspace, double* coefficients) {
  double* out = coefficients;
  const auto put = [&](std::uint32_t r, std::int32_t k) {
    const double* const from = workspace + tape.forwards[r] + static_cast<std::size_t>(k) * lanes;
    out = k <= program.degree(r) ? std::copy_n(from, lanes, out) : std::fill_n(out, lanes, 0.0);
  };
  for (std::int32_t k = 0; k <= layout.order; ++k) {
    for (std::size_t i = 0; i < program.state_count(); ++i) put(program.state(i), k);
  }
  for (std::int32_t k = 0; k < layout.order; ++k) {
    for (const std::uint32_t r : program.further()) put(r, k);
  }
}

std::unique_ptr<CompactSeries> make_compact(const SeriesProgram& program, unsigned order, unsigned lanes) {
  switch (lanes) {
    case 1: return std::make_unique<SeriesInLanes<1>>(program, order);
    case 2: return std::make_unique<SeriesInLanes<2>>(program, order);
    case 4: return std::make_unique<SeriesInLanes<4>>(program, order);
    default: return std::make_unique<SeriesInLanes<8>>(program, order);
  }
}

}  // namespace cetaev::native
