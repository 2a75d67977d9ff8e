// Sums that formulas have in common: with the names written out again the formulas are what they were.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/analysis/common_sums.hpp"

namespace cetaev {
namespace {

// The formulas with every name written out.
std::vector<Expr> written_out(const CommonSums& found) {
  std::vector<Replacement> values;
  for (const auto& [symbol, value] : found.names) values.emplace_back(symbol, substitute(value, values));
  return substitute(found.formulas, values);
}

double length(const std::vector<Expr>& formulas) {
  double total = 0;
  for (const Expr e : formulas) total += length_on_paper(e);
  return total;
}

TEST(CommonSums, AreFoundBehindOtherFactorsAndAmongOtherTerms) {
  Context context;
  std::vector<Expr> s;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) s.push_back(context.symbol(name));
  const Expr a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6];
  // (a b² + c d + e f) with factors, each multiplied out
  const std::vector<Expr> formulas = {
      a * b * b * g + c * d * g + e * f * g + a,
      b - a * b * b / d - c - e * f / d,
      sin(a) * a * b * b + sin(a) * c * d + sin(a) * e * f,
  };
  Simplifier simplifier;
  const CommonSums found = common_sums(formulas, simplifier);
  ASSERT_EQ(found.names.size(), 1u);
  EXPECT_EQ(found.names[0].second, a * b * b + c * d + e * f);
  EXPECT_EQ(found.formulas.front(), a + g * found.names[0].first);
  for (std::size_t i = 0; i < formulas.size(); ++i)
    EXPECT_EQ(prove_zero(written_out(found)[i] - formulas[i]).verdict, Verdict::proved);
}

TEST(CommonSums, OfASquareAreNamedByItsRoot) {
  Context context;
  const Expr c = context.symbol("c"), h = context.symbol("h"), m = context.symbol("m"), a = context.symbol("a"),
             g = context.symbol("g");
  const std::vector<Expr> formulas = {m * c * c - m * c * h * context.integer(2) + m * h * h + a,
                                      g * c * c - g * c * h * context.integer(2) + g * h * h, m * g * c - m * g * h,
                                      a * sin(g) * c - a * sin(g) * h};
  Simplifier simplifier;
  const CommonSums found = common_sums(formulas, simplifier);
  ASSERT_EQ(found.names.size(), 1u);
  EXPECT_EQ(to_string(found.names[0].second), "c - h");
}

TEST(CommonSums, HaveNoNamesWhereNoneSavesALine) {
  Context context;
  const Expr a = context.symbol("a"), b = context.symbol("b"), c = context.symbol("c");
  const std::vector<Expr> formulas = {a + b, a * c + b * c, context.zero(), a * b};
  Simplifier simplifier;
  const CommonSums found = common_sums(formulas, simplifier);
  EXPECT_TRUE(found.names.empty());
  EXPECT_EQ(found.formulas, formulas);
  EXPECT_TRUE(common_sums({}, simplifier).formulas.empty());
}

// Formulas built from a few hidden sums, multiplied out by hand: the same afterwards, never longer, each name used and by those before it alone.
TEST(CommonSums, OfRandomFormulasKeepTheirValues) {
  std::mt19937 random(7);
  std::size_t named = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Context context;
    std::vector<Expr> atoms;
    for (const char* name : {"p", "q", "r", "s", "t"}) atoms.push_back(context.symbol(name));
    atoms.push_back(sin(atoms[0]));
    atoms.push_back(cos(atoms[0]));
    const auto pick = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    const auto monomial = [&](bool below) {
      Expr e = context.integer(1 + pick(3)) * (pick(2) == 0 ? context.one() : context.integer(-1));
      for (int k = 0; k < 3; ++k) {
        const Expr atom = atoms[static_cast<std::size_t>(pick(static_cast<int>(atoms.size())))];
        e = below && pick(3) == 0 && atom.is_symbol() ? e / atom : e * atom;
      }
      return e;
    };
    std::vector<std::vector<Expr>> hidden(2);
    for (auto& sum : hidden)
      for (int k = 0; k < 2 + pick(3); ++k) sum.push_back(monomial(false));
    std::vector<Expr> formulas;
    for (int f = 0; f < 4; ++f) {
      std::vector<Expr> terms = {monomial(true)};
      for (const auto& sum : hidden) {
        const Expr factor = monomial(true);
        for (const Expr term : sum) terms.push_back(factor * term);
      }
      formulas.push_back(context.sum(terms));
    }
    Simplifier simplifier;
    const CommonSums found = common_sums(formulas, simplifier);
    const std::vector<Expr> again = written_out(found);
    for (std::size_t i = 0; i < formulas.size(); ++i)
      ASSERT_EQ(prove_zero(again[i] - formulas[i]).verdict, Verdict::proved) << to_string(formulas[i]);
    named += found.names.size();
    std::set<Expr> before;
    std::vector<Expr> lines = found.formulas;
    for (const auto& [symbol, value] : found.names) {
      for (const auto& [other, of_other] : found.names)
        EXPECT_TRUE(before.contains(other) || !depends_on(value, std::span(&other, 1)));
      before.insert(symbol);
      lines.push_back(value);
    }
    if (!found.names.empty()) {
      EXPECT_LT(length(lines), length(formulas));
    }
  }
  EXPECT_GT(named, 40u);
}

}  // namespace
}  // namespace cetaev
