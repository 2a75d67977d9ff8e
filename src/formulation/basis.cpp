#include "basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <tuple>

#include "assemble.hpp"
#include "cetaev/detail/algebra/digits.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "cetaev/detail/expr/sign.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

namespace {

// Nodes of the tree up to which a coefficient is brought to a normal form before it divides.
constexpr double longest_normalised = 400;

// Unless it is too long, and where the normal form is longer only if it is as good in doubles: cos 1.08 t and cos 0.81 t are polynomials in cos 0.01 t of degrees
// 108 and 81, of which nothing is left but rounding.
Expr normal_to_divide_by(Expr e) {
  const double size = written_size(e);
  if (size >= longest_normalised) return e;
  const Expr made = normal(e);
  if (made.is_zero() || written_size(made) <= size || keeps_digits(std::array{e}, std::array{made})) return made;
  return e;
}
// Sines and cosines of numbers of about one are zero where they are no larger: some hundred units of the last place.
constexpr double zero_of_rounding = 1e-13;

// Reduces the admissible directions by one constraint at a time.
class Reduction {
 public:
  Reduction(const Setting& s, Matrix rows, std::vector<Expr> phi_at_rest, Validity validity)
      : s_(s), J_(std::move(rows)), phi_at_rest_(std::move(phi_at_rest)), validity_(validity) {
    const Motion& motion = s.system->motion;
    variable_ = motion.q;
    variable_.push_back(motion.t);
    const std::vector<double> values = parameter_values(s.system);
    for (std::size_t i = 0; i < values.size(); ++i) parameters_.emplace_back(s.system->parameters[i].symbol, values[i]);
    basis_.N = zeros(s, s.n(), s.n());
    for (std::size_t i = 0; i < s.n(); ++i) basis_.N(i, i) = s.context().one();
    basis_.drift.assign(s.n(), s.zero());
  }

  std::optional<Basis> run() {
    std::vector<std::size_t> open(J_.rows);
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
    while (!open.empty()) {
      auto done = std::find_if(open.begin(), open.end(), [&](std::size_t i) { return reduce(i); });
      if (done == open.end() && validity_ == Validity::locally) {
        if (const auto pivot = local_pivot(open)) {
          use_pivot(pivot->row.rho, pivot->row.rest, pivot->column, pivot->row.rho[pivot->column]);
          done = pivot->place;
        }
      }
      if (done == open.end() && validity_ == Validity::where_of_rank && use_minors(open)) break;
      if (done == open.end()) return std::nullopt;
      open.erase(done);
    }
    return std::move(basis_);
  }

 private:
  // A non-zero expression without coordinates and time in it, after the algebra of its kernels; else nothing.
  std::optional<Expr> constant(Expr e) const {
    if (e.is_zero()) return std::nullopt;
    if (!depends_on(e, variable_)) return e;
    if (visibly_varies(e)) return std::nullopt;
    const Expr simple = normal(e);
    if (simple.is_zero() || depends_on(simple, variable_)) return std::nullopt;
    return simple;
  }

  // At the values of the parameters; nothing where it varies or is no number.
  double size_of_constant(Expr e) const {
    if (depends_on(e, variable_)) return 0;
    const double value = std::fabs(evaluate(e, parameters_));
    return std::isfinite(value) ? value : 0;
  }

  // Different values at two places settle most cases, before the algebra of large expressions has to.
  bool visibly_varies(Expr e) const {
    double first = 0;
    for (int place = 0; place < 2; ++place) {
      std::vector<Value> values = parameters_;
      for (std::size_t i = 0; i < variable_.size(); ++i) {
        values.emplace_back(variable_[i], (place == 0 ? 0.71 : -0.43) + 0.17 * static_cast<double>(i));
      }
      const double value = evaluate(e, values);
      if (!std::isfinite(value)) return false;
      if (place == 1) return std::fabs(value - first) > 1e-8 * (std::fabs(value) + std::fabs(first));
      first = value;
    }
    return false;
  }

