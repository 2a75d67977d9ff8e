#include "cetaev/energy/energies.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/formulation/voronec_terms.hpp"

namespace cetaev {

namespace {

Expr dot(Context& context, std::span<const Expr> a, std::span<const Expr> b) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < a.size(); ++i) terms.push_back(a[i] * b[i]);
  return context.sum(terms);
}

std::vector<Expr> pick(const std::vector<Expr>& from, const std::vector<std::size_t>& which) {
  std::vector<Expr> result;
  for (const std::size_t i : which) result.push_back(from[i]);
  return result;
}

EnergyTerms::Reduced reduced_terms(const Setting& s, Expr E) {
  Context& context = s.context();
  const Motion& motion = s.system->motion;
  const Jets& jets = s.jets();
  const VoronecTerms terms(s, jets);
  const std::size_t k = s.rank(), m = s.independent.size();
  const std::vector<Expr> v = pick(motion.v, s.independent), alpha = pick(motion.v, s.dependent);
  Derivation d_t = jets.total_derivative(s, terms.a);
  EnergyTerms::Reduced result;
  result.blocks = jets.blocks;

  // E* = Σ_r v_r ∂L*/∂v_r − L*, with ∂L*/∂v_r = ∂L/∂v_r + Σ_ν γ_νr p_ν
  std::vector<Expr> sum = {-s.system->lagrangian};
  for (std::size_t r = 0; r < m; ++r) {
    std::vector<Expr> momentum = {s.terms.momentum[s.independent[r]]};
    for (std::size_t nu = 0; nu < k; ++nu) momentum.push_back(jets.gamma(nu, r) * terms.p[nu]);
    sum.push_back(v[r] * context.sum(momentum));
  }
  result.E = context.sum(sum);
  result.dE_dt = d_t(result.E);

  for (std::size_t nu = 0; nu < k; ++nu) {
    std::vector<Expr> bar, b_bar;
    for (std::size_t r = 0; r < m; ++r) {
      bar.push_back(jets.gamma(nu, r) * v[r]);
      b_bar.push_back(terms.B(nu, r) * v[r]);
    }
    result.alpha_bar.push_back(context.sum(bar));
    result.excess.push_back(result.alpha_bar.back() - alpha[nu]);
    result.B_bar.push_back(context.sum(b_bar));
  }
  result.E_by_excess = E + dot(context, result.excess, terms.p);
  for (std::size_t nu = 0; nu < k; ++nu) {
    std::vector<Expr> by_22 = {d_t(result.excess[nu]), jets.by_time[nu]};
    for (std::size_t mu = 0; mu < k; ++mu) {
      by_22.push_back(-(jets.by_position(nu, s.dependent[mu]) * result.excess[mu]));
    }
    result.B_bar_by_22.push_back(context.sum(by_22));
  }

  // ∂L*/∂t = ∂L/∂t + Σ_ν p_ν ∂α_ν/∂t
  const Expr by_time = derivative(s.system->lagrangian, motion.t) + dot(context, terms.p, jets.by_time);
  result.balance.push_back({"-dL*/dt", "explicit time in L*", -by_time});
  result.balance.push_back({"sum (alphabar - alpha) dL*/dq_dep", "the dependent coordinates in L*",
                            dot(context, result.excess, pick(terms.by_position, s.dependent))});
  result.balance.push_back({"sum Bbar p", "nonholonomic terms", dot(context, result.B_bar, terms.p)});
  result.balance.push_back({"sum v_r (F_r + gamma F_dep)", "power of the forces", dot(context, v, terms.force)});

  // R·v = Σ_ν (α_ν − ᾱ_ν)(E_{m+ν}L − F_{m+ν}), with E L − F = H a − b
  std::vector<Expr> power;
  for (std::size_t nu = 0; nu < k; ++nu) {
    const std::size_t d = s.dependent[nu];
    std::vector<Expr> equation = {-s.terms.bias[d]};
    for (std::size_t j = 0; j < s.n(); ++j) equation.push_back(s.terms.mass(d, j) * motion.a[j]);
    power.push_back(-(result.excess[nu] * context.sum(equation)));
  }
  result.reaction_power = context.sum(power);
  return result;
}

bool second_order(const Setting& s) {
  const std::vector<int>& order = s.terms.constraints.order;
  return std::any_of(order.begin(), order.end(), [](int o) { return o == 2; });
}

// E − T − V = v·∂L/∂v − 2 T where T is known and not of second degree, for all that its form shows, or V contains velocities.
std::optional<EnergyShare> beyond_parts(const Setting& s) {
  const Motion& motion = s.system->motion;
  if (!s.system->kinetic) return std::nullopt;
  const Expr T = *s.system->kinetic;
  const bool of_positions = !s.system->potential || !depends_on(*s.system->potential, motion.v);
  if (of_positions && (T.is_zero() || homogeneity_degree(T, motion.v) == Rational(2))) return std::nullopt;
  const Expr rest = dot(s.context(), motion.v, s.terms.momentum) - Rational(2) * T;
  if (rest.is_zero()) return std::nullopt;
  const bool by_degree = of_positions && std::none_of(s.terms.mass.entries.begin(), s.terms.mass.entries.end(),
                                                      [&](Expr e) { return depends_on(e, motion.v); });
  return EnergyShare{EnergyShare::Kind::beyond, by_degree ? "-(T1 + 2 T0)" : "v dL/dv - 2 T", rest};
}

}  // namespace

