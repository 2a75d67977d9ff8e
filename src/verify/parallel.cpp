#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "cetaev/algebra/thread.hpp"

namespace cetaev::verify {

void in_parallel(std::size_t count, const ParallelOptions& options, const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& done) {
  std::atomic<std::size_t> next = 0;
  std::mutex one_at_a_time;
  const auto worker = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      if (options.interrupted && options.interrupted()) return;
      work(i);
      const std::scoped_lock lock(one_at_a_time);
      done(i);
    }
  };
  const std::size_t wanted = options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(wanted, count); ++i) {
    threads.emplace_back([&] {
      worker();
      release_thread_memory();
    });
  }
  worker();
}

}  // namespace cetaev::verify
