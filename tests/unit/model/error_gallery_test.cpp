// Every kind of mistake in a model file, with the words, the place and the suggestion that answer it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cetaev/expr/evaluate.hpp"
#include "refuses.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

constexpr auto parse_error = ErrorCode::parse_error;
constexpr auto unknown_name = ErrorCode::unknown_name;
constexpr auto bad_model = ErrorCode::bad_model;

// A model that is complete but for what a test adds.
const std::string complete = "coordinates = [\"x\", \"y\"]\nlagrangian = \"x'^2 + y'^2\"\n";

TEST(ErrorGallery, TomlSyntax) {
  refuses("coordinates ¶[\"x\"]\n", parse_error, "expected '=' after the key 'coordinates', found '['");
  refuses("coordinates =¶\n", parse_error, "expected a value after '='");
  refuses("a = ¶\"text\nb = 1\n", parse_error, "this string is not closed on its line");
  refuses("a = ¶\"\"\"text\nb = 1\n", parse_error, "this string of several lines is never closed");
  refuses("a = ¶[1, [2, 3]\n", parse_error, "this '[' is never closed");
  refuses("a = [1, ¶[2, 3\n", parse_error, "this '[' is never closed");
  refuses("a = [1 ¶2]\n", parse_error, "expected ',' or ']' in the array, found '2'");
  refuses("a = [1,¶, 2]\n", parse_error, "expected a value, found ','");
}

TEST(ErrorGallery, TomlSyntaxFurther) {
  refuses("a = {b = 1 ¶c = 2}\n", parse_error, "expected ',' or '}' in the table, found 'c'");
  refuses("[parameters¶\nm = 1\n", parse_error, "expected ']' after the name of the table, found the end of the line");
  refuses("[[points]¶\n", parse_error, "expected ']]', as the table began with '[['");
  refuses("[¶]\n", parse_error, "a table needs a name");
  refuses("¶= 3\n", parse_error, "expected a key, found '='");
  refuses("a = \"x\" ¶b\n", parse_error, "expected the end of the line, found 'b'");
  refuses("a = \"x¶\\q\"\n", parse_error, "unknown escape in a string: '\\q'; a backslash is written \\\\");
  refuses("a = \"x¶\\u12\"\n", parse_error, "the escape \\u needs 4 hexadecimal digits");
  refuses("a = \"x¶\\uD800\"\n", parse_error, "this escape is not a character");
  refuses("a = \"x¶\x01\"\n", parse_error, "a control character in a string: the character U+0001");
  refuses("m = 1\n¶m = 2\n", parse_error, "'m' is written twice");
  refuses("[parameters]\nm = 1\n\"g\" = 3\n¶g = 2\n", parse_error, "'g' is written twice");
  refuses("[parameters]\n¶[parameters]\n", parse_error, "'parameters' is written twice");
  refuses("m = 1\n¶[m.a]\nb = 1\n", parse_error, "'m' is written twice");
  refuses("m = 1\n¶m.a = 1\n", parse_error, "'m' is written twice");
  refuses("m = {a = 1}\n¶[m.b]", parse_error, "'m' is written twice");
  refuses("θ = 1\nφ = 2\n¶\"θ\" = 2\n", parse_error, "'θ' is written twice");
  refuses("θ = 1\nφ = 2\n¶\"\\u03b8\" = 2\n", parse_error, "'θ' is written twice");
  refuses("m¶× = 1\n", parse_error, "expected '=' after the key 'm', found '×' (U+00D7)");
  refuses("m¶\u00a0= 1\n", parse_error, "expected '=' after the key 'm', found the character U+00A0");
}

TEST(ErrorGallery, ExpressionsWithoutQuotes) {
  refuses("[parameters]\nk = ¶2*m # N/m\n", parse_error,
          "'2*m' is neither a number nor a text in quotes; expressions are written in quotes", "\"2*m\"");
  refuses("[parameters]\nk = ¶2 * m\n", parse_error,
          "'2 * m' is neither a number nor a text in quotes; expressions are written in quotes", "\"2 * m\"");
  refuses("coordinates = [¶x, y]\n", parse_error,
          "'x' is neither a number nor a text in quotes; expressions are written in quotes", "\"x\"");
  refuses("a = ¶.5\n", parse_error, "'.5' is neither a number nor a text in quotes; expressions are written in quotes",
          "\".5\"");
  refuses("[initial]\n¶phi' = 1.3\n", parse_error, "a key with a prime is written in quotes", "\"phi'\"");
}

