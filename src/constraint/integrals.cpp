#include "integrals.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "antiderivative.hpp"
#include "cells.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/error.hpp"
#include "simplest.hpp"

namespace cetaev {

namespace {

constexpr std::size_t most_candidates = 220;
constexpr std::size_t spare_states = 12;
// Nodes of coefficients to integrate, in all and in one form beside an integrating factor: beyond that a reader waits.
constexpr double most_effort = 6000;
constexpr double largest_form = 300;
// What the sampled matrix says is only a guess; the proof comes after it.
constexpr double negligible = 1e-8;
constexpr double round_number = 1e-7;
constexpr long largest_denominator = 5000;

// A form Σ aⱼ dqⱼ + b dt that vanishes along admissible motions.
struct Form {
  std::vector<Expr> a;
  Expr b;
  std::vector<Expr> written = {};  // a as it stands in the constraint, where that may differ
};

std::optional<Rational> simple_fraction(double x) {
  // continued fraction
  double rest = std::fabs(x);
  long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  for (int i = 0; i < 20 && rest < 1e9; ++i) {
    const long digit = static_cast<long>(std::floor(rest));
    const long p = digit * p1 + p0, q = digit * q1 + q0;
    if (q > largest_denominator || p > 100000000) return std::nullopt;
    p0 = std::exchange(p1, p);
    q0 = std::exchange(q1, q);
    const double error = std::fabs(std::fabs(x) - static_cast<double>(p) / static_cast<double>(q));
    if (error <= round_number * std::max(1.0 / static_cast<double>(q), std::fabs(x)) / static_cast<double>(q)) {
      return x < 0 ? Rational(-p, q) : Rational(p, q);
    }
    rest = 1 / (rest - static_cast<double>(digit));
  }
  return std::nullopt;
}

class Search {
 public:
  Search(OnSet& set, std::span<const Expr> phi, std::size_t wanted)
      : set_(set),
        phi_(phi),
        system_(set.system()),
        context_(*system_->context),
        constraints_(set.admissible().constraints()),
        wanted_(wanted),
        positions_(system_->motion.q),
        parameters_(parameter_values(system_)) {
    positions_.push_back(system_->motion.t);
  }

  std::vector<FoundIntegral> run() {
    for (const std::size_t i : constraints_.position_rows) {
      if (full()) return found_;
      accept(constraints_.residual[i], i);
    }
    const std::vector<Form> rows = forms();
    // Simple things first; what each stage offers is combined by itself, then with all that came before.
    std::vector<Expr> all;
    const auto stage = [&](auto add) {
      if (full() || effort_ > most_effort) return;
      candidates_.clear();
      add();
      combine();
      for (const Expr f : candidates_) {
        if (std::find(all.begin(), all.end(), f) == all.end()) all.push_back(f);
      }
    };
    const auto together = [&] {
      if (full() || all.size() > most_candidates) return;
      candidates_ = all;
      combine();
    };
    for (const Form& form : rows) stage([&] { add_forms(std::span(&form, 1), context_.one()); });
    together();
    stage([&] { add_monomials(1); });
    together();
    const std::vector<Form> solved = full() ? std::vector<Form>{} : solved_forms(rows);
    stage([&] { add_forms(solved, context_.one()); });
    for (const std::vector<Form>& some : {rows, solved}) {
      for (const Form& form : some) {
        for (const Expr factor : own_factors(form)) stage([&] { add_forms(std::span(&form, 1), factor); });
      }
    }
    stage([&] { add_monomials(2); });
    stage([&] { add_angles(); });
    together();
    for (const std::vector<Form>& some : {rows, solved}) {
      for (const Expr factor : factors(some)) stage([&] { add_forms(some, factor); });
    }
    together();
    return found_;
  }

 private:
  bool full() const { return found_.size() >= wanted_; }

  // ---- forms ----

  std::vector<Form> forms() const {
    std::vector<Form> result;
    std::vector<Replacement> rest;
    for (const Expr v : system_->motion.v) rest.emplace_back(v, context_.zero());
    for (const std::size_t i : constraints_.velocity_rows) {
      Form form;
      bool linear = true;
      for (const Expr a : gradient(phi_[i], system_->motion.v)) {
        form.written.push_back(a);
        form.a.push_back(normal(a));
        linear = linear && !depends_on(form.a.back(), system_->motion.v);
      }
      if (!linear) continue;
      try {
        form.b = substitute(phi_[i], rest);
      } catch (const Error&) {
        continue;
      }
      result.push_back(std::move(form));
    }
    return result;
  }

  static double size(const Form& form) {
    double total = written_size(form.b);
    for (const Expr a : form.a) total += written_size(a);
    return total;
  }

