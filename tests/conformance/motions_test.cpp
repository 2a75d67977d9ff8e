// Every form by every method against a motion that is computed otherwise, to thirty digits: what finishes is right.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/formulation/second_order.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/formulation/principle.hpp"
#include "cetaev/integrate/motion.hpp"
#include "precise.hpp"
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

// A motion to thirty digits from a state on the constraints.
class Reference {
 public:
  // Throws where there is no such state.
  Reference(const System& system, const Terms& terms, const State& start, double t_end)
      : start_(start), t_end_(t_end), series_(system, terms), admissible_(system) {
    setting_.emplace(setting_at(system, terms, admissible_, {start, false, {}}));
    from_ = on_constraints(start);
    truth_ = series_.run(from_, t_end);
  }

  const SeriesMotion::Outcome& truth() const { return truth_; }

  // Errors grow by this much on the way, at the end.
  double growth(Dice& dice) {
    constexpr double moved = 1e-9;
    State state = start_;
    for (std::vector<double>* values : {&state.q, &state.v})
      for (double& value : *values) value += dice.chance(50) ? moved : -moved;
    const PreciseMotion::Outcome other = series_.run(on_constraints(state), t_end_);
    if (!other.reached) return HUGE_VAL;
    state.q = other.q;
    state.v = other.v;
    return std::max(1.0, distance_from(state, truth_) / moved);
  }

  // Does the motion come to an end within this time from t, or does the matrix of its equations lose rank there? What vanishes like a power of
  // the time has fallen by as much as that at least.
  bool has_a_set_at(double t, double within) {
    if (truth_.singular_at && std::fabs(*truth_.singular_at - t) <= within) return true;
    constexpr double before = 1e-4;
    const auto regularity = [&](double at) {
      const SeriesMotion::Outcome outcome = series_.run(from_, at);
      return outcome.reached ? outcome.last_regularity : HUGE_VAL;
    };
    // on the set itself the reference may have other rows
    const double least = std::min({regularity(t - within), regularity(t), regularity(t + within)});
    return least <= 2 * within / before * regularity(t - before);
  }

 private:
  std::vector<Ball> on_constraints(const State& state) { return refine(*setting_, state, Ball::working_bits); }

  State start_;
  double t_end_;
  SeriesMotion series_;
  Admissible admissible_;
  std::optional<Setting> setting_;
  std::vector<Ball> from_;
  SeriesMotion::Outcome truth_;
};

// Nothing else than the constraints and the masses can be in the way of these: they change their dependent velocities.
bool must_finish(Form form) { return form != Form::caplygin && form != Form::hamel && !form->auxiliary_functions; }

// How often, by the names of forms and of what became of systems and motions.
using Compared = std::map<std::string_view, int>;

// Where a few systems of one's own are asked for, or many.
void print(const Compared& compared, const Seeds& range) {
  if (range.usual) return;
  for (const auto& [name, times] : compared) std::printf("# %d %s\n", times, std::string(name).c_str());
}

// A motion beside the reference: what is finished is right, and what is singular has a set there.
void hold_motion_to_reference(const System& system, const MotionOptions& options, Reference& reference, double grown,
                              Compared& compared) {
  const Form form = *options.form;
  const SeriesMotion::Outcome& truth = reference.truth();
  const bool regular = truth.reached && truth.regularity >= 1e-6;
  // errors of many steps add up
  const double allowed = 1e5 * options.tolerance * grown;
  NoSamples nobody;
  try {
    const MotionSummary found = run_motion(system, options, nobody);
    if (found.status == MotionStatus::finished) {
      ++compared["motions that finished"];
      ++compared[form->name];
      if (truth.reached) {
        EXPECT_LT(distance_from(found.last, truth), allowed);
      } else {
        ADD_FAILURE() << "finished, and the motion ends at " << *truth.singular_at;
      }
      return;
    }
    if (!must_finish(form)) return;
    const std::string how = to_string(found.status) + " at " + std::to_string(found.last.t) + ": " +
                            (found.diagnosis ? found.diagnosis->message() : "");
    if (found.singular_at) {
      ++compared["motions that were singular"];
      const double within = std::max(1e-9, options.method == Method::bdf ? allowed : 0);
      EXPECT_TRUE(reference.has_a_set_at(*found.singular_at, within))
          << how << "; it is singular " << *found.singular_at - truth.singular_at.value_or(truth.t)
          << " later than the reference ends at " << truth.singular_at.value_or(truth.t);
    } else if (regular) {
      ADD_FAILURE() << how;
    } else {
      ++compared["motions that failed"];
    }
  } catch (const Error& error) {
    EXPECT_NE(error.code(), ErrorCode::internal_error) << error.message();  // it does not apply
  }
}

