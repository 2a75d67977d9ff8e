// The motion of a system to thirty digits, computed otherwise than the program does it: H a = b + Jᵀλ, J a = c as it stands, expanded in Taylor
// series of order 40 in balls of 320 bits. The recurrences are written here once more, one for all functions: what is f(u) with f' = g(u) has
// k fₖ = Σ j uⱼ gₖ₋ⱼ. Nothing is projected, simplified or chosen.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "cetaev/expr/ball.hpp"
#include "cetaev/formulation/terms.hpp"
#include "precise_motion.hpp"

namespace cetaev::conformance {

class SeriesMotion {
 public:
  struct Outcome : PreciseMotion::Outcome {
    // Where t_end was not reached: the motion has a singularity at this time, or nothing is known of it, as the steps are used up.
    std::optional<double> singular_at;
    double last_regularity = 1;  // at the last state
  };

  // Constraints of any order that are linear in the accelerations, no elliptic functions.
  SeriesMotion(const System& system, const Terms& terms);
  // From a state on the constraints to all bits: redundant rows are known by it. In the order of state_symbols().
  Outcome run(std::span<const Ball> from, double t_end);

 private:
  using Series = std::vector<Ball>;
  using Place = std::size_t;  // of a series on the tape
  enum class Rule { given, sum, product, power, integral };
  struct Step {
    Rule rule;
    std::vector<Place> of;
    std::vector<Ball> weights{};  // of a sum, with the constant in front
    Rational exponent{};          // of a power
    Function function{};          // of an integral: of[0] is u, of[1] g(u)
    bool of_two = false;          // atan2, from its arguments of[2], of[3]; else from of[0]
  };

  Place add(Step step);
  Place record(Expr e);
  Place record_function(Function f, Place u);
  Place plus(const Rational& constant, Place u, const Rational& factor);  // constant + factor u
  Place times(Place a, Place b) { return add({Rule::product, {a, b}}); }
  Place power(Place u, const Rational& exponent);
  Ball coefficient(const Step& step, std::size_t at, std::size_t k) const;
  void add_term(std::size_t at, std::size_t k);
  bool factorize();
  std::vector<Ball> solve(std::vector<Ball> right) const;

  std::size_t n_, k_;
  std::size_t given_;  // symbols
  std::unordered_map<const Node*, Place> places_;
  std::vector<Step> tape_;
  std::vector<Series> values_;
  std::vector<Series> slopes_;  // k times the coefficient
  std::vector<Place> outputs_;  // H, b, J, c
  // of the matrix of the system at the start of a step: rows that are scaled, eliminated and permuted
  std::vector<std::vector<Ball>> lu_;
  std::vector<std::size_t> rows_, columns_;
  std::vector<Ball> scales_;
  std::size_t rank_ = 0;
  double regularity_ = 1, last_regularity_ = 1;
};

}  // namespace cetaev::conformance
