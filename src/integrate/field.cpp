#include "field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "accuracy.hpp"
#include "cetaev/detail/codegen/native.hpp"
#include "inputs.hpp"

namespace cetaev {

namespace {

// ∂f/∂y, made when it is first asked for; few methods do.
class JacobianOnDemand {
 public:
  explicit JacobianOnDemand(const MotionEquations& equations) : equations_(equations) {}
  int operator()(const std::vector<double>& inputs, double* entries) {
    if (!run_) {
      const std::lock_guard lock(equations_.system()->context->mutex());
      program_ = equations_.jacobian();
      run_.emplace(program_);
    }
    return (*run_)(inputs, {entries, equations_.size() * equations_.size()});
  }

 private:
  const MotionEquations& equations_;
  Program program_;
  std::optional<Interpreter> run_;
};

// What the parameters determine alone, computed once.
std::vector<double> static_values(const MotionEquations& equations, const Program::Hoisted& hoisted,
                                  std::span<const double> parameters) {
  std::vector<double> values(hoisted.statics.output_count());
  const std::vector<double> nowhere(equations.size());
  MotionInputs inputs(equations, parameters);
  if (Interpreter(hoisted.statics)(inputs.at(0, nowhere), values) >= 0)
    throw Error(ErrorCode::singular_mass_matrix, "a linear system of the parameters alone is singular");
  return values;
}

// f by the interpreter, or by machine code where there is some.
class MotionField final : public Field {
 public:
  MotionField(const MotionEquations& equations, const Program::Hoisted& hoisted, const NativeProgram* code,
              std::span<const double> parameters)
      : size_(equations.size()),
        code_(code),
        run_(hoisted.rest),
        workspace_(code != nullptr ? code->workspace_size() : 0),
        inputs_(equations, static_values(equations, hoisted, parameters)),
        all_inputs_(equations, parameters),
        jacobian_(equations) {}
  std::size_t size() const override { return size_; }
  int rates(double t, const double* y, double* dy) override {
    const std::vector<double>& inputs = inputs_.at(t, y);
    return code_ != nullptr ? (*code_)(inputs.data(), dy, workspace_.data()) : run_(inputs, {dy, size_});
  }
  int jacobian(double t, const double* y, double* entries) override { return jacobian_(all_inputs_.at(t, y), entries); }

 private:
  std::size_t size_;
  const NativeProgram* code_;
  Interpreter run_;
  std::vector<double> workspace_;
  MotionInputs inputs_;      // with what was computed once
  MotionInputs all_inputs_;  // with the parameters
  JacobianOnDemand jacobian_;
};

class InterpretedSeries final : public SeriesRunner {
 public:
  InterpretedSeries(const SeriesProgram& series, unsigned order, std::span<const double> parameters)
      : run_(series, order, parameters),
        states_(series.state_count()),
        count_((order + 1) * states_ + order * series.further().size()) {}
  int coefficients(const double* t, const double* y, double* coefficients) override {
    return run_(*t, {y, states_}, {coefficients, count_});
  }

 private:
  SeriesInterpreter run_;
  std::size_t states_, count_;
};

// Rates without anything around them, from y, t, parameters.
class PlainField final : public Field {
 public:
  PlainField(const Program& rates, std::span<const double> parameters)
      : size_(rates.output_count()), run_(rates), inputs_(size_ + 1) {
    inputs_.insert(inputs_.end(), parameters.begin(), parameters.end());
  }
  std::size_t size() const override { return size_; }
  int rates(double t, const double* y, double* dy) override {
    std::copy_n(y, size_, inputs_.begin());
    inputs_[size_] = t;
    return run_(inputs_, {dy, size_});
  }
  int jacobian(double, const double*, double*) override { return 0; }  // nobody asks

