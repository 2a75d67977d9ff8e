#include "cetaev/codegen/export.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "scratch.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;
using testing::Not;

System gallery_model(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml").rdbuf();
  return scratch_model(text.str(), name + ".toml");
}

std::string c_code(const std::string& model, std::optional<Form> form = {}) {
  return export_code(scratch_model(model, "model.toml"), form, Language::c);
}

ErrorCode refusal(const System& system, std::optional<Form> form) {
  try {
    (void)export_code(system, form, Language::c);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::cannot_write;
}

// u' = g sinβ cosφ, w' = 0, x' = u cosφ, y' = u sinφ, φ' = w: what one would write by hand, and nothing more.
TEST(ExportedCode, OfTheSkateIsWhatOneWouldWriteByHand) {
  EXPECT_THAT(export_code(gallery_model("skate"), std::nullopt, Language::c), HasSubstr(R"(
  const double phi = state[2];
  const double u = state[3];
  const double w = state[4];
  const double cos_phi = cos(phi);
  rate[0] = cos_phi*u;
  rate[1] = sin(phi)*u;
  rate[2] = w;
  rate[3] = p->g*sin(p->slope)*cos_phi;
  rate[4] = 0.0;
)"));
}

TEST(ExportedCode, IsInQuasiVelocitiesWhereTheseServeEverywhere) {
  EXPECT_EQ(equations_to_export(gallery_model("skate")).form, "hamel");
  EXPECT_EQ(equations_to_export(gallery_model("chaplygin-sleigh")).form, "hamel");
  // nonlinear constraints; accelerations; Euler angles, whose rates have a tangent in them
  EXPECT_EQ(equations_to_export(gallery_model("appell-hamel")).form, "multipliers");
  EXPECT_EQ(equations_to_export(gallery_model("prescribed-tangential-acceleration")).form, "multipliers");
  EXPECT_EQ(equations_to_export(gallery_model("ball-on-turntable")).form, "multipliers");
}

TEST(ExportedCode, IsRefusedWithTheDiagnosisOfTheForm) {
  EXPECT_EQ(refusal(gallery_model("appell-hamel"), "hamel"), ErrorCode::not_applicable);
  EXPECT_EQ(refusal(gallery_model("appell-hamel"), "caplygin"), ErrorCode::not_caplygin);
  EXPECT_EQ(refusal(gallery_model("prescribed-acceleration"), {}), ErrorCode::not_applicable);
  const System spin = scratch_model("coordinates = [\"x\", \"spin\"]\nkinetic = \"x'^2/2\"\n", "spin.toml");
  EXPECT_EQ(refusal(spin, "multipliers"), ErrorCode::singular_mass_matrix);
  EXPECT_EQ(refusal(spin, {}), ErrorCode::singular_mass_matrix);
}

TEST(ExportedCode, StartsWhereTheModelStarts) {
  const std::string c = export_code(gallery_model("skate"), "vakonomic", Language::c);
  EXPECT_THAT(c, HasSubstr("  state[5] = 1.3;\n  state[6] = 0.0;\n  return 0.0;\n"));
  // u = x' cos φ + y' sin φ, φ = 0
  const System moving = scratch_model(R"toml(coordinates = ["x", "y", "phi"]
kinetic = "(x'^2 + y'^2 + phi'^2)/2"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[quasi_velocities]
u = "x'*cos(phi) + y'*sin(phi)"
w = "phi'"
[initial]
"x'" = 2.5
"phi'" = 0.5
t = 3
)toml",
                                      "blade.toml");
  EXPECT_THAT(export_code(moving, std::nullopt, Language::python),
              HasSubstr("INITIAL_TIME = 3.0\nINITIAL_STATE = (0.0, 0.0, 0.0, 2.5, 0.5,)"));
  EXPECT_THAT(export_code(moving, std::nullopt, Language::matlab),
              HasSubstr("model.initial_state = [0.0, 0.0, 0.0, 2.5, 0.5].';"));
}

TEST(ExportedCode, WritesNumbersThatReadBackExactly) {
  const std::string code = c_code(R"toml(coordinates = ["x"]
lagrangian = "x'^2/2 - x^3/9 - 0.1*x^2 - 123456789012345678901234567890*x^4 - pi*sin(x)"
[parameters]
a = "1/3"
b = 1e-300
)toml");
  EXPECT_THAT(code, HasSubstr("1.0/3.0"));
  EXPECT_THAT(code, HasSubstr("0.2"));
  EXPECT_THAT(code, HasSubstr("p.a = 0.3333333333333333;"));
  EXPECT_THAT(code, HasSubstr("p.b = 1e-300;"));
  EXPECT_THAT(code, HasSubstr("3.1415926535897931*cos"));
  EXPECT_THAT(code, Not(HasSubstr("M_PI")));
}

TEST(ExportedCode, KeepsNamesOfTheModelApartFromThoseOfTheLanguages) {
  const std::string code = c_code(R"toml(coordinates = ["double", "θ", "theta", "state", "p"]
kinetic = "(double'^2 + θ'^2 + theta'^2 + state'^2 + p'^2)/2"
potential = "double*θ*theta*state*p*lambda"
[parameters]
lambda = 1
)toml");
  for (const char* line : {"double_   in the model double", "theta   in the model θ", "theta2   in the model theta",
                           "state_   in the model state", "p_   in the model p", "lambda_   in the model lambda",
                           "const double double_ = state[0];", "const double theta = state[1];", "p->lambda_"}) {
    EXPECT_THAT(code, HasSubstr(line));
  }
}

TEST(ExportedCode, DoesNotLetTextsLeaveTheComment) {
  const std::string model =
      "name = \"a */ b ?"
      "?/ c\\\\\"\ndescription = \"\\r\\n%}\\n\\u202e end\"\n"
      "coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\n";
  const std::string code = c_code(model);
  EXPECT_EQ(code.find("*/"), code.find(" */\n#ifndef") + 1);
  EXPECT_THAT(code, Not(HasSubstr("\?\?/")));
  EXPECT_THAT(code, Not(HasSubstr("\\\n")));
  EXPECT_THAT(code, Not(HasSubstr("\u202e")));
  for (const Language language : {Language::python, Language::matlab}) {
    std::istringstream lines(export_code(scratch_model(model, "m.toml"), std::nullopt, language));
    std::string line;
    while (std::getline(lines, line)) EXPECT_THAT(line, Not(HasSubstr("\r")));
  }
}

TEST(ExportedCode, IsTheSameEveryTime) {
  for (const Language language : {Language::c, Language::cpp, Language::python, Language::cuda, Language::matlab}) {
    EXPECT_EQ(export_code(gallery_model("zekovic"), std::nullopt, language),
              export_code(gallery_model("zekovic"), std::nullopt, language));
  }
}

}  // namespace
}  // namespace cetaev