TEST(ErrorGallery, EmptyAndIncompleteModels) {
  refuses("¶", bad_model, "the model is empty: it needs 'coordinates' and a 'lagrangian'");
  refuses("¶# only a comment\n", bad_model, "the model is empty: it needs 'coordinates' and a 'lagrangian'");
  refuses("¶lagrangian = \"0\"\n", bad_model, "'coordinates' is missing");
  refuses("coordinates = ¶[]\n", bad_model, "'coordinates' is empty: a system has at least one");
  refuses(
      "¶coordinates = [\"x\"]\n", bad_model,
      "the model has no energy: it needs 'lagrangian', or any of 'kinetic', 'potential', [[points]] and [[bodies]]");
}

TEST(ErrorGallery, LagrangianTogetherWithKineticOrPotential) {
  refuses("coordinates = [\"x\"]\nlagrangian = \"x'^2\"\n¶kinetic = \"x'^2\"\n", bad_model,
          "'kinetic' beside 'lagrangian': a model has one or the other");
  refuses("coordinates = [\"x\"]\npotential = \"x^2\"\n¶lagrangian = \"x'^2\"\n", bad_model,
          "'potential' beside 'lagrangian': a model has one or the other");
}

TEST(ErrorGallery, UnknownKeys) {
  refuses("coordinates = [\"x\"]\n¶lagrangain = \"x'^2\"\n", bad_model, "unknown key 'lagrangain'", "lagrangian");
  refuses("coordinates = [\"x\"]\nlagrangian = \"x'^2\"\n[¶colours]\nc = 1\n", bad_model, "unknown key 'colours'");
  refuses(complete + "[[points]]\n¶weight = 1\nposition = [0, 0, 0]\n", bad_model,
          "unknown key 'weight' in [[points]]");
  refuses(complete + "[[points]]\n¶masss = 1\nposition = [0, 0, 0]\n", bad_model, "unknown key 'masss' in [[points]]",
          "mass");
  refuses(complete + "[simulation]\n¶tend = 1\n", bad_model, "unknown key 'tend' in [simulation]", "t_end");
  refuses(complete + "[forces]\n¶z = 1\n", bad_model, "unknown key 'z' in [forces]");
  refuses("coordinates = [\"phi\"]\nlagrangian = \"0\"\n[forces]\n¶Phi = 1\n", bad_model,
          "unknown key 'Phi' in [forces]", "phi");
  refuses("coordinates = [\"phi\"]\nlagrangian = \"0\"\n[initial]\n¶\"ph'\" = 1\n", bad_model,
          "unknown key 'ph'' in [initial]", "phi'");
  refuses(complete + "[simulation]\n¶constraints = []\n", bad_model,
          "unknown key 'constraints' in [simulation]; it belongs before the first [table]");
  refuses(complete + "[parameters]\n¶constraints = [\"x\"]\n", bad_model,
          "unknown key 'constraints' in [parameters]; it belongs before the first [table]");
}

TEST(ErrorGallery, WrongTypes) {
  refuses("coordinates = ¶\"x\"\n", bad_model, "'coordinates' must be an array of names, found a string");
  refuses("coordinates = [¶1]\n", bad_model, "a coordinate must be a name in quotes, found a number");
  refuses("name = ¶3\ncoordinates = [\"x\"]\n", bad_model, "'name' must be a string, found a number");
  refuses("coordinates = [\"x\"]\nlagrangian = ¶[\"x\"]\n", bad_model,
          "the Lagrangian must be a number or an expression in quotes, found an array");
  refuses("coordinates = [\"x\"]\nlagrangian = ¶true\n", bad_model,
          "the Lagrangian must be a number or an expression in quotes, found true or false");
  refuses("constraints = ¶\"x = 0\"\n" + complete, bad_model,
          "'constraints' must be an array of equations, found a string");
  refuses("constraints = [\"x = 0\", ¶[]]\n" + complete, bad_model,
          "a constraint must be an equation in quotes, found an array");
  refuses("parameters = ¶1\n" + complete, bad_model, "'parameters' must be a table, found a number");
  refuses("points = ¶{name = \"P\"}\n" + complete, bad_model,
          "'points' must be a list of tables, each beginning with [[points]], found a table");
  refuses("points = [¶1]\n" + complete, bad_model,
          "a point must be a table with 'mass' and 'position', found a number");
  refuses(complete + "[[points]]\nname = ¶1\n", bad_model, "the name of a point must be a string, found a number");
  refuses(complete + "[[points]]\nposition = ¶1\n", bad_model,
          "the position of point 1 must be an array of three expressions, found a number");
  refuses(complete + "[parameters]\nm = ¶2020-01-01\n", bad_model,
          "the parameter 'm' must be a number or an expression in quotes, found a date or time");
  refuses(complete + "[parameters]\n¶m.a = 1\n", bad_model,
          "the parameter 'm' must be a number or an expression in quotes, found a table");
}

