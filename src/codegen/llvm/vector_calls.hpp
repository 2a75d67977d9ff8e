// Calls of functions that take and return vectors in registers, as those of SLEEF do.
#pragma once

namespace cetaev::native {

#if defined(__x86_64__)
#define CETAEV_VECTOR_CALLS 1
constexpr unsigned vector_width = 4;  // AVX2
#elif defined(__aarch64__)
#define CETAEV_VECTOR_CALLS 1
constexpr unsigned vector_width = 2;  // Advanced SIMD
#endif

#ifdef CETAEV_VECTOR_CALLS
// `lanes` is a multiple of the width. The arguments of a function of two are [argument][lane], the two results of a function
// [result][lane].
void call_unary(const void* function, const double* x, double* y, unsigned lanes);
void call_binary(const void* function, const double* x, double* y, unsigned lanes);
void call_with_two_results(const void* function, const double* x, double* y, unsigned lanes);
#endif

}  // namespace cetaev::native
