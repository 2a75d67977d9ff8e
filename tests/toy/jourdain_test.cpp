// Where a principle has to appear once it is registered, and that what appears there is true: Jourdain's principle has the motion of
// d'Alembert–Lagrange. Nothing in the sources knows its name.
#include "jourdain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "cetaev/codegen/export.hpp"
#include "cetaev/formulation/compare.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/integrate/trajectory.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/report/check.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/motion.hpp"
#include "cetaev/report/page.hpp"
#include "cetaev/report/text.hpp"
#include "cetaev/report/written.hpp"
#include "cetaev/verify/model.hpp"

namespace cetaev {

namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

// A blade on an inclined plane: x = c sin²φ, y = c (φ − sin φ cos φ), φ = ωt with c = g/(2ω²).
constexpr double g = 2, w = 1;
const std::string skate = R"(
name = "a blade"
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2 + phi'^2)/2 + g*x"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[parameters]
g = 2
[initial]
"phi'" = 1
[simulation]
t_end = 3
samples = 31
form = "jourdain"
)";

System blade() { return read_model(skate, "blade.toml"); }

MotionOptions interpreted(const System& system) {
  MotionOptions options = default_options(system);
  options.backend = Backend::interpreter;
  return options;
}

TEST(Jourdain, StandsInTheRegistryUnderItsName) {
  EXPECT_EQ(Form("jourdain"), jourdain);
  EXPECT_EQ(jourdain.name(), "jourdain");
  EXPECT_NE(jourdain, Form::multipliers);
  EXPECT_EQ(Form("hamel"), Form::hamel);
  EXPECT_EQ(std::hash<Form>()(Form("hamel")), std::hash<Form>()(Form::hamel));
  try {
    (void)Form("jourdan");
    FAIL() << "there is no such form";
  } catch (const Error& error) {
    EXPECT_EQ(error.suggestion(), "jourdain");
    EXPECT_THAT(error.message(), HasSubstr("unknown form 'jourdan'; there are multipliers, "));
    EXPECT_THAT(error.message(), HasSubstr(", reduced, jourdain"));
  }
  EXPECT_THROW(register_principle({.name = "jourdain", .title = "once more"}), Error);
}

TEST(Jourdain, HasTheAccelerationsAndTheReactionsOfMultipliers) {
  std::size_t compared = 0;
  for (const GalleryModel& model : gallery()) {
    const System system = read_model(model.text, std::string(model.name));
    const Evaluation here = evaluate(system, {{jourdain}, false});
    const FormResult &reference = *here.find(Form::multipliers), &found = *here.find(jourdain);
    if (!reference.values || (found.error && found.error->code() == ErrorCode::not_applicable)) continue;
    ASSERT_TRUE(found.values) << model.name << ": " << found.error->message();
    ++compared;
    ASSERT_EQ(found.values->multipliers.size(), system->constraints.size()) << model.name;
    double scale = 1;
    for (const double a : reference.values->a) scale = std::max(scale, std::abs(a));
    for (std::size_t i = 0; i < system->size(); ++i)
      EXPECT_NEAR(found.values->a[i], reference.values->a[i], 1e-9 * scale) << model.name;
    if (here.rows.size() < system->constraints.size())
      continue;  // the multipliers of redundant constraints are not unique
    for (std::size_t i = 0; i < system->constraints.size(); ++i)
      EXPECT_NEAR(found.values->multipliers[i], reference.values->multipliers[i], 1e-8 * scale) << model.name;
  }
  EXPECT_GT(compared, 30U);
}

TEST(Jourdain, IsEvaluatedWhenNothingIsNamed) {
  const System system = blade();
  const Evaluation here = evaluate(system);
  const json forms = json::parse(to_json(system, here, std::nullopt))["forms"];
  ASSERT_TRUE(forms.contains("jourdain"));
  // at φ = 0 the blade cannot move along y: a = (g, ωv, 0) with v = 0, and the reaction is nothing
  EXPECT_NEAR(forms["jourdain"]["a"]["x"].get<double>(), g, 1e-14);
  EXPECT_NEAR(forms["jourdain"]["a"]["y"].get<double>(), 0, 1e-14);
  EXPECT_NEAR(forms["jourdain"]["multipliers"][0].get<double>(), 0, 1e-14);
  EXPECT_THAT(to_text(system, here, std::nullopt), HasSubstr("jourdain"));
}

