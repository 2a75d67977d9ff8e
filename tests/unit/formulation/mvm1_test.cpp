// Theorem 1 of [L]: a matrix A of transpositional relations that the model gives, and what it contains of the other theorems.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/formulation/compare.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/build.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;
using View = Transpositional::View;

const FormResult& mvm1_of(const Evaluation& e) {
  const FormResult* result = e.find(Form::mvm1);
  EXPECT_TRUE(result->values) << (result->error ? result->error->message() : "");
  return *result;
}

void expect_near(const std::vector<double>& x, const std::vector<double>& y, double tolerance,
                 const std::string& where) {
  ASSERT_EQ(x.size(), y.size());
  double scale = 1;
  for (const double value : y) scale = std::max(scale, std::fabs(value));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], tolerance * scale) << where << ", " << i;
}

// The model with this view, and multipliers that nobody chose.
System with_view(const System& system, View view, std::uint64_t seed, bool auxiliary = true) {
  return system.with([&](SystemData& data) {
    data.transpositional = Transpositional{view, {}, {}};
    if (!auxiliary) data.auxiliary.clear();
    const auto some = [&](std::size_t i) {
      return data.context->number(Rational(static_cast<long>((7 * i + 3 * seed + 5) % 23) - 11, 9));
    };
    data.initial.has_lambda = true;
    data.initial.lambda.clear();
    for (std::size_t i = 0; i < data.constraints.size(); ++i) data.initial.lambda.push_back(some(i));
    data.initial.lambda0.clear();
    for (std::size_t j = 0; j < data.auxiliary.size(); ++j) data.initial.lambda0.push_back(some(j + 4));
  });
}

bool on_accelerations(const System& system) {
  return std::ranges::any_of(system->constraints, [](const Constraint& c) { return c.order == 2; });
}

const char* const with_roots_and_powers = R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + 2*y'^2 + 3*z'^2 + x*y'*z')/2 - x*y + cos(z) + t*x"
constraints = ["z' = x*x'^2*sin(t) + sqrt(1 + y'^2) + y'*cos(z)"]
[forces]
y = "-y'*x"
[initial]
x = 0.7
y = -0.4
z = 0.3
t = 0.2
"x'" = 1.1
"y'" = 0.6
)toml";

const char* const redundant = R"toml(
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + 2*y'^2 + 3*z'^2)/2 - x*y"
constraints = ["z' = x*y'^2", "(2 + sin(y))*(z' - x*y'^2) = 0"]
[initial]
x = 0.7
y = -0.4
"x'" = 1.1
"y'" = 0.6
)toml";

TEST(Mvm1, WithoutRelationsAndFunctionsIsVakonomicForEveryMultiplier) {
  std::vector<System> systems;
  for (const char* text : {with_roots_and_powers, redundant}) systems.push_back(scratch_model(text, "m.toml"));
  for (const GalleryModel& model : gallery()) {
    const System system = scratch_model(model.text, std::string(model.name) + ".toml");
    if (!on_accelerations(system) && system->size() <= 6) systems.push_back(system);
  }
  int compared = 0;
  for (const System& system : systems) {
    for (const std::uint64_t seed : {1u, 2u}) {
      SCOPED_TRACE(fmt::format("{}, {}", system->name, seed));
      const Evaluation e =
          evaluate(with_view(system, View::hoelder, seed, false), {{Form::mvm1, Form::vakonomic}, false});
      const FormResult *mvm1 = e.find(Form::mvm1), *vakonomic = e.find(Form::vakonomic);
      ASSERT_EQ(mvm1->values.has_value(), vakonomic->values.has_value());
      if (!mvm1->values) continue;
      expect_near(mvm1->values->a, vakonomic->values->a, 1e-13, "a");
      expect_near(mvm1->values->lambda_dot, vakonomic->values->lambda_dot, 1e-13, "lambda_dot");
      ++compared;
    }
  }
  EXPECT_GE(compared, 80);
}

