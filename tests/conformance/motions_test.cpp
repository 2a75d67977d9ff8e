// Every form by every method against a motion that is computed otherwise, to sixteen digits: what finishes is right.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/formulation/second_order.hpp"
#include "cetaev/formulation/principle.hpp"
#include "cetaev/integrate/motion.hpp"
#include "precise_motion.hpp"
#include "random_system.hpp"
#include "scratch.hpp"
#include "seeds.hpp"

namespace cetaev::conformance {
namespace {

class NoSamples : public Recorder {
 public:
  void sample(const MotionPoint&) override {}
  bool wants_samples() const override { return false; }
};

// A model with an admissible state as its initial one; nothing where none is found.
std::optional<System> from_a_random_state(const std::string& text, std::uint64_t seed) {
  const System system = scratch_model(text, "random.toml");
  const std::optional<State> state = Admissible(system).random(seed + 1);
  if (!state) return std::nullopt;
  std::ostringstream out;
  out.precision(17);
  out << text << "[initial]\n";
  for (std::size_t i = 0; i < system->size(); ++i)
    out << system->coordinates[i] << " = " << state->q[i] << "\n\"" << system->coordinates[i] << "'\" = " << state->v[i]
        << "\n";
  try {
    System started = scratch_model(out.str(), "random.toml");
    Admissible(started).initial();
    return started;
  } catch (const Error&) {
    return std::nullopt;  // its constraints depend on time, or lose rank there
  }
}

// Relative to the size of the motion.
double distance_from(const State& found, const PreciseMotion::Outcome& truth) {
  double size = 1, off = 0;
  for (std::size_t i = 0; i < truth.q.size(); ++i) {
    size = std::max({size, std::fabs(truth.q[i]), std::fabs(truth.v[i])});
    off = std::max({off, std::fabs(found.q[i] - truth.q[i]), std::fabs(found.v[i] - truth.v[i])});
  }
  return off / size;
}

// Errors grow by this much on the way, at the end of a motion.
double growth(PreciseMotion& reference, const PreciseMotion::Outcome& truth, State start, double t_end, Dice& dice) {
  constexpr double moved = 1e-9;
  for (std::vector<double>* values : {&start.q, &start.v})
    for (double& value : *values) value += dice.chance(50) ? moved : -moved;
  const PreciseMotion::Outcome other = reference.run(start, t_end);
  if (!other.reached) return HUGE_VAL;
  start.q = other.q;
  start.v = other.v;
  return std::max(1.0, distance_from(start, truth) / moved);
}

// Nothing else than the constraints and the masses can be in the way of these: they change their dependent velocities.
bool must_finish(Form form) { return form != Form::caplygin && form != Form::hamel && !form->auxiliary_functions; }

using Compared = std::map<std::string_view, int>;

// Every form by Taylor's method and by one of the others in turn, for a second from a random state.
void hold_to_reference(const std::string& text, std::uint64_t seed, Compared& compared) {
  constexpr std::array others = {Method::dop853, Method::adams, Method::bdf};
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  const std::optional<System> started = from_a_random_state(text, seed);
  if (!started) return;
  const System system = *started;
  const Terms terms(system);
  if (nonlinear_in_accelerations(terms)) return;
  const State start = Admissible(system).initial().state;
  const double t_end = start.t + 1;
  PreciseMotion reference(system, terms);
  const PreciseMotion::Outcome truth = reference.run(start, t_end);
  if (!truth.reached || truth.regularity < 1e-6) return;
  Dice dice(seed);
  const double grown = growth(reference, truth, start, t_end, dice);
  for (const Form form : principles()) {
    if (!form->dalembert_lagrange) continue;
    for (const Method method : {Method::taylor, others[seed % others.size()]}) {
      SCOPED_TRACE(std::string(form->name) + " by " + to_string(method));
      MotionOptions options;
      options.form = form;
      options.method = method;
      options.t_end = t_end;
      options.samples = 2;
      options.cache = false;
      options.backend = Backend::interpreter;
      options.tolerance = method == Method::bdf ? 1e-8 : 1e-12;
      NoSamples nobody;
      try {
        const MotionSummary found = run_motion(system, options, nobody);
        if (found.status == MotionStatus::finished) {
          // errors of many steps add up
          EXPECT_LT(distance_from(found.last, truth), 1e5 * options.tolerance * grown);
          ++compared[form->name];
        } else if (must_finish(form)) {
          ADD_FAILURE() << to_string(found.status) << " at " << found.last.t << ": "
                        << (found.diagnosis ? found.diagnosis->message() : "");
        }
      } catch (const Error& error) {
        EXPECT_NE(error.code(), ErrorCode::internal_error) << error.message();  // it does not apply
      }
    }
  }
}

TEST(RandomMotions, ThatFinishAreRightInEveryFormByEveryMethod) {
  Compared compared;
  const Seeds range = seeds(6);
  // the first of the models takes minutes under the sanitizers
  for (const std::uint64_t seed : range.all()) hold_to_reference(random_model(seed + 1).text, seed + 1, compared);
  for (const std::string_view form : {"multipliers", "gauss", "maggi"})
    EXPECT_GE(compared[form], range.share(100)) << form;
}

// A number with two digits behind the point.
std::string decimal(Dice& dice, int low, int high) {
  const long hundredths = static_cast<long>(dice.between(0, static_cast<std::size_t>(100 * (high - low)))) + 100 * low;
  std::ostringstream out;
  out << (hundredths < 0 ? "(-" : "(") << std::labs(hundredths) / 100 << "." << std::labs(hundredths) / 10 % 10
      << std::labs(hundredths) % 10 << ")";
  return out.str();
}

// Small systems in which something is in the way of a form or of a method.
std::string difficult_model(Dice& dice) {
  const auto number = [&](int low, int high) { return decimal(dice, low, high); };
  const std::string field = number(-1, 1) + "*x + " + number(-1, 1) + "*y*z + " + number(-1, 1) + "*sin(z)";
  const std::string twist = number(-2, 2) + "*x*y' + " + number(-2, 2) + "*y*z'";
  const auto model = [](const std::string& L, const std::string& constraints) {
    return "coordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"" + L + "\"\nconstraints = [" + constraints + "]\n";
  };
  const std::string T = "(x'^2 + y'^2 + z'^2)/2";
  switch (dice.below(6)) {
    case 0:  // folds: each velocity vanishes now and then
      return model(T + " + " + twist, "\"x'^2 + " + number(1, 3) + "*y'^2 + z'^2 = " + number(1, 4) + " + t/9\"");
    case 1: {  // a mass that nearly vanishes on the way
      const std::vector<std::string> least = {"1/10", "1/1000", "1/100000"};
      const std::string mass = "((x - " + number(-1, 1) + ")^2 + " + least[dice.below(least.size())] + ")";
      return model("(x'^2 + " + mass + "*y'^2 + z'^2)/2 - (" + field + ")", "\"z' = " + number(-2, 2) + "*x*x'\"");
    }
    case 2: {  // below the speed of light
      const std::string c = number(1, 4);
      return model("-" + c + "^2*sqrt(1 - (x'^2 + y'^2 + z'^2)/" + c + "^2) - (" + field + ")",
                   "\"z' = " + number(-2, 2) + "*y*x'\"");
    }
    case 3: {  // one row in two components, of which one and then the other vanishes
      const std::string row = "(y' - " + number(-1, 1) + "*z*x')",
                        angle = "(" + number(1, 4) + "*x + " + number(-2, 2) + "*t)";
      return model(T + " - (" + field + ")",
                   "\"sin" + angle + "*" + row + " = 0\", \"cos" + angle + "*" + row + " = 0\"");
    }
    case 4: {  // in time
      const std::string rate = number(1, 4);
      return model(T + " - (" + field + ")*cos(t)",
                   "\"z' = cos(" + rate + "*t)*x' + sin(" + rate + "*t)*y' + " + number(-1, 1) + "*t\"");
    }
    default:  // two of them, one on positions
      return model(T + " - (" + field + ") + " + twist,
                   "\"x^2 + y^2 + z^2/4 = 1\", \"x'*z' = " + number(-1, 1) + "*y'^2 + " + number(1, 2) + "\"");
  }
}

TEST(RandomMotions, PastFoldsSmallMassesVanishingRowsAndTheSpeedOfLightAreRight) {
  Compared compared;
  const Seeds range = seeds(60);
  for (const std::uint64_t seed : range.all()) {
    Dice dice(7919 * seed);
    hold_to_reference(difficult_model(dice), seed, compared);
  }
  for (const std::string_view form : {"multipliers", "gauss", "maggi"})
    EXPECT_GE(compared[form], range.share(60)) << form;
}

}  // namespace
}  // namespace cetaev::conformance
