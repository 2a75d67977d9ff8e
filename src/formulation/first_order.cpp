#include "cetaev/formulation/first_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "along_sums.hpp"
#include "assemble.hpp"
#include "basis.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/expr/nested.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "completed_squares.hpp"
#include "from_leaves.hpp"
#include "hamel.hpp"
#include "solve_steps.hpp"

namespace cetaev {

namespace {

// Random states at which a linear system that is singular at the given one is tried before it counts as singular everywhere.
constexpr std::uint64_t further_states = 5;

// Sets of more constraints have their dependent velocities solved for at run time.
constexpr std::size_t largest_written_out = 4;
// And so have those whose closed form takes more operations than solving does: it is differentiated twice, by every coordinate, and grows each time, where a
// system that is solved has further right-hand sides. Of four dense rows it is a thousand times as long.
bool takes_more_than_solving(std::span<const Expr> closed_form, const LinearBlock& instead) {
  return evaluation_cost(closed_form) > cost_of_solving(instead);
}

class Builder {
 public:
  enum class Wants {
    the_form,
    all_or_nothing,
    orthogonal,
    along_sums
  };  // of the second, a state that serves everywhere

  Builder(Setting setting, const State& at, Form form, Wants wants = Wants::the_form)
      : s_(std::move(setting)), at_(at), motion_(s_.system->motion), wants_(wants) {
    result_.system = s_.system;
    result_.form = form;
    result_.t = motion_.t;
    result_.rows = s_.rows;
    for (const Parameter& p : s_.system->parameters) result_.parameters.push_back(p.symbol);
  }

  FirstOrderSystem run() {
    for (std::size_t i = 0; i < s_.n(); ++i) add(s_.system->coordinates[i], motion_.q[i], motion_.q[i]);
    result_.velocities = motion_.v;
    if (wants_ == Wants::along_sums) {
      velocities_along_sums();
      add_observables();
      return std::move(result_);
    }
    switch (result_.form->state) {
      case FormState::all_velocities:
      case FormState::velocities_and_multipliers: all_velocities(derive()); break;
      case FormState::independent_velocities: independent_velocities(); break;
      case FormState::quasi_velocities: quasi_velocities(); break;
    }
    if (!result_.global) result_.chosen = s_.dependent;
    add_observables();
    simplify();
    return std::move(result_);
  }

 private:
  void add(const std::string& name, Expr symbol, Expr from) {
    result_.state.push_back({name, symbol});
    result_.from_state.push_back(from);
  }

  void add_velocity(std::size_t i) { add(s_.system->coordinates[i] + "'", motion_.v[i], motion_.v[i]); }

  Formulation derive() {
    Formulation form = result_.form->derive(s_);
    if (form.iterated)
      throw Error(
          ErrorCode::not_applicable,
          "the equations of " + form.name +
              " are not linear in the accelerations: they are solved at single states, by `eval` and `compare`, "
              "and give no motion and no code");
    result_.equations = form.equations;
    result_.quasi = form.quasi;
    result_.notes = form.notes;
    return form;
  }

  // y = (q, v), or (q, v, λ)
  void all_velocities(const Formulation& form) {
    for (std::size_t i = 0; i < s_.n(); ++i) add_velocity(i);
    from_leaves_ = form.pivots > 1;
    result_.steps = form.steps;
    result_.accelerations = form.a;
    result_.rates = motion_.v;
    result_.rates.insert(result_.rates.end(), form.a.begin(), form.a.end());
    result_.multipliers = form.multipliers;
    result_.lambda = form.lambda;
    for (std::size_t i = 0; i < form.lambda.size(); ++i) {
      add("lambda" + std::to_string(s_.rows[i] + 1), form.lambda[i], form.lambda[i]);
      result_.rates.push_back(form.lambda_dot[i]);
    }
    result_.global = !result_.form->uses_dependent || s_.rank() == 0;
  }

