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

// holds: proved by algebra, or zero to `digits` digits at `states` random admissible states.
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
  std::vector<BallValue> values;       // q, v, t, parameters; accelerations last where a constraint contains them
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

  // Up to `wanted_states`, the same in every run; made at the first call. May be empty.
  const std::vector<PreciseState>& states();

  // The same from a rough admissible state; nothing when Newton's method does not converge there.
  std::optional<PreciseState> refine(const State& state);

  // Is e(q, v, t, parameters) zero on the set? By algebra where that is possible, else at the random states. Parameters
  // have the values of the model.
  Finding vanishes(Expr e);
  Finding vanish(std::span<const Expr> expressions);
  // By algebra only, on the branches of the set that these states lie on.
  bool proves(Expr e, std::span<const PreciseState> at);
  // At the random states only.
  Finding vanishes_at_states(Expr e);

  struct Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace cetaev
