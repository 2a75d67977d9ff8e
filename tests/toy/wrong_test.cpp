// Principles that are wrong, as somebody might add them or as one of ours might become: no motion of theirs may finish. Nothing in a wrong form
// shows it: residuals are zero, and energy is kept on the wrong branch of a root as on the right one. The equations that nobody has solved say
// so, whatever the form and the method.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "cetaev/formulation/formulation.hpp"
#include "cetaev/integrate/batch.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

// The equations of a principle with the signs of what drives the motion changed.
template <const Form& right>
Formulation with_wrong_signs(const Setting& setting) {
  Formulation form = right->equations(setting);
  for (Expr& e : form.steps.at(form.system_step).block.right.entries) e = -e;
  return form;
}

// Quasi-velocities of which the velocities are made wrongly: the rates are made from them and not from the steps.
Formulation with_a_wrong_basis(const Setting& setting) {
  Formulation form = Form::hamel->equations(setting);
  form.quasi->basis->N.entries.at(0) = -form.quasi->basis->N.entries.at(0);
  return form;
}

// y' = +√(1 − x'²) whatever the sign of y' is.
Formulation on_one_branch(const Setting& setting) {
  const Motion& motion = setting.system->motion;
  Formulation form = Form::multipliers->equations(setting);
  const std::array on_the_branch = {
      Replacement(motion.v[1], sqrt(setting.context().one() - motion.v[0] * motion.v[0]))};
  for (SolveStep& step : form.steps) {
    step.block.matrix.entries = substitute(step.block.matrix.entries, on_the_branch);
    step.block.right.entries = substitute(step.block.right.entries, on_the_branch);
  }
  return form;
}

Form registered(const char* name, const char* like, Formulation (*equations)(const Setting&)) {
  Principle principle = *find_principle(like);
  principle.name = name;
  principle.equations = equations;
  return register_principle(principle);
}

// Vakonomic equations that are wrong the first time, when those of the motion are derived, and right when somebody asks again.
Formulation wrong_once(const Setting& setting) {
  static bool was_wrong = false;
  if (std::exchange(was_wrong, true)) return Form::vakonomic->equations(setting);
  return with_wrong_signs<Form::vakonomic>(setting);
}

template <const Form& right>
Form wrong(const char* name) {
  return registered(name, std::string(right.name()).c_str(), with_wrong_signs<right>);
}

const std::vector<Form> with_a_wrong_sign = {wrong<Form::multipliers>("wrong-multipliers"),
                                             wrong<Form::gauss>("wrong-gauss"),
                                             wrong<Form::maggi>("wrong-maggi"),
                                             wrong<Form::voronec>("wrong-voronec"),
                                             wrong<Form::caplygin>("wrong-caplygin"),
                                             wrong<Form::appell>("wrong-appell")};
const Form with_another_basis = registered("wrong-basis", "hamel", with_a_wrong_basis);
const Form once_vakonomic = registered("once-vakonomic", "vakonomic", wrong_once);
const Form one_branch = registered("one-branch", "multipliers", on_one_branch);

class Nobody : public Recorder {
 public:
  void sample(const MotionPoint& point) override { last = point.t; }
  double last = 0;
};

struct Outcome {
  MotionSummary summary;
  double last_sample;
};

Outcome run(const std::string& model, Form form, Method method, double t_end, double tolerance = 1e-12) {
  MotionOptions options;
  options.form = form;
  options.method = method;
  options.t_end = t_end;
  options.samples = 1001;
  options.cache = false;
  options.backend = Backend::interpreter;
  options.tolerance = tolerance;
  Nobody nobody;
  MotionSummary summary = run_motion(read_model(model, "wrong.toml"), options, nobody);
  return {std::move(summary), nobody.last};
}

constexpr Method all_methods[] = {Method::taylor, Method::dop853, Method::adams, Method::bdf};

