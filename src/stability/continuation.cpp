// A branch is walked from place to place: a step along its tangent, and Newton's method back to it in the plane across. Between two
// places some functions of the place are looked at whose zeros are what has a name:
//
//   the part of the tangent along the value (folds),   det(M + 1) (period doublings, M the monodromy matrix),
//   det of all rows with the tangent below them (branch points; what is conserved makes rows superfluous, and columns are added that
//   these leave out),   how many multipliers lie outside the unit circle (pairs that cross it).
#include "cetaev/stability/continuation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "branch_corrector.hpp"
#include "branch_places.hpp"

namespace cetaev {

std::string_view to_string(PeriodicBranch::Kind kind) {
  switch (kind) {
    case PeriodicBranch::Kind::fold: return "fold";
    case PeriodicBranch::Kind::period_doubling: return "period-doubling";
    case PeriodicBranch::Kind::branch_point: return "branch-point";
    case PeriodicBranch::Kind::neimark_sacker: return "neimark-sacker";
    case PeriodicBranch::Kind::collision: return "collision";
    case PeriodicBranch::Kind::steady: return "steady";
  }
  return "fold";
}

namespace {

using Kind = PeriodicBranch::Kind;

// Of the sizes: a branch that needs shorter steps is given up.
constexpr double shortest_step = 1e-7;
// The branch turns by less than this between two places (the cosine).
constexpr double least_cosine = 0.9;
// A motion that has shrunk to this part of the largest one on the branch goes on shrinking to a steady one.
constexpr double shrunk = 1e-3;
// Points for every value of the range: a branch that winds on without end is left there.
constexpr std::size_t most_points_each = 200;
// From a multiplier 1 that belongs to the motion itself or to a family others are told by the root of the rounding in double ones.
constexpr double told_from_one = 1e-4;

class BranchWalk {
 public:
  BranchWalk(const System& system, const Along& along, const BranchOptions& options)
      : options_(options),
        along_(along),
        equations_(system, along, options),
        corrector_(equations_, along, !options.hold.empty()),
        n_(system->size()) {
    branch_.name = along.name;
    branch_.held = options.hold;
  }

  PeriodicBranch run() {
    const BranchPlace first = equations_.first();
    Base start = corrector_.base_at(first, corrector_.first_tangent(first));
    start_value_ = first.value;
    const bool inside = lies_inside(first.value);
    if (inside) {
      walk(start, 1);
      if (!branch_.closed && !branch_.interrupted) {
        std::reverse(branch_.points.begin(), branch_.points.end());
        branch_.begins = std::exchange(branch_.ends, {});
        branch_.points.pop_back();  // the first, which comes again
        walk(start, -1);
      } else {
        branch_.begins = "the first motion";
      }
    } else {
      branch_.begins = "the range ends";
      walk(start, first.value < std::min(along_.from, along_.to) ? 1 : -1);
    }
    if (branch_.points.empty())
      throw Error(ErrorCode::not_periodic,
                  fmt::format("the branch of the periodic motion at {} = {:.6g} does not come into the range: {}",
                              along_.name, first.value, branch_.ends));
    // along the value, where the branch begins and ends at different ones
    if (branch_.points.front().value > branch_.points.back().value) {
      std::reverse(branch_.points.begin(), branch_.points.end());
      std::swap(branch_.begins, branch_.ends);
    }
    return std::move(branch_);
  }

 private:
  using Base = BranchCorrector::Base;
  using Trial = BranchCorrector::Trial;

  bool lies_inside(double value) const {
    return value >= std::min(along_.from, along_.to) && value <= std::max(along_.from, along_.to);
  }

  // ---- what happens between two places

  std::size_t outside(const Spectrum& values, double beyond) const {
    return static_cast<std::size_t>(std::ranges::count_if(values, [&](std::complex<double> one) {
      return std::abs(one - 1.0) > told_from_one && std::abs(one) > 1 + beyond;
    }));
  }

  struct Happens {
    Trial at;
    Kind kind;
    std::complex<double> multiplier;
  };

  using Test = BranchCorrector::Test;

