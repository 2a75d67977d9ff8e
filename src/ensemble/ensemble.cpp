#include "cetaev/ensemble/ensemble.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include "cetaev/algebra/thread.hpp"
#include "cetaev/detail/text/closest.hpp"
#include "cetaev/error.hpp"
#include "cetaev/integrate/batch.hpp"
#include "observables.hpp"
#include "starts.hpp"

namespace cetaev {

using ensemble::ExpressionValues;
using ensemble::Observables;
using ensemble::ObservedMotion;
using ensemble::Starts;

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

double seconds_from(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Processors that this process may run on: those that a batch system or mpirun has given to it.
unsigned processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  return std::max(1U, std::thread::hardware_concurrency());
}

// So many that every thread has its share, so few that uneven motions do not leave one of them alone with the last.
std::size_t block_size_for(std::size_t count) {
  constexpr std::size_t smallest = 8, largest = 128, blocks = 64;
  return std::clamp((count + blocks - 1) / blocks, smallest, largest);
}

}  // namespace

std::string to_string(Device device) { return device == Device::cpu ? "cpu" : "gpu"; }
std::vector<std::string> device_names() { return {to_string(Device::cpu), to_string(Device::gpu)}; }
Device parse_device(std::string_view name) {
  for (const Device device : {Device::cpu, Device::gpu})
    if (name == to_string(device)) return device;
  Error error(ErrorCode::bad_model, fmt::format("there is no device '{}'", name));
  const std::vector<std::string> names = device_names();
  throw error.suggest(text::closest(name, names));
}

void EnsembleSummary::add(const SweepRows& rows) {
  count += rows.rows();
  for (const MotionStatus one : rows.status) {
    if (one == MotionStatus::finished) ++finished;
    if (one == MotionStatus::singular) ++singular;
    if (one == MotionStatus::event) ++event;
    if (one == MotionStatus::failed) ++failed;
  }
}

struct Ensemble::Data {
  Data(const System& of, SweepInputs given, EnsembleOptions wanted)
      : system(of),
        inputs(std::move(given)),
        options(std::move(wanted)),
        observables(system, options.observe),
        block_size(block_size_for(inputs.count())) {
    // what a sweep does not have
    options.motion.samples = 2;
    options.motion.once = false;
    options.motion.keep_going = nullptr;
    prepare();
  }

  // Equations for all of them, made at the values of one. That should be none at which something vanishes: not the first and not in the
  // middle, where people put zeros. Which one it is depends on the specification alone.
  void prepare() {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<double> values(inputs.names().size());
    for (const double share : {0.381966, 0.618034, 0.145898, 0.854102, 0.5, 0.0}) {
      inputs.row(static_cast<std::size_t>(share * static_cast<double>(inputs.count())), values);
      base = ensemble::with_values(system, inputs.names(), values);
      try {
        motion = std::make_unique<CompiledMotion>(base, options.motion);
        batch = std::make_unique<BatchMotion>(*motion, 0, options.lanes);
        break;
      } catch (const Error& error) {
        if (exit_code(error.code()) != 3) throw;
      }
    }
    compile_seconds = seconds_from(begin);
  }

  System system;
  SweepInputs inputs;
  EnsembleOptions options;
  Observables observables;
  std::size_t block_size;
  System base;  // of which only what is written matters
  std::unique_ptr<CompiledMotion>
      motion;  // none where no row that was tried has equations: every motion is then prepared by itself
  std::unique_ptr<BatchMotion> batch;
  double compile_seconds = 0;
};

// What one thread has.
class Ensemble::Worker final : public BatchListener {
 public:
  explicit Worker(const Data& data)
      : data_(data),
        starts_(data.base, data.inputs.names()),
        values_(data.observables),
        observed_(data.block_size, ObservedMotion(data.observables, values_)),
        n_(data.system->size()),
        parameter_count_(data.system->parameters.size()) {}

  EnsembleBlock compute(std::size_t number) {
    set_out(number);
    for (std::size_t row = 0; row < block_.rows(); ++row) start(row);
    if (data_.batch) {
      if (!rows_.empty()) run();
    } else {
      for (std::size_t i = 0; i < rows_.size(); ++i) run_alone(i);
    }
    return std::move(block_);
  }

  // The i-th motion of the block that has a start.
  Recorder& begin(std::size_t i) override {
    observed_[i].begin(std::span(parameters_).subspan(i * parameter_count_, parameter_count_));
    return observed_[i];
  }

 private:
  void set_out(std::size_t number) {
    block_ = EnsembleBlock();
    block_.number = number;
    block_.first = number * data_.block_size;
    const std::size_t rows = std::min(data_.block_size, data_.inputs.count() - block_.first);
    block_.inputs.resize(rows * data_.inputs.names().size());
    block_.outputs.assign(rows * data_.observables.names().size(), no_value);
    block_.t.resize(rows);
    block_.status.assign(rows, MotionStatus::failed);
    block_.diagnosis.resize(rows);
    rows_.clear();
    states_.clear();
    times_.clear();
    parameters_.clear();
  }

  std::span<double> inputs_of(std::size_t row) {
    const std::size_t width = data_.inputs.names().size();
    return std::span(block_.inputs).subspan(row * width, width);
  }
  std::span<double> outputs_of(std::size_t row) {
    const std::size_t width = data_.observables.names().size();
    return std::span(block_.outputs).subspan(row * width, width);
  }

