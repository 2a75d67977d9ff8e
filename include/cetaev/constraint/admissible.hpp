// States that satisfy the constraints: near given data, and at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/constraint/set.hpp"
#include "cetaev/error.hpp"

namespace cetaev {

// Rank of J at a state, judged row by row against the size the row has nearby.
struct RankReport {
  std::size_t rank = 0;
  std::vector<std::size_t> independent_rows;
  std::vector<std::size_t> vanishing_rows;  // rows of J that are zero here
  std::vector<std::size_t> pivot_columns;   // velocities on which the independent rows were pivoted
};

struct AdmissibleState {
  State state;
  bool moved = false;                  // the given data were not admissible
  std::vector<std::size_t> dependent;  // the dependent velocities in use, in the order of the coordinates
};

struct Components;

// Solves the constraints of one system for states. Holds programs and workspaces: one object per thread.
class Admissible {
 public:
  explicit Admissible(const System& system);
  ~Admissible();
  Admissible(Admissible&&) noexcept;
  Admissible& operator=(Admissible&&) noexcept;

  const ConstraintSet& constraints() const;

  // The admissible state that the initial data describe. Given independent values are kept exactly, given dependent ones
  // choose the branch; if every velocity (position) is given, none of them named as dependent, and they do not fit, all
  // of them move least.
  // Throws inconsistent-initial-state, inconsistent-constraints, no-branch, singular-dependent, bad-model, non-finite.
  AdmissibleState initial();
  // The same with other numbers in the place of those that [initial] and [parameters] say: what is written there stays what is written.
  // Quicker, since it does not ask whether the constraints can hold anywhere, which it never throws, and does not search where linear
  // equations say it all.
  State initial(const State& given, std::span<const double> parameters);

  // Positions and velocities of the initial state that follow where parameters or one given value change a little: those that the
  // constraints are solved for. A value that is changed counts as given.
  struct Followers {
    std::vector<std::size_t> q, v;
  };
  Followers followers(const AdmissibleState& initial, std::optional<std::size_t> changed_q,
                      std::optional<std::size_t> changed_v);

  // An admissible state near a random one; the same seed gives the same state. Nothing when the search fails from there.
  // On one branch of the set after the other, where it has several.
  std::optional<State> random(std::uint64_t seed);

  // The branches of the set, as far as algebra takes it apart, and the same on one of them.
  const Components& parts();
  // From a start `far` times as far from the origin as usual.
  std::optional<State> random_on(std::size_t part, std::uint64_t seed, double far = 1);
  RankReport rank_on(std::size_t part, const State& state);
  // Other states of the branch at what its equations leave free: equations of higher than second degree may have other zeros
  // there.
  std::vector<State> others_on(std::size_t part, const State& at);

  // The same position and time with another admissible velocity.
  std::optional<State> random_velocity(const State& at, std::uint64_t seed);

  // Rank of J here. Throws rank-lost when J is not finite.
  RankReport rank(const State& state);
  // The same at other values of the parameters, one for each in file order.
  RankReport rank(const State& state, std::span<const double> parameters);

  // Rank at generic admissible states. Throws inconsistent-constraints when no admissible state is found.
  std::size_t generic_rank();
  // Is the kernel of J tangent to the admissible set at generic states? Not so for (x'² − 1)² = 0.
  bool regular();

  // singular-dependent when the model names dependent velocities that cannot carry the constraints at this state.
  std::optional<Error> dependent_diagnosis(const State& state);

  // f, φ or h of every constraint; accelerations, where a constraint contains them, are taken as given or zero.
  std::vector<double> residual(const State& state, const std::vector<double>& accelerations = {});

  struct Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace cetaev
