#include "complement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "basis.hpp"
#include "cetaev/constraint/integrability.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "cetaev/detail/algebra/zero.hpp"

namespace cetaev {

namespace {

class ComplementSearch {
 public:
  explicit ComplementSearch(const Setting& s) : s_(s), motion_(s.system->motion) {}

  Complement run() {
    result_.outside = outside();
    if (!result_.outside.empty()) return result_;
    result_.dimension = s_.rank();
    find_forms();
    if (!result_.outside.empty()) return result_;
    decide();
    find_functions();
    return result_;
  }

 private:
  std::string outside() const {
    if (s_.rank() == 0) return "there are no constraints";
    const std::vector<Expr>& v = motion_.v;
    for (const Expr e : s_.J().entries) {
      if (depends_on(e, v)) return "a constraint is not linear in the velocities";
    }
    for (const Expr e : s_.terms.mass.entries) {
      if (depends_on(e, v)) return "the Lagrangian is not quadratic in the velocities";
    }
    for (const Expr phi : s_.phi()) {
      if (!vanishes(exact(at_rest(phi)))) return "a constraint has a term without velocities";
    }
    return {};
  }

  Expr at_rest(Expr e) const {
    std::vector<Replacement> rest;
    for (const Expr v : motion_.v) rest.emplace_back(v, s_.zero());
    return substitute(e, rest);
  }
  // Parameters have the values of the model: D⊥ may be integrable for some of them alone.
  Expr exact(Expr e) const { return with_parameter_values(s_.system, e); }

