// The multistep methods of CVODE: Adams–Moulton of orders 1 … 12 and the backward differentiation formulas of orders 1 … 5,
// both in variable order and step, with Newton's iteration and the exact Jacobian.
//
// Source: A. C. Hindmarsh et al., SUNDIALS: suite of nonlinear and differential/algebraic equation solvers, ACM Transactions
// on Mathematical Software 31 (2005); E. Eich, Convergence results for a coordinate projection method applied to mechanical
// systems with algebraic constraints, SIAM Journal on Numerical Analysis 30 (1993), for the projection inside BDF.
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "accuracy.hpp"
#include "cetaev/detail/integrate/stepper.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/error.hpp"
#include "scale.hpp"

namespace cetaev {
namespace {

template <class Handle, auto release>
struct Release {
  using pointer = Handle;
  void operator()(Handle handle) const { release(handle); }
};
void free_context(SUNContext context) { SUNContext_Free(&context); }
void free_memory(void* memory) { CVodeFree(&memory); }

using SundialsContext = std::unique_ptr<SUNContext, Release<SUNContext, free_context>>;
using Memory = std::unique_ptr<void, Release<void*, free_memory>>;
using SerialVector = std::unique_ptr<N_Vector, Release<N_Vector, N_VDestroy>>;
using CvodeMatrix = std::unique_ptr<SUNMatrix, Release<SUNMatrix, SUNMatDestroy>>;
using LinearSolver = std::unique_ptr<SUNLinearSolver, Release<SUNLinearSolver, SUNLinSolFree>>;
using NonlinearSolver = std::unique_ptr<SUNNonlinearSolver, Release<SUNNonlinearSolver, SUNNonlinSolFree>>;

Error no_memory() { return {ErrorCode::out_of_memory, "there is no memory for the vectors of CVODE"}; }

// A smooth motion has a step or two in a hundred rejected.
constexpr long int lately = 200, too_many = 10;

class CvodeStepper final : public Stepper {
 public:
  CvodeStepper(int family, Field& field, double tolerance, Projection* projection)
      : field_(&field),
        projection_(projection),
        bdf_(family == CV_BDF),
        asked_(accuracy::cvode_step(tolerance)),
        tolerance_(asked_),
        scale_(field.size()),
        state_(field.size()),
        work_(field.size()) {
    SUNContext context = nullptr;
    if (SUNContext_Create(nullptr, &context) != 0) throw no_memory();
    context_.reset(context);
    const auto size = static_cast<sunindextype>(field.size());
    y_.reset(N_VNew_Serial(size, context));
    // Its array is set to where the caller wants the values.
    view_.reset(N_VNewEmpty_Serial(size, context));
    matrix_.reset(SUNDenseMatrix(size, size, context));
    memory_.reset(CVodeCreate(family, context));
    if (!y_ || !view_ || !matrix_ || !memory_) throw no_memory();
    linear_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context));
    newton_.reset(SUNNonlinSol_Newton(y_.get(), context));
    if (!linear_ || !newton_) throw no_memory();
  }

  void start(double t, std::span<const double> y, double t_end) override {
    const bool here = started_ && t == time_ && (t_end >= t) == forwards_ && !failed_;
    if (here && nudge(y)) {
      std::copy(y.begin(), y.end(), state_.begin());
      previous_ = time_;
      t_end_ = t_end;
      return;
    }
    if (!started_ || t != time_) {
      scale_.reset();
      longest_ = 0;
    }
    forwards_ = t_end >= t;
    fresh_ = true;
    previous_ = time_ = t;
    t_end_ = t_end;
    std::copy(y.begin(), y.end(), state_.begin());
    std::copy(y.begin(), y.end(), N_VGetArrayPointer(y_.get()));
    scale_.update(y);
    failed_ = false;
    std::snprintf(message_, sizeof message_, "%s",
                  tolerance_ == accuracy::cvode_least ? "the tolerance is 1e-15, the least that CVODE holds" : "");
    rejected_before_ = 0;
    const int flag = started_ ? CVodeReInit(memory_.get(), t, y_.get()) : set_up(t);
    if (flag != CV_SUCCESS) failed_ = true;
    started_ = true;
  }

  void has_been(std::span<const double> sizes) override { scale_.update(sizes); }

