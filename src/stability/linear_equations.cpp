// With v_dep = α(q, v_ind) and a_dep = Dₜα, Maggi's equations are R_r = E_r + Σ_ν E_ν ∂α_ν/∂v_r = 0, E = H a − b, in positions and independent
// velocities and accelerations. At a steady motion, where a = 0,
//
//   M = ∂R/∂a_ind,  C = ∂R/∂v_ind,  K = ∂R/∂q
//
// In quasi-velocities u, with v = V(q, u) and a = Dₜ V, they are R_r = Σ_i E_i ∂V_i/∂u_r, and u' takes the place of a_ind.
//
// with positions that constraints on positions leave dependent following the others.
#include "cetaev/stability/linear_equations.hpp"

#include <algorithm>
#include <array>

#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/analysis/common_sums.hpp"
#include "cetaev/detail/analysis/free_names.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "elsewhere.hpp"

namespace cetaev {

namespace {

constexpr int highest_power = 4;
// Of simplification: matrices that a person reads take a hundredth.
constexpr double effort_of_names = 2;

class LinearAbout {
 public:
  LinearAbout(const System& model, bool quasi)
      : work_(Groundwork::apart(model)),
        system_(work_.system()),
        motion_(system_->motion),
        at_(work_.initial()),
        in_quasi_(quasi) {
    result_.system = system_;
  }

  LinearEquations run() {
    require_steady();
    if (in_quasi_)
      make_quasi_equations();
    else
      make_equations();
    choose_state();
    const std::vector<Expr> q_values = result_.q;
    Matrix M = at_state(jacobian(equations_, a_)), C = at_state(jacobian(equations_, u_));
    Matrix K = at_state(jacobian(equations_, motion_.q));
    Matrix p_rates = at_state(jacobian(velocities_, motion_.q)), p_by_u = at_state(jacobian(velocities_, u_));
    follow_constraints(K, p_rates);
    choose_positions(K, p_rates);
    require_rest();
    result_.M = std::move(M);
    result_.C = std::move(C);
    result_.K = columns(K, result_.positions);
    result_.velocities = independent_;
    result_.second_order =
        !in_quasi_ && std::all_of(result_.positions.begin(), result_.positions.end(), [&](std::size_t i) {
          return std::find(independent_.begin(), independent_.end(), i) != independent_.end();
        });
    if (result_.second_order) {
      // columns for all of them, and zero for those that do not matter
      Matrix all{equations_.size(), independent_.size(), {}};
      for (std::size_t r = 0; r < all.rows; ++r) {
        for (const std::size_t i : independent_) {
          const auto found = std::find(result_.positions.begin(), result_.positions.end(), i);
          all.entries.push_back(found == result_.positions.end() ? zero() : K(r, i));
        }
      }
      result_.K = std::move(all);
      result_.positions = independent_;
    } else {
      result_.P = columns(rows(p_rates, result_.positions), result_.positions);
      result_.U = rows(p_by_u, result_.positions);
    }
    split_by_speed();
    const std::vector<Replacement> values = state_values_exact();
    for (std::size_t i = 0; i < system_->size(); ++i)
      result_.v[i] = simplifier_.simplify(with_signs(substitute(velocities_[i], values)));
    if (in_quasi_) {
      result_.u = u_values_;
      result_.u_symbols = u_;
    }
    return std::move(result_);
  }

 private:
  Expr zero() const { return system_->context->zero(); }
  bool is_zero(Expr e) const { return e.is_zero() || prove_zero(e).verdict == Verdict::proved; }
  // For the values of the parameters, which formulas may tie together.
  bool is_zero_here(Expr e) const {
    if (is_zero(e)) return true;
    std::vector<Replacement> formulas;
    for (const Parameter& p : system_->parameters)
      if (!p.definition.is_number()) formulas.emplace_back(p.symbol, substitute(p.definition, formulas));
    return is_zero(substitute(e, formulas)) || is_zero(with_parameter_values(system_, e));
  }

  // By the values of the parameters: coordinates that are not ignorable, by proof, and velocities stay, and no time stands in the equations.
  void require_steady() {
    const ReducedField field(work_, at_, in_quasi_);
    const std::vector<double> parameters = parameter_values(system_);
    (void)find_steady(field, field.state(at_.state, parameters), parameters, {});
  }

