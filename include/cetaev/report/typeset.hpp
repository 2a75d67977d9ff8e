// Expressions and names as a reader wants to see them: in the model language, in Unicode, in LaTeX, in MathML.
//
// What a formula looks like is decided once, for every notation: numbers first, then parameters, coordinates, sums in
// parentheses, velocities, accelerations and functions, each in the order of the file; in sums the highest derivative
// first, and a positive term first where there is one; factors with negative exponents below one bar. The notations only
// differ in how such a formula is spelled.
//
//   model language   x1''   phi'   lambda1   m*x''/(2*cos(phi)^2)      parsing gives the same node again
//   Unicode          ẍ₁     φ̇      λ₁        m ẍ/(2 cos² φ)
//   LaTeX            \ddot{x}_1 \dot{\varphi} \lambda_1 \frac{m}{2\cos^2\varphi}\ddot{x}
//   MathML           the same as elements, to be put into <math>
//
// Names written in Latin letters become Greek letters (theta1 is θ₁; phi is φ and \varphi, epsilon is ε and \varepsilon),
// digits at their end and what follows `_` become indices. Two names never look alike: of names that would, as phi and φ
// in one model, the later one is spelled out.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/expr/expr.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

enum class Notation { ascii, unicode, latex, mathml };

// A summand without its sign, and how wide it is: in columns of text, in LaTeX about in letters of the printed formula.
struct TypesetTerm {
  bool negative = false;
  std::string text;
  double width = 0;
  bool tall = false;    // higher than a line of letters
  bool opens = false;   // the head of a broken summand, best put on a new line
  bool joined = false;  // no summand but a factor of what stands before it: no sign between them
};

class Typesetter {
 public:
  // Formulas of more symbols than this, shared parts counted wherever they occur, are of no use to a reader; a remark
  // stands for them.
  static constexpr double longest_formula = 4000;

  Typesetter(const System& system, Notation notation);
  ~Typesetter();
  Typesetter(Typesetter&&) noexcept;
  Typesetter& operator=(Typesetter&&) noexcept;

  Notation notation() const;

  std::string expression(Expr e);
  // A name of the model or of the program ("$lambda1'", "$gamma[y,x]"), with its dots.
  std::string name(std::string_view name);
  // B[y,x]; L*; E*'. Symbols that are not names of the model.
  std::string indexed(std::string_view symbol, std::span<const std::string> coordinates);

  // Σ summands, term by term in the given order; a summand that is a sum gives its own terms, and so does one that is
  // wider than `widest` and has a sum for a factor, with the rest around them: lines may break between any two. None for zero.
  std::vector<TypesetTerm> terms(std::span<const Expr> summands,
                                 double widest = std::numeric_limits<double>::infinity());
  std::string sum(std::span<const Expr> summands);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace cetaev
