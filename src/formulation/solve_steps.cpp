#include "solve_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "cetaev/detail/algebra/digits.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "cetaev/detail/numeric/indices.hpp"

namespace cetaev {

namespace {

// The largest constant system solved by algebra.
constexpr std::size_t largest_constant_system = 3;

// In additions, roughly as on a processor.
constexpr double root_cost = 5;
constexpr double function_cost = 15;
constexpr double power_cost = 40;

double cost_of_power(const Rational& exponent) {
  const Rational n = exponent.abs();
  if (n.is_one()) return 0;
  if (n.is_integer()) return std::ceil(std::log2(n.to_double()));
  if (n.denominator() == Rational(2)) return root_cost + (n == Rational(1, 2) ? 0 : 2);
  return power_cost;
}

double cost_of(Expr e) {
  double cost = 0;
  switch (e.kind()) {
    case Kind::number:
    case Kind::pi:
    case Kind::symbol: return 0;
    case Kind::sum:
      for (std::size_t i = 0; i < e.size(); ++i) cost += e.coefficient(i).abs().is_one() ? 1 : 2;
      return e.constant().is_zero() ? cost - 1 : cost;
    case Kind::product: {
      bool below = false;
      for (std::size_t i = 0; i < e.size(); ++i) {
        cost += 1 + cost_of_power(e.exponent(i));
        below = below || e.exponent(i).sign() < 0;
      }
      return cost - 1 + (below ? division_cost : 0);
    }
    case Kind::power: return power_cost;
    case Kind::function: return function_cost;
  }
  return cost;
}

bool is_function(Expr e, std::initializer_list<Function> functions) {
  return e.kind() == Kind::function && std::find(functions.begin(), functions.end(), e.function()) != functions.end();
}

// tanh u is a double for every u; sinh u, cosh u and exp 2u, of which algebra makes it, are none beyond 710.
bool stays_in_range(std::span<const Expr> before, std::span<const Expr> after) {
  const std::vector<Expr> known = topological(before);
  if (std::none_of(known.begin(), known.end(), [](Expr e) { return is_function(e, {Function::tanh}); })) return true;
  const std::vector<Expr> made = topological(after);
  return std::none_of(made.begin(), made.end(), [&](Expr e) {
    return is_function(e, {Function::sinh, Function::cosh, Function::exp}) &&
           std::find(known.begin(), known.end(), e) == known.end();
  });
}

bool serves_as_well(std::span<const Expr> before, std::span<const Expr> after) {
  return stays_in_range(before, after) && keeps_digits(before, after);
}

// n³/3 multiplications and additions, and n² for every right-hand side.
double cost_of_elimination(const LinearBlock& block) {
  const auto size = static_cast<double>(block.matrix.rows);
  return 2 * size * size * (size / 3 + static_cast<double>(block.right.columns)) + division_cost * size;
}

class Steps {
 public:
  Steps(std::span<const Expr> variables, std::vector<SolveStep>& steps, double largest)
      : variables_(variables.begin(), variables.end()), steps_(steps), largest_(largest) {
    for (const SolveStep& step : steps)
      variables_.insert(variables_.end(), step.block.unknowns.begin(), step.block.unknowns.end());
  }

  void run(std::span<std::vector<Expr>*> outputs) {
    for (SolveStep& step : steps_) {
      LinearBlock& block = step.block;
      if (!found_.empty()) {
        block.matrix.entries = substitute(block.matrix.entries, found_);
        block.right.entries = substitute(block.right.entries, found_);
      }
      for (Expr& e : block.matrix.entries) e = cheapest(e, largest_);
      for (Expr& e : block.right.entries) e = cheapest(e, largest_);
      split(step);
    }
    steps_ = std::move(left_);
    for (std::vector<Expr>* list : outputs) {
      if (!found_.empty()) *list = substitute(*list, found_);
      for (Expr& e : *list) e = cheapest(e, largest_);
    }
  }

 private:
  // Rows and columns that share no non-zero entry are systems of their own.
  void split(const SolveStep& step) {
    const LinearBlock& block = step.block;
    const std::size_t n = block.matrix.rows;
    std::vector<std::size_t> part = all_indices(2 * n);  // rows, then columns
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (block.matrix(i, j).is_zero() || part[i] == part[n + j]) continue;
        const std::size_t from = std::max(part[i], part[n + j]), to = std::min(part[i], part[n + j]);
        std::replace(part.begin(), part.end(), from, to);
      }
    }
    for (std::size_t name = 0; name < 2 * n; ++name) {
      std::vector<std::size_t> rows, columns;
      for (std::size_t i = 0; i < n; ++i) {
        if (part[i] == name) rows.push_back(i);
        if (part[n + i] == name) columns.push_back(i);
      }
      if (rows.empty() && columns.empty()) continue;
      if (rows.size() != columns.size()) throw Error(step.if_singular, step.meaning);
      solve(step, rows, columns);
    }
  }

