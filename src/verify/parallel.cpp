#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "cetaev/algebra/thread.hpp"
#include "cetaev/interruption.hpp"

namespace cetaev::verify {

void in_parallel(std::size_t count, const ParallelOptions& options, const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& done) {
  std::atomic<std::size_t> next = 0;
  std::mutex one_at_a_time;
  std::exception_ptr problem;  // the first one
  const auto worker = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        if (options.interrupted && options.interrupted()) return;
        work(i);
        const std::scoped_lock lock(one_at_a_time);
        done(i);
      }
    } catch (...) {
      next = count;
      const std::scoped_lock lock(one_at_a_time);
      if (!problem) problem = std::current_exception();
    }
  };
  const std::size_t wanted = options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < std::min(wanted, count); ++i) {
        threads.emplace_back([&, helped = Interruptible::current()] {
          const Interruptible::Helper helper(helped);
          worker();
          release_thread_memory();
        });
      }
    } catch (const std::system_error&) {
      // no more threads are to be had: those that are there do the work
    }
    worker();
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace cetaev::verify
