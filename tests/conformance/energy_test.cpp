// The balance laws of THEORY 5 at random admissible states in 320-bit balls, on the gallery and on random systems.
#include <gtest/gtest.h>

#include <string>

#include "cetaev/energy/energies.hpp"
#include "cetaev/energy/motion_sample.hpp"
#include "cetaev/gallery.hpp"
#include "random_system.hpp"
#include "scratch.hpp"
#include "seeds.hpp"

namespace cetaev::conformance {
namespace {

struct Law {
  std::string name;
  Expr left, right;
};

// Both sides of every law; they are computed from different terms.
std::vector<Law> laws(const EnergyTerms& terms) {
  const auto sum = [&](const std::vector<BalanceTerm>& balance) {
    std::vector<Expr> parts;
    for (const BalanceTerm& term : balance) parts.push_back(term.expression);
    return terms.E.context().sum(parts);
  };
  std::vector<Law> list = {{"[T1] (20)", terms.dE_dt, sum(terms.balance)}};
  if (const auto& r = terms.reduced) {
    list.push_back({"[T1] (18)", r->E, r->E_by_excess});
    list.push_back({"[T1] (21)", r->dE_dt, sum(r->balance)});
    for (std::size_t i = 0; i < r->B_bar.size(); ++i) list.push_back({"[T1] (22)", r->B_bar[i], r->B_bar_by_22[i]});
    list.push_back({"[T2] (37)", r->reaction_power, terms.reaction_power});
  }
  return list;
}

struct Count {
  int motions = 0, reduced = 0, not_conic = 0;
};

// Everything to 1e-50 beside the larger of the two sides, or 1.
void hold(const System& system, const std::string& what, Count& count) {
  OnSet set(system);
  const Terms terms(system);
  const MotionSample motions(set, terms);
  for (const MotionSample::Motion& motion : motions.motions()) {
    const Energies energies(*motions.settings()[motion.setting]);
    const std::vector<Law> list = laws(energies.terms());
    std::vector<Expr> outputs;
    for (const Law& law : list) {
      outputs.push_back(law.left - law.right);
      outputs.push_back(law.left);
    }
    std::vector<Ball> balls;
    if (run_in_balls(energies.program(outputs), motion.inputs(), balls, OnSet::bits) >= 0) continue;
    ++count.motions;
    if (energies.terms().reduced) ++count.reduced;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const double size = std::max(0.0, balls[2 * i + 1].magnitude_log10());
      ASSERT_TRUE(balls[2 * i].is_finite()) << what << ": " << list[i].name;
      ASSERT_LT(balls[2 * i].magnitude_log10() - size, -50) << what << ": " << list[i].name;
      if (list[i].name == "[T2] (37)" && balls[2 * i + 1].magnitude_log10() > -10) ++count.not_conic;
    }
  }
}

TEST(EnergyBalances, CloseOnEveryGalleryModel) {
  Count count;
  for (const GalleryModel& model : gallery()) {
    const int before = count.motions;
    const std::string name(model.name);
    const System system = scratch_model(model.text, name + ".toml", {});
    hold(system, name, count);
    // constraints nonlinear in the accelerations have no linear system for them
    if (model.name != "prescribed-acceleration") {
      EXPECT_GE(count.motions - before, 4) << model.name;
    }
  }
  EXPECT_GT(count.reduced, 400);
  EXPECT_GT(count.not_conic, 20);
}

TEST(EnergyBalances, CloseOnRandomSystems) {
  const Seeds range = seeds(150);
  Count count;
  for (const std::uint64_t seed : range.all()) {
    const RandomModel model = random_model(seed);
    const System system = scratch_model(model.text, "random.toml", {});
    try {
      hold(system, "seed " + std::to_string(seed), count);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::inconsistent_constraints) << "seed " << seed << ": " << error.message();
    }
  }
  EXPECT_GT(count.motions, range.share(200));
  EXPECT_GT(count.not_conic, range.share(25));
}

}  // namespace
}  // namespace cetaev::conformance
