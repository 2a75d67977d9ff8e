// Input that no one writes on purpose: answered within a second, in bounded memory, never with a crash.
#include <gtest/gtest.h>

#include <ctime>
#include <random>

#include "refuses.hpp"

namespace cetaev {
namespace {

std::string repeat(std::string_view text, std::size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

// Sanitizers and debug builds are several times slower; the bound that users see is one second.
#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
constexpr double patience = 20;
#else
constexpr double patience = 5;
#endif

// The message, or "read" when there is nothing wrong.
std::string answer(const std::string& text) {
  const std::clock_t start = std::clock();  // the processor's time: a busy machine must not fail the test
  const auto error = error_of([&] { read_model(text, "m.toml"); });
  const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(taken, patience) << text.substr(0, 80);
  if (error) {
    EXPECT_TRUE(error->position());
    EXPECT_LT(error->message().size(), 400u);
    EXPECT_LT(error->position()->line_text.size(), 2000u);
  }
  return error ? error->message() : "read";
}
std::string answer_lagrangian(const std::string& expression) { return answer(with_lagrangian(expression)); }

TEST(BadDays, DeepNesting) {
  const std::string deep = "nested too deeply: more than 1000 levels",
                    brackets = "nested too deeply: more than 64 brackets";
  EXPECT_EQ(answer_lagrangian(repeat("(", 100'000) + "x" + repeat(")", 100'000)), deep);
  EXPECT_EQ(answer_lagrangian(repeat("-", 100'000) + "x"), deep);
  EXPECT_EQ(answer_lagrangian(repeat("x^", 100'000) + "x"), deep);
  EXPECT_EQ(answer_lagrangian(repeat("sin(", 900) + "x" + repeat(")", 900)), "read");
  EXPECT_EQ(answer("a = " + repeat("[", 100'000)), brackets);
  EXPECT_EQ(answer("a = " + repeat("{a=", 100'000)), brackets);
  EXPECT_EQ(answer(repeat("[", 100'000)), "expected a key, found '['");
  EXPECT_EQ(answer(repeat("a.", 100'000) + "a = 1"), "a key of more than 16 parts");
  EXPECT_EQ(answer("[" + repeat("a.", 100'000) + "a]"), "a key of more than 16 parts");
}

TEST(BadDays, LongLines) {
  EXPECT_EQ(answer_lagrangian(repeat("x+", 5'000'000) + "x"), "the expression is too long: more than 2 MB");
  EXPECT_EQ(answer("# " + repeat("θ", 5'000'000) + "\n" + with_lagrangian("x'^2")), "read");
  EXPECT_EQ(answer(repeat("k", 10'000'000) + " = 1"), "unknown key '" + repeat("k", 40) + "…'");
  EXPECT_EQ(answer("name = \"" + repeat("a", 10'000'000) + "\"\n" + with_lagrangian("x'^2")), "read");
  EXPECT_EQ(answer(repeat("\n", 17'000'000)), "the file is too large for a model: more than 16 MB");
  EXPECT_EQ(answer("a = [" + repeat("1,", 5'000'000) + "]"), "the file has too many values for a model");
  EXPECT_EQ(answer_lagrangian(repeat("n", 1'000'000)), "unknown name '" + repeat("n", 40) + "…'");
}

TEST(BadDays, LongSumsAndProductsAreOrdinaryModels) {
  EXPECT_EQ(answer_lagrangian(repeat("x*y + ", 100'000) + "x'^2"), "read");
  EXPECT_EQ(answer_lagrangian(repeat("x*", 100'000) + "x"), "read");
  std::string sum = "0";
  for (int i = 0; i < 50'000; ++i) sum += "+x^" + std::to_string(i) + "*y";
  EXPECT_EQ(answer_lagrangian(sum), "read");
}

TEST(BadDays, HugeNumbers) {
  const std::string digits = repeat("7", 1'000'000);
  const std::string long_number = "number too large: more than 10000 digits";
  EXPECT_EQ(answer_lagrangian(digits), long_number);
  EXPECT_EQ(answer_lagrangian("0." + digits), long_number);
  EXPECT_EQ(answer(with_lagrangian("0") + "[forces]\nx = " + digits + "\n"), long_number);
  EXPECT_EQ(answer(with_lagrangian("0") + "[forces]\nx = 0x" + digits + "\n"), long_number);
  EXPECT_EQ(answer_lagrangian("1e999999999*x"), "number too large: its exponent is beyond 9999");
  EXPECT_EQ(answer(with_lagrangian("0") + "[forces]\nx = 1e-999999999\n"),
            "number too large: its exponent is beyond 9999");
  EXPECT_EQ(answer_lagrangian("9^9^9^9^9*x"), "read");
  EXPECT_EQ(answer("coordinates = [\"x\"]\nlagrangian = \"0\"\n[parameters]\na = \"9^9^9^9^9\"\n"),
            "the parameter 'a' is not finite");
  EXPECT_EQ(answer_lagrangian(repeat("1e-9999 + ", 10'000) + "x"), "too many large numbers in one model");
  EXPECT_EQ(answer_lagrangian(repeat("999*", 400'000) + "x"), "the numbers here combine to one with too many digits");
  std::string fractions = "0";
  for (int i = 0; i < 100'000; ++i) fractions += "+1/" + std::to_string(1'000'003 + 2 * i);
  EXPECT_EQ(answer_lagrangian(fractions), "the numbers here combine to one with too many digits");
  std::string squares = "[definitions]\nd0 = 3\n";
  for (int i = 1; i < 100; ++i) {
    const std::string d = "d" + std::to_string(i - 1);
    squares += "d" + std::to_string(i) + " = \"" + d + "*" + d + "\"\n";
  }
  EXPECT_NE(answer("coordinates = [\"x\"]\nlagrangian = \"d99\"\n" + squares), "");
}

TEST(BadDays, BytesThatAreNotText) {
  EXPECT_EQ(answer(std::string("x = 1\0", 6)), "a NUL character; model files are text");
  EXPECT_EQ(answer(std::string(1000, '\0')), "a NUL character; model files are text");
  EXPECT_EQ(answer("x = \"\xFF\xFE\""), "not UTF-8 text");
  std::mt19937 random(1);
  std::string noise(100'000, ' ');
  for (char& c : noise) c = static_cast<char>(random());
  EXPECT_NE(answer(noise), "read");
}

TEST(BadDays, LongChainsOfDefinitions) {
  for (const char* step : {"sin(%)", "% + x*y", "1/(1 + %)", "%*% + 1"}) {
    std::string chain = "coordinates = [\"x\", \"y\"]\nlagrangian = \"(d10000)'\"\n[definitions]\n";
    // The last first, so that every definition is used before it is written.
    for (int i = 10'000; i > 0; --i) {
      std::string text = step;
      for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%'))
        text.replace(at, 1, "d" + std::to_string(i - 1));
      chain += "d" + std::to_string(i) + " = \"" + text + "\"\n";
    }
    EXPECT_EQ(answer(chain + "d0 = \"x\"\n"), "read") << step;
  }
  std::string circle = "coordinates = [\"x\"]\nlagrangian = \"0\"\n[definitions]\n";
  for (int i = 0; i < 10'000; ++i)
    circle += "d" + std::to_string(i) + " = \"d" + std::to_string((i + 1) % 10'000) + "\"\n";
  EXPECT_EQ(answer(circle), "defined in a circle: d0 → d1 → d2 → d3 → d4 → d5 → d6 → d7 → d8 → d9 → … → d9999 → d0");
}

TEST(BadDays, ManyPrimes) {
  EXPECT_EQ(answer_lagrangian("t" + repeat("'", 100'000)), "read");
  EXPECT_EQ(answer_lagrangian("x" + repeat("'", 100'000)),
            "the third derivative of the coordinate 'x' is needed here; a model contains derivatives up to the second");
}

// Every prefix of a good model, and the model with any one byte gone, is read or refused with a place.
TEST(BadDays, DamagedModelsAreReadOrRefused) {
  const std::string model =
      "name = \"θ\"\ncoordinates = [\"x\", 'y']\nkinetic = \"\"\"\n x'^2/2\"\"\"\nconstraints = [\"dot(P', [1, 2, 0]) "
      "= -2e1\"]\n"
      "[[points]]\nname = \"P\"\nmass = 0x1F\nposition = [\"x\", \"y\", \"\\u0030\"]\n[initial]\n\"x'\" = 1_0.5 # c\n";
  ASSERT_EQ(answer(model), "read");
  for (std::size_t i = 0; i < model.size(); ++i) {
    answer(model.substr(0, i));
    answer(model.substr(0, i) + model.substr(i + 1));
    std::string changed = model;
    for (const char c : {'"', '[', '\'', '=', '\n', '\\', '.', '\xB8'}) {
      changed[i] = c;
      answer(changed);
    }
  }
}

}  // namespace
}  // namespace cetaev