  // dq_dep − γ dq_ind − α₀ dt
  std::vector<Form> solved_forms(const std::vector<Form>& rows) const {
    if (rows.size() < 2 || rows.size() > 6) return {};
    for (const Form& form : rows) {
      if (size(form) > largest_form) return {};
    }
    Matrix a{rows.size(), system_->size(), {}};
    std::vector<Expr> b;
    for (const Form& form : rows) {
      a.entries.insert(a.entries.end(), form.a.begin(), form.a.end());
      b.push_back(-form.b);
    }
    std::optional<LinearSolution> solution;
    try {
      solution = solve_linear(a, b);
    } catch (const Error&) {
    }
    std::vector<Form> result;
    if (!solution || !solution->consistent()) return result;
    for (const std::size_t d : solution->pivot_columns) {
      Form form{std::vector<Expr>(system_->size(), context_.zero()), -solution->particular(d, 0)};
      form.a[d] = context_.one();
      for (std::size_t f = 0; f < solution->free_columns.size(); ++f) {
        form.a[solution->free_columns[f]] = -solution->kernel(d, f);
      }
      result.push_back(std::move(form));
    }
    return result;
  }

  // Integrating factors in the coordinates that the forms contain.
  std::vector<Expr> factors(const std::vector<Form>& rows) const {
    std::vector<Expr> all;
    for (const Form& form : rows) {
      all.insert(all.end(), form.a.begin(), form.a.end());
      all.push_back(form.b);
    }
    std::vector<Expr> present;
    for (const Expr x : positions_) {
      if (std::any_of(all.begin(), all.end(), [&](Expr e) { return depends_on(e, std::span(&x, 1)); })) {
        present.push_back(x);
      }
    }
    if (present.size() > 6) present.resize(6);
    std::vector<Expr> result;
    for (const Expr x : present) {
      for (const long p : {-1L, -2L, 1L}) result.push_back(pow(x, Rational(p)));
    }
    for (std::size_t i = 0; i < present.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        result.push_back(pow(present[i] * present[j], Rational(-1)));
        result.push_back(pow(pow(present[i], Rational(2)) + pow(present[j], Rational(2)), Rational(-1)));
      }
    }
    return result;
  }

  // Integrating factors that the form itself suggests.
  std::vector<Expr> own_factors(const Form& form) const {
    if (size(form) > largest_form) return {};
    std::vector<Expr> coefficients = form.a;
    coefficients.push_back(form.b);
    std::vector<Expr> result;
    try {
      result.push_back(separating_factor(coefficients));
      // μ(x) with (ln μ)' = (∂aᵢ/∂xⱼ − ∂aⱼ/∂xᵢ)/aⱼ, when that is a function of xᵢ alone
      for (std::size_t i = 0; i < positions_.size(); ++i) {
        for (std::size_t j = 0; j < positions_.size() && result.size() < 8; ++j) {
          if (i == j || coefficients[j].is_zero()) continue;
          const Expr twist = derivative(coefficients[i], positions_[j]) - derivative(coefficients[j], positions_[i]);
          const Expr rate = normal(twist / coefficients[j]);
          std::vector<Expr> others = positions_;
          others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
          if (rate.is_zero() || depends_on(rate, others)) continue;
          const std::optional<Expr> exponent = antiderivative(rate, positions_[i]);
          if (!exponent) continue;
          const Expr factor = exponential_of(*exponent);
          if (std::find(result.begin(), result.end(), factor) == result.end()) result.push_back(factor);
        }
      }
    } catch (const Error&) {
    }
    return result;
  }

  // Divides out of each coefficient what contains other variables than its own: a₁(x)a₂(y) dx + b₁(x)b₂(y) dy becomes
  // (a₁/b₁) dx + (b₂/a₂) dy.
  Expr separating_factor(const std::vector<Expr>& coefficients) const {
    std::vector<Context::Term> divisors;
    const auto visit = [&](Expr base, const Rational& exponent, std::size_t j) {
      std::vector<Expr> others = positions_;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
      if (!depends_on(base, others)) return;
      for (Context::Term& known : divisors) {
        if (known.expr != base) continue;
        if (exponent.abs() > known.factor.abs()) known.factor = exponent;
        return;
      }
      divisors.push_back({base, exponent});
    };
    for (std::size_t j = 0; j < coefficients.size(); ++j) {
      if (coefficients[j].is_zero()) continue;
      Expr factored = normal(coefficients[j], Shape::factored);
      while (factored.kind() == Kind::sum && factored.size() == 1 && factored.constant().is_zero()) {
        factored = factored.term(0);
      }
      if (factored.kind() != Kind::product) {
        visit(factored, Rational(1), j);
        continue;
      }
      for (std::size_t i = 0; i < factored.size(); ++i) visit(factored.base(i), factored.exponent(i), j);
    }
    for (Context::Term& divisor : divisors) divisor.factor = -divisor.factor;
    return context_.power_product(Rational(1), divisors);
  }

