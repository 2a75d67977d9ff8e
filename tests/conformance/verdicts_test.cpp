// Verdicts of check on systems whose truth is known by the way they are made: sets of several branches, functions that bend, that are
// not one-to-one, that jump. Nothing here asks the program about the truth: branches are affine functions with whole coefficients, worked
// out by hand; potentials are differentiated by differences.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>

#include "cetaev/analysis/check.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/model/read.hpp"
#include "verdict_systems.hpp"

namespace cetaev::conformance {
namespace {

void expect_true(const Check& found, const Truth& truth, const std::string& where) {
  EXPECT_EQ(found.homogeneity.conic.holds(), truth.conic) << where;
  EXPECT_EQ(found.homogeneity.conic.fails(), !truth.conic) << where;
  EXPECT_EQ(found.energy.conserved.holds(), truth.conserved) << where;
  EXPECT_EQ(found.energy.conserved.fails(), !truth.conserved) << where;
  ASSERT_EQ(found.integrals.size(), 1u);
  EXPECT_EQ(found.integrals[0].conserved.holds(), truth.constant) << where;
  EXPECT_TRUE(!found.homogeneity.conic.proved || found.branches_complete) << where;
}

TEST(Verdicts, AreRightOnEveryBranchOfASet) {
  int several = 0;
  on_random(60, [&](Dice& dice, std::uint64_t seed) {
    const std::size_t n = dice.between(2, 3);
    const Planes planes = random_planes(dice, n);
    if (!planes.are_distinct()) return;
    ForcedModel model = forced(dice, n, planes.constraint);
    const std::vector<long> c = random_claim(dice, model);
    const std::string where = "seed " + std::to_string(seed) + "\n" + model.text;
    try {
      const Check found = check(read_model(model.text, "random.toml"));
      expect_true(found, truth_on(planes, model.force, c), where);
      // constant coefficients: every branch has the integral a·q + b t
      EXPECT_TRUE(!found.integrability.decided || found.integrability.integrable) << where;
      if (planes.branches.size() == 2) {
        EXPECT_EQ(found.branches.size(), 2u) << where;
        ++several;
      }
    } catch (const Error& error) {
      // planes that cross in velocities lose rank at the initial state at most, which check says instead of failing
      ADD_FAILURE() << error.message() << "\n" << where;
    }
  });
  EXPECT_GE(several, seeds(60).share(50));
}

// The same planes in several rows, some of which vanish at the initial state, or along a line, or at one point.
TEST(Verdicts, AreRightForRedundantRowsAndRowsThatVanish) {
  on_random(40, [&](Dice& dice, std::uint64_t seed) {
    const std::size_t n = dice.between(2, 3);
    const Planes planes = random_planes(dice, n);
    if (!planes.are_distinct()) return;
    const std::string e = as_difference(planes.constraint);
    const std::vector<std::vector<std::string>> ways = {
        {e, e},
        {e, "(2 + sin(x))*" + e},
        {"cos(phi)*" + e, "sin(phi)*" + e},
        {"sin(phi)*" + e, e, "(1 - cos(phi))*" + e},
        {"phi*" + e, "(phi - 1)*" + e},
        {e, "x*" + e, "y*" + e},
        {"cos(phi)^2*" + e, "sin(phi)*cos(phi)*" + e, "sin(phi)^2*" + e},
        {"sinh(phi)*" + e, "exp(phi)*" + e},
    };
    std::string rows;
    for (const std::string& row : ways[dice.below(ways.size())]) rows += (rows.empty() ? "" : "\", \"") + row + " = 0";
    ForcedModel model = forced(dice, n, rows, "phi");
    const std::vector<long> c = random_claim(dice, model);
    const std::string where = "seed " + std::to_string(seed) + "\n" + model.text;
    try {
      const Check found = check(read_model(model.text, "random.toml"));
      expect_true(found, truth_on(planes, model.force, c), where);
      EXPECT_EQ(found.classification.rank, 1u) << where;
    } catch (const Error& error) {
      ADD_FAILURE() << error.message() << "\n" << where;
    }
  });
}

// L = T(v) + F·q on a·v + b = 0: H v' = F + λa, a·v' = 0; E' = λ a·v, and c·v is constant where c·v' = 0.
TEST(Verdicts, AreRightForLagrangiansThatAreNotQuadratic) {
  on_random(40, [&](Dice& dice, std::uint64_t seed) {
    const std::size_t n = dice.between(2, 3);
    const KineticTerm T = random_kinetic(dice, n);
    AffineForm g = AffineForm::random(dice, n);
    g.b = dice.chance(50) ? 0 : whole(dice, 4);
    std::vector<long> force;
    std::string potential, names;
    for (std::size_t i = 0; i < n; ++i) {
      force.push_back(whole(dice, 1));
      potential += term(force.back(), letters[i]);
      names += (i > 0 ? ", " : "") + ("\"" + letters[i] + "\"");
    }
    ForcedModel model{"coordinates = [" + names + "]\nlagrangian = \"" + T.text + potential + "\"\nconstraints = [\"" +
                          g.text() + " = 0\"]\n",
                      force};
    const std::vector<long> c = random_claim(dice, model);
    Truth truth;
    truth.conic = g.b == 0;
    const long aa = dot(g.a, g.a);
    for (int trial = 0; trial < 40; ++trial) {
      // a velocity on the plane
      std::vector<long double> v;
      long double off = static_cast<long double>(g.b);
      for (std::size_t i = 0; i < n; ++i) {
        v.push_back(static_cast<long double>(whole(dice, 1000)) / 500);
        off += static_cast<long double>(g.a[i]) * v[i];
      }
      for (std::size_t i = 0; i < n; ++i) v[i] -= off * static_cast<long double>(g.a[i]) / static_cast<long double>(aa);
      // [H −a; a 0] (v', λ) = (F, 0)
      const long double h = 1e-4L;
      std::vector A(n + 1, std::vector<long double>(n + 1, 0));
      std::vector<long double> right(n + 1, 0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const auto shifted = [&](long double si, long double sj) {
            std::vector<long double> at = v;
            at[i] += si * h;
            at[j] += sj * h;
            return T.value(at);
          };
          A[i][j] = (shifted(1, 1) - shifted(1, -1) - shifted(-1, 1) + shifted(-1, -1)) / (4 * h * h);
        }
        A[i][n] = -static_cast<long double>(g.a[i]);
        A[n][i] = static_cast<long double>(g.a[i]);
        right[i] = static_cast<long double>(force[i]);
      }
      const std::vector<long double> x = solved(A, right);
      long double rate = 0;
      for (std::size_t i = 0; i < n; ++i) rate += static_cast<long double>(c[i]) * x[i];
      // the differences are off by 24 h²/12 and by rounding over h²; of what does not vanish a relativistic particle shows 1e-4 of its force
      const long double nothing = 1e-7L;
      if (std::fabs(rate) > nothing) truth.constant = false;
      if (std::fabs(x[n] * static_cast<long double>(g.b)) > nothing) truth.conserved = false;
    }
    const std::string where = "seed " + std::to_string(seed) + "\n" + model.text;
    try {
      expect_true(check(read_model(model.text, "random.toml")), truth, where);
    } catch (const Error& error) {
      ADD_FAILURE() << error.message() << "\n" << where;
    }
  });
}

// a·v' = b with T = v²/2 and the force F leaves every velocity: λ = (b − a·F)/a·a, E' = λ a·v; and (a·v')² = b² is met by the free
// motion where a·F = ±b, by the nearer plane elsewhere.
TEST(Verdicts, AreRightForConstraintsOnAccelerations) {
  on_random(60, [&](Dice& dice, std::uint64_t seed) {
    const std::size_t n = dice.between(2, 3);
    AffineForm g = AffineForm::random(dice, n);
    g.b = whole(dice, 4);
    const auto accelerations = [&](const AffineForm& form) {
      std::string text = form.text();
      for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2) text.insert(at, 1, '\'');
      return text;
    };
    const bool bent = dice.chance(50);
    const AffineForm level{g.a, 0};
    ForcedModel model =
        forced(dice, n, bent ? accelerations(level) + "^2 = " + std::to_string(g.b * g.b) : accelerations(g) + " = 0");
    const std::vector<long> c = random_claim(dice, model);
    const long aF = dot(g.a, model.force), aa = dot(g.a, g.a);
    if (bent && (g.b == 0 || aF == 0)) return;  // a square; two planes equally near
    const long b = bent ? (aF > 0 ? std::abs(g.b) : -std::abs(g.b)) : -g.b;
    // what is undecided is not false; what is claimed must be so
    const bool conserved = b == aF, constant = dot(c, model.force) * aa == dot(c, g.a) * (aF - b);
    const std::string where = "seed " + std::to_string(seed) + "\n" + model.text;
    try {
      const Check found = check(read_model(model.text, "random.toml"));
      EXPECT_EQ(found.energy.conserved.holds(), conserved) << where;
      EXPECT_EQ(found.energy.conserved.fails(), !conserved) << where;
      ASSERT_EQ(found.integrals.size(), 1u);
      EXPECT_EQ(found.integrals[0].conserved.holds(), constant) << where;
    } catch (const Error& error) {
      ADD_FAILURE() << error.message() << "\n" << where;
    }
  });
}

