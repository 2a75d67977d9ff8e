// States at which some of a list of equations hold, and which of the others hold there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/program/program.hpp"
#include "domain.hpp"
#include "zero_set.hpp"

namespace cetaev {

// e = 0, an equation for the time (order −1), positions (0), velocities (1) or accelerations (2).
struct FinderEquation {
  Expr expression;
  int order = 1;
};

// What an equation is at a state.
// unknown: neither zero to 60 digits nor clearly different from zero.
enum class AtState : signed char { zero, nonzero, unknown, undefined };

struct FoundState {
  PreciseState precise;  // `rows` and `dependent` are left empty
  std::vector<double> accelerations;
  std::vector<AtState> equations;  // one per equation of the finder: zero to 60 digits, or certainly not zero
  std::vector<double> values;      // of the equations, rounded
  bool special_positions = false;  // the positions were moved so that the velocities could satisfy the equations
};

// One object per thread. Deterministic: the same rows and seed give the same state.
class StateFinder {
 public:
  StateFinder(const System& system, std::vector<FinderEquation> equations);

  const std::vector<FinderEquation>& equations() const { return equations_; }

  // A state at which these equations hold, from a random start. First the time, then positions, velocities and
  // accelerations; with `together` all but the time at once, which also finds states at special positions only.
  std::optional<FoundState> find(std::span<const std::size_t> rows, std::uint64_t seed, bool together = false);

  // A state near this one, at the same positions, at which the equations hold.
  std::optional<PreciseState> neighbour(const State& state, std::span<const std::size_t> rows, std::uint64_t seed);

  // The rank of these equations by the velocities, by the accelerations for those of order 2. Derivatives that are zero
  // to 60 digits are zero. Nothing where one is not finite.
  std::optional<std::size_t> rank(const PreciseState& state, std::span<const std::size_t> rows);
  // The rank by the unknowns of an order, in doubles.
  std::size_t rank(const State& state, std::span<const std::size_t> rows, int order);

 private:
  // The unknowns q, v, a, t.
  using Point = std::vector<double>;
  struct Step {  // some equations for some unknowns
    std::vector<std::size_t> rows;
    std::size_t first = 0, count = 0;
  };

  // Equations as programs: their values, and those with the derivatives by all unknowns.
  struct Lowered {
    Program values, derivatives;
    std::optional<Interpreter> interpreter;
    std::vector<double> outputs;
    std::vector<double> f;                                     // of the last evaluation
    std::vector<std::pair<std::size_t, std::size_t>> entries;  // of the derivatives, row and unknown, that are not zero
    DenseMatrix jacobian;                                      // by the unknowns
  };

  Point start(std::uint64_t seed);
  std::vector<Step> steps(std::span<const std::size_t> rows, bool together) const;
  std::unique_ptr<Lowered> lowered(std::span<const std::size_t> rows) const;
  Lowered& of_step(const Step& step);
  void evaluate(Lowered& some, const Point& point);
  std::vector<double> sizes(Lowered& some, const Point& point);
  bool solve(const Step& step, Point& point);
  bool refine(const Step& step, std::vector<Ball>& balls);
  std::vector<Ball> to_balls(const Point& point) const;
  FoundState describe(const std::vector<Ball>& balls, const Point& point);
  bool are_plainly_independent(Lowered& some, std::span<const std::size_t> rows, const Point& point,
                               std::span<const double> size);
  std::size_t eliminated(std::vector<std::vector<Ball>>& j, std::vector<double>& scale) const;
  bool ordinary(const Point& point) const;
  PreciseState precise(const std::vector<Ball>& balls) const;
  double largest_unknown(const std::vector<Ball>& balls) const;
  double rounded(const std::vector<Ball>& balls, std::size_t unknown, double size) const;
  Point point_of(const State& state) const;
  Step unknowns_of(int order) const;
  std::span<double> of(const Step& step, Point& point) const {
    return std::span(point).subspan(step.first, step.count);
  }
  std::span<const double> of(const Step& step, const Point& point) const {
    return std::span(point).subspan(step.first, step.count);
  }
  // Where unknown i stands among the inputs of the programs.
  std::size_t place(std::size_t i) const {
    if (i == 3 * n_) return 2 * n_;
    return i < 2 * n_ ? i : inputs_ - n_ + (i - 2 * n_);
  }

  System system_;
  std::vector<FinderEquation> equations_;
  std::size_t n_, unknowns_, inputs_ = 0;
  std::vector<double> parameters_;
  std::vector<Ball> parameter_balls_;
  std::vector<Expr> symbols_;  // q, v, t, parameters, a
  Domain domain_;
  std::vector<Expr> parts_;  // products, powers and functions in the equations
  Matrix derivatives_;       // of the equations by the unknowns
  std::unique_ptr<Lowered> everything_;
  std::map<std::vector<std::size_t>, std::unique_ptr<Lowered>> of_steps_;
  std::vector<double> numbers_;
};

}  // namespace cetaev