  void start(std::size_t row) {
    data_.inputs.row(block_.first + row, inputs_of(row));
    try {
      const State state = starts_.find(inputs_of(row));
      states_.insert(states_.end(), state.q.begin(), state.q.end());
      states_.insert(states_.end(), state.v.begin(), state.v.end());
      times_.push_back(state.t);
      const std::span<const double> parameters = starts_.parameters();
      parameters_.insert(parameters_.end(), parameters.begin(), parameters.end());
      rows_.push_back(row);
    } catch (const Error& error) {
      block_.diagnosis[row] = error.code();
      block_.t[row] = no_value;
    }
  }

  void run();
  void run_alone(std::size_t i);
  void finish(std::size_t i, MotionStatus status, const std::optional<Error>& diagnosis, const State& last);

  const Data& data_;
  Starts starts_;
  ExpressionValues values_;
  std::vector<ObservedMotion> observed_;
  std::size_t n_, parameter_count_;
  EnsembleBlock block_;
  std::vector<std::size_t> rows_;  // of those that have a start, whose data follow one after the other
  std::vector<double> states_, times_, parameters_;
};

void Ensemble::Worker::run() {
  const BatchResult result = data_.batch->run({states_, times_, parameters_}, *this);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const BatchEnd& end = result.ends[i];
    finish(i, end.status, end.diagnosis, result.last_state(i));
    block_.steps += end.steps;
    block_.alone += end.alone ? 1 : 0;
  }
}

// With equations of its own.
void Ensemble::Worker::run_alone(std::size_t i) {
  const std::size_t row = rows_[i];
  ++block_.alone;
  try {
    const System own = ensemble::with_values(data_.system, data_.inputs.names(), inputs_of(row));
    const MotionSummary summary = run_motion(own, data_.options.motion, begin(i));
    finish(i, summary.status, summary.diagnosis, summary.last);
    block_.steps += summary.steps;
  } catch (const Error& error) {
    const double* const q = states_.data() + 2 * n_ * i;
    begin(i);
    finish(i, MotionStatus::failed, error, {times_[i], {q, q + n_}, {q + n_, q + 2 * n_}});
  }
}

void Ensemble::Worker::finish(std::size_t i, MotionStatus status, const std::optional<Error>& diagnosis,
                              const State& last) {
  const std::size_t row = rows_[i];
  block_.status[row] = status;
  if (diagnosis) block_.diagnosis[row] = diagnosis->code();
  block_.t[row] = last.t;
  observed_[i].finish(last, outputs_of(row));
}

Ensemble::Ensemble(const System& system, SweepInputs inputs, EnsembleOptions options) {
  if (options.device == Device::gpu)
    throw Error(ErrorCode::no_device, "no GPU that could compute motions is on this machine; --device cpu is");
  if (options.lanes > 8) throw Error(ErrorCode::bad_model, "a processor has at most 8 lanes");
  data_ = std::make_unique<Data>(system, std::move(inputs), std::move(options));
}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

const System& Ensemble::system() const { return data_->system; }
const SweepInputs& Ensemble::inputs() const { return data_->inputs; }
const EnsembleOptions& Ensemble::options() const { return data_->options; }
const std::vector<std::string>& Ensemble::observables() const { return data_->observables.names(); }
std::size_t Ensemble::block_size() const { return data_->block_size; }
std::size_t Ensemble::blocks() const { return (data_->inputs.count() + block_size() - 1) / block_size(); }
std::size_t Ensemble::rows_of(std::size_t block) const {
  return std::min(block_size(), data_->inputs.count() - block * block_size());
}

EnsembleBlock Ensemble::compute(std::size_t block) const { return Worker(*data_).compute(block); }

EnsembleSummary Ensemble::run(const Done& done, const Wanted& wanted, const std::function<bool()>& keep_going) const {
  const auto begin = std::chrono::steady_clock::now();
  EnsembleSummary summary;
  const unsigned most = data_->options.threads > 0 ? data_->options.threads : processors();
  summary.threads = static_cast<unsigned>(std::min<std::size_t>(most, blocks()));
  summary.lanes = data_->batch ? data_->batch->lanes() : 1;
  summary.compile_seconds = data_->compile_seconds;

  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // of what follows, and of those who are called
  std::exception_ptr problem;
  bool stopped = false;
  const auto work = [&] {
    try {
      Worker worker(*data_);
      while (true) {
        const std::size_t block = next++;
        if (block >= blocks()) return;
        {
          const std::lock_guard lock(mutex);
          if (problem || stopped) return;
          if (wanted && !wanted(block)) continue;
          if (keep_going && !keep_going()) {
            stopped = summary.interrupted = true;
            return;
          }
        }
        const EnsembleBlock result = worker.compute(block);
        const std::lock_guard lock(mutex);
        if (problem) return;
        done(result);
        summary.add(result);
        summary.steps += result.steps;
        summary.alone += result.alone;
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!problem) problem = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < summary.threads; ++i)
      others.emplace_back([&] {
        work();
        release_thread_memory();
      });
    work();
  }
  if (problem) std::rethrow_exception(problem);
  summary.wall_seconds = seconds_from(begin);
  return summary;
}

}  // namespace cetaev
