// What formulas look like in the three notations, and that none of them says anything else than the expression.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/report/typeset.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

const char* const model = R"(
coordinates = ["x", "y", "x1", "theta", "phi"]
lagrangian = "0"
[parameters]
m = 1
g = 9.81
m1 = 2
slope = 0.5
n = 3
Omega = 1
x_cm = 1
sigma2 = 1
)";

struct Row {
  const char *source, *unicode, *latex;
};

class Tables : public ::testing::TestWithParam<Row> {};

TEST_P(Tables, ShowWhatAPersonWouldWrite) {
  const System system = scratch_model(model, "model.toml");
  const Expr e = parse_expression(system, GetParam().source);
  EXPECT_EQ(Typesetter(system, Notation::unicode).expression(e), GetParam().unicode);
  EXPECT_EQ(Typesetter(system, Notation::latex).expression(e), GetParam().latex);
}

INSTANTIATE_TEST_SUITE_P(Numbers, Tables,
                         ::testing::Values(Row{"0", "0", "0"}, Row{"-3", "−3", "-3"}, Row{"2/3", "2/3", "\\frac{2}{3}"},
                                           Row{"9.81", "9.81", "9.81"}, Row{"-x/20", "−x/20", "-\\frac{x}{20}"},
                                           Row{"x/5", "x/5", "\\frac{x}{5}"}, Row{"2*pi", "2 π", "2\\pi"},
                                           Row{"sqrt(2)*x", "√(2) x", "\\sqrt{2}x"},
                                           Row{"3*2^x", "3·2^x", "3\\cdot 2^x"}));

// As fractions, unless the formulas of the model have decimals in them: then what ends is written so, halves excepted.
TEST(Numbers, OfOneModelAreWrittenInOneWay) {
  const auto written = [](const std::string& lagrangian, const std::string& formula) {
    const System system =
        scratch_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"" + lagrangian + "\"\n", "model.toml");
    const Expr e = parse_expression(system, formula);
    return std::array{Typesetter(system, Notation::unicode).expression(e),
                      Typesetter(system, Notation::latex).expression(e),
                      Typesetter(system, Notation::ascii).expression(e)};
  };
  const std::string sum = "x''/5 + x'/20 + 7*x/10 + y''/4 + y'/3 + y/2";
  EXPECT_EQ(written("2*x'^2/5 + y'^2", sum),
            (std::array<std::string, 3>{"ẍ/5 + ÿ/4 + ẋ/20 + ẏ/3 + 7 x/10 + y/2",
                                        "\\frac{\\ddot{x}}{5} + \\frac{\\ddot{y}}{4} + \\frac{\\dot{x}}{20} + "
                                        "\\frac{\\dot{y}}{3} + \\frac{7x}{10} + \\frac{y}{2}",
                                        "x''/5 + y''/4 + x'/20 + y'/3 + 7*x/10 + y/2"}));
  EXPECT_EQ(written("0.05*x'^2 + y'^2", sum),
            (std::array<std::string, 3>{
                "0.2 ẍ + 0.25 ÿ + 0.05 ẋ + ẏ/3 + 0.7 x + y/2",
                "0.2\\ddot{x} + 0.25\\ddot{y} + 0.05\\dot{x} + \\frac{\\dot{y}}{3} + 0.7x + \\frac{y}{2}",
                "0.2*x'' + 0.25*y'' + 0.05*x' + y'/3 + 0.7*x + y/2"}));
}

INSTANTIATE_TEST_SUITE_P(
    Products, Tables,
    ::testing::Values(Row{"-x/2", "−x/2", "-\\frac{x}{2}"}, Row{"m*x'^2/2", "m ẋ²/2", "\\frac{1}{2}m\\dot{x}^2"},
                      Row{"x''*m", "m ẍ", "m\\ddot{x}"}, Row{"sin(phi)*x*g*m*2", "2 m g x sin φ", "2mgx\\sin\\varphi"},
                      Row{"(x + y)*m*sin(theta)*x'", "m (x + y) ẋ sin θ", "m(x + y)\\dot{x}\\sin\\theta"},
                      Row{"phi'*sin(phi)*cos(phi)", "φ̇ sin φ cos φ", "\\dot{\\varphi}\\sin\\varphi\\cos\\varphi"},
                      Row{"m*slope*x", "m slope x", "m\\,\\mathrm{slope}\\,x"}, Row{"theta*x", "x θ", "x\\theta"},
                      Row{"theta*m1", "m₁ θ", "m_1\\theta"}, Row{"(-x - y)*m", "−m (x + y)", "-m(x + y)"},
                      Row{"-(x - y)*m", "m (y − x)", "m(y - x)"}));