TEST(Verdicts, AreRightOnBothSidesOfWhatBends) {
  on_random(60, [&](Dice& dice, std::uint64_t seed) {
    std::vector<BentPotential> parts;
    std::string sum = "0";
    for (std::size_t i = dice.between(1, 2); i > 0; --i) {
      parts.push_back(bent(dice));
      sum += " + " + parts.back().text;
    }
    const auto V = [&](double x, double y) {
      double total = 0;
      for (const BentPotential& part : parts) total += part.value(x, y);
      return total;
    };
    const FreeParticle particle = free_particle(dice);
    const std::string text = "coordinates = [\"x\", \"y\"]\nlagrangian = \"" + particle.lagrangian + " - (" + sum +
                             ")\"\n[integrals]\npx = \"" + particle.px + "\"\npy = \"" + particle.py + "\"\n";
    const std::string where = "seed " + std::to_string(seed) + "\n" + text;
    // forces by differences, far and near
    const auto force = [&](int coordinate, double x, double y) {
      const double h = 1e-4;
      return coordinate == 0 ? (V(x - h, y) - V(x + h, y)) / (2 * h) : (V(x, y - h) - V(x, y + h)) / (2 * h);
    };
    Dice points(seed + 17);
    const auto place = [&] { return static_cast<double>(points.below(24001)) / 100 - 120; };
    bool constant[2] = {true, true};
    std::vector<std::array<double, 2>> looked_at;
    for (int i = 0; i < 400; ++i) {
      looked_at.push_back({place(), place()});
      for (int k : {0, 1})
        constant[k] = constant[k] && std::fabs(force(k, looked_at.back()[0], looked_at.back()[1])) < 1e-3;
    }
    try {
      const System system = read_model(text, "random.toml");
      const Check found = check(system);
      for (std::size_t k : {0, 1}) EXPECT_EQ(found.integrals[k].conserved.holds(), constant[k]) << where;
      EXPECT_TRUE(found.energy.conserved.holds()) << where;
      if (!particle.quadratic) return;
      // what it finds by itself must be constant everywhere too: I = m·v with m affine in q
      for (const LinearIntegral& integral : found.first_integrals) {
        for (const auto& at : looked_at) {
          const double x = at[0], y = at[1], vx = 0.7, vy = -1.3, h = 1e-3;
          const auto I = [&](double s) {
            const std::vector<Value> values = {{found.system->motion.q[0], x + s * vx},
                                               {found.system->motion.q[1], y + s * vy},
                                               {found.system->motion.v[0], vx + s * force(0, x, y)},
                                               {found.system->motion.v[1], vy + s * force(1, x, y)}};
            return evaluate(integral.integral, values);
          };
          EXPECT_NEAR((I(h) - I(-h)) / (2 * h), 0, 1e-3 * (1 + std::fabs(x) + std::fabs(y)))
              << to_string(integral.integral) << "\n"
              << where;
        }
      }
    } catch (const Error& error) {
      ADD_FAILURE() << error.message() << "\n" << where;
    }
  });
}

