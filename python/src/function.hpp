// The equations of a form as a compiled function y' = f(t, y), with its Jacobian: what SciPy's integrators take.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/detail/codegen/native.hpp"

namespace cetaev {

// Constant after it is made: threads share it.
class CompiledFunction {
 public:
  // The form of the model, or the one that exported code has where none is named. Throws as Workbench::first_order().
  CompiledFunction(const Workbench& bench, std::optional<Form> form);

  Form form() const { return form_; }
  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }            // of the state
  const std::vector<std::string>& parameters() const { return parameters_; }  // their names, in file order, and
  const std::vector<double>& values() const { return values_; }               // the model's values
  double start() const { return start_; }
  // The state that the model begins with. Throws where [initial] describes none.
  const std::vector<double>& initial() const;

  // What can be computed at a state. Other values of the parameters, all of them, may be given.
  enum class What { rates, jacobian, velocities, energy };
  std::size_t outputs(What what) const { return of(what).outputs; }
  // Throws the diagnosis of a linear system that is singular here.
  void operator()(What what, double t, const double* y, double* out, std::span<const double> parameters = {}) const;
  // The same for those who cannot be thrown at: false, and what is no number.
  bool rates(double t, const double* y, double* out) const noexcept;

 private:
  struct Part {
    std::size_t outputs = 0;
    std::vector<std::size_t> steps;  // of the form, to which the linear systems belong
    std::optional<NativeProgram> code;
  };

  Part part(const FirstOrderSystem& equations, std::span<const Expr> outputs, const NumberedBlocks& systems) const;
  const Part& of(What what) const { return parts_[static_cast<std::size_t>(what)]; }
  int run(const Part& part, double t, const double* y, double* out, std::span<const double> parameters) const;

  Form form_ = Form::multipliers;
  std::vector<std::string> names_, parameters_;
  std::vector<double> values_;
  double start_ = 0;
  std::vector<double> initial_;
  std::optional<Error> no_initial_;
  std::vector<Error> if_singular_;  // of each step
  std::vector<Part> parts_;
};

}  // namespace cetaev
