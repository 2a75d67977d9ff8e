#include "simple_zeros.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

namespace {

constexpr double largest_to_factor = 400;  // nodes

// A product without its repetitions and its denominators; the same expression when there is nothing to leave out.
Expr without_repetition(Expr e) {
  std::vector<Expr> bases;
  bool changed = false;
  for (std::size_t i = 0; i < e.size(); ++i) {
    const bool simple = e.exponent(i).is_one();
    changed = changed || !simple;
    if (e.exponent(i).sign() > 0) bases.push_back(e.base(i));
  }
  return changed && !bases.empty() ? e.context().product(bases) : e;
}

// c·t with a number c is t.
Expr without_coefficient(Expr e) {
  return e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero() ? e.term(0) : e;
}

// A sum of what cannot be negative, or the negative of one.
bool is_sum_of_squares(Expr e) {
  if (e.kind() != Kind::sum || !e.constant().is_zero()) return false;
  const int sign = e.coefficient(0).sign();
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (e.coefficient(i).sign() != sign || !e.term(i).is_nonnegative()) return false;
  }
  return true;
}

// r where e is √r.
std::optional<Expr> under_root(Expr e) {
  if (e.kind() != Kind::product || e.size() != 1 || e.exponent(0) != Rational(1, 2)) return std::nullopt;
  return e.base(0);
}

// a√r = b√s with positive a, b is a²r = b²s, whose derivatives are finite where the roots vanish.
std::optional<Expr> without_roots(Expr e) {
  if (e.kind() != Kind::sum || e.size() != 2 || !e.constant().is_zero()) return std::nullopt;
  const std::optional<Expr> r = under_root(e.term(0)), s = under_root(e.term(1));
  const Rational &a = e.coefficient(0), &b = e.coefficient(1);
  if (!r || !s || a.sign() == b.sign() || !r->is_nonnegative() || !s->is_nonnegative()) return std::nullopt;
  return a * a * *r - b * b * *s;
}

// Are the second derivatives constant, as far as numbers show? Asked before any algebra is done for it.
bool may_be_quadratic(Expr e) {
  constexpr double little = 1e-6;  // of what is there: rounding is less by far
  const std::vector<Expr> symbols = free_symbols(e);
  std::vector<Expr> curvatures;
  for (const Expr s : symbols) curvatures.push_back(derivative(derivative(e, s), s));
  const Program program(curvatures, symbols);
  Interpreter run(program);
  Random random(1);
  std::vector<double> inputs(symbols.size()), first(curvatures.size()), other(curvatures.size());
  for (std::vector<double>* values : {&first, &other}) {
    for (double& input : inputs) input = random.uniform(0.2, 1.5);
    run(inputs, *values);
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (std::abs(first[i] - other[i]) > little * (1 + std::abs(first[i]))) return false;
  }
  return true;  // also of what has no numbers there
}

}  // namespace

std::optional<std::vector<Replacement>> squares_in(Expr e) {
  if (e.kind() != Kind::sum || written_size(e) > largest_to_factor || !may_be_quadratic(e)) return std::nullopt;
  std::vector<Replacement> zeros;
  Expr rest = e;
  int sign = 0;
  for (const Expr s : free_symbols(e)) {
    const Expr slope = normal(derivative(rest, s));
    if (slope.is_zero()) continue;
    const Expr curvature = normal(derivative(slope, s));
    if (!curvature.is_number() || curvature.is_zero()) return std::nullopt;
    const Rational d = curvature.number();
    if (sign != 0 && d.sign() != sign) return std::nullopt;
    sign = d.sign();
    // slope = d (s − r); rest − d (s − r)²/2 has no s
    const Expr off = (Rational(1) / d) * slope;
    zeros.emplace_back(s, normal(s - off));
    rest = normal(rest - (d / Rational(2)) * pow(off, Rational(2)));
  }
  return rest.is_zero() && !zeros.empty() ? std::optional(zeros) : std::nullopt;
}

System with_simple_zeros(const System& system, std::vector<std::size_t>& origin) {
  return system.with([&](SystemData& data) {
    data.constraints.clear();
    for (std::size_t i = 0; i < system->constraints.size(); ++i) {
      const Constraint& constraint = system->constraints[i];
      for (const Expr e : simple_zeros(constraint.expression)) {
        origin.push_back(i);
        data.constraints.push_back(constraint);
        data.constraints.back().expression = e;
      }
    }
  });
}

std::vector<Expr> simple_zeros(Expr e) {
  std::vector<Expr> pending = {e}, found;
  while (!pending.empty()) {
    const Expr whole = pending.back();
    pending.pop_back();
    const Expr now = without_coefficient(whole);
    if (now.kind() == Kind::function && now.function() == Function::abs) {
      pending.push_back(now.operands()[0]);
      continue;
    }
    if (now.kind() == Kind::product) {
      const Expr simple = without_repetition(now);
      (simple == now ? found : pending).push_back(simple == now ? whole : simple);
      continue;
    }
    if (const auto rational = without_roots(now)) {
      pending.push_back(*rational);
      continue;
    }
    if (const auto squares = squares_in(now)) {
      for (const Replacement& zero : *squares) pending.push_back(zero.first - zero.second);
      continue;
    }
    if (is_sum_of_squares(now)) {
      for (std::size_t i = 0; i < now.size(); ++i) pending.push_back(now.term(i));
      continue;
    }
    if (now.kind() == Kind::sum && written_size(now) <= largest_to_factor) {
      const auto factored = quotient(now, Shape::factored);
      const Expr product = factored ? without_coefficient(factored->numerator) : now;
      const bool repeated = product.kind() == Kind::product && [&] {
        for (std::size_t i = 0; i < product.size(); ++i) {
          if (product.exponent(i).sign() > 0 && !product.exponent(i).is_one()) return true;
        }
        return false;
      }();
      if (repeated) {
        pending.push_back(without_repetition(product));
        continue;
      }
    }
    found.push_back(whole);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::optional<std::vector<Expr>> distinct_factors(Expr e) {
  if (written_size(e) > largest_to_factor) return std::nullopt;
  const auto factored = quotient(e, Shape::factored);
  if (!factored) return std::nullopt;
  const Expr product = without_coefficient(factored->numerator);
  std::vector<Expr> found;
  if (product.kind() != Kind::product) return std::vector{e};
  for (std::size_t i = 0; i < product.size(); ++i) {
    if (product.exponent(i).sign() > 0) found.push_back(product.base(i));
  }
  return found;
}

}  // namespace cetaev
