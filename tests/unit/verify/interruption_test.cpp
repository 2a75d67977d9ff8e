// Whatever is being derived may be ended at any moment: it ends there, nothing is left half done, and who asks again gets the answer there
// would have been.
#include "cetaev/interruption.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <thread>

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/open_model.hpp"
#include "cetaev/output/samples.hpp"
#include "cetaev/report/check.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/linearize.hpp"
#include "cetaev/report/page.hpp"
#include "cetaev/report/written.hpp"
#include "cetaev/stability/linearize.hpp"
#include "cetaev/verify/model.hpp"

namespace cetaev {
namespace {

using Question = std::function<std::string(const Workbench&)>;

// How often it is asked whether there is enough.
std::size_t askings(const std::function<void()>& work) {
  std::size_t count = 0;
  const Interruptible here([&] { return ++count == 0; });
  work();
  return count;
}

// Ended when it is asked for the n-th time; false where the work is done before.
bool ended_at(std::size_t n, const std::function<void()>& work) {
  std::size_t count = 0;
  const Interruptible here([&] { return ++count >= n; });
  try {
    work();
  } catch (const Interrupted&) {
    EXPECT_EQ(count, n);  // nobody went on
    return true;
  }
  return false;
}

// In ten moments all over the work, on one workbench, which then answers as one that was left alone.
void expect_unharmed(const System& system, const Question& question) {
  const std::string expected = question(Workbench(system));
  const std::size_t all = askings([&] { (void)question(Workbench(system)); });
  ASSERT_GT(all, 3U) << "too little work to be interrupted";
  const Workbench bench(system);
  for (std::size_t i = 0; i < 10; ++i) {
    const std::size_t n = 1 + i * (all - 1) / 10;
    EXPECT_TRUE(ended_at(n, [&] { (void)question(bench); })) << n << " of " << all;
  }
  EXPECT_EQ(question(bench), expected);
}

std::string check_told(const Workbench& bench) { return to_json(bench.system(), bench.check()); }

TEST(Interruption, AnyMomentOfACheck) {
  for (const char* name : {"rolling-disc", "appell-hamel", "pursuit"}) {
    SCOPED_TRACE(name);
    expect_unharmed(open_model(name), check_told);
  }
}

TEST(Interruption, AnyMomentOfADerivation) {
  for (const char* name : {"rolling-disc", "chaplygin-sleigh"}) {
    SCOPED_TRACE(name);
    expect_unharmed(open_model(name), [](const Workbench& bench) {
      return to_json(bench.equations({{Form::hamel, Form::voronec, Form::multipliers}}));
    });
  }
}

TEST(Interruption, AnyMomentOfAnEvaluation) {
  expect_unharmed(open_model("rolling-disc"), [](const Workbench& bench) {
    const auto& here = bench.at_initial();
    return to_json(bench.system(), here.evaluation, here.energy);
  });
}

TEST(Interruption, AnyMomentOfALinearisation) {
  expect_unharmed(open_model("rolling-disc-steady"),
                  [](const Workbench& bench) { return to_json(bench.system(), linearize(bench.system())); });
}

TEST(Interruption, AnyMomentOfAMotion) {
  expect_unharmed(open_model("double-pendulum"), [](const Workbench& bench) {
    MotionOptions options = default_options(bench.system());
    options.t_end = 300;
    options.samples = 2;
    options.backend = Backend::interpreter;
    SampleRecorder recorder(bench.system());
    return std::to_string(bench.run(options, recorder).last.q[0]);
  });
}

TEST(Interruption, ThreadsThatHelpAreEndedToo) {
  // asked by whoever works: two of them, and the one that called
  std::atomic<std::size_t> count = 0;
  std::mutex mutex;
  std::set<std::thread::id> seen;
  const Interruptible here([&] {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
    return seen.size() > 1 && ++count > 10;
  });
  std::vector<ModelToVerify> models;
  for (int i = 0; i < 200; ++i) models.push_back({"rolling-disc", [] { return open_model("rolling-disc"); }});
  VerifyOptions options;
  options.threads = 2;
  std::size_t done = 0;
  options.progress = [&](const auto&, std::size_t so_far, std::size_t) { done = so_far; };
  EXPECT_THROW((void)verify_models(models, options), Interrupted);
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_LT(done, models.size());
}

TEST(Interruption, AReportWithItsThreads) {
  const System system = open_model("skate");
  const Workbench bench(system);
  PageOptions options;
  options.motion = default_options(system);
  options.motion.backend = Backend::interpreter;
  for (const std::size_t n : {1, 20, 300}) {
    std::atomic<std::size_t> count = 0;
    const Interruptible here([&] { return ++count >= n; });
    EXPECT_THROW((void)write_page(bench, options), Interrupted) << n;
  }
  EXPECT_EQ(write_page(bench, options).kind, write_page(Workbench(system), options).kind);
}

TEST(Interruption, WhoWaitsForTheAnswerOfAnotherMayLeave) {
  const Workbench bench(open_model("rolling-disc"));
  std::atomic<bool> begun = false, left = false;
  std::jthread first([&] {
    const Interruptible here([&] {
      begun = true;
      while (!left) std::this_thread::yield();
      return false;
    });
    EXPECT_FALSE(check_told(bench).empty());
  });
  while (!begun) std::this_thread::yield();
  {
    const Interruptible here([] { return true; });
    EXPECT_THROW((void)bench.check(), Interrupted);
  }
  left = true;
}

TEST(Interruption, OneWithinAnotherTakesItsPlace) {
  bool enough = true;
  const Interruptible outer([&] { return enough; });
  {
    const Interruptible inner([] { return false; });
    EXPECT_EQ(Interruptible::current(), &inner);
    may_end_here(1e6);
  }
  EXPECT_THROW(may_end_here(1e6), Interrupted);
  enough = false;  // too late: it has ended
  EXPECT_THROW(may_end_here(1e6), Interrupted);
  const Interruptible::Helper nobody(nullptr);
  may_end_here(1e6);
}

}  // namespace
}  // namespace cetaev
