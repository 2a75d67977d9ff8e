// The admissible state that [initial] describes.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "admissible_implementation.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/error.hpp"

namespace cetaev {

namespace {

using Indices = std::vector<std::size_t>;

bool contains(const Indices& indices, std::size_t i) {
  return std::find(indices.begin(), indices.end(), i) != indices.end();
}

Indices where(const std::vector<std::optional<Expr>>& given, bool written) {
  Indices result;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].has_value() == written) result.push_back(i);
  }
  return result;
}

// Positions or velocities: the same search on another level.
struct Level {
  ZeroSet set;
  bool affine;
  // Of every branch that algebra finds, where there are any but the set as it is written.
  struct Branch {
    ZeroSet set;
    bool affine;
  };
  std::vector<Branch> branches;
  std::vector<std::optional<Expr>> given;
  std::vector<std::vector<std::size_t>> pivot_classes;  // in order of preference
  const char* mark;                                     // "" or "'"
};

// Other values of the parameters, for a while; what has been found out at the model's own is put aside, and what is found out meanwhile
// forgotten.
class ParametersFor {
 public:
  ParametersFor(Admissible::Implementation& inside, std::span<const double> parameters) {
    inside.take_apart();
    put_aside(inside);
    for (const auto& part : inside.of_parts) put_aside(*part);
    for (Aside& aside : asides_) aside.of->parameters.assign(parameters.begin(), parameters.end());
  }
  ~ParametersFor() {
    for (Aside& aside : asides_) {
      aside.of->parameters = std::move(aside.parameters);
      aside.of->generic_rank = aside.generic_rank;
      aside.of->regular = aside.regular;
      aside.of->squares_looked_at = aside.squares_looked_at;
      aside.of->searches = std::move(aside.searches);
    }
  }
  ParametersFor(const ParametersFor&) = delete;
  ParametersFor& operator=(const ParametersFor&) = delete;

 private:
  struct Aside {
    Admissible::Implementation* of;
    std::vector<double> parameters;
    std::optional<std::size_t> generic_rank;
    std::optional<bool> regular;
    bool squares_looked_at;
    std::vector<int> searches;
  };

  void put_aside(Admissible::Implementation& inside) {
    asides_.push_back({&inside, std::move(inside.parameters), std::exchange(inside.generic_rank, std::nullopt),
                       std::exchange(inside.regular, std::nullopt), std::exchange(inside.squares_looked_at, false),
                       std::exchange(inside.searches, {})});
  }

  std::vector<Aside> asides_;
};

class InitialStateSearch {
 public:
  InitialStateSearch(Admissible& admissible, Admissible::Implementation& inside)
      : admissible_(admissible), inside_(inside), system_(inside.system), given_(system_->initial) {}

  // Of the unknowns of a state that is found, those that are solved for.
  Admissible::Followers followers(const State& at, std::optional<std::size_t> changed_q,
                                  std::optional<std::size_t> changed_v) {
    if (changed_q) given_.q[*changed_q] = system_->context->zero();
    if (changed_v) given_.v[*changed_v] = system_->context->zero();
    Admissible::Followers result;
    if (!inside_.set.position_rows.empty()) {
      Level level = positions(at);
      result.q = movable(level, at.q);
    }
    if (!inside_.set.velocity_rows.empty()) {
      Level level = velocities(at);
      result.v = movable(level, at.v);
    }
    return result;
  }

  AdmissibleState run() {
    of_the_model_ = true;
    const State given = given_state(system_);
    require_finite(given);
    refuse_contradictions();
    check_dependent_count();
    return run(given);
  }

  AdmissibleState run(const State& given) {
    AdmissibleState result;
    result.state = given;
    require_finite(result.state);

    State& state = result.state;
    if (!inside_.set.position_rows.empty()) {
      Level level = positions(state);
      solve(level, state.q, result.moved, state);
    }
    if (!inside_.set.velocity_rows.empty()) {
      Level level = velocities(state);
      solve(level, state.v, result.moved, state);
      result.dependent = dependent_velocities(level, state);
    }
    return result;
  }

 private:
  const std::vector<std::unique_ptr<Admissible::Implementation>>& parts() {
    inside_.take_apart();
    return inside_.of_parts;
  }

  Level positions(const State& state) {
    Level level{inside_.position_set(state), false, {}, given_.q, position_classes(), ""};
    for (const auto& part : parts()) level.branches.push_back({part->position_set(state), false});
    return level;
  }
  Level velocities(const State& state) {
    Level level{inside_.velocity_set(state), inside_.affine_in_velocities, {}, given_.v, velocity_classes(), "'"};
    for (const auto& part : parts()) level.branches.push_back({part->velocity_set(state), part->affine_in_velocities});
    return level;
  }

