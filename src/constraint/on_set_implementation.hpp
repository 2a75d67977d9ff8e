// Shared by on_set.cpp (branches, and what vanishes on them) and on_set_states.cpp (random states in balls).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/program/program.hpp"
#include "components.hpp"
#include "state_map.hpp"

namespace cetaev {

// The equations of one order with their Jacobian by the unknowns of that order.
struct PreciseLevel {
  std::vector<std::size_t> rows;  // in the set
  std::vector<Expr> equations;
  std::vector<Expr> unknowns;
  std::size_t offset = 0;          // of the unknowns among the symbols
  std::unique_ptr<StateMap> map;   // both in doubles
  std::optional<Program> program;  // of the equations, once they are solved

  // Independent equations at a state and the unknowns on which they are regular.
  struct There {
    DenseMatrix jacobian;
    Pivots chosen;
  };
  There at(std::span<const Ball> values) const;

  // Newton's method in doubles, from wherever the unknowns are.
  void approach(std::vector<Ball>& values) const;
};

struct OnSet::Implementation {
  using Branch = std::vector<Replacement>;  // unknowns and what they are equal to

  Implementation(const System& system, std::shared_ptr<Admissible> admissible);

  // Solves the equations of one level in balls for the unknowns that pivoting chooses; the others stay as they are.
  bool solve(PreciseLevel& level, std::vector<Ball>& values, Pivots& chosen);

  // OnSet::refine with the accelerations from one of several starts.
  std::optional<PreciseState> refine(const State& state, std::uint64_t accelerations);

  std::vector<BallValue> with_symbols(std::span<const Ball> values) const;

  // One branch of the set, in the equations that it has for itself.
  struct Piece {
    Component component;
    // Of positions, and of velocities, for each constraint that has them; in exact numbers.
    std::vector<Expr> equations[2];
    std::vector<std::size_t> states;
    std::optional<State> rough;  // where its equations hold, whatever its conditions say
    bool empty = false;          // as was proved
    // All ways to insert its velocities, and its positions too, once they were asked for; nothing where not all are known.
    std::optional<std::optional<std::vector<Branch>>> velocity_ways, ways;
  };

  // Ways to insert the constraints into an expression, unknowns and what they are equal to: those of the branches on which
  // these states lie, or none where one of them cannot be written down.
  std::vector<Branch> branches_at(std::span<const PreciseState> at);

  // The unknowns of one order for which the equations of a piece are solved at a state.
  struct Solvable {
    std::vector<Expr> equations, unknowns;
  };
  Solvable solvable(const Piece& piece, int order, const PreciseState& state) const;

  std::optional<Branch> branch_of(const Piece& piece, const PreciseState& state) const;

  static Branch inserted(Branch velocities, const Branch& positions);

  // All ways to insert a piece: one where its equations are affine in their unknowns, else every solution. Nothing where
  // not all of them can be written down.
  const std::optional<std::vector<Branch>>& ways_of(Piece& piece, bool positions_too = true);

  // As a state of the set, for its pivots alone.
  PreciseState at_rough(const State& state) const;

  // Where its equations hold.
  Piece& piece_of(const PreciseState& state);

  void take_apart();

  static bool meets_conditions(const Piece& piece, const PreciseState& state);

  // Nothing can be there: an equation that is never true, or a condition that is false wherever the equations hold.
  bool proved_empty(Piece& piece);

  // Is e zero, by algebra, on a branch with all its ways known?
  bool proved_on(Piece& piece, Expr e);

  bool proved(Expr e, std::span<const Branch> ways) const;

  static bool is_zero(Expr e);

  bool loses_rank(std::size_t number, const State& at, std::size_t rank) const;

  System system;
  std::shared_ptr<Admissible> admissible;
  std::vector<Expr> symbols;
  std::vector<Replacement> exact;
  std::array<PreciseLevel, 3> levels;
  std::optional<std::vector<PreciseState>> states;
  std::vector<Piece> pieces;
  bool factored = true;  // the pieces are all there is
  std::vector<OnSet::Branch> shown;
  std::vector<std::string> not_reached;
  std::vector<OnSet::RankThere> ranks;
};

}  // namespace cetaev
