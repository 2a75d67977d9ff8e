// Both sets are sampled: at random, branch by branch where a constraint is a product, and where a condition of the
// vocabulary holds. A constraint of the other set is then looked at in every state that was found; what fails is grouped
// by the conditions that hold there, and the smallest groups are the exceptions.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "cetaev/constraint/equivalence.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "components.hpp"
#include "simple_zeros.hpp"
#include "state_finder.hpp"
#include "vocabulary.hpp"

namespace cetaev {

namespace {

constexpr std::size_t wanted_random = 24;
constexpr std::size_t wanted_of_part = 6;
constexpr std::uint64_t random_attempts = 60;
constexpr std::size_t most_parts = 16;
constexpr std::size_t wanted_special = 3;
constexpr std::uint64_t special_attempts = 8;
constexpr std::size_t most_proved = 8;      // equations of a set that a proof inserts
constexpr std::size_t wanted_proofs = 6;    // states whose branches a proof goes through
constexpr std::size_t most_exceptions = 6;  // listed for one constraint
constexpr std::uint64_t special_seeds = 1000;

using Rows = std::vector<std::size_t>;

std::vector<Expr> moving_in(const System& system) {
  std::vector<Expr> moving = state_symbols(system);
  moving.resize(2 * system->size() + 1);
  return moving;
}

// Of an equation for these unknowns.
int order_of(Expr e, const Motion& motion) {
  if (depends_on(e, motion.a)) return 2;
  return depends_on(e, motion.v) ? 1 : depends_on(e, motion.q) ? 0 : -1;
}

std::vector<Expr> expressions_of(const std::vector<FinderEquation>& equations) {
  std::vector<Expr> result;
  for (const FinderEquation& equation : equations) result.push_back(equation.expression);
  return result;
}

Rows joined(const Rows& a, const Rows& b) {
  Rows result = a;
  result.insert(result.end(), b.begin(), b.end());
  return result;
}

// What is listed of things that are filed under the conditions that hold for them: those with the fewest, a few.
template <typename Thing>
std::vector<Thing> with_smallest_conditions(const std::map<std::set<std::size_t>, Thing>& things) {
  std::vector<Thing> result;
  for (const auto& [key, thing] : things) {
    const std::set<std::size_t>& conditions = key;
    const bool smallest = std::none_of(things.begin(), things.end(), [&](const auto& other) {
      return other.first.size() < conditions.size() &&
             std::includes(conditions.begin(), conditions.end(), other.first.begin(), other.first.end());
    });
    if (smallest && result.size() < most_exceptions) result.push_back(thing);
  }
  return result;
}

// A state of a set, with the vocabulary that vanishes there.
struct Sample {
  FoundState found;
  std::set<std::size_t> vanishing;  // conditions
  bool random = false;
  std::optional<std::size_t> rank;  // of the simple constraints

  const State& state() const { return found.precise.rounded; }
};

System with_values(const System& system) {
  return system.with([&](SystemData& data) {
    for (Constraint& c : data.constraints) c.expression = with_parameter_values(system, c.expression);
  });
}

// The constraints of one system as equations of the finder.
struct Side {
  explicit Side(const System& s) : system(s), simple(with_simple_zeros(s, origin)), on_set(simple) {}
  Side(const Side&) = delete;

  System system;
  std::vector<std::size_t> origin;  // of every simple constraint, the one as written
  const System simple;
  OnSet on_set;              // of the simple constraints
  Rows rows;                 // all that hold on the set
  std::vector<Rows> parts;   // the same with factors of constraints in their place: the set is the union of these
  std::vector<Rows> levels;  // of every constraint as written: itself, its derivative, …
  std::vector<Rows> simple_levels;
  std::vector<Sample> random, special;
  std::set<std::size_t> everywhere;  // conditions that hold on the whole set
  std::size_t generic_rank = 0;      // the largest
  std::size_t smallest_rank = 0;     // of the simple constraints, on the branch of largest dimension
  bool special_positions = false;    // the set has states at special positions only

