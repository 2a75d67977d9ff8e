#include "cetaev/formulation/compare.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/formulation/at_states.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/formulation/groundwork.hpp"

namespace cetaev {

namespace {

class Bench {
 public:
  Bench(Groundwork& work, Form first, Form second) : first_(work, first), second_(work, second) {}

  Difference at(const AdmissibleState& state) {
    Difference result;
    result.state = state.state;
    result.first = first_.accelerations(state);
    result.second = second_.accelerations(state);
    measure(result);
    return result;
  }

 private:
  FormAtStates first_, second_;
};

}  // namespace

FormAtStates::FormAtStates(Groundwork& work, Form form) : work_(work), form_(form) {
  const System& system = work.system();
  lambda_.assign(system->constraints.size(), 0.0);
  std::vector<Value> values;
  const std::vector<double> parameters = parameter_values(system);
  for (std::size_t i = 0; i < parameters.size(); ++i) values.emplace_back(system->parameters[i].symbol, parameters[i]);
  for (std::size_t i = 0; i < std::min(lambda_.size(), system->initial.lambda.size()); ++i)
    lambda_[i] = evaluate(system->initial.lambda[i], values);
}

std::vector<double> FormAtStates::accelerations(const AdmissibleState& at) {
  Setting setting = work_.setting_at(at);
  if (!setting_ || setting_->rows != setting.rows || setting_->dependent != setting.dependent ||
      setting_->mvm3_left_out != setting.mvm3_left_out) {
    compiled_.emplace(setting, form_->derive(setting));
    setting_.emplace(std::move(setting));
  }
  std::vector<double> lambda;
  for (const std::size_t i : setting_->rows) lambda.push_back(lambda_[i]);
  return compiled_->evaluate(at.state, lambda).a;
}

void measure(Difference& difference) {
  double scale = 1;
  for (std::size_t i = 0; i < difference.first.size(); ++i)
    scale = std::max({scale, std::fabs(difference.first[i]), std::fabs(difference.second[i])});
  for (std::size_t i = 0; i < difference.first.size(); ++i) {
    const double own = std::fabs(difference.first[i] - difference.second[i]) / scale;
    if (!(own > difference.largest)) continue;
    difference.largest = own;
    difference.coordinate = i;
  }
}

bool Comparison::agree() const {
  return (!at_initial || at_initial->largest <= tolerance) && (!worst || worst->largest <= tolerance);
}

Comparison compare(const System& system, Form first, Form second, const ComparisonOptions& options) {
  Groundwork work(system);
  return compare(work, first, second, options);
}

Comparison compare(Groundwork& work, Form first, Form second, const ComparisonOptions& options) {
  Comparison result;
  result.first = first;
  result.second = second;
  result.tolerance = options.tolerance;
  Bench bench(work, first, second);
  std::vector<std::size_t> dependent = work.system()->dependent.value_or(std::vector<std::size_t>{});
  try {
    const AdmissibleState& initial = work.initial();
    dependent = initial.dependent;
    result.at_initial = bench.at(initial);
  } catch (const Error& error) {
    if (exit_code(error.code()) == 2) throw;
    result.initial_error = error;
  }
  std::optional<Error> last = result.initial_error;
  std::uint64_t seed = options.seed;
  for (std::size_t tries = 0; result.states < options.states && tries < 4 * options.states + 20; ++tries, ++seed) {
    const auto state = work.admissible().random(seed);
    if (!state) {
      ++result.skipped;
      continue;
    }
    try {
      Difference difference = bench.at({*state, false, dependent});
      difference.seed = seed;
      ++result.states;
      if (!result.worst || difference.largest > result.worst->largest) result.worst = std::move(difference);
    } catch (const Error& error) {
      last = error;
      ++result.skipped;
      // A form that does not fit the model will not fit at the next state either.
      const auto never = {ErrorCode::not_applicable, ErrorCode::not_caplygin, ErrorCode::needs_auxiliary};
      if (std::find(never.begin(), never.end(), error.code()) != never.end()) throw;
    }
  }
  if (!result.at_initial && result.states == 0 && last) throw *last;
  return result;
}

}  // namespace cetaev