// F(x - k) y' = x' is one curve after the other wherever F is defined, however far from the origin.
TEST(Verdicts, AreRightFarFromWhereNothingIsDefined) {
  on_random(12, [&](Dice& dice, std::uint64_t seed) {
    const std::vector<std::string> functions = {"sqrt(U)",   "log(U)",    "acosh(U)",
                                                "asin(U/9)", "(U)^(3/2)", "log(log(U))"};
    const long k = whole(dice, 200);
    std::string F = functions[dice.below(functions.size())];
    F.replace(F.find('U'), 1, "(x" + term(-k, "1") + ")");
    const std::string text = "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"" + F +
                             "*y' = x'\"]\n[initial]\nx = " + std::to_string(k + 4) + "\n\"y'\" = 1\n";
    const std::string where = "seed " + std::to_string(seed) + "\n" + text;
    try {
      const Check found = check(read_model(text, "random.toml"));
      EXPECT_EQ(found.classification.rank, 1u) << where;
      EXPECT_TRUE(found.homogeneity.conic.holds()) << where;
      EXPECT_TRUE(found.integrability.integrable) << where;
      EXPECT_TRUE(found.energy.conserved.holds()) << where;
    } catch (const Error& error) {
      ADD_FAILURE() << error.message() << "\n" << where;
    }
  });
}

