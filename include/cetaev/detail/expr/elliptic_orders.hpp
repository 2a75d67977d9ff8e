// The derivatives of elliptic functions by their parameter m.
//
// They are functions of their own: am_m is ∂am/∂m, am_mm its derivative by m. Formulas in terms of the functions themselves divide by m and by
// 1 − m, where the derivatives are as regular as anywhere else; and no finite number of functions is closed under ∂/∂m without such quotients.
// Their numbers follow those of the other functions, order by order.
#pragma once

#include "cetaev/expr/expr.hpp"

namespace cetaev {

inline constexpr std::size_t elliptic_count = 5;
inline constexpr unsigned highest_parameter_order = 6;
inline constexpr std::size_t all_function_count = function_count + elliptic_count * highest_parameter_order;

constexpr bool is_elliptic(Function f) { return f >= Function::elliptic_f; }

// How often F, E, am, dn or ∫ dn² du has been differentiated by m.
constexpr unsigned parameter_order(Function f) {
  const auto number = static_cast<std::size_t>(f);
  return number < function_count ? 0 : static_cast<unsigned>((number - function_count) / elliptic_count + 1);
}

constexpr Function without_parameter_order(Function f) {
  return static_cast<Function>(static_cast<std::size_t>(f) - elliptic_count * parameter_order(f));
}

// Of an elliptic function without an order, at most the highest.
constexpr Function by_parameter(Function f, unsigned order) {
  return static_cast<Function>(static_cast<std::size_t>(f) + elliptic_count * order);
}

}  // namespace cetaev
