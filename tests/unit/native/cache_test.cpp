// The cache of machine code on disk: found again, never trusted.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "../../../src/codegen/llvm/hash.hpp"
#include "cetaev/detail/codegen/native.hpp"

namespace cetaev {
namespace {

namespace fs = std::filesystem;

class Cache : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "cetaev-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    setenv("CETAEV_CACHE", folder_.c_str(), 1);
    unsetenv("CETAEV_CACHE_LIMIT");
  }
  void TearDown() override {
    unsetenv("CETAEV_CACHE");
    unsetenv("CETAEV_CACHE_LIMIT");
    std::error_code error;
    fs::permissions(folder_, fs::perms::owner_all, error);
    fs::remove_all(folder_, error);
  }

  // 3 x + number, right or an exception; where the code came from.
  static NativeOrigin run(int number = 1) {
    Context c;
    const Expr x = c.symbol("x");
    const std::vector<Expr> inputs = {x}, outputs = {c.integer(3) * x + sin(x) + c.integer(number)};
    const NativeProgram native(Program(outputs, inputs));
    std::vector<double> workspace(native.workspace_size());
    const double in = 0.5;
    double out = 0;
    if (native(&in, &out, workspace.data()) != -1 || std::abs(out - (1.5 + std::sin(0.5) + number)) > 1e-15)
      throw std::runtime_error("wrong result");
    return native.origin();
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    return all;
  }
  static std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }

  fs::path folder_;
};

TEST_F(Cache, KeepsCodeByProgram) {
  EXPECT_FALSE(run().from_cache);
  EXPECT_TRUE(run().from_cache);
  EXPECT_FALSE(run(2).from_cache);
  EXPECT_TRUE(run(2).from_cache);
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(Cache, IsSwitchedOff) {
  setenv("CETAEV_CACHE", "off", 1);
  EXPECT_EQ(cache_folder(), "");
  EXPECT_FALSE(run().from_cache);
  EXPECT_FALSE(run().from_cache);
  EXPECT_TRUE(files().empty());
}

TEST_F(Cache, StandsWhereTheSystemKeepsCaches) {
  unsetenv("CETAEV_CACHE");
  const char* const home = std::getenv("HOME");
  const std::string old_home = home == nullptr ? "" : home;
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(cache_folder(), "/somewhere/cetaev");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/x", 1);
  EXPECT_EQ(cache_folder(), "/home/x/.cache/cetaev");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(cache_folder(), "");
  if (home != nullptr) setenv("HOME", old_home.c_str(), 1);
}

// Whatever became of the file, the result is right and the file is made good again.
TEST_F(Cache, DoesNotTrustFiles) {
  run();
  const fs::path file = files().at(0);
  const std::string good = content(file);
  std::vector<std::string> bad = {
      "", "x", good.substr(0, 40), good.substr(0, good.size() - 1), good + "x", std::string(good.size(), '\0')};
  for (std::size_t at = 0; at < good.size(); at += at < 160 ? 4 : 97) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    bad.push_back(flipped);
  }
  for (const std::string& text : bad) {
    write(file, text);
    EXPECT_FALSE(run().from_cache);
    EXPECT_EQ(content(file), good);
  }
  EXPECT_TRUE(run().from_cache);
}

// Nothing is wrong with the file, but the code is for another processor (whose description follows the first word).
TEST_F(Cache, DoesNotRunTheCodeOfAnotherProcessor) {
  run();
  const fs::path file = files().at(0);
  const std::string good = content(file);
  constexpr std::size_t processor = 8, seal = 72;
  const auto sealed = [&](std::string text) {
    const native::Digest d = native::checksum(std::as_bytes(std::span(text.data(), seal)));
    return text.replace(seal, sizeof d, reinterpret_cast<const char*>(d.data()), sizeof d);
  };
  ASSERT_EQ(sealed(good), good);
  std::string other = good;
  other[processor] = static_cast<char>(other[processor] ^ 1);
  write(file, sealed(other));
  EXPECT_FALSE(run().from_cache);
  EXPECT_EQ(content(file), good);
}