TEST(ErrorGallery, NamesThatCannotBe) {
  refuses("coordinates = [\"x\", \"¶x\"]\n", bad_model, "'x' is named twice");
  refuses("coordinates = [\"¶sin\"]\n", bad_model, "'sin' cannot be the name of a coordinate: it is a function");
  refuses("coordinates = [\"¶dot\"]\n", bad_model, "'dot' cannot be the name of a coordinate: it is a function");
  refuses("coordinates = [\"¶t\"]\n", bad_model, "'t' cannot be the name of a coordinate: it is the time");
  refuses("coordinates = [\"x\", \"¶E\"]\n", bad_model,
          "'E' cannot be the name of a coordinate: it is the column of the energy in tables of motions");
  refuses("coordinates = [\"¶residual\"]\n", bad_model,
          "'residual' cannot be the name of a coordinate: it is the column of the residual in tables of motions");
  refuses("coordinates = [\"¶lambda12\"]\n", bad_model,
          "'lambda12' cannot be the name of a coordinate: it is the column of a multiplier in tables of motions");
  refuses("coordinates = [\"¶status\"]\n", bad_model,
          "'status' cannot be the name of a coordinate: it is a column of tables of sweeps: how each motion has ended");
  refuses("coordinates = [\"¶diagnosis\"]\n", bad_model,
          "'diagnosis' cannot be the name of a coordinate: it is a column of tables of sweeps: why a motion has ended");
  refuses("coordinates = [\"¶pi\"]\n", bad_model, "'pi' cannot be the name of a coordinate: it is the number pi");
  refuses("coordinates = [\"¶x'\"]\n", bad_model,
          "'x'' cannot be the name of a coordinate: names have letters, digits and '_' and begin with a letter");
  refuses("coordinates = [\"¶2x\"]\n", bad_model,
          "'2x' cannot be the name of a coordinate: names have letters, digits and '_' and begin with a letter");
  refuses("coordinates = [\"¶\"]\n", bad_model,
          "'' cannot be the name of a coordinate: names have letters, digits and '_' and begin with a letter");
  refuses(complete + "[parameters]\n¶x = 1\n", bad_model, "'x' cannot be the name of a parameter: it is a coordinate");
  refuses(complete + "[definitions]\n¶y = 1\n", bad_model,
          "'y' cannot be the name of a definition: it is a coordinate");
  refuses(complete + "[[points]]\nname = \"¶m\"\n[parameters]\nm = 1\n", bad_model,
          "'m' cannot be the name of a point: it is a parameter");
  refuses(complete + "[[points]]\nname = \"P\"\nposition = [0, 0, 0]\n[[points]]\nname = \"¶P\"\n", bad_model,
          "'P' is named twice");
  refuses(complete + "[quasi_velocities]\n¶x = \"x'\"\n", bad_model,
          "'x' cannot be the name of a quasi-velocity: it is a coordinate");
  refuses(complete + "[parameters]\n¶m-1 = 1\n", bad_model,
          "'m-1' cannot be the name of a parameter: names have letters, digits and '_' and begin with a letter");
}