// w' = F(k y'): a cone exactly where F(s u) = s F(u) for every s > 0.
TEST(Verdicts, AreRightWhereFunctionsAreNotOneToOne) {
  struct Case {
    std::string function;
    bool conic, linear;
  };
  const std::vector<Case> cases = {{"atan(tan(U))", false, false},
                                   {"asin(sin(U))", false, false},
                                   {"acos(cos(U))", false, false},
                                   {"abs(U)", true, false},
                                   {"sqrt((U)^2)", true, false},
                                   {"log(exp(U))", true, true},
                                   {"atan2(sin(U), cos(U))", false, false},
                                   {"sin(asin(U))", true, true}};
  for (const Case& c : cases) {
    for (const char* u : {"y'", "2*y'", "y'/10"}) {
      std::string F = c.function;
      for (std::size_t at; (at = F.find('U')) != std::string::npos;) F.replace(at, 1, u);
      const std::string text =
          "coordinates = [\"x\", \"y\", \"w\"]\nlagrangian = \"(x'^2 + y'^2 + w'^2)/2 - x - w\"\n"
          "constraints = [\"w' = " +
          F + "\"]\n";
      const Check found = check(read_model(text, "case.toml"));
      EXPECT_EQ(found.homogeneity.conic.holds(), c.conic) << text << ground(found.system, found.homogeneity.conic);
      EXPECT_EQ(found.classification.constraints[0].linearity == Linearity::nonlinear, !c.linear) << text;
    }
  }
}