  // Where a sign that was certain, at the base or before it, has become the other one, for certain, at the trial. Is it found, or none?
  bool zero_of(const Base& base, const Trial& trial, Kind kind, const Test& before, int sign_before, const Test& after,
               const std::function<std::optional<Test>(const Trial&)>& f, std::vector<Happens>& found) {
    if (sign_before * after.sign() >= 0) return true;
    const std::complex<double> multiplier = kind == Kind::period_doubling ? -1 : 1;
    // at the base it is zero but for rounding
    if (before.sign() == 0) {
      found.push_back({{base.place, equations_.rows(base.place, base.place), 0}, kind, multiplier});
      return true;
    }
    // next to a branch point Newton's method does not lead back from afar: it begins at the nearest place that is known
    Trial nearest = trial;
    const auto s = zero_between(0, before.value, trial.s, after.value, [&](double length) -> std::optional<double> {
      auto there = corrector_.at_length(base, length, &nearest);
      if (!there) return std::nullopt;
      nearest = std::move(*there);
      const std::optional<Test> here = f(nearest);
      return here ? std::optional(here->sign() == 0 ? 0.0 : here->value) : std::nullopt;
    });
    if (!s) {
      if (kind != Kind::fold) not_located(kind, base, trial);  // of a fold shorter steps come nearer
      return false;
    }
    found.push_back({nearest, kind, multiplier});
    return true;
  }

  void not_located(Kind kind, const Base& base, const Trial& trial) {
    std::string note = fmt::format("between {0} = {1:.10g} and {2:.10g} there is a {3} that could not be located",
                                   along_.name, base.place.value, trial.place.value, to_string(kind));
    if (std::ranges::find(branch_.notes, note) == branch_.notes.end()) branch_.notes.push_back(std::move(note));
  }

  std::optional<Test> turning(const Base& base, const Trial& trial) const {
    const auto tangent = BranchCorrector::tangent_beside(trial.rows.matrix, base.tangent);
    return tangent ? std::optional(BranchCorrector::turning(trial.rows.matrix, *tangent)) : std::nullopt;
  }

  // Without the multipliers 1 that belong to the motion itself and to what is conserved along with it: these are double ones, known to the root of the
  // rounding, and no pair of them crosses anything.
  Spectrum not_of_the_branch(Spectrum values) const {
    const std::size_t own = (equations_.shooting().autonomous() ? 1 : 0) + equations_.conserved();
    std::ranges::stable_sort(values, {}, [](std::complex<double> one) { return std::abs(one - 1.0); });
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(own, values.size())));
    return values;
  }

  void crossings(const Base& base, const Trial& trial, std::vector<Happens>& found) {
    const auto on_circle = [](const Spectrum& values) {
      return std::ranges::any_of(values, [](std::complex<double> one) {
        return std::abs(one - 1.0) > told_from_one && std::abs(std::abs(one) - 1) <= told_from_circle;
      });
    };
    const Spectrum before = not_of_the_branch(base.multipliers),
                   now = not_of_the_branch(BranchCorrector::multipliers(trial.place.at));
    if (before.size() < 2) return;
    const bool kept = on_circle(before) || on_circle(now);
    const double beyond = kept ? told_from_circle : 0;
    const auto apart = [&](const Spectrum& values) {
      const std::size_t a = outside(values, beyond), b = outside(before, beyond);
      return a > b ? a - b : b - a;
    };
    if (apart(now) < 2) return;
    double a = 0, b = trial.s;
    Trial at_b = trial;
    for (int halving = 0; halving < most_refinements && b - a > no_more_correction; ++halving) {
      const double middle = a + (b - a) / 2;
      auto there = corrector_.at_length(base, middle, &at_b);
      if (!there) return not_located(kept ? Kind::collision : Kind::neimark_sacker, base, trial);
      if (apart(not_of_the_branch(BranchCorrector::multipliers(there->place.at))) >= 2) {
        b = middle;
        at_b = std::move(*there);
      } else {
        a = middle;
      }
    }
    const Spectrum values = not_of_the_branch(BranchCorrector::multipliers(at_b.place.at));
    std::complex<double> crossing = 1;
    double distance_of = INFINITY;
    for (const std::complex<double> one : values) {
      if (one.imag() <= told_from_one || std::abs(std::abs(one) - 1) >= distance_of) continue;
      distance_of = std::abs(std::abs(one) - 1);
      crossing = one;
    }
    if (distance_of < std::sqrt(told_from_circle))
      found.push_back({at_b, kept ? Kind::collision : Kind::neimark_sacker, crossing});
    else
      not_located(kept ? Kind::collision : Kind::neimark_sacker, base, trial);
  }