  void make_equations() {
    Setting setting = work_.setting_at(at_);
    if (const auto error = setting.second_order("derive --linear")) throw *error;
    const std::size_t n = system_->size();
    velocities_ = motion_.v;
    std::vector<Expr> accelerations = motion_.a;
    independent_.clear();
    Matrix gamma;
    if (setting.rank() == 0) {
      for (std::size_t i = 0; i < n; ++i) independent_.push_back(i);
    } else {
      setting.require_dependent();
      independent_ = setting.independent;
      const auto alpha = setting.closed_form(at_.state);
      if (!alpha)
        throw Error(ErrorCode::not_applicable,
                    "the constraints have no closed form for the dependent velocities: `linearize` gives the numbers");
      for (const std::size_t i : independent_) u_.push_back(motion_.v[i]);
      gamma = jacobian(*alpha, u_);
      Derivation d_t = total_derivative(motion_);
      std::vector<Replacement> by_alpha;
      for (std::size_t k = 0; k < alpha->size(); ++k)
        by_alpha.emplace_back(motion_.v[setting.dependent[k]], (*alpha)[k]);
      for (std::size_t k = 0; k < alpha->size(); ++k) {
        velocities_[setting.dependent[k]] = (*alpha)[k];
        accelerations[setting.dependent[k]] = substitute(d_t((*alpha)[k]), by_alpha);
      }
    }
    u_.clear();
    for (const std::size_t i : independent_) u_.push_back(motion_.v[i]);
    for (const std::size_t i : independent_) a_.push_back(motion_.a[i]);
    std::vector<Replacement> in_state;
    for (const std::size_t i : setting.dependent) {
      in_state.emplace_back(motion_.v[i], velocities_[i]);
      in_state.emplace_back(motion_.a[i], accelerations[i]);
    }
    for (std::size_t r = 0; r < independent_.size(); ++r) {
      std::vector<Expr> sum = {free_of(independent_[r])};
      for (std::size_t k = 0; k < setting.dependent.size(); ++k)
        sum.push_back(gamma(k, r) * free_of(setting.dependent[k]));
      equations_.push_back(substitute(system_->context->sum(sum), in_state));
    }
  }

  // The same in the quasi-velocities of the model.
  void make_quasi_equations() {
    Setting setting = work_.setting_at(at_);
    if (const auto error = setting.second_order("derive --linear")) throw *error;
    quasi_ = first_order(setting, at_.state, Form::hamel);
    if (!quasi_->needed_for(quasi_->velocities).blocks.empty() || !quasi_->from_steps.empty())
      throw Error(
          ErrorCode::not_applicable,
          "the velocities have no closed form in the quasi-velocities of the model: `linearize` gives the numbers");
    const std::size_t n = system_->size();
    velocities_ = quasi_->velocities;
    std::vector<Derivation::Seed> along = {{motion_.t, system_->context->one()}};
    for (std::size_t i = 0; i < n; ++i) along.emplace_back(motion_.q[i], velocities_[i]);
    for (std::size_t k = n; k < quasi_->state.size(); ++k) {
      u_.push_back(quasi_->state[k].symbol);
      a_.push_back(system_->context->symbol(quasi_->state[k].name + "'$"));
      result_.quasi.push_back(quasi_->state[k].name);
      along.emplace_back(u_.back(), a_.back());
    }
    Derivation d_t(along);
    std::vector<Replacement> in_state;
    for (std::size_t i = 0; i < n; ++i) {
      in_state.emplace_back(motion_.v[i], velocities_[i]);
      in_state.emplace_back(motion_.a[i], d_t(velocities_[i]));
    }
    const Matrix by_u = jacobian(velocities_, u_);
    for (std::size_t r = 0; r < u_.size(); ++r) {
      std::vector<Expr> sum;
      for (std::size_t i = 0; i < n; ++i) sum.push_back(by_u(i, r) * free_of(i));
      equations_.push_back(substitute(system_->context->sum(sum), in_state));
    }
  }

  // E_i = Σ H_ij a_j − b_i
  Expr free_of(std::size_t i) const {
    std::vector<Expr> sum = {-work_.terms().bias[i]};
    for (std::size_t j = 0; j < system_->size(); ++j) sum.push_back(work_.terms().mass(i, j) * motion_.a[j]);
    return system_->context->sum(sum);
  }

