// The cache of machine code on disk: found again, never trusted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "../../../src/codegen/llvm/seal.hpp"
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

  // All but the key.
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().filename() != native::key_name) all.push_back(entry.path());
    return all;
  }
  fs::path key() const { return folder_ / native::key_name; }
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
  constexpr std::size_t seal = 32, processor = seal + 8;
  native::SealKey seal_key{};
  ASSERT_EQ(content(key()).copy(reinterpret_cast<char*>(seal_key.data()), seal_key.size()), seal_key.size());
  const auto sealed = [&](std::string text) {
    const native::Seal made = native::seal_of(seal_key, {std::as_bytes(std::span(text).subspan(seal))});
    return text.replace(0, seal, reinterpret_cast<const char*>(made.data()), seal);
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

// Keyed BLAKE3 of no byte and of the 1024 bytes 0, 1, …, 250, 0, 1, …: two of the vectors that its authors publish
// (test_vectors.json), with their key.
TEST(Seal, IsKeyedBlake3) {
  native::SealKey key{};
  ASSERT_EQ(std::string("whats the Elvish word for friend").copy(reinterpret_cast<char*>(key.data()), 32), 32U);
  const auto hexadecimal = [](const native::Seal& seal) {
    std::string text;
    for (const unsigned byte : seal) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", byte);
      text += digits;
    }
    return text;
  };
  EXPECT_EQ(hexadecimal(native::seal_of(key, {})), "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26");
  std::vector<std::byte> bytes(1024);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 251);
  const std::span<const std::byte> all(bytes);
  const native::Seal seal = native::seal_of(key, {all.first(100), all.subspan(100)});
  EXPECT_EQ(hexadecimal(seal), "75c46f6f3d9eb4f55ecaaee480db732e6c2105546f1e675003687c31719c7ba4");
  EXPECT_TRUE(native::same(seal, native::seal_of(key, {all})));
  EXPECT_FALSE(native::same(seal, native::seal_of(key, {all.first(1023)})));
}

TEST_F(Cache, IsClosedToOthers) {
  fs::remove(folder_);
  setenv("CETAEV_CACHE", (folder_ / "a" / "b").c_str(), 1);
  const mode_t mask = umask(0);
  run();
  umask(mask);
  const auto mode = [](const fs::path& path) { return fs::status(path).permissions() & fs::perms::all; };
  EXPECT_EQ(mode(folder_ / "a"), fs::perms::owner_all);
  EXPECT_EQ(mode(folder_ / "a" / "b"), fs::perms::owner_all);
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "a" / "b")) {
    EXPECT_EQ(mode(entry.path()), fs::perms::owner_read | fs::perms::owner_write) << entry.path();
    ++count;
  }
  EXPECT_EQ(count, 2U);
  EXPECT_EQ(fs::file_size(folder_ / "a" / "b" / native::key_name), 32U);
}

// What others can have written is not executed, and the reason is given. `why` is how it ends.
void expect_refused(const NativeOrigin& origin, const std::string& why) {
  EXPECT_FALSE(origin.from_cache);
  EXPECT_THAT(origin.cache_refusal, testing::StartsWith("machine code was made anew, not taken from the cache in '"));
  EXPECT_THAT(origin.cache_refusal, testing::EndsWith(why));
}

TEST_F(Cache, SaysNothingWhereNothingIsWrong) {
  EXPECT_EQ(run().cache_refusal, "");
  EXPECT_EQ(run().cache_refusal, "");
}