// A file of one program under the name of another.
TEST_F(Cache, DoesNotTakeTheFileOfAnother) {
  run(1);
  const fs::path first = files().at(0);
  run(2);
  for (const fs::path& file : files()) {
    if (file != first) fs::copy_file(first, file, fs::copy_options::overwrite_existing);
  }
  EXPECT_FALSE(run(2).from_cache);
  EXPECT_TRUE(run(1).from_cache);
}

TEST_F(Cache, IsNotNeeded) {
  setenv("CETAEV_CACHE", "/proc/no/such/place", 1);
  EXPECT_FALSE(run().from_cache);
  const fs::path file = folder_ / "file";
  write(file, "not a folder");
  setenv("CETAEV_CACHE", file.c_str(), 1);
  EXPECT_FALSE(run().from_cache);
  // a folder where the file should be
  setenv("CETAEV_CACHE", folder_.c_str(), 1);
  run();
  for (const fs::path& path : files()) {
    if (path == file) continue;
    fs::remove(path);
    fs::create_directory(path);
  }
  EXPECT_FALSE(run().from_cache);
  EXPECT_FALSE(run().from_cache);
}

// In a process of its own, for limits that cannot be lifted again; its exit status.
template <class Work>
int in_a_process(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    int status = 1;
    try {
      status = work();
    } catch (...) {
      status = 2;
    }
    _exit(status);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Cache, LeavesNothingBehindOnAFullDisk) {
  const int status = in_a_process([] {
    signal(SIGXFSZ, SIG_IGN);  // write then fails as on a full disk
    const rlimit limit = {100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    return run().from_cache ? 1 : 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(files().empty());
  EXPECT_FALSE(run().from_cache);
  EXPECT_TRUE(run().from_cache);
}

TEST_F(Cache, ServesProcessesAtOnce) {
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      int status = 0;
      try {
        for (int repeat = 0; repeat < 12; ++repeat) {
          // what the others have written is there now or not, whole
          std::error_code gone;
          if (repeat % 4 == process) {
            for (const fs::path& file : files()) {
              if (file.extension() == ".cetaevcode") fs::remove(file, gone);
            }
          }
          run(repeat % 3);
        }
      } catch (const std::runtime_error&) {
        status = 1;
      } catch (...) {
        // listing a folder while others remove from it
      }
      _exit(status);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (const fs::path& file : files()) EXPECT_EQ(file.extension(), ".cetaevcode");
}

TEST_F(Cache, ForgetsWhatWasUsedLongestAgo) {
  for (int i = 0; i < 4; ++i) run(i);
  // blown up, so that a mebibyte is soon full: such a file is not valid, but counts
  const auto age = [](const fs::path& file, int hours) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  const std::vector<fs::path> before = files();
  int hours = 10;
  for (const fs::path& file : before) {
    fs::resize_file(file, 300'000);
    age(file, hours--);
  }
  setenv("CETAEV_CACHE_LIMIT", "1", 1);
  run(100);
  EXPECT_FALSE(fs::exists(before[0]));
  EXPECT_TRUE(fs::exists(before[1]));
  EXPECT_TRUE(fs::exists(before[3]));
  EXPECT_TRUE(run(100).from_cache);
  setenv("CETAEV_CACHE_LIMIT", "0", 1);
  EXPECT_FALSE(run(101).from_cache);
  EXPECT_FALSE(run(101).from_cache);
}

TEST_F(Cache, RemembersUses) {
  run(1);
  const fs::path file = files().at(0);
  const auto past = fs::file_time_type::clock::now() - std::chrono::hours(5);
  fs::last_write_time(file, past);
  run(1);
  EXPECT_GT(fs::last_write_time(file), past + std::chrono::hours(4));
}

}  // namespace
}  // namespace cetaev