  // ---- the walk

  void add_point(const BranchPlace& place, std::optional<Kind> kind = {}, std::complex<double> multiplier = {}) {
    Extremes extremes(n_);
    const BranchPlace again = equations_.shoot(place.at.from, place.T, place.value, place.at.z, &extremes);
    PeriodicBranch::Point point;
    point.value = place.value;
    point.motion = equations_.shooting().motion(again.at, again.T);
    point.E = equations_.energy(again.at);
    double amplitude = 0;
    for (std::size_t i = 0; i < 2 * n_; ++i)
      if (equations_.shooting().comes_back(i))
        amplitude = std::max(amplitude, (extremes.largest[i] - extremes.least[i]) / 2);
    extremes.least.resize(n_);
    extremes.largest.resize(n_);
    point.least = std::move(extremes.least);
    point.largest = std::move(extremes.largest);
    point.kind = kind;
    point.multiplier = multiplier;
    amplitudes_.push_back({place.value, amplitude});
    largest_amplitude_ = std::max(largest_amplitude_, amplitude);
    if (lies_inside(place.value)) branch_.points.push_back(std::move(point));
  }

  // How far it is along the branch until the motion has shrunk to nothing, as it does now.
  std::optional<double> shrinks_in(double last_step) const {
    if (amplitudes_.size() < 2 || !equations_.shooting().autonomous()) return std::nullopt;
    const double now = amplitudes_.back().second, before = amplitudes_[amplitudes_.size() - 2].second;
    if (!(now < before)) return std::nullopt;
    return now / (before - now) * last_step;
  }

  // Beside the square of its size the value is linear.
  void end_at_rest() {
    const auto [value, size] = amplitudes_.back();
    const auto [other, larger] = amplitudes_[amplitudes_.size() - 2];
    const double rest = (value * larger * larger - other * size * size) / (larger * larger - size * size);
    branch_.ends = fmt::format("the motion shrinks to a steady one at {} = {:.10g}", along_.name, rest);
    if (branch_.points.empty()) return;
    PeriodicBranch::Point point = branch_.points.back();
    point.value = rest;
    point.kind = Kind::steady;
    branch_.points.push_back(std::move(point));
  }

  // The next of the values of the range, and of the first one, on the way from one value to another.
  std::optional<double> next_value(double from, double to) const {
    std::optional<double> next;
    // the first value may be one of the range but for how that is rounded
    const double same = 4 * std::numeric_limits<double>::epsilon() * (std::abs(along_.from) + std::abs(along_.to));
    const auto consider = [&](double value) {
      const bool between = from < to ? value > from && value <= to : value < from && value >= to;
      if (std::abs(value - from) <= same) return;
      if (between && (!next || std::abs(value - from) < std::abs(*next - from))) next = value;
    };
    for (std::size_t i = 0; i < along_.count; ++i) consider(along_.value(i));
    consider(start_value_);
    return next;
  }

  // The same motion, up to where on it one begins.
  bool is_the_first(const Base& base, const Base& start) const {
    if (base.place.value != start.place.value || base.tangent.back() * start.tangent.back() < 0) return false;
    const double slack = std::sqrt(come_back);
    if (std::abs(base.place.T - start.place.T) > slack * start.place.T) return false;
    if (!equations_.shooting().autonomous()) return length(equations_.seen_from(start.place, base.place)) <= slack;
    return std::abs(equations_.energy(base.place.at) - equations_.energy(start.place.at)) <=
               slack * (1 + std::abs(equations_.energy(start.place.at))) &&
           std::abs(base.doubling.value - start.doubling.value) <= slack * (1 + std::abs(start.doubling.value));
  }