// Every form by every method, for a second from a random state; of the usual systems by Taylor's method and by one of the others in turn.
void hold_to_reference(const std::string& text, std::uint64_t seed, bool usual, Compared& compared) {
  constexpr std::array others = {Method::dop853, Method::adams, Method::bdf};
  std::vector<Method> methods = {Method::taylor, Method::dop853, Method::adams, Method::bdf};
  if (usual) methods = {Method::taylor, others[seed % others.size()]};
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  const std::optional<System> started = from_a_random_state(text, seed);
  if (!started) return void(++compared["systems without a state"]);
  const System system = *started;
  const Terms terms(system);
  if (nonlinear_in_accelerations(terms)) return void(++compared["systems nonlinear in accelerations"]);
  const State start = Admissible(system).initial().state;
  MotionOptions options;
  options.t_end = start.t + 1;
  options.samples = 2;
  options.cache = false;
  options.backend = Backend::interpreter;
  std::optional<Reference> reference;
  double grown = 1;
  try {
    reference.emplace(system, terms, start, options.t_end);
    Dice dice(seed);
    if (reference->truth().reached) grown = reference->growth(dice);
  } catch (const std::runtime_error&) {
    return void(++compared["systems without a state to all bits"]);
  }
  const SeriesMotion::Outcome& truth = reference->truth();
  if (!truth.reached && !truth.singular_at) return void(++compared["systems too long for the reference"]);
  ++compared[truth.singular_at ? "systems that end" : truth.regularity < 1e-6 ? "systems nearly singular" : "systems"];
  for (const Form form : principles()) {
    if (!form->dalembert_lagrange) continue;
    for (const Method method : methods) {
      SCOPED_TRACE(std::string(form->name) + " by " + to_string(method));
      options.form = form;
      options.method = method;
      options.tolerance = method == Method::bdf ? 1e-8 : 1e-12;
      hold_motion_to_reference(system, options, *reference, grown, compared);
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
  print(compared, range);
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
  print(compared, range);
}

// Small systems in which something comes to an end.
std::string ending_model(Dice& dice) {
  const auto number = [&](int low, int high) { return decimal(dice, low, high); };
  const std::string field = number(-3, 3) + "*x + " + number(-1, 1) + "*y*z + " + number(-3, 3) + "*sin(z)";
  const auto model = [](const std::string& L, const std::string& constraints) {
    return "coordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"" + L + "\"\nconstraints = [" + constraints + "]\n";
  };
  const std::string T = "(x'^2 + y'^2 + z'^2)/2", row = "\"z' = " + number(-2, 2) + "*x*x'\"";
  const std::string wall = "(x - " + number(-1, 1) + ")";
  switch (dice.below(7)) {
    case 0:  // a mass that vanishes
      return model("(x'^2 + " + wall + "*y'^2 + z'^2)/2 - (" + field + ")", row);
    case 1:  // rows that vanish where all stands still
      return model(T + " - (" + field + ")", "\"x'^2 + y'^2 + z'^2 = " + number(1, 4) + "*" + wall + "\"");
    case 2:  // a row that vanishes at a place
      return model(T + " - (" + field + ")", "\"" + wall + "*(y' - " + number(-1, 1) + "*z*x') = 0\"");
    case 3:  // rows that become one
      return model(T + " - (" + field + ")", row + ", \"z' = " + number(-2, 2) + "*x*x' + " + wall + "*(y' - x')\"");
    case 4:  // what is under a root
      return model(T + " - (" + field + ") + " + number(1, 3) + "*sqrt" + wall, row);
    case 5:  // an attraction
      return model(T + " - (" + field + ") + " + number(1, 3) + "/(x^2 + y^2)", row);
    default:  // a radius that vanishes, in time
      return model(T + " - (" + field + ")", "\"x^2 + y^2 = " + number(0, 1) + " - t\"");
  }
}

TEST(RandomMotions, ThatMeetASetEndThereInEveryFormByEveryMethod) {
  Compared compared;
  const Seeds range = seeds(12);
  for (const std::uint64_t seed : range.all()) {
    Dice dice(32452843 * seed);
    hold_to_reference(ending_model(dice), seed, range.usual, compared);
  }
  EXPECT_GE(compared["motions that were singular"], range.share(100));
  print(compared, range);
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
    std::optional<Reference> series;
    try {
      series.emplace(*system, terms, start, t_end);
    } catch (const std::runtime_error&) {
      continue;  // no state to all bits
    }
    const SeriesMotion::Outcome& truth = series->truth();
    const PreciseMotion::Outcome other = PreciseMotion(*system, terms).run(start, t_end);
    if (!truth.reached || !other.reached || truth.regularity < 1e-3) continue;
    State found = start;
    found.q = other.q;
    found.v = other.v;
    EXPECT_LT(distance_from(found, truth), 1e-14 * series->growth(dice));
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
