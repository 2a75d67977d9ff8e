#include "field.hpp"

#include <algorithm>
#include <optional>

namespace cetaev {

namespace {

// f by the interpreter, ∂f/∂y by its own program, made when it is first asked for.
class InterpretedField final : public Field {
 public:
  explicit InterpretedField(const MotionEquations& equations)
      : equations_(equations), run_(equations.rates()), inputs_(equations.rates().input_count()) {
    std::copy(equations.parameters().begin(), equations.parameters().end(),
              inputs_.end() - static_cast<std::ptrdiff_t>(equations.parameters().size()));
  }

  std::size_t size() const override { return equations_.size(); }
  int rates(double t, const double* y, double* dy) override {
    set(t, y);
    return run_(inputs_, {dy, size()});
  }
  int jacobian(double t, const double* y, double* entries) override {
    if (!jacobian_) {
      jacobian_ = std::make_unique<Program>(equations_.jacobian());
      run_jacobian_.emplace(*jacobian_);
    }
    set(t, y);
    return (*run_jacobian_)(inputs_, {entries, size() * size()});
  }

 private:
  void set(double t, const double* y) {
    std::copy(y, y + size(), inputs_.begin());
    inputs_[size()] = t;
  }

  const MotionEquations& equations_;
  Interpreter run_;
  std::vector<double> inputs_;
  std::unique_ptr<Program> jacobian_;
  std::optional<Interpreter> run_jacobian_;
};

class InterpretedSeries final : public SeriesRunner {
 public:
  InterpretedSeries(const SeriesProgram& series, unsigned order, std::span<const double> parameters)
      : run_(series, order, parameters),
        states_(series.state_count()),
        count_((order + 1) * states_ + order * series.further().size()) {}
  int coefficients(double t, const double* y, double* coefficients) override {
    return run_(t, {y, states_}, {coefficients, count_});
  }

 private:
  SeriesInterpreter run_;
  std::size_t states_, count_;
};

class InterpretedCode final : public MotionCode {
 public:
  InterpretedCode(const MotionEquations& equations, const MotionCodeOptions& options)
      : equations_(equations), tolerance_(options.tolerance), order_(taylor_order(options.tolerance)) {
    if (options.taylor) series_ = SeriesProgram(equations.rates(), equations.size());
  }

  std::unique_ptr<Field> field() const override { return std::make_unique<InterpretedField>(equations_); }
  std::unique_ptr<Stepper> taylor() const override {
    return make_taylor(series_, std::make_unique<InterpretedSeries>(series_, order_, equations_.parameters()), order_,
                       tolerance_);
  }

 private:
  const MotionEquations& equations_;
  double tolerance_;
  unsigned order_;
  SeriesProgram series_;
};

}  // namespace

std::unique_ptr<MotionCode> make_code(const MotionEquations& equations, const MotionCodeOptions& options) {
  return std::make_unique<InterpretedCode>(equations, options);
}

}  // namespace cetaev