  StepStatus step(double limit) override {
    previous_ = time_;
    if (failed_) return StepStatus::failed;
    if (limit == time_) return StepStatus::done;
    void* cvode = memory_.get();
    trouble_ = StepStatus::done;

    const double smallest = accuracy::told_apart(std::abs(time_));
    if (std::abs(limit - time_) <= 2 * smallest) return smallest_step(limit);
    CVodeSetMinStep(cvode, smallest + accuracy::nothing_beside_steps(longest_));
    if (std::exchange(fresh_, false)) towards_ = first_target();
    double t = time_;
    for (;;) {
      CVodeSetStopTime(cvode, limit);
      const int flag = CVode(cvode, towards_, y_.get(), &t, CV_ONE_STEP);
      count_rejected();
      if (flag >= 0) break;
      if (!looks_like_rounding(flag) || !ask_for_less() || !begin_again()) {
        failed_ = true;
        return status_of(flag);
      }
    }
    longest_ = std::max(longest_, std::abs(t - time_));
    time_ = t;
    ++counts_.steps;
    const double* y = N_VGetArrayPointer(y_.get());
    std::copy(y, y + state_.size(), state_.begin());
    return StepStatus::done;
  }

  double previous_time() const override { return previous_; }
  double time() const override { return time_; }
  std::span<const double> state() const override { return state_; }
  void interpolate(double t, std::span<double> y) const override {
    // after the smallest of steps CVODE has no polynomial, and nothing to tell apart
    if (t != time_ && !fresh_) {
      N_VSetArrayPointer(y.data(), view_.get());
      if (CVodeGetDky(memory_.get(), t, 0, view_.get()) == CV_SUCCESS) return;
    }
    std::copy(state_.begin(), state_.end(), y.begin());
  }
  const StepCounts& counts() const override { return counts_; }
  int singular_system() const override { return singular_system_; }
  const char* message() const override { return message_; }
  // Small variables are measured by large ones, and after that everything more coarsely.
  bool ask_for_less() override {
    if (scale_.coarsen()) return true;
    const double next = accuracy::next_coarser(tolerance_, asked_);
    if (next > 0) tolerance_ = next;
    return next > 0;
  }
  double loosened() const override { return tolerance_ > asked_ ? tolerance_ : 0; }

 private:
  int set_up(double t) {
    void* cvode = memory_.get();
    int flag = CVodeSetErrHandlerFn(cvode, keep_message, this);
    if (flag == CV_SUCCESS) flag = CVodeInit(cvode, rates, t, y_.get());
    if (flag == CV_SUCCESS) flag = CVodeSetUserData(cvode, this);
    if (flag == CV_SUCCESS) flag = CVodeWFtolerances(cvode, weights);
    if (flag == CV_SUCCESS) flag = CVodeSetNonlinearSolver(cvode, newton_.get());
    if (flag == CV_SUCCESS) flag = CVodeSetLinearSolver(cvode, linear_.get(), matrix_.get());
    if (flag == CV_SUCCESS) flag = CVodeSetJacFn(cvode, jacobian);
    // Errors that do not fall with so many smaller steps are not those of the method.
    if (flag == CV_SUCCESS) flag = CVodeSetMaxErrTestFails(cvode, 12);
    // Failures to solve are met with smaller steps as long as time can tell them apart.
    if (flag == CV_SUCCESS) flag = CVodeSetMaxConvFails(cvode, 100);
    if (flag == CV_SUCCESS) flag = CVodeSetMaxHnilWarns(cvode, -1);
    if (flag == CV_SUCCESS && projection_) {
      flag = CVodeSetProjFn(cvode, project);
      if (flag == CV_SUCCESS) flag = CVodeSetProjErrEst(cvode, SUNFALSE);
      if (flag == CV_SUCCESS) flag = CVodeSetMaxNumProjFails(cvode, 100);
    }
    return flag;
  }