TEST(Jourdain, IsDerived) {
  const System system = blade();
  const WrittenSystem written = write_equations(system, {.forms = {jourdain}});
  ASSERT_EQ(written.forms.size(), 1U);
  EXPECT_EQ(written.forms[0].equations.size(), 3U);
  EXPECT_EQ(written.forms[0].constraints.size(), 1U);
  EXPECT_EQ(written.forms[0].state, "positions and all velocities");
  EXPECT_THAT(to_text(written, Notation::ascii), HasSubstr("jourdain"));
  const json form = json::parse(to_json(written))["forms"][0];
  EXPECT_EQ(form["name"], "jourdain");
  EXPECT_EQ(form["title"], "Jourdain's principle");
  EXPECT_EQ(form["equations"][2]["text"], "phi'' = 0");
  const WrittenSystem all = write_equations(system, {});
  EXPECT_THAT(to_latex(all), HasSubstr("Jourdain's principle"));
  EXPECT_THAT(to_latex_document(all, check(system)), HasSubstr("Jourdain's principle"));
  EXPECT_THAT(export_code(system, jourdain, Language::c), HasSubstr("jourdain (Jourdain's principle)"));
}

TEST(Jourdain, IsComparedWithOthers) {
  const System system = blade();
  const Comparison same = compare(system, jourdain, Form::voronec, {});
  EXPECT_TRUE(same.agree());
  EXPECT_EQ(same.states, 100U);
  // the constraint of a blade may not be put into L
  EXPECT_FALSE(compare(system, jourdain, Form::reduced, {}).agree());
  const MotionComparison along = compare_motions(system, jourdain, Form::multipliers, interpreted(system));
  EXPECT_TRUE(along.agree());
  const json document = json::parse(to_json(system, same, &along));
  EXPECT_EQ(document["forms"], json({"jourdain", "voronec"}));
  EXPECT_TRUE(document["motion"]["runs"].contains("jourdain"));
}

TEST(Jourdain, RunsWhenTheModelAsksForIt) {
  const System system = blade();
  const MotionOptions options = interpreted(system);
  EXPECT_EQ(options.form, jourdain);
  SampleRecorder recorder(system);
  const MotionSummary summary = run_motion(system, options, recorder);
  EXPECT_EQ(summary.status, MotionStatus::finished);
  EXPECT_EQ(summary.form, jourdain);
  EXPECT_EQ(json::parse(to_json(system, summary, {}))["form"], "jourdain");
  EXPECT_THAT(to_text(system, summary, {}), HasSubstr("jourdain"));
  const double c = g / (2 * w * w);
  const Samples& samples = recorder.samples();
  ASSERT_EQ(samples.size(), 31U);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double phi = w * samples.t[i];
    EXPECT_NEAR(samples.q[0][i], c * std::pow(std::sin(phi), 2), 1e-12);
    EXPECT_NEAR(samples.q[1][i], c * (phi - std::sin(phi) * std::cos(phi)), 1e-12);
  }
}

TEST(Jourdain, IsAmongTheChoicesOfAModel) {
  std::string wrong = skate;
  wrong.replace(wrong.find("\"jourdain\""), 10, "\"jourdian\"");
  const System system = read_model(wrong, "blade.toml");
  try {
    (void)default_options(system);
    FAIL() << "there is no such form";
  } catch (const Error& error) {
    EXPECT_EQ(error.suggestion(), "jourdain");
    EXPECT_THAT(error.message(), HasSubstr("jourdain, auto"));
    ASSERT_TRUE(error.position());
    EXPECT_EQ(error.position()->line_text, "form = \"jourdian\"");
  }
}

TEST(Jourdain, IsOnThePageOfTheModel) {
  const System system = blade();
  PageOptions options;
  options.motion = interpreted(system);
  const ReportPage page = write_page(Workbench(system), options);
  ASSERT_TRUE(page.summary);
  EXPECT_EQ(page.summary->form, jourdain);
  EXPECT_THAT(page.html, HasSubstr("Jourdain&#39;s principle <span class=\"tag\">jourdain</span></h3>\n"
                                   "<p>The motion above was computed from this form.</p>"));
  EXPECT_THAT(page.html, HasSubstr("<tr data-key=\"form\"><th scope=\"row\">Form</th><td>jourdain</td></tr>"));
}

TEST(Jourdain, IsVerifiedWithTheOthers) {
  const VerifiedModel verified = verify_model(blade());
  bool found = false;
  for (const VerifiedItem& item : verified.items) {
    if (item.kind != VerifiedItem::Kind::forms || item.name != "jourdain") continue;
    found = true;
    EXPECT_EQ(item.outcome, VerifiedItem::Outcome::holds) << item.evidence;
  }
  EXPECT_TRUE(found);
}

}  // namespace

}  // namespace cetaev