  // Values by the expressions of the model; of those, what may have any value keeps its name.
  void choose_state() {
    const std::size_t n = system_->size();
    const auto given = [&](const std::optional<Expr>& e) { return e.value_or(zero()); };
    for (std::size_t i = 0; i < n; ++i) {
      result_.q.push_back(given(system_->initial.q[i]));
      result_.v.push_back(given(system_->initial.v[i]));
    }
    if (at_.moved) require_positions_as_given();
    if (in_quasi_) {
      u_values_ = quasi_values();
    } else {
      for (const std::size_t i : independent_) u_values_.push_back(result_.v[i]);
    }
    if (const std::string left = what_is_left(); !left.empty())
      throw Error(ErrorCode::not_steady, "the initial state is no steady motion: " + left);
    const auto keep_names = [&](std::vector<Expr>& values, const std::vector<Expr>& names) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!free_symbols(std::array{values[i]}).empty() || values[i].is_zero()) continue;
        const Expr number = std::exchange(values[i], names[i]);
        if (vanish())
          result_.named.emplace_back(names[i], number);
        else
          values[i] = number;
      }
    };
    keep_names(u_values_, u_);
    keep_names(result_.q, motion_.q);
  }

  // Of the velocities that are given, with those that follow from them.
  std::vector<Expr> quasi_values() {
    std::vector<Replacement> at;
    for (std::size_t i = 0; i < system_->size(); ++i) at.emplace_back(motion_.q[i], result_.q[i]);
    if (system_->initial.t) at.emplace_back(motion_.t, *system_->initial.t);
    Setting setting = work_.setting_at(at_);
    std::vector<Replacement> velocities = at;
    std::vector<Expr> alpha;
    if (setting.rank() > 0) {
      setting.require_dependent();
      const auto found = setting.closed_form(at_.state);
      if (!found)
        throw Error(ErrorCode::not_applicable,
                    "the constraints have no closed form for the dependent velocities: `linearize` gives the numbers");
      alpha = *found;
    }
    for (std::size_t i = 0; i < system_->size(); ++i)
      if (std::find(setting.dependent.begin(), setting.dependent.end(), i) == setting.dependent.end())
        velocities.emplace_back(motion_.v[i], result_.v[i]);
    for (std::size_t k = 0; k < alpha.size(); ++k)
      velocities.emplace_back(motion_.v[setting.dependent[k]], substitute(alpha[k], velocities));
    std::vector<Expr> values;
    for (std::size_t k = 0; k < u_.size(); ++k)
      values.push_back(simplifier_.simplify(substitute(quasi_->from_state[system_->size() + k], velocities)));
    return values;
  }

  void require_positions_as_given() const {
    const State given = given_state(system_);
    for (std::size_t i = 0; i < given.q.size(); ++i) {
      if (given.q[i] == at_.state.q[i]) continue;
      throw Error(ErrorCode::not_applicable, "the position " + system_->coordinates[i] +
                                                 " follows from the constraints: write its value in [initial], as a "
                                                 "formula of the parameters");
    }
  }

  std::vector<Replacement> state_values_exact() const {
    std::vector<Replacement> values;
    for (std::size_t i = 0; i < system_->size(); ++i)
      if (result_.q[i] != motion_.q[i]) values.emplace_back(motion_.q[i], result_.q[i]);
    for (std::size_t k = 0; k < u_.size(); ++k) {
      if (u_values_[k] != u_[k]) values.emplace_back(u_[k], u_values_[k]);
      values.emplace_back(a_[k], zero());
    }
    if (system_->initial.t) values.emplace_back(motion_.t, *system_->initial.t);
    return values;
  }

  // The equations without accelerations, and the constraints on positions.
  bool vanish() const {
    const std::vector<Replacement> values = state_values_exact();
    const auto vanishes = [&](Expr e) { return is_zero_here(substitute(e, values)); };
    const ConstraintSet& set = work_.terms().constraints;
    return std::all_of(equations_.begin(), equations_.end(), vanishes) &&
           std::all_of(set.position_rows.begin(), set.position_rows.end(),
                       [&](std::size_t i) { return vanishes(set.residual[i]); });
  }

  std::string what_is_left() const {
    const std::vector<Replacement> values = state_values_exact();
    std::string text;
    for (std::size_t r = 0; r < equations_.size(); ++r) {
      if (is_zero_here(substitute(equations_[r], values))) continue;
      text += (text.empty() ? "the equation of " : " and that of ") +
              (in_quasi_ ? result_.quasi[r] : system_->coordinates[independent_[r]]);
    }
    return text.empty() ? text : text + " asks for an acceleration";
  }

  Matrix at_state(Matrix matrix) {
    const std::vector<Replacement> values = state_values_exact();
    for (Expr& e : matrix.entries) e = simplifier_.simplify(with_signs(substitute(e, values)));
    return matrix;
  }

  // |c| and √c² of a parameter as c or −c, as its value has it: a stone has an upper side and a lower one.
  Expr with_signs(Expr e) {
    while (true) {
      std::vector<Replacement> list;
      for (const Expr node : topological(std::array{e})) {
        if (node.kind() == Kind::function && node.function() == Function::abs) {
          if (const auto plain = root_of_square(node.operands()[0] * node.operands()[0]))
            list.emplace_back(node, *plain);
        } else if (node.kind() == Kind::product) {
          for (std::size_t k = 0; k < node.size(); ++k) {
            if (node.exponent(k).denominator() != Rational(2)) continue;
            const auto plain = root_of_square(node.base(k));
            if (!plain) continue;
            const Rational twice = node.exponent(k) * Rational(2);
            list.emplace_back(node, node / pow(node.base(k), node.exponent(k)) * pow(*plain, twice));
            break;
          }
        }
      }
      if (list.empty()) return e;
      e = substitute(e, list);
    }
  }

  // √(c₁² c₂⁴ …) of parameters; nothing of anything else.
  std::optional<Expr> root_of_square(Expr square) {
    if (square.kind() != Kind::product) return std::nullopt;
    Expr root = system_->context->one();
    std::vector<std::pair<Expr, int>> used;
    for (std::size_t k = 0; k < square.size(); ++k) {
      const auto& all = system_->parameters;
      const auto parameter = std::ranges::find(all, square.base(k), &Parameter::symbol);
      if (parameter == all.end() || !square.exponent(k).is_even()) return std::nullopt;
      const double value = parameter_values(system_)[static_cast<std::size_t>(parameter - all.begin())];
      if (value == 0) return std::nullopt;
      const int sign = value > 0 ? 1 : -1;
      root = root * pow(Rational(sign) * square.base(k), square.exponent(k) / Rational(2));
      used.emplace_back(square.base(k), sign);
    }
    for (const auto& one : used)
      if (std::ranges::find(result_.signs, one) == result_.signs.end()) result_.signs.push_back(one);
    return root;
  }

  static Matrix columns(const Matrix& matrix, const std::vector<std::size_t>& which) {
    Matrix result{matrix.rows, which.size(), {}};
    for (std::size_t r = 0; r < matrix.rows; ++r) {
      for (const std::size_t c : which) result.entries.push_back(matrix(r, c));
    }
    return result;
  }
  static Matrix rows(const Matrix& matrix, const std::vector<std::size_t>& which) {
    Matrix result{which.size(), matrix.columns, {}};
    for (const std::size_t r : which) {
      for (std::size_t c = 0; c < matrix.columns; ++c) result.entries.push_back(matrix(r, c));
    }
    return result;
  }

  // Constraints on positions: G δq = 0, solved for as many of them by elimination, with pivots that are large at the state.
  void follow_constraints(Matrix& K, Matrix& p_rates) {
    std::vector<Expr> f;
    for (const std::size_t i : work_.terms().constraints.position_rows)
      f.push_back(work_.terms().constraints.residual[i]);
    dependent_.assign(system_->size(), false);
    if (f.empty()) return;
    Matrix G = jacobian(f, motion_.q);
    std::vector<double> numbers(G.entries.size());
    const Program program(G.entries, state_symbols(system_));
    Interpreter run(program);
    run(state_values(at_.state, parameter_values(system_)), numbers);
    const RegularPart part = regular_part(numbers, G.rows, G.columns);
    G = at_state(std::move(G));
    for (std::size_t k = 0; k < part.rows.size(); ++k) {
      const std::size_t r = part.rows[k], c = part.columns[k];
      dependent_[c] = true;
      const Expr pivot = G(r, c);
      for (std::size_t j = 0; j < G.columns; ++j)
        G(r, j) = j == c ? system_->context->one() : simplifier_.simplify(G(r, j) / pivot);
      for (std::size_t i = 0; i < G.rows; ++i) {
        if (i == r || G(i, c).is_zero()) continue;
        const Expr factor = G(i, c);
        for (std::size_t j = 0; j < G.columns; ++j) G(i, j) = simplifier_.simplify(G(i, j) - factor * G(r, j));
      }
    }
    for (Matrix* matrix : {&K, &p_rates}) {
      for (std::size_t i = 0; i < matrix->rows; ++i) {
        for (std::size_t k = 0; k < part.rows.size(); ++k) {
          const std::size_t r = part.rows[k], c = part.columns[k];
          const Expr by = (*matrix)(i, c);
          if (by.is_zero()) continue;
          for (std::size_t j = 0; j < matrix->columns; ++j) {
            if (!dependent_[j]) (*matrix)(i, j) = simplifier_.simplify((*matrix)(i, j) - by * G(r, j));
          }
          (*matrix)(i, c) = zero();
        }
      }
    }
  }

  // Positions that the equations contain, and those that are in the rates of these.
  void choose_positions(const Matrix& K, const Matrix& p_rates) {
    const std::size_t n = system_->size();
    std::vector<bool> matters(n);
    const auto in = [&](const Matrix& matrix, std::size_t r) {
      bool more = false;
      for (std::size_t j = 0; j < n; ++j) {
        if (matters[j] || dependent_[j] || is_zero(matrix(r, j))) continue;
        matters[j] = more = true;
      }
      return more;
    };
    for (std::size_t r = 0; r < K.rows; ++r) in(K, r);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < n; ++i)
        if (matters[i]) more = in(p_rates, i) || more;
    }
    for (std::size_t i = 0; i < n; ++i)
      if (matters[i]) result_.positions.push_back(i);
  }

  // Positions that matter do not change.
  void require_rest() const {
    const std::vector<Replacement> values = state_values_exact();
    for (const std::size_t i : result_.positions) {
      if (is_zero_here(substitute(velocities_[i], values))) continue;
      throw Error(ErrorCode::not_steady, "the initial state is no steady motion: the equations contain " +
                                             system_->coordinates[i] + ", which changes");
    }
  }

  // Of the velocities of the state: a velocity that kept its name, or the only parameter in them.
  void split_by_speed() {
    std::vector<Expr> candidates;
    for (const Expr value : u_values_) {
      for (const Expr symbol : free_symbols(std::array{value}))
        if (std::find(candidates.begin(), candidates.end(), symbol) == candidates.end()) candidates.push_back(symbol);
    }
    // what is in the matrices without it is no speed
    std::erase_if(candidates, [&](Expr s) {
      const auto contains = [&](const Matrix& m) {
        return std::any_of(m.entries.begin(), m.entries.end(), [&](Expr e) { return depends_on(e, std::span(&s, 1)); });
      };
      return !contains(result_.C) && !contains(result_.K);
    });
    for (const Expr speed : candidates) {
      LinearEquations::BySpeed split{speed, {}, {}, {}};
      if (!powers(result_.M, speed, split.M) || !powers(result_.C, speed, split.C) ||
          !powers(result_.K, speed, split.K))
        continue;
      result_.by_speed = std::move(split);
      return;
    }
  }

  bool powers(const Matrix& matrix, Expr speed, std::vector<LinearEquations::Power>& into) {
    const std::array<Replacement, 1> at_rest = {Replacement{speed, zero()}};
    Matrix left = matrix;
    long factorial = 1;
    for (int k = 0; k <= highest_power + 1; ++k) {
      const bool over = std::all_of(left.entries.begin(), left.entries.end(), [&](Expr e) { return is_zero(e); });
      if (over) return true;
      if (k > highest_power) return false;
      Matrix own = left;
      bool any = false;
      try {
        for (Expr& e : own.entries) {
          e = simplifier_.simplify(substitute(e, at_rest) / system_->context->number(Rational(factorial)));
          any = any || !e.is_zero();
        }
      } catch (const Error&) {
        return false;  // divided by the speed
      }
      if (any) into.push_back({k, std::move(own)});
      for (Expr& e : left.entries) e = derivative(e, speed);
      factorial *= k + 1;
    }
    return false;
  }

  Groundwork work_;
  System system_;
  const Motion& motion_;
  AdmissibleState at_;
  Simplifier simplifier_{20};
  bool in_quasi_;
  std::optional<FirstOrderSystem> quasi_;
  std::vector<std::size_t> independent_;
  std::vector<Expr> u_, a_, velocities_, equations_;
  std::vector<Expr> u_values_;  // at the steady motion
  std::vector<bool> dependent_;
  LinearEquations result_;
};