  // A state changed by no more than a projection changes it is corrected in place, as CVODE does it for BDF: the history of
  // steps stays good, and a new start would cost dozens of small steps.
  bool nudge(std::span<const double> y) {
    for (std::size_t i = 0; i < state_.size(); ++i)
      if (!(std::abs(y[i] - state_[i]) <= accuracy::projection_shift(tolerance_) * scale_.scale(i))) return false;
    double t = 0, gamma = 0, rl1 = 0;
    N_Vector current = nullptr, iterate = nullptr, f = nullptr, slope = nullptr;
    void* data = nullptr;
    if (CVodeGetNonlinearSystemData(memory_.get(), &t, &current, &iterate, &f, &gamma, &rl1, &slope, &data) !=
        CV_SUCCESS)
      return false;
    double* history = N_VGetArrayPointer(current);
    for (std::size_t i = 0; i < state_.size(); ++i) history[i] += y[i] - state_[i];
    return true;
  }

  // Less than the times within which CVODE can begin.
  StepStatus smallest_step(double limit) {
    std::vector<double>& slope = work_;
    if (evaluate(time_, state_.data(), slope.data()) != 0) return trouble_;
    for (std::size_t i = 0; i < state_.size(); ++i) state_[i] += (limit - time_) * slope[i];
    const double before = time_;
    ++counts_.steps;
    // A start in the ordinary way, were it not that `previous_time` is that of a step.
    std::copy(state_.begin(), state_.end(), N_VGetArrayPointer(y_.get()));
    time_ = limit;
    previous_ = before;
    if (CVodeReInit(memory_.get(), limit, y_.get()) != CV_SUCCESS) failed_ = true;
    rejected_before_ = 0;
    fresh_ = true;
    return StepStatus::done;
  }

  // The first step of CVODE is not shorter than what time resolves at the end of the motion: one that is very far away, beside
  // the time in which the state changes, is brought nearer.
  double first_target() {
    double span = std::abs(t_end_ - time_), slope = 0;
    if (evaluate(time_, state_.data(), work_.data()) == 0) {
      for (std::size_t i = 0; i < state_.size(); ++i) slope = std::max(slope, std::abs(work_[i]) / scale_.scale(i));
      if (slope > 0) span = std::min(span, accuracy::cvode_far * std::max(1 / slope, std::abs(time_)));
    }
    trouble_ = StepStatus::done;
    return forwards_ ? time_ + span : time_ - span;
  }

  // Steps however small do not meet the tolerance though the equations have values: it asks for more digits than these have.
  bool looks_like_rounding(int flag) const {
    return flag == CV_ERR_FAILURE || (flag == CV_CONV_FAILURE && trouble_ == StepStatus::done);
  }
  bool begin_again() {
    std::copy(state_.begin(), state_.end(), N_VGetArrayPointer(y_.get()));
    rejected_before_ = 0;
    return CVodeReInit(memory_.get(), time_, y_.get()) == CV_SUCCESS;
  }

  void count_rejected() {
    long int tests = 0, solves = 0;
    CVodeGetNumErrTestFails(memory_.get(), &tests);
    CVodeGetNumStepSolveFails(memory_.get(), &solves);
    counts_.rejected += static_cast<std::size_t>(tests + solves - rejected_before_);
    // Errors that do not fall with the step are those of rounding; so are those that strike again and again at random.
    if (tests + solves > rejected_before_ + 2) scale_.coarsen();
    rejected_lately_ += tests + solves - rejected_before_;
    rejected_before_ = tests + solves;
    if (++steps_lately_ < lately) return;
    restless_ = rejected_lately_ > too_many ? restless_ + 1 : 0;
    // Not a fast part of the motion that is over soon; nor Adams, whose steps follow the motion more closely.
    if (bdf_ && asked_ < accuracy::cvode_fine && restless_ >= 3 && ask_for_less()) restless_ = 1;
    steps_lately_ = rejected_lately_ = 0;
  }

  StepStatus status_of(int flag) const {
    switch (flag) {
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR:
      case CV_LSETUP_FAIL: return trouble_ != StepStatus::done ? trouble_ : StepStatus::failed;
      case CV_CONV_FAILURE: return trouble_ != StepStatus::done ? trouble_ : StepStatus::too_small;
      case CV_ERR_FAILURE:
      case CV_TOO_CLOSE:
      case CV_TOO_MUCH_ACC: return StepStatus::too_small;
      default: return StepStatus::failed;
    }
  }