  void solve(const SolveStep& step, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
    const LinearBlock& whole = step.block;
    const std::size_t sides = whole.right.columns;
    SolveStep part{{{rows.size(), rows.size(), {}}, {rows.size(), sides, {}}, {}}, step.if_singular, step.meaning};
    for (const std::size_t i : rows) {
      for (const std::size_t j : columns) part.block.matrix.entries.push_back(whole.matrix(i, j));
      for (std::size_t k = 0; k < sides; ++k) part.block.right.entries.push_back(whole.right(i, k));
    }
    for (const std::size_t j : columns) {
      for (std::size_t k = 0; k < sides; ++k) part.block.unknowns.push_back(whole.unknown(j, k));
    }
    if (rows.size() == 1) {
      for (std::size_t k = 0; k < sides; ++k) divide(part, k);
    } else if (!solve_constant(part)) {
      left_.push_back(std::move(part));
    }
  }

  // x = F/M in lowest terms
  void divide(const SolveStep& step, std::size_t side) {
    const Expr M = step.block.matrix(0, 0), F = step.block.right(0, side), unknown = step.block.unknown(0, side);
    if (M.is_zero()) throw Error(step.if_singular, step.meaning);
    Expr above = F, below = M;
    const Expr plain = F / M;
    const bool small = written_size(plain) <= largest_;
    if (const auto reduced = small ? quotient(plain, Shape::factored) : std::nullopt) {
      if (!depends_on(reduced->denominator, variables_)) {
        found_.emplace_back(unknown, cheapest(plain, largest_));
        return;
      }
      if (cost(reduced->numerator, reduced->denominator) <= cost(F, M) &&
          serves_as_well(std::array{plain}, std::array{reduced->numerator / reduced->denominator})) {
        above = reduced->numerator;
        below = reduced->denominator;
      }
    }
    if (above.is_zero() || !depends_on(below, variables_)) {
      found_.emplace_back(unknown, above / below);
      return;
    }
    left_.push_back({{{1, 1, {below}}, {1, 1, {above}}, {unknown}}, step.if_singular, step.meaning});
  }

  bool solve_constant(const SolveStep& step) {
    const LinearBlock& block = step.block;
    const std::size_t n = block.matrix.rows;
    if (n > largest_constant_system) return false;
    for (const Expr e : block.matrix.entries) {
      if (depends_on(e, variables_)) return false;
    }
    for (const Expr e : block.right.entries) {
      if (written_size(e) > largest_) return false;
    }
    const auto solution = solve_linear(block.matrix, block.right);
    if (!solution) return false;
    if (solution->rank < n) throw Error(step.if_singular, step.meaning);
    std::vector<Expr> x;
    for (const Expr e : solution->particular.entries) x.push_back(cheapest(e, largest_));
    if (evaluation_cost(x) > 2 * (cost_of_elimination(block) + evaluation_cost(block.right.entries))) return false;
    for (std::size_t i = 0; i < x.size(); ++i) found_.emplace_back(block.unknowns[i], x[i]);
    return true;
  }

  static double cost(Expr a, Expr b) { return evaluation_cost(std::array{a, b}); }

  std::vector<Expr> variables_;
  std::vector<SolveStep>& steps_;
  double largest_;
  std::vector<SolveStep> left_;
  std::vector<Replacement> found_;
};

}  // namespace

double evaluation_cost(std::span<const Expr> expressions) {
  double cost = 0;
  for (const Expr e : topological(expressions)) cost += cost_of(e);
  return cost;
}

double cost_of_solving(const LinearBlock& block) {
  std::vector<Expr> entries = block.matrix.entries;
  entries.insert(entries.end(), block.right.entries.begin(), block.right.entries.end());
  return cost_of_elimination(block) + evaluation_cost(entries);
}

Expr cheapest(Expr e, double largest) {
  if (written_size(e) > largest) return e;
  Expr best = e;
  double least = evaluation_cost(std::array{e});
  if (least <= 1) return e;
  try {
    for (const Shape shape : {Shape::expanded, Shape::factored}) {
      const Expr other = normal(e, shape);
      const double cost = evaluation_cost(std::array{other});
      if (cost < least && serves_as_well(std::array{e}, std::array{other})) {
        best = other;
        least = cost;
      }
    }
  } catch (const Error&) {
    return e;  // undefined somewhere; it stays as it stands
  }
  return best;
}

Expr cheapest_polynomial(Expr e) {
  for (const Expr part : topological(std::array{e})) {
    if (part.kind() == Kind::power) return e;
    for (std::size_t i = 0; part.kind() == Kind::product && i < part.size(); ++i)
      if (part.exponent(i).sign() < 0 || !part.exponent(i).is_integer()) return e;
  }
  return cheapest(e);
}

void solve_by_algebra(std::span<const Expr> variables, std::vector<SolveStep>& steps,
                      std::span<std::vector<Expr>*> outputs, double largest) {
  Steps(variables, steps, largest).run(outputs);
}

}  // namespace cetaev
