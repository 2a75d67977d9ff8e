// What varies in a sweep: every row follows from the specification and its number.
#include "cetaev/ensemble/inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

System oscillator() {
  return read_model(R"toml(
coordinates = ["x"]
lagrangian = "m*x'^2/2 - k*x^2/2"
[parameters]
m = 2
k = "4*m"
[initial]
x = 1
)toml",
                    "oscillator.toml");
}

SweepInputs inputs(std::vector<std::string> vary, std::size_t count = 0, std::uint64_t seed = 0) {
  return {oscillator(), {std::move(vary), count, seed, ""}};
}

std::vector<double> row(const SweepInputs& all, std::size_t i) {
  std::vector<double> values(all.names().size());
  all.row(i, values);
  return values;
}

std::vector<double> column(const SweepInputs& all, std::size_t which) {
  std::vector<double> values;
  for (std::size_t i = 0; i < all.count(); ++i) values.push_back(row(all, i)[which]);
  return values;
}

TEST(SweepInputs, GridsMultiplyAndTheLastVariesFastest) {
  const SweepInputs all = inputs({"m=1:2:3", "x'=[-1, 0.5]"});
  EXPECT_THAT(all.names(), ElementsAre("m", "x'"));
  EXPECT_THAT(column(all, 0), ElementsAre(1, 1, 1.5, 1.5, 2, 2));
  EXPECT_THAT(column(all, 1), ElementsAre(-1, 0.5, -1, 0.5, -1, 0.5));
}

TEST(SweepInputs, LogarithmicStepsHaveOneRatio) {
  EXPECT_THAT(column(inputs({"k=log(0.01:100:5)"}), 0),
              ElementsAre(0.01, DoubleEq(0.1), DoubleEq(1), DoubleEq(10), 100));
  EXPECT_THAT(column(inputs({"k=log(-8:-1:4)"}), 0), ElementsAre(-8, DoubleEq(-4), DoubleEq(-2), -1));
}

TEST(SweepInputs, NumbersMayBeExpressionsOfParameters) {
  EXPECT_THAT(column(inputs({"x=0:2*pi:3"}), 0), ElementsAre(0, std::numbers::pi, 2 * std::numbers::pi));
  EXPECT_THAT(column(inputs({"x=[sqrt(k + 1), log(m)]"}), 0), ElementsAre(3, std::log(2.0)));
  EXPECT_THAT(column(inputs({"x=log(m):1:2"}), 0), ElementsAre(std::log(2.0), 1));
  EXPECT_THAT(column(inputs({"m=m/2:2*m:2"}), 0), ElementsAre(1, 4));
}

// Kolmogorov's distance of 10,000 numbers from their distribution exceeds 1.95/√n once in a thousand seeds.
double distance_from(std::vector<double> values, const std::function<double(double)>& distribution) {
  std::sort(values.begin(), values.end());
  double worst = 0;
  const auto n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double f = distribution(values[i]);
    worst = std::max({worst, std::abs(f - static_cast<double>(i) / n), std::abs(f - static_cast<double>(i + 1) / n)});
  }
  return worst;
}

TEST(SweepInputs, RandomValuesHaveTheirDistributions) {
  constexpr std::size_t n = 10'000;
  const SweepInputs all = inputs({"x=uniform(2, 5)", "x'=normal(1, 3)", "k=uniform(0, 1)"}, n, 7);
  EXPECT_LT(distance_from(column(all, 0), [](double x) { return (x - 2) / 3; }), 1.95 / std::sqrt(n));
  EXPECT_LT(distance_from(column(all, 1), [](double x) { return std::erfc((1 - x) / 3 / std::numbers::sqrt2) / 2; }),
            1.95 / std::sqrt(n));
  // independent of each other: a sum of n products of deviates of variance 1/12 is normal with deviation √n/12
  const std::vector<double> a = column(all, 0), b = column(all, 2);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += ((a[i] - 2) / 3 - 0.5) * (b[i] - 0.5);
  EXPECT_LT(std::abs(sum), 3.3 * std::sqrt(n) / 12);
  EXPECT_NE(row(inputs({"x=uniform(2, 5)"}, n, 8), 0), row(inputs({"x=uniform(2, 5)"}, n, 7), 0));
}

TEST(SweepInputs, DrawsAreTheSameAtEveryPointOfAGrid) {
  const SweepInputs all = inputs({"m=[1, 2]", "x=uniform(0, 1)"}, 3, 1);
  ASSERT_EQ(all.count(), 6U);
  const std::vector<double> m = column(all, 0), x = column(all, 1);
  EXPECT_THAT(m, ElementsAre(1, 1, 1, 2, 2, 2));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(x[i], x[i + 3]);
  EXPECT_NE(x[0], x[1]);
}

