#include "cetaev/detail/formulation/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace cetaev {

bool may_lose_digits(const Program& rates) {
  constexpr std::size_t few = 50;  // instructions: nothing has been multiplied out
  return rates.instructions().size() >= few;
}

double rounding_error(const Program& rates, std::span<const double> y, double t, std::span<const double> parameters) {
  constexpr int states = 3;
  constexpr long bits = 256;
  double worst = 0;
  Interpreter run(rates);
  std::vector<double> values(rates.output_count());
  std::vector<Ball> exact;
  for (int state = 0; state < states; ++state) {
    std::vector<double> inputs;
    for (std::size_t i = 0; i < y.size(); ++i)
      inputs.push_back(y[i] + 0.1 * state * std::cos(static_cast<double>(i) + state));
    inputs.push_back(t + 0.3 * state);
    inputs.insert(inputs.end(), parameters.begin(), parameters.end());
    std::vector<Ball> balls;
    for (const double value : inputs) balls.push_back(Ball::from_double(value));
    if (run(inputs, values) >= 0 || run_in_balls(rates, balls, exact, bits) >= 0) continue;
    double size = 0, error = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!exact[i].is_finite() || !std::isfinite(values[i])) continue;
      size = std::max(size, std::abs(exact[i].midpoint()));
      error = std::max(error, std::abs(values[i] - exact[i].midpoint()));
    }
    if (size > 0) worst = std::max(worst, error / size);
  }
  return worst;
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

FirstOrderSystem first_order_in_doubles(const Setting& setting, const State& at, Form form) {
  FirstOrderSystem result = first_order(setting, at, form);
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
