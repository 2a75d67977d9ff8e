// Does something hold wherever the constraints hold? The answer comes with its ground.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/constraint/state.hpp"

namespace cetaev {

// holds: proved by algebra on every branch of the set, or zero to `digits` digits at `states` random admissible states.
// fails: at the witness, with the value there.
// undecided: no state could be found or evaluated.
struct Finding {
  enum class Answer { holds, fails, undecided };
  Answer answer = Answer::undecided;
  bool proved = false;
  int states = 0;
  int digits = 0;
  std::optional<State> witness;
  double value = 0;
  std::size_t branches = 1;              // on how many the set has, as far as they were found
  std::vector<std::string> not_reached;  // sides of what bends or jumps, and branches, on which no state was found

  static Finding proof() {
    Finding finding;
    finding.answer = Answer::holds;
    finding.proved = true;
    return finding;
  }
  // Zero to so many digits at so many states; undecided when there were none.
  static Finding evidence(int states, int digits) {
    Finding finding;
    if (states == 0) return finding;
    finding.answer = Answer::holds;
    finding.states = states;
    finding.digits = digits;
    return finding;
  }
  static Finding failure(const State& at, double value) {
    Finding finding;
    finding.answer = Answer::fails;
    finding.witness = at;
    finding.value = value;
    return finding;
  }

  bool holds() const { return answer == Answer::holds; }
  bool fails() const { return answer == Answer::fails; }
};

// "proved by algebra", "holds at 8 random admissible states to 60 digits", "fails at x = 1, …: -0.25"
std::string ground(const System& system, const Finding& finding);

// The conjunction: fails with the first that fails, holds with the weakest ground.
Finding all_of(std::span<const Finding> findings);

// A state in balls that satisfies the constraints far beyond double precision.
struct PreciseState {
  State rounded;
  std::vector<std::size_t> rows;       // an independent subset of the constraints here
  std::vector<std::size_t> dependent;  // velocities on which they are regular, ascending
  std::size_t branch = 0;              // of the set, on which it lies
  std::vector<BallValue> values;       // q, v, t, parameters, accelerations

  // Without the accelerations.
  std::vector<Ball> inputs() const;
};

// Is e zero to OnSet::wanted_digits digits, beside the terms it is the sum of? False where it is not defined.
bool zero_at(Expr e, std::span<const BallValue> values, double* value = nullptr);

// Random admissible states of one system in balls, and tests on them. One object per thread.
class OnSet {
 public:
  static constexpr long bits = Ball::working_bits;  // of the states
  static constexpr int wanted_digits = 60;          // to which something must vanish
  static constexpr std::size_t wanted_states = 8;

  explicit OnSet(const System& system);
  // With what there is for the same system already.
  OnSet(const System& system, std::shared_ptr<Admissible> admissible);
  ~OnSet();
  OnSet(OnSet&&) noexcept;
  OnSet& operator=(OnSet&&) noexcept;

  const System& system() const;
  Admissible& admissible();

  // Up to `wanted_states` on each branch and on each side of what bends or jumps in the model, the same in every run; made at the first
  // call. May be empty.
  const std::vector<PreciseState>& states();

  // The branches of the set, found by algebra: where a product vanishes one of its factors does.
  struct Branch {
    std::size_t number = 0;  // as PreciseState::branch has it
    System system;           // the model with equations of the branch for its constraints, in file order
    bool reached = false;    // there are states on it
    bool as_written = true;  // it is the model itself
  };
  const std::vector<Branch>& branches();
  // Branches of lower order than the constraints are written in, those that have states: x = y of (x − y)·x' = 0, where the constraint says
  // nothing about velocities. Nothing else here speaks of them.
  std::vector<System> of_lower_order();
  // The rank on each side of what bends or jumps, where it is not the same everywhere.
  struct RankThere {
    std::string where;
    std::size_t rank = 0;
  };
  std::vector<RankThere> ranks();
  // Is every admissible state of generic rank known to lie on one of them, and has each of them states?
  bool complete();

  // The same from a rough admissible state; nothing when Newton's method does not converge there.
  std::optional<PreciseState> refine(const State& state);

  // Is e(q, v, t, parameters) zero on the set? By algebra where that is possible, else at the random states. Parameters
  // have the values of the model.
  Finding vanishes(Expr e);
  // The same on each of the branches.
  std::vector<Finding> vanishes_by_branch(Expr e);
  // What was found on each of them, in one, with what could not be reached.
  Finding on_all_branches(std::span<const Finding> findings);
  Finding vanish(std::span<const Expr> expressions);
  // By algebra only, on the branches of the set that these states lie on.
  bool proves(Expr e, std::span<const PreciseState> at);
  // At the random states only.
  Finding vanishes_at_states(Expr e);

  struct Implementation;

 private:
  Finding all_of_states(Expr e, std::optional<std::size_t> branch);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace cetaev