std::vector<Matrix*> matrices_to_read(LinearEquations& equations) {
  std::vector<Matrix*> matrices;
  if (equations.by_speed) {
    for (auto* powers : {&equations.by_speed->M, &equations.by_speed->C, &equations.by_speed->K})
      for (LinearEquations::Power& power : *powers) matrices.push_back(&power.matrix);
  } else {
    matrices = {&equations.M, &equations.C, &equations.K};
  }
  matrices.insert(matrices.end(), {&equations.P, &equations.U});
  return matrices;
}

}  // namespace

LinearEquations linear_equations(const System& system) {
  return in_velocities_that_are_steady(system, [&](bool quasi) { return LinearAbout(system, quasi).run(); });
}

LinearEquations with_names(LinearEquations equations) {
  const std::vector<Matrix*> matrices = matrices_to_read(equations);
  std::vector<Expr> entries;
  for (const Matrix* matrix : matrices) entries.insert(entries.end(), matrix->entries.begin(), matrix->entries.end());
  Simplifier simplifier(effort_of_names);
  CommonSums found = common_sums(entries, simplifier);
  if (found.names.empty()) return equations;
  FreeNames names(equations.system);
  for (const char* matrix : {"M", "C", "K", "P", "U"}) names.take(matrix);
  std::vector<Replacement> spelled;
  for (const auto& [symbol, value] : found.names)
    spelled.emplace_back(symbol, equations.system->context->symbol("$" + names.letter()));
  auto entry = found.formulas.begin();
  for (Matrix* matrix : matrices)
    for (Expr& e : matrix->entries) e = substitute(*entry++, spelled);
  for (std::size_t k = 0; k < spelled.size(); ++k)
    equations.where.emplace_back(spelled[k].second, substitute(found.names[k].second, spelled));
  return equations;
}