  // The equations whose derivatives by velocities or accelerations make J.
  static Rows jacobian_rows(const std::vector<Constraint>& constraints, const std::vector<Rows>& levels) {
    Rows rows;
    for (std::size_t i = 0; i < levels.size(); ++i) rows.push_back(levels[i][constraints[i].order == 0 ? 1 : 0]);
    return rows;
  }
  std::optional<std::size_t> rank(StateFinder& finder, const PreciseState& state) const {
    return finder.rank(state, jacobian_rows(system->constraints, levels));
  }
  std::optional<std::size_t> simple_rank(StateFinder& finder, const PreciseState& state) const {
    return finder.rank(state, jacobian_rows(simple->constraints, simple_levels));
  }
};

class Comparison {
 public:
  Comparison(const System& first, const System& second)
      : first_(first), second_(second), conditions_(special_conditions(first, second)) {
    const auto second_order = [](const System& system) {
      return std::any_of(system->constraints.begin(), system->constraints.end(),
                         [](const Constraint& c) { return c.order == 2; });
    };
    highest_order_ = second_order(first) || second_order(second) ? 2 : 1;
    std::vector<FinderEquation> equations;
    std::map<std::pair<Expr, int>, std::size_t> known;  // the two sets and their simple forms share most of them
    const auto row_of = [&](Expr e, int order) {
      const auto [place, fresh] = known.try_emplace({e, order}, equations.size());
      if (fresh) equations.push_back({e, order});
      return place->second;
    };
    Derivation rate = total_derivative(first->motion);
    const auto with_derivatives = [&](const Constraint& constraint) {
      Rows levels;
      Expr e = constraint.expression;
      for (int order = constraint.order; order <= highest_order_; ++order) {
        levels.push_back(row_of(e, order));
        if (order < highest_order_) e = rate(e);
      }
      return levels;
    };
    for (Side* side : sides_) {
      for (const Constraint& constraint : side->system->constraints)
        side->levels.push_back(with_derivatives(constraint));
      side->parts = {{}};
      for (const Constraint& constraint : side->simple->constraints) {
        const Rows whole = with_derivatives(constraint);
        side->simple_levels.push_back(whole);
        side->rows = joined(side->rows, whole);
        std::vector<Rows> choices;
        bool factored = true;
        for (const Way& way : ways_of(side->simple, constraint, factored)) {
          Constraint part = constraint;
          part.expression = way.equation;
          choices.push_back(with_derivatives(part));
        }
        if (choices.size() < 2 || choices.size() * side->parts.size() > most_parts) choices = {whole};
        std::vector<Rows> parts;
        for (const Rows& part : side->parts) {
          for (const Rows& choice : choices) parts.push_back(joined(part, choice));
        }
        side->parts = std::move(parts);
      }
    }
    // where what is steep is neither nothing nor everything
    const Rational beside(1, 8);
    for (const Expr e : steep(expressions_of(equations), moving_in(first))) {
      steps_.push_back(row_of(e - e.context().number(beside), order_of(e, first->motion)));
    }
    for (Condition& condition : conditions_) {
      for (const Expr e : condition.components) {
        condition.rows.push_back(row_of(e, condition.order));
      }
    }
    finder_ = std::make_unique<StateFinder>(first, std::move(equations));
  }

  Equivalence run() {
    for (Side* side : sides_) explore(*side);
    Equivalence result;
    result.forward = direction(first_, second_);
    result.backward = direction(second_, first_);
    result.rank_drops = rank_drops(result);
    for (const Condition& condition : conditions_)
      if (condition.one_too_many) result.left_out.push_back(condition.description);
    return result;
  }

 private:
  Sample sample(FoundState found) const {
    Sample result{std::move(found), {}, false, {}};
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      const Rows& rows = conditions_[i].rows;
      if (std::all_of(rows.begin(), rows.end(),
                      [&](std::size_t r) { return result.found.equations[r] == AtState::zero; })) {
        result.vanishing.insert(i);
      }
    }
    return result;
  }

  // Of every condition it is known whether it holds: states that are nearly but not quite special are left out.
  bool clear(const FoundState& state) const {
    return std::all_of(conditions_.begin(), conditions_.end(), [&](const Condition& condition) {
      return std::all_of(condition.rows.begin(), condition.rows.end(),
                         [&](std::size_t r) { return state.equations[r] != AtState::unknown; });
    });
  }

  std::vector<Sample> search(const Rows& rows, std::uint64_t seed, std::uint64_t attempts, std::size_t wanted,
                             bool together) {
    std::vector<Sample> found;
    for (std::uint64_t i = 0; i < attempts && found.size() < wanted; ++i) {
      // three failures in a row at the beginning are enough for a condition that contradicts the set
      if (wanted < wanted_random && i >= 4 && found.empty()) break;
      if (auto state = finder_->find(rows, seed + i, together)) {
        if (clear(*state)) found.push_back(sample(std::move(*state)));
      }
    }
    return found;
  }

  static std::set<std::size_t> common(const std::vector<Sample>& samples) {
    if (samples.empty()) return {};
    std::set<std::size_t> result = samples[0].vanishing;
    for (const Sample& s : samples) {
      std::erase_if(result, [&](std::size_t i) { return !s.vanishing.contains(i); });
    }
    return result;
  }

