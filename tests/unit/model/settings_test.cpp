// NAME=VALUE from outside the file.
#include <gtest/gtest.h>

#include "cetaev/model/read.hpp"
#include "refuses.hpp"

namespace cetaev {
namespace {

const std::string model = R"toml(
coordinates = ["x", "phi"]
lagrangian = "x'^2 + phi'^2"
[parameters]
a = 1
b = "2*a"
[initial]
x = 3
)toml";

System read_with(std::vector<std::string> settings) { return read_model(model, "model.toml", settings); }

void refuses_setting(std::string_view marked, ErrorCode code, std::string_view message,
                     std::string_view suggestion = "") {
  const Marked setting(marked);
  const auto error = error_of([&] { read_with({setting.text}); });
  SCOPED_TRACE(setting.text);
  expect_error(error, code, message, suggestion, "--set", 1, setting.column);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->position()->line_text, setting.text);
}

TEST(Settings, OverrideAParameterAndWhatIsDefinedFromIt) {
  const System s = read_with({"a=5"});
  EXPECT_EQ(to_string(s->parameters[0].definition), "5");
  EXPECT_EQ(to_string(s->parameters[1].definition), "2*a");
  EXPECT_EQ(to_string(read_with({"b=a/3"})->parameters[1].definition), "a/3");
  EXPECT_EQ(to_string(read_with({"a = 1", "a = 0.25"})->parameters[0].definition), "1/4");
}

TEST(Settings, OverrideTheInitialState) {
  const System s = read_with({"x=-1.5", "phi'=2*b", "t=1e-3"});
  EXPECT_EQ(to_string(*s->initial.q[0]), "-3/2");
  EXPECT_EQ(to_string(*s->initial.v[1]), "2*b");
  EXPECT_EQ(to_string(*s->initial.t), "1/1000");
  EXPECT_FALSE(s->initial.v[0]);
}

TEST(Settings, WithoutAValueTakeBackWhatWasSetBefore) {
  EXPECT_EQ(to_string(read_with({"a=5", "a="})->parameters[0].definition), "1");
  EXPECT_EQ(to_string(read_with({"a=5", " a = ", "a=7"})->parameters[0].definition), "7");
  EXPECT_FALSE(read_with({"phi'=2", "phi'="})->initial.v[1]);
}

TEST(Settings, WithoutAValueMakeAnInitialValueUnwritten) {
  ASSERT_TRUE(read_with({})->initial.q[0]);
  EXPECT_FALSE(read_with({"x="})->initial.q[0]);
  EXPECT_EQ(to_string(*read_with({"x=", "x=4"})->initial.q[0]), "4");
  // what was not written stays so
  EXPECT_FALSE(read_with({"t="})->initial.t);
  EXPECT_FALSE(read_with({"phi="})->initial.q[1]);
}

TEST(Settings, AreCheckedLikeTheFile) {
  refuses_setting("¶c=1", ErrorCode::unknown_name,
                  "'c' is not a parameter, a coordinate, a velocity or t of this model");
  refuses_setting("¶phy=1", ErrorCode::unknown_name,
                  "'phy' is not a parameter, a coordinate, a velocity or t of this model", "phi");
  refuses_setting("¶phy'=1", ErrorCode::unknown_name,
                  "'phy'' is not a parameter, a coordinate, a velocity or t of this model", "phi'");
  refuses_setting("¶x''=1", ErrorCode::unknown_name,
                  "'x''' is not a parameter, a coordinate, a velocity or t of this model", "x'");
  refuses_setting("¶a'=1", ErrorCode::unknown_name,
                  "'a'' is not a parameter, a coordinate, a velocity or t of this model", "x'");
  refuses_setting("a¶", ErrorCode::bad_model, "a setting is written NAME=VALUE");
  refuses_setting("¶phy'=", ErrorCode::unknown_name,
                  "'phy'' is not a parameter, a coordinate, a velocity or t of this model", "phi'");
  refuses_setting("a=1+¶", ErrorCode::parse_error, "expected an operand after '+'");
  refuses_setting("a = ¶q", ErrorCode::unknown_name, "unknown name 'q'");
  refuses_setting("a=¶b", ErrorCode::bad_model, "the value of 'a' is defined by 'b', which is written later");
  refuses_setting("x=2*¶phi", ErrorCode::bad_model,
                  "the value of 'x' contains the coordinate phi; it may contain parameters");
  refuses_setting("a=¶1e999", ErrorCode::bad_model, "the value of 'a' is not finite");
}