  // ---- candidates ----

  void add_candidate(Expr f) {
    while (f.kind() == Kind::sum && f.size() == 1) f = f.term(0);
    if (!depends_on(f, positions_) || candidates_.size() >= most_candidates) return;
    if (std::find(candidates_.begin(), candidates_.end(), f) == candidates_.end()) candidates_.push_back(f);
  }

  void add_terms(Expr coefficient, Expr x) {
    if (coefficient.is_zero() || effort_ > most_effort) return;
    effort_ += written_size(coefficient);
    if (const std::optional<Quotient> fraction = quotient(coefficient)) {
      add_summands(fraction->numerator, fraction->denominator, x);
    } else {
      add_summands(coefficient, context_.one(), x);
    }
  }

  void add_summands(Expr above, Expr below, Expr x) {
    const auto add = [&](Expr term) {
      if (const std::optional<Expr> f = antiderivative(term / below, x)) add_candidate(*f);
    };
    if (above.kind() != Kind::sum) return add(above);
    if (!above.constant().is_zero()) add(context_.number(above.constant()));
    for (std::size_t i = 0; i < above.size(); ++i) add(above.term(i));
  }

  void add_forms(std::span<const Form> rows, Expr factor) {
    for (const Form& form : rows) {
      if (!factor.is_one() && size(form) > largest_form) continue;
      try {
        // terms that a common denominator would melt together
        for (std::size_t j = 0; factor.is_one() && j < form.written.size(); ++j) {
          const Expr a = form.written[j];
          if (a.kind() == Kind::sum && a != form.a[j]) add_summands(a, context_.one(), positions_[j]);
        }
        for (std::size_t j = 0; j < form.a.size(); ++j) add_terms(factor * form.a[j], positions_[j]);
        add_terms(factor * form.b, system_->motion.t);
      } catch (const Error&) {
        continue;
      }
    }
  }

  void add_monomials(int degree) {
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (degree == 1) add_candidate(positions_[i]);
      for (std::size_t j = 0; degree == 2 && j <= i; ++j) add_candidate(positions_[i] * positions_[j]);
    }
  }

