// Do two lists of constraints allow the same motions? Both directions, with every exception that was found.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/constraint/state.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// How far a set of constraints implies another constraint.
//   always        at every state that was found, at special ones too
//   generically   everywhere but where a vector vanishes, at special positions, or on a set of lower dimension
//   on a branch   on some branches of the set, not on others of the same dimension
//   no            at no generic state
//   undecided     no state could be found to sufficient precision
enum class Holds { always, generically, on_a_branch, no, undecided };
std::string_view to_string(Holds holds);

// What is special at a state.
struct Special {
  // Named vectors and velocities that vanish there: "B'", "P1' - P2'"; first those that imply the others.
  std::vector<std::string> vanishing;
  std::string description;         // "B' = 0", "P1' = P2'", "at rest"; empty when nothing named vanishes
  bool special_positions = false;  // it concerns positions: generic ones have no such states
};

// A state at which one set holds and a constraint of the other does not.
struct ExceptionalState {
  State state;
  std::vector<double> accelerations;  // where a constraint contains them
  double value = 0;                   // of the constraint
  Special special;
  std::optional<std::size_t> rank;  // of the set that holds, there; absent where J is not finite
  std::size_t generic_rank = 0;
  bool full_dimension = false;  // a branch of full dimension, or a thinner set
};

// One set implies one scalar constraint of the other, or does not.
struct Implication {
  std::size_t constraint = 0;  // in the list of the other set
  Holds holds = Holds::undecided;
  // f(q,t) = 0 was tested by Dₜf, which leaves its constant of integration open (φ = 0 by Dₜφ likewise).
  bool up_to_constant = false;
  Finding finding;                           // on what ground it holds outside the exceptions, or fails
  std::optional<Special> where;              // what vanishes on the only branch on which it holds
  std::vector<ExceptionalState> exceptions;  // the simplest ones; the witness when it does not hold at all
};

struct Direction {
  Holds holds = Holds::undecided;  // of the least of the implications
  std::vector<Implication> implications;
  bool up_to_constant() const;
  // The descriptions of the exceptions, each once: the direction holds where none of them is the case.
  std::vector<std::string> conditions() const;
};

// States at which both sets hold and the rank of one of them is less than elsewhere.
struct RankDrop {
  State state;
  Special special;
  std::size_t rank[2] = {0, 0};          // of the first set and the second
  std::size_t generic_rank[2] = {0, 0};  // where both hold
};

struct Equivalence {
  Direction forward;   // the first set implies the constraints of the second
  Direction backward;  // and conversely
  std::vector<RankDrop> rank_drops;
  std::vector<std::string> left_out;  // special states that were not looked for, of systems with many: "x17' = 0"

  // Both directions hold generically.
  bool equivalent() const;
  bool undecided() const { return forward.holds == Holds::undecided || backward.holds == Holds::undecided; }
};

// The model with another list of constraints, in the same context.
System with_alternative(const System& system, const Alternative& alternative);
// The model with the constraints of another one, whose parameters are given their values and whose points and
// definitions replace those of the model. Throws bad-model when the coordinates are not the same.
System with_constraints_of(const System& system, const System& other);

// Two systems of one context with the same coordinates, as the functions above give them. Throws
// inconsistent-constraints when one of the sets has no states.
Equivalence compare_sets(const System& first, const System& second);
// The same where people have to be told which of several sets has no states: `name` is the second one's.
Equivalence compare_sets(const System& first, const System& second, const std::string& name);

}  // namespace cetaev
