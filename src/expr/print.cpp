// Text in the model language. A stack of pieces instead of recursion: expressions may be very deep.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "cetaev/detail/expr/sign.hpp"
#include "context.hpp"

namespace cetaev {

namespace {

// How tightly a text binds; an operand that binds less tightly than its place asks for gets parentheses.
enum Level { sum_level = 1, product_level = 2, power_level = 3, atom_level = 4 };

struct Operand {
  Expr expr;
  Level at_least;
};
using Piece = std::variant<std::string, Operand>;

bool is_half(const Rational& r) { return r == Rational(1, 2); }

// The number of terms where all are negative.
std::size_t first_positive_term(Expr sum) {
  std::size_t i = 0;
  while (i < sum.size() && sum.coefficient(i).sign() < 0) ++i;
  return i;
}

Level level_of(Expr e) {
  switch (e.kind()) {
    case Kind::number:
      if (e.number().sign() < 0) return sum_level;
      return e.number().is_integer() ? atom_level : product_level;
    case Kind::sum: return is_scaled_term(e) && e.coefficient(0).sign() > 0 ? product_level : sum_level;
    case Kind::product:
      if (e.size() > 1 || e.exponent(0).sign() < 0) return product_level;
      return is_half(e.exponent(0)) ? atom_level : power_level;
    case Kind::power: return power_level;
    default: return atom_level;
  }
}

class Printer {
 public:
  std::string print(Expr root) {
    pending_.emplace_back(Operand{root, sum_level});
    while (!pending_.empty()) {
      const Piece piece = std::move(pending_.back());
      pending_.pop_back();
      if (const auto* text = std::get_if<std::string>(&piece)) {
        text_ += *text;
      } else {
        open(std::get<Operand>(piece));
      }
    }
    return std::move(text_);
  }

 private:
  void open(const Operand& operand) {
    pieces_.clear();
    const bool parentheses = level_of(operand.expr) < operand.at_least;
    if (parentheses) put("(");
    put_expression(operand.expr);
    if (parentheses) put(")");
    std::move(pieces_.rbegin(), pieces_.rend(), std::back_inserter(pending_));
  }

  void put(std::string text) { pieces_.emplace_back(std::move(text)); }
  void put(Expr e, Level at_least) { pieces_.emplace_back(Operand{e, at_least}); }

  void put_expression(Expr e) {
    switch (e.kind()) {
      case Kind::number: put(e.number().to_string()); break;
      case Kind::pi: put("pi"); break;
      case Kind::symbol: put(std::string(e.name())); break;
      case Kind::sum: put_sum(e); break;
      case Kind::product: put_scaled(Rational(1), e); break;
      case Kind::power:
        put(e.operands()[0], atom_level);
        put("^");
        put(e.operands()[1], power_level);
        break;
      case Kind::function:
        put(std::string(name_of(e.function())) + "(");
        for (std::size_t i = 0; i < e.operands().size(); ++i) {
          if (i > 0) put(", ");
          put(e.operands()[i], sum_level);
        }
        put(")");
        break;
    }
  }

  // Terms in order with the constant last; a positive one to begin with, if there is any.
  void put_sum(Expr e) {
    const std::size_t lead = first_positive_term(e);
    bool first = true;
    const auto sign = [&](bool negative) {
      if (first) {
        if (negative) put("-");
      } else {
        put(negative ? " - " : " + ");
      }
      first = false;
    };
    const auto put_term = [&](std::size_t i) {
      sign(e.coefficient(i).sign() < 0);
      put_scaled(e.coefficient(i).abs(), e.term(i));
    };
    const auto put_constant = [&] {
      if (e.constant().is_zero()) return;
      sign(e.constant().sign() < 0);
      put(e.constant().abs().to_string());
    };
    const bool constant_first = lead == e.size() && e.constant().sign() > 0;
    if (constant_first) put_constant();
    if (lead < e.size()) put_term(lead);
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (i != lead) put_term(i);
    }
    if (!constant_first) put_constant();
  }

  // coefficient·e for a positive coefficient: numerator factors, then denominator factors
  void put_scaled(const Rational& coefficient, Expr e) {
    bool first = true;
    const auto times = [&] {
      if (!first) put("*");
      first = false;
    };
    if (!coefficient.numerator().is_one()) {
      times();
      put(coefficient.numerator().to_string());
    }
    std::size_t below = coefficient.is_integer() ? 0 : 1;
    if (e.kind() == Kind::product) {
      for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.exponent(i).sign() < 0) {
          ++below;
        } else {
          times();
          put_power(e.base(i), e.exponent(i));
        }
      }
    } else {
      times();
      put(e, power_level);
    }
    if (first) put("1");
    if (below == 0) return;

    // A long denominator in parentheses would be read as one node of its own, and 6*(x + 1/7) as 6*x + 6/7.
    const bool grouped =
        below > 1 && below < Context::flatten_limit && !(below == 2 && would_distribute(coefficient, e));
    bool first_below = true;
    const auto divide = [&] {
      put(first_below || !grouped ? (grouped ? "/(" : "/") : "*");
      first_below = false;
    };
    if (!coefficient.is_integer()) {
      divide();
      put(coefficient.denominator().to_string());
    }
    if (e.kind() == Kind::product) {
      for (std::size_t i = 0; i < e.size(); ++i) {
        if (e.exponent(i).sign() > 0) continue;
        divide();
        put_power(e.base(i), -e.exponent(i));
      }
    }
    if (grouped) put(")");
  }

  // Is the denominator a number times one sum with fractions in it?
  static bool would_distribute(const Rational& coefficient, Expr e) {
    if (coefficient.is_integer() || e.kind() != Kind::product) return false;
    for (std::size_t i = 0; i < e.size(); ++i) {
      if (e.exponent(i) == Rational(-1) && e.base(i).kind() == Kind::sum && has_fractions(e.base(i))) return true;
    }
    return false;
  }

  static bool has_fractions(Expr sum) {
    if (!sum.constant().is_integer()) return true;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (!sum.coefficient(i).is_integer()) return true;
    }
    return false;
  }

  void put_power(Expr base, const Rational& exponent) {
    if (exponent.is_one()) {
      put(base, power_level);
    } else if (is_half(exponent)) {
      put("sqrt(");
      put(base, sum_level);
      put(")");
    } else {
      put(base, atom_level);
      put(exponent.is_integer() ? "^" + exponent.to_string() : "^(" + exponent.to_string() + ")");
    }
  }

  std::string text_;
  std::vector<Piece> pending_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::string to_string(Expr e) { return Printer().print(e); }

bool has_leading_minus(Expr e) {
  if (e.kind() == Kind::number) return e.number().sign() < 0;
  return e.kind() == Kind::sum && first_positive_term(e) == e.size() && e.constant().sign() <= 0;
}

SignsOfASum::SignsOfASum(Expr sum) {
  if (!sum.constant().is_zero()) ++(sum.constant().sign() > 0 ? plus : minus);
  for (std::size_t k = 0; k < sum.size(); ++k) ++(sum.coefficient(k).sign() > 0 ? plus : minus);
}

bool turns_behind_minus(Expr base, const Rational& exponent) {
  if (base.kind() != Kind::sum || exponent.sign() < 0 || !exponent.is_integer() || exponent.is_even()) return false;
  const SignsOfASum signs(base);
  return signs.plus <= signs.minus;
}

}  // namespace cetaev
