#include "cetaev/ensemble/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "cetaev/detail/ensemble/threads.hpp"
#include "cetaev/detail/text/closest.hpp"
#include "cetaev/error.hpp"
#include "cetaev/interruption.hpp"
#include "prepared.hpp"
#include "worker.hpp"

namespace cetaev {

namespace {

double seconds_from(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

// The blocks that are computed in one go: who wants them, who is told, and what has come together.
class Ensemble::Round {
 public:
  Round(const Ensemble& ensemble, const Done& done, const Wanted& wanted, const std::function<bool()>& keep_going)
      : ensemble_(ensemble), data_(*ensemble.data_), done_(done), wanted_(wanted), keep_going_(keep_going) {
    const unsigned most = data_.options.threads > 0 ? data_.options.threads : processors();
    summary.threads = static_cast<unsigned>(std::min<std::size_t>(most, ensemble.blocks()));
    summary.lanes = data_.batch ? data_.batch->lanes() : 1;
    summary.compile_seconds = data_.compile_seconds;
  }

  void on_processors() {
    const auto within_blocks = end_within_blocks();
    std::atomic<std::size_t> next = 0;
    in_threads(summary.threads, [&](unsigned) {
      Worker worker(data_);
      while (true) {
        const std::size_t block = next++;
        if (block >= ensemble_.blocks() || !goes_on()) return;
        if (wants(block)) tell([&] { return worker.compute(block); });
      }
    });
  }

  // As many blocks at a time as the GPU has room for; the next ones get their starts meanwhile.
  void on_gpu() {
    summary.device = data_.gpu->device();
    const double before = data_.gpu->seconds();
    workers_.resize(summary.threads);
    in_threads(summary.threads, [&](unsigned thread) { workers_[thread] = std::make_unique<Worker>(data_); });
    Lot now(*data_.gpu), ahead(*data_.gpu);
    start(now);
    while (!now.blocks.empty()) {
      bool ran = false;
      {
        std::exception_ptr problem;
        std::jthread others([&, helped = Interruptible::current()] {
          const Interruptible::Helper helper(helped);
          try {
            start(ahead);
          } catch (...) {
            problem = std::current_exception();
          }
        });
        ran = data_.gpu->run(now.batch, keep_going_);
        others.join();
        if (problem) std::rethrow_exception(problem);
      }
      if (!ran) {
        summary.interrupted = true;
        break;
      }
      complete(now);
      std::swap(now, ahead);
      if (!goes_on()) break;
    }
    summary.device_seconds = data_.gpu->seconds() - before;
  }

  EnsembleSummary summary;

 private:
  // Blocks that are on the GPU together.
  struct Lot {
    explicit Lot(const gpu::Motions& motions) : batch(motions.batch()) {}
    gpu::MotionBatch batch;
    std::vector<std::size_t> numbers;
    std::vector<StartedBlock> blocks;
  };

  void start(Lot& lot) {
    lot.numbers.clear();
    lot.batch.clear();
    const std::size_t room = std::max<std::size_t>(1, lot.batch.capacity() / ensemble_.block_size());
    for (; next_ < ensemble_.blocks() && lot.numbers.size() < room; ++next_)
      if (wants(next_)) lot.numbers.push_back(next_);
    lot.blocks.resize(lot.numbers.size());
    std::atomic<std::size_t> next = 0;
    in_threads(summary.threads, [&](unsigned thread) {
      for (std::size_t i = next++; i < lot.numbers.size(); i = next++) {
        lot.blocks[i] = workers_[thread]->start(lot.numbers[i]);
        workers_[thread]->put(lot.blocks[i], lot.batch, i * ensemble_.block_size());
      }
    });
  }

  void complete(Lot& lot) {
    const auto within_blocks = end_within_blocks();
    std::atomic<std::size_t> next = 0;
    in_threads(summary.threads, [&](unsigned thread) {
      for (std::size_t i = next++; i < lot.blocks.size(); i = next++)
        tell([&] {
          return workers_[thread]->complete(std::move(lot.blocks[i]), lot.batch, i * ensemble_.block_size());
        });
    });
  }

  bool wants(std::size_t block) {
    const std::lock_guard lock(mutex_);
    return !wanted_ || wanted_(block);
  }

  // One motion may take as long as thousands: whoever may end the round is asked within blocks too. What was not done of them is lost.
  std::unique_ptr<Interruptible> end_within_blocks() {
    if (!keep_going_) return nullptr;
    return std::make_unique<Interruptible>([this, outer = Interruptible::current()] {
      if (outer != nullptr) outer->look();
      return !goes_on();
    });
  }

  bool goes_on() {
    const std::lock_guard lock(mutex_);
    if (failed_ || summary.interrupted) return false;
    summary.interrupted = keep_going_ && !keep_going_();
    return !summary.interrupted;
  }

  template <class Compute>
  void tell(const Compute& compute) {
    try {
      const EnsembleBlock block = compute();
      const std::lock_guard lock(mutex_);
      if (failed_) return;
      done_(block);
      summary.add(block);
      summary.steps += block.steps;
      summary.alone += block.alone;
      for (const auto& [why, count] : block.left) summary.left[why] += count;
    } catch (const Interrupted&) {
      const std::lock_guard lock(mutex_);
      if (failed_ || summary.interrupted) return;
      failed_ = true;
      throw;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failed_ = true;
      throw;
    }
  }

  const Ensemble& ensemble_;
  const Data& data_;
  const Done& done_;
  const Wanted& wanted_;
  const std::function<bool()>& keep_going_;
  std::mutex mutex_;  // of those who are called, and of what has come together
  bool failed_ = false;
  std::size_t next_ = 0;
  std::vector<std::unique_ptr<Worker>> workers_;
};

Ensemble::Ensemble(const System& system, SweepInputs inputs, EnsembleOptions options) {
  if (options.lanes > 8) throw Error(ErrorCode::bad_model, "a processor has at most 8 lanes");
  if (options.fixed_steps > 0 && options.device != Device::gpu)
    throw Error(ErrorCode::bad_model, "steps of equal length are for --device gpu: a processor keeps the tolerance");
  if (options.single_precision && options.fixed_steps == 0)
    throw Error(ErrorCode::bad_model,
                "single precision is for --device gpu with --steps: steps that keep a tolerance need doubles");
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

EnsembleBlock Ensemble::compute(std::size_t block) const {
  EnsembleBlock result;
  if (!data_->gpu) return Worker(*data_).compute(block);
  run([&](const EnsembleBlock& one) { result = one; }, [&](std::size_t number) { return number == block; });
  return result;
}

EnsembleSummary Ensemble::run(const Done& done, const Wanted& wanted, const std::function<bool()>& keep_going) const {
  const auto begin = std::chrono::steady_clock::now();
  Round round(*this, done, wanted, keep_going);
  data_->gpu ? round.on_gpu() : round.on_processors();
  round.summary.wall_seconds = seconds_from(begin);
  return std::move(round.summary);
}

}  // namespace cetaev
