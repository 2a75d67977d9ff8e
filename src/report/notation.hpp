// How a formula is spelled. The typesetter decides what stands where; a notation only puts the pieces together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cetaev/expr/expr.hpp"
#include "symbols.hpp"

namespace cetaev {

// How tightly a text binds; a piece that binds less tightly than its place asks for gets parentheses.
enum class Level { sum = 1, product = 2, power = 3, atom = 4 };

struct Piece {
  std::string text;
  Level level = Level::atom;
  double width = 0;
  bool tall = false;       // higher than a line of letters
  bool symbol = false;     // one symbol
  bool single = false;     // one letter: a function needs no parentheses around it
  bool open = false;       // ends with the bare argument of a function, which what follows must not seem to be part of
  std::string head, tail;  // of a function: sin² x puts the exponent between them
};

// One factor base^exponent with a positive exponent.
struct Factor {
  const Piece* base = nullptr;
  Expr expr;             // the base
  Rational exponent;     // > 0
  bool highest = false;  // an acceleration: in LaTeX it stands behind the bar where something is left above it
  bool apart = false;    // stands behind the bar in any case
  bool sums = false;     // Σ over an index
  int depth = 0;         // of so many Σ it is inside, or is the last one itself
};

struct Signed {
  bool negative = false;
  Piece piece;
};

class NotationStyle {
 public:
  virtual ~NotationStyle() = default;

  // The model has decimals in its formulas: then all numbers that end are written so, halves excepted, and else as fractions, long ones
  // excepted.
  bool with_decimals = false;

  // Must parsing the text give the same node? Then signs stay where they are.
  virtual bool faithful() const { return false; }

  virtual Piece symbol(std::string text) const = 0;
  virtual Piece integer(const std::string& digits) const = 0;
  virtual Piece pi() const = 0;
  virtual Piece sum(const std::vector<Signed>& terms) const = 0;
  // coefficient·Π above/Π below for a positive coefficient; `distributes`: a number before the denominator would be
  // multiplied into it when read.
  virtual Piece term(const Rational& coefficient, const std::vector<Factor>& above, const std::vector<Factor>& below,
                     bool distributes) const = 0;
  virtual Piece power(const Piece& base, const Piece& exponent) const = 0;
  virtual Piece call(Function function, const std::vector<const Piece*>& arguments) const = 0;
  // Parentheses around terms that may be on different lines.
  virtual std::pair<std::string, std::string> large_parentheses(bool tall) const = 0;
  virtual std::string minus() const = 0;
  // Of a closed parenthesis; nothing for 1.
  virtual std::string exponent(const Rational& value) const = 0;
  virtual Piece remark(const std::string& text) const = 0;

 protected:
  // The value in decimals, where it is to be written so. Exact.
  std::optional<std::string> decimals(const Rational& r) const;
};

std::unique_ptr<NotationStyle> notation_style(Notation notation);
std::unique_ptr<NotationStyle> ascii_style();
std::unique_ptr<NotationStyle> unicode_style();
std::unique_ptr<NotationStyle> latex_style();
std::unique_ptr<NotationStyle> mathml_style();

// Of a positive number that ends and has a ten below: 981/100, 3/10, but not 1/4 or 2/5. Whoever has it in a formula wrote it in decimals.
bool reads_as_decimal(const Rational& r);

// A name that before another reads as something else: a differential, a function. A dot keeps them apart.
bool reads_as_operator(std::string_view name);

inline bool is_half(const Rational& r) { return r == Rational(1, 2); }

// Functions whose powers are written sin² x.
inline bool takes_exponent(Function f) { return f != Function::exp && f != Function::abs && arity(f) == 1; }

}  // namespace cetaev
