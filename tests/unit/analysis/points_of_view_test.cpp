// Whose transpositional relations do what: against closed forms, against Frobenius, and against the principles themselves.
#include "cetaev/analysis/points_of_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {
namespace {

using testing::ElementsAre;
using View = Transpositional::View;

System gallery_model(const std::string& name, const std::vector<std::string>& settings = {}) {
  return read_model(*gallery_text(name), name + ".toml", settings);
}

const PointOfView& of(const PointsOfView& all, View view) {
  for (const PointOfView& p : all.views) {
    if (p.view == view) return p;
  }
  throw std::logic_error("no such view");
}

// Σ summands at the state, for a displacement.
double value(const PointsOfView& all, const std::vector<Expr>& summands, const std::vector<double>& displacement) {
  const System& system = all.system;
  const std::vector<Expr> symbols = state_symbols(system);
  const std::vector<double> numbers = state_values(all.at.state, parameter_values(system));
  std::vector<Value> values;
  for (std::size_t i = 0; i < symbols.size(); ++i) values.emplace_back(symbols[i], numbers[i]);
  for (std::size_t i = 0; i < displacement.size(); ++i)
    values.emplace_back(system->context->symbol("$delta " + system->coordinates[i]), displacement[i]);
  return evaluate(system->context->sum(summands), values);
}

// The blade displaced along itself by δs and turned by δφ: δ(x' sin φ − y' cos φ) = −φ' δs + u δφ where δ and d/dt commute, since then
// δ(x') sin φ − δ(y') cos φ = (δs cos φ)' sin φ − (δs sin φ)' cos φ = −φ' δs.
TEST(PointsOfView, OfTheSkateAreThoseOfThePaper) {
  const double phi = 0.7, turning = 1.3, speed = 0.9;
  const PointsOfView all =
      points_of_view(gallery_model("skate", {"phi=0.7", "x'=" + std::to_string(speed * std::cos(phi))}));
  const double u = std::hypot(all.at.state.v[0], all.at.state.v[1]);
  ASSERT_EQ(all.views.size(), 4u);
  ASSERT_EQ(all.commuting.size(), 1u);
  EXPECT_NEAR(value(all, all.commuting[0], {std::cos(phi), std::sin(phi), 0}), -turning, 1e-13);
  EXPECT_NEAR(value(all, all.commuting[0], {0, 0, 1}), u, 1e-13);

  const PointOfView& hoelder = of(all, View::hoelder);
  EXPECT_TRUE(hoelder.constraints_stay.fails());
  EXPECT_TRUE(hoelder.all_commute.proved);
  EXPECT_EQ(hoelder.motion, KindOfMotion::vakonomic);
  ASSERT_EQ(hoelder.variation.size(), 1u);
  EXPECT_NEAR(value(all, hoelder.variation[0], {std::cos(phi), std::sin(phi), 0}), -turning, 1e-13);
  // by δx (δy = δx tan φ) and δφ
  ASSERT_EQ(hoelder.here->variation.size(), 2u);
  EXPECT_NEAR(hoelder.here->variation[0], -turning / std::cos(phi), 1e-13);
  EXPECT_NEAR(hoelder.here->variation[1], u, 1e-13);
  // λ = 0 at this instant alone
  EXPECT_EQ(hoelder.here->motion, KindOfMotion::vakonomic);
  EXPECT_NEAR(hoelder.here->discrepancy, 0, 1e-13);

  const PointOfView& suslov = of(all, View::suslov);
  EXPECT_TRUE(suslov.constraints_stay.proved);
  EXPECT_TRUE(suslov.all_commute.fails());
  EXPECT_EQ(suslov.motion, KindOfMotion::other);
  EXPECT_THAT(suslov.here->variation, ElementsAre(0, 0));
  for (const std::size_t i : {0u, 1u, 2u, 6u, 7u, 8u}) EXPECT_EQ(suslov.here->A[i], 0);
  EXPECT_NEAR(suslov.here->A[3], -turning, 1e-13);
  EXPECT_NEAR(suslov.here->A[5], u / std::cos(phi), 1e-13);

  for (const View view : {View::mvm2, View::mvm3}) {
    EXPECT_TRUE(of(all, view).constraints_stay.holds());
    EXPECT_TRUE(of(all, view).all_commute.fails());
    EXPECT_EQ(of(all, view).motion, KindOfMotion::dalembert_lagrange);
    EXPECT_NEAR(of(all, view).here->discrepancy, 0, 1e-12);
  }
}

TEST(PointsOfView, AreJudgedBySeveralStatesAndNotByTheFirst) {
  // At rest the independent velocities do no harm; in motion they do.
  const PointsOfView all = points_of_view(gallery_model("skate"));
  EXPECT_EQ(of(all, View::suslov).motion, KindOfMotion::other);
  EXPECT_EQ(of(all, View::suslov).here->motion, KindOfMotion::dalembert_lagrange);
  // and where mvm3 has no A at all, it has one elsewhere
  const PointsOfView rest = points_of_view(gallery_model("skate", {"phi'=0"}));
  EXPECT_FALSE(of(rest, View::mvm3).error);
  ASSERT_TRUE(of(rest, View::mvm3).error_here);
  EXPECT_EQ(of(rest, View::mvm3).error_here->code(), ErrorCode::singular_auxiliary);
  EXPECT_EQ(of(rest, View::mvm3).motion, KindOfMotion::dalembert_lagrange);
}

TEST(PointsOfView, OfTheCircleDependOnTheFunctionAlone) {
  const PointsOfView moment = points_of_view(gallery_model("circle")),
                     angle = points_of_view(gallery_model("circle-angle"));
  // the relations of x y' − y x' are not zero, though they are on virtual displacements, A (−y, x) = −2 (x x' + y y')(…)/r²
  EXPECT_TRUE(of(moment, View::mvm2).all_commute.fails());
  EXPECT_TRUE(of(moment, View::mvm2).virtual_ones_commute.holds());
  EXPECT_TRUE(of(angle, View::mvm2).all_commute.holds());
  for (const PointsOfView* all : {&moment, &angle}) {
    for (const PointOfView& view : all->views) {
      if (view.error) continue;
      EXPECT_TRUE(view.constraints_stay.holds());
      EXPECT_EQ(view.motion, KindOfMotion::dalembert_lagrange);
    }
    EXPECT_TRUE(of(*all, View::hoelder).all_commute.holds());
  }
}

// y x' − x y' = 0 is integrable and not exact: E φ does not vanish, but it does on virtual displacements.
TEST(PointsOfView, LookAtVirtualDisplacementsAlone) {
  const PointsOfView all = points_of_view(read_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + 3*y'^2)/2 - x\"\nconstraints = [\"y*x' - x*y' = 0\"]\n"
      "[initial]\nx = 1\ny = 0.4\n\"x'\" = 0.3\n",
      "m.toml"));
  EXPECT_FALSE(all.commuting[0].empty());
  EXPECT_FALSE(of(all, View::hoelder).constraints_stay.proved);
  EXPECT_TRUE(of(all, View::hoelder).constraints_stay.holds());
  EXPECT_TRUE(of(all, View::hoelder).all_commute.holds());
  EXPECT_EQ(of(all, View::hoelder).motion, KindOfMotion::dalembert_lagrange);
}

