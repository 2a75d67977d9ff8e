#include "cetaev/formulation/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/formulation/groundwork.hpp"

namespace cetaev {

namespace {

// Evaluates forms at many states. The derivation is kept as long as the same rows and dependent velocities serve.
class Bench {
 public:
  Bench(Groundwork& work, Form first, Form second) : work_(work), compared_{first, second} {
    const System& system = work.system();
    lambda_.assign(system->constraints.size(), 0.0);
    std::vector<Value> values;
    const std::vector<double> parameters = parameter_values(system);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      values.emplace_back(system->parameters[i].symbol, parameters[i]);
    for (std::size_t i = 0; i < std::min(lambda_.size(), system->initial.lambda.size()); ++i) {
      lambda_[i] = evaluate(system->initial.lambda[i], values);
    }
  }

  Difference at(const AdmissibleState& state) {
    Setting setting = work_.setting_at(state);
    if (!setting_ || setting_->rows != setting.rows || setting_->dependent != setting.dependent ||
        setting_->mvm3_left_out != setting.mvm3_left_out) {
      // both or none: a form that declines must not leave the other one behind
      std::vector<CompiledForm> forms;
      for (const Form form : compared_) forms.emplace_back(setting, form->derive(setting));
      forms_ = std::move(forms);
      setting_.emplace(std::move(setting));
    }
    std::vector<double> lambda;
    for (const std::size_t i : setting_->rows) lambda.push_back(lambda_[i]);
    Difference result;
    result.state = state.state;
    result.first = forms_[0].evaluate(state.state, lambda).a;
    result.second = forms_[1].evaluate(state.state, lambda).a;
    double scale = 1;
    for (std::size_t i = 0; i < result.first.size(); ++i)
      scale = std::max({scale, std::fabs(result.first[i]), std::fabs(result.second[i])});
    for (std::size_t i = 0; i < result.first.size(); ++i) {
      const double difference = std::fabs(result.first[i] - result.second[i]) / scale;
      if (difference > result.largest) {
        result.largest = difference;
        result.coordinate = i;
      }
    }
    return result;
  }

 private:
  Groundwork& work_;
  std::array<Form, 2> compared_;
  std::vector<double> lambda_;
  std::optional<Setting> setting_;
  std::vector<CompiledForm> forms_;
};

}  // namespace

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