TEST(Mvm1, WithTheMatricesOfTheoremsTwoAndThreeForgetsAllMultipliers) {
  int compared = 0;
  for (const GalleryModel& model : gallery()) {
    const System system = scratch_model(model.text, std::string(model.name) + ".toml");
    if (on_accelerations(system) || system->size() > 5) continue;
    for (const View view : {View::mvm2, View::mvm3}) {
      const Form theorem = std::string(name_of(view));
      for (const std::uint64_t seed : {3u, 4u}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", system->name, theorem.name(), seed));
        const Evaluation e = evaluate(with_view(system, view, seed), {{Form::mvm1, theorem}, false});
        const FormResult *mvm1 = e.find(Form::mvm1), *reference = e.find(theorem);
        ASSERT_EQ(mvm1->values.has_value(), reference->values.has_value());
        if (!mvm1->values) {
          EXPECT_EQ(mvm1->error->code(), reference->error->code());
          continue;
        }
        // the same linear systems, with multipliers of order one that cancel
        expect_near(mvm1->values->a, reference->values->a, 1e-10, "a");
        expect_near(mvm1->values->transpositional, reference->values->transpositional, 1e-9, "A");
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 120);
}

// The formula that `derive` prints for A, written into the model: it contains accelerations where a function is not linear.
TEST(Mvm1, TakesTheMatrixOfAnotherTheoremInWriting) {
  int nonlinear = 0;
  for (const std::string auxiliary : {"[\"x'*cos(phi) + y'*sin(phi)\", \"phi'\"]", "[\"y' + x\", \"phi'\"]",
                                      "[\"y'*phi' + x'^2/3\", \"phi' + sin(x)*x'\"]"}) {
    SCOPED_TRACE(auxiliary);
    const System system = scratch_model("auxiliary = " + auxiliary + R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "m/2*(x'^2 + y'^2) + J/2*phi'^2 + m*g*x/2"
constraints = ["x'*sin(phi) - y'*cos(phi) + x'*y'*x/5 = 0"]
[parameters]
m = 2
J = 3
g = 9.81
[initial]
x = 0.3
phi = 0.7
"x'" = 0.9
"phi'" = 1.3
lambda = [0.6]
lambda0 = [0.4, -1.7]
)toml",
                                        "m.toml");
    for (const Form theorem : {Form::mvm2, Form::mvm3}) {
      Groundwork work(system);
      Setting setting = work.setting();
      setting.with_equations = true;
      const Matrix A = theorem->derive(setting).transpositional_formula;
      ASSERT_EQ(A.entries.size(), 9u);
      if (std::ranges::any_of(A.entries, [&](Expr e) { return depends_on(e, work.system()->motion.a); })) ++nonlinear;
      const System written = work.system().with([&](SystemData& data) {
        data.transpositional = Transpositional{View::written, A, {}};
        if (theorem == Form::mvm3) data.initial.lambda0[1] = data.context->zero();  // of a function it does not use
      });
      const Evaluation e = evaluate(written, {{Form::mvm1, theorem}, false});
      expect_near(mvm1_of(e).values->a, e.find(theorem)->values->a, 1e-12, theorem.name());
      expect_near(mvm1_of(e).values->transpositional, e.find(theorem)->values->transpositional, 1e-11, "A");
    }
  }
  EXPECT_EQ(nonlinear, 6);  // by the constraint, which is not linear
}

TEST(Mvm1, DoesNotFeelFunctionsThatAreTotalDerivativesWhereAllCommutes) {
  const std::string text = std::string(
                               "auxiliary = [\"(x^2*y*sin(z) + t*x)'\", \"atan2(y, x)'\"]\n"
                               "transpositional = \"hoelder\"\n") +
                           with_roots_and_powers + "lambda = [0.8]\n";
  const Evaluation plain = evaluate(scratch_model(text, "m.toml"), {{Form::mvm1, Form::vakonomic}, false});
  const Evaluation gauged =
      evaluate(scratch_model(text + "lambda0 = [1.7, -0.6]\n", "m.toml"), {{Form::mvm1, Form::vakonomic}, false});
  expect_near(mvm1_of(gauged).values->a, mvm1_of(plain).values->a, 1e-13, "a");
  expect_near(mvm1_of(gauged).values->a, gauged.find(Form::vakonomic)->values->a, 1e-13, "a");
  expect_near(mvm1_of(gauged).values->lambda_dot, gauged.find(Form::vakonomic)->values->lambda_dot, 1e-13, "rates");
  // a function that is none does act
  const std::string other = "auxiliary = [\"y*x'\"]\ntranspositional = \"hoelder\"\n" +
                            std::string(with_roots_and_powers) + "lambda = [0.8]\nlambda0 = [1.7]\n";
  const Evaluation acts = evaluate(scratch_model(other, "m.toml"), {{Form::mvm1, Form::vakonomic}, false});
  EXPECT_GT(std::fabs(mvm1_of(acts).values->a[0] - acts.find(Form::vakonomic)->values->a[0]), 0.1);
}

// By hand, from δ∫L = ∫(L_q δq + L_v·(δq˙ + A δq)): E L = Aᵀ L_v.
TEST(Mvm1, FollowsFromHamiltonsPrincipleByHand) {
  // a free particle and one entry: δ(x') = (δx)' + c y' δy turns p_x into a force on y
  const Evaluation one = evaluate(SystemBuilder()
                                      .coordinates({"x", "y"})
                                      .lagrangian("(3*x'^2 + y'^2)/2")
                                      .transpositional({{"0", "2*y'"}, {"0", "0"}})
                                      .initial("x'", 0.7)
                                      .initial("y'", -1.3)
                                      .build(),
                                  {{Form::mvm1}, false});
  expect_near(mvm1_of(one).values->a, {0, 2 * -1.3 * 3 * 0.7}, 1e-14, "one entry");
  EXPECT_EQ(mvm1_of(one).vanishing_relations, std::vector<std::size_t>{1});
  // with the acceleration in it: m x'' = k x'' m x' − V'
  const Evaluation accelerated = evaluate(SystemBuilder()
                                              .coordinates({"x"})
                                              .lagrangian("m/2*x'^2 - sin(x)")
                                              .parameter("m", 2)
                                              .transpositional({{"x''/4"}})
                                              .initial("x", 0.3)
                                              .initial("x'", 0.8)
                                              .build(),
                                          {{Form::mvm1}, false});
  const double a = -std::cos(0.3) / (2 * (1 - 0.8 / 4));
  expect_near(mvm1_of(accelerated).values->a, {a}, 1e-14, "accelerated");
  expect_near(mvm1_of(accelerated).values->transpositional, {a / 4}, 1e-14, "its A");
  // with a multiplier and a function: L − λ(x' − y) − λ⁰ x y' of two coordinates, A = [[0, 0], [e, 0]], e = 5x
  //   E: (x'' − λ̇, y'') less (−λ⁰ y', λ − λ⁰(−x')) … is (e ∂𝓛/∂y', 0), ∂𝓛/∂y' = y' − λ⁰ x; and x'' = y'
  const double x = 0.4, y = 0.9, w = -0.7, lambda = 1.5, constant = 0.6, e = 5 * x;
  const Evaluation both = evaluate(SystemBuilder()
                                       .coordinates({"x", "y"})
                                       .lagrangian("(x'^2 + y'^2)/2")
                                       .constraint("x' - y = 0")
                                       .auxiliary("x*y'")
                                       .transpositional({{"0", "0"}, {"5*x", "0"}})
                                       .initial("x", x)
                                       .initial("y", y)
                                       .initial("y'", w)
                                       .lambda({lambda})
                                       .lambda0({constant})
                                       .build(),
                                   {{Form::mvm1}, false});
  // E_x 𝓛 = x'' − λ̇ + λ⁰ y' = e (y' − λ⁰ x);   E_y 𝓛 = y'' − λ⁰ x' − λ = 0
  expect_near(mvm1_of(both).values->a, {w, constant * y + lambda}, 1e-14, "both");
  expect_near(mvm1_of(both).values->lambda_dot, {w + constant * w - e * (w - constant * x)}, 1e-14, "both");
}

// (34) of [L] for x' sin φ = y' cos φ, solved for the dependent y: δ(y') − (δy)' = −(φ' δx cos φ + φ' δy sin φ − u δφ)/cos φ.
TEST(Mvm1, OfSuslovHasZeroRowsForTheIndependentCoordinates) {
  const std::string body = R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2 + phi'^2)/2 + 4*x"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
dependent = ["y"]
[initial]
phi = 0.7
"x'" = 0.9
"phi'" = 1.3
lambda = [0.6]
)toml";
  const Evaluation named = evaluate(scratch_model("transpositional = \"suslov\"\n" + body, "m.toml"));
  const Evaluation written = evaluate(scratch_model(
      R"toml(transpositional = [["0", "0", "0"],
  ["-phi'", "-phi'*tan(phi)", "(x'*cos(phi) + y'*sin(phi))/cos(phi)"],
  [0, 0, 0]])toml" +
          body,
      "m.toml"));
  expect_near(mvm1_of(named).values->transpositional, mvm1_of(written).values->transpositional, 1e-14, "A");
  expect_near(mvm1_of(named).values->a, mvm1_of(written).values->a, 1e-14, "a");
  // the constraint's D is zero, so λ drops out, and what is left is the constraint substituted into L
  expect_near(mvm1_of(named).values->a, named.find(Form::reduced)->values->a, 1e-13, "reduced");
  EXPECT_EQ(mvm1_of(named).vanishing_relations, (std::vector<std::size_t>{0, 2}));
  EXPECT_GT(*mvm1_of(named).discrepancy, 0.1);
}

