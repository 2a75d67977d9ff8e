// Every form by every method against a motion that is computed otherwise, to sixteen digits: what finishes is right.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
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

TEST(RandomMotions, ThatFinishAreRightInEveryFormByEveryMethod) {
  constexpr std::array others = {Method::dop853, Method::adams, Method::bdf};
  std::map<std::string_view, int> compared;
  const Seeds range = seeds(6);
  // the first of the models takes minutes under the sanitizers
  for (std::uint64_t seed = range.first + 1; seed <= range.end(); ++seed) {
    SCOPED_TRACE(seed);
    const std::optional<System> started = from_a_random_state(random_model(seed).text, seed);
    if (!started) continue;
    const System system = *started;
    const Terms terms(system);
    if (nonlinear_in_accelerations(terms)) continue;
    const State start = Admissible(system).initial().state;
    const double t_end = start.t + 1;
    PreciseMotion reference(system, terms);
    const PreciseMotion::Outcome truth = reference.run(start, t_end);
    if (!truth.reached || truth.regularity < 1e-6) continue;
    Dice dice(seed);
    const double grown = growth(reference, truth, start, t_end, dice);
    for (const Form form : principles()) {
      if (!form->dalembert_lagrange) continue;
      // by Taylor's and by one of the others in turn
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
  for (const std::string_view form : {"multipliers", "gauss", "maggi"})
    EXPECT_GE(compared[form], range.share(100)) << form;
}

}  // namespace
}  // namespace cetaev::conformance
