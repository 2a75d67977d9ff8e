// The set of zeros of a smooth map F: ℝⁿ → ℝᵏ with rank-revealing numerics: Gauss–Newton, nearest points, pivots.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "box_search.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

class ZeroSet {
 public:
  using Vector = std::vector<double>;
  using Indices = std::vector<std::size_t>;
  // Fills F and its Jacobian at x.
  using Map = std::function<void(const Vector& x, Vector& f, DenseMatrix& jacobian)>;
  // The same map over boxes, for whoever has it as expressions.
  struct Enclosure {
    std::function<bool(std::size_t equation, std::size_t unknown)> occurs;
    // These equations over boxes of these unknowns, the others as in x.
    std::function<std::unique_ptr<EnclosedEquations>(const Indices& equations, const Indices& unknowns,
                                                     const Vector& x)>
        over;
  };
  ZeroSet(std::size_t equations, std::size_t unknowns, Map map, std::optional<Enclosure> enclosure = std::nullopt,
          Kinds kinds = {});

  std::size_t equations() const { return equations_; }
  std::size_t unknowns() const { return unknowns_; }
  // True where that is not known.
  bool occurs(std::size_t equation, std::size_t unknown) const {
    return !enclosure_ || enclosure_->occurs(equation, unknown);
  }

  // False when something is not finite at x.
  bool evaluate(const Vector& x);
  const Vector& value() const { return f_; }
  const DenseMatrix& jacobian() const { return jacobian_; }

  // How large the rows of the Jacobian are around x; 1 where they are zero everywhere tried.
  Vector row_scales(const Vector& x);
  // By how much the rows of the Jacobian may be off at x.
  Vector row_errors(const Vector& x);

  struct Solution {
    Vector x;
    bool found = false;
    double residual = 0;  // largest |F| in units of the row scales
  };
  // Gauss–Newton from `start`, moving only the given unknowns and those as little as possible.
  Solution solve(const Vector& start, const Indices& movable, const Vector& scales);

  // Moves x onto the set, with all unknowns movable; false, and x where the search ended, when that fails. Where Gauss–Newton
  // fails boxes of few unknowns are searched.
  bool reach(Vector& x);

  // The points of the set nearest to `goal` when only some unknowns may change.
  struct Nearest {
    std::vector<Solution> found;  // distinct, nearest first; of an affine map one at most
    Solution closest;             // where nothing was found: the closest approach
    bool none_exists = false;     // where nothing was found: proved
    // Another point that is as near as the first, in those unknowns in which they differ.
    std::optional<Solution> equally_near = std::nullopt;
  };
  // Whether points further away are to be looked for, too.
  enum class Others { unwanted, wanted };
  // Equations that share no unknown are solved apart. One, two or three unknowns are searched for in boxes, by balls, and the nearest
  // point of one unknown is then the nearest of all; of more unknowns several starts are tried.
  Nearest nearest(const Vector& goal, const Indices& movable, bool affine, Others others = Others::unwanted);

  // A zero from a start, and from there to the one nearest to `goal` in its neighbourhood.
  Solution nearest_from(const Vector& start, const Vector& goal, const Indices& movable, const Vector& scales);

  // Equations that have no zero in common, whatever the unknowns are: proved, looking near x first. Empty where nothing is proved.
  Indices contradiction(const Vector& x);

  // Is x a zero as far as doubles tell? Where F is known over boxes: it may vanish at a point that counts as x (known_state), and not
  // only because rounding swallows what is left of it, as of 1 − tanh 40. Elsewhere: |F| is as small as that makes it, in units of the
  // scales.
  bool contains(const Vector& x, const Vector& scales);

 private:
  // Equations and the movable unknowns in them that have nothing to do with the others.
  struct Block {
    Indices equations, movable;
  };
  std::vector<Block> blocks(const Indices& movable) const;
  ZeroSet part(const Indices& equations) const;
  // Gauss–Newton without a verdict: `found` says that F is small in units of the scales.
  Solution approach(const Vector& start, const Indices& movable, const Vector& scales);
  // Moves a solution along the set to the local minimum of |x − goal|, until what is left to go is shorter than `off` times the points.
  Solution slide(Solution from, const Vector& goal, const Indices& movable, const Vector& scales, double off);
  // The same to rounding, from nearby: Newton's method for x − goal + Jᵀμ = 0, F = 0, with differences of J for its
  // second derivatives. Returns what it was given where it does not converge.
  Solution polish(const Solution& from, const Vector& goal, const Indices& movable, const Vector& scales);
  Nearest nearest_of_block(const Vector& goal, const Indices& movable, bool affine, Others others);
  // Is each of these equations zero at x, or does it change among the points that count as x as much as it would to become zero?
  bool comes_to_zero(EnclosedEquations& equations, const Vector& x, const Indices& rows) const;
  // Without unknowns to change: some equation certainly does not hold at x.
  bool is_proved_empty(const Vector& x);
  // Of one equation in several unknowns, changing one of them at a time: the nearest zeros, which boxes of one unknown find however close to
  // a pole they are.
  std::vector<Vector> zeros_on_axes(const Vector& goal, const Indices& movable, double budget);
  NearZeros search_boxes(const Vector& goal, const Indices& movable, double budget, std::span<const Solution> known);
  // Newton's path from a point: steps so short that F shrinks in proportion.
  Vector follow(Vector x, const Indices& movable, const Vector& scales);
  double scaled_residual(const Vector& x, const Vector& scales) const;

  std::size_t equations_, unknowns_;
  Map map_;
  std::optional<Enclosure> enclosure_;
  Kinds kinds_;  // of the unknowns
  Vector f_;
  DenseMatrix jacobian_;
};

// Are two points as far from the goal as each other? Points that nearly coincide are one point found twice, where the distance is flat.
bool are_equally_near(const std::vector<double>& one, const std::vector<double>& other,
                      const std::vector<double>& goal);
// However far both have to go in the unknowns that they share.
bool is_nearer(const std::vector<double>& one, const std::vector<double>& other, const std::vector<double>& goal);

}  // namespace cetaev