  // Of rotations, which combine rows with coefficients of their own.
  void add_angles() {
    const std::size_t n = std::min<std::size_t>(system_->size(), 6);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) add_candidate(apply(Function::atan, positions_[i] / positions_[j]));
    }
  }

  // ---- linear algebra on samples ----

  const State* sample(std::size_t i) {
    while (samples_.size() <= i && next_seed_ < 4 * most_candidates) {
      if (std::optional<State> state = set_.admissible().random(next_seed_++)) samples_.push_back(std::move(*state));
    }
    return i < samples_.size() ? &samples_[i] : nullptr;
  }

  // Rows of ∂f/∂(q,t) at a state.
  DenseMatrix gradients(Interpreter& interpreter, const State& state, std::size_t count) const {
    std::vector<double> out(count * positions_.size());
    interpreter(state_values(state, parameters_), out);
    return DenseMatrix::from_rows(out.data(), count, positions_.size());
  }

  Program gradient_program(std::span<const Expr> functions) const {
    return Program(jacobian(functions, positions_).entries, state_symbols(system_));
  }

  // Columns Dₜf of the candidates at many states; every column that depends on those before it is a guess.
  void combine() {
    const auto count = candidates_.size();
    const Program program = gradient_program(candidates_);
    Interpreter interpreter(program);
    DenseMatrix rates(count + spare_states, count), sizes(count + spare_states, count);
    std::size_t filled = 0;
    for (std::size_t i = 0; filled < rates.rows(); ++i) {
      const State* state = sample(i);
      if (state == nullptr) break;
      DenseMatrix g = gradients(interpreter, *state, count);
      std::vector<double> direction = state->v;
      direction.push_back(1);
      const std::vector<double> rate = g * direction;
      if (!all_finite(rate)) continue;
      for (double& x : g.entries()) x = std::fabs(x);
      for (double& x : direction) x = std::fabs(x);
      rates.set_row(filled, rate);
      sizes.set_row(filled, g * direction);
      ++filled;
    }
    if (filled < spare_states) return;
    rates = rates.top_rows(filled);
    sizes = sizes.top_rows(filled);
    // states of equal weight
    for (std::size_t i = 0; i < filled; ++i) {
      const double weight = row_length(sizes, i);
      if (weight > 0) rates.scale_row(i, 1 / weight), sizes.scale_row(i, 1 / weight);
    }
    std::vector<std::size_t> basis;
    DenseMatrix orthogonal(filled, count);
    for (std::size_t j = 0; j < count && !full(); ++j) {
      const double scale = length(sizes.column(j));
      std::vector<double> column(rates.column(j).begin(), rates.column(j).end());
      const std::size_t width = basis.size();
      const DenseView known = orthogonal.middle_columns(0, width);
      for (int twice = 0; twice < 2; ++twice) {
        std::vector<double> along = transposed_times(known, column);
        for (double& x : along) x = -x;
        add_product(known, along, column);
      }
      const double left = length(column);
      if (left > negligible * scale) {
        if (width >= filled - spare_states / 2) return;
        for (std::size_t i = 0; i < filled; ++i) orthogonal(i, width) = column[i] / left;
        basis.push_back(j);
        continue;
      }
      guess(rates, basis, j);
    }
  }

  // candidate(j) = Σ cᵢ candidate(i) but for a function that is constant along every motion
  void guess(const DenseMatrix& rates, const std::vector<std::size_t>& basis, std::size_t j) {
    std::vector<Context::Term> terms = {{candidates_[j], Rational(1)}};
    if (!basis.empty()) {
      PivotedQr qr;
      qr.compute(rates.select_columns(basis));
      std::vector<double> right(rates.column(j).begin(), rates.column(j).end()), c(basis.size());
      qr.solve(right, c);
      for (std::size_t i = 0; i < basis.size(); ++i) {
        if (std::fabs(c[i]) < round_number) continue;
        const std::optional<Rational> coefficient = simple_fraction(c[i]);
        if (!coefficient) return;
        terms.push_back({candidates_[basis[i]], -*coefficient});
      }
    }
    accept(context_.linear_combination(Rational(0), terms), std::nullopt);
  }

  // ---- acceptance ----

  // Are the gradients linearly independent somewhere? In balls: a gradient that vanishes, as that of atan(x/y) + atan(y/x), leaves
  // nothing but rounding in doubles, which is as good a direction as any.
  bool independent(Expr f) {
    std::vector<Expr> functions;
    for (const FoundIntegral& known : found_) functions.push_back(known.expression);
    functions.push_back(f);
    const std::vector<Expr> entries = jacobian(functions, positions_).entries;
    std::size_t tried = 0;
    for (const PreciseState& state : set_.states()) {
      if (tried == 3) break;
      const std::vector<Ball> values = evaluate_balls(entries, state.values, OnSet::bits);
      if (!std::all_of(values.begin(), values.end(), [](const Ball& b) { return b.is_finite(); })) continue;
      ++tried;
      DenseMatrix g(functions.size(), positions_.size());
      bool vanishes = false;
      for (std::size_t r = 0; r < g.rows(); ++r) {
        for (std::size_t c = 0; c < g.columns(); ++c) {
          const Ball& entry = values[r * g.columns() + c];
          g(r, c) = entry.magnitude_log10() < -OnSet::wanted_digits ? 0 : entry.midpoint();
        }
        const double size = row_length(g, r);
        vanishes = vanishes || !(size > 0);
        if (size > 0) g.scale_row(r, 1 / size);
      }
      if (vanishes) continue;
      PivotedQr decomposition(sampled_rank_tolerance);
      decomposition.compute(g);
      if (decomposition.rank() == g.rows()) return true;
    }
    return false;
  }

  void accept(Expr f, std::optional<std::size_t> row) {
    try {
      if (!row) f = simplest_function_of(f);
      if (!depends_on(f, positions_) || !independent(f)) return;
      // Dₜf of an order-0 constraint is the constraint itself
      const Finding finding = row ? Finding::proof() : set_.vanishes(derivative_at_fixed_velocity(system_->motion)(f));
      if (finding.holds()) found_.push_back({f, finding, row, row ? std::vector<Expr>{} : jumps_of(f, positions_)});
    } catch (const Error&) {
    }
  }

  OnSet& set_;
  std::span<const Expr> phi_;
  System system_;
  Context& context_;
  const ConstraintSet& constraints_;
  std::size_t wanted_;
  std::vector<Expr> positions_;  // q, t
  std::vector<double> parameters_;
  std::vector<Expr> candidates_;
  double effort_ = 0;
  std::vector<State> samples_;
  std::uint64_t next_seed_ = 1;
  std::vector<FoundIntegral> found_;
};

}  // namespace

std::vector<FoundIntegral> find_integrals(OnSet& set, std::span<const Expr> phi, std::size_t wanted) {
  return Search(set, phi, wanted).run();
}

}  // namespace cetaev
