// Every form by every method against a motion that is computed otherwise, to thirty digits: what finishes is right.
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
#include "series_motion.hpp"

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
double growth(SeriesMotion& reference, const PreciseMotion::Outcome& truth, State start, double t_end, Dice& dice) {
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

// Every form by every method, for a second from a random state; of the usual systems by Taylor's method and by one of the others in turn.
void hold_to_reference(const std::string& text, std::uint64_t seed, bool usual, Compared& compared) {
  constexpr std::array others = {Method::dop853, Method::adams, Method::bdf};
  std::vector<Method> methods = {Method::taylor, Method::dop853, Method::adams, Method::bdf};
  if (usual) methods = {Method::taylor, others[seed % others.size()]};
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  const std::optional<System> started = from_a_random_state(text, seed);
  if (!started) return;
  const System system = *started;
  const Terms terms(system);
  if (nonlinear_in_accelerations(terms)) return;
  const State start = Admissible(system).initial().state;
  const double t_end = start.t + 1;
  SeriesMotion reference(system, terms);
  const SeriesMotion::Outcome truth = reference.run(start, t_end);
  if (!truth.reached || truth.regularity < 1e-6) return;
  Dice dice(seed);
  const double grown = growth(reference, truth, start, t_end, dice);
  for (const Form form : principles()) {
    if (!form->dalembert_lagrange) continue;
    for (const Method method : methods) {
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
  for (const std::uint64_t seed : range.all())
    hold_to_reference(random_model(seed + 1).text, seed + 1, range.usual, compared);
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
    hold_to_reference(difficult_model(dice), seed, range.usual, compared);
  }
  for (const std::string_view form : {"multipliers", "gauss", "maggi"})
    EXPECT_GE(compared[form], range.share(60)) << form;
}

// The two references know nothing of each other: series in balls, and extrapolated steps in long doubles.
TEST(RandomMotions, OfBothReferencesAgree) {
  int compared = 0;
  const Seeds range = seeds(30);
  for (const std::uint64_t seed : range.all()) {
    Dice dice(15485863 * seed);
    const std::string text = seed % 2 == 0 ? difficult_model(dice) : random_model(seed + 7).text;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const std::optional<System> system = from_a_random_state(text, seed);
    if (!system) continue;
    const Terms terms(*system);
    if (nonlinear_in_accelerations(terms)) continue;
    const State start = Admissible(*system).initial().state;
    const double t_end = start.t + 1;
    SeriesMotion series(*system, terms);
    PreciseMotion steps(*system, terms);
    const auto truth = series.run(start, t_end), other = steps.run(start, t_end);
    if (!truth.reached || !other.reached || truth.regularity < 1e-3) continue;
    State found = start;
    found.q = other.q;
    found.v = other.v;
    EXPECT_LT(distance_from(found, truth), 1e-14 * growth(series, truth, start, t_end, dice));
    ++compared;
  }
  EXPECT_GE(compared, range.share(50));
}

// The derivative of the state at the end along a direction at the start, by differences of the other motion and one step of extrapolation.
std::optional<std::vector<double>> by_differences(PreciseMotion& reference, const State& start,
                                                  std::span<const double> direction, double t_end) {
  const std::size_t n = start.q.size();
  const auto moved = [&](double by) {
    State state = start;
    for (std::size_t i = 0; i < n; ++i) {
      state.q[i] += by * direction[i];
      state.v[i] += by * direction[n + i];
    }
    return reference.run(state, t_end);
  };
  std::vector<double> result(2 * n);
  for (const auto& [h, weight] : {std::pair(1e-3, -1.0 / 3), std::pair(5e-4, 4.0 / 3)}) {
    const PreciseMotion::Outcome beyond = moved(h), before = moved(-h);
    if (!beyond.reached || !before.reached) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) {
      result[i] += weight * (beyond.q[i] - before.q[i]) / (2 * h);
      result[n + i] += weight * (beyond.v[i] - before.v[i]) / (2 * h);
    }
  }
  return result;
}

// What a motion says of its variations at its beginning and at its end.
class Variations : public Recorder {
 public:
  void sample(const MotionPoint& point) override {
    (first.empty() ? first : last).assign(point.variations.begin(), point.variations.end());
  }
  std::vector<double> first, last;
};

// A direction at the start stays on the constraints, and what becomes of it is what differences say.
void hold_variations_to_reference(const std::string& text, std::uint64_t seed, int& compared) {
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  const std::optional<System> started = from_a_random_state(text, seed);
  if (!started) return;
  const System system = *started;
  const Terms terms(system);
  if (nonlinear_in_accelerations(terms)) return;
  Admissible admissible(system);
  const State start = admissible.initial().state;
  const std::size_t n = system->size();
  const double t_end = start.t + 0.5;
  PreciseMotion reference(system, terms);
  if (const PreciseMotion::Outcome truth = reference.run(start, t_end); !truth.reached || truth.regularity < 1e-3)
    return;
  MotionOptions options;
  options.t_end = t_end;
  options.samples = 2;
  options.cache = false;
  options.backend = Backend::interpreter;
  const std::string& coordinate = system->coordinates[seed % n];
  options.variations = {coordinate, coordinate + "'"};
  Variations found;
  if (run_motion(system, options, found).status != MotionStatus::finished) return;
  for (std::size_t k = 0; k < options.variations.size(); ++k) {
    const auto own = [&](const std::vector<double>& all) { return std::span(all).subspan(k * 2 * n, 2 * n); };
    const double h = 1e-5;
    State beside = start;
    for (std::size_t i = 0; i < n; ++i) {
      beside.q[i] += h * own(found.first)[i];
      beside.v[i] += h * own(found.first)[n + i];
    }
    double size = 1;
    for (const double value : own(found.first)) size = std::max(size, std::fabs(value));
    const std::vector<double> residual = admissible.residual(beside);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      if (system->constraints[i].order > 1) continue;
      EXPECT_LT(std::fabs(residual[i]), 1e4 * h * h * size * size);
    }

    const auto expected = by_differences(reference, start, own(found.first), t_end);
    if (!expected) continue;
    double off = 0, largest = 1;
    for (std::size_t i = 0; i < 2 * n; ++i) {
      largest = std::max(largest, std::fabs((*expected)[i]));
      off = std::max(off, std::fabs((*expected)[i] - own(found.last)[i]));
    }
    EXPECT_LT(off, 1e-7 * largest * largest) << options.variations[k];
    ++compared;
  }
}

TEST(RandomMotions, HaveTheVariationsThatDifferencesShow) {
  int compared = 0;
  const Seeds range = seeds(16);
  for (const std::uint64_t seed : range.all()) {
    Dice dice(104729 * seed);
    hold_variations_to_reference(seed % 2 == 0 ? difficult_model(dice) : random_model(seed + 7).text, seed, compared);
  }
  EXPECT_GE(compared, range.share(50));
}

}  // namespace
}  // namespace cetaev::conformance
