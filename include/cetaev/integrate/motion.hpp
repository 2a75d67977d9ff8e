// The motion of a system from its initial state: what `cetaev run` computes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/error.hpp"
#include "cetaev/integrate/choices.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

class Groundwork;

struct MotionOptions {
  std::optional<Form> form;      // chosen by the program where none is given
  std::optional<Method> method;  // likewise
  Backend backend = Backend::jit;
  double t_end = 10;
  std::size_t samples = 1001;  // at equal times from the initial one to t_end, both included
  double tolerance = 1e-14;
  bool through_singular = false;  // step over a singular set where a projected step exists
  bool cache = true;              // keep machine code on disk
  // Parameters and initial values ("m", "x", "x'") by which the motion is differentiated on its way; an empty name is a direction that only
  // a MotionStart says.
  std::vector<std::string> variations;
  bool once = false;  // nothing else will be run with these equations: no more work on them than this motion is worth
  // Asked now and then with the time reached; false stops the motion there.
  std::function<bool(double t)> keep_going;
};

// Defaults as above, where the model's [simulation] says nothing. Throws bad-model, at the place in the model's text, where it
// names a form or a method that does not exist.
MotionOptions default_options(const System& system);

// A state of the motion with what belongs to it. The spans live until the recorder returns.
struct MotionPoint {
  double t = 0;
  std::span<const double> q, v;
  std::span<const double> multipliers;  // one per scalar constraint in file order; of the vakonomic equations λ
  double E = 0;
  double residual = 0;                 // the largest |f|, |φ| or |h|
  std::span<const double> variations;  // by each of those of the options: derivatives of q, then of v
  std::span<const double> outputs;     // of the model, component by component; not a number where one has no value
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void sample(const MotionPoint& point) = 0;
  // Where nobody does, no more of them are computed than the figures of the summary need.
  virtual bool wants_samples() const { return true; }
  // An event of [events] (its number in the file), at the time it was located.
  virtual void event(std::size_t number, const MotionPoint& point) { (void)number, (void)point; }

  // For those who want the whole motion and not only samples: every step with any point of it.
  using DenseStep = std::function<const MotionPoint&(double t)>;
  virtual bool wants_steps() const { return false; }
  // Samples and the points of steps have t, q and v and nothing else then, for a fraction of the work. What the summary says of residual and
  // energy is then that of every 64th sample and of the last one.
  virtual bool wants_states_alone() const { return false; }
  virtual void step(double from, double to, const DenseStep& at) { (void)from, (void)to, (void)at; }
};

enum class MotionStatus { finished, singular, event, failed, interrupted };
std::string to_string(MotionStatus status);

struct MotionSummary {
  MotionStatus status = MotionStatus::finished;
  std::optional<Error> diagnosis;     // on `singular` and `failed`
  std::optional<double> singular_at;  // the time at which the singular set is reached
  std::optional<std::size_t> stopping_event;

  State last;                  // the last state reached
  std::vector<double> lambda;  // and the multipliers of the vakonomic equations there
  // How it changes with each of the variations of the options: the state at this very time. Where an event stops the motion, motions beside
  // this one stop earlier or later: how the time of the event changes, and the state there. Nothing where the event is only touched.
  struct Variation {
    std::string name;
    std::vector<double> q, v;
    struct AtEvent {
      double t = 0;
      std::vector<double> q, v;
    };
    std::optional<AtEvent> at_event{};
  };
  std::vector<Variation> variations;
  std::size_t samples = 0;
  std::size_t steps = 0, rejected = 0, rhs_evaluations = 0;
  double max_residual = 0;
  double E_start = 0, E_end = 0;
  double energy_drift = 0;  // largest |E − E₀ − ∫ balance dt|
  std::size_t projections = 0;
  double projection_energy = 0;           // the work of all projections, and
  double projection_energy_absolute = 0;  // the sum of its absolute values
  std::size_t reselections = 0;           // how often other velocities were taken as the dependent ones
  std::vector<std::size_t> event_counts;
  Form form = Form::multipliers;  // what was used
  Method method = Method::taylor;
  Backend backend = Backend::jit;
  std::vector<std::string> notes;  // choices made and warnings: stiffness, stepping through a singular set, …
  double compile_seconds = 0, integration_seconds = 0, wall_seconds = 0;
  bool from_cache = false;
  bool tables = false;  // the series ran in loops over tables: machine code of its own would take longer than it saves
};

// Throws where no motion can be started (bad options, no admissible initial state, the form does not apply); what happens
// later is in the summary.
MotionSummary run_motion(const System& system, const MotionOptions& options, Recorder& recorder);
MotionSummary run_motion(Groundwork work, const MotionOptions& options, Recorder& recorder);

}  // namespace cetaev