// z' = a √(x'² + y'²): on its motion, a straight line, E φ = 0, and the vakonomic motion is the true one; on other paths the constraint varies.
TEST(PointsOfView, AreAboutPathsBeforeTheyAreMotions) {
  const PointsOfView all = points_of_view(gallery_model("appell-hamel"));
  const PointOfView& hoelder = of(all, View::hoelder);
  EXPECT_TRUE(hoelder.constraints_stay.fails());
  EXPECT_EQ(hoelder.motion, KindOfMotion::dalembert_lagrange);
  for (const double x : hoelder.here->variation) EXPECT_NEAR(x, 0, 1e-13);
}

// |P₁'| = |P₂'|, of degree 2: with the independent velocities the matrix of the accelerations is singular everywhere.
TEST(PointsOfView, HaveNoMotionWhereTheirEquationsDetermineNone) {
  const PointsOfView all = points_of_view(gallery_model("equal-speeds-plane"));
  const PointOfView& suslov = of(all, View::suslov);
  EXPECT_FALSE(suslov.motion);
  EXPECT_TRUE(suslov.constraints_stay.holds());
  EXPECT_TRUE(suslov.all_commute.fails());
  ASSERT_FALSE(suslov.notes.empty());
  EXPECT_THAT(suslov.notes.back(), testing::HasSubstr("do not determine the accelerations"));
}

