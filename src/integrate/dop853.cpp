// The method as a Stepper; what it is stands in the header.
#include "dop853.hpp"

#include <algorithm>
#include <memory>

#include "accuracy.hpp"
#include "scale.hpp"

namespace cetaev {
namespace {

struct FieldRates {
  Field* field;
  int operator()(double t, const double* y, double* dy) const { return field->rates(t, y, dy); }
};

class RelativeTolerance {
 public:
  static constexpr double integral_gain = 0.04;

  RelativeTolerance(std::size_t size, double tolerance, bool forgives_rounding)
      : size_(size), forgives_rounding_(forgives_rounding), asked_(tolerance), tolerance_(tolerance), scale_(size) {}
  double unit(std::size_t i, double y) const { return tolerance_ * scale_.scale(i, y); }
  void accepted(const double* y) { scale_.update({y, size_}); }
  void coarsen() { scale_.coarsen(); }
  void reset() { scale_.reset(); }
  bool ask_for_less() {
    const double next = accuracy::next_coarser(tolerance_, asked_);
    if (next > 0) tolerance_ = next;
    return next > 0;
  }
  double loosened() const {
    const double used = std::max(tolerance_, largest_noise_ * tolerance_);
    return used > asked_ ? used : 0;
  }
  double most_noise() const { return forgives_rounding_ ? accuracy::most_noise(tolerance_, asked_) : 0; }
  void noise(double times) { largest_noise_ = std::max(largest_noise_, times); }

 private:
  std::size_t size_;
  bool forgives_rounding_;
  double asked_, tolerance_, largest_noise_ = 0;
  StateScale scale_;
};

class Dop853Stepper final : public Stepper {
 public:
  Dop853Stepper(Field& field, double tolerance, bool forgives_rounding)
      : method_({&field}, {field.size(), accuracy::dop853_step(tolerance), forgives_rounding}, field.size()),
        glances_(accuracy::cubic_in_dop853(tolerance) < accuracy::a_glance) {}

  void start(double t, std::span<const double> y, double t_end) override {
    if (t != method_.time()) method_.tolerances().reset();
    method_.start(t, y.data(), t_end);
  }
  void has_been(std::span<const double> sizes) override { method_.tolerances().accepted(sizes.data()); }
  StepStatus step(double limit) override { return method_.step(limit); }
  double previous_time() const override { return method_.previous_time(); }
  double time() const override { return method_.time(); }
  std::span<const double> state() const override { return {method_.state(), method_.size()}; }
  void interpolate(double t, std::span<double> y) const override { method_.interpolate(t, y.data()); }
  void glance(double t, std::span<double> y) const override {
    glances_ ? method_.glance(t, y.data()) : method_.interpolate(t, y.data());
  }
  const StepCounts& counts() const override { return method_.counts(); }
  int singular_system() const override { return method_.singular_system(); }
  bool stiff() const override { return method_.stiff(); }
  bool ask_for_less() override { return method_.tolerances().ask_for_less(); }
  double loosened() const override { return method_.tolerances().loosened(); }

 private:
  // Computes what the dense output needs when it is first asked.
  mutable Dop853<double, FieldRates, RelativeTolerance> method_;
  bool glances_;
};

}  // namespace

std::unique_ptr<Stepper> make_dop853(Field& field, double tolerance, bool forgives_rounding) {
  return std::make_unique<Dop853Stepper>(field, tolerance, forgives_rounding);
}

}  // namespace cetaev
