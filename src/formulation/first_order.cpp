#include "cetaev/formulation/first_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "assemble.hpp"
#include "basis.hpp"
#include "cetaev/algebra/normal.hpp"
#include "principles.hpp"
#include "solve_steps.hpp"

namespace cetaev {

namespace {

// Random states at which a linear system that is singular at the given one is tried before it counts as singular everywhere.
constexpr std::uint64_t further_states = 5;

// Sets of more constraints have their dependent velocities solved for at run time.
constexpr std::size_t largest_written_out = 4;

bool is_about_independent_velocities(std::string_view form) {
  return form == "voronec" || form == "caplygin" || form == "appell" || form == "reduced";
}

class Builder {
 public:
  Builder(Setting setting, const State& at, std::string_view form, bool orthogonal = false, bool written_out = true)
      : s_(std::move(setting)), at_(at), motion_(s_.system.motion), orthogonal_(orthogonal), written_out_(written_out) {
    result_.form = form;
    result_.t = motion_.t;
    result_.rows = s_.rows;
    for (const Parameter& p : s_.system.parameters) result_.parameters.push_back(p.symbol);
  }

  FirstOrderSystem run() {
    for (std::size_t i = 0; i < s_.n(); ++i) add(s_.system.coordinates[i], motion_.q[i], motion_.q[i]);
    result_.velocities = motion_.v;
    if (result_.form == "hamel") {
      hamel();
    } else if (is_about_independent_velocities(result_.form)) {
      independent_velocities();
    } else {
      all_velocities(derive());
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

  void add_velocity(std::size_t i) { add(s_.system.coordinates[i] + "'", motion_.v[i], motion_.v[i]); }

  Formulation derive() {
    Formulation form = find_principle(result_.form)->derive(s_);
    result_.equations = form.equations;
    result_.notes = form.notes;
    return form;
  }

  // y = (q, v), or (q, v, λ)
  void all_velocities(const Formulation& form) {
    for (std::size_t i = 0; i < s_.n(); ++i) add_velocity(i);
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
    result_.global = !uses_dependent();
  }

  bool uses_dependent() const {
    static constexpr std::array names = {"multipliers", "gauss", "vakonomic"};
    return std::find(names.begin(), names.end(), result_.form) == names.end() && s_.rank() > 0;
  }

  // y = (q, v_ind), v_dep = α
  void independent_velocities() {
    s_.refuse_second_order(result_.form);
    s_.require_dependent();
    std::optional<std::vector<Expr>> alpha = solved_at_run_time();
    if (!alpha) {
      alpha = s_.closed_form(at_);
      if (alpha) s_.use_explicit(*alpha);
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

  // α of many constraints linear in the dependent velocities: J_dep α = −φ at v_dep = 0 as a step. Written out it would be
  // too long.
  std::optional<std::vector<Expr>> solved_at_run_time() {
    if (written_out_ && s_.rank() <= largest_written_out) return std::nullopt;
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
    std::vector<Expr> alpha = block.unknowns;
    result_.steps.push_back({std::move(block), ErrorCode::singular_dependent, singular_dependent_message(s_)});
    return alpha;
  }

  // v by the state in everything made so far
  void express_velocities() {
    std::vector<Replacement> in_state;
    for (std::size_t i = 0; i < s_.n(); ++i) {
      if (result_.velocities[i] != motion_.v[i]) in_state.emplace_back(motion_.v[i], result_.velocities[i]);
    }
    for (SolveStep& step : result_.steps) {
      step.block.matrix.entries = substitute(step.block.matrix.entries, in_state);
      step.block.right.entries = substitute(step.block.right.entries, in_state);
    }
    for (auto* list : {&result_.rates, &result_.accelerations, &result_.multipliers}) {
      *list = substitute(*list, in_state);
    }
  }

  // y = (q, u), v = N u + n₀, (NᵀHN) u̇ = Nᵀ(b − H d), d = Ṅ u + ṅ₀
  void hamel() {
    (void)derive();
    const std::size_t m = s_.independent.size();
    std::vector<Expr> definition, u;
    std::optional<Basis> basis;
    for (const NamedExpression& q : s_.system.quasi_velocities) {
      definition.push_back(q.expression);
      u.push_back(s_.context().symbol("$" + q.name));
      add(q.name, u.back(), q.expression);
    }
    if (definition.empty() && written_out_) basis = regular_basis(s_);
    if (basis) {
      u = found_quasi_velocities(*basis);
    } else {
      if (definition.empty()) {
        for (const std::size_t i : s_.independent) {
          u.push_back(motion_.v[i]);
          add_velocity(i);
        }
        definition = u;
      }
      if (written_out_) basis = basis_of(s_, definition);
      result_.global = basis && is_regular_everywhere(s_, *basis);
    }
    std::vector<Expr> d;
    if (basis) {
      for (Expr& e : basis->N.entries) e = cheapest(e);
      for (Expr& e : basis->drift) e = cheapest(e);
      if (orthogonal_) complete_squares(*basis, u);
      Derivation advance = derivative_at_fixed_velocity(motion_);
      for (std::size_t i = 0; i < s_.n(); ++i) {
        std::vector<Expr> terms = {advance(basis->drift[i])};
        for (std::size_t j = 0; j < m; ++j) terms.push_back(advance(basis->N(i, j)) * u[j]);
        d.push_back(s_.context().sum(terms));
      }
    } else {
      basis = basis_at_run_time(definition, d);
    }
    if (squares_) {
      // by the quasi-velocities before the squares were completed, so that equal parts are made once
      const std::vector<Expr> along = multiply(s_, squares_->N, multiply(s_, squares_->T, u));
      for (std::size_t i = 0; i < s_.n(); ++i) result_.velocities[i] = along[i] + basis->drift[i];
    } else {
      const std::vector<Expr> along = multiply(s_, basis->N, u);
      for (std::size_t i = 0; i < s_.n(); ++i) result_.velocities[i] = cheapest(along[i] + basis->drift[i]);
    }
    result_.rates = motion_.v;
    result_.accelerations = d;
    if (m > 0) {
      const Matrix NT = transpose(basis->N);
      const Matrix NTH = multiply(s_, NT, s_.terms.mass);
      std::vector<Expr> force = multiply(s_, NT, s_.terms.bias);
      const std::vector<Expr> inertial = multiply(s_, NTH, d);
      for (std::size_t i = 0; i < m; ++i) force[i] = force[i] - inertial[i];
      if (squares_) {
        diagonal_rates(*basis, u, force, d);
        express_velocities();
        return;
      }
      LinearBlock block{multiply(s_, NTH, basis->N), column(force), s_.symbols("hamel_rate", m)};
      const std::vector<Expr> part = multiply(s_, basis->N, block.unknowns);
      for (std::size_t i = 0; i < s_.n(); ++i) result_.accelerations[i] = part[i] + d[i];
      for (const Expr rate : block.unknowns) result_.rates.push_back(rate);
      result_.steps.push_back({std::move(block), ErrorCode::singular_mass_matrix,
                               "the mass matrix is singular on the directions that the constraints leave free"});
    }
    express_velocities();
  }

  // z instead of u: with M = NᵀHN, pivot by pivot Σ M_jk u_j u_k = D_i (u_i + Σ_j l_j u_j)² + what is left of the others,
  // z_i = u_i + Σ_j l_j u_j. Where D_i = c s² with c constant, σ_i = s z_i belongs to the state: its equation has c for mass.
  void complete_squares(Basis& basis, std::vector<Expr>& u) {
    const std::size_t m = u.size();
    std::vector<Expr> moving = motion_.q;
    moving.insert(moving.end(), motion_.v.begin(), motion_.v.end());
    moving.push_back(motion_.t);
    Matrix M = multiply(s_, multiply(s_, transpose(basis.N), s_.terms.mass), basis.N);
    for (Expr& e : M.entries) e = cheapest(e);
    result_.divided_by.push_back(M);
    Matrix squares = zeros(s_, m, m);  // rows z_i in u
    squares_.emplace(Squares{basis.N, {}, std::vector<Expr>(m, s_.context().one()), std::vector<Expr>(m)});
    std::vector<Expr>& scale = squares_->scale;
    std::vector<std::size_t> order, left(m);
    std::iota(left.begin(), left.end(), std::size_t{0});
    while (!left.empty()) {
      auto pivot = std::find_if(left.begin(), left.end(),
                                [&](std::size_t i) { return !M(i, i).is_zero() && !depends_on(M(i, i), moving); });
      if (pivot == left.end())
        pivot = std::find_if(left.begin(), left.end(), [&](std::size_t i) { return !M(i, i).is_zero(); });
      if (pivot == left.end()) throw Error(ErrorCode::not_applicable, "no square can be completed");
      const std::size_t i = *pivot;
      left.erase(pivot);
      order.push_back(i);
      squares(i, i) = s_.context().one();
      for (const std::size_t j : left) squares(i, j) = cheapest(M(i, j) / M(i, i));
      for (const std::size_t j : left) {
        for (const std::size_t k : left) M(j, k) = cheapest(M(j, k) - squares(i, j) * M(i, k));
      }
      scale[i] = square_root_of_moving_part(M(i, i), moving);
      squares_->D[i] = M(i, i);
    }
    // u = T z, the last pivot first
    Matrix T = zeros(s_, m, m);
    for (std::size_t p = m; p-- > 0;) {
      const std::size_t i = order[p];
      for (std::size_t k = 0; k < m; ++k) {
        std::vector<Expr> terms;
        if (k == i) terms.push_back(s_.context().one());
        for (std::size_t later = p + 1; later < m; ++later)
          terms.push_back(-(squares(i, order[later]) * T(order[later], k)));
        T(i, k) = cheapest(s_.context().sum(terms));
      }
    }
    basis.N = multiply(s_, basis.N, T);
    for (Expr& e : basis.N.entries) e = cheapest(e);
    squares_->T = T;
    // the same for the names and for y from q, v
    const std::size_t first = result_.state.size() - m;
    std::vector<Expr> given(result_.from_state.begin() + static_cast<std::ptrdiff_t>(first), result_.from_state.end());
    for (std::size_t i = 0; i < m; ++i) {
      std::vector<Expr> terms;
      for (std::size_t j = 0; j < m; ++j) terms.push_back(squares(i, j) * given[j]);
      result_.from_state[first + i] = scale[i] * s_.context().sum(terms);
      const Expr sigma = s_.context().symbol("$sigma" + std::to_string(i + 1));
      result_.state[first + i] = {"sigma" + std::to_string(i + 1), sigma};
      u[i] = sigma;
      if (scale[i].is_one()) continue;
      u[i] = s_.symbols("square" + std::to_string(i), 1)[0];
      result_.steps.push_back({{{1, 1, {scale[i]}}, {1, 1, {sigma}}, {u[i]}},
                               ErrorCode::singular_mass_matrix,
                               "the mass matrix is singular on the directions that the constraints leave free"});
    }
  }

  // σ for s z, which the state has already
  Expr with_sigma(Expr e, const std::vector<Expr>& z) {
    std::vector<Replacement> found;
    for (const Expr node : topological(std::array{e})) {
      if (node.kind() != Kind::product) continue;
      Expr better = node;
      for (std::size_t i = 0; i < z.size(); ++i) {
        const Expr s = squares_->scale[i];
        if (s.is_one()) continue;
        Rational of_z(0), of_s(0);
        for (std::size_t j = 0; j < node.size(); ++j) {
          if (node.base(j) == z[i]) of_z = node.exponent(j);
          if (node.base(j) == s) of_s = node.exponent(j);
        }
        if (of_z.sign() <= 0 || of_s.sign() <= 0) continue;
        const Rational both = of_z < of_s ? of_z : of_s;
        const Expr sigma = result_.state[result_.state.size() - z.size() + i].symbol;
        better = better * pow(sigma / (s * z[i]), both);
      }
      if (better != node) found.emplace_back(node, better);
    }
    return found.empty() ? e : substitute(e, found);
  }

  // D_i z_i' = F_i; σ_i' = s z_i' + s' z_i
  void diagonal_rates(const Basis& basis, const std::vector<Expr>& z, const std::vector<Expr>& force,
                      const std::vector<Expr>& d) {
    const std::size_t m = z.size();
    std::vector<Replacement> in_state;
    for (std::size_t i = 0; i < s_.n(); ++i) in_state.emplace_back(motion_.v[i], result_.velocities[i]);
    Derivation advance = derivative_at_fixed_velocity(motion_);
    const double patience = largest_simplified_with_patience;
    std::vector<Expr> z_rates;
    for (std::size_t i = 0; i < m; ++i) {
      const Expr s = squares_->scale[i];
      const Expr F = cheapest(substitute(force[i], in_state), patience);
      if (s.is_one() && depends_on(squares_->D[i], motion_.q)) {
        LinearBlock block{{1, 1, {squares_->D[i]}}, {1, 1, {F}}, s_.symbols("hamel_rate" + std::to_string(i), 1)};
        z_rates.push_back(block.unknowns[0]);
        result_.rates.push_back(block.unknowns[0]);
        result_.steps.push_back({std::move(block), ErrorCode::singular_mass_matrix,
                                 "the mass matrix is singular on the directions that the constraints leave free"});
        continue;
      }
      const Expr drift = substitute(advance(s), in_state) * z[i];
      const Expr rate = with_sigma(cheapest(s * F / squares_->D[i] + drift, patience), z);
      result_.rates.push_back(rate);
      z_rates.push_back(s.is_one() ? rate : (rate - drift) / s);
    }
    const std::vector<Expr> part = multiply(s_, basis.N, z_rates);
    for (std::size_t i = 0; i < s_.n(); ++i) result_.accelerations[i] = part[i] + d[i];
  }

  // s of c s², c constant; 1 where there is none.
  Expr square_root_of_moving_part(Expr e, const std::vector<Expr>& moving) {
    const Expr factored = normal(e, Shape::factored);
    Expr s = s_.context().one();
    if (factored.kind() != Kind::product && factored.kind() != Kind::sum) return s;
    // a number times a product is a sum of one term
    Expr product = factored;
    if (factored.kind() == Kind::sum) {
      if (factored.size() != 1 || !factored.constant().is_zero()) return s;
      product = factored.term(0);
      if (product.kind() != Kind::product) return s;
    }
    for (std::size_t i = 0; i < product.size(); ++i) {
      if (!depends_on(product.base(i), moving)) continue;
      const Rational half = product.exponent(i) / Rational(2);
      if (!half.is_integer()) return s_.context().one();
      s = s * pow(product.base(i), half);
    }
    return s;
  }

  // u₁ … of a basis that the program found, from v by (NᵀN) u = Nᵀ(v − n₀)
  std::vector<Expr> found_quasi_velocities(const Basis& basis) {
    const std::size_t m = basis.N.columns;
    if (m == 0) return {};
    const Matrix NT = transpose(basis.N);
    std::vector<Expr> difference;
    for (std::size_t i = 0; i < s_.n(); ++i) difference.push_back(motion_.v[i] - basis.drift[i]);
    LinearBlock block{multiply(s_, NT, basis.N), column(multiply(s_, NT, difference)), s_.symbols("from_v", m)};
    std::vector<Expr> u;
    for (std::size_t j = 0; j < m; ++j) {
      const std::string name = "u" + std::to_string(j + 1);
      u.push_back(s_.context().symbol("$" + name));
      add(name, u.back(), block.unknowns[j]);
    }
    result_.from_steps.push_back(
        {std::move(block), ErrorCode::rank_lost, "the basis of quasi-velocities degenerates at this state"});
    return u;
  }

  // [∂u/∂v; J] [N | n₀] = [I, −u; 0, −φ] at v = 0, and the same matrix times d = (−u̇ at fixed v; c)
  Basis basis_at_run_time(const std::vector<Expr>& definition, std::vector<Expr>& d) {
    const std::size_t n = s_.n(), m = definition.size();
    std::vector<Expr> functions = definition;
    const std::vector<Expr> phi = s_.phi(), c = s_.c();
    functions.insert(functions.end(), phi.begin(), phi.end());
    std::vector<Replacement> at_rest;
    for (const Expr v : motion_.v) at_rest.emplace_back(v, s_.zero());
    const std::vector<Expr> constant = substitute(functions, at_rest);
    const Matrix M = jacobian(functions, motion_.v);
    LinearBlock first{M, zeros(s_, n, m + 1), s_.symbols("hamel_basis", n * (m + 1))};
    LinearBlock second{M, zeros(s_, n, 1), s_.symbols("hamel_drift", n)};
    Derivation advance = derivative_at_fixed_velocity(motion_);
    for (std::size_t i = 0; i < n; ++i) {
      if (i < m) first.right(i, i) = s_.context().one();
      first.right(i, m) = -constant[i];
      second.right(i, 0) = i < m ? -advance(definition[i]) : c[i - m];
    }
    Basis basis{zeros(s_, n, m), {}};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) basis.N(i, j) = first.unknown(i, j);
      basis.drift.push_back(first.unknown(i, m));
    }
    d = second.unknowns;
    const std::string meaning =
        "the quasi-velocities and the constraints do not determine the velocities at this state";
    result_.steps.push_back({std::move(first), ErrorCode::singular_dependent, meaning});
    result_.steps.push_back({std::move(second), ErrorCode::singular_dependent, meaning});
    return basis;
  }

  void add_observables() {
    std::vector<Replacement> in_state;
    for (std::size_t i = 0; i < s_.n(); ++i) {
      in_state.emplace_back(motion_.v[i], result_.velocities[i]);
      in_state.emplace_back(motion_.a[i], result_.accelerations[i]);
    }
    result_.residual = substitute(s_.terms.constraints.residual, in_state);
    const Expr E = dot(s_, motion_.v, s_.terms.momentum) - s_.system.lagrangian;
    result_.energy = substitute(E, in_state);
  }

  void simplify() {
    std::vector<Expr> variables = {result_.t};
    for (const StateVariable& y : result_.state) variables.push_back(y.symbol);
    std::vector<Expr> energy = {result_.energy};
    std::array outputs = {&result_.rates,       &result_.velocities, &result_.accelerations,
                          &result_.multipliers, &result_.residual,   &energy};
    if (squares_) return;  // as short as it gets already
    solve_by_algebra(variables, result_.steps, outputs,
                     orthogonal_ ? largest_simplified_with_patience : largest_simplified);
    result_.energy = energy[0];
  }

  Setting s_;
  const State& at_;
  const Motion& motion_;
  bool orthogonal_;
  bool written_out_;
  struct Squares {
    Matrix N;                 // of the basis before
    Matrix T;                 // u = T z
    std::vector<Expr> scale;  // s
    std::vector<Expr> D;
  };
  std::optional<Squares> squares_;
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

}  // namespace

FirstOrderSystem first_order(Setting setting, const State& at, std::string_view form, bool written_out) {
  const Setting kept = setting;
  FirstOrderSystem result = Builder(std::move(setting), at, form, false, written_out).run();
  refuse_singular(kept, at, result);
  return result;
}

std::optional<FirstOrderSystem> first_order_orthogonal(Setting setting, const State& at) {
  const Setting kept = setting;
  try {
    FirstOrderSystem result = Builder(std::move(setting), at, "hamel", true).run();
    if (result.divided_by.empty()) return std::nullopt;
    refuse_singular(kept, at, result);
    return result;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace cetaev