// Three verdicts of two programs: the brackets of Frobenius on one side, variations on the other.
TEST(PointsOfView, HaveAllThreeConditionsExactlyWhereTheConstraintsAreIntegrable) {
  int integrable = 0, others = 0;
  for (const GalleryModel& model : gallery()) {
    SCOPED_TRACE(model.name);
    const System system = read_model(model.text, std::string(model.name) + ".toml");
    bool linear = !system->constraints.empty() && system->size() <= 5;
    const Workbench bench(system);
    if (linear) {
      for (const auto& c : bench.check().classification.constraints)
        linear = linear && c.order < 2 && c.linearity != Linearity::nonlinear;
    }
    if (!linear) continue;
    const PointsOfView& all = bench.transpositional_relations();
    const bool completely = bench.check().integrability.integrable;
    const PointOfView& hoelder = of(all, View::hoelder);
    EXPECT_TRUE(hoelder.all_commute.proved);
    EXPECT_EQ(hoelder.constraints_stay.holds(), completely);
    for (const PointOfView& view : all.views) {
      if (view.error || !view.motion) continue;
      SCOPED_TRACE(name_of(view.view));
      if (!completely) {
        EXPECT_FALSE(view.constraints_stay.holds() && view.virtual_ones_commute.holds());
      }
      if (view.view != View::hoelder) {
        EXPECT_TRUE(view.constraints_stay.holds());
      }
      if (view.view == View::mvm3) {
        EXPECT_EQ(view.motion, KindOfMotion::dalembert_lagrange);
      }
      if (view.view == View::mvm2) {
        EXPECT_EQ(view.motion == KindOfMotion::dalembert_lagrange,
                  bench.compare(Form::mvm2, Form::multipliers).agree());
      }
      if (view.view == View::suslov) {
        EXPECT_EQ(view.motion == KindOfMotion::dalembert_lagrange,
                  bench.compare(Form::reduced, Form::multipliers).agree());
      }
    }
    ++(completely ? integrable : others);
  }
  EXPECT_GE(integrable, 8);
  EXPECT_GE(others, 12);
}

TEST(PointsOfView, TakeTheMatrixOfTheModelToo) {
  const PointsOfView all = points_of_view(read_model(
      "transpositional = [[0, \"y'*x''\", 0], [0, 0, 0], [0, 0, \"z\"]]\ncoordinates = [\"x\", \"y\", \"z\"]\n"
      "lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nconstraints = [\"z' = y*x'\"]\n[initial]\ny = 2\nz = 0.7\n\"x'\" = 1\n",
      "m.toml"));
  ASSERT_EQ(all.views.size(), 5u);
  const PointOfView& own = of(all, View::written);
  EXPECT_TRUE(own.constraints_stay.fails());
  EXPECT_TRUE(own.all_commute.fails());
  EXPECT_EQ(own.motion, KindOfMotion::other);
  // δ(z' − y x') = (J A − E φ) δq, J = (−y, 0, 1), E φ = (−y', x', 0): (y', −y y' x'' − x', z), and δz = y δx
  const double a = own.here->a[0];
  const State& s = all.at.state;
  ASSERT_EQ(own.here->variation.size(), 2u);
  EXPECT_NEAR(own.here->variation[0], s.v[1] + s.q[2] * s.q[1], 1e-13);
  EXPECT_NEAR(own.here->variation[1], -s.q[1] * s.v[1] * a - s.v[0], 1e-13);
}

TEST(PointsOfView, SayWhatDoesNotApply) {
  const PointsOfView wrong =
      points_of_view(read_model_with({{}, {}, {{"x'", "y'", "phi'"}}, {}}, *gallery_text("skate"), "skate.toml"));
  EXPECT_EQ(of(wrong, View::mvm2).error->code(), ErrorCode::needs_auxiliary);
  EXPECT_EQ(of(wrong, View::mvm3).error->code(), ErrorCode::needs_auxiliary);
  EXPECT_FALSE(of(wrong, View::hoelder).error);
  try {
    (void)points_of_view(
        read_model("coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\nconstraints = [\"x'' = 1\"]\n", "m.toml"));
    FAIL() << "constraints on accelerations";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_applicable);
  }
}

}  // namespace
}  // namespace cetaev