TEST(ErrorGallery, UnknownNamesInExpressions) {
  refuses_lagrangian("m*¶z", unknown_name, "unknown name 'z'");
  refuses("coordinates = [\"theta\"]\nlagrangian = \"¶thteta'^2\"\n", unknown_name, "unknown name 'thteta'", "theta");
  refuses("coordinates = [\"θ\"]\nlagrangian = \"¶theta'^2\"\n", unknown_name, "unknown name 'theta'", "θ");
  refuses("coordinates = [\"phi\"]\nlagrangian = \"¶phi_dot^2\"\n", unknown_name, "unknown name 'phi_dot'", "phi'");
  refuses_lagrangian("¶sine(x)", unknown_name, "unknown function 'sine'", "sin");
  refuses_lagrangian("¶arctan(x)", unknown_name, "unknown function 'arctan'", "atan");
  refuses_lagrangian("¶Sin(x)", unknown_name, "unknown function 'Sin'", "sin");
  refuses_lagrangian("¶f(x)", unknown_name, "unknown function 'f'");
  refuses("coordinates = [\"x\"]\nlagrangian = \"x'^2\"\nconstraints = [\n  \"x = 1\",\n  \"x' = ¶v0\",\n]\n",
          unknown_name, "unknown name 'v0'");
}

// The formula that a message proposes, "min(a, b) is …", is the function.
TEST(ErrorGallery, FunctionsThatTheLanguageSaysOtherwise) {
  refuses_lagrangian("¶ln(x)", unknown_name, "unknown function 'ln'", "log");
  refuses_lagrangian("¶arcsinh(x)", unknown_name, "unknown function 'arcsinh'", "asinh");
  refuses_lagrangian("¶sign(x)", unknown_name, "unknown function 'sign'; sign(x) is abs(x)/x, which jumps at 0");
  refuses_lagrangian("¶min(x, y)", unknown_name, "unknown function 'min'; min(a, b) is (a + b - abs(a - b))/2");
  refuses_lagrangian("¶diff(x, t)", unknown_name, "unknown function 'diff'; the derivative of x by time is x'");

  using Function = double (*)(double, double);
  const std::pair<const char*, Function> functions[] = {
      {"log10", [](double x, double) { return std::log10(x); }},
      {"lg", [](double x, double) { return std::log10(x); }},
      {"log2", [](double x, double) { return std::log2(x); }},
      {"ld", [](double x, double) { return std::log2(x); }},
      {"sign", [](double x, double) { return x < 0 ? -1.0 : 1.0; }},
      {"sgn", [](double x, double) { return x < 0 ? -1.0 : 1.0; }},
      {"signum", [](double x, double) { return x < 0 ? -1.0 : 1.0; }},
      {"heaviside", [](double x, double) { return x < 0 ? 0.0 : 1.0; }},
      {"min", [](double a, double b) { return std::min(a, b); }},
      {"max", [](double a, double b) { return std::max(a, b); }},
      {"pow", [](double a, double b) { return std::pow(a, b); }},
      {"sqr", [](double x, double) { return x * x; }},
      {"cbrt", [](double x, double) { return std::cbrt(x); }},
      {"hypot", [](double a, double b) { return std::hypot(a, b); }},
      {"cot", [](double x, double) { return 1 / std::tan(x); }},
      {"ctg", [](double x, double) { return 1 / std::tan(x); }},
      {"sec", [](double x, double) { return 1 / std::cos(x); }},
      {"csc", [](double x, double) { return 1 / std::sin(x); }},
      {"cosec", [](double x, double) { return 1 / std::sin(x); }},
      {"coth", [](double x, double) { return 1 / std::tanh(x); }},
      {"sech", [](double x, double) { return 1 / std::cosh(x); }},
      {"csch", [](double x, double) { return 1 / std::sinh(x); }},
  };
  const System system = scratch_model("coordinates = ['x', 'a', 'b']\nlagrangian = \"x'^2\"\n", "m.toml");
  for (const auto& [name, function] : functions) {
    const auto error = error_of([&, name = name] { parse_expression(system, std::string(name) + "(x)"); });
    ASSERT_TRUE(error) << name;
    std::string formula = error->message();
    const std::string start = ") is ";
    ASSERT_NE(formula.find(start), std::string::npos) << formula;
    formula = formula.substr(formula.find(start) + start.size());
    formula = formula.substr(0, formula.find(','));
    const Expr here = parse_expression(system, formula);
    for (const auto& [first, second] : {std::pair{0.7, 1.9}, std::pair{2.3, 0.4}, std::pair{-1.2, 0.3}}) {
      const double wanted = function(first, second);
      if (std::isnan(wanted) || (first < 0 && std::string(name) == "cbrt")) continue;
      const std::vector<Value> at = {
          {system->motion.q[0], first}, {system->motion.q[1], first}, {system->motion.q[2], second}};
      EXPECT_NEAR(evaluate(here, at), wanted, 1e-14 * (1 + std::abs(wanted))) << name << "(" << first << ")";
    }
  }
}