// A blade, of Čaplygin's type where it does not depend on where it is; the heading is driven, too.
std::string blade_with(const std::string& slope) {
  return R"toml(
coordinates = ["x", "y", "phi"]
lagrangian = "(x'^2 + y'^2 + phi'^2)/2 + )toml" +
         slope + R"toml(sin(phi)"
constraints = ["x'*sin(phi) - y'*cos(phi) = 0"]
[initial]
phi = 0.4
"x'" = 1
"phi'" = 1
)toml";
}
const std::string blade = blade_with("2*x + "), blade_without_slope = blade_with("");

TEST(WrongForms, WithAWrongSignFinishNoMotion) {
  for (const Form form : with_a_wrong_sign) {
    for (const Method method : all_methods) {
      const bool caplygin = form.name() == "wrong-caplygin";
      const auto [summary, last] = run(caplygin ? blade_without_slope : blade, form, method, 1);
      EXPECT_EQ(summary.status, MotionStatus::failed) << form.name() << " by " << to_string(method);
      ASSERT_TRUE(summary.diagnosis);
      EXPECT_EQ(summary.diagnosis->code(), ErrorCode::internal_error) << summary.diagnosis->message();
      // nothing of it is told; multistep methods begin with steps in which nothing changes
      const double soon = method == Method::taylor || method == Method::dop853 ? 0 : 0.2;
      EXPECT_LE(last, soon) << form.name() << " by " << to_string(method);
      EXPECT_LE(summary.last.t, soon) << form.name() << " by " << to_string(method);
    }
  }
}

// Without constraints all forms are H a = b.
TEST(WrongForms, OfFreeSystemsFinishNoMotionEither) {
  const std::string pendulum = R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + (2 + cos(x))*y'^2)/2 + cos(x)"
[initial]
x = 1
"y'" = 1
)toml";
  for (const Form form : {with_a_wrong_sign[0], with_a_wrong_sign[1]}) {
    for (const Method method : all_methods) {
      const auto [summary, last] = run(pendulum, form, method, 1);
      EXPECT_EQ(summary.status, MotionStatus::failed) << form.name() << " by " << to_string(method);
      ASSERT_TRUE(summary.diagnosis);
      EXPECT_EQ(summary.diagnosis->code(), ErrorCode::internal_error) << summary.diagnosis->message();
    }
  }
  for (const Form form : {Form::multipliers, Form::gauss, Form::appell}) {
    for (const Method method : all_methods) {
      for (const double tolerance : {1e-14, 1e-8, 1e-3})
        EXPECT_EQ(run(pendulum, form, method, 10, tolerance).summary.status, MotionStatus::finished)
            << form.name() << " by " << to_string(method) << " to " << tolerance;
    }
  }
}

// What the motion is followed by is not what the principle gives.
TEST(WrongForms, OfAnotherPrincipleFinishNoMotionEither) {
  const auto [wrong, last] = run(blade, once_vakonomic, Method::taylor, 1);
  ASSERT_EQ(wrong.status, MotionStatus::failed);
  EXPECT_EQ(wrong.diagnosis->code(), ErrorCode::internal_error) << wrong.diagnosis->message();
  for (const Form form : {Form::vakonomic, Form::mvm2, Form::mvm1, once_vakonomic}) {
    for (const Method method : all_methods) {
      for (const double tolerance : {1e-14, 1e-8, 1e-3}) {
        try {
          const auto [right, until] = run(blade, form, method, 0.3, tolerance);
          EXPECT_EQ(right.status, MotionStatus::finished)
              << form.name() << " by " << to_string(method) << " to " << tolerance
              << (right.diagnosis ? right.diagnosis->message() : "");
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::not_applicable) << form.name() << error.message();
        }
      }
    }
  }
}

TEST(WrongForms, WithWrongVelocitiesDoNotBegin) {
  for (const Method method : all_methods) {
    try {
      (void)run(blade, with_another_basis, method, 1);
      FAIL() << to_string(method);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::internal_error) << error.message();
    }
  }
}

