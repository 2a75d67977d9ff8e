#include "assemble.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/expr/evaluate.hpp"

namespace cetaev {

// Of inertias, beside the numbers of J: an elimination knows pivots of 1e-12 of their rows (singular_pivot), and half of these digits are
// kept.
static constexpr double most_usual_digits = 6;

Matrix zeros(const Setting& s, std::size_t rows, std::size_t columns) {
  return {rows, columns, std::vector<Expr>(rows * columns, s.zero())};
}

Matrix transpose(const Matrix& m) {
  Matrix result{m.columns, m.rows, {}};
  for (std::size_t j = 0; j < m.columns; ++j) {
    for (std::size_t i = 0; i < m.rows; ++i) result.entries.push_back(m(i, j));
  }
  return result;
}

Matrix multiply(const Setting& s, const Matrix& a, const Matrix& b) {
  Matrix result{a.rows, b.columns, {}};
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.columns; ++j) {
      terms.clear();
      for (std::size_t k = 0; k < a.columns; ++k) {
        if (!a(i, k).is_zero() && !b(k, j).is_zero()) terms.push_back(a(i, k) * b(k, j));
      }
      result.entries.push_back(s.context().sum(terms));
    }
  }
  return result;
}

std::vector<Expr> multiply(const Setting& s, const Matrix& a, const std::vector<Expr>& x) {
  return multiply(s, a, column(x)).entries;
}

Expr dot(const Setting& s, const std::vector<Expr>& a, const std::vector<Expr>& b) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is_zero() && !b[i].is_zero()) terms.push_back(a[i] * b[i]);
  }
  return s.context().sum(terms);
}

Matrix column(const std::vector<Expr>& entries) { return {entries.size(), 1, entries}; }

Matrix columns_of(const Matrix& m, const std::vector<std::size_t>& columns) {
  Matrix result{m.rows, columns.size(), {}};
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (const std::size_t j : columns) result.entries.push_back(m(i, j));
  }
  return result;
}

std::vector<Expr> free_equations(const Setting& s) {
  if (s.inertial) return *s.inertial;
  std::vector<Expr> result = multiply(s, s.terms.mass, s.system->motion.a);
  for (std::size_t j = 0; j < s.n(); ++j) result[j] = result[j] - s.terms.bias[j];
  return result;
}

std::vector<Expr> lambda_symbols(const Setting& s) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < s.rank(); ++i)
    result.push_back(s.context().symbol("$lambda" + std::to_string(s.rows[i] + 1)));
  return result;
}

std::vector<Expr> lambda_dot_symbols(const Setting& s) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < s.rank(); ++i)
    result.push_back(s.context().symbol("$lambda" + std::to_string(s.rows[i] + 1) + "'"));
  return result;
}

namespace {

// What of expressions does not move, and is beside what moves: 2 c of 2 c x cos(y), and the largest one of the terms of a sum.
class Scale {
 public:
  explicit Scale(const System& system) : system_(system) {
    for (const auto* symbols : {&system->motion.q, &system->motion.v}) moving_.insert(symbols->begin(), symbols->end());
    moving_.insert(system->motion.t);
  }

  Expr of(Expr e) { return known(e).scale; }
  // Not a number where multipliers, unknowns of other steps or sides of jumps are in it.
  double size(Expr scale) const {
    const Expr value = with_parameter_values(system_, scale);
    return free_symbols(value).empty() ? std::fabs(evaluate(value, {})) : std::nan("");
  }

 private:
  struct Known {
    Expr scale;
    bool moves = false;
  };

  const Known& known(Expr e) {
    if (const auto found = known_.find(e); found != known_.end()) return found->second;
    Known result{e, moving_.contains(e)};
    for (const Expr part : e.operands()) result.moves = known(part).moves || result.moves;
    if (result.moves) result.scale = beside_what_moves(e);
    return known_.emplace(e, result).first->second;
  }
  Expr beside_what_moves(Expr e) {
    Context& context = e.context();
    if (e.kind() == Kind::sum) {
      Expr largest = context.number(e.constant());
      double most = size(largest);
      for (std::size_t i = 0; i < e.size(); ++i) {
        const Expr scale = context.number(e.coefficient(i)) * of(e.term(i));
        if (const double own = size(scale); own > most) largest = scale, most = own;
      }
      return largest;
    }
    Expr scale = context.one();
    if (e.kind() != Kind::product) return scale;
    for (std::size_t i = 0; i < e.size(); ++i)
      if (e.exponent(i).is_integer()) scale = scale * pow(of(e.base(i)), e.exponent(i));
    return scale;
  }

  const System& system_;
  std::set<Expr> moving_;
  std::map<Expr, Known> known_;
};

}  // namespace

std::vector<Expr> units_of_reactions(const Setting& s, const Matrix& K, const Matrix& J) {
  // Beside rows of the inertia a unit makes the numbers of a reaction as large as they are.
  struct Felt {
    Expr unit;
    double inertia = HUGE_VAL;  // along the row
  };
  std::vector<Felt> felt(J.rows);
  Felt least;
  Scale scale(s.system);
  std::vector<Expr> of_inertia(J.columns);
  for (std::size_t i = 0; i < J.columns; ++i) of_inertia[i] = scale.of(K(i, i));
  for (std::size_t row = 0; row < J.rows; ++row) {
    for (std::size_t i = 0; i < J.columns; ++i) {
      if (of_inertia[i].is_zero() || J(row, i).is_zero()) continue;
      const Expr of_row = scale.of(J(row, i));
      if (of_row.is_zero()) continue;
      const double inertia = scale.size(of_inertia[i] / (of_row * of_row));
      if (inertia > 0 && inertia < felt[row].inertia) felt[row] = {of_inertia[i] / of_row, inertia};
    }
    if (felt[row].inertia < least.inertia) least = felt[row];
  }
  std::vector<Expr> units;
  for (const Felt& own : felt) {
    const Felt& known = own.inertia < HUGE_VAL ? own : least;
    const bool usual = known.inertia == HUGE_VAL || std::fabs(std::log10(known.inertia)) <= most_usual_digits;
    units.push_back(usual ? s.context().one() : known.unit);
  }
  return units;
}