// f(a·v + b) = 0 with zeros of f that no algebra finds; the test finds them by bisection.
TEST(Verdicts, AreRightOnSheetsThatAlgebraDoesNotTellApart) {
  struct Curve {
    std::string text;  // in U
    std::function<double(double)> value;
  };
  const std::vector<Curve> curves = {
      {"exp(U) - 1 - 2*U", [](double u) { return std::exp(u) - 1 - 2 * u; }},
      {"exp(U) - 1 - U/5", [](double u) { return std::exp(u) - 1 - u / 5; }},
      {"U^3 - 3*U + 1", [](double u) { return u * u * u - 3 * u + 1; }},
      {"U^3 - 20*U^2 + 3", [](double u) { return u * u * u - 20 * u * u + 3; }},
      {"U^2 - 2", [](double u) { return u * u - 2; }},
      {"U^5 - U - 1", [](double u) { return std::pow(u, 5) - u - 1; }},
      {"cosh(U) - 3", [](double u) { return std::cosh(u) - 3; }},
      {"sqrt(1 + U^2) - 1 - U/2", [](double u) { return std::sqrt(1 + u * u) - 1 - u / 2; }},
      {"U*exp(U) + 1/5", [](double u) { return u * std::exp(u) + 0.2; }},
      {"sin(U) - U/3", [](double u) { return std::sin(u) - u / 3; }},
      {"log(1 + U^2) - U/4", [](double u) { return std::log(1 + u * u) - u / 4; }},
      {"atan(U) - U/2", [](double u) { return std::atan(u) - u / 2; }},
  };
  on_random(24, [&](Dice& dice, std::uint64_t seed) {
    const Curve& curve = curves[seed % curves.size()];
    std::vector<double> zeros;
    constexpr double step = 0.0173;  // no zero falls on a point of the grid
    for (double low = -60; low < 60; low += step) {
      double a = low, b = low + step;
      if ((curve.value(a) > 0) == (curve.value(b) > 0)) continue;
      for (int i = 0; i < 60; ++i) ((curve.value(a) > 0) == (curve.value((a + b) / 2) > 0) ? a : b) = (a + b) / 2;
      zeros.push_back(a);
    }
    ASSERT_FALSE(zeros.empty());
    const std::size_t n = dice.between(2, 3);
    AffineForm form = AffineForm::random(dice, n);
    form.b = dice.chance(60) ? 0 : whole(dice, 5);
    std::string constraint = curve.text;
    for (std::size_t at = 0; (at = constraint.find('U', at)) != std::string::npos;)
      constraint.replace(at, 1, form.text());
    const ForcedModel model = forced(dice, n, constraint + " = 0");
    const std::string where = "seed " + std::to_string(seed) + "\n" + model.text;
    bool conic = true;
    for (const double zero : zeros) conic = conic && std::fabs(static_cast<double>(form.b) - zero) < 1e-9;
    try {
      const Check found = check(read_model(model.text, "random.toml"));
      EXPECT_EQ(found.homogeneity.conic.holds(), conic) << where;
      EXPECT_EQ(found.energy.conserved.holds(), conic || dot(form.a, model.force) == 0) << where;
      EXPECT_TRUE(found.integrability.decided && found.integrability.integrable) << where;
    } catch (const Error& error) {
      ADD_FAILURE() << error.message() << "\n" << where;
    }
  });
}

// Far away, or in a narrow strip, something is not zero that is zero wherever random points lie.
TEST(Verdicts, AreRightWhereSomethingIsZeroWhereverOneLooks) {
  const std::string head = "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\nconstraints = [\"";
  for (const char* something : {"abs(x - 1000) + x - 1000", "(abs(x - 3) + x - 3)*(abs(4 - x) + 4 - x)",
                                "sqrt((x - 700)^2) + x - 700", "1 + abs(x - 700)/(x - 700)"}) {
    // y' = x' + s with s not everywhere zero: no cone; E' = s/2 where it is constant
    const Check shifted = check(read_model(head + "y' - x' = " + something + "\"]\n", "shifted.toml"));
    EXPECT_TRUE(shifted.homogeneity.conic.fails()) << something;
    EXPECT_TRUE(shifted.energy.conserved.fails()) << something;
    // (y' - x') s = 0: a constraint somewhere, x' constant only where there is none
    const Check somewhere =
        check(read_model(head + "(y' - x')*(" + something + ") = 0\"]\n[integrals]\npx = \"x'\"\n", "somewhere.toml"));
    EXPECT_EQ(somewhere.classification.constraints.size(), 1u) << something;
    EXPECT_FALSE(somewhere.integrals[0].conserved.proved) << something;
  }
}

