// Motions of one model on a GPU, as many at a time as there is room for.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/integrate/compiled_motion.hpp"

namespace cetaev::gpu {

// Why a motion is left to the processor.
enum class LeftAlone {
  start,        // what must not vanish does there, or it is off its constraints
  pivot,        // of a linear system: it comes near to zero
  event,        // that stops the motion, or a guard of a singular set
  constraints,  // the state does not come back to them
  steps,        // are too small, or the state is no number
  unsent,       // it has no length, or needs equations of its own
  length,       // it takes more steps than the device is given
  end           // its last state cannot be computed
};
constexpr std::size_t reasons = 8;
const char* to_string(LeftAlone why);

struct MotionsOptions {
  bool own_parameters = false;  // every motion has parameters of its own
  bool single = false;          // computed in floats, with fixed steps
  std::size_t fixed_steps =
      0;  // so many equal steps of the classical Runge–Kutta method; dop853 with the tolerance of the motion for 0
  bool cache = true;                        // keep the machine code on disk
  std::size_t most = std::size_t{1} << 22;  // motions at a time, where there is room for more
};

// Motions that are computed together; those that have no start stay empty.
class MotionBatch {
 public:
  MotionBatch(std::size_t capacity, std::size_t fields) : capacity_(capacity), data_(capacity * fields) { clear(); }
  void clear();
  std::size_t capacity() const { return capacity_; }

 private:
  friend class Motions;
  friend class MotionHost;
  std::size_t capacity_;
  std::vector<double> data_;
  std::vector<int> code_;
};

class Motions {
 public:
  // Throws no-device where there is no GPU, and bad-model where a GPU cannot follow the motions of the model. The motion must outlive it.
  Motions(const CompiledMotion& motion, const MotionsOptions& options);
  ~Motions();

  const std::string& device() const;  // its name
  bool from_cache() const;            // its code was there
  std::size_t capacity() const;       // motions at a time
  MotionBatch batch() const;

  // From their starts to the end. `keep_going` is asked now and then; once it says no, nothing counts and false comes back. By one thread at
  // a time.
  bool run(MotionBatch& batch, const std::function<bool()>& keep_going);
  double seconds() const;  // that the device has computed

 private:
  friend class MotionHost;
  struct Data;
  std::unique_ptr<Data> data_;
};

// Puts motions into batches and looks at their ends; one object per thread.
class MotionHost {
 public:
  explicit MotionHost(const Motions& motions);
  ~MotionHost();

  void put(MotionBatch& batch, std::size_t place, const State& start, std::span<const double> parameters);
  // The last state and the number of steps; or why the motion has to be followed by somebody else, from its beginning.
  std::optional<LeftAlone> finish(const MotionBatch& batch, std::size_t place, std::span<const double> parameters,
                                  State& last, std::size_t& steps);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

// The source of the kernel, for those who want to read or compile it elsewhere.
std::string kernel_source(const CompiledMotion& motion, const MotionsOptions& options);

}  // namespace cetaev::gpu
