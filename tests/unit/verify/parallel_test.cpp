// The same work for many things: each once, and what goes wrong is not lost.
#include "../../../src/verify/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace cetaev::verify {
namespace {

TEST(InParallel, DoesEverythingOnce) {
  for (const std::size_t threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> worked(100), finished(100);
    in_parallel(
        100, {threads, {}}, [&](std::size_t i) { ++worked[i]; }, [&](std::size_t i) { ++finished[i]; });
    for (std::size_t i = 0; i < 100; ++i) EXPECT_TRUE(worked[i] == 1 && finished[i] == 1) << i;
  }
}

TEST(InParallel, HandsOnWhatIsThrown) {
  for (const std::size_t threads : {1, 2, 7}) {
    std::atomic<int> begun = 0;
    const auto work = [&](std::size_t i) {
      ++begun;
      if (i == 5) throw std::bad_alloc();
    };
    EXPECT_THROW(in_parallel(1'000'000, {threads, {}}, work, [](std::size_t) {}), std::bad_alloc);
    EXPECT_LT(begun, 1'000'000);  // nobody begins anything more
    const auto done = [](std::size_t i) {
      if (i == 3) throw std::logic_error("done");
    };
    EXPECT_THROW(in_parallel(
                     10, {threads, {}}, [](std::size_t) {}, done),
                 std::logic_error);
  }
}

}  // namespace
}  // namespace cetaev::verify