  // A constraint in the directions left: Σ ρ_c u_c = rest.
  struct Row {
    std::vector<Expr> rho;
    Expr rest;
  };

  Row in_directions_left(std::size_t row) const {
    const std::size_t m = basis_.N.columns;
    std::vector<Expr> rho;
    for (std::size_t c = 0; c < m; ++c) {
      std::vector<Expr> terms;
      for (std::size_t j = 0; j < s_.n(); ++j) {
        if (!J_(row, j).is_zero() && !basis_.N(j, c).is_zero()) terms.push_back(J_(row, j) * basis_.N(j, c));
      }
      rho.push_back(s_.context().sum(terms));
    }
    std::vector<Expr> terms = {phi_at_rest_[row]};
    for (std::size_t j = 0; j < s_.n(); ++j) terms.push_back(J_(row, j) * basis_.drift[j]);
    return {std::move(rho), -s_.context().sum(terms)};
  }

  struct LocalPivot {
    Row row;
    std::size_t column;
    std::vector<std::size_t>::iterator place;
  };

  // The shortest coefficient; last those that vanish at the initial positions, before them those that vanish where all coordinates
  // are zero, which is straight ahead for most models: θ' = u tan(δ)/l rather than u = l θ'/tan(δ).
  std::optional<LocalPivot> local_pivot(std::vector<std::size_t>& open) const {
    std::optional<LocalPivot> best;
    std::tuple<bool, bool, double> least;
    for (auto place = open.begin(); place != open.end(); ++place) {
      Row row = in_directions_left(*place);
      for (std::size_t c = 0; c < row.rho.size(); ++c) {
        Expr& pivot = row.rho[c];
        if (pivot.is_zero()) continue;
        pivot = normal_to_divide_by(pivot);
        if (pivot.is_zero()) continue;
        const std::tuple rank(vanishes_at(pivot, true), vanishes_at(pivot, false), written_size(pivot));
        if (best && rank >= least) continue;
        best = LocalPivot{row, c, place};
        least = rank;
      }
    }
    return best;
  }

  bool vanishes_at(Expr e, bool initial_positions) const {
    const SystemData& system = *s_.system;
    std::vector<Value> values = parameters_;
    for (std::size_t i = 0; i < s_.n(); ++i) {
      const auto& given = system.initial.q[i];
      values.emplace_back(system.motion.q[i], initial_positions && given ? evaluate(*given, parameters_) : 0);
    }
    values.emplace_back(system.motion.t, system.initial.t ? evaluate(*system.initial.t, parameters_) : 0);
    const double value = evaluate(e, values);
    return !std::isfinite(value) || std::fabs(value) < zero_of_rounding;
  }

  bool reduce(std::size_t index) {
    const auto [rho, rest] = in_directions_left(index);
    const std::size_t m = rho.size();

    // simple entries first: they are cheap to look at and give short equations
    std::vector<std::size_t> candidates;
    for (std::size_t c = 0; c < m; ++c) {
      if (!rho[c].is_zero()) candidates.push_back(c);
    }
    // a function of parameters, such as sin(slope), may be zero at their values
    double largest = 0;
    for (const std::size_t c : candidates) largest = std::max(largest, size_of_constant(rho[c]));
    const auto divides = [&](Expr pivot) { return size_of_constant(pivot) > too_small_beside * largest; };
    for (const std::size_t c : candidates) {
      if (!depends_on(rho[c], variable_) && divides(rho[c])) return use_pivot(rho, rest, c, rho[c]);
    }
    for (const std::size_t c : candidates) {
      if (const auto pivot = constant(rho[c]); pivot && divides(*pivot)) return use_pivot(rho, rest, c, *pivot);
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      for (std::size_t j = i + 1; j < candidates.size(); ++j) {
        const Expr a = rho[candidates[i]], b = rho[candidates[j]];
        if (const auto square = constant(pow(a, Rational(2)) + pow(b, Rational(2)));
            square && size_of_constant(*square) > 0) {
          return use_pair(rho, rest, candidates[i], candidates[j], *square);
        }
      }
    }
    return false;
  }

