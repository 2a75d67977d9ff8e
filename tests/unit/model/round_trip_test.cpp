// What is printed parses back to the same node.
#include <gtest/gtest.h>

#include <random>

#include "scratch.hpp"

namespace cetaev {
namespace {

class RandomExpressions {
 public:
  RandomExpressions(const System& system, unsigned seed) : context_(*system->context), random_(seed) {
    atoms_ = {system->motion.q[0], system->motion.q[1], system->motion.v[0],          system->motion.v[1],
              system->motion.a[0], system->motion.t,    system->parameters[0].symbol, context_.pi()};
  }

  Expr next(int depth) {
    const int choice = below(depth == 0 ? 2 : 12);
    switch (choice) {
      case 0: return atoms_[static_cast<std::size_t>(below(static_cast<int>(atoms_.size())))];
      case 1: return context_.number(Rational(below(41) - 20, below(9) + 1));
      case 2:
      case 3: return next(depth - 1) + next(depth - 1);
      case 4: return next(depth - 1) - next(depth - 1);
      case 5:
      case 6: return next(depth - 1) * next(depth - 1);
      case 7: return pow(next(depth - 1), Rational(below(4) + 1, below(3) + 1));
      case 8: return pow(next(depth - 1), next(depth - 1));
      case 9: return next(depth - 1) / next(depth - 1);
      case 10: return apply(static_cast<Function>(below(6)), next(depth - 1));  // sin … atan
      default: return below(2) == 0 ? exp(next(depth - 1)) : abs(-next(depth - 1));
    }
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  Context& context_;
  std::mt19937 random_;
  std::vector<Expr> atoms_;
};

TEST(RoundTrip, PrintedExpressionsParseBackToTheSameNode) {
  const System system =
      scratch_model("coordinates = [\"θ\", \"y\"]\nlagrangian = \"0\"\n[parameters]\nm = 1\n", "model.toml");
  int tried = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomExpressions random(system, seed);
    Expr e;
    try {
      e = random.next(1 + static_cast<int>(seed % 5));
    } catch (const Error&) {
      continue;  // a random division by zero
    }
    ++tried;
    const std::string text = to_string(e);
    Expr back;
    try {
      back = parse_expression(system, text);
    } catch (const Error& error) {
      ADD_FAILURE() << text << "\n" << error.message();
      continue;
    }
    EXPECT_EQ(back, e) << "seed " << seed << "\n" << text << "\n" << to_string(back);
  }
  EXPECT_GT(tried, 2000);
}

}  // namespace
}  // namespace cetaev
