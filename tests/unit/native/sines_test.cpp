// Sines and cosines that machine code has within itself, against balls.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "cetaev/detail/codegen/native.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/ball.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {
namespace {

// sin and cos of so many angles, and of their sums with the next ones.
class Sines {
 public:
  explicit Sines(std::size_t angles) : angles_(angles), values_(4 * angles) {
    std::vector<Expr> x;
    for (std::size_t i = 0; i < angles; ++i) x.push_back(context_.symbol("x" + std::to_string(i)));
    std::vector<Expr> outputs;
    for (std::size_t i = 0; i < angles; ++i) {
      for (const Expr angle : {x[i], x[i] + x[(i + 1) % angles]}) {
        outputs.push_back(sin(angle));
        outputs.push_back(cos(angle));
      }
    }
    program_ = Program(outputs, x);
    code_.emplace(program_, NativeOptions{.cache = false});
    workspace_.resize(code_->workspace_size());
  }
  const std::vector<double>& of(const std::vector<double>& x) {
    EXPECT_LT((*code_)(x.data(), values_.data(), workspace_.data()), 0);
    return values_;
  }
  void hold_to_balls(const std::vector<double>& x) {
    std::vector<Ball> inputs, exact;
    for (const double value : x) inputs.push_back(Ball::from_double(value));
    of(x);
    ASSERT_LT(run_in_balls(program_, inputs, exact, 2400), 0);
    for (std::size_t i = 0; i < angles_; ++i) {
      // the sum is rounded before its sine is taken
      std::vector<Ball> sum = {Ball::from_double(x[i] + x[(i + 1) % angles_])}, of_sum;
      ASSERT_LT(run_in_balls(one().program_, sum, of_sum, 2400), 0);
      for (std::size_t k = 0; k < 4; ++k) {
        const double truth = k < 2 ? exact[4 * i + k].midpoint() : of_sum[k - 2].midpoint();
        const double ulp = std::abs(std::nextafter(truth, 2 * truth) - truth);
        EXPECT_LE(std::abs(values_[4 * i + k] - truth), 1.5 * ulp + std::numeric_limits<double>::denorm_min())
            << k << " of " << x[i] << " and the next";
      }
    }
  }

 private:
  static Sines& one() {
    static Sines sines(1);
    return sines;
  }

  Context context_;
  std::size_t angles_;
  Program program_;
  std::optional<NativeProgram> code_;
  std::vector<double> values_, workspace_;
};

TEST(Sines, AreRightToTheLastDigit) {
  Random random(5);
  for (std::size_t angles = 1; angles <= 6; ++angles) {
    Sines sines(angles);
    for (int i = 0; i < 400; ++i) {
      std::vector<double> x;
      for (std::size_t k = 0; k < angles; ++k) {
        const double size = std::pow(10, random.uniform(-20, i % 4 == 0 ? 12 : 5));
        x.push_back(i % 2 == 0 ? random.uniform(-8, 8) : random.uniform(-1, 1) < 0 ? -size : size);
      }
      sines.hold_to_balls(x);
    }
  }
}

TEST(Sines, AreRightNextToMultiplesOfARightAngle) {
  Random random(6);
  Sines sines(3);
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> x;
    for (int k = 0; k < 3; ++k) {
      double value = std::round(random.uniform(-1, 1) * std::pow(10, random.uniform(0, 5.7))) * (std::numbers::pi / 2);
      for (int n = static_cast<int>(random.uniform(0, 4)); n > 0; --n) value = std::nextafter(value, 1e9);
      x.push_back(value);
    }
    sines.hold_to_balls(x);
  }
}

TEST(Sines, HaveNoValueWhereThereIsNone) {
  Sines sines(3);
  const double infinite = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {infinite, -infinite, none}) {
    const std::vector<double>& values = sines.of({0.3, bad, 1e7});
    EXPECT_EQ(values[0], std::sin(0.3));
    EXPECT_TRUE(std::isnan(values[4]));
    EXPECT_TRUE(std::isnan(values[5]));
    EXPECT_EQ(values[8], std::sin(1e7));
  }
}

}  // namespace
}  // namespace cetaev
