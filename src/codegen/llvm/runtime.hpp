// What machine code calls: a table of functions it is handed, so that the code itself contains no address.
#pragma once

#include <cstdint>

#include "cetaev/detail/expr/elliptic_orders.hpp"

namespace cetaev::native {

// Entries of the table. The first are the functions of expressions, by number.
//
// With one lane, functions take and return doubles; sine_cosine is the sincos of the C library. With several they take a
// pointer to the arguments, [argument][lane], and one to where the results go, [result][lane].
enum Slot : unsigned {
  slot_sine_cosine = function_count,
  slot_power,
  // int (n, m, matrix, right-hand sides, scratch): solves in place; 0 where the matrix is singular in any lane. `scratch`
  // has room for n (n + m) doubles.
  slot_eliminate,
  // derivatives of elliptic functions by their parameter
  slot_by_parameter,
  slot_count = slot_by_parameter + (all_function_count - function_count),
};

constexpr unsigned slot_of(Function f) {
  const auto number = static_cast<unsigned>(f);
  return number < function_count ? number : slot_by_parameter + (number - static_cast<unsigned>(function_count));
}

using Table = const void* const*;

// For 1, 2, 4 or 8 lanes; made once. With several lanes the functions are those of SLEEF where that library is
// installed and has them, else those of the C library, lane by lane.
Table function_table(unsigned lanes);

}  // namespace cetaev::native
