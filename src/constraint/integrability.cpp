#include "cetaev/constraint/integrability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "brackets.hpp"
#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "enclosed.hpp"
#include "integrals.hpp"
#include "velocity_samples.hpp"

namespace cetaev {

namespace {

// In multiplications of coefficients, some 80 ns each in two words: what the brackets at one point may cost, and up to which
// cost they are computed again in balls of 320 bits.
constexpr double budget = 2e7;
// Beyond this one point must do.
constexpr double costly = 2e6;
// Where a few digits do not settle it, more digits may cost this much.
constexpr double most_precise = 1e7;
constexpr double state_budget = 1e6;
constexpr double precise_budget = 1.5e5;
constexpr std::size_t points = 2;
// A given state is known to the precision of doubles.
constexpr double precision_of_states = 1e-11;

class Analysis {
 public:
  Analysis(OnSet& set, const std::optional<State>& state)
      : set_(set), system_(set.system()), constraints_(set.admissible().constraints()), given_(state) {}

  Integrability run() {
    n_ = system_->size();
    second_order_ = constraints_.velocity_rows.size() < constraints_.size();
    if (constraints_.velocity_rows.empty()) return unrestricted();
    result_.linear = result_.linear_rows = rows_are_linear();
    if (set_.states().empty()) {
      return undecided("no admissible state was found to any precision");
    }
    charts_.emplace(system_, phi_, !result_.linear_rows || !steady());
    if (!generic()) return result_;
    // with every dimension reached, what was left undecided on the way only matters for the growth
    settled_ = generic_.complete && (generic_.clear || generic_.rank() == charts_->dimension());
    if (result_.linear && !second_order_ && generic_.clear && generic_.complete) {
      result_.growth = less_time(generic_.growth);
      if (given_ && generic_.cost > costly) {
        state_note_ = "the given state was left out for its cost";
      } else if (given_) {
        at_state();
      }
    }
    result_.hidden = charts_->dimension() - generic_.rank();
    result_.integrable = result_.hidden == rank_ && !second_order_;
    if (result_.hidden > 0 && settled_) result_.integrals = find_integrals(set_, phi_, result_.hidden);
    // in a few digits alone, integrals that nobody has seen are no verdict
    if (result_.hidden > 0 && !precise_ && !result_.all_found()) withdraw();
    explain();
    return result_;
  }

 private:
  Integrability unrestricted() {
    if (!second_order_) result_.growth = std::vector<std::size_t>{n_};
    result_.integrable = !second_order_;
    result_.proved = true;
    result_.ground = second_order_ ? "constraints on accelerations leave every velocity admissible"
                                   : "without constraints every velocity is admissible";
    return result_;
  }

  Integrability undecided(const std::string& why) {
    result_.decided = false;
    result_.ground = "undecided: " + why;
    return result_;
  }

  void withdraw() {
    settled_ = generic_.clear = false;
    result_.growth.reset();
    result_.growth_at_state.reset();
  }

  // Every row linear or affine in v, and then written so: x'^p with p = 1, (x'^2 − y'^2)/(x' − y').
  bool rows_are_linear() {
    const std::vector<Expr>& v = system_->motion.v;
    bool all = true;
    phi_ = constraints_.phi;
    for (const std::size_t i : constraints_.velocity_rows) {
      const Expr exact = with_parameter_values(system_, phi_[i]);
      const std::optional<Affine> affine = affine_in(exact, v);
      all = all && affine.has_value();
      const auto slopes = std::span(constraints_.jacobian.entries).subspan(i * n_, n_);
      if (!affine || std::none_of(slopes.begin(), slopes.end(), [&](Expr e) { return depends_on(e, v); })) continue;
      std::vector<Expr> terms;
      for (std::size_t j = 0; j < n_; ++j) terms.push_back(affine->slopes[j] * v[j]);
      const Expr linear = system_->context->sum(terms);
      phi_[i] = linear + affine->rest;
    }
    return all;
  }

  // Linear without an affine part and without time: nothing happens in the direction of t.
  bool steady() const {
    std::vector<Replacement> rest;
    for (const Expr v : system_->motion.v) rest.emplace_back(v, system_->context->zero());
    for (const std::size_t i : constraints_.velocity_rows) {
      const Expr phi = phi_[i];
      if (depends_on(phi, std::span(&system_->motion.t, 1))) return false;
      try {
        if (!substitute(phi, rest).is_zero()) return false;
      } catch (const Error&) {
        return false;
      }
    }
    return true;
  }

  std::vector<std::size_t> less_time(std::vector<std::size_t> growth) const {
    if (charts_->with_time()) {
      for (std::size_t& dimension : growth) --dimension;
    }
    return growth;
  }

  std::vector<std::size_t> velocity_rows_of(const PreciseState& state) const {
    std::vector<std::size_t> rows;
    for (const std::size_t i : state.rows) {
      if (constraints_.order[i] < 2) rows.push_back(i);
    }
    return rows;
  }