  void walk(const Base& start, int direction) {
    Base base = start;
    for (double& one : base.tangent) one *= direction;
    const BranchEquations::Rows rows = equations_.rows(base.place, base.place);
    base.branching = corrector_.branching(rows, base);
    base.turning = BranchCorrector::turning(rows.matrix, base.tangent);
    remember_signs(base, Base());
    amplitudes_.clear();
    passed_.clear();
    branch_.ends.clear();
    add_point(base.place);
    if (leads_outside(base)) {
      branch_.ends = "the range ends";
      return;
    }
    // in the sizes of the unknowns, of which the range is one: a few of its values at a time, should nothing else change
    const double longest = 4.0 / static_cast<double>(along_.count - 1);
    double step = longest / 16;
    const std::size_t most = most_points_each * along_.count;
    for (std::size_t taken = 0; branch_.ends.empty(); ++taken) {
      if (options_.progress && !options_.progress(branch_.points.size(), base.place.value)) {
        branch_.interrupted = true;
        branch_.ends = "interrupted";
        return;
      }
      if (taken == most) {
        branch_.ends = fmt::format("after {} steps the branch winds on", most);
        return;
      }
      if (const auto rest = shrinks_in(last_step_); rest && amplitudes_.back().second < shrunk * largest_amplitude_)
        return end_at_rest();
      else if (rest)
        step = std::min(step, *rest / 2);
      if (step < shortest_step) {
        branch_.ends = fmt::format("no motion was found beside that at {} = {:.10g}", along_.name, base.place.value);
        return;
      }
      std::optional<Trial> trial = corrector_.at_length(base, step);
      const auto tangent = trial ? BranchCorrector::tangent_beside(trial->rows.matrix, base.tangent) : std::nullopt;
      if (!tangent || cosine(*tangent, base.tangent) < least_cosine || leaps(base, *trial) ||
          in_a_family(base, *trial)) {
        step /= 2;
        continue;
      }
      const double asked = step;
      if (!take(base, std::move(*trial), start)) {
        step /= 2;
        continue;
      }
      step = std::min(longest, asked * 1.5);
    }
  }

  // Newton's method has led aside, to something else than the branch.
  bool leaps(const Base& base, const Trial& trial) const {
    return trial.s < least_cosine * length(equations_.seen_from(base.place, trial.place));
  }

  // The direction of the branch is not told from rounding: motions beside this one come back with the same value, too.
  bool in_a_family(const Base& base, const Trial& trial) const {
    const auto here = turning(base, trial);
    return !here || here->rounding > 1 - least_cosine;
  }

  static double cosine(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum / (length(a) * length(b));
  }

