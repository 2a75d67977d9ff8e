#include "line_signs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cetaev/expr/evaluate.hpp"
#include "multiple.hpp"

namespace cetaev {

namespace {

struct SignsOfASum {
  std::size_t plus = 0, minus = 0;
  explicit SignsOfASum(Expr sum) {
    if (!sum.constant().is_zero()) ++(sum.constant().sign() > 0 ? plus : minus);
    for (std::size_t k = 0; k < sum.size(); ++k) ++(sum.coefficient(k).sign() > 0 ? plus : minus);
  }
};

bool is_factor_of_one(Expr product, std::size_t k) {
  return product.base(k).kind() == Kind::sum && product.exponent(k).is_one();
}

// One thing less a number, which behind a minus is the number less the thing.
bool is_less_a_number(Expr sum) {
  return sum.size() == 1 && sum.coefficient(0).sign() > 0 && sum.constant().sign() < 0;
}

// Does it begin with a minus on paper?
bool is_written_negative(Expr term) {
  if (term.is_number()) return term.number().sign() < 0;
  const Multiple of(term);
  if (of.number.sign() > 0) return false;
  if (of.term.kind() != Kind::product) return true;
  for (std::size_t k = 0; k < of.term.size(); ++k)
    if (is_factor_of_one(of.term, k) && is_less_a_number(of.term.base(k))) return false;
  return true;
}

std::size_t minus_signs(const WrittenEquation& line) {
  std::size_t count = 0;
  for (const auto* side : {&line.left, &line.right})
    count += static_cast<std::size_t>(std::ranges::count_if(*side, is_written_negative));
  return count;
}

class LineTurner {
 public:
  LineTurner(const System& system, const State& at, const WrittenForm& form) : form_(form) {
    const std::vector<double> parameters = parameter_values(system);
    for (std::size_t i = 0; i < system->size(); ++i) {
      values_.emplace_back(system->motion.q[i], at.q[i]);
      values_.emplace_back(system->motion.v[i], at.v[i]);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i)
      values_.emplace_back(system->parameters[i].symbol, parameters[i]);
    for (const WrittenDefinition& line : form.where) {
      if (line.value.size() != 1) continue;
      if (const auto value = value_of(line.value.front()))
        values_.emplace_back(system->context->symbol(line.symbol), *value);
    }
  }

  void turn(WrittenEquation& line) const {
    if (line.left.empty()) return;
    const std::optional<Expr> own = own_term(line);
    WrittenEquation other = line;
    for (auto* side : {&other.left, &other.right})
      for (Expr& term : *side) term = -term;
    const Expr lead = line.left.front();
    if (sign_of(own.value_or(lead)) >= 0 || sign_of(lead) >= 0 || is_written_negative(-lead)) return;
    if (own || minus_signs(other) <= minus_signs(line)) line = std::move(other);
  }

 private:
  // The term with the unknown that the line is about.
  std::optional<Expr> own_term(const WrittenEquation& line) const {
    for (const Expr unknown : form_.unknowns) {
      std::string_view name = unknown.name();
      if (name.starts_with('$')) name.remove_prefix(1);
      while (name.ends_with('\'')) name.remove_suffix(1);
      if (name != line.label) continue;
      for (const Expr term : line.left)
        if (depends_on(term, std::span(&unknown, 1))) return term;
    }
    return std::nullopt;
  }

  // Factors of both signs have that of their value at the state, and what has none there is taken for positive as it is written.
  int sign_of(Expr term) const {
    const Multiple of(term);
    int sign = term.is_number() ? term.number().sign() : of.number.sign();
    if (of.term.kind() != Kind::product) return sign;
    for (std::size_t k = 0; k < of.term.size(); ++k) {
      if (!is_factor_of_one(of.term, k)) continue;
      const Expr base = of.term.base(k);
      if (SignsOfASum(base).minus == 0) continue;
      const double value = value_of(base).value_or(0);
      if (value < 0 || (value == 0 && is_less_a_number(base))) sign = -sign;
    }
    return sign;
  }

  std::optional<double> value_of(Expr e) const {
    for (const Expr symbol : free_symbols(e))
      if (std::ranges::find(values_, symbol, &Value::first) == values_.end()) return std::nullopt;
    const double value = evaluate(e, values_);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  const WrittenForm& form_;
  std::vector<Value> values_;
};

}  // namespace

void turn_signs(const System& system, const State& at, WrittenForm& form) {
  const LineTurner turner(system, at, form);
  for (WrittenEquation& line : form.equations) turner.turn(line);
  for (WrittenFamily& family : form.families) turner.turn(family.equation);
}

}  // namespace cetaev
