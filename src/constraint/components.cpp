#include "components.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/algebra/certain.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "simple_zeros.hpp"

namespace cetaev {

namespace {

constexpr std::size_t most_components = 32;
// |u| in one equation: each doubles the number of pieces.
constexpr std::size_t most_absolute = 4;

// Multiples of each other have the same ratio at any two points, to half the digits of a double and more.
bool differ_at_points(Expr a, Expr b) {
  const std::array roots = {a, b};
  Random random(5);
  std::array<std::vector<double>, 2> found;
  for (std::vector<double>& values : found) {
    std::vector<Value> at;
    for (const Expr symbol : free_symbols(roots)) at.emplace_back(symbol, random.uniform(-2, 2));
    values = evaluate(roots, at);
  }
  const double one = found[0][0] * found[1][1], other = found[1][0] * found[0][1];
  return std::abs(one - other) > 1e-7 * (std::abs(one) + std::abs(other));
}

class Taking {
 public:
  explicit Taking(const System& system) : system_(system), exact_(exact_parameters(system)) {
    const Motion& motion = system->motion;
    moving_ = motion.q;
    moving_.insert(moving_.end(), motion.v.begin(), motion.v.end());
    moving_.insert(moving_.end(), motion.a.begin(), motion.a.end());
    moving_.push_back(motion.t);
  }

  Components run() {
    Components result;
    std::vector<std::vector<Way>> ways;
    bool apart = false;
    for (const Constraint& constraint : system_->constraints) {
      ways.push_back(ways_of(constraint));
      apart = apart || ways.back().size() > 1 || ways.back().front().equation != constraint.expression;
    }
    std::vector<Choice> choices = {{}};
    for (std::size_t i = 0; apart && i < ways.size(); ++i) {
      choices = with_one_more(choices, ways[i]);
      if (choices.size() > most_components) apart = factored_ = false;
    }
    result.factored = factored_;
    if (!apart) {
      result.list.push_back({system_, {}, true});
      return result;
    }
    for (const Choice& choice : choices) {
      Component component;
      component.as_written = false;
      component.system = system_.with([&](SystemData& data) {
        for (std::size_t i = 0; i < choice.rows.size(); ++i) data.constraints[i].expression = choice.rows[i];
      });
      component.positive = choice.positive;
      result.list.push_back(std::move(component));
    }
    return result;
  }

  std::vector<System> lower() {
    std::vector<Choice> choices = {{}};
    bool any = false;
    for (const Constraint& constraint : system_->constraints) {
      const std::vector<Way> ways = with_lower_factors(constraint);
      any = any || ways.size() > 1;
      choices = with_one_more(choices, ways);
      if (choices.size() > most_components) return {};
    }
    std::vector<System> result;
    for (std::size_t k = 0; any && k < choices.size(); ++k) {
      bool lower = false;
      const System system = system_.with([&](SystemData& data) {
        for (std::size_t i = 0; i < choices[k].rows.size(); ++i) {
          Constraint& constraint = data.constraints[i];
          constraint.expression = choices[k].rows[i];
          const int written = constraint.order;
          while (constraint.order > 0 && !depends_on(constraint.expression, own_unknowns(constraint)))
            --constraint.order;
          lower = lower || constraint.order < written;
        }
      });
      if (lower) result.push_back(system);
    }
    return result;
  }

  std::vector<Way> ways_of(const Constraint& constraint) {
    const std::vector<Expr>& own = own_unknowns(constraint);
    const Way whole{constraint.expression, {}};
    try {
      const Expr exact = with_absolute_values(substitute(constraint.expression, exact_));
      const bool bent = !absolute_values(exact, moving_).empty();
      // what is affine in its own unknowns has one branch, whatever its coefficients are
      if (!bent && affine_in(exact, own)) return {whole};
      std::vector<Way> ways;
      if (absolute_values(exact, moving_).size() > most_absolute) {
        factored_ = false;
        return {whole};
      }
      split(exact, {}, own, ways);
      if (everywhere_) {
        // it says nothing on one side: a piece of another dimension, which states on both sides tell
        everywhere_ = factored_ = false;
        return {whole};
      }
      merge(ways);
      if (ways.empty() || (ways.size() == 1 && ways[0].positive.empty() && ways[0].equation == exact)) return {whole};
      return ways;
    } catch (const Error&) {
      return {whole};  // not defined at these values of the parameters
    }
  }

  bool factored() const { return factored_; }

