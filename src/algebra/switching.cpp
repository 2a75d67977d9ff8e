#include "cetaev/detail/algebra/switching.hpp"

#include <algorithm>
#include <array>

#include "cetaev/detail/algebra/divisors.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

bool is_inverse_of_circular(Function f) { return f == Function::asin || f == Function::acos || f == Function::atan; }

bool is_circular_function(Function f) { return f == Function::sin || f == Function::cos || f == Function::tan; }

class Switching {
 public:
  explicit Switching(std::span<const Expr> moving) : moving_(moving) {}

  void look_at(Expr e) {
    for (const Expr node : topological(std::array{e})) {
      if (node.kind() != Kind::function || !depends_on(node, moving_)) continue;
      const Function f = node.function();
      if (f == Function::abs || f == Function::atan2) {
        for (const Expr argument : node.operands()) add(argument);
      } else if (f == Function::tan) {
        add(cos(node.operands()[0]));
      }
      for (const Expr argument : node.operands()) inside(f, argument);
    }
  }

  std::vector<Expr> take() { return std::move(found_); }

 private:
  // Poles, and under an inverse function what it does not undo.
  void inside(Function f, Expr argument) {
    for (const Expr node : topological(std::array{argument})) {
      if (node.kind() == Kind::product) {
        for (std::size_t i = 0; i < node.size(); ++i)
          if (node.exponent(i).sign() < 0) add(node.base(i));
      } else if (node.kind() == Kind::function && is_circular_function(node.function()) && is_inverse_of_circular(f)) {
        add(sin(node.operands()[0]));
        add(cos(node.operands()[0]));
      }
    }
  }

  void add(Expr e) {
    if (!depends_on(e, moving_) || e.is_nonnegative() || (-e).is_nonnegative()) return;
    // x in x³, and in −2x
    if (e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero()) e = e.term(0);
    if (e.kind() == Kind::product && e.size() == 1) e = e.base(0);
    const bool known = std::any_of(found_.begin(), found_.end(), [&](Expr other) { return other == e || other == -e; });
    if (!known) found_.push_back(e);
  }

  std::span<const Expr> moving_;
  std::vector<Expr> found_;
};

}  // namespace

std::vector<Expr> switching(std::span<const Expr> expressions, std::span<const Expr> moving) {
  Switching all(moving);
  for (const Expr e : expressions) all.look_at(with_absolute_values(e));
  return all.take();
}

namespace {

void add_new(std::vector<Expr>& found, Expr e, std::span<const Expr> symbols) {
  if (depends_on(e, symbols) && std::ranges::find(found, e) == found.end()) found.push_back(e);
}

}  // namespace

std::vector<Expr> margins(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  std::vector<Expr> found;
  const auto add = [&](Expr e) {
    if (!e.is_nonnegative()) add_new(found, e, symbols);
  };
  for (const Expr node : topological(expressions)) {
    if (node.kind() == Kind::power) add(node.operands()[0]);
    if (node.kind() == Kind::product) {
      for (std::size_t i = 0; i < node.size(); ++i)
        if (!node.exponent(i).is_integer()) add(node.base(i));
    }
    if (node.kind() != Kind::function) continue;
    const Expr u = node.operands()[0], one = u.context().one();
    switch (node.function()) {
      case Function::log: add(u); break;
      case Function::acosh: add(u - one); break;
      case Function::asin:
      case Function::acos:
      case Function::atanh:
        add(one - u);
        add(one + u);
        break;
      default: break;
    }
  }
  return found;
}

std::vector<Expr> steep(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  std::vector<Expr> found;
  for (const Expr node : topological(expressions)) {
    if (node.kind() != Kind::function) continue;
    const Expr argument = node.operands()[0];
    const Function f = node.function();
    if (f == Function::exp) add_new(found, argument + argument.context().one(), symbols);
    if (f == Function::tanh || f == Function::cosh || f == Function::sinh) add_new(found, argument, symbols);
  }
  return found;
}

std::vector<Expr> absolute_values(Expr e, std::span<const Expr> symbols) {
  std::vector<Expr> found;
  for (const Expr node : topological(std::array{e}))
    if (node.kind() == Kind::function && node.function() == Function::abs && depends_on(node, symbols))
      found.push_back(node);
  return found;
}

std::vector<std::pair<Expr, Rational>> negative_powers(std::span<const Expr> expressions) {
  std::vector<std::pair<Expr, Rational>> result;
  for (const Expr e : topological(expressions)) {
    if (e.kind() != Kind::product) continue;
    for (std::size_t i = 0; i < e.size(); ++i)
      if (e.exponent(i).sign() < 0) result.emplace_back(e.base(i), e.exponent(i));
  }
  return result;
}

std::vector<Expr> divisors_in(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  std::vector<Expr> result;
  const auto add = [&](Expr e) {
    if (depends_on(e, symbols) && std::find(result.begin(), result.end(), e) == result.end()) result.push_back(e);
  };
  for (const Expr e : topological(expressions)) {
    if (e.kind() != Kind::function) continue;
    const Expr u = e.operands()[0];
    switch (e.function()) {
      case Function::log: add(u); break;
      case Function::tan: add(cos(u)); break;
      case Function::asin:
      case Function::acos:
      case Function::acosh:
      case Function::atanh: add(u.context().one() - u * u); break;
      default: break;
    }
  }
  for (const auto& [base, exponent] : negative_powers(expressions))
    if (exponent.is_integer()) add(base);
  return result;
}

Expr with_absolute_values(Expr e) {
  std::vector<Replacement> found;
  for (const Expr node : topological(std::array{e})) {
    if (node.kind() != Kind::product) continue;
    std::vector<Context::Term> factors;
    bool changed = false;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Expr base = node.base(i);
      const Rational& exponent = node.exponent(i);
      bool even = !exponent.is_integer() && base.kind() == Kind::product;
      for (std::size_t k = 0; even && k < base.size(); ++k) even = base.exponent(k).is_even();
      if (!even) {
        factors.push_back({base, exponent});
        continue;
      }
      changed = true;
      for (std::size_t k = 0; k < base.size(); ++k) factors.push_back({abs(base.base(k)), base.exponent(k) * exponent});
    }
    if (changed) found.emplace_back(node, e.context().power_product(Rational(1), factors));
  }
  return found.empty() ? e : substitute(e, found);
}

}  // namespace cetaev
