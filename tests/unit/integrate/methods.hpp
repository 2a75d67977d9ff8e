// The methods that every test of conformance is put through, and fields written as functions.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <ostream>
#include <vector>

#include "cetaev/detail/integrate/stepper.hpp"

namespace cetaev {

// y' = f(t, y); the Jacobian by central differences unless it is given.
class FunctionField final : public Field {
 public:
  using Rates = std::function<int(double t, const double* y, double* dy)>;
  FunctionField(std::size_t size, Rates rates, Rates jacobian = nullptr)
      : size_(size), rates_(std::move(rates)), jacobian_(std::move(jacobian)), y_(size), low_(size) {}

  std::size_t size() const override { return size_; }
  int rates(double t, const double* y, double* dy) override { return rates_(t, y, dy); }
  int jacobian(double t, const double* y, double* entries) override {
    if (jacobian_) return jacobian_(t, y, entries);
    y_.assign(y, y + size_);
    for (std::size_t j = 0; j < size_; ++j) {
      const double h = 1e-5 * std::max(1.0, std::abs(y[j]));
      double* column = entries + j * size_;
      y_[j] = y[j] - h;
      if (const int singular = rates_(t, y_.data(), low_.data()); singular >= 0) return singular;
      y_[j] = y[j] + h;
      if (const int singular = rates_(t, y_.data(), column); singular >= 0) return singular;
      y_[j] = y[j];
      for (std::size_t i = 0; i < size_; ++i) column[i] = (column[i] - low_[i]) / (2 * h);
    }
    return -1;
  }

 private:
  std::size_t size_;
  Rates rates_, jacobian_;
  std::vector<double> y_, low_;
};

struct TestedMethod {
  const char* name;
  std::function<std::unique_ptr<Stepper>(Field&, double)> make;
  double tolerance;        // at which it is tested
  double error;            // of problems of size 1 over a few periods, at most
  bool allocates = false;  // in its steps
};
inline std::ostream& operator<<(std::ostream& out, const TestedMethod& method) { return out << method.name; }

inline std::vector<TestedMethod> all_methods() {
  return {
      {"dop853", [](Field& field, double tolerance) { return make_dop853(field, tolerance); }, 1e-14, 1e-12},
      {"adams", make_adams, 1e-14, 1e-10, true},
      {"bdf", [](Field& field, double tolerance) { return make_bdf(field, tolerance); }, 1e-14, 1e-9, true},
  };
}

}  // namespace cetaev