TEST_F(Cache, RefusesAFolderThatOthersCanChange) {
  run();
  for (const fs::perms bit : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(folder_, fs::perms::owner_all | bit);
    expect_refused(run(), "it can be changed by others (chmod go-w)");
  }
  fs::permissions(folder_, fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read);
  EXPECT_TRUE(run().from_cache);
  // nothing is left there either
  fs::permissions(folder_, fs::perms::all | fs::perms::sticky_bit);
  expect_refused(run(2), "it can be changed by others (chmod go-w)");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(Cache, RefusesALinkToAFolder) {
  run();
  const fs::path link = folder_ / "link";
  fs::create_directory(folder_ / "other");
  fs::create_symlink(folder_ / "other", link);
  setenv("CETAEV_CACHE", link.c_str(), 1);
  expect_refused(run(), "it is a link");
  EXPECT_TRUE(fs::is_empty(folder_ / "other"));
}

TEST_F(Cache, RefusesFilesThatOthersCanChange) {
  run();
  const fs::path file = files().at(0);
  const auto expect = [&](const std::string& why) {
    expect_refused(run(), "its file '" + file.filename().string() + "' " + why);
    EXPECT_TRUE(run().from_cache);  // it is replaced
  };
  fs::permissions(file, fs::perms::group_write, fs::perm_options::add);
  expect("can be changed by others (chmod go-w)");
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  expect("can be changed by others (chmod go-w)");
  const fs::path elsewhere = folder_ / "elsewhere";
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  expect("is a link");
  EXPECT_FALSE(fs::is_symlink(file));
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  expect("is no file");
  fs::resize_file(file, fs::file_size(file) - 1);
  expect("is not as it was written");
  fs::resize_file(file, 20);
  expect("is not as it was written");
}

TEST_F(Cache, RefusesACodeWithAnotherSeal) {
  run();
  const std::string good = content(key());
  const fs::path file = files().at(0);
  const std::string sealed = content(file);
  write(key(), std::string(32, 'x'));
  expect_refused(run(), "its file '" + file.filename().string() + "' is not as it was written");
  EXPECT_TRUE(run().from_cache);
  EXPECT_NE(content(file), sealed);  // sealed with the key that is there now
  write(key(), good);
  EXPECT_FALSE(run().from_cache);
  EXPECT_EQ(content(file), sealed);
}

TEST_F(Cache, MakesAKeyForEachFolder) {
  run();
  const std::string first = content(key());
  fs::remove(key());
  EXPECT_FALSE(run().from_cache);
  EXPECT_EQ(content(key()).size(), first.size());
  EXPECT_NE(content(key()), first);
  EXPECT_TRUE(run().from_cache);
}

TEST_F(Cache, RefusesAKeyThatOthersKnow) {
  run();
  const std::string good = content(key());
  const auto expect = [&](const std::string& why) {
    expect_refused(run(), why);
    expect_refused(run(), why);  // the key stays as it is
  };
  fs::permissions(key(),
                  fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read);
  expect("its file 'key' can be read by others (remove the folder, and it is made anew)");
  fs::remove(key());
  fs::create_symlink(folder_ / "nowhere", key());
  expect("its file 'key' is a link");
  fs::remove(key());
  ASSERT_EQ(mkfifo(key().c_str(), 0600), 0);
  expect("its file 'key' is no file");
  fs::remove(key());
  write(key(), good.substr(1));
  fs::permissions(key(), fs::perms::owner_read);
  expect("its key is damaged (remove the folder, and it is made anew)");
}

// Only root can give files away.
TEST_F(Cache, RefusesWhatBelongsToAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  constexpr uid_t other = 12345;
  run();
  const fs::path file = files().at(0);
  ASSERT_EQ(chown(file.c_str(), other, other), 0);
  expect_refused(run(), "belongs to another user");
  EXPECT_TRUE(run().from_cache);
  ASSERT_EQ(chown(key().c_str(), other, other), 0);
  expect_refused(run(), "its file 'key' belongs to another user");
  ASSERT_EQ(chown(key().c_str(), 0, 0), 0);
  EXPECT_TRUE(run().from_cache);
  ASSERT_EQ(chown(folder_.c_str(), other, other), 0);
  expect_refused(run(), "it belongs to another user");
  // a home that sudo kept: nothing is taken from there, and nothing is left there
  unsetenv("CETAEV_CACHE");
  setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  expect_refused(run(), "'" + folder_.string() + "' belongs to another user");
  EXPECT_FALSE(fs::exists(folder_ / "cetaev"));
  unsetenv("XDG_CACHE_HOME");
  ASSERT_EQ(chown(folder_.c_str(), 0, 0), 0);
}

// The other way round: a user other than root, in what root has left.
TEST_F(Cache, IsOfTheEffectiveUser) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  run();
  fs::permissions(folder_, fs::perms(0755));
  fs::permissions(files().at(0), fs::perms(0644));
  ASSERT_EQ(seteuid(12345), 0);
  std::error_code unreachable;  // where temporary files of root are hidden from others
  const bool reached = fs::directory_iterator(folder_, unreachable) != fs::directory_iterator();
  const NativeOrigin origin = run();
  ASSERT_EQ(seteuid(0), 0);
  EXPECT_FALSE(origin.from_cache);
  if (reached) expect_refused(origin, "it belongs to another user");
}

// No page of this process can be both written and executed.
TEST_F(Cache, CodeIsNeverWritableAndExecutable) {
  Context c;
  const Expr x = c.symbol("x");
  const std::vector<Expr> inputs = {x}, outputs = {c.integer(3) * x + sin(x)};
  for (int time = 0; time < 2; ++time) {
    const NativeProgram native(Program(outputs, inputs));
    ASSERT_EQ(native.origin().from_cache, time == 1);
    std::ifstream maps("/proc/self/maps");
    std::size_t executable = 0;
    for (std::string line; std::getline(maps, line);) {
      const std::string rights = line.substr(line.find(' ') + 1, 3);
      EXPECT_FALSE(rights[1] == 'w' && rights[2] == 'x') << line;
      executable += rights == "r-x" ? 1 : 0;
    }
    EXPECT_GT(executable, 0U);
  }
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