constexpr const char* skate = R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "x'^2 + y'^2 + phi'^2"
constraints = ["x'*sin(phi) = y'*cos(phi)"]
dependent = ["y"]
auxiliary = ["x'*cos(phi) + y'*sin(phi)", "phi'"]
transpositional = "mvm2"
[quasi_velocities]
u = "x'*cos(phi) + y'*sin(phi)"
w = "phi'"
[initial]
lambda = [0.5]
lambda0 = [1, 2]
)toml";

System changed(const ModelChanges& changes) { return read_model_with(changes, skate, "skate.toml"); }

TEST(Changes, PutListsInThePlaceOfThoseOfTheFile) {
  const System s = changed({{}, {{"x' = 2*y'", "[x, y, 0]' = [y, x, 0]'"}}, {{"phi'*x'"}}, "suslov"});
  ASSERT_EQ(s->constraints.size(), 3u);
  EXPECT_EQ(to_string(s->constraints[0].expression), "x' - 2*y'");
  EXPECT_EQ(s->constraints[2].label(), "[x, y, 0]' = [y, x, 0]' (y)");
  EXPECT_EQ(s->constraints[2].entry, 1u);
  EXPECT_EQ(s->constraints[0].position.file, "--constraint");
  ASSERT_EQ(s->auxiliary.size(), 1u);
  EXPECT_EQ(to_string(s->auxiliary[0]), "x'*phi'");
  EXPECT_EQ(s->transpositional->view, Transpositional::View::suslov);
  EXPECT_EQ(s->settings, (std::vector<std::string>{"--constraint x' = 2*y'", "--constraint [x, y, 0]' = [y, x, 0]'",
                                                   "--auxiliary phi'*x'", "--transpositional suslov"}));
  // nothing is said of what is not changed
  const System same = changed({});
  EXPECT_EQ(same->constraints.size(), 1u);
  EXPECT_EQ(same->auxiliary.size(), 2u);
  EXPECT_EQ(same->transpositional->view, Transpositional::View::mvm2);
  EXPECT_TRUE(same->settings.empty());
}

TEST(Changes, TakeWithThemWhatTheFileSaysOfItsOwnLists) {
  const System two = changed({{}, {{"x' = 0", "y' = 0"}}, {}, {}});
  EXPECT_FALSE(two->dependent);
  EXPECT_TRUE(two->quasi_velocities.empty());
  EXPECT_FALSE(two->initial.has_lambda);
  EXPECT_EQ(two->initial.lambda0.size(), 2u);  // the functions are the same
  const System other = changed({{}, {{"x' = 0"}}, {{"x'", "y'"}}, {}});
  EXPECT_EQ(other->initial.lambda.size(), 1u);  // as many
  EXPECT_EQ(other->initial.lambda0.size(), 2u);
  const System one = changed({{}, {}, {{"x'"}}, {}});
  EXPECT_TRUE(one->initial.lambda0.empty());
  EXPECT_TRUE(one->dependent);
  EXPECT_EQ(one->quasi_velocities.size(), 2u);
}

TEST(Changes, OfAnEmptyTextLeaveNothing) {
  const System s = changed({{}, {{""}}, {{" "}}, {}});
  EXPECT_TRUE(s->constraints.empty());
  EXPECT_TRUE(s->auxiliary.empty());
}

TEST(Changes, AreCheckedLikeTheFile) {
  const auto refused = [](const ModelChanges& changes, ErrorCode code, const std::string& message,
                          const std::string& file, std::size_t column, const std::string& suggestion = "") {
    expect_error(error_of([&] { changed(changes); }), code, message, suggestion, file, 1, column);
  };
  refused({{}, {{"x' = 0", "y' = 2*phy"}}, {}, {}}, ErrorCode::unknown_name, "unknown name 'phy'", "--constraint", 8,
          "phi");
  refused({{}, {{"x' = "}}, {}, {}}, ErrorCode::parse_error, "expected an operand after '='", "--constraint", 6);
  refused({{}, {}, {{"x' + phi''"}}, {}}, ErrorCode::bad_model,
          "an auxiliary function contains the acceleration phi''; it may contain coordinates, velocities, the time and "
          "parameters",
          "--auxiliary", 6);
  refused({{}, {}, {{"x' = 1"}}, {}}, ErrorCode::parse_error,
          "'=' outside of constraints: only a constraint is an equation", "--auxiliary", 4);
  refused({{}, {}, {}, "suslow"}, ErrorCode::bad_model,
          "unknown point of view on transpositional relations 'suslow'; there are hoelder, suslov, mvm2, mvm3",
          "--transpositional", 1, "suslov");
}

}  // namespace
}  // namespace cetaev
