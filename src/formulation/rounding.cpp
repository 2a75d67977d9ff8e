#include "cetaev/detail/formulation/rounding.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

bool may_lose_digits(const Program& rates) {
  constexpr std::size_t few = 50;  // instructions: nothing has been multiplied out
  return rates.instructions().size() >= few;
}

namespace {

constexpr int states_looked_at = 3;

// y, t and parameters of a state near by.
std::vector<double> inputs_near(std::span<const double> y, double t, std::span<const double> parameters, int state) {
  std::vector<double> inputs;
  for (std::size_t i = 0; i < y.size(); ++i)
    inputs.push_back(y[i] + 0.1 * state * std::cos(static_cast<double>(i) + state));
  inputs.push_back(t + 0.3 * state);
  inputs.insert(inputs.end(), parameters.begin(), parameters.end());
  return inputs;
}

// Of values beside exact ones, where there are both.
template <class Exact, class Difference>
double relative_error(std::span<const double> values, std::span<const Exact> exact, const Difference& difference) {
  double size = 0, error = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto [distance, of] = difference(values[i], exact[i]);
    if (!std::isfinite(distance)) continue;
    size = std::max(size, of);
    error = std::max(error, distance);
  }
  return size > 0 ? error / size : 0;
}

}  // namespace

RoundingErrors::RoundingErrors(const Program& rates)
    : rates_(&rates), run_(rates), values_(rates.output_count()), longer_values_(rates.output_count()) {
  if (LongerInterpreter::serves(rates)) longer_.emplace(rates);
}

bool RoundingErrors::surely_small(std::span<const double> y, double t, std::span<const double> parameters) {
  // The error of the longer numbers is a thousandth of that of doubles, or there is none at all that could be told.
  constexpr double part = 0.5;
  if (!longer_) return false;
  for (int state = 0; state < states_looked_at; ++state) {
    const std::vector<double> inputs = inputs_near(y, t, parameters, state);
    if (run_(inputs, values_) >= 0 || (*longer_)(inputs, longer_values_) >= 0) return false;
    bool finite = true;
    const double error = relative_error<long double>(values_, longer_values_, [&](double value, long double exact) {
      finite = finite && std::isfinite(value) && std::isfinite(exact);
      return std::pair{static_cast<double>(std::abs(value - exact)), static_cast<double>(std::abs(exact))};
    });
    if (!finite || !(error < part * much_rounding)) return false;
  }
  return true;
}

double RoundingErrors::operator()(std::span<const double> y, double t, std::span<const double> parameters) {
  constexpr long bits = 256;
  double worst = 0;
  std::vector<Ball> exact;
  for (int state = 0; state < states_looked_at; ++state) {
    const std::vector<double> inputs = inputs_near(y, t, parameters, state);
    std::vector<Ball> balls;
    for (const double value : inputs) balls.push_back(Ball::from_double(value));
    if (run_(inputs, values_) >= 0 || run_in_balls(*rates_, balls, exact, bits) >= 0) continue;
    worst = std::max(worst, relative_error<Ball>(values_, exact, [](double value, const Ball& ball) {
                       const double midpoint = ball.is_finite() ? ball.midpoint() : std::nan("");
                       return std::pair{std::abs(value - midpoint), std::abs(midpoint)};
                     }));
  }
  return worst;
}

double rounding_error(const Program& rates, std::span<const double> y, double t, std::span<const double> parameters) {
  return RoundingErrors(rates)(y, t, parameters);
}

namespace {

double error_of(const System& system, const FirstOrderSystem& form, const State& at, bool in_any_case) {
  try {
    const Program rates(form.rates, form.inputs(), form.needed_for(form.rates).blocks);
    if (!in_any_case && !may_lose_digits(rates)) return 0;
    return rounding_error(rates, FirstOrderProgram(system, form).state(at, {}), at.t, parameter_values(system));
  } catch (const Error&) {
    return 0;  // singular here: another question
  }
}

}  // namespace

double rounding_error(const System& system, const FirstOrderSystem& form, const State& at) {
  return error_of(system, form, at, false);
}

double rounding_error_at(const System& system, const FirstOrderSystem& form, const State& at) {
  return error_of(system, form, at, true);
}

bool has_values(const System& system, const FirstOrderSystem& form, const State& at) {
  try {
    const FirstOrderProgram program(system, form);
    const std::vector<double> lambda(form.lambda.size(), 1.0);
    return all_finite(program.rates(at.t, program.state(at, lambda)));
  } catch (const Error&) {
    return false;
  }
}

FirstOrderSystem first_order_with_values(const Setting& setting, const State& at, Form form) {
  FirstOrderSystem result = first_order(setting, at, form);
  if (!setting.written_out || has_values(setting.system, result, at)) return result;
  Setting solved = setting;
  solved.written_out = false;
  try {
    FirstOrderSystem other = first_order(std::move(solved), at, form);
    if (has_values(setting.system, other, at)) return other;
  } catch (const Error&) {
    // no better than written out
  }
  return result;
}

FirstOrderSystem first_order_in_doubles(const Setting& setting, const State& at, Form form) {
  FirstOrderSystem result = first_order_with_values(setting, at, form);
  if (rounding_error(setting.system, result, at) < much_rounding) return result;
  Setting solved = setting;
  solved.written_out = false;
  result = first_order(std::move(solved), at, form);
  const double error = rounding_error(setting.system, result, at);
  if (error > much_rounding) {
    result.notes.push_back(
        "as they are written out, these equations lose " +
        std::to_string(static_cast<int>(std::min(16.0, 16 + std::log10(error)))) +
        " of the 16 digits of a double: their motion is not to be trusted; `--form auto` takes others");
  }
  return result;
}

}  // namespace cetaev