 private:
  // One way for each of the first constraints.
  struct Choice {
    std::vector<Expr> rows;       // in file order
    std::vector<Expr> equations;  // the distinct ones of them
    std::vector<Expr> positive;
  };

  const std::vector<Expr>& own_unknowns(const Constraint& constraint) const {
    const Motion& motion = system_->motion;
    return constraint.order == 0 ? motion.q : constraint.order == 1 ? motion.v : motion.a;
  }

  // The factors that its own unknowns do not occur in, and then the product of the others.
  std::vector<Way> with_lower_factors(const Constraint& constraint) const {
    const std::vector<Expr>& own = own_unknowns(constraint);
    std::vector<Way> ways;
    if (constraint.order == 0) return {{constraint.expression, {}}};
    try {
      const Expr exact = substitute(constraint.expression, exact_);
      std::optional<std::vector<Expr>> factors = distinct_factors(exact);
      if (factors == std::vector{exact}) {
        // (x − y)/(x' − 1) has no other factor than its numerator
        const std::optional<Quotient> fraction = quotient(exact);
        if (fraction && !depends_on(fraction->numerator, own)) factors = {fraction->numerator};
      }
      Expr rest = constraint.expression.context().one();
      for (const Expr factor : factors.value_or(std::vector<Expr>{})) {
        if (depends_on(factor, own)) {
          rest = rest * factor;
        } else if (depends_on(factor, moving_) && !never_zero(factor)) {
          ways.push_back({factor, {}});
        }
      }
      if (ways.empty()) return {{constraint.expression, {}}};
      ways.push_back({rest, {}});
    } catch (const Error&) {
      return {{constraint.expression, {}}};  // not defined at these values of the parameters
    }
    return ways;
  }

  static Rational leading(Expr e) { return e.kind() == Kind::sum && e.size() > 0 ? e.coefficient(0) : Rational(1); }

  // But for a number that it is multiplied by.
  static bool same_equation(Expr a, Expr b) {
    if (a == b) return true;
    if (differ_at_points(a, b)) return false;
    const Expr one = normal(a), other = normal(b);
    return normal(leading(other) * one - leading(one) * other).is_zero();
  }
  static bool same_condition(Expr a, Expr b) { return a == b; }

  template <typename Same>
  static void add_new(std::vector<Expr>& list, Expr e, Same same) {
    if (std::ranges::none_of(list, [&](Expr other) { return same(other, e); })) list.push_back(e);
  }
  template <typename Same>
  static bool has_all(const std::vector<Expr>& list, const std::vector<Expr>& of, Same same) {
    return std::ranges::all_of(
        of, [&](Expr e) { return std::ranges::any_of(list, [&](Expr other) { return same(other, e); }); });
  }

  // What asks for all that another one asks for, and more, lies in it: of a product that is written twice the first factor in one row and
  // the second in the other is where its branches meet, and no branch.
  static std::vector<Choice> with_one_more(const std::vector<Choice>& choices, const std::vector<Way>& ways) {
    std::vector<Choice> all;
    for (const Way& way : ways) {
      for (Choice choice : choices) {
        choice.rows.push_back(way.equation);
        add_new(choice.equations, way.equation, same_equation);
        for (const Expr condition : way.positive) add_new(choice.positive, condition, same_condition);
        all.push_back(std::move(choice));
      }
    }
    const auto lies_in = [](const Choice& one, const Choice& other) {
      return has_all(one.equations, other.equations, same_equation) &&
             has_all(one.positive, other.positive, same_condition);
    };
    std::vector<Choice> result;
    for (std::size_t i = 0; i < all.size(); ++i) {
      bool inside = false;
      for (std::size_t k = 0; k < all.size() && !inside; ++k)
        inside = k != i && lies_in(all[i], all[k]) && (k < i || !lies_in(all[k], all[i]));
      if (!inside) result.push_back(all[i]);
    }
    return result;
  }

  // The same equation on several sides, as u = w is of |u| = |w| where both are positive and where both are negative: once, wherever the
  // constraint holds.
  static void merge(std::vector<Way>& ways) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      for (std::size_t k = ways.size(); k-- > i + 1;) {
        if (!same_equation(ways[i].equation, ways[k].equation)) continue;
        ways[i].positive.clear();
        ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
  }

