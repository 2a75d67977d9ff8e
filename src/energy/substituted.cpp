#include "cetaev/energy/substituted.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/formulation/voronec_terms.hpp"

namespace cetaev {

namespace {

// The model with the substituted constraints as its only ones.
System with_substituted(const System& system) {
  return system.with([](SystemData& data) { data.constraints = data.substituted; });
}

bool contains_velocity(const System& system, std::size_t i) {
  const Expr v = system->motion.v[i];
  return depends_on(system->lagrangian, std::span(&v, 1)) && !vanishes(derivative(system->lagrangian, v));
}

// As dependent as the Lagrangian treats them: velocities that it does not contain.
std::vector<std::size_t> dependent_velocities(const System& system, OnSet& set) {
  const std::size_t rank = set.states().front().rows.size();
  if (system->dependent && system->dependent->size() == rank) return *system->dependent;
  std::vector<std::size_t> absent;
  for (std::size_t i = 0; i < system->size(); ++i) {
    const Expr v = system->motion.v[i];
    const bool constrained =
        std::any_of(system->constraints.begin(), system->constraints.end(),
                    [&](const Constraint& c) { return depends_on(c.expression, std::span(&v, 1)); });
    if (constrained && !contains_velocity(system, i)) absent.push_back(i);
  }
  return absent.size() == rank ? absent : set.states().front().dependent;
}

// p_ν from the masses of the points, ½ Σ m |Ṗ|², in every velocity; nothing when a mass is not given.
std::vector<Expr> momenta_of_points(const System& system, const std::vector<std::size_t>& dependent) {
  if (system->points.empty() || system->kinetic) return {};
  Derivation advance = derivative_at_fixed_velocity(system->motion);
  std::vector<Expr> energies;
  for (const Point& point : system->points) {
    if (!point.mass) return {};
    for (const Expr x : point.position) {
      const Expr rate = advance(x);
      energies.push_back(Rational(1, 2) * (point.mass * rate * rate));
    }
  }
  std::vector<Expr> momenta;
  for (const std::size_t d : dependent)
    momenta.push_back(derivative(system->context->sum(energies), system->motion.v[d]));
  return momenta;
}

class Diagnosis {
 public:
  explicit Diagnosis(const System& system) : system_(with_substituted(system)), terms_(system_), set_(system_) {}

  Substitution run() {
    for (const int order : terms_.constraints.order) {
      if (order == 2) {
        throw Error(ErrorCode::not_applicable,
                    "a constraint on accelerations in 'substituted' cannot have been "
                    "substituted into a Lagrangian");
      }
    }
    if (set_.states().empty()) {
      throw Error(ErrorCode::not_applicable, "the constraints in 'substituted' have no regular admissible state");
    }
    Substitution result;
    result.dependent = dependent_velocities(system_, set_);
    Setting setting(system_, terms_, set_.states().front().rows, result.dependent);
    result.independent = setting.independent;
    for (const std::size_t d : result.dependent) {
      if (contains_velocity(system_, d)) result.still_there.push_back(d);
    }
    try {
      result.state = set_.admissible().initial().state;
    } catch (const Error&) {
      result.state = set_.states().front().rounded;
    }
    const auto alpha = setting.closed_form(result.state);
    if (alpha) setting.use_explicit(*alpha);
    const VoronecTerms voronec(setting, setting.jets());
    for (std::size_t r = 0; r < result.independent.size(); ++r) {
      for (std::size_t nu = 0; nu < result.dependent.size(); ++nu) {
        result.terms.push_back(
            missing_term(setting, voronec.B(nu, r), result.independent[r], result.dependent[nu], result.state, alpha));
      }
    }
    const std::vector<Expr> momenta = momenta_of_points(system_, result.dependent);
    if (!momenta.empty()) {
      for (const Expr p : momenta) result.momenta.push_back(value_at({}, p, result.state));
      const bool known = std::all_of(result.terms.begin(), result.terms.end(),
                                     [](const Substitution::MissingTerm& term) { return term.value.has_value(); });
      for (std::size_t r = 0; known && r < result.independent.size(); ++r) {
        double sum = 0;
        for (std::size_t nu = 0; nu < result.dependent.size(); ++nu) {
          sum += *result.terms[r * result.dependent.size() + nu].value * result.momenta[nu];
        }
        result.missing.push_back(sum);
      }
    }
    return result;
  }

 private:
  std::vector<Expr> inputs() const {
    std::vector<Expr> symbols = state_symbols(system_);
    symbols.insert(symbols.end(), system_->motion.a.begin(), system_->motion.a.end());
    return symbols;
  }

  double value_at(std::span<const LinearBlock> blocks, Expr e, const State& state) const {
    std::vector<double> values = state_values(state, parameter_values(system_));
    values.resize(values.size() + system_->size(), 0.0);
    const Program program(std::array{e}, inputs(), blocks);
    double result = 0;
    if (Interpreter(program)(values, std::span(&result, 1)) >= 0 || !std::isfinite(result)) {
      throw Error(ErrorCode::not_applicable,
                  "the terms that 'substituted' asks about are not finite at the initial state");
    }
    return result;
  }

  Substitution::MissingTerm missing_term(const Setting& setting, Expr B, std::size_t independent, std::size_t dependent,
                                         const State& state, const std::optional<std::vector<Expr>>& alpha) {
    Substitution::MissingTerm term;
    term.independent = independent;
    term.dependent = dependent;
    const std::vector<LinearBlock>& blocks = setting.jets().blocks;
    if (!depends_on(B, system_->motion.a)) term.value = value_at(blocks, B, state);
    if (alpha) {
      std::vector<Replacement> insert;
      for (std::size_t nu = 0; nu < alpha->size(); ++nu) {
        insert.emplace_back(system_->motion.v[setting.dependent[nu]], (*alpha)[nu]);
      }
      term.B = normal(substitute(B, insert));
      term.zero = set_.vanishes(*term.B);
      return term;
    }
    const Program program(std::array{B}, inputs(), blocks);
    int states = 0;
    for (const PreciseState& at : set_.states()) {
      std::vector<Ball> values, result;
      for (const BallValue& value : at.values) values.push_back(value.second);
      if (run_in_balls(program, values, result, OnSet::bits) >= 0 || !result[0].is_finite()) continue;
      if (result[0].magnitude_log10() > -OnSet::wanted_digits) {
        term.zero = Finding::failure(at.rounded, result[0].midpoint());
        return term;
      }
      ++states;
    }
    term.zero = Finding::evidence(states, OnSet::wanted_digits);
    return term;
  }

  System system_;
  Terms terms_;
  OnSet set_;
};

}  // namespace

bool Substitution::harmless() const {
  return std::all_of(terms.begin(), terms.end(), [](const MissingTerm& term) { return term.zero.holds(); });
}

std::optional<Substitution> diagnose_substitution(const System& system) {
  if (system->substituted.empty()) return std::nullopt;
  return Diagnosis(system.workable()).run();
}

}  // namespace cetaev