  BracketProblem problem_at(const PreciseState& state) {
    BracketProblem problem;
    problem.values = state.inputs();
    if (!result_.linear_rows) {
      const VelocitySamples samples = sample_velocities(set_, state);
      sheets_ = sheets_ || samples.others;
      for (const PreciseState& sample : samples.states) {
        Generator generator{&(*charts_)(velocity_rows_of(sample), sample.dependent), {}, false};
        for (std::size_t i = 0; i < n_; ++i) generator.v.push_back(sample.values[n_ + i].second);
        problem.generators.push_back(std::move(generator));
      }
      return problem;
    }
    const SetChart& chart = (*charts_)(velocity_rows_of(state), state.dependent);
    const std::vector<Ball> rest(n_);
    if (charts_->with_time()) problem.generators.push_back({&chart, rest, true});
    for (std::size_t i = 0; i < n_; ++i) {
      if (std::find(chart.dependent.begin(), chart.dependent.end(), i) != chart.dependent.end()) continue;
      problem.generators.push_back({&chart, rest, true});
      problem.generators.back().v[i] = Ball(Rational(1));
    }
    return problem;
  }

  template <class Scalar>
  Closure close(const BracketProblem& problem) const {
    Brackets<Scalar> brackets(*charts_, problem);
    // points that Newton's method found are known to some digits; others are exactly what they are
    const bool exact = result_.linear_rows && constraints_.position_rows.empty();
    return close_generic(brackets, budget, exact ? 0 : Scalar::zero);
  }

  // The growth at generic points: quickly first, which also tells what more digits would cost.
  bool generic() {
    const std::vector<PreciseState>& states = set_.states();
    rank_ = velocity_rows_of(states.front()).size();
    for (const PreciseState& state : states) {
      if (tried_ >= points) break;
      const BracketProblem problem = problem_at(state);
      if (problem.generators.empty() && !result_.linear_rows) continue;
      Closure found = close<Quick>(problem);
      if (!found.finite) continue;  // not smooth there
      // a direction that is small beside the terms it is the difference of may pass for zero
      const bool doubtful = !found.clear || found.rank() < charts_->dimension();
      const bool affordable =
          found.cost <= precise_budget || (doubtful && found.complete && found.cost <= most_precise);
      if (affordable) found = close<Precise>(problem);
      precise_ = affordable && (precise_ || tried_ == 0);
      take(std::move(found));
      if (generic_.cost > costly) break;
      // where it is expensive, the given state will do as another point
      if (!affordable && tried_ == 1 && result_.linear_rows && given_ && close_at_state()) {
        if (at_state_->growth == generic_.growth) ++tried_;
      }
    }
    if (tried_ == 0) {
      undecided("no point was found where the admissible velocities are smooth");
      return false;
    }
    // all admissible velocities in one affine space of their own dimension
    if (!result_.linear_rows) result_.linear = !sheets_ && generic_.growth.front() == n_ - rank_ + 1;
    return true;
  }

  void take(Closure found) {
    ++tried_;
    if (tried_ == 1) {
      generic_ = std::move(found);
      return;
    }
    agree_ = agree_ && (result_.linear_rows ? found.growth == generic_.growth : found.rank() == generic_.rank());
    // no point has more than the generic dimensions
    if (found.rank() > generic_.rank() || (found.rank() == generic_.rank() && found.growth > generic_.growth)) {
      generic_.growth = found.growth;
    }
    generic_.clear = generic_.clear && found.clear;
    generic_.complete = generic_.complete && found.complete;
    generic_.kept = std::min(generic_.kept, found.kept);
    generic_.discarded = std::max(generic_.discarded, found.discarded);
  }

  // A given position is known to its last digit where the model writes an expression for it.
  void make_exact(PreciseState& state) const {
    if (!constraints_.position_rows.empty()) return;
    std::vector<BallValue> parameters;
    for (std::size_t i = 0; i < system_->parameters.size(); ++i) parameters.push_back(state.values[2 * n_ + 1 + i]);
    for (std::size_t i = 0; i < n_; ++i) {
      if (!system_->initial.q[i]) continue;
      const Ball exact = evaluate_ball(*system_->initial.q[i], parameters, OnSet::bits);
      if (exact.is_finite() && std::fabs(exact.midpoint() - given_->q[i]) <= 1e-15 * std::fabs(given_->q[i])) {
        state.values[i].second = exact;
      }
    }
  }

  // Pivots at the state count as zero far below those at generic points.
  double coarse() const { return std::min(precision_of_states, 1e-4 * generic_.kept); }

  // The brackets at the given state as if it were generic; false where there is no distribution.
  bool close_at_state() {
    if (at_state_) return true;
    given_precisely_ = set_.refine(*given_);
    if (!given_precisely_ || velocity_rows_of(*given_precisely_).size() < rank_) return false;
    make_exact(*given_precisely_);
    Brackets<Quick> brackets(*charts_, problem_at(*given_precisely_));
    at_state_ = close_generic(brackets, budget, coarse());
    return true;
  }

