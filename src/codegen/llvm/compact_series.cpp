#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "compact.hpp"
#include "lanes.hpp"
#include "series_tape.hpp"

namespace cetaev::native {

namespace {

typedef double Four __attribute__((vector_size(32)));

constexpr std::size_t padded(std::size_t n) { return (n + 3) / 4 * 4; }

// Where the loops keep what. Registers have room for three zeros behind their coefficients.
struct TapeLayout {
  TapeLayout(const SeriesProgram& program, unsigned highest)
      : order(static_cast<std::int32_t>(highest)), stride(highest + 4) {
    for (const Program::System& s : program.systems()) {
      const std::size_t n = s.size;
      inverse_of.push_back(inverses);
      inverses += n * padded(n);
      largest = std::max(largest, padded(n));
      scratch = std::max(scratch, 2 * n * (2 * n + s.right_hand_sides));
    }
  }
  std::size_t size(const SeriesTape& tape) const {
    return (tape.forward_rows + tape.backward_rows) * stride + tape.reciprocals + inverses +
           SeriesTape::most_at_once * largest + scratch;
  }

  std::int32_t order;
  std::size_t stride, inverses = 0, largest = 0, scratch = 0;
  std::vector<std::size_t> inverse_of;  // where the inverse of each system begins
};

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
class SeriesInLanes final : public CompactSeries {
 public:
  SeriesInLanes(const SeriesProgram& program, unsigned order)
      : p_(program), layout_(p_, order), tape_(p_, static_cast<std::uint32_t>(layout_.stride * lanes)) {}

  std::size_t workspace_size() const override { return layout_.size(tape_) * lanes; }

  int run(const double* statics, const double* t, const double* y, double* coefficients,
          double* workspace) const override {
#ifdef CETAEV_LOOPS_FOR_AVX2
    static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (has_avx2) return run_in<with_avx2::Loops<lanes>>(statics, t, y, coefficients, workspace);
#endif
    return run_in<any_processor::Loops<lanes>>(statics, t, y, coefficients, workspace);
  }

 private:
  template <class Loops>
  int run_in(const double* statics, const double* t, const double* y, double* coefficients, double* workspace) const {
    Loops loops(p_, tape_, layout_, workspace);
    if (const int singular = loops.run(statics, t, y); singular >= 0) return singular;
    double* out = coefficients;
    const auto put = [&](std::uint32_t r, std::int32_t k) {
      (k <= p_.degree(r) ? loops.get(r, k) : Lanes<lanes>::of(0)).store(out);
      out += lanes;
    };
    for (std::int32_t k = 0; k <= layout_.order; ++k) {
      for (std::size_t i = 0; i < p_.state_count(); ++i) put(p_.state(i), k);
    }
    for (std::int32_t k = 0; k < layout_.order; ++k) {
      for (const std::uint32_t r : p_.further()) put(r, k);
    }
    return -1;
  }

  SeriesProgram p_;
  TapeLayout layout_;
  SeriesTape tape_;
};

}  // namespace

std::unique_ptr<CompactSeries> make_compact(const SeriesProgram& program, unsigned order, unsigned lanes) {
  switch (lanes) {
    case 1: return std::make_unique<SeriesInLanes<1>>(program, order);
    case 2: return std::make_unique<SeriesInLanes<2>>(program, order);
    case 4: return std::make_unique<SeriesInLanes<4>>(program, order);
    default: return std::make_unique<SeriesInLanes<8>>(program, order);
  }
}

}  // namespace cetaev::native