LinearEquations with_shared_sums(const LinearEquations& equations) {
  LinearEquations result = with_names(equations);
  if (result.where.empty()) return result;
  std::vector<Replacement> values;
  for (const auto& [symbol, value] : result.where) values.emplace_back(symbol, substitute(value, values));
  for (Matrix* matrix : matrices_to_read(result))
    for (Expr& e : matrix->entries) e = substitute(e, values);
  result.where.clear();
  if (!result.by_speed) return result;
  const auto add_up = [&](Matrix& whole, const std::vector<LinearEquations::Power>& powers) {
    for (std::size_t i = 0; i < whole.entries.size(); ++i) {
      std::vector<Expr> sum;
      for (const auto& [exponent, part] : powers)
        sum.push_back(part.entries[i] * pow(result.by_speed->speed, Rational(exponent)));
      whole.entries[i] = result.system->context->sum(sum);
    }
  };
  add_up(result.M, result.by_speed->M);
  add_up(result.C, result.by_speed->C);
  add_up(result.K, result.by_speed->K);
  return result;
}

FirstOrderSystem first_order(const LinearEquations& equations) {
  FirstOrderSystem result;
  Context& context = *equations.system->context;
  result.system = equations.system.with([&](SystemData& data) {
    for (const auto& [symbol, value] : equations.named) data.parameters.push_back({symbol, value, {}});
  });
  result.t = equations.system->motion.t;
  for (const Parameter& parameter : result.system->parameters) result.parameters.push_back(parameter.symbol);
  std::vector<Expr> p, u;
  const auto add = [&](const std::string& name, std::vector<Expr>& into) {
    into.push_back(context.symbol("delta " + name));
    result.state.push_back({"delta_" + name, into.back()});
  };
  const std::vector<std::string>& names = equations.system->coordinates;
  for (const std::size_t i : equations.positions) add(names[i], p);
  for (const std::size_t i : equations.velocities) add(names[i] + "'", u);
  for (const std::string& name : equations.quasi) add(name, u);
  const auto times = [&](const Matrix& matrix, std::size_t row, const std::vector<Expr>& by) {
    std::vector<Expr> sum;
    for (std::size_t j = 0; j < by.size(); ++j) sum.push_back(matrix(row, j) * by[j]);
    return context.sum(sum);
  };
  for (std::size_t i = 0; i < p.size(); ++i)
    result.rates.push_back(equations.second_order ? u[i] : times(equations.P, i, p) + times(equations.U, i, u));
  SolveStep step{{equations.M, Matrix{u.size(), 1, {}}, {}},
                 ErrorCode::singular_mass_matrix,
                 "the matrix M of the linear equations is singular"};
  for (std::size_t r = 0; r < u.size(); ++r) {
    step.block.right.entries.push_back(-(times(equations.C, r, u) + times(equations.K, r, p)));
    step.block.unknowns.push_back(context.symbol("rate of " + result.state[p.size() + r].name));
  }
  result.rates.insert(result.rates.end(), step.block.unknowns.begin(), step.block.unknowns.end());
  result.steps.push_back(std::move(step));
  result.energy = context.zero();
  return result;
}

}  // namespace cetaev