  bool use_pivot(const std::vector<Expr>& rho, Expr rest, std::size_t p, Expr pivot) {
    // u_p = (rest − Σ_{c≠p} ρ_c u_c)/ρ_p
    Matrix next{s_.n(), basis_.N.columns - 1, {}};
    for (std::size_t j = 0; j < s_.n(); ++j) {
      for (std::size_t c = 0; c < basis_.N.columns; ++c) {
        if (c != p) next.entries.push_back(basis_.N(j, c) - basis_.N(j, p) * rho[c] / pivot);
      }
      basis_.drift[j] = basis_.drift[j] + basis_.N(j, p) * rest / pivot;
    }
    basis_.N = std::move(next);
    return true;
  }

  // Of one constraint on two velocities ρ₂ e₁ − ρ₁ e₂, of two on three their cross product.
  bool use_minors(const std::vector<std::size_t>& open) {
    constexpr std::size_t most = 2;
    const std::size_t r = open.size(), m = basis_.N.columns;
    if (r > most) return false;
    std::vector<Row> rows;
    std::vector<std::size_t> columns;
    for (const std::size_t i : open) {
      rows.push_back(in_directions_left(i));
      if (!normal(rows.back().rest).is_zero()) return false;
      for (Expr& e : rows.back().rho) e = normal_to_divide_by(e);
    }
    for (std::size_t c = 0; c < m; ++c)
      if (std::ranges::any_of(rows, [&](const Row& row) { return !row.rho[c].is_zero(); })) columns.push_back(c);
    if (columns.size() != r + 1) return false;
    const auto minor = [&](std::size_t without) {
      const std::size_t i = columns[(without + 1) % (r + 1)], j = columns[(without + r) % (r + 1)];
      if (r == 1) return without == 0 ? rows[0].rho[i] : -rows[0].rho[i];
      return rows[0].rho[i] * rows[1].rho[j] - rows[0].rho[j] * rows[1].rho[i];
    };
    Matrix next{s_.n(), m - r, {}};
    for (std::size_t j = 0; j < s_.n(); ++j) {
      for (std::size_t c = 0; c < m; ++c) {
        const bool is_one = std::ranges::find(columns, c) != columns.end();
        if (!is_one) next.entries.push_back(basis_.N(j, c));
        if (c != columns.front()) continue;
        std::vector<Expr> terms;
        for (std::size_t k = 0; k <= r; ++k) terms.push_back(minor(k) * basis_.N(j, columns[k]));
        const Expr along = s_.context().sum(terms);
        next.entries.push_back(normal_to_divide_by(along));
      }
    }
    basis_.N = std::move(next);
    return true;
  }

  bool use_pair(const std::vector<Expr>& rho, Expr rest, std::size_t p, std::size_t q, Expr square) {
    // directions e_c − ρ_c (ρ_p e_p + ρ_q e_q)/square for the others, and along the pair ρ_q e_p − ρ_p e_q (with the
    // sign that makes it (cos φ, sin φ) for a blade written as x' sin φ − y' cos φ)
    const bool flip = !rho[p].is_zero() && has_leading_minus(rho[q]);
    Matrix next{s_.n(), basis_.N.columns - 1, {}};
    for (std::size_t j = 0; j < s_.n(); ++j) {
      const Expr normal_direction = rho[p] * basis_.N(j, p) + rho[q] * basis_.N(j, q);
      const Expr along =
          flip ? rho[p] * basis_.N(j, q) - rho[q] * basis_.N(j, p) : rho[q] * basis_.N(j, p) - rho[p] * basis_.N(j, q);
      for (std::size_t c = 0; c < basis_.N.columns; ++c) {
        if (c == p) next.entries.push_back(along);
        if (c != p && c != q) next.entries.push_back(basis_.N(j, c) - rho[c] * normal_direction / square);
      }
      basis_.drift[j] = basis_.drift[j] + rest * normal_direction / square;
    }
    basis_.N = std::move(next);
    return true;
  }

