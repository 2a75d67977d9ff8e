// A model that tells the truth passes; each thing that is false is found, with its place.
#include "cetaev/verify/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "seeds.hpp"

namespace cetaev {
namespace {

using Kind = VerifiedItem::Kind;
using Outcome = VerifiedItem::Outcome;

// The skate from rest on a slope: a cycloid. Every statement below is known from the literature.
const std::string skate = R"toml(
name = "skate"
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2 + phi'^2)/2 + f*x"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[parameters]
f = 4.905
w = 1.3
[initial]
"x'" = 0
"phi'" = "w"
[integrals]
energy = "(x'^2 + y'^2 + phi'^2)/2 - f*x"
turning = "phi'"
[closed_form]
x = "f/(2*w^2)*sin(w*t)^2"
y = "f/(4*w^2)*(2*w*t - sin(2*w*t))"
phi = "w*t"
[expect]
rank = 1
conic = true
growth = [2, 3]
integrable = false
linearity = "linear"
conserved = true
)toml";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::size_t line_of(const std::string& text, const std::string& part) {
  return 1 +
         static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(text.rfind(part)), '\n'));
}

std::vector<VerifiedItem> failures(const std::string& text) {
  std::vector<VerifiedItem> list;
  for (const VerifiedItem& item : verify_model(read_model(text, "model.toml")).items)
    if (item.outcome == Outcome::fails) list.push_back(item);
  return list;
}

TEST(VerifyModel, TrueStatementsHold) {
  const VerifiedModel result = verify_model(read_model(skate, "model.toml"));
  EXPECT_TRUE(result.passed());
  const auto count = [&](Kind kind) {
    return std::count_if(result.items.begin(), result.items.end(),
                         [&](const auto& i) { return i.kind == kind && i.outcome == Outcome::holds; });
  };
  EXPECT_EQ(count(Kind::expectation), 6);
  EXPECT_EQ(count(Kind::integral), 2);
  EXPECT_EQ(count(Kind::closed_form), 3);
  EXPECT_GE(count(Kind::forms), 5);
  EXPECT_EQ(count(Kind::energy), 1);
  EXPECT_EQ(count(Kind::motion), 1);
  for (const VerifiedItem& item : result.items) {
    if (item.kind == Kind::closed_form) {
      EXPECT_NE(item.evidence.find("equations of motion to 60 digits at 6 random times"), std::string::npos)
          << item.evidence;
    }
  }
}

// What was changed, the kind of the item that must fail, and the name of the item.
struct Mutation {
  std::string from, to;
  Kind kind;
  std::string name;
};

TEST(VerifyModel, EveryFalseStatementIsFoundWithItsPlace) {
  const std::vector<Mutation> mutations = {
      {"rank = 1", "rank = 2", Kind::expectation, "rank"},
      {"conic = true", "conic = false", Kind::expectation, "conic"},
      {"growth = [2, 3]", "growth = [2, 2]", Kind::expectation, "growth"},
      {"\"linear\"", "\"affine\"", Kind::expectation, "linearity of constraint 1"},
      {"conserved = true", "conserved = false", Kind::expectation, "conserved"},
      {"/2 - f*x\"\nturn", "/2 + f*x\"\nturn", Kind::integral, "energy"},
      {"turning = \"phi'\"", "turning = \"phi'*cos(phi)\"", Kind::integral, "turning"},
      {"x = \"f/(2*w^2)", "x = \"-f/(2*w^2)", Kind::closed_form, "x"},
      {"- sin(2*w*t)", "+ sin(2*w*t)", Kind::closed_form, "y"},
      {"phi = \"w*t\"", "phi = \"w*t + 1e-7*t^3\"", Kind::closed_form, "phi"},
      {"phi = \"w*t\"", "phi = \"w*t + 1\"", Kind::closed_form, "phi"},
  };
  for (const Mutation& mutation : mutations) {
    const std::string text = with(skate, mutation.from, mutation.to);
    const std::vector<VerifiedItem> found = failures(text);
    SCOPED_TRACE(mutation.to);
    const auto item = std::find_if(found.begin(), found.end(), [&](const auto& i) { return i.name == mutation.name; });
    ASSERT_NE(item, found.end());
    EXPECT_EQ(item->kind, mutation.kind);
    ASSERT_TRUE(item->position);
    EXPECT_EQ(item->position->file, "model.toml");
    const std::string line = mutation.to.substr(0, mutation.to.find('\n'));
    EXPECT_EQ(item->position->line, line_of(text, line)) << item->evidence;
  }
}

// Too small for the computed motion to notice: only the substitution in balls can.
TEST(VerifyModel, TheEquationsAreStricterThanTheMotion) {
  const std::vector<VerifiedItem> found = failures(with(skate, "phi = \"w*t\"", "phi = \"w*t + 1e-20*t^3\""));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().kind, Kind::closed_form);
}

std::string oscillator(const std::string& start, const std::string& form, const std::string& end = "10") {
  return "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 - x^2 + y'^2)/2\"\n[initial]\nx = " + start +
         "\n[simulation]\nt_end = " + end + "\n[closed_form]\nx = \"" + form + "\"\n";
}

TEST(VerifyModel, AClosedFormIsJudgedBesideTheSizeOfItsMotion) {
  EXPECT_TRUE(failures(oscillator("1e-11", "1e-11*cos(t)")).empty());
  EXPECT_FALSE(failures(oscillator("1e-11", "2e-11*cos(t)")).empty());
  EXPECT_FALSE(failures(oscillator("1e-12", "0")).empty());
  EXPECT_FALSE(failures(oscillator("1e9", "1e9*cos(t) + t^3")).empty());
}