// A factor that never vanishes changes nothing, whatever bends beside it; and branches of accelerations are branches.
TEST(Verdicts, AreRightForKinksBesideAFactorAndForAbsoluteAccelerations) {
  const std::string head = "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\nconstraints = [\"";
  for (const char* start : {"", "[initial]\nx = 2.27\n\"x'\" = 0.63\n", "[initial]\nx = -1\n"}) {
    const Check found =
        check(read_model(head + "(y' - abs(x - 1)*x' - abs(x - 2))*(1 + x^2) = 0\"]\n" + start, "kinks.toml"));
    EXPECT_EQ(found.classification.rank, 1u) << start;
    EXPECT_TRUE(found.classification.regular) << start;
    EXPECT_TRUE(found.homogeneity.conic.fails()) << start;
    EXPECT_TRUE(found.energy.conserved.fails()) << start;
  }
  // y'' = 1 or −1, of which the free motion is the second: E' = 0 there, 2 y' on the other
  for (const char* constraint : {"y''^2 = 1", "abs(y'') = 1"}) {
    const Check found = check(read_model(head + constraint + "\"]\n", "accelerations.toml"));
    ASSERT_EQ(found.branches.size(), 2u) << constraint;
    EXPECT_FALSE(found.energy.conserved.fails()) << constraint;
    EXPECT_FALSE(found.energy.by_branch[0].holds()) << constraint;
  }
}

// Singular points of sets, which are not branches, and branches without states, which are none.
TEST(Verdicts, AreRightForSetsWithSingularPoints) {
  const auto checked = [](const std::string& constraint, const std::string& velocities) {
    return check(read_model("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\nconstraints = [\"" +
                                constraint + "\"]\n[initial]\n" + velocities,
                            "singular.toml"));
  };
  const std::string away = "\"x'\" = 1\n\"y'\" = 1\n", at_rest = "\"x'\" = 0\n\"y'\" = 0\n";
  struct Case {
    std::string constraint;
    std::size_t branches;  // 0 where it is one
    bool conic;
  };
  for (const Case& c : {Case{"y'^2 = x'^3", 0, false}, Case{"y'^2 = x'^4", 2, false}, Case{"x'^3 = y'^3", 0, true},
                        Case{"(x'^2 + y'^2)^2 = 2*(x'^2 - y'^2)", 0, false}, Case{"x' - y' + (x' - y')^3 = 0", 0, true},
                        Case{"x'^3 - y'^3 + x' - y' = 0", 0, true}, Case{"x'^5 - x'*y'^4 = 0", 3, true},
                        Case{"(x' - y')*(x'^2 + x'*y' + y'^2) = 0", 0, true}}) {
    const Check found = checked(c.constraint, away);
    EXPECT_EQ(found.classification.rank, 1u) << c.constraint;
    EXPECT_TRUE(found.classification.regular) << c.constraint;
    EXPECT_EQ(found.branches.size(), c.branches) << c.constraint;
    EXPECT_EQ(found.homogeneity.conic.holds(), c.conic) << c.constraint;
    EXPECT_EQ(found.homogeneity.conic.fails(), !c.conic) << c.constraint;
    EXPECT_EQ(found.energy.conserved.holds(), c.conic) << c.constraint;
  }
  // at rest the cusp, the node and the triple line have no tangent of their own
  for (const char* constraint : {"y'^2 = x'^3", "y'^2 = x'^4", "(x'^2 + y'^2)^2 = x'^2 - y'^2"})
    EXPECT_EQ(checked(constraint, at_rest).classification.state.value().code(), ErrorCode::rank_lost) << constraint;
  // what has no derivatives wherever it holds is no constraint to be left out: a point, a line
  for (const char* constraint : {"x'^2 + y'^2 = 0", "x'^2 - 2*x'*y' + y'^2 = 0", "x'^2 + x'*y' + y'^2 = 0"})
    EXPECT_FALSE(checked(constraint, at_rest).classification.regular) << constraint;
}