  void split(Expr e, const std::vector<Expr>& positive, std::span<const Expr> own, std::vector<Way>& ways) {
    const std::vector<Expr> absolute = absolute_values(e, moving_);
    if (!absolute.empty()) {
      const Expr inside = absolute.front().operands()[0];
      for (const int sign : {1, -1}) {
        const Expr side = Rational(sign) * inside;
        const std::array<Replacement, 1> known = {{{absolute.front(), side}}};
        std::vector<Expr> conditions = substitute(positive, known);
        conditions.push_back(side);
        split(substitute(e, known), conditions, own, ways);
      }
      return;
    }
    // points tell most of what is not zero, sooner than algebra
    if (prove_zero(e).verdict != Verdict::refuted && normal(e).is_zero()) {
      everywhere_ = true;
      return;
    }
    if (const std::optional<Expr> argument = argument_of_invertible(e)) return split(*argument, positive, own, ways);
    if (const std::optional<Way> arguments = arguments_of_invertible(e)) {
      std::vector<Expr> conditions = positive;
      for (const Expr condition : arguments->positive) add_new(conditions, condition, same_condition);
      return split(arguments->equation, conditions, own, ways);
    }
    if (const std::optional<Expr> argument = argument_of_increasing(e)) return split(*argument, positive, own, ways);
    // a product as it is written
    const Expr bare = e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero() ? e.term(0) : e;
    if (bare.kind() == Kind::product) {
      std::vector<std::size_t> vanishing;
      for (std::size_t i = 0; i < bare.size(); ++i)
        if (bare.exponent(i).sign() > 0 && depends_on(bare.base(i), own) && !never_zero(bare.base(i)))
          vanishing.push_back(i);
      // a square alone has no gradient where it vanishes, and stays what it is
      const bool square = vanishing.size() == 1 && !bare.exponent(vanishing[0]).is_one();
      if (square) ways.push_back({e, positive});
      std::vector<Expr> bases;
      for (const std::size_t i : vanishing) bases.push_back(bare.base(i));
      for (std::size_t i = 0; i < bases.size(); ++i)
        if (!square && !lies_in_another(bases, i)) split_factor(bases[i], positive, own, ways);
      return;
    }
    const std::optional<std::vector<Expr>> factors = distinct_factors(e);
    if (!factors && !affine_in(e, own)) factored_ = false;
    // one branch, or none, and then the equation says so by itself
    if (positive.empty() && (!factors || factors == std::vector{e})) {
      ways.push_back({e, {}});
      return;
    }
    std::vector<Expr> vanishing;
    for (const Expr factor : factors.value_or(std::vector{e}))
      if (depends_on(factor, own) && !never_zero(factor)) vanishing.push_back(factor);
    if (vanishing.size() == 1 && simple_zeros(e) != std::vector{e}) vanishing = {e};  // a square, multiplied out
    for (std::size_t i = 0; i < vanishing.size(); ++i)
      if (!lies_in_another(vanishing, i)) ways.push_back({vanishing[i], positive});
  }

  // A sum of squares is zero where all of them are: where another factor is zero too, it is no branch.
  static bool lies_in_another(const std::vector<Expr>& factors, std::size_t i) {
    if (factors.size() < 2) return false;
    const std::optional<std::vector<Replacement>> zeros = squares_in(factors[i]);
    if (!zeros) return false;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      if (k == i) continue;
      Expr there = factors[k];
      for (const Replacement& zero : *zeros) there = substitute(there, std::span(&zero, 1));
      if (normal(there).is_zero()) return true;
    }
    return false;
  }

  // One that is no product itself.
  void split_factor(Expr factor, const std::vector<Expr>& positive, std::span<const Expr> own, std::vector<Way>& ways) {
    if (factor.kind() == Kind::sum) return split(factor, positive, own, ways);
    ways.push_back({factor, positive});
  }