std::string_view to_string(EnergyShare::Kind kind) {
  switch (kind) {
    case EnergyShare::Kind::kinetic: return "kinetic energy";
    case EnergyShare::Kind::potential: return "potential energy";
    case EnergyShare::Kind::beyond: return "E - T - V";
    case EnergyShare::Kind::force: return "power of the forces";
    case EnergyShare::Kind::reaction: return "power of the reactions";
  }
  return {};
}

EnergyTerms::EnergyTerms(const Setting& s) {
  Context& context = s.context();
  const Motion& motion = s.system->motion;
  const Expr L = s.system->lagrangian;
  const ConstraintSet& set = s.terms.constraints;
  lambda = s.symbols("energy_lambda", set.size());

  E = dot(context, motion.v, s.terms.momentum) - L;
  dE_dt = total_derivative(motion)(E);
  std::vector<Expr> power;
  for (std::size_t i = 0; i < set.size(); ++i) {
    std::vector<Expr> along;
    for (std::size_t j = 0; j < s.n(); ++j) along.push_back(set.jacobian(i, j) * motion.v[j]);
    power.push_back(lambda[i] * context.sum(along));
  }
  reaction_power = context.sum(power);
  for (const EnergyPart& part : s.system->kinetic_parts)
    shares.push_back({EnergyShare::Kind::kinetic, part.of, part.energy});
  for (const EnergyPart& part : s.system->potential_parts)
    shares.push_back({EnergyShare::Kind::potential, part.of, part.energy});
  if (std::optional<EnergyShare> rest = beyond_parts(s)) shares.push_back(std::move(*rest));
  for (const ForcePart& part : s.system->force_parts)
    shares.push_back({EnergyShare::Kind::force, part.of, dot(context, part.forces, motion.v)});
  for (std::size_t i = 0; i < set.size(); ++i)
    shares.push_back({EnergyShare::Kind::reaction, s.system->constraints[i].label(), power[i]});
  balance.push_back({"-dL/dt", "explicit time in L", -derivative(L, motion.t)});
  balance.push_back({"lambda J v", "power of the reactions", reaction_power});
  balance.push_back({"F v", "power of the forces", dot(context, s.system->forces, motion.v)});
  if (!second_order(s) && !s.dependent_error) reduced = reduced_terms(s, E);
}

Energies::Energies(const Setting& setting) : setting_(setting), terms_(setting) {}

Program Energies::program(std::span<const Expr> expressions) const {
  std::vector<Expr> inputs = state_symbols(setting_.system);
  const std::vector<Expr>& a = setting_.system->motion.a;
  inputs.insert(inputs.end(), a.begin(), a.end());
  inputs.insert(inputs.end(), terms_.lambda.begin(), terms_.lambda.end());
  return terms_.reduced ? Program(expressions, inputs, terms_.reduced->blocks) : Program(expressions, inputs);
}

EnergyValues Energies::at(const State& state, std::span<const double> a, std::span<const double> multipliers) const {
  std::vector<double> values = state_values(state, parameter_values(setting_.system));
  values.insert(values.end(), a.begin(), a.end());
  values.insert(values.end(), multipliers.begin(), multipliers.end());

  // E, Ė, R·v, then the balance term by term, then what else belongs to it
  const auto run = [&](Expr E, Expr rate, Expr power, const std::vector<BalanceTerm>& balance, auto& target,
                       std::vector<double>* shares) {
    std::vector<Expr> outputs = {E, rate, power};
    for (const BalanceTerm& term : balance) outputs.push_back(term.expression);
    if (shares != nullptr)
      for (const EnergyShare& share : terms_.shares) outputs.push_back(share.expression);
    const Program program = this->program(outputs);
    std::vector<double> numbers(outputs.size());
    if (Interpreter(program)(values, numbers) >= 0) {
      throw Error(ErrorCode::singular_dependent,
                  "the constraints cannot be solved for the dependent velocities at this state");
    }
    for (const double x : numbers) {
      if (!std::isfinite(x))
        throw Error(ErrorCode::non_finite, "the energy or its balance is not finite at this state");
    }
    target.E = numbers[0];
    target.dE_dt = numbers[1];
    target.reaction_power = numbers[2];
    const auto end = numbers.begin() + 3 + static_cast<std::ptrdiff_t>(balance.size());
    target.balance.assign(numbers.begin() + 3, end);
    if (shares != nullptr) shares->assign(end, numbers.end());
    for (const double x : target.balance) target.dE_dt_balance += x;
  };
  EnergyValues result;
  run(terms_.E, terms_.dE_dt, terms_.reaction_power, terms_.balance, result, &result.shares);
  if (const auto& r = terms_.reduced) {
    result.reduced = EnergyValues::Reduced{};
    run(r->E, r->dE_dt, r->reaction_power, r->balance, *result.reduced, nullptr);
  }
  return result;
}

std::optional<EnergyAtState> energy_at(Groundwork& work, const Evaluation& evaluation) {
  const FormResult* motion = evaluation.find(Form::multipliers);
  if (motion == nullptr || !motion->values) return std::nullopt;
  const Setting setting = work.setting_at(evaluation.initial);
  const Energies energies(setting);
  return EnergyAtState{energies.terms(),
                       energies.at(evaluation.initial.state, motion->values->a, motion->values->multipliers)};
}

}  // namespace cetaev
