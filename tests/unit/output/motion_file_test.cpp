#include "cetaev/output/motion_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cetaev/model/build.hpp"
#include "cetaev/output/samples.hpp"

namespace cetaev {
namespace {

namespace fs = std::filesystem;

class MotionFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "cetaev-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string read(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  static MotionPoint point(double t) {
    static std::array<double, 2> q, v;
    static std::array<double, 1> lambda;
    q = {t + 1.0 / 3.0, -0.0};
    v = {1e-300, 1e22};
    lambda = {0.1};
    MotionPoint p;
    p.t = t;
    p.q = q;
    p.v = v;
    p.multipliers = lambda;
    p.E = 2;
    p.residual = 1e-17;
    return p;
  }

  fs::path folder_;
  const System system_ =
      SystemBuilder().coordinates({"x", "θ"}).lagrangian("x'^2 + θ'^2").constraint("x' = θ'").event("a", "x").build();
};

TEST_F(MotionFiles, CsvHasAHeaderAndNumbersThatReadBack) {
  const auto file = open_csv(system_, path("a.csv"));
  file->sample(point(0));
  file->sample(point(0.1));
  file->finish({});
  EXPECT_EQ(read(path("a.csv")),
            "t,x,θ,x',θ',lambda1,E,residual\n"
            "0,0.3333333333333333,0,1e-300,1e+22,0.1,2,1e-17\n"
            "0.1,0.43333333333333335,0,1e-300,1e+22,0.1,2,1e-17\n");
}

TEST_F(MotionFiles, WhatIsNotThereIsAnEmptyCell) {
  const auto file = open_csv(system_, path("a.csv"));
  MotionPoint p = point(0);
  p.multipliers = {};
  p.E = std::nan("");
  file->sample(p);
  file->finish({});
  EXPECT_NE(read(path("a.csv")).find("1e+22,,,1e-17\n"), std::string::npos);
}

TEST_F(MotionFiles, AnUnfinishedFileHasEverythingToo) {
  {
    const auto file = open_csv(system_, path("a.csv"));
    file->sample(point(0));
  }
  const std::string text = read(path("a.csv"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST_F(MotionFiles, NothingIsTouchedBeforeTheFirstSample) {
  std::ofstream(path("old.csv")) << "mine";
  std::ofstream(path("old.h5")) << "mine";
  for (const char* name : {"old.csv", "old.h5", "new.csv", "new.h5"}) open_motion_file(system_, {}, path(name));
  EXPECT_EQ(read(path("old.csv")), "mine");
  EXPECT_EQ(read(path("old.h5")), "mine");
  EXPECT_FALSE(fs::exists(path("new.csv")));
  EXPECT_FALSE(fs::exists(path("new.h5")));
}

TEST_F(MotionFiles, PlacesThatCannotBeWrittenAreRefusedAtOnce) {
  const auto code = [&](const std::string& where) {
    try {
      open_motion_file(system_, {}, where);
    } catch (const Error& error) {
      return std::string(to_string(error.code()));
    }
    return std::string();
  };
  EXPECT_EQ(code(path("no/such.csv")), "cannot-write");
  EXPECT_EQ(code(path("no/such.h5")), "cannot-write");
  fs::create_directory(path("folder.csv"));
  EXPECT_EQ(code(path("folder.csv")), "cannot-write");
  EXPECT_EQ(code(path("motion.txt")), "bad-model");
  EXPECT_EQ(code(path("motion")), "bad-model");
}

TEST_F(MotionFiles, Hdf5BeginsWithItsSignatureAndIsClosed) {
  const auto file = open_hdf5(system_, {}, path("a.h5"));
  for (int i = 0; i < 2000; ++i) file->sample(point(i));
  file->event(0, point(3));
  file->finish({});
  EXPECT_EQ(read(path("a.h5")).substr(0, 8), "\x89HDF\r\n\x1a\n");
  EXPECT_GT(fs::file_size(path("a.h5")), 2000 * 8 * 8);
}

TEST_F(MotionFiles, ASectionTakesOneEventOnly) {
  SampleRecorder samples(system_);
  EventLog log(system_);
  Section section(0, samples);
  Recorders all;
  all.add(section);
  all.add(log);
  all.sample(point(0));
  all.event(0, point(1));
  all.event(0, point(4));
  EXPECT_EQ(samples.samples().t, (std::vector<double>{1, 4}));
  EXPECT_EQ(log.spans()[0].count, 2u);
  EXPECT_EQ(log.spans()[0].first, 1);
  EXPECT_EQ(log.spans()[0].last, 4);
}

}  // namespace
}  // namespace cetaev
