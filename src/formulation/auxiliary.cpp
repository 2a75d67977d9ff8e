#include "cetaev/detail/formulation/auxiliary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assemble.hpp"
#include "basis.hpp"
#include "complement.hpp"
#include "modified_vakonomic.hpp"
#include "principles.hpp"

namespace cetaev {

namespace {

constexpr int largest_search = 300;  // sets of functions looked at
constexpr std::size_t states_wanted = 4;

// Functions that are tried at random admissible states.
class Trial {
 public:
  Trial(const Setting& s, Admissible& admissible, bool zero_relations)
      : s_(s), zero_relations_(zero_relations), reference_(s, Form::multipliers->derive(s)) {
    for (std::uint64_t seed = 1; seed <= 40 && states_.size() < states_wanted; ++seed) {
      const auto state = admissible.random(seed);
      if (!state) continue;
      try {
        accelerations_.push_back(reference_.evaluate(*state).a);
        states_.push_back(*state);
      } catch (const Error&) {
        continue;  // a singular state
      }
    }
    look_at_constraints();
  }

  bool enough_states() const { return states_.size() == states_wanted; }

  // E φ = 0, as where φ = Dₜf: else no functions make A zero, since W A = Ω has the rows E φ whatever they are.
  bool constraints_commute() const { return constraints_commute_; }

  // As proposed, or nothing.
  std::optional<AuxiliaryFunctions> fits(const std::vector<Expr>& auxiliary) const {
    if (s_.rank() + auxiliary.size() != s_.n()) return std::nullopt;
    RelationFunctions functions{s_.phi(), s_.n(), auxiliary.size(), {}};
    functions.f.insert(functions.f.end(), auxiliary.begin(), auxiliary.end());
    AuxiliaryFunctions result{auxiliary, {}, true};
    try {
      const CompiledForm form(s_, modified_vakonomic(s_, Form::mvm2.name(), functions, s_.zero()));
      for (std::size_t k = 0; k < states_.size(); ++k) {
        const CompiledForm::Values values = form.evaluate(states_[k]);
        double scale = 1;
        for (const double x : accelerations_[k]) scale = std::max(scale, std::fabs(x));
        for (std::size_t i = 0; i < values.a.size(); ++i) {
          if (std::fabs(values.a[i] - accelerations_[k][i]) > negligible * scale) return std::nullopt;
        }
        result.zero_relations = result.zero_relations && all_vanish(values.transpositional);
      }
    } catch (const Error&) {
      return std::nullopt;  // det W = 0 somewhere
    }
    if (zero_relations_ && !result.zero_relations) return std::nullopt;
    return result;
  }

 private:
  void look_at_constraints() {
    std::vector<Expr> rows;
    for (const Expr phi : s_.phi()) {
      const std::vector<Expr> row = lagrangian_derivative(phi, s_.system->motion);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    std::vector<Expr> inputs = state_symbols(s_.system);
    inputs.insert(inputs.end(), s_.system->motion.a.begin(), s_.system->motion.a.end());
    const Program program(rows, inputs);
    Interpreter run(program);
    std::vector<double> here(rows.size());
    for (std::size_t k = 0; k < states_.size(); ++k) {
      std::vector<double> values = state_values(states_[k], parameter_values(s_.system));
      values.insert(values.end(), accelerations_[k].begin(), accelerations_[k].end());
      run(values, here);
      constraints_commute_ = constraints_commute_ && all_vanish(here);
    }
  }

  static bool all_vanish(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::fabs(x) <= negligible; });
  }

  static constexpr double negligible = 1e-9;

  const Setting& s_;
  bool zero_relations_, constraints_commute_ = true;
  CompiledForm reference_;
  std::vector<State> states_;
  std::vector<std::vector<double>> accelerations_;
};

class LinearSearch {
 public:
  LinearSearch(const Setting& s, const Trial& trial) : s_(s), trial_(trial) {}

  std::optional<AuxiliaryFunctions> run() {
    const std::size_t m = s_.independent.size();
    for (const std::vector<Expr>& pool : pools()) {
      if (pool.size() < m) continue;
      // all subsets of m functions, in order
      std::vector<bool> chosen(pool.size(), false);
      std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(m), true);
      do {
        std::vector<Expr> functions;
        for (std::size_t i = 0; i < pool.size(); ++i) {
          if (chosen[i]) functions.push_back(pool[i]);
        }
        if (const auto found = trial_.fits(functions)) return found;
        if (++looked_at_ >= largest_search) return std::nullopt;
      } while (std::prev_permutation(chosen.begin(), chosen.end()));
    }
    return std::nullopt;
  }

  int looked_at() const { return looked_at_; }

 private:
  Expr combination(const std::vector<Expr>& coefficients) const { return dot(s_, coefficients, s_.system->motion.v); }

