// Shared by admissible.cpp (ranks and random states) and initial_state.cpp (the state that the model describes).
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "components.hpp"
#include "domain.hpp"
#include "plain_start.hpp"
#include "state_map.hpp"
#include "zero_set.hpp"

namespace cetaev {

struct Admissible::Implementation {
  explicit Implementation(const System& s)
      : system(s),
        set(s),
        parameters(parameter_values(s)),
        n(s->size()),
        by_position(cetaev::jacobian(set.residual, s->motion.q)),
        positions(s, set.residual, by_position, set.position_rows),
        velocities(s, set.phi, set.jacobian, set.velocity_rows, n),
        everything(s, set.residual, set.jacobian, all_indices(set.size())),
        domain(s) {
    std::vector<Expr> rows;
    for (const std::size_t i : set.velocity_rows) {
      for (std::size_t j = 0; j < n; ++j) rows.push_back(set.jacobian(i, j));
    }
    affine_in_velocities = rows.empty() || jacobian_is_free_of(rows, s->motion.v);
  }

  static bool jacobian_is_free_of(std::span<const Expr> entries, std::span<const Expr> symbols) {
    for (const Expr e : free_symbols(entries)) {
      if (std::find(symbols.begin(), symbols.end(), e) != symbols.end()) return false;
    }
    return true;
  }

  // q, v, t, parameters, then accelerations (for constraints that contain them)
  std::vector<double> inputs(const State& state) const { return inputs(state, parameters); }
  std::vector<double> inputs(const State& state, std::span<const double> own_parameters) const {
    std::vector<double> values = state_values(state, own_parameters);
    values.resize(values.size() + n, 0.0);
    return values;
  }

  // Both keep a copy of the state and vary its positions, or its velocities.
  ZeroSet position_set(const State& state) { return level_set(positions, state); }
  ZeroSet velocity_set(const State& state) { return level_set(velocities, state); }

  // The constraints that `map` has as functions of those of its symbols that the columns of its Jacobian belong to.
  ZeroSet level_set(StateMap& map, const State& state) { return zero_set_of(map, inputs(state)); }

  // Constraints on positions and velocities that cannot hold together at any state, as far as algebra or balls prove that.
  std::vector<std::size_t> contradiction();

  RankReport rank(const State& state, std::span<const double> at);
  // Squares, and sums of them, have no derivatives wherever they are zero, which states that Newton's method finds are only near to: rank
  // and regularity from states of the equations without the squares, where these have a larger rank at all of them.
  void look_at_squares();
  // Near a random state, by the equations as they are.
  std::optional<State> reach(std::uint64_t seed, double far = 1);
  // Positions and velocities at once: x' = y and x' = z hold where y = z, which only both of them say.
  bool reach_together(State& state);
  // Is a state admissible as it is?
  bool meets(const State& state);
  void take_apart();
  // The equations of one branch.
  Implementation& of_part(std::size_t part);
  // States that differ from this one in what the equations determine.
  std::vector<State> others(const State& at);
  // Does an absolute value in the constraints bend at a state that counts as this one?
  bool on_edge(const State& state);
  // Are the constraints zero beside the terms that they are the sums of? Where a function is huge nearby, what is small beside it is not.
  bool holds(const State& state);

  // Pivots on J at a state. Throws rank-lost when J is not finite there.
  Pivots pivots_at(const State& state, const std::vector<std::vector<std::size_t>>& column_classes) {
    return pivots_at(state, column_classes, parameters);
  }
  Pivots pivots_at(const State& state, const std::vector<std::vector<std::size_t>>& column_classes,
                   std::span<const double> own_parameters);

  System system;
  ConstraintSet set;
  std::vector<double> parameters;
  std::size_t n;
  Matrix by_position;
  StateMap positions, velocities, everything;
  Domain domain;
  std::optional<PlainStart> plain;   // made when it is first asked for
  std::optional<StateMap> together;  // what is asked of positions and velocities, by both
  bool affine_in_velocities = true;
  std::optional<std::size_t> generic_rank;
  std::optional<Components> parts;
  std::vector<std::unique_ptr<Implementation>> of_parts;  // empty where the only part is the set as it is written
  std::vector<int> searches;                 // on each part, for other zeros than those that random states lead to
  std::optional<Program> sizes;              // factors of residuals, and the sums of the sizes of their terms
  std::vector<std::size_t> factors_of_rows;  // how many of them each has
  std::optional<Program> edges;              // what stands in absolute values
  std::optional<bool> regular;
  bool squares_looked_at = false;
  bool looking_for_the_initial = false;
};

}  // namespace cetaev