  const Setting& s_;
  Matrix J_;
  std::vector<Expr> phi_at_rest_;
  std::vector<Expr> variable_;
  std::vector<Value> parameters_;
  Validity validity_;
  Basis basis_;
};

}  // namespace

namespace {

// A motion may ask for the same basis whenever it changes its equations.
std::optional<Basis> known_basis(const Setting& s, std::optional<std::vector<Expr>> u,
                                 const std::function<std::optional<Basis>()>& find) {
  std::vector<KnownBases::Entry>& known = s.terms.bases.entries;
  const auto is_it = [&](const KnownBases::Entry& e) {
    return &*e.system == &*s.system && e.rows == s.rows && e.u == u;
  };
  if (const auto found = std::ranges::find_if(known, is_it); found != known.end()) return found->basis;
  std::optional<Basis> basis = find();
  known.push_back({s.system, s.rows, std::move(u), basis});
  return basis;
}

}  // namespace

std::optional<Basis> regular_basis(const Setting& s, const Matrix& rows, const std::vector<Expr>& at_rest,
                                   Validity validity) {
  return Reduction(s, rows, at_rest, validity).run();
}

std::optional<Basis> regular_basis(const Setting& s, Validity validity) {
  const auto find = [&] { return regular_basis(s, s.J(), at_rest(s, s.phi()), validity); };
  return validity == Validity::everywhere ? known_basis(s, std::nullopt, find) : find();
}

namespace {

double length_of(std::span<const Expr> list) {
  double sum = 0;
  for (const Expr e : list) sum += length_on_paper(e);
  return sum;
}

// What divides the entries, with the greatest power of each.
Expr denominator_of(std::span<const Expr> entries, Context& context) {
  std::map<Expr, Rational> powers;
  for (const Expr e : entries) {
    const Expr product = e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero() ? e.term(0) : e;
    for (std::size_t k = 0; product.kind() == Kind::product && k < product.size(); ++k) {
      if (product.exponent(k).sign() >= 0) continue;
      Rational& power = powers[product.base(k)];
      power = std::max(power, -product.exponent(k));
    }
  }
  std::vector<Context::Term> factors;
  for (const auto& [base, power] : powers) factors.push_back({base, power});
  return context.power_product(1, factors);
}

}  // namespace

void shorten(Basis& basis, Validity validity) {
  Simplifier simplifier;
  const auto simplify = [&](Expr& e) {
    if (written_size(e) < longest_normalised) e = simplifier.simplify(e);
  };
  std::ranges::for_each(basis.N.entries, simplify);
  std::ranges::for_each(basis.drift, simplify);
  for (std::size_t j = 0; validity == Validity::locally && j < basis.N.columns; ++j) {
    std::vector<Expr> column;
    for (std::size_t i = 0; i < basis.N.rows; ++i) column.push_back(basis.N(i, j));
    const Expr denominator = denominator_of(column, column[0].context());
    const bool velocity = std::ranges::any_of(column, [](Expr e) { return e.is_one(); });  // u is one, and stays it
    if (denominator.is_one() || velocity) continue;
    std::vector<Expr> cleared;
    for (const Expr e : column) {
      cleared.push_back(e * denominator);
      simplify(cleared.back());
    }
    if (length_of(cleared) >= length_of(column)) continue;
    for (std::size_t i = 0; i < basis.N.rows; ++i) basis.N(i, j) = cleared[i];
  }
}

