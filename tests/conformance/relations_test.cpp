// Theorem 1 on systems that nobody chose: with the relations of the other principles it is they, whatever the multipliers are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "precise.hpp"
#include "random_system.hpp"
#include "scratch.hpp"
#include "seeds.hpp"

namespace cetaev::conformance {
namespace {

constexpr long bits = 320;
constexpr double forty_digits = -40;

System with_view(const System& system, Transpositional::View view) {
  return system.with([&](SystemData& data) {
    data.transpositional = Transpositional{view, {}, {}};
    data.initial.lambda0.clear();
    if (view == Transpositional::View::hoelder) data.auxiliary.clear();
    for (std::size_t j = 0; j < data.auxiliary.size(); ++j)
      data.initial.lambda0.push_back(data.context->number(Rational(static_cast<long>(4 * j) - 3, 7)));
  });
}

TEST(RandomRelations, MakeTheorem1EachOfTheOtherPrinciples) {
  using View = Transpositional::View;
  const Seeds range = seeds(120);
  int compared = 0;
  for (const std::uint64_t seed : range.all()) {
    const RandomModel model = random_model(seed);
    const System system = scratch_model(model.text, "random.toml");
    if (std::ranges::any_of(system->constraints, [](const Constraint& c) { return c.order == 2; })) continue;
    for (const auto& [view, name] :
         {std::pair(View::hoelder, "vakonomic"), std::pair(View::mvm2, "mvm2"), std::pair(View::mvm3, "mvm3")}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + name + "\n" + model.text);
      const System given = with_view(system, view);
      Forms forms(given);
      const std::optional<State> state = forms.admissible().random(seed);
      if (!state) continue;
      const std::vector<double> lambda(given->constraints.size(), 0.3);
      std::optional<AtState> at;
      try {
        at = forms.at(*state, {}, lambda);
      } catch (const Error&) {
        continue;  // a singular state
      }
      const Outcome &mvm1 = (*at)["mvm1"], &other = (*at)[name];
      EXPECT_EQ(mvm1.values.has_value(), other.values.has_value());
      if (!mvm1.regular() || !other.regular()) continue;
      const Setting& setting = at->derived->setting;
      const std::vector<Ball> refined = refine(setting, *state, bits);
      std::vector<Ball> inputs = refined;
      for (std::size_t i = 0; i < setting.rank(); ++i)
        inputs.emplace_back(Rational(static_cast<long>(5 * i) - 4, 9), bits);
      const auto a = mvm1.derived->form->evaluate(inputs, bits).a;
      const auto b = other.derived->form->evaluate(view == View::hoelder ? inputs : refined, bits).a;
      EXPECT_LT(difference_log10(setting.context(), a, b, bits), forty_digits);
      ++compared;
    }
  }
  EXPECT_GE(compared, range.share(150));
}

}  // namespace
}  // namespace cetaev::conformance
