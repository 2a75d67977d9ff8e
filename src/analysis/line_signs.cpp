#include "line_signs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cetaev/detail/expr/sign.hpp"
#include "cetaev/detail/text/numbered.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "multiple.hpp"

namespace cetaev {

namespace {

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
    if (turns_behind_minus(of.term.base(k), of.term.exponent(k))) return false;
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
    values_.emplace_back(system->motion.t, at.t);
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

  // Of one line, or of one for many.
  void turn(WrittenEquation& line, const WrittenFamily* family = nullptr) const {
    if (line.left.empty()) return;
    WrittenEquation other = line;
    for (auto* side : {&other.left, &other.right})
      for (Expr& term : *side) term = -term;
    if (const auto own = own_unknown(line, family)) {
      const int sign = sign_of_inertia(line, *own, family);
      if (sign < 0) line = std::move(other);
      if (sign == 0) return;
      // a line does not begin with a minus where what it is about has none
      const auto begins =
          std::ranges::find_if(line.left, [&](Expr term) { return depends_on(term, std::span(&*own, 1)); });
      if (is_written_negative(line.left.front()) && !is_written_negative(*begins))
        std::rotate(line.left.begin(), begins, begins + 1);
      return;
    }
    const Expr lead = line.left.front();
    if (sign_of(lead) >= 0 || is_written_negative(-lead)) return;
    if (minus_signs(other) <= minus_signs(line)) line = std::move(other);
  }

 private:
  // That the line is about, where it has a term on the left.
  std::optional<Expr> own_unknown(const WrittenEquation& line, const WrittenFamily* family) const {
    for (const Expr unknown : form_.unknowns) {
      const Expr own = family == nullptr || family->index.empty() ? unknown : with_index(unknown, family->index);
      std::string_view name = own.name();
      if (name.starts_with('$')) name.remove_prefix(1);
      while (name.ends_with('\'')) name.remove_suffix(1);
      if (name != line.label) continue;
      for (const Expr term : line.left)
        if (depends_on(term, std::span(&own, 1))) return own;
    }
    return std::nullopt;
  }
  // a_i'' of a12''
  static Expr with_index(Expr unknown, const std::string& index) {
    const auto parts = text::numbered_name(unknown.name());
    if (!parts) return unknown;
    return unknown.context().symbol(parts->stem + (parts->stem.ends_with('_') ? "" : "_") + index + parts->marks);
  }

  // What stands before the unknown, all terms together, has a value at the state, and for many lines the same sign in the first and the last; where it has
  // none, the first term has a sign as it is written.
  int sign_of_inertia(const WrittenEquation& line, Expr own, const WrittenFamily* family) const {
    std::vector<Expr> terms;
    for (const Expr term : line.left)
      if (depends_on(term, std::span(&own, 1))) terms.push_back(term);
    const Expr inertia = derivative(own.context().sum(terms), own);
    const auto sign_at = [&](std::span<const Value> values) {
      const double value = value_of(inertia, values).value_or(0);
      return value > 0 ? 1 : value < 0 ? -1 : 0;
    };
    if (family == nullptr || family->index.empty()) {
      const int sign = sign_at(values_);
      return sign != 0 ? sign : sign_of(terms.front());
    }
    std::vector<Value> values = values_;
    values.emplace_back(own.context().symbol("$" + family->index), 0);
    int sign = 0;
    for (const long index : {family->first, family->last}) {
      values.back().second = static_cast<double>(index);
      const int now = sign_at(values);
      if (now == 0 || now == -sign) return 0;
      sign = now;
    }
    return sign;
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

  std::optional<double> value_of(Expr e) const { return value_of(e, values_); }
  static std::optional<double> value_of(Expr e, std::span<const Value> values) {
    for (const Expr symbol : free_symbols(e))
      if (std::ranges::find(values, symbol, &Value::first) == values.end()) return std::nullopt;
    const double value = evaluate(e, values);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  const WrittenForm& form_;
  std::vector<Value> values_;
};

}  // namespace

void turn_signs(const System& system, const State& at, WrittenForm& form) {
  const LineTurner turner(system, at, form);
  for (WrittenEquation& line : form.equations) turner.turn(line);
  for (WrittenFamily& family : form.families) turner.turn(family.equation, &family);
}

}  // namespace cetaev