  // On each branch by itself: the functions of a branch are less bent than their product.
  ZeroSet::Nearest nearest(Level& level, const std::vector<double>& goal, const Indices& movable) const {
    if (level.branches.empty()) return level.set.nearest(goal, movable, level.affine);
    ZeroSet::Nearest result;
    result.closest = {goal, false, HUGE_VAL};
    result.none_exists = inside_.parts->factored;
    const auto consider = [&](const ZeroSet::Solution& own, const std::optional<ZeroSet::Solution>& equally_near) {
      if (!result.found.empty() && are_equally_near(result.found.front().x, own.x, goal)) {
        result.equally_near = own;
      } else if (result.found.empty() || is_nearer(own.x, result.found.front().x, goal)) {
        result.equally_near = equally_near;
        result.found.insert(result.found.begin(), own);
      }
    };
    bool ended = false;  // a branch before the nearest zero of its equations
    for (Level::Branch& branch : level.branches) {
      ZeroSet::Nearest here = branch.set.nearest(goal, movable, branch.affine);
      result.none_exists = result.none_exists && here.none_exists;
      if (here.closest.residual < result.closest.residual) result.closest = here.closest;
      // a branch ends where its conditions do
      const auto outside = [&](const ZeroSet::Solution& s) {
        return !level.set.contains(s.x, level.set.row_scales(s.x));
      };
      ended = ended || (!here.found.empty() && outside(here.found.front()));
      std::erase_if(here.found, outside);
      if (!here.found.empty()) consider(here.found.front(), here.equally_near);
    }
    // further zeros of the equations of that branch are found by those of the set itself, as far as they are at all
    if (ended) {
      const ZeroSet::Nearest whole = level.set.nearest(goal, movable, level.affine);
      if (!whole.found.empty()) consider(whole.found.front(), whole.equally_near);
    }
    return result;
  }

  // Where nothing is found from the data, states of the set may lead there; all unknowns may move.
  void look_elsewhere(Level& level, const std::vector<double>& goal, ZeroSet::Nearest& result) {
    constexpr std::uint64_t starts = 6;
    const Indices all = all_indices(inside_.n);
    for (std::uint64_t seed = 1; seed <= starts; ++seed) {
      const std::optional<State> elsewhere = admissible_.random(seed);
      if (!elsewhere) continue;
      const std::vector<double>& start = is_velocity(level) ? elsewhere->v : elsewhere->q;
      const ZeroSet::Solution own = level.set.nearest_from(start, goal, all, level.set.row_scales(start));
      if (own.found && (result.found.empty() || is_nearer(own.x, result.found.front().x, goal))) result.found = {own};
    }
  }

