// What is seen of each motion of an ensemble: values at its end, extrema and means along it, times of events.
//
// Extrema and means are those of the motion and not of samples of it: every step is looked at as a polynomial through 17 nodes of
// Chebyshev, halved where the odd nodes show that nine of them would not have done, and divided where an expression bends, jumps or has a
// pole: what vanishes there is known from the expression. Where it has a pole or no value on the way, there is nothing to tell.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/detail/formulation/multipliers.hpp"
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

    bool along() const { return kind == Kind::maximum || kind == Kind::minimum || kind == Kind::mean; }
  };
  // An expression that is followed along the motion, with what vanishes where it has a pole and what is negative where it has no value.
  struct Watched {
    std::size_t expression = 0;
    std::vector<std::size_t> poles, margins;  // among the expressions of the program
  };

  // Throws at the place in the text. Without texts: the last state.
  Observables(const System& system, const std::vector<std::string>& texts);

  const std::vector<std::string>& names() const { return names_; }
  std::span<const One> list() const { return list_; }
  // The expressions, from q, v, t, parameters, and where there are forces from accelerations and multipliers.
  const Program& program() const { return program_; }
  // Where an expression contains accelerations or multipliers: those of d'Alembert–Lagrange.
  const Multipliers* forces() const { return forces_.get(); }
  bool along() const { return !watched_.empty(); }  // some are extrema or means
  std::span<const Watched> watched() const { return watched_; }
  std::span<const std::size_t> marks() const { return marks_; }  // expressions at whose zeros the motion is divided
  bool has_forces(std::size_t expression) const { return of_forces_[expression]; }
  std::size_t coordinates() const { return coordinates_; }
  std::size_t constraints() const { return constraints_; }  // scalar ones, where there are forces

 private:
  void watch(std::size_t expression, std::vector<Expr>& expressions, std::span<const Expr> moving);

  std::vector<std::string> names_;
  std::vector<One> list_;
  std::vector<Watched> watched_;
  std::vector<std::size_t> marks_;
  std::vector<bool> of_forces_;  // by expression
  Program program_;
  std::unique_ptr<const Multipliers> forces_;
  std::size_t coordinates_, constraints_ = 0;
};

// The values of expressions at states; one object per thread.
class ExpressionValues {
 public:
  explicit ExpressionValues(const Observables& observables);
  // They live until the next call; not numbers where an expression has no value.
  std::span<const double> at(double t, std::span<const double> q, std::span<const double> v,
                             std::span<const double> parameters);
  // Of one expression alone: forces are computed where it has some.
  double of(std::size_t expression, double t, std::span<const double> q, std::span<const double> v,
            std::span<const double> parameters);

 private:
  void evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<const double> parameters,
                bool with_forces);

  const Observables* observables_;
  Interpreter run_;
  std::vector<double> inputs_, outputs_;
  const Multipliers* forces_;
  std::optional<Multipliers::Workspace> workspace_;
  std::size_t known_;  // inputs that a state and parameters give
  std::vector<double> a_, multipliers_;
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
  bool wants_states_alone() const override { return true; }
  void event(std::size_t number, const MotionPoint& point) override;
  void step(double from, double to, const DenseStep& at) override;

  // What has been observed, once the motion has come to its last state.
  void finish(const State& last, std::span<double> outputs);

 private:
  struct Piece {
    double from, to;
    double middle() const { return from + (to - from) / 2; }
    double half() const { return (to - from) / 2; }
  };
  void look_into(Piece piece, const DenseStep& at, int depth);
  void look(double t, const DenseStep& at, std::size_t node);
  double value_at(double t, const DenseStep& at, std::size_t expression);
  std::optional<Piece> look_into_first(Piece piece, const DenseStep& at, int& depth);
  std::optional<double> divided(Piece piece, const DenseStep& at, int depth);
  std::optional<double> divided_at_zero(Piece piece, const DenseStep& at, int depth, std::size_t mark);
  std::optional<double> divided_at_least(Piece piece, const DenseStep& at, int depth, std::size_t mark);
  void look_for_poles(std::size_t mark, double before, double after, double away, double share, const DenseStep& at);
  bool grows(std::size_t expression, double from, double away, double share, const DenseStep& at);
  void look_for_values();
  bool resolved(std::size_t expression, Piece piece) const;
  void take(Piece piece, const DenseStep& at);
  void take_what_there_is(std::size_t observable, Piece piece);
  void raise(std::size_t observable, double value, double sign);
  double node(std::size_t number, std::size_t expression) const {
    return at_node_[number * of_->program().output_count() + expression];
  }

  const Observables* of_;
  ExpressionValues* values_;
  std::span<const double> parameters_;
  std::vector<double> seen_;        // one per observable: the extremum, the integral, the time, the value
  std::vector<double> at_node_;     // [node][expression]
  std::vector<bool> there_;         // by node: the motion has a state
  std::vector<double> largest_;     // by expression: its size so far
  std::vector<double> last_value_;  // by expression: at the end of what was taken
  std::vector<bool> lost_;          // by expression: it has no value somewhere, or a pole
  Piece step_{0, 0};                // that is looked into
  std::size_t pieces_left_ = 0;
  double begin_ = 0, end_ = 0;
  bool moved_ = false;
};

}  // namespace cetaev::ensemble