INSTANTIATE_TEST_SUITE_P(Quotients, Tables,
                         ::testing::Values(Row{"m*x''/(2*cos(phi)^2)", "m ẍ/(2 cos² φ)",
                                               "\\frac{m}{2\\cos^2\\varphi}\\ddot{x}"},
                                           Row{"x''/cos(phi)", "ẍ/cos φ", "\\frac{\\ddot{x}}{\\cos\\varphi}"},
                                           Row{"1/x", "1/x", "\\frac{1}{x}"},
                                           Row{"x/(y*(m + m1))", "x/((m + m₁) y)", "\\frac{x}{(m + m_1)y}"},
                                           Row{"(x + y)/(x - y)", "(x + y)/(x − y)", "\\frac{x + y}{x - y}"},
                                           Row{"(x/y)^n", "(x/y)^n", "\\left(\\frac{x}{y}\\right)^n"},
                                           Row{"sin(x/y)", "sin(x/y)", "\\sin\\left(\\frac{x}{y}\\right)"},
                                           Row{"x*(1 + m/y)", "x (1 + m/y)", "x\\left(1 + \\frac{m}{y}\\right)"}));

INSTANTIATE_TEST_SUITE_P(
    Powers, Tables,
    ::testing::Values(Row{"x'^2", "ẋ²", "\\dot{x}^2"}, Row{"x1'^2", "ẋ₁²", "\\dot{x}_1^2"},
                      Row{"sin(theta)^2", "sin² θ", "\\sin^2\\theta"}, Row{"sin(x)^2", "sin² x", "\\sin^2 x"},
                      Row{"sin(2*theta)^12", "sin¹²(2 θ)", "\\sin^{12}(2\\theta)"},
                      Row{"(x + y)^2", "(x + y)²", "(x + y)^2"},
                      Row{"sqrt(x^2 + y^2)", "√(x² + y²)", "\\sqrt{x^2 + y^2}"}, Row{"sqrt(m)", "√m", "\\sqrt{m}"},
                      Row{"1/sqrt(x)", "1/√x", "\\frac{1}{\\sqrt{x}}"},
                      Row{"(x^2 + 1)^(3/2)", "(1 + x²)^(3/2)", "(1 + x^2)^{3/2}"}, Row{"x^n", "x^n", "x^n"},
                      Row{"x^(n + 1)", "x^(n + 1)", "x^{n + 1}"}, Row{"exp(x)^2", "exp(x)²", "\\exp(x)^2"}));

INSTANTIATE_TEST_SUITE_P(Sums, Tables,
                         ::testing::Values(Row{"x + x' + x''", "ẍ + ẋ + x", "\\ddot{x} + \\dot{x} + x"},
                                           Row{"m - x''", "m − ẍ", "m - \\ddot{x}"}, Row{"-x - y", "−x − y", "-x - y"},
                                           Row{"1 - cos(phi)", "1 − cos φ", "1 - \\cos\\varphi"},
                                           Row{"x + 1", "x + 1", "x + 1"},
                                           Row{"y*x' - x*y'", "y ẋ − x ẏ", "y\\dot{x} - x\\dot{y}"},
                                           Row{"y'*cos(phi) + x'*sin(phi)", "ẋ sin φ + ẏ cos φ",
                                               "\\dot{x}\\sin\\varphi + \\dot{y}\\cos\\varphi"}));

INSTANTIATE_TEST_SUITE_P(
    Functions, Tables,
    ::testing::Values(Row{"sin(x)", "sin x", "\\sin x"}, Row{"sin(slope)", "sin(slope)", "\\sin(\\mathrm{slope})"},
                      Row{"cos(x - y)", "cos(x − y)", "\\cos(x - y)"}, Row{"abs(x)", "|x|", "\\lvert x\\rvert"},
                      Row{"abs(theta)", "|θ|", "\\lvert\\theta\\rvert"},
                      Row{"atan2(y, x)", "atan2(y, x)", "\\operatorname{atan2}(y, x)"},
                      Row{"log(x)", "log x", "\\ln x"},
                      Row{"asin(x)*atanh(y)", "asin x atanh y", "\\arcsin x\\operatorname{artanh}y"},
                      Row{"exp(-x/2)", "exp(−x/2)", "\\exp\\left(-\\frac{x}{2}\\right)"}));

