#include "cetaev/detail/constraint/explicit_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/program/program.hpp"
#include "isolate.hpp"

namespace cetaev {

namespace {

// Beyond this the exact algebra of rational functions multiplies out too much; elimination on shared nodes does not.
constexpr std::size_t largest_reduced_solve = 4;
// Rows whose determinant is written out.
constexpr std::size_t largest_written_out = 3;

class ExplicitForm {
 public:
  ExplicitForm(const System& system, std::span<const Expr> phi, std::span<const Expr> unknowns, const State& state)
      : system_(system), phi_(phi.begin(), phi.end()), unknowns_(unknowns.begin(), unknowns.end()) {
    const std::vector<Expr> symbols = state_symbols(system);
    const std::vector<double> numbers = state_values(state, parameter_values(system));
    for (std::size_t i = 0; i < symbols.size(); ++i) at_.emplace_back(symbols[i], numbers[i]);
  }

  ExplicitForm(const System& system, std::span<const Expr> phi, std::span<const Expr> unknowns)
      : system_(system), phi_(phi.begin(), phi.end()), unknowns_(unknowns.begin(), unknowns.end()) {}

  std::optional<std::vector<Expr>> run() {
    if (phi_.empty()) return std::vector<Expr>{};
    if (const auto linear = linear_set()) {
      if (auto alpha = solve_linear_set(linear->first, linear->second)) return alpha;
    }
    return solve_one_by_one(phi_);
  }

  std::optional<std::vector<std::vector<Expr>>> run_all() {
    if (phi_.empty()) return std::vector<std::vector<Expr>>{{}};
    if (const auto linear = linear_set()) {
      if (unknowns_.size() > largest_reduced_solve) return std::nullopt;
      const auto solution = solve_linear(linear->first, linear->second);
      if (!solution || solution->rank != unknowns_.size() || !solution->consistent()) return std::nullopt;
      std::vector<Expr> alpha;
      for (std::size_t i = 0; i < unknowns_.size(); ++i) alpha.push_back(solution->particular(i, 0));
      return std::vector<std::vector<Expr>>{std::move(alpha)};
    }
    std::vector<std::vector<Expr>> found;
    if (!follow(phi_, {}, found)) return std::nullopt;
    return found;
  }

 private:
  static constexpr std::size_t most_solutions = 64;

  // J_dep and −φ at v_dep = 0, where φ is affine in the unknowns
  std::optional<std::pair<Matrix, std::vector<Expr>>> linear_set() const {
    Matrix J_dep{phi_.size(), unknowns_.size(), {}};
    std::vector<Expr> right;
    for (const Expr e : phi_) {
      const std::optional<Affine> row = affine_in(e, unknowns_);
      if (!row) return std::nullopt;
      J_dep.entries.insert(J_dep.entries.end(), row->slopes.begin(), row->slopes.end());
      right.push_back(-row->rest);
    }
    return std::pair(std::move(J_dep), std::move(right));
  }

  // Every way on from here: one unknown after the other, where it stands alone.
  bool follow(const std::vector<Expr>& phi, const std::vector<Replacement>& known,
              std::vector<std::vector<Expr>>& found) const {
    if (phi.empty()) {
      std::vector<Expr> alpha = substitute(unknowns_, known);
      for (const Expr e : alpha)
        if (depends_on(e, unknowns_)) return false;
      found.push_back(std::move(alpha));
      return found.size() <= most_solutions;
    }
    for (std::size_t i = 0; i < phi.size(); ++i) {
      std::vector<Expr> present;
      for (const Expr x : unknowns_)
        if (depends_on(phi[i], std::span(&x, 1))) present.push_back(x);
      if (present.size() != 1) continue;
      const auto solutions = isolate_all(phi[i], present[0]);
      if (!solutions) continue;
      for (const Expr solution : *solutions) {
        const std::array<Replacement, 1> step = {{{present[0], solution}}};
        std::vector<Expr> rest;
        for (std::size_t k = 0; k < phi.size(); ++k)
          if (k != i) rest.push_back(substitute(phi[k], step));
        std::vector<Replacement> more = known;
        more.emplace_back(present[0], solution);
        if (!follow(rest, more, found)) return false;
      }
      return true;
    }
    return false;
  }

