#include "expression.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cetaev/error.hpp"

namespace cetaev::codegen {

namespace {

enum Precedence { sum = 1, sign = 2, product = 3, atom = 4 };

struct Text {
  std::string text;
  int precedence = atom;
};

// Whole numbers up to here are doubles.
const Rational largest_whole(1L << 53);

bool is_decimal(const Rational& value) {
  Rational d = value.denominator();
  for (const long prime : {2L, 5L}) {
    while (!d.is_one() && (d / Rational(prime)).is_integer()) d = d / Rational(prime);
  }
  return d.is_one();
}

class Writer {
 public:
  explicit Writer(const Dialect& dialect) : d_(dialect) {}

  Text operator()(const Term& t) const {
    switch (t.kind) {
      case Term::Kind::constant: {
        std::string text = literal(t.value);
        const bool fraction = text.find('/') != std::string::npos;
        return {std::move(text), t.value.sign() < 0 ? sign : fraction ? product : atom};
      }
      case Term::Kind::pi: return {"3.1415926535897931", atom};
      case Term::Kind::name: return {t.name, atom};
      case Term::Kind::parameter: return {fmt::format("{}{}", d_.parameter, t.name), atom};
      case Term::Kind::unknown:
        return {fmt::format("{}{}{}{}", t.name, d_.before_index, t.index + d_.first_index, d_.after_index), atom};
      case Term::Kind::add: return {operand(t, 0, sum) + " + " + operand(t, 1, product), sum};
      case Term::Kind::subtract: return {operand(t, 0, sum) + " - " + operand(t, 1, product), sum};
      case Term::Kind::multiply: return {operand(t, 0, sign) + "*" + operand(t, 1, atom), left_sign(t)};
      case Term::Kind::divide: return {operand(t, 0, sign) + "/" + operand(t, 1, atom), left_sign(t)};
      case Term::Kind::negate: return {"-" + operand(t, 0, product), sign};
      case Term::Kind::root: return {call(fmt::format("{}sqrt", d_.functions), t), atom};
      case Term::Kind::power: return {call(fmt::format("{}{}", d_.functions, d_.power), t), atom};
      case Term::Kind::function:
        return {arity(t.function) == 2 && t.function != Function::atan2 ? elliptic(t) : call(function(t.function), t),
                atom};
    }
    return {};
  }

 private:
  std::string operand(const Term& t, std::size_t i, int least) const {
    Text text = (*this)(t.operands[i]);
    return text.precedence < least ? "(" + text.text + ")" : std::move(text.text);
  }

  // -a*b begins with a sign
  int left_sign(const Term& t) const { return (*this)(t.operands[0]).precedence == sign ? sign : product; }

  std::string call(const std::string& name, const Term& t) const {
    std::string arguments;
    for (const Term& operand : t.operands) arguments += (arguments.empty() ? "" : ", ") + (*this)(operand).text;
    return name + "(" + arguments + ")";
  }

  std::string elliptic(const Term& t) const {
    if (d_.elliptic.empty())
      throw Error(
          ErrorCode::not_applicable,
          fmt::format(
              "{} is an elliptic function, which this language does not have; --format python writes it with SciPy",
              name_of(t.function)));
    return fmt::format("{}(\"{}\", {}, {}, {})", d_.elliptic, name_of(without_parameter_order(t.function)),
                       parameter_order(t.function), (*this)(t.operands[0]).text, (*this)(t.operands[1]).text);
  }

  std::string function(Function f) const {
    std::string name(name_of(f));
    if (f == Function::abs) {
      name = d_.absolute;
    } else if (d_.numpy_names && name.front() == 'a') {
      name = "arc" + name.substr(1);
    }
    return std::string(d_.functions) + name;
  }

  const Dialect& d_;
};

}  // namespace

std::string literal(double value) {
  if (!std::isfinite(value)) throw Error(ErrorCode::non_finite, "a constant of the model is not a finite double");
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string literals(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + literal(value);
  return text;
}

std::string literal(const Rational& value) {
  const Rational above = value.numerator(), below = value.denominator();
  const bool small = above.abs() <= largest_whole && below <= largest_whole;
  if (!value.is_integer() && small && !is_decimal(value))
    return literal(above.to_double()) + "/" + literal(below.to_double());
  return literal(value.to_double());
}

std::string to_text(const Term& term, const Dialect& dialect) { return Writer(dialect)(term).text; }

}  // namespace cetaev::codegen