  void explore(Side& side) {
    side.random = search(side.rows, 1, random_attempts, wanted_random, false);
    for (const std::size_t step : steps_) {
      std::vector<Sample> found = search(joined(side.rows, {step}), 1, special_attempts, wanted_special, false);
      std::move(found.begin(), found.end(), std::back_inserter(side.random));
    }
    if (side.parts.size() > 1) {
      for (const Rows& part : side.parts) {
        std::vector<Sample> found = search(part, 1, random_attempts, wanted_of_part, false);
        // |u| is u on one side only
        std::erase_if(found, [&](const Sample& s) {
          return !std::all_of(side.rows.begin(), side.rows.end(),
                              [&](std::size_t r) { return is(s, r, AtState::zero); });
        });
        std::move(found.begin(), found.end(), std::back_inserter(side.random));
      }
    }
    if (side.random.empty()) {
      side.random = search(side.rows, 1, random_attempts, wanted_random, true);
      side.special_positions = !side.random.empty();
    }
    if (side.random.empty()) {
      (void)Admissible(side.system).generic_rank();  // says so where there is none, or none was found
      return;                                        // there are states, but none that could be computed: undecided
    }
    side.everywhere = common(side.random);
    bool first = true;
    for (Sample& s : side.random) {
      s.random = true;
      side.generic_rank = std::max(side.generic_rank, side.rank(*finder_, s.found.precise).value_or(0));
      s.rank = side.simple_rank(*finder_, s.found.precise);
      if (!s.rank) continue;
      side.smallest_rank = first ? *s.rank : std::min(side.smallest_rank, *s.rank);
      first = false;
    }
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      if (side.everywhere.contains(i) || !conditions_[i].searched) continue;
      const Rows rows = joined(side.rows, conditions_[i].rows);
      std::vector<Sample> found = search(rows, special_seeds * (i + 1), special_attempts, wanted_special, false);
      if (found.empty() && conditions_[i].order > 0)
        found = search(rows, special_seeds * (i + 1), special_attempts, wanted_special, true);
      std::move(found.begin(), found.end(), std::back_inserter(side.special));
    }
  }

  // ---- one direction

  Direction direction(Side& side, const Side& other) {
    Direction result;
    result.holds = side.random.empty() && !other.levels.empty() ? Holds::undecided : Holds::always;
    for (std::size_t c = 0; c < other.levels.size(); ++c) {
      result.implications.push_back(implication(side, other.levels[c]));
      result.implications.back().constraint = c;
      result.holds = std::max(result.holds, result.implications.back().holds);
    }
    return result;
  }

  static bool is(const Sample& s, std::size_t row, AtState what) { return s.found.equations[row] == what; }

  static std::size_t count(const std::vector<Sample>& samples, std::size_t row, AtState what) {
    return static_cast<std::size_t>(
        std::count_if(samples.begin(), samples.end(), [&](const Sample& s) { return is(s, row, what); }));
  }