  // u − F⁻¹(c) for F(u) = c with a function that takes every value once: exp u = 1 is u = 0, whose derivatives do not vanish far away.
  static std::optional<Expr> argument_of_invertible(Expr e) {
    const bool sum = e.kind() == Kind::sum && e.size() == 1;
    const Expr function = sum ? e.term(0) : e;
    if (function.kind() != Kind::function) return std::nullopt;
    const Expr argument = function.operands()[0];
    const Rational value = sum ? -(e.constant() / e.coefficient(0)) : Rational(0);
    const Expr c = e.context().number(value);
    const bool inside = value.abs() < Rational(1);
    switch (function.function()) {
      case Function::exp: return value.sign() > 0 ? std::optional(argument - log(c)) : std::nullopt;
      case Function::log: return argument - exp(c);
      case Function::sinh: return argument - apply(Function::asinh, c);
      case Function::asinh: return argument - apply(Function::sinh, c);
      case Function::tanh: return inside ? std::optional(argument - apply(Function::atanh, c)) : std::nullopt;
      case Function::atanh: return argument - apply(Function::tanh, c);
      case Function::atan: return inside ? std::optional(argument - tan(c)) : std::nullopt;
      case Function::asin: return inside ? std::optional(argument - sin(c)) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // u − w for F(u) = F(w) with a function that takes no value twice, where it is defined.
  static std::optional<Way> arguments_of_invertible(Expr e) {
    if (e.kind() != Kind::sum || e.size() != 2 || !e.constant().is_zero()) return std::nullopt;
    const Rational k = e.coefficient(1) / e.coefficient(0);
    const Expr one = e.term(0), other = e.term(1);
    if (k.abs() != Rational(1)) return std::nullopt;
    if (one.kind() == Kind::product && other.kind() == Kind::product) {
      // √u = √w
      if (one.size() != 1 || other.size() != 1 || one.exponent(0) != other.exponent(0)) return std::nullopt;
      const Expr u = one.base(0), w = other.base(0);
      const Rational& exponent = one.exponent(0);
      if (exponent.is_integer())  // u³ = w³
        return exponent.sign() > 0 && !exponent.is_even() ? std::optional(Way{u + k * w, {}}) : std::nullopt;
      return k.sign() < 0 ? std::optional(Way{u - w, {u}}) : std::nullopt;
    }
    if (one.kind() != Kind::function || other.kind() != Kind::function || one.function() != other.function())
      return std::nullopt;
    const Expr u = one.operands()[0], w = other.operands()[0];
    switch (one.function()) {
      case Function::exp: return k.sign() < 0 ? std::optional(Way{u - w, {}}) : std::nullopt;
      case Function::log: return k.sign() < 0 ? std::optional(Way{u - w, {u}}) : std::nullopt;
      case Function::sinh:
      case Function::asinh:
      case Function::tanh:
      case Function::atan: return Way{u + k * w, {}};
      default: return std::nullopt;
    }
  }

  // Does F grow with its argument, whatever that is?
  static bool is_increasing(Function f) {
    return f == Function::exp || f == Function::sinh || f == Function::asinh || f == Function::tanh ||
           f == Function::atan;
  }

  // u for k u + Σ kᵢ Fᵢ(u) + c = 0 with functions that grow, where that is so of u = 0: no other value is one.
  static std::optional<Expr> argument_of_increasing(Expr e) {
    if (e.kind() != Kind::sum) return std::nullopt;
    std::optional<Expr> u;
    Expr rest = e, at_zero = e.context().zero();
    int sign = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Expr term = e.term(i);
      if (term.kind() != Kind::function || !is_increasing(term.function())) continue;
      if (u && term.operands()[0] != *u) return std::nullopt;
      if (sign != 0 && e.coefficient(i).sign() != sign) return std::nullopt;
      u = term.operands()[0];
      sign = e.coefficient(i).sign();
      rest = rest - e.coefficient(i) * term;
      at_zero = at_zero + e.coefficient(i) * apply(term.function(), e.context().zero());
    }
    if (!u) return std::nullopt;
    rest = normal(rest);
    const Expr expanded = normal(*u);
    // what is left is c + k u
    const Rational k = rest.is_number() || expanded.is_number() ? Rational(0) : leading(rest) / leading(expanded);
    const Expr constant = normal(rest - k * expanded);
    const bool grows = k.is_zero() || k.sign() == sign;
    return grows && constant.is_number() && (constant + at_zero).is_zero() ? u : std::nullopt;
  }

  System system_;
  std::vector<Replacement> exact_;
  std::vector<Expr> moving_;
  bool factored_ = true;
  bool everywhere_ = false;  // on some side the equation at hand holds whatever its unknowns are
};

}  // namespace

std::vector<Way> ways_of(const System& system, const Constraint& constraint, bool& factored) {
  Taking taking(system);
  std::vector<Way> ways = taking.ways_of(constraint);
  factored = taking.factored();
  return ways;
}

Components components_of(const System& system) { return Taking(system).run(); }

std::vector<System> lower_components_of(const System& system) { return Taking(system).lower(); }

}  // namespace cetaev