class Names : public ::testing::Test {
 protected:
  System system_ = scratch_model(model, "model.toml");
  Typesetter ascii_{system_, Notation::ascii}, unicode_{system_, Notation::unicode}, latex_{system_, Notation::latex};
};

TEST_F(Names, BecomeSymbols) {
  const std::vector<Row> rows = {{"x1''", "ẍ₁", "\\ddot{x}_1"},
                                 {"theta'", "θ̇", "\\dot{\\theta}"},
                                 {"phi", "φ", "\\varphi"},
                                 {"Omega", "Ω", "\\Omega"},
                                 {"x_cm", "x_cm", "x_{\\mathrm{cm}}"},
                                 {"sigma2", "σ₂", "\\sigma_2"},
                                 {"slope", "slope", "\\mathrm{slope}"},
                                 {"$lambda1", "λ₁", "\\lambda_1"},
                                 {"$lambda12'", "λ̇₁₂", "\\dot{\\lambda}_{12}"},
                                 {"$u1'", "u̇₁", "\\dot{u}_1"},
                                 {"$gamma[y,x]", "γ[y,x]", "\\gamma_{y x}"},
                                 {"$gamma[y,x]'", "γ̇[y,x]", "\\dot{\\gamma}_{y x}"},
                                 {"$gamma(phi,x1)", "γ[φ,x₁]", "\\gamma_{\\varphi,x_{1}}"},
                                 {"$alpha[y]", "α[y]", "\\alpha_y"},
                                 {"$free_x''", "ẍ_free", "\\ddot{x}_{\\mathrm{free}}"},
                                 {"$delta x", "δx", "\\delta x"},
                                 {"P1.x", "P₁_x", "P_{1,x}"}};
  for (const Row& row : rows) {
    EXPECT_EQ(unicode_.name(row.source), row.unicode);
    EXPECT_EQ(latex_.name(row.source), row.latex);
  }
  EXPECT_EQ(ascii_.name("$lambda1'"), "lambda1'");
  EXPECT_EQ(ascii_.name("phi''"), "phi''");
}

TEST_F(Names, CarryIndicesAndStars) {
  EXPECT_EQ(latex_.indexed("L*", {}), "L^*");
  EXPECT_EQ(unicode_.indexed("E*'", {}), "Ė*");
  const std::vector<std::string> yx = {"y", "phi"};
  EXPECT_EQ(latex_.indexed("B", yx), "B^{y}_{\\varphi}");
  EXPECT_EQ(unicode_.indexed("B", yx), "B[y,φ]");
  EXPECT_EQ(ascii_.indexed("B", yx), "B[y,phi]");
  EXPECT_EQ(latex_.indexed("alphabar", std::span(yx).first(1)), "\\bar{\\alpha}_{y}");
}

// phi and φ, x1 and x_1, a multiplier and a parameter of its name, ä and the second derivative of a
TEST(Collisions, LeaveNamesDistinct) {
  const System system = scratch_model(
      "coordinates = [\"phi\", \"φ\", \"x1\", \"x_1\", \"a\", \"ä\", \"ë\", \"ё\", \"delta\"]\nlagrangian = \"0\"\n"
      "[parameters]\nlambda1 = 1\nα = 1\nalpha = 2\nπ = 3\n",
      "model.toml");
  for (const Notation notation : {Notation::ascii, Notation::unicode, Notation::latex}) {
    Typesetter typeset(system, notation);
    std::set<std::string> seen;
    std::size_t count = 0;
    const auto put = [&](const std::string& name) {
      for (const char* primes : {"", "'", "''"}) {
        const std::string text = typeset.name(name + primes);
        EXPECT_TRUE(seen.insert(text).second) << name << primes << " looks like something else: " << text;
        ++count;
      }
    };
    for (const std::string& name : system->coordinates) put(name);
    for (const Parameter& p : system->parameters) put(std::string(p.symbol.name()));
    put("$lambda1");
    put("$lambda2");
    EXPECT_TRUE(seen.insert(typeset.expression(system->context->pi())).second);
    EXPECT_EQ(seen.size(), count + 1);
    EXPECT_NE(typeset.name("$delta a"), typeset.expression(parse_expression(system, "delta*a")));
  }
}