TEST(ErrorGallery, FunctionsUsedWrongly) {
  refuses_lagrangian("2*¶sin", bad_model, "sin is a function and needs its argument in parentheses");
  refuses_lagrangian("¶m(x + y)", bad_model, "'m' is a parameter, not a function; a product needs '*'");
  refuses_lagrangian("¶atan2(x)", bad_model, "atan2 takes two arguments, found 1");
  refuses_lagrangian("¶sin(x, y)", bad_model, "sin takes one argument, found 2");
  refuses_lagrangian("1 + ¶log(0)", bad_model, "log(0) is not defined");
}

TEST(ErrorGallery, VectorsWhereScalarsAreNeeded) {
  refuses_lagrangian("¶P", bad_model, "a vector where a scalar is needed: the Lagrangian");
  refuses_lagrangian("x + ¶P", bad_model, "a vector where a scalar is needed: a term of a sum of scalars");
  refuses_lagrangian("sin(¶d)", bad_model, "a vector where a scalar is needed: the argument of sin");
  refuses_lagrangian("x/¶P", bad_model, "a vector where a scalar is needed: a divisor");
  refuses_lagrangian("¶P'^2", bad_model, "a vector where a scalar is needed: the base of a power");
  refuses_lagrangian("2^¶P", bad_model, "a vector where a scalar is needed: an exponent");
  refuses_lagrangian("norm([x, ¶P, 0])", bad_model, "a vector where a scalar is needed: a component of a vector");
  refuses_lagrangian("P*¶d", bad_model, "a product of two vectors is written dot(u, v) or cross(u, v)");
  refuses(complete + "[[points]]\nposition = [\"¶[x, y, 0]\", 0, 0]\n", bad_model,
          "a vector where a scalar is needed: the position of point 1");
  refuses(complete + "[parameters]\na = \"¶[1, 2, 3]\"\n", bad_model,
          "a vector where a scalar is needed: the parameter 'a'");
}

TEST(ErrorGallery, ScalarsWhereVectorsAreNeeded) {
  refuses_lagrangian("norm(¶x)", bad_model, "a scalar where a vector is needed: the argument of norm");
  refuses_lagrangian("dot(P, ¶s)", bad_model, "a scalar where a vector is needed: the argument of dot");
  refuses_lagrangian("dot(P, P + ¶x)", bad_model, "a scalar where a vector is needed: a term of a sum of vectors");
  refuses_lagrangian("¶x.y", bad_model, "a scalar where a vector is needed: only vectors have a component .y");
  refuses(complete + "[[points]]\nname = \"P\"\nposition = \"¶x + y\"\n", bad_model,
          "a scalar where a vector is needed: the position of P");
  refuses("constraints = [\"P = ¶x\"]\n" + complete + "[[points]]\nname = \"P\"\nposition = [\"x\", \"y\", 0]\n",
          bad_model, "an equation between a vector and a scalar");
}

TEST(ErrorGallery, DerivativesWhereTheyDoNotBelong) {
  refuses_lagrangian(
      "m/2*x'^2 + y*¶x''", bad_model,
      "the Lagrangian contains the acceleration x''; it may contain coordinates, velocities, the time and "
      "parameters");
  refuses_lagrangian(
      "m*¶(x*y')'", bad_model,
      "the Lagrangian contains the acceleration y''; it may contain coordinates, velocities, the time and "
      "parameters");
  refuses("coordinates = [\"x\"]\nkinetic = \"¶x''\"\n", bad_model,
          "the kinetic energy contains the acceleration x''; it may contain coordinates, velocities, the time and "
          "parameters");
  refuses(complete + "[forces]\nx = \"-¶x''\"\n", bad_model,
          "the force on 'x' contains the acceleration x''; it may contain coordinates, velocities, the time and "
          "parameters");
  refuses(complete + "[[points]]\nname = \"P\"\nposition = [\"x\", \"2*¶y'\", 0]\n", bad_model,
          "the position of P contains the velocity y'; it may contain coordinates, the time and parameters");
  refuses("auxiliary = [\"x'\", \"¶x''\"]\n" + complete, bad_model,
          "an auxiliary function contains the acceleration x''; it may contain coordinates, velocities, the time and "
          "parameters");
  refuses("constraints = [\"¶x''' = 0\"]\n" + complete, bad_model,
          "the third derivative of the coordinate 'x' is needed here; a model contains derivatives up to the second");
  refuses(complete + "[quasi_velocities]\nu = \"¶x'*y'\"\n", bad_model,
          "the quasi-velocity 'u' is not linear in the velocities");
}