TEST(Mvm1, StandsAmongTheFormsOfAModelThatGivesRelationsAndOfNoOther) {
  const std::string body = "coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n";
  const Evaluation without = evaluate(scratch_model(body, "m.toml"));
  EXPECT_EQ(without.find(Form::mvm1), nullptr);
  const Evaluation with = evaluate(scratch_model("transpositional = [[0]]\n" + body, "m.toml"));
  std::vector<std::string> names;
  for (const FormResult& form : with.forms) names.push_back(form.form.name());
  const auto vakonomic = std::ranges::find(names, "vakonomic");
  ASSERT_NE(vakonomic, names.end());
  EXPECT_EQ(*(vakonomic + 1), "mvm1");
  // named where there is none, it says what is missing
  const Evaluation asked = evaluate(scratch_model(body, "m.toml"), {{Form::mvm1}, false});
  ASSERT_TRUE(asked.find(Form::mvm1)->error);
  EXPECT_EQ(asked.find(Form::mvm1)->error->code(), ErrorCode::not_applicable);
  EXPECT_THAT(asked.find(Form::mvm1)->error->message(), HasSubstr("`transpositional`"));
}

TEST(Mvm1, CanBeComparedAtRandomStates) {
  const System system = with_view(scratch_model(with_roots_and_powers, "m.toml"), View::hoelder, 5);
  EXPECT_TRUE(compare(system, Form::mvm1, Form::vakonomic, {}).agree());
  EXPECT_FALSE(compare(system, Form::mvm1, Form::multipliers, {}).agree());
}