class RandomExpressions {
 public:
  RandomExpressions(const System& system, unsigned seed) : context_(*system->context), random_(seed) {
    atoms_ = {system->motion.q[0], system->motion.q[1], system->motion.v[0],          system->motion.v[1],
              system->motion.a[0], system->motion.t,    system->parameters[0].symbol, context_.pi()};
  }

  Expr next(int depth) {
    switch (below(depth == 0 ? 2 : 12)) {
      case 0: return atoms_[static_cast<std::size_t>(below(static_cast<int>(atoms_.size())))];
      case 1: return context_.number(Rational(below(41) - 20, below(20) + 1));
      case 2:
      case 3: return next(depth - 1) + next(depth - 1);
      case 4: return next(depth - 1) - next(depth - 1);
      case 5:
      case 6: return next(depth - 1) * next(depth - 1);
      case 7: return pow(next(depth - 1), Rational(below(4) + 1, below(3) + 1));
      case 8: return pow(next(depth - 1), next(depth - 1));
      case 9: return next(depth - 1) / next(depth - 1);
      case 10: return apply(static_cast<Function>(below(6)), next(depth - 1));
      default: return below(2) == 0 ? exp(next(depth - 1)) : abs(-next(depth - 1));
    }
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Context& context_;
  std::mt19937 random_;
  std::vector<Expr> atoms_;
};

TEST(RandomExpressionsInTheModelLanguage, ParseBackToTheSameNode) {
  const System system = scratch_model(model, "model.toml");
  int tried = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    RandomExpressions random(system, seed);
    Expr e;
    try {
      e = random.next(1 + static_cast<int>(seed % 6));
    } catch (const Error&) {
      continue;  // a random division by zero
    }
    if (written_size(e) > 1000) continue;
    ++tried;
    Typesetter typeset(system, Notation::ascii);
    const std::string text = typeset.expression(e);
    ASSERT_EQ(parse_expression(system, text), e) << text << "\nfor " << to_string(e);

    // broken into pieces it is the same sum
    std::string sum;
    const Expr summands[] = {e};
    for (const TypesetTerm& term : typeset.terms(summands, 12)) {
      sum += (term.joined ? "" : term.negative ? " - " : " + ") + term.text;
    }
    ASSERT_EQ(sum.empty() ? e : parse_expression(system, "0" + sum), e) << sum << "\nfor " << to_string(e);
  }
  EXPECT_GT(tried, 2500);
}

// Reads the Unicode notation as a person does: juxtaposition is multiplication, a function without parentheses takes the
// one symbol behind it. Gives the model language.
class Reader {
 public:
  Reader(std::string text, const std::vector<std::pair<std::string, std::string>>& symbols)
      : text_(std::move(text)), symbols_(symbols) {}

  std::string read() {
    const std::string result = sum();
    if (at_ != text_.size()) throw std::runtime_error("left over: " + text_.substr(at_));
    return result;
  }

 private:
  bool skip(const std::string& token) {
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }

  std::string sum() {
    std::string result = skip("−") ? "-" : "";
    result += product();
    while (true) {
      if (skip(" + ")) {
        result += " + " + product();
      } else if (skip(" − ")) {
        result += " - " + product();
      } else {
        return "(" + result + ")";
      }
    }
  }

  bool at_operator() const {
    return text_.compare(at_, 3, " + ") == 0 || text_.compare(at_, std::string(" − ").size(), " − ") == 0;
  }

  std::string product() {
    std::string result = power();
    while (true) {
      if (skip("·") || (!at_operator() && skip(" "))) {
        result += "*" + power();
      } else if (skip("/")) {
        return result + "/" + power();
      } else {
        return result;
      }
    }
  }