TEST(ErrorGallery, TranspositionalRelations) {
  const std::string asked = ": as many as coordinates, 2, are needed";
  refuses("transpositional = ¶[[0, 0]]\n" + complete, bad_model, "'transpositional' has 1 row" + asked);
  refuses("transpositional = ¶[]\n" + complete, bad_model, "'transpositional' has 0 rows" + asked);
  refuses("transpositional = [[0, 0], ¶[0]]\n" + complete, bad_model, "row 2 of 'transpositional' has 1 entry" + asked);
  refuses("transpositional = [¶[0, 0, 0], [0, 0]]\n" + complete, bad_model,
          "row 1 of 'transpositional' has 3 entries" + asked);
  refuses("transpositional = [¶0, [0, 0]]\n" + complete, bad_model,
          "row 1 of 'transpositional' must be an array of expressions, found a number");
  refuses("transpositional = [[0, \"x*¶u\"], [0, 0]]\n" + complete, ErrorCode::unknown_name, "unknown name 'u'");
  refuses("transpositional = ¶3\n" + complete, bad_model,
          "'transpositional' must be a matrix of expressions, an array of rows, or one of hoelder, suslov, mvm2, mvm3, "
          "found a number");
  refuses("transpositional = \"¶hölder\"\n" + complete, bad_model,
          "unknown point of view on transpositional relations 'hölder'; there are hoelder, suslov, mvm2, mvm3",
          "hoelder");
  refuses("auxiliary = [\"x'\"]\n" + complete + "[initial]\nlambda0 = ¶[1, 2]\n", bad_model,
          "'lambda0' in [initial] has 2 entries, but there is 1 auxiliary function");
  refuses(complete + "[initial]\nlambda0 = ¶[1]\n", bad_model,
          "'lambda0' in [initial] has 1 entry, but there are 0 auxiliary functions");
  refuses("auxiliary = [\"x'\"]\n" + complete + "[initial]\nlambda0 = ¶1\n", bad_model,
          "'lambda0' in [initial] must be an array of numbers, one for each auxiliary function, found a number");
  refuses("auxiliary = [\"x'\"]\n" + complete + "[initial]\nlambda0 = [\"¶x\"]\n", bad_model,
          "an entry of 'lambda0' contains the coordinate x; it may contain parameters");
}

TEST(ErrorGallery, Parameters) {
  refuses(complete + "[parameters]\na = \"2*¶b\"\nb = 1\n", bad_model,
          "the parameter 'a' is defined by 'b', which is written later");
  refuses(complete + "[parameters]\na = \"¶a + 1\"\n", bad_model, "the parameter 'a' is defined by itself");
  refuses(complete + "[parameters]\na = \"1 + ¶x\"\n", bad_model,
          "the parameter 'a' contains the coordinate x; it may contain parameters");
  refuses(complete + "[parameters]\na = \"¶t\"\n", bad_model,
          "the parameter 'a' contains the time t; it may contain parameters");
  refuses(complete + "[parameters]\na = ¶inf\n", bad_model, "the parameter 'a' is not finite");
  refuses(complete + "[parameters]\na = ¶-nan\n", bad_model, "the parameter 'a' is not finite");
  refuses(complete + "[parameters]\na = 0\nb = \"¶log(a)\"\n", bad_model, "the parameter 'b' is not finite");
  refuses(complete + "[parameters]\nb = \"¶sqrt(-2)\"\n", bad_model, "the parameter 'b' is not finite");
  refuses(complete + "[parameters]\nb = ¶1e400\n", bad_model, "the parameter 'b' is not finite");
  refuses(complete + "[parameters]\na = 1\nb = 2\nc = \"¶1/(a - 1 - b)^b*log(a - 1)\"\n", bad_model,
          "the parameter 'c' is not finite");
}

TEST(ErrorGallery, DivisionByWhatIsIdenticallyZero) {
  refuses_lagrangian("1/¶0", bad_model, "division by zero");
  refuses_lagrangian("m/¶(x - x)", bad_model, "division by zero");
  refuses_lagrangian("m/¶(sin(x)^2 + cos(x)^2 - 1)", bad_model, "division by an expression that is identically zero");
  refuses_lagrangian("x/¶((x + y)^2 - x^2 - 2*x*y - y^2)", bad_model,
                     "division by an expression that is identically zero");
  refuses_lagrangian("¶(x - x)^-2", bad_model, "division by zero");
}