  std::optional<std::vector<Expr>> solve_linear_set(const Matrix& J_dep, const std::vector<Expr>& right) {
    if (unknowns_.size() <= largest_reduced_solve) {
      const auto solution = solve_linear(J_dep, right);
      if (solution && solution->rank == unknowns_.size() && solution->consistent()) {
        std::vector<Expr> alpha;
        for (std::size_t i = 0; i < unknowns_.size(); ++i) alpha.push_back(solution->particular(i, 0));
        if (fits(alpha)) {
          if (J_dep.rows > largest_written_out || !divide_by_more(alpha, J_dep)) return alpha;
          if (auto by_determinants = cramer(J_dep, right); fits(by_determinants)) return by_determinants;
          return alpha;
        }
      }
    }
    std::vector<Expr> alpha = eliminate(J_dep, right);
    if (alpha.empty() || !fits(alpha)) return std::nullopt;
    return alpha;
  }

  static Expr determinant(const Matrix& M) {
    const auto minor = [&](std::size_t k, std::size_t l) { return M(1, k) * M(2, l) - M(1, l) * M(2, k); };
    switch (M.rows) {
      case 1: return M(0, 0);
      case 2: return M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0);
      default: return M(0, 0) * minor(1, 2) - M(0, 1) * minor(0, 2) + M(0, 2) * minor(0, 1);
    }
  }

  // The normal form of a quotient has no sines in what it divides by: (sin a cos b + cos a sin b)/(cos² b − cos² a) is 1/sin(a − b), and 0/0 where
  // sin(a + b) vanishes. Is there a place where something vanishes that these divide by, and the determinant does not? Looked for by Newton's method
  // from places taken at random.
  bool divide_by_more(std::span<const Expr> alpha, const Matrix& J_dep) const {
    constexpr int starts = 6, steps = 40;
    constexpr double little =
        1e-6;  // beside the terms of a determinant; a place is known to 10⁻⁸ where it is a double zero
    std::vector<Expr> moving = system_->motion.q;
    moving.push_back(system_->motion.t);
    const Expr det = determinant(J_dep);
    const std::vector<Expr> symbols = state_symbols(system_);
    std::vector<double> given =
        state_values(State{0, std::vector<double>(system_->size()), std::vector<double>(system_->size())},
                     parameter_values(system_));
    for (const Expr e : topological(alpha)) {
      if (e.kind() != Kind::product) continue;
      for (std::size_t f = 0; f < e.size(); ++f) {
        const Expr divisor = e.base(f);
        if (e.exponent(f).sign() > 0 || !depends_on(divisor, moving)) continue;
        std::vector<Expr> outputs = {divisor, det};
        outputs.insert(outputs.end(), J_dep.entries.begin(), J_dep.entries.end());
        for (const Expr z : moving) outputs.push_back(derivative(divisor, z));
        const Program program(outputs, symbols);
        Interpreter run(program);
        std::vector<double> values(outputs.size()), inputs = given;
        Random random(1);
        for (int start = 0; start < starts; ++start) {
          std::vector<double> place(moving.size());
          for (double& z : place) z = random.uniform(-2, 2);
          for (int step = 0; step < steps; ++step) {
            std::copy(place.begin(), place.end() - 1, inputs.begin());
            inputs[2 * system_->size()] = place.back();
            run(inputs, values);
            const double* const slopes = values.data() + values.size() - place.size();
            double square = 0;
            for (std::size_t i = 0; i < place.size(); ++i) square += slopes[i] * slopes[i];
            if (!(square > 0)) break;
            for (std::size_t i = 0; i < place.size(); ++i) place[i] -= values[0] * slopes[i] / square;
            const bool there = std::abs(values[0]) <= 1e-14 * std::sqrt(square);
            if (!there && step + 1 < steps) continue;
            if (std::abs(values[0]) > 1e-12 * std::sqrt(square)) break;
            double size = 0;
            for (std::size_t i = 0; i < J_dep.entries.size(); ++i) size = std::max(size, std::abs(values[2 + i]));
            if (std::abs(values[1]) > little * std::pow(size, static_cast<double>(J_dep.rows))) return true;
            break;
          }
        }
      }
    }
    return false;
  }
  // Divided by nothing but the determinant.
  static std::vector<Expr> cramer(const Matrix& J_dep, const std::vector<Expr>& right) {
    const Expr det = determinant(J_dep);
    std::vector<Expr> result;
    for (std::size_t j = 0; j < J_dep.columns; ++j) {
      Matrix replaced = J_dep;
      for (std::size_t i = 0; i < J_dep.rows; ++i) replaced.entries[i * J_dep.columns + j] = right[i];
      result.push_back(determinant(replaced) / det);
    }
    return result;
  }