  std::string digits() {
    std::string result;
    while (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.'))
      result += text_[at_++];
    return result;
  }

  std::string raised() {
    static const std::vector<std::string> table = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string result;
    for (bool found = true; found;) {
      found = false;
      for (std::size_t d = 0; d < 10 && !found; ++d) {
        if (skip(table[d])) {
          result += std::to_string(d);
          found = true;
        }
      }
    }
    return result;
  }

  std::string power() {
    std::string base = atom();
    if (skip("⁻")) return "(" + base + ")^(-" + raised() + ")";
    if (const std::string exponent = raised(); !exponent.empty()) return "(" + base + ")^" + exponent;
    if (skip("^")) return "(" + base + ")^(" + atom() + ")";
    return base;
  }

  std::string atom() {
    if (const std::string number = digits(); !number.empty()) return number;
    if (skip("(")) {
      const std::string inside = sum();
      if (!skip(")")) throw std::runtime_error("no )");
      return inside;
    }
    if (skip("|")) {
      const std::string inside = sum();
      if (!skip("|")) throw std::runtime_error("no |");
      return "abs(" + inside + ")";
    }
    if (skip("√")) return "sqrt(" + atom() + ")";
    for (const char* function : {"asin", "acos", "atan", "sin", "cos", "tan", "exp"}) {
      if (!skip(function)) continue;
      const std::string exponent = raised();
      const std::string argument = skip(" ") ? symbol() : atom();
      return std::string(function) + "(" + argument + ")" + (exponent.empty() ? "" : "^" + exponent);
    }
    return symbol();
  }

  std::string symbol() {
    for (const auto& [spelled, name] : symbols_) {
      if (skip(spelled)) return name;
    }
    throw std::runtime_error("no symbol at " + text_.substr(at_));
  }

  std::string text_;
  const std::vector<std::pair<std::string, std::string>>& symbols_;
  std::size_t at_ = 0;
};

TEST(RandomExpressionsInUnicode, MeanTheExpression) {
  const System system = scratch_model(model, "model.toml");
  // dotted letters first: they begin with their letter where there is no character for both
  const std::vector<std::pair<std::string, std::string>> symbols = {
      {"ẍ", "x''"}, {"ẋ", "x'"}, {"ẏ", "y'"}, {"x", "x"}, {"y", "y"}, {"t", "t"}, {"m", "m"}, {"π", "pi"}};
  int compared = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    RandomExpressions random(system, seed);
    Expr e;
    try {
      e = random.next(1 + static_cast<int>(seed % 6));
    } catch (const Error&) {
      continue;
    }
    if (written_size(e) > 1000) continue;
    Typesetter typeset(system, Notation::unicode);
    const Expr summands[] = {e};
    std::string broken;
    for (const TypesetTerm& term : typeset.terms(summands, 12)) {
      if (!term.joined) broken += broken.empty() ? (term.negative ? "−" : "") : (term.negative ? " − " : " + ");
      broken += term.text;
    }
    for (const std::string& text : {typeset.expression(e), broken.empty() ? std::string("0") : broken}) {
      Expr back;
      ASSERT_NO_THROW(back = parse_expression(system, Reader(text, symbols).read())) << text;
      if (back == e) {
        ++compared;
        continue;
      }
      // signs may have moved: the same value where both have one
      std::mt19937 dice(seed);
      for (int i = 0; i < 5; ++i) {
        std::vector<Value> values;
        for (const Expr s : free_symbols(summands)) {
          values.emplace_back(s, std::uniform_real_distribution<double>(0.2, 1.7)(dice));
        }
        const double a = evaluate(e, values), b = evaluate(back, values);
        if (!std::isfinite(a) || std::abs(a) > 1e8) continue;
        EXPECT_NEAR(a, b, 1e-6 * std::max(1.0, std::abs(a))) << text << "\nfor " << to_string(e);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 5000);
}

// x = sin(x + y), again and again: no recursion on the way down, and a remark where nobody would read it.
TEST(DeepExpressions, DoNotExhaustTheStack) {
  const System system = scratch_model(model, "model.toml");
  Expr e = system->motion.q[0];
  for (int i = 0; i < 200000; ++i) e = sin(e + system->motion.q[1]);
  for (const Notation notation : {Notation::ascii, Notation::unicode, Notation::latex}) {
    EXPECT_THAT(Typesetter(system, notation).expression(e), ::testing::HasSubstr("too long to print"));
  }
  Expr readable = system->motion.q[0];
  for (int i = 0; i < 500; ++i) readable = sin(readable + system->motion.q[1]);
  EXPECT_GT(Typesetter(system, Notation::latex).expression(readable).size(), 4000U);
}

}  // namespace
}  // namespace cetaev