TEST(ErrorGallery, Circles) {
  refuses(complete + "[definitions]\nd = \"e + 1\"\ne = \"2*¶d\"\n", bad_model, "defined in a circle: d → e → d");
  refuses(complete + "[definitions]\nd = \"¶d\"\n", bad_model, "defined in a circle: d → d");
  refuses(complete + "[[points]]\nname = \"P\"\nposition = [\"Q.x\", 0, 0]\n[definitions]\nQ = \"2*¶P\"\n", bad_model,
          "defined in a circle: P → Q → P");
}

TEST(ErrorGallery, Points) {
  refuses(complete + "¶[[points]]\nname = \"P\"\n", bad_model, "point 'P' has no 'position'");
  refuses(complete + "[[points]]\nposition = ¶[\"x\", \"y\"]\n", bad_model, "a position has three components, found 2");
  refuses("coordinates = [\"x\"]\n¶[[points]]\nposition = [\"x\", 0, 0]\n", bad_model,
          "point '1' has no 'mass'; a point without mass has mass = 0");
  refuses("coordinates = [\"x\"]\n[[points]]\nmass = \"¶x'\"\nposition = [\"x\", 0, 0]\n", bad_model,
          "the mass of point '1' contains the velocity x'; it may contain coordinates, the time and parameters");
}

TEST(ErrorGallery, ListsOfCoordinates) {
  refuses("dependent = [\"¶z\"]\n" + complete, bad_model, "'z' in 'dependent' is not a coordinate");
  refuses("dependent = [\"x\", \"¶x\"]\n" + complete, bad_model, "'x' is named twice in 'dependent'");
  refuses("dependent = [\"¶fi\"]\ncoordinates = [\"phi\"]\nlagrangian = \"0\"\n", bad_model,
          "'fi' in 'dependent' is not a coordinate");
  refuses("dependent = [\"¶phy\"]\ncoordinates = [\"phi\"]\nlagrangian = \"0\"\n", bad_model,
          "'phy' in 'dependent' is not a coordinate", "phi");
}

TEST(ErrorGallery, InitialState) {
  refuses(complete + "[initial]\nx = \"¶y\"\n", bad_model,
          "the initial value of 'x' contains the coordinate y; it may contain parameters");
  refuses(complete + "[initial]\n¶\"x''\" = 1\n", bad_model,
          "the initial state has positions and velocities, no accelerations");
  refuses(complete + "[initial]\nx = ¶inf\n", bad_model, "the initial value of 'x' is not finite");
  refuses(complete + "[initial]\nlambda = ¶1\n", bad_model,
          "'lambda' in [initial] must be an array of numbers, found a number");
  refuses(complete + "[parameters]\nlambda = 2\n[initial]\nlambda = ¶1\n", bad_model,
          "'lambda' in [initial] must be an array of numbers, the multipliers (the parameter 'lambda' has its value in "
          "[parameters]), found a number");
  refuses(complete + "[initial]\nlambda = [1, ¶nan]\n", bad_model, "an entry of 'lambda' is not finite");
}

TEST(ErrorGallery, Simulation) {
  refuses(complete + "[simulation]\nt_end = ¶true\n", bad_model,
          "'t_end' must be a number or an expression in quotes, found true or false");
  refuses(complete + "[simulation]\nsamples = ¶1\n", bad_model,
          "'samples' must be a whole number from 2 to 1000000000");
  refuses(complete + "[simulation]\nsamples = ¶10.5\n", bad_model,
          "'samples' must be a whole number from 2 to 1000000000");
  refuses(complete + "[simulation]\ntolerance = ¶0\n", bad_model, "'tolerance' must be between 0 and 1");
  refuses(complete + "[simulation]\nform = ¶3\n", bad_model, "'form' in [simulation] must be a string, found a number");
}

