// Long calls that somebody may end: Ctrl-C is looked for, and `progress` is told how far they are.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>

#include "bindings.hpp"

namespace cetaev::python {

// Signals are those of the thread that called, and so is `progress`: a function of the fraction done and of where the work is, or None. What
// it throws, and the interruption itself, ends the work and is thrown again at its end.
class Watch {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {}
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // By the thread that called, without the lock: looks now and then. False: stop.
  bool keep_going(double fraction, double where);
  // By any other thread: false once the one that called has had enough.
  bool told(double fraction, double where);
  bool stopped() const { return stopped_; }
  // By the thread that called, while others work.
  void look();
  // With the lock.
  void rethrow();

 private:
  bool look(double fraction, double where);

  py::object progress_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::atomic<double> fraction_ = 0, where_ = 0;
  std::atomic<bool> stopped_ = false;
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

// How long it may take until Ctrl-C is seen, and how often a bar is drawn.
inline constexpr std::chrono::milliseconds between_looks{50};

// `work()` without the lock, which asks `watch` itself. What was stopped throws what stopped it.
template <class Work>
auto watched(Watch& watch, Work&& work) {
  try {
    auto result = apart(work);
    watch.rethrow();
    return result;
  } catch (const Error&) {
    watch.rethrow();
    throw;
  }
}

// A motion, or what is found along one.
template <class Work>
auto watched_motion(const System& system, MotionOptions asked, const py::object& progress, Work&& work) {
  Watch watch(progress);
  const double start = given_state(system).t, end = asked.t_end;
  asked.keep_going = [&watch, start, end](double t) {
    return watch.keep_going(end == start ? 1.0 : (t - start) / (end - start), t);
  };
  return watched(watch, [&] { return work(asked); });
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