  void at_state() {
    if (!close_at_state() || at_state_->growth == generic_.growth || !at_state_->complete) return;
    if (!at_state_->finite) {
      state_note_ = "at the given state the constraints have not enough derivatives for a growth vector";
      return;
    }
    // How far growth can go is seen at points reached from here by admissible motions: the dimension is the same along
    // them, and they are generic among themselves.
    const std::size_t rank = std::max(at_state_->rank(), rank_of_orbit(*given_precisely_));
    Brackets<Quick> brackets(*charts_, problem_at(*given_precisely_));
    const Closure found = close_at_point(brackets, generic_.growth, rank, state_budget, coarse());
    if (found.growth == generic_.growth) return;
    if (found.complete) {
      result_.growth_at_state = less_time(found.growth);
    } else {
      const std::size_t less = charts_->with_time() ? 1 : 0;
      state_note_ = fmt::format(
          "growth at the given state differs and reaches {} in the end, but not within brackets of length {}",
          rank - less, found.growth.size());
    }
  }

  // Nothing when the points reached are beyond where the constraints are defined.
  std::optional<std::size_t> rank_of_orbit(PreciseState state, double reach) {
    for (int round = 0; round < 8; ++round) {
      const std::size_t letters = problem_at(state).generators.size();
      for (std::size_t a = 0; a < letters; ++a) {
        const double s = reach * (1 + 0.2 * static_cast<double>((3 * a + round) % 5)) * (a % 2 == 0 ? 1 : -1);
        const std::vector<double> point = Brackets<Quick>(*charts_, problem_at(state)).travel(a, s);
        for (std::size_t i = 0; i < point.size(); ++i) {
          if (!std::isfinite(point[i])) return std::nullopt;
          state.values[i < n_ ? i : 2 * n_].second = Ball::from_double(point[i]);
        }
      }
    }
    Brackets<Quick> brackets(*charts_, problem_at(state));
    const Closure found = close_generic(brackets, budget, coarse());
    if (!found.finite || !found.complete) return std::nullopt;
    return found.rank();
  }

  // Both ways, far and near; what cannot be seen is taken for generic.
  std::size_t rank_of_orbit(const PreciseState& state) {
    for (const double reach : {0.05, -0.05, 0.005, -0.005}) {
      if (const std::optional<std::size_t> rank = rank_of_orbit(state, reach)) return *rank;
    }
    return generic_.rank();
  }

  void explain() {
    const std::size_t all = charts_->dimension();
    const std::string where = fmt::format("{} random admissible point{}", tried_, tried_ == 1 ? "" : "s");
    const char* what = result_.linear_rows ? "the brackets of the admissible directions"
                       : sheets_           ? "the admissible velocities of each sheet and their brackets"
                                           : "the admissible velocities of all branches found and their brackets";
    result_.decided = settled_;
    const bool integrals_proved =
        result_.all_found() && std::all_of(result_.integrals.begin(), result_.integrals.end(),
                                           [](const FoundIntegral& f) { return f.finding.proved; });
    result_.proved = result_.decided && integrals_proved;
    std::string text;
    if (!result_.decided) {
      text = fmt::format(
          "undecided: {} span at least {} of {} dimensions, but {}", what, generic_.rank(), all,
          generic_.complete ? "some of them are too near to zero to tell" : "there are too many of them to try");
    } else if (result_.hidden == 0) {
      text = fmt::format("{} span all {} dimensions at {}, proved in balls", what, all, where);
    } else {
      text = fmt::format("{} span {} of {} dimensions at {}, the rest being zero to {} digits", what, generic_.rank(),
                         all, where, precise_ ? 60 : 20);
      if (integrals_proved) {
        text += fmt::format("; {} found, proved by algebra",
                            result_.hidden == 1 ? "the integral was" : "all integrals were");
      } else if (result_.all_found()) {
        text += result_.hidden == 1 ? "; the integral was found" : "; all integrals were found";
      } else {
        text += fmt::format("; {} of {} integral{} found in closed form", result_.integrals.size(), result_.hidden,
                            result_.hidden == 1 ? "" : "s");
      }
    }
    if (settled_ && !generic_.clear) text += "; some brackets on the way are too near to zero to tell the growth";
    if (!agree_) text += "; the points differ, and the largest dimensions are given";
    if (!state_note_.empty()) text += "; " + state_note_;
    result_.ground = std::move(text);
  }

  OnSet& set_;
  System system_;
  const ConstraintSet& constraints_;
  std::optional<State> given_;
  std::size_t n_ = 0;
  bool second_order_ = false;
  std::vector<Expr> phi_;  // of every constraint, linear in v where it can be written so
  std::optional<Charts> charts_;
  Integrability result_;
  Closure generic_;
  std::size_t rank_ = 0;
  std::size_t tried_ = 0;
  bool precise_ = false;
  bool settled_ = false;
  std::optional<PreciseState> given_precisely_;
  std::optional<Closure> at_state_;
  bool agree_ = true;
  bool sheets_ = false;  // not all admissible velocities are connected with one another
  std::string state_note_;
};

}  // namespace

Integrability integrability(OnSet& set, const std::optional<State>& state) { return Analysis(set, state).run(); }

}  // namespace cetaev
