// Lie brackets of the fields of admissible velocities at one point, and the directions they span.
//
// A generator is the field X(q,t) = (v, 1) of admissible velocities whose independent components keep their values; the
// dependent ones are defined by φ = 0, solved or not. Let c(s₁…s_r) be the point reached from the given one along X_{a₁}
// for the parameter s₁, then along X_{a₂} for s₂, and so on. Along c a field W has
//
//   [X_{a_r}, W](c) = ∂/∂s_r W(c) − DX_{a_r}(c) W(c),
//
// so that ad_{a₁}^{n₁} … ad_{a_r}^{n_r} X_b follows from the power series of X_b(c) by n_r such steps, then s_r = 0, then
// n_{r−1} steps with a_{r−1} and so on. No field is ever written down.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "../series/several.hpp"
#include "cetaev/constraint/set.hpp"

namespace cetaev {

// Independent rows of φ solved for as many dependent velocities; programs for φ and its derivatives.
struct SetChart {
  std::vector<std::size_t> rows, dependent;
  struct Entry {
    std::size_t row, column, output;
  };
  std::unique_ptr<TaylorCode> phi, derivatives;
  std::vector<Entry> by_position;   // ∂φ/∂q; column n stands for ∂φ/∂t
  std::vector<Entry> by_dependent;  // ∂φ/∂v_dep
};

// Makes each chart once. With time the fields live on (q,t), else on q.
class Charts {
 public:
  Charts(const System& system, std::vector<Expr> phi, bool with_time);
  const SetChart& operator()(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& dependent);
  const System& system() const { return system_; }
  bool with_time() const { return with_time_; }
  std::size_t dimension() const { return system_->size() + (with_time_ ? 1 : 0); }

 private:
  System system_;
  std::vector<Expr> phi_;  // of every constraint, in file order
  bool with_time_;
  std::map<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>, SetChart> charts_;
};

struct Generator {
  const SetChart* chart = nullptr;
  std::vector<Ball> v;
  bool solve = false;  // φ is affine in v: the dependent velocities are yet to be computed
};

// A point and the generators there.
struct BracketProblem {
  std::vector<Ball> values;  // q, v (not read), t, parameters
  std::vector<Generator> generators;
};

using Word = std::vector<std::size_t>;  // a₁ … a_d b stands for [X_{a₁}, … [X_{a_d}, X_b]]

template <class Scalar>
class Brackets {
 public:
  Brackets(const Charts& charts, const BracketProblem& problem);

  std::size_t dimension() const { return dimension_; }
  std::size_t letters() const { return generators_.size(); }

  struct Value {
    std::vector<Scalar> direction;
    double scale = 0;  // of the terms it is the difference of
    bool finite = true;
  };
  Value operator()(const Word& word);
  // The point reached along a generator at parameter s, or at a smaller one where the series demands it.
  std::vector<double> travel(std::size_t letter, double s);
  // Multiplications of coefficients done so far, and those that a word would take.
  double cost() const { return cost_; }
  double cost(const Word& word) const;

 private:
  using Series = std::vector<Scalar>;
  struct Local {
    const SetChart* chart;
    std::vector<Scalar> v;
    std::vector<Scalar> inverse;  // of ∂φ/∂v_dep at the point, row by row
  };
  // The family of points along a run of flows, and the velocities of the last one there.
  struct Family {
    std::unique_ptr<Monomials> monomials;
    std::vector<Series> c;
  };
  Local localize(const Generator& generator);
  // Velocities of a generator on the family; with a variable of flow, the family is extended along it.
  std::vector<Series> follow(const Local& local, Family& family, std::optional<std::size_t> flow);
  std::unique_ptr<TaylorRun<Scalar>> slopes(const Local& local, const Family& family, const std::vector<Series>& v);
  // DX·u for the monomials below `limit`
  std::vector<Series> derivative_along(const Local& local, const Monomials& monomials, const TaylorRun<Scalar>& run,
                                       const std::vector<Series>& u, std::size_t limit);

  const Charts& charts_;
  std::size_t n_, dimension_;
  std::vector<Scalar> values_;
  std::vector<Local> generators_;
  double cost_ = 0;
};

// The directions found so far, in echelon form.
template <class Scalar>
class Echelon {
 public:
  // Entries below `coarse` times the scale count as zero, whatever their error: the point itself is only known to some
  // digits.
  explicit Echelon(double coarse);
  enum class Result { fresh, dependent, unclear };
  Result add(std::vector<Scalar> vector, double scale);
  std::size_t rank() const { return rows_.size(); }
  // Beside the scale: the smallest pivot kept and the largest entry discarded.
  double kept() const { return kept_; }
  double discarded() const { return discarded_; }

 private:
  struct Row {
    std::vector<Scalar> entries;
    std::size_t pivot;
  };
  double coarse_;
  std::vector<Row> rows_;
  double kept_ = 1;
  double discarded_ = 0;
};

struct Closure {
  std::vector<std::size_t> growth;  // dim Δ₁, dim Δ₂, …, without the repetition at the end
  bool clear = true;                // no bracket was left undecided
  bool complete = true;             // stopped because nothing more can come
  bool finite = true;               // every bracket tried is defined at the point
  double kept = 1, discarded = 0;
  double cost = 0;
  std::size_t rank() const { return growth.empty() ? 0 : growth.back(); }
};

// At a generic point Δ_{j+1} is spanned by Δ_j and the brackets of the generators with what was new in Δ_j. Entries below
// `coarse` times their scale count as zero, for the precision to which the point is known.
template <class Scalar>
Closure close_generic(Brackets<Scalar>& brackets, double budget, double coarse);

// At a special point every word counts: growth may stall and go on. Stops at the given rank; incomplete when that is not
// reached within the budget. No entry exceeds the generic one.
template <class Scalar>
Closure close_at_point(Brackets<Scalar>& brackets, const std::vector<std::size_t>& generic, std::size_t rank,
                       double budget, double coarse);

}  // namespace cetaev