TEST(Mvm1, SolvesForAccelerationsThatItsMatrixContainsNonlinearly) {
  const auto model = [](double k, double v) {
    return SystemBuilder()
        .coordinates({"x", "y"})
        .lagrangian("(x'^2 + y'^2)/2 - 2*x")
        .constraint("y' - x*x' = 0")
        .parameter("k", k)
        .transpositional({{"0", "0"}, {"0", "k*y''^2"}})
        .initial("x", 0.5)
        .initial("x'", v)
        .build();
  };
  // the row of y is y'' = k y''² y' + λ̇ and of x is x'' = −2 − x λ̇ (λ = 0), with y'' = x x'' + x'²
  for (const double k : {0.0, 0.3, -0.2}) {
    for (const double v : {0.4, -0.9}) {
      SCOPED_TRACE(fmt::format("{}, {}", k, v));
      const double x = 0.5, w = x * v;
      const System system = model(k, v);
      const Evaluation e = evaluate(system, {{Form::mvm1}, false});
      const double a = mvm1_of(e).values->a[0], b = mvm1_of(e).values->a[1], rate = mvm1_of(e).values->lambda_dot[0];
      EXPECT_NEAR(b, x * a + v * v, 1e-14);
      EXPECT_NEAR(b, k * b * b * w + rate, 1e-14);
      EXPECT_NEAR(a, -2 - x * rate, 1e-14);
      EXPECT_NEAR(mvm1_of(e).values->transpositional[3], k * b * b, 1e-14);
      // the quadratic equation for a, on the branch through k = 0
      const double A2 = k * w * x * x * x, A1 = -(1 + x * x) + 2 * k * w * x * x * v * v,
                   A0 = -2 - x * v * v + k * w * x * v * v * v * v;
      const double root = A2 == 0 ? -A0 / A1 : (-A1 - std::sqrt(A1 * A1 - 4 * A2 * A0)) / (2 * A2);
      EXPECT_NEAR(a, root, 1e-12);
      EXPECT_FALSE(mvm1_of(e).notes.empty());
      // and in balls, to many more digits
      Groundwork work(system);
      const Setting setting = work.setting();
      const CompiledForm form(setting, Form::mvm1->derive(setting));
      constexpr long bits = 300;
      std::vector<Ball> inputs;
      for (const double value : state_values(work.initial().state, parameter_values(work.system())))
        inputs.push_back(Ball::from_double(value));
      inputs.push_back(Ball::from_double(0));
      const auto precise = form.evaluate(inputs, bits);
      const Ball balance =
          precise.a[1] - Ball::from_double(k) * precise.a[1] * precise.a[1] * inputs[3] - precise.lambda_dot[0];
      EXPECT_LT(balance.magnitude_log10(), -80);
    }
  }
}

