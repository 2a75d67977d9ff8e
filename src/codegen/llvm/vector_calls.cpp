// Compiled for the vector unit, which is why it stands alone: in which registers a vector travels is decided for a whole file
// (g++ lets a function decide for itself, clang does not). No header with inline functions may be included here: they would
// be compiled for the vector unit too, and other files might get those.
#include "vector_calls.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#ifdef CETAEV_VECTOR_CALLS
namespace cetaev::native {

namespace {

#if defined(__x86_64__)
using Vector = __m256d;
inline Vector load(const double* p) { return _mm256_loadu_pd(p); }
inline void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
#else
using Vector = float64x2_t;
inline Vector load(const double* p) { return vld1q_f64(p); }
inline void store(double* p, Vector v) { vst1q_f64(p, v); }
#endif

struct VectorPair {
  Vector x, y;
};
using Unary = Vector (*)(Vector);
using Binary = Vector (*)(Vector, Vector);
using WithTwoResults = VectorPair (*)(Vector);

template <class F>
F as(const void* function) {
  return reinterpret_cast<F>(const_cast<void*>(function));
}

}  // namespace

void call_unary(const void* function, const double* x, double* y, unsigned lanes) {
  const auto f = as<Unary>(function);
  for (unsigned i = 0; i < lanes; i += vector_width) store(y + i, f(load(x + i)));
}

void call_binary(const void* function, const double* x, double* y, unsigned lanes) {
  const auto f = as<Binary>(function);
  for (unsigned i = 0; i < lanes; i += vector_width) store(y + i, f(load(x + i), load(x + lanes + i)));
}

void call_with_two_results(const void* function, const double* x, double* y, unsigned lanes) {
  const auto f = as<WithTwoResults>(function);
  for (unsigned i = 0; i < lanes; i += vector_width) {
    const VectorPair r = f(load(x + i));
    store(y + i, r.x);
    store(y + lanes + i, r.y);
  }
}

}  // namespace cetaev::native
#endif