  void require_finite(const State& state) const {
    const auto check = [&](const std::vector<double>& values, const char* mark) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isfinite(values[i])) continue;
        throw Error(ErrorCode::bad_model,
                    fmt::format("the initial value of {}{} is not finite", system_->coordinates[i], mark));
      }
    };
    check(state.q, "");
    check(state.v, "'");
    if (!std::isfinite(state.t)) throw Error(ErrorCode::bad_model, "the initial value of t is not finite");
  }

  // A constraint without any coordinate in it that is not zero can never be met.
  void refuse_contradictions() const {
    for (std::size_t i = 0; i < inside_.set.size(); ++i) {
      const Expr e = inside_.set.residual[i];
      if (e.is_number() && !e.is_zero()) {
        throw Error(ErrorCode::inconsistent_constraints,
                    describe_rows(system_, Indices{i}) + " reads " + to_string(e) + " = 0 and can never hold");
      }
    }
  }

  void check_dependent_count() {
    if (!system_->dependent || inside_.looking_for_the_initial) return;
    const std::size_t rank = inside_.set.size() == 0 ? 0 : admissible_.generic_rank();
    if (system_->dependent->size() == rank) return;
    Error error(ErrorCode::bad_model,
                fmt::format("`dependent` names {} {}, but the constraints have rank {}: name exactly {}",
                            system_->dependent->size(), system_->dependent->size() == 1 ? "velocity" : "velocities",
                            rank, rank));
    if (system_->dependent_position) error.at(*system_->dependent_position);
    throw error;
  }

  // Named in `dependent` before others; not written before written.
  std::vector<Indices> position_classes() const {
    std::vector<Indices> classes(3);
    for (std::size_t i = 0; i < inside_.n; ++i) {
      const bool written = given_.q[i].has_value();
      const bool named = system_->dependent && contains(*system_->dependent, i);
      classes[named ? 0 : (written ? 2 : 1)].push_back(i);
    }
    return classes;
  }

  std::vector<Indices> velocity_classes() const {
    if (system_->dependent) return {*system_->dependent};
    return {where(given_.v, false), where(given_.v, true)};
  }

  void solve(Level& level, std::vector<double>& values, bool& moved, const State& state) {
    const std::vector<double> goal = values;
    const std::vector<double> scales = level.set.row_scales(goal);
    if (level.set.contains(goal, scales)) return;
    moved = true;
    const Indices unwritten = where(level.given, false);
    const Indices moving = movable(level, goal);
    ZeroSet::Nearest there = nearest(level, goal, moving);
    // Values that nobody gave may move together where the dependent ones alone cannot meet the constraints.
    if (!system_->dependent && !unwritten.empty() && there.found.empty()) {
      if (ZeroSet::Nearest together = nearest(level, goal, unwritten); !together.found.empty()) {
        values = choose(level, goal, unwritten, std::move(together), state);
        return;
      }
    }
    values = choose(level, goal, moving, std::move(there), state);
  }

  // All of them where every value is given and none is named as dependent.
  Indices movable(Level& level, const std::vector<double>& goal) {
    const Indices unwritten = where(level.given, false);
    if (unwritten.empty() && !system_->dependent) return all_indices(inside_.n);
    return is_velocity(level) && system_->dependent ? *system_->dependent : pivot(level, goal, unwritten);
  }

  static bool is_velocity(const Level& level) { return level.mark[0] != '\0'; }

  // The unknowns to solve for. J is looked at on the constraint set, where its rank is the true one; that point is reached
  // by moving what was not written, and what was where an equation has nothing else. Where that leads nowhere, J is taken at the given
  // data with generic values in the place of those that were not given.
  Indices pivot(Level& level, const std::vector<double>& goal, const Indices& unwritten) {
    const auto found = nearest(level, goal, with_those_of_written_rows(level, unwritten)).found;
    std::vector<double> at = found.empty() ? goal : found.front().x;
    if (found.empty()) {
      Random random(6);
      for (const std::size_t i : unwritten) at[i] += random.uniform(0.5, 1.5);
    }
    if (!level.set.evaluate(at)) return unwritten;
    const DenseMatrix jacobian = level.set.jacobian();
    Indices columns = pivots(jacobian, level.set.row_errors(at), level.pivot_classes).columns;
    return columns.empty() ? unwritten : columns;
  }

  Indices with_those_of_written_rows(const Level& level, const Indices& unwritten) const {
    std::vector<bool> moves(inside_.n);
    for (const std::size_t i : unwritten) moves[i] = true;
    for (std::size_t row = 0; row < level.set.equations(); ++row) {
      if (std::ranges::any_of(unwritten, [&](std::size_t i) { return level.set.occurs(row, i); })) continue;
      for (std::size_t i = 0; i < inside_.n; ++i) moves[i] = moves[i] || level.set.occurs(row, i);
    }
    Indices result;
    for (std::size_t i = 0; i < inside_.n; ++i)
      if (moves[i]) result.push_back(i);
    return result;
  }

  std::vector<double> choose(Level& level, const std::vector<double>& goal, const Indices& movable,
                             ZeroSet::Nearest there, const State& state) {
    if (there.found.empty() && !there.none_exists && movable.size() == inside_.n) look_elsewhere(level, goal, there);
    if (there.found.empty()) refuse(level, there, movable, state);
    if (there.equally_near) refuse_branches(level, there.found.front().x, there.equally_near->x);
    std::vector<double> x = there.found.front().x;
    // numbers without a digit left, which corrections add and take away again, are nothing
    for (double& value : x)
      if (std::fpclassify(value) == FP_SUBNORMAL) value = 0;
    return x;
  }

  [[noreturn]] void refuse_branches(const Level& level, const std::vector<double>& one,
                                    const std::vector<double>& other) const {
    Indices different;
    double largest = 0;
    for (std::size_t i = 0; i < inside_.n; ++i) largest = std::max(largest, std::fabs(one[i] - other[i]));
    for (std::size_t i = 0; i < inside_.n; ++i) {
      if (std::fabs(one[i] - other[i]) >= 1e-6 * largest) different.push_back(i);
    }
    const std::string name = system_->coordinates[different.front()] + level.mark;
    throw Error(
        ErrorCode::no_branch,
        fmt::format("two branches of the constraints are equally near the initial data: {} and {}; write a value of "
                    "{} in [initial] that is nearer to one of them",
                    describe(level, one, different), describe(level, other, different), name));
  }

  std::string describe(const Level& level, const std::vector<double>& values, const Indices& which) const {
    return is_velocity(level) ? describe_velocities(system_, values, which)
                              : describe_positions(system_, values, which);
  }

  [[noreturn]] void refuse(Level& level, const ZeroSet::Nearest& there, const Indices& movable, const State& state) {
    // Contradictory everywhere is another diagnosis; this throws it.
    if (of_the_model_) admissible_.generic_rank();
    if (system_->dependent && is_velocity(level)) refuse_singular_choice(level, state);

    const Indices& rows = is_velocity(level) ? inside_.set.velocity_rows : inside_.set.position_rows;
    std::string residuals;
    level.set.evaluate(there.closest.x);
    // positions at which a constraint on them has no derivatives are another
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (is_velocity(level) && inside_.set.order[rows[i]] == 0 && !std::isfinite(level.set.value()[i]))
        (void)admissible_.rank(state);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double r = level.set.value()[i];
      if (std::fabs(r) <= 1e-12) continue;
      residuals += (residuals.empty() ? "" : ", ") + describe_rows(system_, Indices{rows[i]});
      residuals += std::isfinite(r) ? fmt::format(" has residual {:.6g}", r) : std::string(" is not defined");
    }
    if (residuals.empty()) residuals = "the residuals are small, but the constraints are not met to rounding";
    throw Error(
        ErrorCode::inconsistent_initial_state,
        fmt::format("no admissible state {} from the given one by changing {}; at the closest state found, {}: {}",
                    there.none_exists ? "can be reached" : "found", moved_names(level, movable),
                    describe(level, there.closest.x, all_indices(inside_.n)), residuals));
  }

  std::string moved_names(const Level& level, const Indices& movable) const {
    std::vector<std::string> names;
    for (const std::size_t i : movable.empty() ? all_indices(inside_.n) : movable)
      names.push_back(system_->coordinates[i] + level.mark);
    return enumerate(names);
  }

  // The user's dependent velocities cannot carry the constraints here, whatever their values; others can.
  void refuse_singular_choice(Level& level, const State& state) {
    const auto found = nearest(level, state.v, all_indices(inside_.n)).found;
    if (found.empty()) return;
    const auto pivots_with = [&](const std::vector<double>& v, const Indices& columns) {
      const std::vector<double> errors = level.set.row_errors(v);
      return level.set.evaluate(v) ? pivots(level.set.jacobian(), errors, {columns}).columns : Indices{};
    };
    Indices better = pivots_with(found.front().x, all_indices(inside_.n));
    Random random(5);
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<double> v = found.front().x;
      for (const std::size_t i : *system_->dependent) v[i] += random.uniform(-1, 1);
      if (pivots_with(v, *system_->dependent).size() >= better.size()) return;
    }
    std::sort(better.begin(), better.end());
    throw singular_dependent(system_, *system_->dependent, better);
  }

  // At the final state; where `dependent` is given it is what the user said.
  Indices dependent_velocities(Level& level, const State& state) {
    Indices columns;
    if (system_->dependent) {
      columns = *system_->dependent;
    } else {
      if (!level.set.evaluate(state.v)) return {};
      const DenseMatrix jacobian = level.set.jacobian();
      columns = pivots(jacobian, level.set.row_errors(state.v), level.pivot_classes).columns;
    }
    std::sort(columns.begin(), columns.end());
    return columns;
  }

  Admissible& admissible_;
  Admissible::Implementation& inside_;
  System system_;
  InitialData given_;
  bool of_the_model_ = false;  // else one of many, of which no more is asked than where it starts
};

}  // namespace

AdmissibleState Admissible::initial() { return InitialStateSearch(*this, *implementation_).run(); }

Admissible::Followers Admissible::followers(const AdmissibleState& initial, std::optional<std::size_t> changed_q,
                                            std::optional<std::size_t> changed_v) {
  return InitialStateSearch(*this, *implementation_).followers(initial.state, changed_q, changed_v);
}

State Admissible::initial(const State& given, std::span<const double> parameters) {
  Implementation& inside = *implementation_;
  if (!inside.plain) inside.plain.emplace(inside.system, inside.set, inside.affine_in_velocities);
  State state = given;
  if (inside.plain->find(state, parameters)) return state;
  const ParametersFor now(inside, parameters);
  return InitialStateSearch(*this, inside).run(given).state;
}

}  // namespace cetaev