  // y = (q, v_ind), v_dep = α
  void independent_velocities() {
    if (const auto error = s_.second_order(result_.form.name())) throw *error;
    s_.require_dependent();
    std::optional<LinearBlock> system = system_of_dependent();
    std::optional<std::vector<Expr>> alpha;
    if (!system || (s_.written_out && s_.rank() <= largest_written_out)) {
      alpha = s_.closed_form(at_);
      if (alpha && system && takes_more_than_solving(*alpha, *system)) {
        alpha.reset();
      } else {
        if (alpha && !holds_in_doubles(*alpha)) alpha.reset();
        if (alpha) s_.use_explicit(*alpha);
        system.reset();
      }
    }
    if (system) {
      alpha = system->unknowns;
      result_.steps.push_back({std::move(*system), ErrorCode::singular_dependent, singular_dependent_message(s_)});
    }
    const Formulation form = derive();
    if (!alpha) {
      all_velocities(form);
      result_.notes.emplace_back(
          "the dependent velocities have no closed form here; all velocities belong to the state");
      return;
    }
    for (const std::size_t i : s_.independent) add_velocity(i);
    for (std::size_t k = 0; k < s_.rank(); ++k) {
      result_.velocities[s_.dependent[k]] = (*alpha)[k];
      result_.dependent.push_back(s_.dependent[k]);
    }
    result_.steps.insert(result_.steps.end(), form.steps.begin(), form.steps.end());
    result_.accelerations = form.a;
    result_.rates = motion_.v;
    for (const std::size_t i : s_.independent) result_.rates.push_back(form.a[i]);
    result_.global = s_.rank() == 0;
    express_velocities();
  }

  // Do the constraints hold for v_dep = α in doubles, to half of the digits? Exact algebra writes cos 1.08 t and cos 0.81 t as polynomials in cos 0.01 t, of which
  // nothing is left but rounding. At the state and, where α has a value there, beside it, so that nothing is zero.
  bool holds_in_doubles(const std::vector<Expr>& alpha) const {
    const std::vector<Expr> phi = s_.phi();
    const Matrix J = s_.J();
    const std::vector<Expr> symbols = state_symbols(s_.system);
    const std::vector<double> parameters = parameter_values(s_.system);
    std::vector<Expr> of_rows = phi;
    of_rows.insert(of_rows.end(), J.entries.begin(), J.entries.end());
    const Program solved(alpha, symbols), rows(of_rows, symbols);
    Interpreter run_solved(solved), run_rows(rows);
    std::vector<double> dependent(alpha.size()), values(of_rows.size());
    constexpr double beside = 0.01;  // so near that what stands under roots keeps its sign
    for (const double moved : {0.0, 0.1}) {
      State at = at_;
      const double size = std::max(1.0, largest_magnitude(at.v));
      for (const std::size_t i : s_.independent) at.v[i] += moved * size;
      for (double& q : at.q) q += moved * beside;
      at.t += moved * beside;
      if (run_solved(state_values(at, parameters), dependent) >= 0 || !all_finite(dependent)) continue;
      for (std::size_t k = 0; k < dependent.size(); ++k) at.v[s_.dependent[k]] = dependent[k];
      if (run_rows(state_values(at, parameters), values) >= 0 || !all_finite(values)) continue;
      for (std::size_t r = 0; r < phi.size(); ++r) {
        double terms = 0, rest = values[r];
        for (std::size_t j = 0; j < s_.n(); ++j) {
          const double term = values[phi.size() + r * s_.n() + j] * at.v[j];
          terms += std::fabs(term);
          rest -= term;
        }
        if (!(std::fabs(values[r]) <= too_small_beside * (terms + std::fabs(rest)))) return false;
      }
    }
    return true;
  }

  // J_dep α = −φ at v_dep = 0, where the constraints are linear in the dependent velocities.
  std::optional<LinearBlock> system_of_dependent() const {
    std::vector<Expr> v_dep;
    std::vector<Replacement> at_rest;
    for (const std::size_t i : s_.dependent) {
      v_dep.push_back(motion_.v[i]);
      at_rest.emplace_back(motion_.v[i], s_.zero());
    }
    LinearBlock block{columns_of(s_.J(), s_.dependent), column(substitute(s_.phi(), at_rest)),
                      s_.symbols("alpha", s_.rank())};
    for (const Expr e : block.matrix.entries) {
      if (depends_on(e, v_dep)) return std::nullopt;
    }
    for (Expr& e : block.right.entries) e = -e;
    return block;
  }

  // v by the state in everything made so far
  void express_velocities() {
    std::vector<Replacement> in_state;
    for (std::size_t i = 0; i < s_.n(); ++i) {
      if (result_.velocities[i] != motion_.v[i]) in_state.emplace_back(motion_.v[i], result_.velocities[i]);
    }
    const auto express = [&](std::vector<Expr>& list) {
      list = from_leaves_ ? nested_substitute(list, in_state) : substitute(list, in_state);
    };
    for (SolveStep& step : result_.steps) {
      express(step.block.matrix.entries);
      express(step.block.right.entries);
    }
    for (auto* list : {&result_.rates, &result_.accelerations, &result_.multipliers}) express(*list);
  }

