// Motions read back; from files that are whole, and from files that are not.
#include "cetaev/output/read_motion.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "../../../src/output/apart.hpp"
#include "cetaev/error.hpp"
#include "cetaev/model/build.hpp"
#include "cetaev/output/motion_file.hpp"

namespace cetaev {
namespace {

namespace fs = std::filesystem;
using output::Apart;
using output::ApartPipe;

class ReadMotion : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "cetaev-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // x = t², θ = −t, and so on, at t = 0, 1, 2, …
  void write(const std::string& to, int samples) const {
    const auto file = open_motion_file(system_, {}, to);
    for (int i = 0; i < samples; ++i) {
      const double t = i;
      const std::array<double, 2> q = {t * t, -t}, v = {2 * t, -1};
      const std::array<double, 1> lambda = {t / 2};
      MotionPoint p;
      p.t = t;
      p.q = q;
      p.v = v;
      p.multipliers = lambda;
      p.E = 7;
      p.residual = 0;
      file->sample(p);
    }
    file->finish({});
  }

  static void expect_whole(const MotionTable& table, int samples) {
    EXPECT_EQ(table.names, (std::vector<std::string>{"t", "x", "θ", "x'", "θ'", "lambda1", "E", "residual"}));
    ASSERT_EQ(table.columns.size(), 8U);
    for (const auto& column : table.columns) ASSERT_EQ(column.size(), static_cast<std::size_t>(samples));
    for (int i = 0; i < samples; ++i) {
      const double t = i, expected[] = {t, t * t, -t, 2 * t, -1, t / 2, 7, 0};
      for (std::size_t c = 0; c < 8; ++c) ASSERT_EQ(table.columns[c][static_cast<std::size_t>(i)], expected[c]);
    }
  }

  static std::string problem(const std::string& path) {
    try {
      read_motion(path);
    } catch (const Error& error) {
      EXPECT_EQ(exit_code(error.code()), 2) << error.message();
      return error.message();
    }
    return "";
  }

