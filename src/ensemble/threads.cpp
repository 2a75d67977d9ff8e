#include "cetaev/detail/ensemble/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "cetaev/algebra/thread.hpp"
#include "cetaev/interruption.hpp"

namespace cetaev {

unsigned processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  return std::max(1U, std::thread::hardware_concurrency());
}

void in_threads(unsigned threads, const std::function<void(unsigned thread)>& work) {
  std::mutex mutex;
  std::exception_ptr problem;
  const auto guarded = [&](unsigned thread) {
    try {
      work(thread);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!problem) problem = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i)
      others.emplace_back([&, i, helped = Interruptible::current()] {
        const Interruptible::Helper helper(helped);
        guarded(i);
        release_thread_memory();
      });
    guarded(0);
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace cetaev