  // NᵀH, whose rows vanish along D⊥, and a basis of D⊥.
  void find_forms() {
    Matrix N;
    if (const auto basis = regular_basis(s_)) {
      N = basis->N;
    } else if (const auto solution = solve_linear(s_.J(), std::vector<Expr>(s_.rank(), s_.zero()))) {
      N = solution->kernel;
    }
    if (N.columns != s_.independent.size()) {
      result_.outside = "the admissible directions have no basis that exact algebra could find";
      return;
    }
    const std::size_t n = s_.n();
    forms_ = {N.columns, n, {}};
    for (std::size_t r = 0; r < N.columns; ++r) {
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < n; ++i) terms.push_back(N(i, r) * s_.terms.mass(i, j));
        forms_.entries.push_back(s_.context().sum(terms));
      }
    }
    Matrix exact_forms = forms_;
    for (Expr& e : exact_forms.entries) e = exact(e);
    if (const auto solution = solve_linear(exact_forms, std::vector<Expr>(forms_.rows, s_.zero()))) {
      if (solution->rank < forms_.rows) {
        result_.outside = "the kinetic energy is not definite on the admissible velocities";
        return;
      }
      basis_ = solution->kernel;
    }
    // momenta that do not come from H: p·w = 0 along D⊥
    for (std::size_t a = 0; basis_ && a < basis_->columns; ++a) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < n; ++i) terms.push_back(exact(at_rest(s_.terms.momentum[i])) * (*basis_)(i, a));
      if (!vanishes(s_.context().sum(terms)))
        result_.outside = "the Lagrangian has terms linear in the velocities with a part along the complement";
    }
    const bool at_rest_zero =
        std::all_of(s_.terms.momentum.begin(), s_.terms.momentum.end(), [&](Expr p) { return at_rest(p).is_zero(); });
    if (!basis_ && !at_rest_zero) result_.outside = "the Lagrangian has terms linear in the velocities";
  }

  // Frobenius: θ([X, Y]) = −dθ(X, Y) for the forms θ that vanish along D⊥ and fields X, Y of its basis.
  void decide() {
    if (s_.rank() == 1) {
      result_.integrable = result_.proved = true;
      result_.ground = "it has one dimension";
      return;
    }
    if (!basis_) return;
    const std::size_t n = s_.n();
    bool all_proved = true;
    for (std::size_t r = 0; r < forms_.rows; ++r) {
      const auto theta = [&](std::size_t j) { return exact(forms_(r, j)); };
      const Matrix slopes = [&] {
        std::vector<Expr> row;
        for (std::size_t j = 0; j < n; ++j) row.push_back(theta(j));
        return jacobian(row, motion_.q);
      }();
      for (std::size_t a = 0; a < basis_->columns; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          std::vector<Expr> terms;
          for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
              const Expr twist = slopes(j, i) - slopes(i, j);
              if (!twist.is_zero()) terms.push_back(twist * (*basis_)(i, a) * (*basis_)(j, b));
            }
          }
          const ZeroTest test = prove_zero(s_.context().sum(terms));
          if (test.verdict == Verdict::refuted) {
            result_.integrable = false;
            result_.proved = true;
            result_.ground = "the bracket of two of its fields leaves it, proved by algebra at a point";
            return;
          }
          all_proved = all_proved && test.verdict == Verdict::proved;
        }
      }
    }
    if (!all_proved) return;
    result_.integrable = result_.proved = true;
    result_.ground = "the brackets of its fields stay in it, proved by algebra";
  }

  // A system whose admissible velocities are D⊥ at every time, which is one more coordinate that does not move where the forms contain it.
  System along_complement(const std::optional<Expr>& frozen) const {
    return s_.system.with([&](SystemData& data) {
      data.constraints.clear();
      data.alternatives.clear();
      data.substituted.clear();
      data.dependent.reset();
      data.quasi_velocities.clear();
      data.auxiliary.clear();
      data.transpositional.reset();
      data.initial = {};
      if (frozen) {
        data.coordinates.emplace_back("t");
        data.motion.q.push_back(*frozen);
        data.motion.v.push_back(s_.symbols("time", 2)[0]);
        data.motion.a.push_back(s_.symbols("time", 2)[1]);
        data.forces.push_back(s_.zero());
      }
      data.initial.q.resize(data.size());
      data.initial.v.resize(data.size());
      const auto add = [&](Expr phi) {
        Constraint constraint;
        constraint.text = to_string(phi) + " = 0";
        constraint.entry = data.constraints.size();
        constraint.expression = phi;
        data.constraints.push_back(constraint);
      };
      for (std::size_t r = 0; r < forms_.rows; ++r) {
        std::vector<Expr> terms;
        for (std::size_t j = 0; j < s_.n(); ++j) terms.push_back(normal(forms_(r, j)) * motion_.v[j]);
        Expr phi = s_.context().sum(terms);
        if (frozen) phi = substitute(phi, std::array{Replacement{motion_.t, *frozen}});
        add(phi);
      }
      if (frozen) add(data.motion.v.back());
    });
  }

  // x cos φ + y sin φ for m x cos φ + m y sin φ: as constant as that.
  Expr without_parameter_factors(Expr f) const {
    Expr factored = normal(f, Shape::factored);
    if (factored.kind() == Kind::sum && factored.size() == 1 && factored.constant().is_zero())
      factored = factored.term(0);
    if (factored.kind() != Kind::product) return factored.is_symbol() ? factored : f;
    std::vector<Expr> moving = motion_.q;
    moving.push_back(motion_.t);
    std::vector<Context::Term> kept;
    for (std::size_t i = 0; i < factored.size(); ++i) {
      if (depends_on(factored.base(i), moving)) kept.push_back({factored.base(i), factored.exponent(i)});
    }
    return kept.size() == factored.size() ? f : normal(s_.context().power_product(Rational(1), kept));
  }

  void find_functions() {
    if (result_.integrable == false) return;
    std::optional<Expr> frozen;
    const bool moves = std::any_of(forms_.entries.begin(), forms_.entries.end(),
                                   [&](Expr e) { return depends_on(e, std::span(&motion_.t, 1)); });
    if (moves) frozen = s_.symbols("frozen", 1)[0];
    Integrability found;
    try {
      OnSet set(along_complement(frozen));
      found = integrability(set);
    } catch (const Error& error) {
      if (result_.ground.empty()) result_.ground = "not known: " + error.message();
      return;
    }
    if (!result_.integrable) {
      if (found.decided) result_.integrable = found.integrable;
      result_.proved = found.proved;
      result_.ground = found.ground;
    }
    result_.functions_proved = true;
    for (const FoundIntegral& f : found.integrals) {
      if (frozen && f.expression == *frozen) continue;
      result_.functions_proved = result_.functions_proved && f.finding.proved;
      const Expr e = frozen ? substitute(f.expression, std::array{Replacement{*frozen, motion_.t}}) : f.expression;
      result_.functions.push_back(without_parameter_factors(e));
    }
  }

  const Setting& s_;
  const Motion& motion_;
  Complement result_;
  Matrix forms_;
  std::optional<Matrix> basis_;
};

}  // namespace

Complement kinetic_complement(const Setting& setting) { return ComplementSearch(setting).run(); }

}  // namespace cetaev
