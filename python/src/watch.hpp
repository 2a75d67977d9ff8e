// Work that takes a while: without the interpreter's lock, so that other threads run, and Ctrl-C ends it. `progress` is told how far it is.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>

#include "cetaev/algebra/thread.hpp"
#include "cetaev/error.hpp"
#include "cetaev/interruption.hpp"
#include "texts.hpp"

namespace cetaev::python {

namespace py = pybind11;

// Signals are those of the thread that called, and so is `progress`: a function of the fraction done and of where the work is, or None. What
// it throws, and the interruption itself, ends the work and is thrown again at its end.
class Watch {
 public:
  explicit Watch(py::object progress = py::none()) : progress_(std::move(progress)) {}
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // By the thread that called, without the lock: looks now and then. False: stop.
  bool keep_going(double fraction, double where);
  // By any other thread: false once the one that called has had enough.
  bool told(double fraction, double where);
  bool stopped() const { return stopped_; }
  // By any thread, from within what the library does: looks for signals now and then. True: stop.
  bool enough();
  // By the thread that called, while others work.
  void look();
  // With the lock.
  void rethrow();

 private:
  bool due();
  bool look(double fraction, double where, bool tell);

  py::object progress_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::atomic<double> fraction_ = 0, where_ = 0;
  std::atomic<bool> stopped_ = false;
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

// How long it may take until Ctrl-C is seen, and how often a bar is drawn.
inline constexpr std::chrono::milliseconds between_looks{50};

// A thread that the interpreter does not wait for may come for the lock when that is about to end. It would be ended in the middle of C++, and the
// process with it; so it waits until the process is gone.
void wait_where_the_interpreter_ends();
struct WaitsAtTheEnd {
  ~WaitsAtTheEnd() { wait_where_the_interpreter_ends(); }
};

// `work()` without the lock. What was stopped throws what stopped it.
template <class Work>
auto watched(Watch& watch, Work&& work) -> std::invoke_result_t<Work> {
  using Result = std::invoke_result_t<Work>;
  const auto released = [&]() -> Result {
    const py::gil_scoped_release release;
    const WaitsAtTheEnd before_the_lock;
    release_thread_memory_at_exit();
    const Interruptible here([&watch] { return watch.enough(); });
    return work();
  };
  try {
    if constexpr (std::is_void_v<Result>) {
      released();
      watch.rethrow();
    } else {
      Result result = released();
      watch.rethrow();
      return result;
    }
  } catch (const Error&) {
    watch.rethrow();
    throw;
  } catch (const Interrupted&) {
    watch.rethrow();
    throw;
  }
}

template <class Work>
auto apart(Work&& work) -> std::invoke_result_t<Work> {
  Watch watch;
  return watched(watch, work);
}

// Work that takes threads of its own is done beside the one that called, which looks for signals meanwhile.
template <class Work>
auto watched_beside(Watch& watch, Work&& work) {
  return watched(watch, [&] {
    std::optional<std::invoke_result_t<Work>> result;
    std::exception_ptr problem;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::jthread beside([&] {
      try {
        const Interruptible here([&watch] { return watch.stopped(); });
        result.emplace(work());
      } catch (...) {
        problem = std::current_exception();
      }
      release_thread_memory();
      const std::lock_guard lock(mutex);
      done = true;
      changed.notify_one();
    });
    for (std::unique_lock lock(mutex); !changed.wait_for(lock, between_looks, [&] { return done; });) {
      lock.unlock();
      watch.look();
      lock.lock();
    }
    beside.join();
    if (problem) std::rethrow_exception(problem);
    return std::move(*result);
  });
}

}  // namespace cetaev::python