TEST(Mvm1, GivesNoMotionWhereItsEquationsAreNotLinearInTheAccelerations) {
  Groundwork work(
      scratch_model("transpositional = [[\"x''^2\"]]\ncoordinates = [\"x\"]\nlagrangian = \"x'^2/2 - x\"\n"
                    "[initial]\n\"x'\" = 0.1\n",
                    "m.toml"));
  try {
    (void)first_order(work.setting(), work.initial().state, Form::mvm1);
    FAIL() << "a motion";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_applicable);
    EXPECT_THAT(error.message(), HasSubstr("not linear in the accelerations"));
  }
  const Evaluation none = evaluate(scratch_model("transpositional = [[\"x''^2\"]]\ncoordinates = [\"x\"]\n"
                                                 "lagrangian = \"x'^2/2 + x\"\n[initial]\n\"x'\" = 4\n",
                                                 "m.toml"),
                                   {{Form::mvm1}, false});
  // a = 4 a² + 1 has no real root
  ASSERT_TRUE(none.find(Form::mvm1)->error);
  EXPECT_THAT(none.find(Form::mvm1)->error->message(), HasSubstr("Newton's method finds none"));
}

TEST(Mvm1, IsSingularWhereItsMatrixIs) {
  // 1 − x'/4 · … = 0 at x' = 4
  const Evaluation e = evaluate(scratch_model("transpositional = [[\"x''/4\"]]\ncoordinates = [\"x\"]\n"
                                              "lagrangian = \"x'^2/2 - x\"\n[initial]\n\"x'\" = 4\n",
                                              "m.toml"),
                                {{Form::mvm1}, false});
  ASSERT_TRUE(e.find(Form::mvm1)->error);
  EXPECT_EQ(e.find(Form::mvm1)->error->code(), ErrorCode::singular_mass_matrix);
}

}  // namespace
}  // namespace cetaev