  // y = (q, u), v = N u + n₀
  void quasi_velocities() {
    const Formulation form = derive();
    const QuasiVelocities& quasi = *form.quasi;
    const std::size_t m = quasi.u.size();
    const bool given = !s_.system->quasi_velocities.empty();  // else, without constraints, they are the velocities
    std::vector<Expr> from_velocities = quasi.definition;
    if (quasi.basis && m > 0) {
      result_.from_steps.push_back(coordinates_in(s_, *quasi.basis, "from_v"));
      from_velocities = result_.from_steps.back().block.unknowns;
    }
    for (std::size_t j = 0; j < m; ++j) add(quasi.names[j], quasi.u[j], from_velocities[j]);

    std::optional<Basis> basis = quasi.basis;
    if (!basis && s_.written_out) basis = basis_of(s_, quasi.definition);
    result_.of_rank = quasi.of_rank;
    result_.global = quasi.basis || (basis && is_regular_everywhere(s_, *basis));
    if (!result_.global && wants_ == Wants::all_or_nothing)
      throw Error(ErrorCode::not_applicable, "no basis of quasi-velocities is regular everywhere");
    std::vector<Expr> u = quasi.u, d;
    std::optional<SolvedBasis> solved;
    if (!result_.global) {
      solved = solved_basis(s_, quasi);
      if (basis && !takes_more_than_solving(basis->N.entries, solved->steps.front().block)) solved.reset();
    }
    if (!solved) {
      for (Expr& e : basis->N.entries) e = cheapest(e);
      for (Expr& e : basis->drift) e = cheapest(e);
      if (wants_ == Wants::orthogonal) squares_.emplace(s_, *basis, u, result_);
      d = rate_at_fixed_u(s_, *basis, u);
    } else {
      basis = std::move(solved->basis);
      d = std::move(solved->d);
      result_.steps.insert(result_.steps.end(), solved->steps.begin(), solved->steps.end());
    }
    const std::vector<Expr> along = squares_ ? squares_->along(u) : multiply(s_, basis->N, u);
    for (std::size_t i = 0; i < s_.n(); ++i) {
      const Expr v = along[i] + basis->drift[i];
      result_.velocities[i] = squares_ ? v : cheapest(v);
    }
    result_.rates = motion_.v;
    result_.accelerations = d;
    if (squares_ && m > 0) {
      squares_->add_rates(*basis, u, d, result_);
    } else if (auto chain = given ? std::nullopt : solved_from_leaves(s_, "hamel_pivot")) {
      from_leaves_ = true;
      result_.steps.insert(result_.steps.end(), chain->steps.begin(), chain->steps.end());
      result_.accelerations = chain->a;
      result_.rates.insert(result_.rates.end(), chain->a.begin(), chain->a.end());
    } else if (m > 0) {
      result_.steps.push_back(rates_along(s_, basis->N, d, "hamel_rate"));
      const std::vector<Expr>& rates = result_.steps.back().block.unknowns;
      result_.accelerations = accelerations_along(s_, basis->N, rates, d);
      result_.rates.insert(result_.rates.end(), rates.begin(), rates.end());
    }
    express_velocities();
  }

  // y = (q, v_ind) with velocities for u that serve everywhere, or with quasi-velocities at the root of a chain
  void velocities_along_sums() {
    std::optional<AlongSums> found = along_sums(s_, at_, "hamel_rate");
    if (!found) throw Error(ErrorCode::not_applicable, "no velocities serve everywhere");
    from_leaves_ = true;
    result_.velocities = found->velocities;
    result_.rates = motion_.v;
    if (found->root) {
      result_.from_steps.push_back(coordinates_in(s_, *found->root, "from_v"));
      const std::vector<Expr>& from_velocities = result_.from_steps.back().block.unknowns;
      for (std::size_t j = 0; j < found->u.size(); ++j)
        add("u" + std::to_string(j + 1), found->u[j], from_velocities[j]);
    }
    for (std::size_t i = 0; !found->root && i < s_.n(); ++i)
      if (std::ranges::find(found->dependent, i) == found->dependent.end()) add_velocity(i);
    const std::vector<Expr>& rates = found->rates.unknowns;
    result_.rates.insert(result_.rates.end(), rates.begin(), rates.end());
    result_.accelerations = accelerations_along(s_, found->N, rates, found->d);
    result_.squares = std::move(found->squares);
    result_.steps.push_back(without_inertia(std::move(found->rates)));
    express_velocities();
  }