  // Goes on from the base to the trial, or to what comes before it; false where that was not found.
  bool take(Base& base, Trial trial, const Base& start) {
    std::vector<Happens> happened;
    bool fold = false;
    if (!base.is_fold) {
      const auto after = turning(base, trial);
      if (!after) return false;
      if (!zero_of(
              base, trial, Kind::fold, base.turning, base.turning_sign, *after,
              [&](const Trial& t) { return turning(base, t); }, happened))
        return false;
      if (!happened.empty() && happened.front().at.s > 0) {
        trial = happened.front().at;
        fold = true;
        happened.clear();
      }
    }
    const std::optional<double> value = next_value(base.place.value, trial.place.value);
    bool passed_by = false;
    if (value && *value != trial.place.value) {
      auto landed = corrector_.at_value(base, trial, *value);
      if (!landed) return false;
      const auto tangent = BranchCorrector::tangent_beside(landed->rows.matrix, base.tangent);
      if (!tangent || cosine(*tangent, base.tangent) < least_cosine || in_a_family(base, *landed)) {
        // the branch passes there, and at this value alone every motion of a family is as good as its own
        if (*value == along_.from || *value == along_.to) {
          branch_.ends = fmt::format(
              "at {} = {:.10g} the periodic motions form a family, from which that of the branch is not told, or "
              "something "
              "happens just there",
              along_.name, *value);
          return true;
        }
        branch_.notes.push_back(fmt::format(
            "at {} = {:.10g} the periodic motions form a family, or something happens just there: there is no "
            "point of the branch",
            along_.name, *value));
        passed_by = true;
      } else {
        trial = std::move(*landed);
        fold = false;
      }
    }
    // a fold is no sign change of these: on its two sides another multiplier passes 1
    zero_of(
        base, trial, Kind::period_doubling, base.doubling, base.doubling_sign,
        BranchCorrector::doubling(trial.place.at),
        [](const Trial& t) { return std::optional(BranchCorrector::doubling(t.place.at)); }, happened);
    zero_of(
        base, trial, Kind::branch_point, base.branching, base.branching_sign, corrector_.branching(trial.rows, base),
        [&](const Trial& t) { return std::optional(corrector_.branching(t.rows, base)); }, happened);
    crossings(base, trial, happened);
    std::ranges::stable_sort(happened, {}, [](const Happens& one) { return one.at.s; });
    for (const Happens& one : happened) add_point(one.at.place, one.kind, one.multiplier);
    if (value && !passed_by) trial.place.value = *value;

    std::vector<double> ahead = BranchCorrector::tangent_beside(trial.rows.matrix, base.tangent).value_or(base.tangent);
    last_step_ = trial.s;
    Base next = corrector_.base_at(trial.place, ahead);
    next.is_fold = fold;
    remember_signs(next, base);
    base = std::move(next);
    if (is_the_first(base, start)) {
      branch_.closed = true;
      branch_.ends = "the first motion";
    }
    add_point(base.place, fold ? std::optional(Kind::fold) : std::nullopt, fold ? 1 : 0);
    if (branch_.ends.empty() && leads_outside(base)) branch_.ends = "the range ends";
    if (branch_.ends.empty()) look_for_a_separatrix(base);
    return true;
  }

  // Signs that are certain here, else those from before.
  static void remember_signs(Base& base, const Base& before) {
    const auto either = [](const Test& test, int old) { return test.sign() != 0 ? test.sign() : old; };
    base.doubling_sign = either(base.doubling, before.doubling_sign);
    base.branching_sign = either(base.branching, before.branching_sign);
    base.turning_sign = either(base.turning, before.turning_sign);
  }

  // Next to a separatrix the period grows like the logarithm of the distance: the value comes to its limit, through all sizes of the
  // difference that can be told, while the period grows on and on.
  void look_for_a_separatrix(const Base& base) {
    constexpr std::size_t steps = 3;
    if (!equations_.shooting().autonomous()) return;
    if (!passed_.empty() && base.place.T <= passed_.back().second) passed_.clear();
    passed_.emplace_back(base.place.value, base.place.T);
    const double range = std::abs(along_.to - along_.from);
    const auto apart = [&](std::size_t i) { return std::abs(passed_[i].first - base.place.value) / range; };
    const std::size_t count = passed_.size();
    if (count < 2 * steps || apart(count - 1 - steps) > come_back) return;
    std::size_t on_the_way = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (apart(i) > come_back && apart(i) < std::sqrt(come_back)) ++on_the_way;
    if (on_the_way < steps) return;
    branch_.ends = fmt::format(
        "the period grows beyond bound towards {} = {:.8g}: the motion comes ever nearer to one "
        "that takes for ever, as on a separatrix",
        along_.name, base.place.value);
  }

  // Is it at an end of the range, on the way out?
  bool leads_outside(const Base& base) const {
    const double value = base.place.value;
    if (value != along_.from && value != along_.to) return false;
    return base.tangent.back() * (value - (along_.from + along_.to) / 2) > 0;
  }

  BranchOptions options_;
  Along along_;
  BranchEquations equations_;
  BranchCorrector corrector_;
  std::size_t n_;
  PeriodicBranch branch_;
  double start_value_ = 0, last_step_ = 0, largest_amplitude_ = 0;
  std::vector<std::pair<double, double>> amplitudes_;  // value and size of the motions so far
  std::vector<std::pair<double, double>> passed_;      // value and period, as long as the period has grown
};

}  // namespace

PeriodicBranch follow_periodic(const System& system, const Along& along, const BranchOptions& options) {
  return BranchWalk(system, along, options).run();
}

}  // namespace cetaev