  fs::path folder_;
  const System system_ =
      SystemBuilder().coordinates({"x", "θ"}).lagrangian("x'^2 + θ'^2").constraint("x' = θ'").event("a", "x").build();
};

TEST_F(ReadMotion, GivesBackWhatWasWritten) {
  for (const char* name : {"a.csv", "a.h5"}) {
    for (const int samples : {1, 3, 1000}) {
      write(path(name), samples);
      expect_whole(read_motion(path(name)), samples);
    }
  }
  // more than the pipe and a block of rows take at once
  write(path("long.h5"), 200'000);
  expect_whole(read_motion(path("long.h5")), 200'000);
}

TEST_F(ReadMotion, SaysWhatIsWrongWithAFile) {
  std::ofstream(path("a.h5")) << "nothing";
  EXPECT_EQ(problem(path("a.h5")), "cannot read '" + path("a.h5") + "': it is no HDF5 file");
  EXPECT_EQ(problem(path("b.h5")), "cannot read '" + path("b.h5") + "': there is no such file");
  fs::create_directory(path("c.h5"));
  EXPECT_EQ(problem(path("c.h5")), "cannot read '" + path("c.h5") + "': it is a directory");
  ASSERT_EQ(mkfifo(path("d.h5").c_str(), 0600), 0);
  EXPECT_EQ(problem(path("d.h5")), "cannot read '" + path("d.h5") + "': it is no file on a disk");
}

// Some of these make the library crash, loop or ask for all the memory there is. Damage to the structure, which is at the beginning
// and between the numbers, does more than damage to numbers: words that are all ones are addresses of nothing.
TEST_F(ReadMotion, SurvivesDamage) {
  write(path("good.h5"), 40);
  std::ifstream in(path("good.h5"), std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  int refused = 0, died = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int attempt = 0; attempt < 300; ++attempt) {
    std::string bad = good;
    if (attempt % 10 == 0) {
      bad.resize(below(good.size()));
    } else if (attempt % 3 == 0) {
      bad.replace(8 * below(12'000 / 8), 8, 8, '\xff');
    } else {
      const std::size_t bytes = 1 + below(8);
      for (std::size_t i = 0; i < bytes; ++i) {
        const std::size_t at = attempt % 2 == 0 ? below(12'000) : below(good.size());
        bad[at] = static_cast<char>(random());
      }
    }
    std::ofstream(path("bad.h5"), std::ios::binary) << bad;
    try {
      read_motion(path("bad.h5"));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_model) << attempt << ": " << error.message();
      ++refused;
      died += error.message().ends_with("it is damaged") ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 30);
  EXPECT_GT(died, 0);  // else nothing here needed a process of its own
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(5));
}

// Others write such files, take memory and end while it is read.
TEST_F(ReadMotion, WorksInAProgramWithThreads) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP()
      << "the memory of this sanitizer does not survive a fork beside threads; the release build has this test";
#endif
#endif
  write(path("good.h5"), 100);
  std::atomic<bool> over = false;
  std::vector<std::thread> others;
  for (int number = 0; number < 3; ++number) {
    others.emplace_back([&, number] {
      while (!over) {
        write(path(std::to_string(number) + ".h5"), 50);
        std::vector<std::string> memory(100, std::string(1000, 'x'));
      }
    });
  }
  std::vector<std::thread> readers;
  for (int number = 0; number < 2; ++number) {
    readers.emplace_back([&] {
      for (int repeat = 0; repeat < 10; ++repeat) expect_whole(read_motion(path("good.h5")), 100);
    });
  }
  for (std::thread& reader : readers) reader.join();
  over = true;
  for (std::thread& other : others) other.join();
  for (int number = 0; number < 3; ++number) expect_whole(read_motion(path(std::to_string(number) + ".h5")), 50);
}

// A program that leaves its children to the system.
TEST_F(ReadMotion, WorksWhereChildrenAreIgnored) {
  write(path("good.h5"), 10);
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  for (int repeat = 0; repeat < 3; ++repeat) expect_whole(read_motion(path("good.h5")), 10);
  std::signal(SIGCHLD, before);
}

constexpr Apart::Limits little = {.memory = std::size_t{256} << 20, .seconds = 1, .silence = std::chrono::seconds(2)};

TEST(Apart, HandsOverWhatIsWritten) {
  Apart process(little, [](const ApartPipe& pipe) {
    for (int i = 0; i < 100'000; ++i) pipe.write(&i, sizeof i);
  });
  for (int i = 0; i < 100'000; ++i) {
    int value = -1;
    ASSERT_TRUE(process.read(&value, sizeof value));
    ASSERT_EQ(value, i);
  }
  char more = 0;
  EXPECT_FALSE(process.read(&more, 1));
}

// Whatever becomes of it, no more comes from it, and that soon.
TEST(Apart, EndsByItselfOrIsEnded) {
  using Work = void (*)(const ApartPipe&);
  const Work works[] = {
      [](const ApartPipe&) {},
      [](const ApartPipe&) { throw std::runtime_error("no"); },
      [](const ApartPipe&) { std::raise(SIGKILL); },
      [](const ApartPipe&) { std::abort(); },
      [](const ApartPipe&) {
        for (volatile bool forever = true; forever;) {
        }
      },
      [](const ApartPipe&) {
        for (;;) pause();
      },
      [](const ApartPipe& pipe) {
        const std::vector<char> much(std::size_t{400} << 20);
        pipe.write(much.data(), 1);
      },
  };
  for (const Work work : works) {
    const auto start = std::chrono::steady_clock::now();
    {
      Apart process(little, work);
      char byte = 0;
      EXPECT_FALSE(process.read(&byte, 1));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  }
  // nor does it wait for one who reads
  Apart process(little, [](const ApartPipe& pipe) {
    for (;;) pipe.write("x", 1);
  });
  char byte = 0;
  EXPECT_TRUE(process.read(&byte, 1));
}

TEST(Apart, SaysNothingOfItsOwn) {
  testing::internal::CaptureStderr();
  Apart process(little, [](const ApartPipe& pipe) {
    std::fputs("free(): invalid pointer\n", stderr);
    pipe.write("x", 1);
  });
  char byte = 0;
  EXPECT_TRUE(process.read(&byte, 1));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace cetaev