// The samples stand at whole times: what vanishes there must not hide.
TEST(VerifyModel, AClosedFormIsAlsoHeldToTheMotionBetweenTheSamples) {
  EXPECT_TRUE(failures(oscillator("1", "cos(t)", "200")).empty());
  EXPECT_FALSE(failures(oscillator("1", "cos(t) + 1e-3*sin(2*pi*t)^4", "200")).empty());
}

TEST(VerifyModel, AClosedFormWithoutAValueIsNotDefined) {
  const std::vector<VerifiedItem> later = failures(oscillator("1", "exp(log((1 - t)^3)/3)*cos(t)/(1 - t)", "2"));
  ASSERT_EQ(later.size(), 1u);
  EXPECT_NE(later[0].evidence.find("is not defined"), std::string::npos) << later[0].evidence;
  const std::vector<VerifiedItem> first = failures(oscillator("1", "sin(t)/t"));
  ASSERT_EQ(first.size(), 1u);
  EXPECT_NE(first[0].evidence.find("at the start it is not defined for x"), std::string::npos) << first[0].evidence;
}

// A closed form of some of the coordinates is held to the computed motion.
TEST(VerifyModel, AClosedFormNeedNotBeComplete) {
  const std::string only = with(with(skate, "x = \"f/(2*w^2)*sin(w*t)^2\"\n", ""), "phi = \"w*t\"", "");
  EXPECT_TRUE(failures(only).empty());
  EXPECT_FALSE(failures(with(only, "(2*w*t -", "(2.001*w*t -")).empty());
}

TEST(VerifyModel, AnIntegralOfAnotherPrincipleIsTestedAlongItsMotions) {
  // vakonomic, level: x' − λ sin φ is constant, so is the energy; φ' is not
  const std::string model =
      with(with(with(skate, " + f*x", ""), "[integrals]\nenergy = \"(x'^2 + y'^2 + phi'^2)/2 - f*x\"",
                "[simulation]\nform = \"vakonomic\"\n[integrals]\nenergy = \"(x'^2 + y'^2 + phi'^2)/2\""),
           "[initial]\n\"x'\" = 0", "[initial]\nlambda = [0.7]\n\"x'\" = 1");
  const std::string without = model.substr(0, model.find("[closed_form]"));
  const std::vector<VerifiedItem> found = failures(without);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "turning");
}

// Equations that are not linear in the accelerations have no test at random states: the motion alone can tell.
TEST(VerifyModel, WithoutEquationsToTestAnIntegralIsHeldToTheMotion) {
  const std::string text = R"(
coordinates = ["x"]
lagrangian  = "x'^2/2"
constraints = ["x''^3 = 8"]
[integrals]
speed = "x' - 2*t"
[simulation]
t_end = 1
)";
  EXPECT_TRUE(failures(text).empty());
  const std::vector<VerifiedItem> found = failures(with(text, "2*t", "3*t"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Kind::integral);
  EXPECT_EQ(found[0].name, "speed");
}

TEST(VerifyModels, GoOnAfterABadOneAndKeepTheOrder) {
  const std::vector<ModelToVerify> models = {
      {"first", [] { return read_model(skate, "first.toml"); }},
      {"broken", [] { return read_model("coordinates = 3", "broken.toml"); }},
      {"last", [] { return read_model(with(skate, "rank = 1", "rank = 3"), "last.toml"); }},
  };
  std::size_t calls = 0;
  VerifyOptions options;
  options.progress = [&](const VerifiedModel&, std::size_t done, std::size_t total) {
    EXPECT_EQ(done, ++calls);
    EXPECT_EQ(total, 3u);
  };
  const std::vector<VerifiedModel> results = verify_models(models, options);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_TRUE(results[0].passed());
  ASSERT_TRUE(results[1].error);
  EXPECT_EQ(results[1].error->code(), ErrorCode::bad_model);
  EXPECT_FALSE(results[2].passed());
  EXPECT_EQ(results[2].name, "last");

  const std::string text = to_text(results, false);
  EXPECT_NE(text.find("last.toml:"), std::string::npos) << text;
  EXPECT_NE(text.find("the model expects 3, check says 1"), std::string::npos) << text;
  EXPECT_NE(text.find("2 of 3 models fail."), std::string::npos) << text;
}

TEST(VerifyModels, CanBeInterrupted) {
  std::vector<ModelToVerify> models(20, {"skate", [] { return read_model(skate, "skate.toml"); }});
  std::size_t done = 0;
  VerifyOptions options;
  options.threads = 2;
  options.progress = [&](const VerifiedModel&, std::size_t count, std::size_t) { done = count; };
  options.interrupted = [&] { return done >= 3; };
  const std::size_t finished = verify_models(models, options).size();
  EXPECT_GE(finished, 3u);
  EXPECT_LT(finished, 20u);
}

// All of them are verified where the pages on them are held to the program (conformance.verified).
TEST(VerifyGallery, EverythingHolds) {
  std::vector<ModelToVerify> models;
  for (const GalleryModel& model : some_of<GalleryModel>({gallery().begin(), gallery().end()})) {
    const std::string name(model.name);
    models.push_back({name, [text = model.text, name] { return read_model(text, name + ".toml"); }});
  }
  const std::vector<VerifiedModel> results = verify_models(models);
  ASSERT_EQ(results.size(), models.size());
  std::size_t claims = 0;
  for (const VerifiedModel& result : results) {
    EXPECT_TRUE(result.passed()) << to_text(std::array{result}, false);
    // every model says what it is
    const auto says = std::count_if(result.items.begin(), result.items.end(),
                                    [](const auto& i) { return i.kind == Kind::expectation; });
    EXPECT_GT(says, 0) << result.name;
    claims += static_cast<std::size_t>(says);
  }
  EXPECT_GT(claims, 3 * models.size());
}

}  // namespace
}  // namespace cetaev