  std::vector<std::vector<Expr>> pools() const {
    const Motion& motion = s_.system->motion;
    const Matrix J = s_.J();
    std::vector<std::vector<Expr>> result;
    std::vector<Expr> along;
    for (std::size_t i = 0; i < s_.rank(); ++i) {
      std::vector<std::size_t> tied;
      for (std::size_t j = 0; j < s_.n(); ++j) {
        if (!J(i, j).is_zero()) tied.push_back(j);
      }
      if (tied.size() != 2 || depends_on(J(i, tied[0]), motion.v) || depends_on(J(i, tied[1]), motion.v)) continue;
      along.push_back(J(i, tied[1]) * motion.v[tied[0]] - J(i, tied[0]) * motion.v[tied[1]]);
    }
    std::vector<Expr> pool = along;
    pool.insert(pool.end(), motion.v.begin(), motion.v.end());
    result.push_back(pool);
    bool affine = true;
    for (const Expr e : J.entries) affine = affine && !depends_on(e, motion.v);
    if (affine) {
      if (const auto basis = regular_basis(s_)) {
        std::vector<Expr> directions;
        for (std::size_t c = 0; c < basis->N.columns; ++c) {
          std::vector<Expr> coefficients;
          for (std::size_t i = 0; i < s_.n(); ++i) coefficients.push_back(basis->N(i, c));
          directions.push_back(combination(coefficients));
        }
        result.push_back(directions);
      }
    }
    return result;
  }

  const Setting& s_;
  const Trial& trial_;
  int looked_at_ = 0;
};

// "(x*cos(phi) + y*sin(phi))'"
std::string written_derivative(Expr f) {
  const std::string text = to_string(f);
  return f.is_symbol() ? text + "'" : "(" + text + ")'";
}

}  // namespace

AuxiliarySearch::AuxiliarySearch(const Setting& s, Admissible& admissible, bool zero_relations) {
  if (const auto error = s.second_order(Form::mvm2.name())) throw *error;
  const Trial trial(s, admissible, zero_relations);
  if (!trial.enough_states()) {
    findings_.searched.emplace_back("nothing, since too few regular admissible states were found to try functions at");
    return;
  }
  if (zero_relations && !trial.constraints_commute()) {
    findings_.impossible =
        "no auxiliary functions make the transpositional relations zero: W A = Omega has the rows E phi of the "
        "constraints, which are not all zero; "
        "integrable constraints have zero rows when they are written as time derivatives of functions of the "
        "coordinates";
    return;
  }
  LinearSearch search(s, trial);
  linear = search.run();
  if (!linear)
    findings_.searched.push_back(fmt::format(
        "{} sets of linear combinations of the velocities with coefficients from the model", search.looked_at()));

  const Complement complement = kinetic_complement(s);
  const std::size_t wanted = s.independent.size();
  if (!complement.outside.empty()) {
    findings_.complement =
        "total derivatives of functions of the coordinates were not looked for: " + complement.outside;
    return;
  }
  findings_.integrable = complement.integrable;
  findings_.proved = complement.proved;
  findings_.complement = fmt::format("the kinetic-orthogonal complement of the admissible directions is {}: {}",
                                     !complement.integrable   ? "perhaps integrable"
                                     : *complement.integrable ? "integrable"
                                                              : "not integrable",
                                     complement.ground);
  if (complement.integrable == false) {
    findings_.searched.emplace_back(
        "total derivatives: there are not enough functions that are constant along the complement");
    return;
  }
  if (complement.functions.size() < wanted) {
    findings_.searched.push_back(fmt::format(
        "total derivatives: {} of {} functions that are constant along the complement were found in closed form",
        complement.functions.size(), wanted));
    return;
  }
  std::vector<Expr> functions;
  Derivation rate = derivative_at_fixed_velocity(s.system->motion);
  for (const Expr f : complement.functions) functions.push_back(rate(f));
  total_derivatives = trial.fits(functions);
  if (!total_derivatives) {
    findings_.searched.emplace_back("total derivatives of the functions that are constant along the complement");
    return;
  }
  total_derivatives->potentials = complement.functions;
  functions_proved_ = complement.functions_proved;
  with_parameters_ = !s.system->parameters.empty();
}

ProposedAuxiliary AuxiliarySearch::written() const {
  ProposedAuxiliary result = findings_;
  if (linear) {
    ProposedAuxiliary::Set& set = result.sets.emplace_back();
    for (const Expr e : linear->functions) set.functions.push_back(to_string(e));
    set.zero_relations = linear->zero_relations;
    set.ground = fmt::format("at {} random admissible states", states_wanted);
  }
  if (total_derivatives) {
    ProposedAuxiliary::Set& set = result.sets.emplace_back();
    for (const Expr f : total_derivatives->potentials) {
      set.functions.push_back(written_derivative(f));
      set.potentials.push_back(to_string(f));
    }
    set.zero_relations = total_derivatives->zero_relations;
    set.ground = fmt::format("at {} random admissible states", states_wanted);
    if (functions_proved_)
      set.ground = fmt::format(
          "proved{}: they are constant along the kinetic-orthogonal complement of the admissible directions",
          with_parameters_ ? " for these values of the parameters" : "");
  }
  return result;
}

}  // namespace cetaev
