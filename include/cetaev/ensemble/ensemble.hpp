// Many motions of one model, on all processors of a machine: what `cetaev sweep` computes.
//
// The model is derived and compiled once; parameters and initial values are inputs of the machine code. Work is handed out in
// blocks of motions. What comes out for a motion depends on nothing but the model, the options and its inputs: not on threads, lanes, the
// order of work or what other motions do, to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/ensemble/inputs.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/output/sweep_file.hpp"

namespace cetaev {

// What computes the motions.
enum class Device { cpu, gpu };
std::string to_string(Device device);
// Throws bad-model, with the closest name, where there is no such thing.
Device parse_device(std::string_view name);
std::vector<std::string> device_names();

struct EnsembleOptions {
  MotionOptions motion;  // without samples
  // What is observed of every motion: an expression at the end; max(…), min(…) or mean(…) of one along the motion; time(EVENT) of the
  // first event of that name; at(EXPRESSION, EVENT) at the first of them. Without any: the last state.
  std::vector<std::string> observe;
  unsigned threads = 0;  // as many as this process may use, where it is 0
  unsigned lanes =
      0;  // motions that a thread has side by side at a time; as many as the processor has lanes, where it is 0
  Device device = Device::cpu;
  // On a GPU: so many equal steps of the classical Runge–Kutta method from the beginning of a motion to its end; dop853 with the tolerance of
  // the motion for 0.
  std::size_t fixed_steps = 0;
  // On a GPU, with equal steps: computed in floats, which have seven digits.
  bool single_precision = false;
};

// How many motions a GPU has left to the processor, by the reason in a word.
using LeftToProcessor = std::map<std::string, std::size_t>;

// Motions that have been computed.
struct EnsembleBlock : SweepRows {
  std::size_t number = 0;
  std::size_t steps = 0, alone = 0;  // in all motions; of those that left the lanes
  LeftToProcessor left;
};

struct EnsembleSummary {
  std::size_t count = 0;  // motions that were computed
  std::size_t finished = 0, singular = 0, event = 0, failed = 0;
  std::size_t steps = 0;
  std::size_t alone = 0;     // motions that needed equations of their own or had to be looked at alone
  bool interrupted = false;  // before all blocks were done
  unsigned threads = 0, lanes = 0;
  double compile_seconds = 0, wall_seconds = 0;
  std::string device;         // the name of the GPU, where it is one
  double device_seconds = 0;  // that it has computed
  LeftToProcessor left;

  void add(const SweepRows& rows);
};

class Ensemble {
 public:
  // Throws where no motion at all can be started because of the options or the observables. Where the model has no admissible state at some
  // values, that is the status of motions. Throws no-device where the device is not there.
  Ensemble(const System& system, SweepInputs inputs, EnsembleOptions options);
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  const System& system() const;
  const SweepInputs& inputs() const;
  const EnsembleOptions& options() const;
  const std::vector<std::string>& observables() const;  // their names, as they are written

  // Blocks are the same for everybody who computes this ensemble.
  std::size_t block_size() const;
  std::size_t blocks() const;
  std::size_t rows_of(std::size_t block) const;

  // One block, by this thread.
  EnsembleBlock compute(std::size_t block) const;

  using Done = std::function<void(const EnsembleBlock& block)>;
  using Wanted = std::function<bool(std::size_t block)>;
  // All blocks that are wanted, by all threads. `done` is called for each of them as it comes, by one thread at a time; what it
  // throws ends the work and comes out here. `keep_going` is asked before every block; once it says no, the blocks that are being computed are
  // the last.
  EnsembleSummary run(const Done& done, const Wanted& wanted = nullptr,
                      const std::function<bool()>& keep_going = nullptr) const;

 private:
  struct Data;
  struct StartedBlock;
  class Worker;
  class Round;
  std::unique_ptr<Data> data_;
};

}  // namespace cetaev