SolveStep bordered_step(const Setting& s, const Matrix& K, const std::vector<Expr>& f, const std::string& stem,
                        std::vector<Expr>& a, std::vector<Expr>& reaction) {
  const std::size_t n = s.n(), r = s.rank();
  const Matrix J = s.J();
  const std::vector<Expr> c = s.c();
  LinearBlock block{zeros(s, n + r, n + r), zeros(s, n + r, 1), s.symbols(stem, n + r)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) block.matrix(i, j) = K(i, j);
    block.right(i, 0) = f[i];
  }
  a.assign(block.unknowns.begin(), block.unknowns.begin() + static_cast<std::ptrdiff_t>(n));
  reaction.clear();
  const std::vector<Expr> units = units_of_reactions(s, K, J);
  for (std::size_t v = 0; v < r; ++v) {
    const Expr unit = units[v];
    for (std::size_t i = 0; i < n; ++i) {
      block.matrix(i, n + v) = -(unit * J(v, i));
      block.matrix(n + v, i) = J(v, i) / unit;  // of the same determinant
    }
    block.right(n + v, 0) = c[v] / unit;
    reaction.push_back(unit * block.unknowns[n + v]);
  }
  return {std::move(block), ErrorCode::singular_mass_matrix,
          "the equations of motion do not determine the accelerations at this state: their matrix is singular"};
}

SolveStep driven_step(const Setting& s, const std::vector<Expr>& g, const std::string& stem, Formulation& form) {
  const Motion& motion = s.system->motion;
  const Matrix by_a = jacobian(g, motion.a);
  form.iterated = std::ranges::any_of(by_a.entries, [&](Expr e) { return depends_on(e, motion.a); });
  // g = g₀ + g_a a, exactly or, from the a at hand, nearly
  std::vector<Expr> g0 = g;
  if (form.iterated) {
    const std::vector<Expr> along = multiply(s, by_a, motion.a);
    for (std::size_t i = 0; i < s.n(); ++i) g0[i] = g0[i] - along[i];
  } else {
    std::vector<Replacement> at_rest;
    for (const Expr a : motion.a) at_rest.emplace_back(a, s.zero());
    g0 = substitute(g, at_rest);
  }
  Matrix K = s.terms.mass;
  std::vector<Expr> f = s.terms.bias;
  for (std::size_t i = 0; i < s.n(); ++i) {
    for (std::size_t j = 0; j < s.n(); ++j) K(i, j) = K(i, j) - by_a(i, j);
    f[i] = f[i] + g0[i];
  }
  return bordered_step(s, K, f, stem, form.a, form.lambda_dot);
}

void append_driven_equations(const Setting& s, const std::vector<Expr>& g, Formulation& form) {
  const std::vector<Expr> rates = lambda_dot_symbols(s);
  const std::vector<Expr> free = free_equations(s);
  const Matrix J = s.J();
  for (std::size_t j = 0; j < s.n(); ++j) {
    std::vector<Expr> terms = {free[j], -g[j]};
    for (std::size_t v = 0; v < s.rank(); ++v) terms.push_back(-(rates[v] * J(v, j)));
    form.equations.push_back({Equation::Kind::motion, j, s.context().sum(terms)});
  }
}

std::string singular_dependent_message(const Setting& s) {
  // No advice: the equations may be asked at any state, and what would do there is not known here.
  return singular_dependent(s.system, s.dependent, {}).message();
}

std::vector<SolveStep> jet_steps(const Setting& s, const Jets& jets) {
  std::vector<SolveStep> steps;
  for (const LinearBlock& block : jets.blocks) {
    steps.push_back({block, ErrorCode::singular_dependent, singular_dependent_message(s)});
  }
  return steps;
}

std::vector<Expr> complete(const Setting& s, const Jets& jets, const std::vector<Expr>& a_independent) {
  std::vector<Expr> a(s.n());
  for (std::size_t r = 0; r < s.independent.size(); ++r) a[s.independent[r]] = a_independent[r];
  for (std::size_t v = 0; v < s.rank(); ++v) {
    std::vector<Expr> terms = {jets.drift[v]};
    for (std::size_t r = 0; r < a_independent.size(); ++r) terms.push_back(jets.gamma(v, r) * a_independent[r]);
    a[s.dependent[v]] = s.context().sum(terms);
  }
  return a;
}

SolveStep linear_step(const Setting& s, const std::vector<Expr>& equations, const std::vector<Expr>& unknowns,
                      const std::string& stem) {
  std::vector<Replacement> zero;
  for (const Expr a : unknowns) zero.emplace_back(a, s.zero());
  LinearBlock block;
  block.matrix = jacobian(equations, unknowns);
  block.right = column(substitute(equations, zero));
  for (Expr& e : block.right.entries) e = -e;
  block.unknowns = s.symbols(stem, unknowns.size());
  return {std::move(block), ErrorCode::singular_mass_matrix,
          "the equations of motion do not determine the accelerations at this state: their matrix is singular"};
}

void append_constraints(const Setting& s, Formulation& form) {
  for (const std::size_t i : s.rows) {
    form.equations.push_back({Equation::Kind::constraint, i, s.terms.constraints.phi[i]});
  }
}

}  // namespace cetaev
