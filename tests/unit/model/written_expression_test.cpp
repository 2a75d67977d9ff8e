// Texts of the language for those who work with expressions elsewhere.
#include "cetaev/detail/model/written_expression.hpp"

#include <gtest/gtest.h>

#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

// The tree in prefix notation.
std::string prefix(const WrittenExpression& written, std::uint32_t place) {
  const WrittenExpression::Node& node = written.nodes[place];
  if (node.operands.empty()) return node.text;
  std::string text = "(" + std::string(node.op) + (node.text.empty() ? "" : " " + node.text);
  for (const std::uint32_t operand : node.operands) {
    EXPECT_LT(operand, place);
    text += " " + prefix(written, operand);
  }
  return text + ")";
}

TEST(WrittenExpression, IsTheTreeOfTheText) {
  const WrittenExpression one = written_expression("a - b^2/c'*sin(2.5e-1)");
  ASSERT_EQ(one.sides.size(), 1U);
  EXPECT_EQ(prefix(one, one.sides[0]),
            "(sum a (negative (product (power b 2) (inverse (derivative c)) (call sin 2.5e-1))))");
  const WrittenExpression two = written_expression("lean([x, 0, r]).y = lambda[ 2 ] + touch.force.z + disc.kinetic");
  ASSERT_EQ(two.sides.size(), 2U);
  EXPECT_EQ(prefix(two, two.sides[0]), "(component y (call lean (vector x 0 r)))");
  EXPECT_EQ(prefix(two, two.sides[1]), "(sum lambda[2] (component z touch.force) disc.kinetic)");
  EXPECT_THROW(written_expression("a +"), Error);
}

TEST(WrittenExpression, QuantitiesAreWrittenOut) {
  const System system = read_model(
                            "coordinates = ['x', 'a']\nlagrangian = \"x'^2 + a'^2\"\n[frames]\nF = 'z a'\n"
                            "[definitions]\nd = '[x, 0, 0]'\nk = '2*x'\n",
                            "test.toml")
                            .scratch();
  const std::vector<Expr> rate = parse_quantity(system, "d'");
  ASSERT_EQ(rate.size(), 3U);
  EXPECT_EQ(rate[0], system->motion.v[0]);
  EXPECT_TRUE(rate[1].is_zero());
  EXPECT_EQ(parse_quantity(system, "omega(F)")[2], system->motion.v[1]);
  EXPECT_EQ(parse_quantity(system, "k'").front(), parse_expression(system, "2*x'"));
  EXPECT_THROW(parse_quantity(system, "nothing"), Error);
}

}  // namespace
}  // namespace cetaev