namespace {

// Does the basis satisfy its equations in doubles at most places, to half of the digits? Exact algebra writes cos 1.08 t as a polynomial of degree 108 in
// cos 0.01 t, of which nothing is left but rounding.
bool holds_in_doubles(const Setting& s, const Basis& basis, const Matrix& rows, const std::vector<Expr>& at_rest) {
  constexpr int places = 5;
  std::vector<Expr> all = basis.N.entries;
  for (const auto* more : {&basis.drift, &rows.entries, &at_rest}) all.insert(all.end(), more->begin(), more->end());
  const Program program(all, state_symbols(s.system));
  Interpreter run(program);
  const std::vector<double> parameters = parameter_values(s.system);
  std::vector<double> values(all.size());
  Random random(29);
  const std::size_t n = s.n(), m = basis.N.columns;
  int good = 0, looked = 0;
  for (int place = 0; place < places; ++place) {
    State at;
    at.t = random.uniform(-1.5, 1.5);
    for (std::size_t i = 0; i < n; ++i) at.q.push_back(random.uniform(-1.5, 1.5));
    at.v.assign(n, 0.0);
    if (run(state_values(at, parameters), values) >= 0 || !all_finite(values)) continue;
    ++looked;
    const double *N = values.data(), *drift = N + n * m, *J = drift + n, *rest = J + rows.rows * n;
    bool holds = true;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      // rows·N = (1, 0) and rows·drift + at_rest = 0
      for (std::size_t c = 0; c <= m; ++c) {
        double sum = c < m ? (i == c && i < m ? -1.0 : 0.0) : rest[i], size = std::fabs(sum);
        for (std::size_t j = 0; j < n; ++j) {
          const double term = J[i * n + j] * (c < m ? N[j * m + c] : drift[j]);
          sum += term;
          size += std::fabs(term);
        }
        holds = holds && std::fabs(sum) <= too_small_beside * size;
      }
    }
    good += holds ? 1 : 0;
  }
  return 2 * good >= looked;
}

}  // namespace

std::vector<Expr> at_rest(const Setting& s, const std::vector<Expr>& functions) {
  std::vector<Replacement> rest;
  for (const Expr v : s.system->motion.v) rest.emplace_back(v, s.zero());
  return substitute(functions, rest);
}

std::optional<Basis> basis_of(const Setting& s, const std::vector<Expr>& u) {
  if (s.n() > largest_solved) return std::nullopt;
  return known_basis(s, u, [&] {
    std::vector<Expr> functions = u;
    const std::vector<Expr> phi = s.phi();
    functions.insert(functions.end(), phi.begin(), phi.end());
    return basis_of(s, jacobian(functions, s.system->motion.v), at_rest(s, functions), u.size());
  });
}

std::optional<Basis> basis_of(const Setting& s, const Matrix& rows, const std::vector<Expr>& at_rest, std::size_t m) {
  const std::size_t n = s.n();
  Matrix right = zeros(s, n, m + 1);
  for (std::size_t i = 0; i < n; ++i) {
    if (i < m) right(i, i) = s.context().one();
    right(i, m) = -at_rest[i];
  }
  const auto solution = solve_linear(rows, right);
  if (!solution || solution->rank < n || !solution->consistent()) return std::nullopt;
  Basis basis{zeros(s, n, m), {}};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) basis.N(i, j) = solution->particular(i, j);
    basis.drift.push_back(solution->particular(i, m));
  }
  if (!holds_in_doubles(s, basis, rows, at_rest)) return std::nullopt;
  return basis;
}

bool is_regular_everywhere(const Setting& s, const Basis& basis) {
  std::vector<Expr> variables = s.system->motion.q;
  variables.push_back(s.system->motion.t);
  std::vector<Expr> entries = basis.N.entries;
  entries.insert(entries.end(), basis.drift.begin(), basis.drift.end());
  return std::all_of(entries.begin(), entries.end(), [&](Expr e) {
    const auto reduced = quotient(e);
    return reduced && !depends_on(reduced->denominator, variables);
  });
}

}  // namespace cetaev