TEST(ErrorGallery, Events) {
  const std::string events = complete + "[events]\n";
  refuses("events = ¶\"x\"\n" + complete, bad_model, "'events' must be a table, found a string");
  refuses(events + "a = ¶[\"x\"]\n", bad_model,
          "the event 'a' must be an expression in quotes or a table with 'when', found an array");
  refuses(events + "¶a = {direction = 1}\n", bad_model,
          "the event 'a' has no 'when', the expression whose zeros it is");
  refuses(events + "a = {when = ¶true}\n", bad_model,
          "the event 'a' must be a number or an expression in quotes, found true or false");
  refuses(events + "a = {when = \"x\", ¶directoin = 1}\n", bad_model, "unknown key 'directoin' of the event 'a'",
          "direction");
  refuses(events + "a = {when = \"x\", direction = ¶2}\n", bad_model,
          "'direction' of the event 'a' must be -1 (falling), 0 (both) or 1 (rising)");
  refuses(events + "a = {when = \"x\", direction = ¶\"1\"}\n", bad_model,
          "'direction' of the event 'a' must be -1 (falling), 0 (both) or 1 (rising)");
  refuses(events + "a = {when = \"x\", action = \"¶stopp\"}\n", bad_model,
          "unknown action 'stopp'; there are record, stop", "stop");
  refuses(events + "a = {when = \"x\", action = ¶1}\n", bad_model,
          "'action' of the event 'a' must be a string, found a number");
  refuses(
      events + "a = {when = \"x - ¶x''\"}\n", bad_model,
      "the event 'a' contains the acceleration x''; it may contain coordinates, velocities, the time and parameters");
  refuses(
      events + "a = \"¶(x*y)''\"\n", bad_model,
      "the event 'a' contains the acceleration x''; it may contain coordinates, velocities, the time and parameters");
  refuses(events + "a = \"x + ¶z\"\n", unknown_name, "unknown name 'z'");
  refuses(events + "a = \"x ¶= 1\"\n", parse_error, "'=' outside of constraints: only a constraint is an equation");
  refuses(events + "a = \"¶[x, y, 0]\"\n", bad_model, "a vector where a scalar is needed: the event 'a'");
  refuses(events + "a = \"¶2*pi\"\n", bad_model,
          "the event 'a' never changes: it contains no coordinate, no velocity and no time");
  refuses(events + "¶\"\" = \"x\"\n", bad_model, "an event needs a name");
}

TEST(ErrorGallery, PlacesInsideEscapesLinesAndScripts) {
  // \u03b8 is θ; the error behind it is counted in the characters of the file.
  refuses("coordinates = [\"θ\"]\nlagrangian = \"\\u03b8'^2 + ¶q\"\n", unknown_name, "unknown name 'q'");
  refuses("coordinates = [\"θ\"]\nlagrangian = \"θ'^2 + \\t¶q\"\n", unknown_name, "unknown name 'q'");
  refuses("coordinates = [\"θ\"]\nlagrangian = \"\"\"\n  θ'^2\n  + ¶q\n\"\"\"\n", unknown_name, "unknown name 'q'");
  refuses("coordinates = [\"θ\"]\nlagrangian = \"\"\"θ'^2 + \\\n     ¶q\"\"\"\n", unknown_name, "unknown name 'q'");
  refuses("coordinates = [\"θ\"]\r\nlagrangian = '''\r\n  θ^2\r\n  + ¶q'''\r\n", unknown_name, "unknown name 'q'");
  refuses("coordinates = [\"θ\"]\nlagrangian = 'θ^2 + ¶q'\n", unknown_name, "unknown name 'q'");
  refuses("coordinates = [\"θ\"]\nlagrangian = \"\"\"θ^2 +\n\n¶\"\"\"\n", parse_error, "expected an operand after '+'");
  refuses("coordinates = [\"θ\"]\nlagrangian = \"θ^2 +¶\"\n", parse_error, "expected an operand after '+'");
  refuses("coordinates = [\"θ\", # first\n \"φ\",\n \"¶θ\"]\n", bad_model, "'θ' is named twice");
}

TEST(ErrorGallery, Files) {
  const auto missing = error_of([] { read_model_file("no/such/model.toml"); });
  expect_error(missing, bad_model, "cannot read 'no/such/model.toml': there is no such file", "", "no/such/model.toml",
               1, 1);
  const std::string folder = std::filesystem::temp_directory_path().string();
  const auto directory = error_of([&] { read_model_file(folder); });
  ASSERT_TRUE(directory);
  EXPECT_EQ(directory->message(), "cannot read '" + folder + "': it is a directory");
}

}  // namespace
}  // namespace cetaev
