// Places on a branch of periodic motions: what is known at one, and how Newton's method leads to the next.
#pragma once

#include "branch_equations.hpp"
#include "elsewhere.hpp"

namespace cetaev {

class BranchCorrector {
 public:
  // A function of the place whose zeros have names, and beside it what rounding makes of it.
  struct Test {
    double value = 1, rounding = 0;
    // −1 and 1 where that is certain, else 0
    int sign() const { return value > rounding ? 1 : value < -rounding ? -1 : 0; }
  };
  // A place on the branch with what is known there, in its chart.
  struct Base {
    BranchPlace place;
    std::vector<double> tangent;
    DenseMatrix left_out;  // rows of the return that what is conserved makes superfluous
    Spectrum multipliers;
    Test doubling, branching, turning;
    // Signs of these where they were last certain, in the direction of the walk; 0 before.
    int doubling_sign = 0, branching_sign = 0, turning_sign = 0;
    bool is_fold = false;
  };
  // Another one seen from it, a length s along its tangent.
  struct Trial {
    BranchPlace place;
    BranchEquations::Rows rows;
    double s = 0;
  };

  BranchCorrector(BranchEquations& equations, const Along& along, bool holds)
      : equations_(equations), along_(along), holds_(holds) {}

  // Throws bad-model where the motions near by do not form a branch.
  std::vector<double> first_tangent(const BranchPlace& first);
  // The kernel of the rows, on the side of the last one.
  static std::optional<std::vector<double>> tangent_beside(const DenseMatrix& rows, std::span<const double> last);
  // Their zeros are branch points and period doublings.
  Test branching(const BranchEquations::Rows& rows, const Base& base) const;
  static Test doubling(const Return& at);
  // The part of the tangent along the value, of a tangent that these rows have.
  static Test turning(const DenseMatrix& rows, std::span<const double> tangent);
  static Spectrum multipliers(const Return& at);

  // In a chart of its own, with a direction to go.
  Base base_at(const BranchPlace& place, const std::vector<double>& tangent);
  // A length along the tangent; where another place on the branch is known it is looked for on the parabola through that.
  std::optional<Trial> at_length(const Base& base, double s, const Trial* known = nullptr);
  // Where the value is this one, between the base and a place behind it.
  std::optional<Trial> at_value(const Base& base, const Trial& behind, double value);

 private:
  DenseMatrix superfluous(const BranchEquations::Rows& rows) const;
  std::optional<Trial> correct(const Base& base, BranchPlace guess, std::span<const double> along, double s);

  BranchEquations& equations_;
  Along along_;
  bool holds_;  // some quantities are held
};

}  // namespace cetaev
