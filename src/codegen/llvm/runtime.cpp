#include "runtime.hpp"

#include <dlfcn.h>

#include <array>
#include <cmath>
#include <string>

#include "cetaev/detail/program/elimination.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "vector_calls.hpp"

namespace cetaev::native {

namespace {

using Entries = std::array<const void*, slot_count>;

template <class F>
const void* address(F* f) {
  return reinterpret_cast<const void*>(f);
}

// One lane

int eliminate_one(std::int32_t n, std::int32_t m, double* a, double* x, double*) {
  return eliminate(static_cast<std::size_t>(n), static_cast<std::size_t>(m), a, x) == 0 ? 0 : 1;
}

template <Function f>
double scalar(double x) {
  return function_value(f, x);
}
template <Function f>
double scalar_of_two(double x, double y) {
  return function_value(f, x, y);
}

// Several lanes, one after the other

template <Function f, unsigned lanes>
void lane_by_lane(const double* x, double* y) {
  for (unsigned i = 0; i < lanes; ++i) y[i] = function_value(f, x[i]);
}
template <Function f, unsigned lanes>
void lane_by_lane_of_two(const double* x, double* y) {
  for (unsigned i = 0; i < lanes; ++i) y[i] = function_value(f, x[i], x[lanes + i]);
}

template <unsigned lanes>
void sine_cosine_lanes(const double* x, double* y) {
  for (unsigned i = 0; i < lanes; ++i) sincos(x[i], y + i, y + lanes + i);
}

template <unsigned lanes>
void power_lanes(const double* x, double* y) {
  for (unsigned i = 0; i < lanes; ++i) y[i] = std::pow(x[i], x[lanes + i]);
}

template <unsigned lanes>
int eliminate_lanes(std::int32_t n, std::int32_t m, double* a, double* x, double* scratch) {
  const std::int32_t size = n * n;
  const std::int32_t right = n * m;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (std::int32_t i = 0; i < size; ++i) scratch[i] = a[i * lanes + lane];
    for (std::int32_t i = 0; i < right; ++i) scratch[size + i] = x[i * lanes + lane];
    if (eliminate_one(n, m, scratch, scratch + size, nullptr) == 0) return 0;
    for (std::int32_t i = 0; i < right; ++i) x[i * lanes + lane] = scratch[size + i];
  }
  return 1;
}

// SLEEF: vectors of one kind, as many of them as the lanes need. The functions are looked up when a table with lanes is first
// asked for: a program for single trajectories does not load the library.

#ifdef CETAEV_VECTOR_CALLS
#if defined(__x86_64__)
constexpr const char* suffix = "d4_u10avx2";
bool has_vector_unit() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
constexpr const char* suffix = "d2_u10advsimd";
bool has_vector_unit() { return true; }
#endif

struct Sleef {
  std::array<const void*, function_count> functions{};
  const void *power = nullptr, *sine_cosine = nullptr;
};

Sleef find_sleef() {
  Sleef s;
  if (!has_vector_unit()) return s;
  void* const library = dlopen("libsleef.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return s;
  const auto find = [&](const std::string& name) { return dlsym(library, ("Sleef_" + name + suffix).c_str()); };
  for (unsigned f = 0; f < function_count; ++f) {
    s.functions[f] = find(std::string(name_of(static_cast<Function>(f))));
  }
  s.power = find("pow");
  s.sine_cosine = find("sincos");
  return s;
}

const Sleef& sleef() {
  static const Sleef functions = find_sleef();
  return functions;
}

template <Function f, unsigned lanes>
void by_sleef(const double* x, double* y) {
  if constexpr (arity(f) == 1) {
    call_unary(sleef().functions[slot_of(f)], x, y, lanes);
  } else {
    call_binary(sleef().functions[slot_of(f)], x, y, lanes);
  }
}
template <unsigned lanes>
void sine_cosine_by_sleef(const double* x, double* y) {
  call_with_two_results(sleef().sine_cosine, x, y, lanes);
}
template <unsigned lanes>
void power_by_sleef(const double* x, double* y) {
  call_binary(sleef().power, x, y, lanes);
}
#endif

template <unsigned lanes, unsigned f = 0>
void fill_functions(Entries& t) {
  if constexpr (f < all_function_count) {
    constexpr auto function = static_cast<Function>(f);
    constexpr unsigned slot = slot_of(function);
    if constexpr (lanes == 1 && arity(function) == 1) {
      t[slot] = address(&scalar<function>);
    } else if constexpr (lanes == 1) {
      t[slot] = address(&scalar_of_two<function>);
    } else {
      t[slot] = arity(function) == 1 ? address(&lane_by_lane<function, lanes>)
                                     : address(&lane_by_lane_of_two<function, lanes>);
#ifdef CETAEV_VECTOR_CALLS
      if constexpr (lanes >= vector_width && f < function_count) {
        if (sleef().functions[f] != nullptr) t[slot] = address(&by_sleef<function, lanes>);
      }
#endif
    }
    fill_functions<lanes, f + 1>(t);
  }
}

// The plain functions of C, without a step between.
void fill_c_functions(Entries& t) {
  using Plain = double(double);
  const auto put = [&](Function f, Plain* p) { t[slot_of(f)] = address(p); };
  put(Function::sin, &::sin);
  put(Function::cos, &::cos);
  put(Function::tan, &::tan);
  put(Function::asin, &::asin);
  put(Function::acos, &::acos);
  put(Function::atan, &::atan);
  put(Function::sinh, &::sinh);
  put(Function::cosh, &::cosh);
  put(Function::tanh, &::tanh);
  put(Function::asinh, &::asinh);
  put(Function::acosh, &::acosh);
  put(Function::atanh, &::atanh);
  put(Function::exp, &::exp);
  put(Function::log, &::log);
  t[slot_of(Function::atan2)] = address(static_cast<double (*)(double, double)>(&::atan2));
}

template <unsigned lanes>
Entries make() {
  Entries t{};
  fill_functions<lanes>(t);
  if constexpr (lanes == 1) {
    fill_c_functions(t);
    t[slot_sine_cosine] = address(static_cast<void (*)(double, double*, double*)>(&::sincos));
    t[slot_power] = address(static_cast<double (*)(double, double)>(&::pow));
    t[slot_eliminate] = address(&eliminate_one);
  } else {
    t[slot_sine_cosine] = address(&sine_cosine_lanes<lanes>);
    t[slot_power] = address(&power_lanes<lanes>);
    t[slot_eliminate] = address(&eliminate_lanes<lanes>);
#ifdef CETAEV_VECTOR_CALLS
    if constexpr (lanes >= vector_width) {
      if (sleef().sine_cosine != nullptr) t[slot_sine_cosine] = address(&sine_cosine_by_sleef<lanes>);
      if (sleef().power != nullptr) t[slot_power] = address(&power_by_sleef<lanes>);
    }
#endif
  }
  return t;
}

template <unsigned lanes>
Table table() {
  static const Entries entries = make<lanes>();
  return entries.data();
}

}  // namespace

Table function_table(unsigned lanes) {
  switch (lanes) {
    case 1: return table<1>();
    case 2: return table<2>();
    case 4: return table<4>();
    default: return table<8>();
  }
}

}  // namespace cetaev::native
