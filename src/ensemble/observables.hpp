// What is seen of each motion of an ensemble: values at its end, extrema and means along it, times of events.
//
// Extrema and means are those of the motion and not of samples of it: every step is looked at as a polynomial through 17 nodes of
// Chebyshev, halved where the odd nodes show that nine of them would not have done.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev::ensemble {

// Constant; threads share it.
class Observables {
 public:
  struct One {
    enum class Kind { end, maximum, minimum, mean, time, at_event };
    Kind kind = Kind::end;
    std::size_t expression = 0;  // among those of the program
    std::size_t event = 0;       // of time and at_event
  };

  // Throws at the place in the text. Without texts: the last state.
  Observables(const System& system, const std::vector<std::string>& texts);

  const std::vector<std::string>& names() const { return names_; }
  std::span<const One> list() const { return list_; }
  const Program& program() const { return program_; }  // the expressions, from q, v, t, parameters
  bool along() const { return along_; }                // some are extrema or means
  std::size_t coordinates() const { return coordinates_; }

 private:
  std::vector<std::string> names_;
  std::vector<One> list_;
  Program program_;
  bool along_ = false;
  std::size_t coordinates_;
};

// The values of expressions at states; one object per thread.
class ExpressionValues {
 public:
  explicit ExpressionValues(const Observables& observables);
  // They live until the next call; not numbers where an expression has no value.
  std::span<const double> at(double t, std::span<const double> q, std::span<const double> v,
                             std::span<const double> parameters);

 private:
  Interpreter run_;
  std::vector<double> inputs_, outputs_;
};

// What one motion shows on its way.
class ObservedMotion final : public Recorder {
 public:
  ObservedMotion(const Observables& observables, ExpressionValues& values) : of_(&observables), values_(&values) {}

  // A motion with these parameters, which live as long as it is followed.
  void begin(std::span<const double> parameters);
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
  bool wants_steps() const override { return of_->along(); }
  void event(std::size_t number, const MotionPoint& point) override;
  void step(double from, double to, const DenseStep& at) override;

  // What has been observed, once the motion has come to its last state.
  void finish(const State& last, std::span<double> outputs);

 private:
  void piece(double from, double to, const DenseStep& at, int depth);
  bool look(double t, const DenseStep& at, std::size_t node);
  bool resolved(std::size_t expression, double from, double to) const;
  void take(double from, double to, const DenseStep& at);
  void take_what_there_is(double from, double to);
  void raise(std::size_t observable, double value, double sign);

  const Observables* of_;
  ExpressionValues* values_;
  std::span<const double> parameters_;
  std::vector<double> seen_;     // one per observable: the extremum, the integral, the time, the value
  std::vector<double> at_node_;  // [node][expression]
  double begin_ = 0, end_ = 0;
  bool moved_ = false;
};

}  // namespace cetaev::ensemble