 private:
  std::size_t size_;
  Interpreter run_;
  std::vector<double> inputs_;
};

class NativeSeriesRunner final : public SeriesRunner {
 public:
  // Of all lanes, to begin with.
  NativeSeriesRunner(const SeriesProgram& series, const NativeSeries& code, std::span<const double> parameters,
                     unsigned lanes = 1)
      : series_(series), code_(code), lanes_(lanes), workspace_(code.workspace_size()) {
    for (const double value : series.static_values(parameters)) statics_.insert(statics_.end(), lanes, value);
    if (lanes > 1) of_one_.resize(statics_.size());
  }
  int coefficients(const double* t, const double* y, double* coefficients) override {
    return code_(statics_.data(), t, y, coefficients, workspace_.data());
  }
  void set_parameters(unsigned lane, std::span<const double> parameters) override {
    const std::vector<double> values = series_.static_values(parameters);
    for (std::size_t i = 0; i < values.size(); ++i) statics_[i * lanes_ + lane] = values[i];
  }
  int with_parameters_of(unsigned lane, const double* t, const double* y, double* coefficients) override {
    for (std::size_t i = 0; i < of_one_.size(); ++i) of_one_[i] = statics_[i / lanes_ * lanes_ + lane];
    return code_(of_one_.data(), t, y, coefficients, workspace_.data());
  }

 private:
  const SeriesProgram& series_;
  const NativeSeries& code_;
  unsigned lanes_;
  std::vector<double> statics_, of_one_, workspace_;
};

class NativeLanes final : public MotionLanes {
 public:
  NativeLanes(const MotionCode& code, const SeriesProgram& series, unsigned order, double tolerance,
              std::span<const double> parameters, const NativeOptions& options)
      : all_(code),
        series_(series),
        order_(order),
        tolerance_(tolerance),
        parameters_(parameters.begin(), parameters.end()),
        lanes_(options.lanes),
        code_(series, order, options) {}
  std::unique_ptr<TaylorLanes> taylor() const override {
    SeriesRunners runners{std::make_unique<NativeSeriesRunner>(series_, code_, parameters_, lanes_), {}};
    for (unsigned lane = 0; lane < lanes_; ++lane) runners.fields.push_back(all_.field());
    return make_taylor_lanes(series_, std::move(runners), lanes_, order_, tolerance_);
  }

 private:
  const MotionCode& all_;
  const SeriesProgram& series_;
  unsigned order_;
  double tolerance_;
  std::vector<double> parameters_;
  unsigned lanes_;
  NativeSeries code_;
};

// That are expected of a method without series.
double evaluations(const MotionEquations& equations) {
  constexpr int of_a_step = 13;
  return of_a_step * equations.steps();
}

class Code final : public MotionCode {
 public:
  Code(const MotionEquations& equations, const MotionCodeOptions& options)
      : equations_(equations), tolerance_(options.tolerance) {
    if (options.taylor) {
      series_ = SeriesProgram(equations.rates_and_events(), equations.size());
      tolerance_ = accuracy::taylor_step(options.tolerance);
      order_ = taylor_order(series_, tolerance_);
    }
    hoisted_ = equations.rates().hoisted(equations.size() + 1);
    if (options.backend != Backend::jit) return;
    if (options.taylor)
      native_series_.emplace(series_, order_,
                             NativeOptions{.lanes = 1, .cache = options.cache, .runs = equations.steps()});
    // beside a series in tables an evaluation is little
    if (!options.taylor || (series_.may_hide() && !native_series_->origin().compact))
      native_rates_.emplace(hoisted_.rest,
                            NativeOptions{.lanes = 1,
                                          .cache = options.cache,
                                          .with_care = !options.taylor && evaluations(equations) >= runs_worth_care});
  }

