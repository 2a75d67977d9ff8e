// What rounding makes of equations: multiplied out they can be exact and of no use in doubles, as cos(1.3 a) is in powers of cos(a/50).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/detail/program/longer.hpp"
#include "cetaev/formulation/first_order.hpp"

namespace cetaev {

// Those of rates, asked about more than once.
class RoundingErrors {
 public:
  explicit RoundingErrors(const Program& rates);
  // Near a state, beside their size. From y, t, parameters.
  double operator()(std::span<const double> y, double t, std::span<const double> parameters);
  // Not much_rounding, for a hundredth of the work; false where that cannot be told so.
  bool surely_small(std::span<const double> y, double t, std::span<const double> parameters);

 private:
  const Program* rates_;
  Interpreter run_;
  std::optional<LongerInterpreter> longer_;
  std::vector<double> values_;
  std::vector<long double> longer_values_;
};

double rounding_error(const Program& rates, std::span<const double> y, double t, std::span<const double> parameters);
constexpr double much_rounding = 1e-10;
// Are there enough of them to ask?
bool may_lose_digits(const Program& rates);
// The same of a system that is all there is to ask about; 0 where it is singular, or has too little in it to ask.
double rounding_error(const System& system, const FirstOrderSystem& form, const State& at);
// Asked in any case: a matrix of three rows that is nearly singular loses digits in a few instructions.
double rounding_error_at(const System& system, const FirstOrderSystem& form, const State& at);

// Are the rates numbers at a state?
bool has_values(const System& system, const FirstOrderSystem& form, const State& at);

// A form whose dependent velocities and bases are solved for at run time where they have no value at the state when they are written out: 0/0, as with bars that stand upright.
FirstOrderSystem first_order_with_values(const Setting& setting, const State& at, Form form);
// The same where, written out, they lose digits. A note says what is lost all the same.
FirstOrderSystem first_order_in_doubles(const Setting& setting, const State& at, Form form);

}  // namespace cetaev