  // Gaussian elimination on expressions; pivots are chosen by their values at the state, numbers first. The values, and whether an entry depends
  // on positions, go along with the entries: to ask each for them anew would take a walk through all it is made of.
  std::vector<Expr> eliminate(Matrix a, std::vector<Expr> b) const {
    const std::size_t k = b.size();
    std::vector<std::size_t> row_of(k), open(k);
    for (std::size_t i = 0; i < k; ++i) open[i] = i;
    std::vector<bool> done(k, false), moves;
    for (const Expr e : a.entries) moves.push_back(!e.is_zero() && depends_on(e, system_->motion.q));
    std::vector<double> numbers = evaluate(a.entries, at_);
    for (std::size_t step = 0; step < k; ++step) {
      std::size_t best_row = k, best_column = k;
      double best = 0;
      for (const std::size_t i : open) {
        for (std::size_t j = 0; j < k; ++j) {
          if (done[j]) continue;
          const double size = std::fabs(numbers[i * k + j]) * (moves[i * k + j] ? 1 : 1e3);
          if (size > best) {
            best = size;
            best_row = i;
            best_column = j;
          }
        }
      }
      if (best < 1e-10) return {};
      open.erase(std::find(open.begin(), open.end(), best_row));
      done[best_column] = true;
      row_of[best_column] = best_row;
      const std::size_t pivot = best_row * k + best_column;
      for (std::size_t i = 0; i < k; ++i) {
        const std::size_t first = i * k + best_column;
        if (i == best_row || a.entries[first].is_zero()) continue;
        const Expr factor = a.entries[first] / a.entries[pivot];
        const double number = numbers[first] / numbers[pivot];
        for (std::size_t j = 0; j < k; ++j) {
          const std::size_t above = best_row * k + j, here = i * k + j;
          if (j == best_column || a.entries[above].is_zero()) continue;
          a.entries[here] = a.entries[here] - factor * a.entries[above];
          numbers[here] -= number * numbers[above];
          moves[here] = moves[here] || moves[first] || moves[pivot] || moves[above];
        }
        a.entries[first] = system_->context->zero();
        numbers[first] = 0;
        b[i] = b[i] - factor * b[best_row];
      }
    }
    std::vector<Expr> x;
    for (std::size_t j = 0; j < k; ++j) x.push_back(b[row_of[j]] / a(row_of[j], j));
    return x;
  }

  std::optional<std::vector<Expr>> solve_one_by_one(std::vector<Expr> phi) {
    std::vector<std::optional<Expr>> alpha(unknowns_.size());
    std::size_t found = 0;
    bool progress = true;
    while (progress && found < unknowns_.size()) {
      progress = false;
      for (std::size_t i = 0; i < phi.size() && !progress; ++i) {
        std::vector<std::size_t> present;
        for (std::size_t d = 0; d < unknowns_.size(); ++d) {
          if (depends_on(phi[i], std::span(&unknowns_[d], 1))) present.push_back(d);
        }
        if (present.size() != 1) continue;
        const Expr x = unknowns_[present[0]];
        const auto solution = isolate(phi[i], x, at_);
        if (!solution) continue;
        alpha[present[0]] = *solution;
        ++found;
        progress = true;
        phi.erase(phi.begin() + static_cast<std::ptrdiff_t>(i));
        const std::array<Replacement, 1> known = {{{x, *solution}}};
        for (Expr& e : phi) e = substitute(e, known);
      }
    }
    if (found < unknowns_.size()) return std::nullopt;
    std::vector<Expr> result;
    for (const auto& e : alpha) result.push_back(*e);
    return fits(result) ? std::optional(result) : std::nullopt;
  }

  // Free of dependent velocities, and right at the state.
  bool fits(const std::vector<Expr>& alpha) const {
    const std::vector<Expr> present = free_symbols(alpha);
    for (const Expr x : unknowns_)
      if (std::find(present.begin(), present.end(), x) != present.end()) return false;
    const std::vector<double> values = evaluate(alpha, at_), all_expected = evaluate(unknowns_, at_);
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      const double expected = all_expected[i];
      if (!(std::fabs(values[i] - expected) <= 1e-7 * (1 + std::fabs(expected)))) return false;
    }
    return true;
  }

  System system_;
  std::vector<Expr> phi_;
  std::vector<Expr> unknowns_;
  std::vector<Value> at_;
};

}  // namespace

std::optional<std::vector<Expr>> explicit_form(const System& system, std::span<const Expr> equations,
                                               std::span<const Expr> unknowns, const State& state) {
  return ExplicitForm(system, equations, unknowns, state).run();
}

std::optional<std::vector<std::vector<Expr>>> explicit_forms(const System& system, std::span<const Expr> equations,
                                                             std::span<const Expr> unknowns) {
  try {
    return ExplicitForm(system, equations, unknowns).run_all();
  } catch (const Error&) {
    return std::nullopt;  // a division by what vanishes identically
  }
}

}  // namespace cetaev