  std::unique_ptr<Field> field() const override { return field(equations_.parameters()); }
  std::unique_ptr<Field> field(std::span<const double> parameters) const override {
    return std::make_unique<MotionField>(equations_, hoisted_, native_rates_ ? &*native_rates_ : nullptr, parameters);
  }
  std::unique_ptr<Stepper> taylor(std::span<const double> parameters) const override {
    SeriesRunners runners;
    if (native_series_) {
      runners.series = std::make_unique<NativeSeriesRunner>(series_, *native_series_, parameters);
    } else {
      runners.series = std::make_unique<InterpretedSeries>(series_, order_, parameters);
    }
    runners.fields.push_back(field(parameters));
    return make_taylor(series_, std::move(runners), order_, tolerance_);
  }
  std::unique_ptr<MotionLanes> lanes(unsigned count, bool cache) const override {
    return std::make_unique<NativeLanes>(*this, series_, order_, tolerance_, equations_.parameters(),
                                         NativeOptions{.lanes = count, .cache = cache});
  }
  bool from_cache() const override {
    return native_series_ ? native_series_->origin().from_cache : native_rates_ && native_rates_->origin().from_cache;
  }
  bool written_anew() const override {
    const auto is_new = [](const NativeOrigin& origin) { return !origin.from_cache && !origin.compact; };
    return native_series_ ? is_new(native_series_->origin()) : native_rates_ && is_new(native_rates_->origin());
  }
  bool in_tables() const override {
    return native_series_ ? native_series_->origin().compact : native_rates_ && native_rates_->origin().compact;
  }
  std::string cache_refusal() const override {
    const std::string series = native_series_ ? native_series_->origin().cache_refusal : "";
    return !series.empty() || !native_rates_ ? series : native_rates_->origin().cache_refusal;
  }

 private:
  const MotionEquations& equations_;
  double tolerance_;
  unsigned order_ = 0;
  SeriesProgram series_;
  Program::Hoisted hoisted_;
  std::optional<NativeSeries> native_series_;
  std::optional<NativeProgram> native_rates_;
};

}  // namespace

namespace {

// The first steps are cautious: tried until they do not become longer any more.
double steps_of_dop853(const Program& rates, double t, std::span<const double> y, double t_end, double tolerance,
                       std::span<const double> parameters) {
  constexpr int most = 60;
  PlainField field(rates, parameters);
  const std::unique_ptr<Stepper> stepper = make_dop853(field, tolerance);
  stepper->start(t, y, t_end);
  double longest = 0;
  int no_longer = 0;
  for (int i = 0; i < most && no_longer < 3 && stepper->time() != t_end; ++i) {
    if (stepper->step(t_end) != StepStatus::done) return std::numeric_limits<double>::infinity();
    const double length = std::abs(stepper->time() - stepper->previous_time());
    no_longer = length > accuracy::still_growing * longest ? 0 : no_longer + 1;
    longest = std::max(longest, length);
  }
  const double left = std::abs(t_end - stepper->time());
  return static_cast<double>(stepper->counts().steps) + (left > 0 ? left / longest : 0);
}

}  // namespace

double steps_at_first_pace(Method method, const Program& rates, double t, std::span<const double> y, double t_end,
                           double tolerance, std::span<const double> parameters) {
  if (method != Method::taylor) return steps_of_dop853(rates, t, y, t_end, tolerance, parameters);
  const SeriesProgram series(rates, y.size());
  const double of_step = accuracy::taylor_step(tolerance);
  const unsigned order = taylor_order(series, of_step);
  SeriesRunners runners{std::make_unique<InterpretedSeries>(series, order, parameters), {}};
  runners.fields.push_back(std::make_unique<PlainField>(rates, parameters));
  const std::unique_ptr<Stepper> stepper = make_taylor(series, std::move(runners), order, of_step);
  stepper->start(t, y, t_end);
  if (stepper->step(t_end) != StepStatus::done) return std::numeric_limits<double>::infinity();
  const double length = std::abs(stepper->time() - stepper->previous_time());
  return length > 0 ? std::abs(t_end - t) / length : 0;
}

std::unique_ptr<MotionCode> make_code(const MotionEquations& equations, const MotionCodeOptions& options) {
  return std::make_unique<Code>(equations, options);
}

}  // namespace cetaev