// The first points in ten dimensions as S. Joe and F. Y. Kuo print them beside their tables.
TEST(SweepInputs, SobolsPointsAreThoseOfJoeAndKuo) {
  const System system = read_model(R"toml(
coordinates = ["x"]
lagrangian = "x'^2/2"
[parameters]
a = 0
b = 0
c = 0
d = 0
e = 0
f = 0
g = 0
h = 0
i = 0
j = 0
)toml",
                                   "ten.toml");
  std::vector<std::string> vary;
  for (const char name : std::string("abcdefghij")) vary.push_back(std::string(1, name) + "=sobol(0, 1)");
  const SweepInputs all(system, {vary, 1024, 0, ""});
  EXPECT_THAT(row(all, 0), testing::Each(0.0));
  EXPECT_THAT(row(all, 1), testing::Each(0.5));
  EXPECT_THAT(row(all, 2), ElementsAre(.75, .25, .25, .25, .75, .75, .25, .75, .75, .75));
  EXPECT_THAT(row(all, 3), ElementsAre(.25, .75, .75, .75, .25, .25, .75, .25, .25, .25));
  EXPECT_THAT(row(all, 4), ElementsAre(.375, .375, .625, .875, .375, .125, .375, .875, .875, .625));
  // the first 2^k points of every coordinate lie one in each of 2^k equal parts, shifted or not
  const SweepInputs shifted(system, {vary, 1024, 99, ""});
  for (const SweepInputs* each : {&all, &shifted}) {
    for (std::size_t c = 0; c < 10; ++c) {
      std::vector<double> values = column(*each, c);
      std::sort(values.begin(), values.end());
      for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(std::floor(values[i] * 1024), static_cast<double>(i));
    }
  }
  EXPECT_NE(row(shifted, 0), row(all, 0));
}

std::string complaint(const std::vector<std::string>& vary, std::size_t count = 0) {
  try {
    (void)inputs(vary, count);
  } catch (const Error& error) {
    const std::string at = error.position() ? std::to_string(error.position()->column) + ": " : "";
    return at + error.message() + (error.suggestion().empty() ? "" : " (" + error.suggestion() + ")");
  }
  return "";
}

TEST(SweepInputs, WhatIsWrongIsPointedAt) {
  using testing::HasSubstr;
  EXPECT_THAT(complaint({"x''=1:2:3"}), HasSubstr("(x')"));
  EXPECT_EQ(complaint({"kk=1:2:3"}), "1: 'kk' is not a parameter, a coordinate, a velocity or t of this model");
  EXPECT_THAT(complaint({"k=1:2"}), HasSubstr("3: '1:2' is no range"));
  EXPECT_THAT(complaint({"k=3"}), HasSubstr("3: '3' is no range: NAME=FROM:TO:COUNT"));
  EXPECT_THAT(complaint({"k=1:2:0"}), HasSubstr("7: '0' is not how many values there are"));
  EXPECT_THAT(complaint({"k=1:2:2.5"}), HasSubstr("7: '2.5' is not how many"));
  EXPECT_THAT(complaint({"k=1:n:3"}), HasSubstr("5: "));
  EXPECT_THAT(complaint({"k=1:x:3"}), HasSubstr("5: 'x' is no number: it contains x"));
  EXPECT_THAT(complaint({"k=log(0:2:3)"}), HasSubstr("7: on a logarithmic scale"));
  EXPECT_THAT(complaint({"k=uniform(0, 1)"}), HasSubstr("3: random values need --count"));
  EXPECT_THAT(complaint({"k=unifrom(0, 1)"}, 5), HasSubstr("(uniform)"));
  EXPECT_THAT(complaint({"k=normal(0)"}, 5), HasSubstr("normal(M, S)"));
  EXPECT_THAT(complaint({"k=[1, 2"}), HasSubstr("']'"));
  EXPECT_THAT(complaint({"k=[1, ]"}), HasSubstr("a number is missing"));
  EXPECT_THAT(complaint({"k=1:2:3", "k=4:5:6"}), HasSubstr("'k' varies already"));
  EXPECT_THAT(complaint({"k=1:2:3", "m=1:2*k:6"}), HasSubstr("5: '2*k' contains k, which varies itself"));
  EXPECT_THAT(complaint({"m=1:2*k:6", " k = [1, 2]"}), HasSubstr("5: '2*k' contains k, which varies itself"));
  EXPECT_THAT(complaint({"k=1:2:3"}, 5), HasSubstr("--count is the number of random draws"));
  EXPECT_THAT(complaint({"k"}), HasSubstr("NAME=FROM:TO:COUNT"));
  EXPECT_THAT(complaint({}), HasSubstr("nothing varies"));
  EXPECT_THAT(complaint({"k=1:2:9000000000000000", "m=1:2:1000"}), HasSubstr("more motions than"));
  EXPECT_EQ(complaint({"k=1/0:2:3"}), "5: division by zero");
}

TEST(SweepInputs, ATableHasOneMotionARow) {
  const std::string path = (std::filesystem::temp_directory_path() / "cetaev-sweep-table.csv").string();
  std::ofstream(path) << "k,x'\n1,0.5\n2.5,-1e3\n";
  const SweepInputs all(oscillator(), {{}, 0, 0, path});
  EXPECT_EQ(all.count(), 2U);
  EXPECT_THAT(row(all, 1), ElementsAre(2.5, -1000));
  std::ofstream(path) << "k,y\n1,2\n";
  EXPECT_THROW(SweepInputs(oscillator(), {{}, 0, 0, path}), Error);
  std::ofstream(path) << "k\n1\n\"\"\n";
  EXPECT_THROW(SweepInputs(oscillator(), {{}, 0, 0, path}), Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace cetaev