  // A function of the state that has one and the same value, not zero, on the whole set: the set contradicts f = 0.
  static bool constant_on(const std::vector<Sample>& samples, std::size_t row) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const Sample& s : samples) {
      if (is(s, row, AtState::unknown)) continue;
      low = std::min(low, s.found.values[row]);
      high = std::max(high, s.found.values[row]);
    }
    return samples.size() > 1 && high - low <= 1e-12 * std::max(std::fabs(high), std::fabs(low));
  }

  Implication implication(Side& side, const Rows& levels) {
    Implication result;
    std::size_t row = levels[0];
    for (const std::size_t level : levels) {
      if (level != levels[0] && constant_on(side.random, row)) break;
      row = level;
      result.up_to_constant = level != levels[0];
      if (count(side.random, level, AtState::zero) > 0) break;
    }
    const std::size_t held = count(side.random, row, AtState::zero);
    const std::size_t failed = count(side.random, row, AtState::nonzero);
    if (held + failed == 0) return result;  // undecided

    // Holding on a thin set only is not holding.
    const bool holds_fully = std::any_of(side.random.begin(), side.random.end(), [&](const Sample& s) {
      return is(s, row, AtState::zero) && (!s.rank || *s.rank <= side.smallest_rank || failed == 0);
    });
    if (!holds_fully) {
      result.holds = Holds::no;
      const auto witness = std::find_if(side.random.begin(), side.random.end(),
                                        [&](const Sample& s) { return is(s, row, AtState::nonzero); });
      result.exceptions.push_back(exception(side, *witness, row));
      result.finding.answer = Finding::Answer::fails;
      result.finding.witness = witness->state();
      result.finding.value = witness->found.values[row];
      return result;
    }

    result.holds = Holds::always;
    for (const Sample* s : exceptions(side, row)) {
      result.exceptions.push_back(exception(side, *s, row));
      const bool branch_of_its_own = result.exceptions.back().full_dimension && !a_vector_vanishes(side, *s);
      result.holds = std::max(result.holds, branch_of_its_own ? Holds::on_a_branch : Holds::generically);
    }
    result.finding = ground(side, row);
    if (result.holds == Holds::on_a_branch) result.where = branch(side, row);
    return result;
  }

  // Two or more independent velocities are zero there that are not zero on the whole set.
  bool a_vector_vanishes(const Side& side, const Sample& s) {
    Rows rows;
    for (const std::size_t i : own(side, s)) {
      if (conditions_[i].order == 1) rows = joined(rows, conditions_[i].rows);
    }
    return finder_->rank(s.state(), rows, 1) >= 2;
  }

  // What vanishes at a state and not on the whole set.
  static std::set<std::size_t> own(const Side& side, const Sample& s) {
    std::set<std::size_t> result = s.vanishing;
    for (const std::size_t i : side.everywhere) result.erase(i);
    return result;
  }

  bool at_special_positions(const Side& side, const Sample& s) const {
    if (s.found.special_positions && !side.special_positions) return true;
    const auto special = own(side, s);
    return std::any_of(special.begin(), special.end(), [&](std::size_t i) { return conditions_[i].order <= 0; });
  }

  Finding ground(Side& side, std::size_t row) {
    std::vector<PreciseState> at;
    int states = 0;
    for (const Sample& s : side.random) {
      if (!is(s, row, AtState::zero)) continue;
      ++states;
      if (at.size() < wanted_proofs) at.push_back(s.found.precise);
    }
    Finding finding;
    finding.answer = Finding::Answer::holds;
    // outside its exceptions it is proved on the branches on which it holds; without any, on all there are
    const Expr e = finder_->equations()[row].expression;
    const auto by_algebra = [&] {
      return count(side.random, row, AtState::nonzero) == 0 ? side.on_set.vanishes(e).proved
                                                            : side.on_set.complete() && side.on_set.proves(e, at);
    };
    finding.proved = is_among(side, row) || (side.rows.size() <= most_proved && by_algebra());
    finding.states = states;
    finding.digits = OnSet::wanted_digits;
    return finding;
  }

  // A number times one of the constraints, or of their derivatives.
  bool is_among(const Side& side, std::size_t row) const {
    const auto plain = [](Expr e) {
      return e.kind() == Kind::sum && !e.constant().is_zero() ? e
             : e.kind() == Kind::sum                          ? (Rational(1) / e.coefficient(0)) * e
                                                              : e;
    };
    const auto same = [&](std::size_t other) {
      return plain(finder_->equations()[other].expression) == plain(finder_->equations()[row].expression);
    };
    if (std::any_of(side.rows.begin(), side.rows.end(), same)) return true;
    return std::any_of(side.levels.begin(), side.levels.end(),
                       [&](const Rows& levels) { return std::any_of(levels.begin(), levels.end(), same); });
  }

  std::optional<Special> branch(const Side& side, std::size_t row) {
    std::vector<Sample> holding;
    for (const Sample& s : side.random) {
      if (is(s, row, AtState::zero)) holding.push_back(s);
    }
    Special special = describe_special(conditions_, common(holding), side.everywhere, holding[0].state(), *finder_);
    if (special.description.empty()) return std::nullopt;
    return special;
  }

  // ---- exceptions

  std::vector<const Sample*> exceptions(const Side& side, std::size_t row) const {
    // At generic positions if there are any such, else at special ones.
    std::vector<const Sample*> generic, special;
    for (const std::vector<Sample>* samples : {&side.random, &side.special}) {
      for (const Sample& s : *samples) {
        if (is(s, row, AtState::nonzero)) (at_special_positions(side, s) ? special : generic).push_back(&s);
      }
    }
    std::vector<const Sample*> pool = generic.empty() ? special : generic;
    const auto named = [&](const Sample* s) { return !own(side, *s).empty(); };
    if (generic.empty() && std::any_of(pool.begin(), pool.end(), named)) {
      std::erase_if(pool, [&](const Sample* s) { return !named(s); });
    }
    return simplest(side, pool);
  }

  // One for each smallest set of conditions.
  std::vector<const Sample*> simplest(const Side& side, const std::vector<const Sample*>& pool) const {
    std::map<std::set<std::size_t>, const Sample*> kinds;
    for (const Sample* s : pool) kinds.emplace(own(side, *s), s);
    return with_smallest_conditions(kinds);
  }

  ExceptionalState exception(Side& side, const Sample& s, std::size_t row) {
    ExceptionalState result;
    result.state = s.state();
    if (highest_order_ == 2) result.accelerations = s.found.accelerations;
    result.value = s.found.values[row];
    result.special = describe_special(conditions_, s.vanishing, side.everywhere, s.state(), *finder_);
    result.special.special_positions = at_special_positions(side, s);
    result.rank = side.rank(*finder_, s.found.precise);
    result.generic_rank = side.generic_rank;
    result.full_dimension = !result.special.special_positions && full_dimension(side, s.state());
    return result;
  }

  // The dimension of the set around a state at fixed positions is n − rank at generic states nearby.
  bool full_dimension(Side& side, const State& state) {
    std::optional<std::size_t> largest;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto near = finder_->neighbour(state, side.rows, seed);
      if (!near) continue;
      if (const auto rank = side.simple_rank(*finder_, *near)) largest = std::max(largest.value_or(0), *rank);
    }
    return largest && *largest <= side.smallest_rank;
  }

  // ---- ranks

  std::vector<RankDrop> rank_drops(const Equivalence& result) {
    // Both hold; a constraint that follows up to a constant counts by its derivative.
    Rows rows;
    const std::array<const Direction*, 2> towards = {&result.backward, &result.forward};
    for (std::size_t s = 0; s < 2; ++s) {
      for (std::size_t i = 0; i < sides_[s]->simple_levels.size(); ++i) {
        const Rows& levels = sides_[s]->simple_levels[i];
        const bool derivative = towards[s]->implications[sides_[s]->origin[i]].up_to_constant && levels.size() > 1;
        rows.insert(rows.end(), levels.begin() + (derivative ? 1 : 0), levels.end());
      }
    }
    const std::vector<Sample> both = search(rows, 1, 12, 6, false);
    if (both.empty()) return {};
    const std::set<std::size_t> everywhere = common(both);
    RankDrop generic;
    for (const Sample& sample : both) {
      for (std::size_t s = 0; s < 2; ++s) {
        generic.generic_rank[s] =
            std::max(generic.generic_rank[s], sides_[s]->rank(*finder_, sample.found.precise).value_or(0));
      }
    }
    std::map<std::set<std::size_t>, RankDrop> found;
    for (std::size_t c = 0; c < conditions_.size(); ++c) {
      if (conditions_[c].order <= 0 || everywhere.contains(c) || !conditions_[c].searched) continue;
      for (const Sample& sample : search(joined(rows, conditions_[c].rows), special_seeds * (c + 1), 4, 2, false)) {
        RankDrop drop = generic;
        drop.state = sample.state();
        bool known = true, less = false;
        for (std::size_t s = 0; s < 2; ++s) {
          const auto rank = sides_[s]->rank(*finder_, sample.found.precise);
          known = known && rank.has_value();
          drop.rank[s] = rank.value_or(0);
          less = less || drop.rank[s] < drop.generic_rank[s];
        }
        if (!known || !less) continue;
        std::set<std::size_t> vanishing = sample.vanishing;
        for (const std::size_t i : everywhere) vanishing.erase(i);
        drop.special = describe_special(conditions_, vanishing, everywhere, drop.state, *finder_);
        if (!drop.special.special_positions) found.emplace(vanishing, drop);
      }
    }
    return with_smallest_conditions(found);
  }

  Side first_, second_;
  std::array<Side*, 2> sides_ = {&first_, &second_};
  std::vector<Condition> conditions_;
  Rows steps_;  // equations that hold beside what is steep
  int highest_order_ = 1;
  std::unique_ptr<StateFinder> finder_;
};

}  // namespace

Equivalence compare_sets(const System& first, const System& second) {
  const System home = first.workable();
  const System a = with_values(home);
  const System b = with_values(second->context == home->context ? second : second.into(home->context));
  return Comparison(a, b).run();
}

Equivalence compare_sets(const System& first, const System& second, const std::string& name) try {
  return compare_sets(first, second);
} catch (const Error& error) {
  if (error.code() != ErrorCode::inconsistent_constraints && error.code() != ErrorCode::inconsistent_initial_state)
    throw;
  throw Error(error.code(), "in " + first->name + " against " + name + ": " + error.message());
}

}  // namespace cetaev
