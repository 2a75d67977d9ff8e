// Expressions as a person would write them.
//
// Exact algebra brings an expression to one fraction; among its equal forms (factored or not, sin² for 1 − cos², functions
// of sums of angles, terms with a common factor grouped) the shortest one found is taken. What is exact stays exact.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

namespace algebra {
class Field;
class Poly;
class PolynomialWriter;
struct Part;
}  // namespace algebra

// A symbol that stands for minuend − subtrahend.
struct NamedDifference {
  Expr symbol, minuend, subtrahend;
  Expr minuend_by_it, difference;  // subtrahend + symbol, minuend − subtrahend: made when they are first needed
};

class Simplifier {
 public:
  // Effort for everything this object is asked; what comes when it is spent is left as it stands. An effort of one is 4·10⁷
  // products of two terms of polynomials, or other work counted in these: about a second on a core of the 2020s. It is
  // counted, not timed: the same questions in the same order have the same answers on every machine. A question that was asked
  // before costs nothing.
  explicit Simplifier(double effort = 10);

  // Symbols that are known not to vanish, such as masses and lengths.
  void assume_nonzero(std::vector<Expr> symbols);
  // Pairs of symbols that are expected to occur in differences: a − b is kept together where that is shorter.
  void expect_differences(const std::vector<std::pair<Expr, Expr>>& pairs);

  // Is it left as it stands whatever the effort? Nobody could read what would be left of it.
  static bool is_too_large(Expr e);

  // The shortest form found, of the same value wherever e is defined.
  Expr simplify(Expr e);

  // coefficient·monomial, the monomial in the symbols collected by.
  struct Summand {
    Expr coefficient, monomial;
    Expr expr() const;
  };
  // e collected by monomials in these symbols, each coefficient simplified; highest degree first, then in the order of the
  // symbols. One summand with monomial 1 when e is not a polynomial in them.
  std::vector<Summand> collect(Expr e, std::span<const Expr> symbols);

  // An equation e = 0, linear in its unknowns, without denominators and common factors.
  struct Equation {
    std::vector<Summand> unknowns;  // in the order given, those that occur
    std::vector<Summand> rest;      // collected by monomials in the other symbols
    std::vector<Expr> nonzero;      // multiplied or divided by: the same as e = 0 where none of these vanishes
  };
  // The first `leading` unknowns are those that the equation is for, the others reactions.
  Equation equation(Expr e, std::span<const Expr> unknowns, std::span<const Expr> symbols,
                    std::size_t leading = static_cast<std::size_t>(-1));
  // By its unknowns alone, whatever its size: their coefficients and the rest in one, as they were derived. All of it is the rest where it is not linear in them.
  static Equation in_order(Expr e, std::span<const Expr> unknowns);

  // False when something was too large, or the effort was spent, and it came back as it stood.
  bool complete() const { return complete_; }
  // Did the effort suffice for everything that was not too large by itself?
  bool sufficient() const { return sufficient_; }
  double spent() const;  // of the effort

 private:
  template <class Result, class Work>
  Result attempt(Expr e, Work work, Result fallback);
  Expr simplified(Expr e);
  std::vector<Summand> collected(Expr e, std::span<const Expr> symbols);
  Equation ordered(Expr e, std::span<const Expr> unknowns, std::span<const Expr> symbols, std::size_t leading);
  // e was rewritten to `whole`; e is the way back where algebra gives up.
  Expr simplify_with(Expr e, Expr whole);
  std::vector<Summand> collect_with(Expr e, Expr whole, std::span<const Expr> symbols);
  Equation equation_with(Expr e, Expr whole, std::span<const Expr> unknowns, std::span<const Expr> symbols,
                         std::size_t leading);
  Equation divided(algebra::Field& field, algebra::PolynomialWriter& write, std::span<const algebra::Part> parts,
                   std::span<const std::size_t> unknown, std::span<const std::size_t> other,
                   std::span<const Expr> symbols, const algebra::Poly& divisor) const;
  Expr with_differences(Expr e) const;
  Expr without_differences(Expr e) const;

  double units_left_, units_spent_ = 0;
  std::vector<Expr> nonzero_;
  mutable std::vector<NamedDifference> differences_;
  bool complete_ = true, sufficient_ = true;

  // Answers to what was asked: the forms of a system share much.
  using Symbols = std::vector<Expr>;
  std::map<Expr, Expr> simplified_;
  std::map<std::pair<Expr, Symbols>, std::vector<Summand>> collected_;
  std::map<std::tuple<Expr, Symbols, Symbols, std::size_t>, Equation> ordered_;
};

// Sums among the factors with whole numbers: m + M for 2 (m/2 + M/2).
Expr with_whole_sums(Expr e);

// The terms of a sum with their numbers; of anything else itself, of zero none.
std::vector<Expr> summands_of(Expr e);

// How long e is on paper, in signs that are written one after the other.
double length_on_paper(Expr e);
double length_on_paper(const Simplifier::Equation& e);

}  // namespace cetaev
