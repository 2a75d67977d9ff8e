// Notations with fraction bars: what stands above, below and behind a bar is the same in all of them.
#pragma once

#include "notation.hpp"

namespace cetaev {

class BarStyle : public NotationStyle {
 public:
  Piece sum(const std::vector<Signed>& terms) const override {
    if (terms.size() == 1 && !terms[0].negative) return terms[0].piece;
    Piece p = piece("", Level::sum);
    for (const Signed& term : terms) {
      const bool first = p.text.empty();
      if (first) {
        p.text = term.negative ? minus() : "";
      } else {
        p.text += sign_between(term.negative);
      }
      p.width += term.piece.width + (first ? (term.negative ? 1.5 : 0) : 2.3);
      p.text += term.piece.text;
      p.tall = p.tall || term.piece.tall;
    }
    return p;
  }

  Piece term(const Rational& coefficient, const std::vector<Factor>& above, const std::vector<Factor>& below,
             bool /*distributes*/) const override {
    if (const auto decimal = decimals(coefficient)) return decimal_term(*decimal, above, below);
    const Rational number = coefficient.numerator();
    if (below.empty()) {
      if (coefficient.is_integer()) return product(number, above);
      const Piece bottom = integer(coefficient.denominator().to_string());
      // x/2 below one bar, but ½ m ẋ²
      const bool whole = above.empty() || (above.size() == 1 && above[0].base->level != Level::sum && !above[0].apart);
      if (whole) return fraction(product(number, above), bottom);
      return juxtaposed({fraction(product(number, {}), bottom), product(Rational(1), above)});
    }
    std::vector<Factor> rest, behind;
    bool apart = false;
    for (const Factor& f : above) {
      (f.highest || f.apart ? behind : rest).push_back(f);
      apart = apart || f.apart;
    }
    if (rest.empty() && number.is_one() && !apart) std::swap(rest, behind);
    Piece bar = fraction(numerator(number, rest), numerator(coefficient.denominator(), below));
    if (behind.empty()) return bar;
    return juxtaposed({std::move(bar), product(Rational(1), behind)});
  }

 protected:
  static Piece piece(std::string text, Level level, double width = 0) {
    Piece p;
    p.text = std::move(text);
    p.level = level;
    p.width = width;
    return p;
  }

  // What stands between the arguments of a function, and all of it together.
  static Piece listed(const std::vector<const Piece*>& arguments, const std::string& comma) {
    Piece inside = *arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      inside.text += comma + arguments[i]->text;
      inside.width += 1 + arguments[i]->width;
      inside.tall = inside.tall || arguments[i]->tall;
    }
    return inside;
  }

  // The plus or minus between two terms.
  virtual std::string sign_between(bool negative) const = 0;
  virtual Piece fraction(const Piece& top, const Piece& bottom) const = 0;
  // A product, its factors side by side.
  virtual Piece juxtaposed(const std::vector<Piece>& pieces) const = 0;
  virtual Piece factor(const Factor& f) const = 0;

 private:
  // Above or below a bar a sum needs no parentheses.
  Piece numerator(const Rational& number, const std::vector<Factor>& factors) const {
    if (number.is_one() && factors.size() == 1 && factors[0].exponent.is_one()) return *factors[0].base;
    return product(number, factors);
  }

  Piece product(const Rational& number, const std::vector<Factor>& factors) const {
    if (factors.empty()) {
      return integer(number.to_string());
    }
    std::vector<Piece> pieces;
    if (!number.is_one()) pieces.push_back(integer(number.to_string()));
    for (const Factor& f : factors) pieces.push_back(factor(f));
    return juxtaposed(pieces);
  }

  // 9.81 m x/r
  Piece decimal_term(const std::string& decimal, const std::vector<Factor>& above,
                     const std::vector<Factor>& below) const {
    Piece number = integer(decimal);
    if (above.empty() && below.empty()) return number;
    return juxtaposed({std::move(number), term(Rational(1), above, below, false)});
  }
};

}  // namespace cetaev