// The same system in other words has the same verdicts: from other initial states, with constraints multiplied by functions that do not
// vanish, with coordinates in another order, shifted and scaled.
TEST(Verdicts, DoNotDependOnHowASystemIsWritten) {
  on_random(6, [&](Dice& dice, std::uint64_t seed) {
    const Planes planes = random_planes(dice, 2);
    if (!planes.are_distinct()) return;
    const ForcedModel model = forced(dice, 2, planes.constraint);
    const auto verdicts = [&](const std::string& text) {
      const Check found = check(read_model(text, "random.toml"));
      return std::vector<int>{static_cast<int>(found.homogeneity.conic.answer),
                              static_cast<int>(found.energy.conserved.answer),
                              static_cast<int>(found.classification.rank), static_cast<int>(found.branches.size())};
    };
    const std::vector<int> expected = verdicts(model.text);
    const std::string where = "seed " + std::to_string(seed) + "\n" + model.text;
    // states on the branches: v = −b a/a·a + what is orthogonal to a
    for (std::uint64_t i = 0; i < 20; ++i) {
      const AffineForm& g = planes.branches[dice.below(planes.branches.size())];
      const double aa = static_cast<double>(dot(g.a, g.a)), s = static_cast<double>(whole(dice, 50)) / 10;
      const double vx = -static_cast<double>(g.b * g.a[0]) / aa + s * static_cast<double>(g.a[1]);
      const double vy = -static_cast<double>(g.b * g.a[1]) / aa - s * static_cast<double>(g.a[0]);
      EXPECT_EQ(verdicts(model.text + "[initial]\nx = " + std::to_string(whole(dice, 20)) +
                         "\n\"x'\" = " + std::to_string(vx) + "\n\"y'\" = " + std::to_string(vy) + "\n"),
                expected)
          << where << "from " << vx << ", " << vy;
    }
    // equations multiplied
    const std::string difference = as_difference(planes.constraint);
    for (const char* factor : {"(2 + sin(x))", "exp(y)", "(1 + x^2 + y'^2)"}) {
      ForcedModel other = model;
      const std::size_t at = other.text.find(planes.constraint);
      other.text.replace(at, planes.constraint.size(), std::string(factor) + "*" + difference + " = 0");
      EXPECT_EQ(verdicts(other.text), expected) << where << factor;
    }
    // coordinates in another order
    std::string swapped = model.text;
    const std::string names = "[\"x\", \"y\"]";
    swapped.replace(swapped.find(names), names.size(), "[\"y\", \"x\"]");
    EXPECT_EQ(verdicts(swapped), expected) << where << "swapped";
    // coordinates shifted and scaled: q = s Q + c
    const long scale = 1 + static_cast<long>(dice.below(20)), shift = whole(dice, 50);
    std::string moved;
    const std::size_t body = model.text.find('\n');
    for (std::size_t at = 0; at < model.text.size(); ++at) {
      const char here = model.text[at];
      const bool coordinate = at > body && (here == 'x' || here == 'y') &&
                              std::isalpha(static_cast<unsigned char>(model.text[at - 1])) == 0 &&
                              std::isalpha(static_cast<unsigned char>(model.text[at + 1])) == 0;
      if (!coordinate) {
        moved += here;
      } else if (model.text[at + 1] == '\'') {
        moved += "(" + std::to_string(scale) + "*" + here + "')";
        ++at;
      } else {
        moved += "(" + std::to_string(scale) + "*" + here + term(shift, "1") + ")";
      }
    }
    EXPECT_EQ(verdicts(moved), expected) << where << moved;
  });
}

}  // namespace
}  // namespace cetaev::conformance