// Twenty of them in lanes, with other velocities each.
BatchResult run_in_lanes(const std::string& model, Form form, double t_end) {
  MotionOptions options;
  options.form = form;
  options.method = Method::taylor;
  options.t_end = t_end;
  options.cache = false;
  options.tolerance = 1e-12;
  const CompiledMotion motion(read_model(model, "wrong.toml"), options);
  std::vector<State> starts(20, motion.initial());
  for (std::size_t i = 0; i < starts.size(); ++i)
    for (double& v : starts[i].v) v *= 1 + 0.01 * static_cast<double>(i);
  return BatchMotion(motion).run(starts);
}

TEST(WrongForms, FinishNoMotionInLanesEither) {
  for (const Form form : with_a_wrong_sign) {
    const bool caplygin = form.name() == "wrong-caplygin";
    for (const BatchEnd& end : run_in_lanes(caplygin ? blade_without_slope : blade, form, 1).ends) {
      EXPECT_EQ(end.status, MotionStatus::failed) << form.name();
      ASSERT_TRUE(end.diagnosis) << form.name();
      EXPECT_EQ(end.diagnosis->code(), ErrorCode::internal_error) << end.diagnosis->message();
    }
  }
  for (const Form form : {Form::multipliers, Form::gauss, Form::maggi, Form::hamel, Form::voronec, Form::appell}) {
    // as long as the dependent velocity that was chosen serves
    for (const BatchEnd& end : run_in_lanes(blade, form, 0.3).ends) {
      EXPECT_EQ(end.status, MotionStatus::finished) << form.name();
      EXPECT_FALSE(end.alone) << form.name();
    }
  }
}

// The same forms as they should be.
TEST(WrongForms, RightFormsFinishTheSameMotions) {
  for (const Form form :
       {Form::multipliers, Form::gauss, Form::maggi, Form::hamel, Form::voronec, Form::appell, Form::caplygin}) {
    for (const Method method : all_methods) {
      for (const double tolerance : {1e-14, 1e-8, 1e-3}) {
        const auto [summary, last] =
            run(form == Form::caplygin ? blade_without_slope : blade, form, method, 3, tolerance);
        EXPECT_EQ(summary.status, MotionStatus::finished)
            << form.name() << " by " << to_string(method) << " to " << tolerance
            << (summary.diagnosis ? summary.diagnosis->message() : "");
      }
    }
  }
}

// x = sin(t + c), y = cos(t + c) − cos c with |v| = 1, which holds by itself: y' changes its sign, and y' = ±√(1 − x'²) does not. Energy and residual
// are right on both branches.
TEST(WrongForms, OnTheWrongBranchEndWhereItBeginsOrAreLeft) {
  const std::string model = R"toml(
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 + x*y'"
constraints = ["x'^2 + y'^2 = 1"]
[initial]
"x'" = 0.6
"y'" = 0.8
)toml";
  // y' = sin(0.927… − t) vanishes when the velocity has turned so far
  const double fold = std::atan2(0.8, 0.6);
  for (const Method method : all_methods) {
    const auto [summary, last] = run(model, one_branch, method, 20);
    if (summary.status == MotionStatus::finished) {
      // left where its root has no value, for multipliers: with v = (cos(fold − t), sin(fold − t)) throughout
      EXPECT_FALSE(summary.notes.empty()) << to_string(method);
      EXPECT_NEAR(summary.last.q[0], std::sin(fold) - std::sin(fold - 20), 1e-5) << to_string(method);
      EXPECT_NEAR(summary.last.q[1], std::cos(fold - 20) - std::cos(fold), 1e-5) << to_string(method);
      continue;
    }
    EXPECT_GT(summary.last.t, fold - 0.3) << to_string(method);
    EXPECT_LT(last, fold + 0.3) << to_string(method);
  }
}

}  // namespace
}  // namespace cetaev