  void add_observables() {
    std::vector<Replacement> in_state;
    for (std::size_t i = 0; i < s_.n(); ++i) {
      in_state.emplace_back(motion_.v[i], result_.velocities[i]);
      in_state.emplace_back(motion_.a[i], result_.accelerations[i]);
    }
    result_.residual = substitute(s_.terms.constraints.residual, in_state);
    const Expr E = dot(s_, motion_.v, s_.terms.momentum) - s_.system->lagrangian;
    result_.energy = substitute(E, in_state);
  }

  void simplify() {
    std::vector<Expr> variables = {result_.t};
    for (const StateVariable& y : result_.state) variables.push_back(y.symbol);
    std::vector<Expr> energy = {result_.energy};
    std::array outputs = {&result_.rates,       &result_.velocities, &result_.accelerations,
                          &result_.multipliers, &result_.residual,   &energy};
    // of squares, and from the leaves of a tree, as short as it gets already
    if (squares_ || from_leaves_ || !s_.simplified) return;
    solve_by_algebra(variables, result_.steps, outputs,
                     wants_ == Wants::orthogonal ? largest_simplified_with_patience : largest_simplified);
    result_.energy = energy[0];
  }

  Setting s_;
  const State& at_;
  const Motion& motion_;
  Wants wants_;
  std::optional<CompletedSquares> squares_;
  bool from_leaves_ = false;
  FirstOrderSystem result_;
};

// Throws the diagnosis of a linear system that is singular at every state tried.
void refuse_singular(const Setting& setting, const State& at, const FirstOrderSystem& system) {
  if (system.steps.empty()) return;
  const FirstOrderProgram program(setting.system, system);
  std::optional<Error> diagnosis;
  std::vector<State> states = {at};
  Admissible admissible(setting.system);
  for (std::uint64_t seed = 0; seed <= further_states; ++seed) {
    if (seed > 0) {
      const auto state = admissible.random(seed);
      if (!state) continue;
      states.push_back(*state);
    }
    try {
      const std::vector<double> lambda(system.rows.size(), 1.0);
      const std::vector<double> y = program.state(states.back(), lambda);
      (void)program.rates(states.back().t, y);
      return;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::non_finite) return;
      diagnosis = error;
    }
  }
  throw *diagnosis;
}

FirstOrderSystem built(Setting setting, const State& at, Form form, Builder::Wants wants) {
  const Setting kept = setting;
  FirstOrderSystem result = Builder(std::move(setting), at, form, wants).run();
  refuse_singular(kept, at, result);
  return result;
}

}  // namespace

FirstOrderSystem first_order(Setting setting, const State& at, Form form) {
  return built(std::move(setting), at, form, Builder::Wants::the_form);
}

std::optional<FirstOrderSystem> first_order_everywhere(const Setting& setting, const State& at) {
  try {
    return built(setting, at, Form::hamel, Builder::Wants::all_or_nothing);
  } catch (const Error&) {
    // it does not apply
  }
  return std::nullopt;
}

std::optional<FirstOrderSystem> first_order_along_sums(const Setting& setting, const State& at) {
  try {
    return built(setting, at, Form::hamel, Builder::Wants::along_sums);
  } catch (const Error&) {
    return std::nullopt;
  }
}

FirstOrderSystem first_order_by_default(const Setting& setting, const State& at) {
  auto hamel = first_order_everywhere(setting, at);
  return hamel ? std::move(*hamel) : first_order(setting, at, Form::multipliers);
}

std::optional<FirstOrderSystem> first_order_orthogonal(Setting setting, const State& at) {
  // a form in the velocities whose coefficients contain them is no sum of squares
  const std::vector<Expr>& v = setting.system->motion.v;
  if (std::ranges::any_of(setting.terms.mass.entries, [&](Expr e) { return depends_on(e, v); })) return std::nullopt;
  const Setting kept = setting;
  try {
    FirstOrderSystem result = Builder(std::move(setting), at, Form::hamel, Builder::Wants::orthogonal).run();
    if (result.divided_by.empty()) return std::nullopt;
    refuse_singular(kept, at, result);
    return result;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace cetaev