  // 0, or 1 for "try a smaller step".
  int evaluate(double t, const double* y, double* dy) {
    ++counts_.rhs_evaluations;
    singular_system_ = field_->rates(t, y, dy);
    if (singular_system_ >= 0) {
      trouble_ = StepStatus::singular;
      return 1;
    }
    return finite(dy, state_.size());
  }
  int finite(const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (std::isfinite(values[i])) continue;
      trouble_ = StepStatus::non_finite;
      return 1;
    }
    return 0;
  }

  static CvodeStepper& self(void* data) { return *static_cast<CvodeStepper*>(data); }

  static int rates(double t, N_Vector y, N_Vector dy, void* data) {
    return self(data).evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  }
  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix entries, void* data, N_Vector, N_Vector, N_Vector) {
    CvodeStepper& stepper = self(data);
    const std::size_t size = stepper.state_.size();
    const int singular = stepper.field_->jacobian(t, N_VGetArrayPointer(y), SUNDenseMatrix_Data(entries));
    // what is 0/0 looks singular
    if (singular < 0 && all_finite({SUNDenseMatrix_Data(entries), size * size})) return 0;
    return stepper.quotients(t, y, SUNDenseMatrix_Data(entries));
  }
  // Where f has a slope and its formula none: |v| v at rest.
  int quotients(double t, N_Vector y, double* entries) {
    double* const at = N_VGetArrayPointer(y);
    const std::size_t size = state_.size();
    std::vector<double> here(size);
    if (const int trouble = evaluate(t, at, here.data()); trouble != 0) return trouble;
    for (std::size_t j = 0; j < size; ++j) {
      const double kept = at[j];
      at[j] += accuracy::half_the_digits * scale_.scale(j);
      const double change = at[j] - kept;
      double* const column = entries + j * size;
      const int trouble = evaluate(t, at, column);
      at[j] = kept;
      if (trouble != 0) return trouble;
      for (std::size_t i = 0; i < size; ++i) column[i] = (column[i] - here[i]) / change;
    }
    return 0;
  }
  // Called once before each step with the state reached.
  static int weights(N_Vector y, N_Vector inverse, void* data) {
    CvodeStepper& stepper = self(data);
    const double* values = N_VGetArrayPointer(y);
    const std::size_t size = stepper.state_.size();
    stepper.scale_.update({values, size});
    double* w = N_VGetArrayPointer(inverse);
    for (std::size_t i = 0; i < size; ++i) w[i] = 1 / (stepper.tolerance_ * stepper.scale_.scale(i));
    return 0;
  }
  static int project(double t, N_Vector y, N_Vector correction, double, N_Vector, void* data) {
    CvodeStepper& stepper = self(data);
    const double* from = N_VGetArrayPointer(y);
    std::copy(from, from + stepper.work_.size(), stepper.work_.begin());
    if (!stepper.projection_->project(t, stepper.work_)) return 1;
    double* change = N_VGetArrayPointer(correction);
    for (std::size_t i = 0; i < stepper.work_.size(); ++i) change[i] = stepper.work_[i] - from[i];
    return 0;
  }
  static void keep_message(int, const char*, const char*, char* text, void* data) {
    CvodeStepper& stepper = self(data);
    std::snprintf(stepper.message_, sizeof stepper.message_, "%s", text);
  }

  Field* field_;
  Projection* projection_;
  bool bdf_;
  double asked_, tolerance_;
  StateScale scale_;
  std::vector<double> state_, work_;
  double time_ = 0, previous_ = 0, t_end_ = 0, longest_ = 0, towards_ = 0;
  bool forwards_ = true, fresh_ = true, started_ = false, failed_ = false;
  StepStatus trouble_ = StepStatus::done;  // what the right-hand side complained of last
  int singular_system_ = -1;
  long int rejected_before_ = 0, rejected_lately_ = 0, steps_lately_ = 0, restless_ = 0;
  StepCounts counts_;
  char message_[256] = "";

  // In the order in which they need each other.
  SundialsContext context_;
  SerialVector y_, view_;
  CvodeMatrix matrix_;
  LinearSolver linear_;
  NonlinearSolver newton_;
  Memory memory_;
};

}  // namespace

std::unique_ptr<Stepper> make_adams(Field& field, double tolerance) {
  return std::make_unique<CvodeStepper>(CV_ADAMS, field, tolerance, nullptr);
}

std::unique_ptr<Stepper> make_bdf(Field& field, double tolerance, Projection* projection) {
  return std::make_unique<CvodeStepper>(CV_BDF, field, tolerance, projection);
}

}  // namespace cetaev
