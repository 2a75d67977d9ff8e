#include "cetaev/formulation/symmetry.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/algebra/simple_kernel.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/program/program.hpp"
#include "group_name.hpp"

namespace cetaev {

namespace {

// Among more coordinates that could turn into each other only shifts are looked for: the unknowns grow like n².
constexpr std::size_t most_turning = 16;

// What is left of terms that cancel, beside them.
constexpr double rounding = 1e-13;

// Parts that a rotation could act on linearly: those that stand in no function but roots.
std::vector<std::size_t> outside_functions(const System& system, const std::vector<Expr>& roots) {
  std::vector<Expr> inside;
  for (const Expr node : topological(roots))
    if (node.kind() == Kind::function) inside.insert(inside.end(), node.operands().begin(), node.operands().end());
  const std::vector<Expr> there = free_symbols(inside);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < system->size(); ++i)
    if (std::find(there.begin(), there.end(), system->motion.q[i]) == there.end()) result.push_back(i);
  return result;
}

// X f = ξ·∂f/∂q + ξ'·∂f/∂v, and (X F)ᵢ + Σⱼ Fⱼ ∂ξⱼ/∂qᵢ of forces. Of the unknowns swings come first: solutions without them are linear fields.
class SymmetrySearch {
 public:
  SymmetrySearch(OnSet& set, const Terms& terms)
      : set_(set),
        system_(set.system()),
        n_(system_->size()),
        residual_(terms.constraints.residual),
        order_(terms.constraints.order) {
    invariant_ = {system_->lagrangian};
    invariant_.insert(invariant_.end(), system_->forces.begin(), system_->forces.end());
    std::vector<Expr> all = invariant_;
    all.insert(all.end(), residual_.begin(), residual_.end());
    const std::vector<std::size_t> turning = outside_functions(system_, all);
    complete_ = turning.size() <= most_turning;
    for (std::size_t a = 0; a < turning.size() && complete_; ++a)
      for (std::size_t b = a + 1; b < turning.size(); ++b) turns_.emplace_back(turning[a], turning[b]);
    angle_ = angles_in(system_, all);
  }

  // Turns about all angles, or about those alone that shifts move.
  Symmetry run(bool about_all) {
    Symmetry result;
    result.turns_looked_for = complete_;
    swings_.clear();
    add_fields(result);
    std::vector<bool> shifted(n_), turning = angle_;
    for (const SymmetryField& field : result.fields)
      for (std::size_t i = 0; i < n_; ++i) shifted[i] = shifted[i] || !field.shift[i].is_zero();
    for (std::size_t i = 0; i < n_; ++i) turning[i] = turning[i] || shifted[i];
    std::optional<std::vector<Swing>> around;
    if (about_all) around = swings(system_, angle_, turning);
    if (!around) around = swings(system_, angle_, shifted);
    result.turns_looked_for = result.turns_looked_for && around;
    if (around && !around->empty()) {
      swings_ = *around;
      add_fields(result);
    }
    return result;
  }

  const std::vector<bool>& angles() const { return angle_; }

 private:
  // Before those that are there: all linear ones at first, then those that swing.
  void add_fields(Symmetry& result) {
    std::vector<SymmetryField> found;
    for (const std::vector<Rational>& coefficients : simple_kernel(conditions())) {
      SymmetryField field = field_of(coefficients);
      if (field.is_linear() != swings_.empty()) continue;
      bool linear = true;
      field.ground = proved(field, linear);
      if (!field.ground.holds()) continue;
      if (field.is_linear()) result.linear_in_constraints = result.linear_in_constraints && linear;
      found.push_back(std::move(field));
    }
    result.fields.insert(result.fields.begin(), found.begin(), found.end());
  }

  std::size_t unknowns() const { return swings_.size() + turns_.size() + n_; }

  SymmetryField field_of(const std::vector<Rational>& coefficients) const {
    SymmetryField result;
    auto coefficient = coefficients.begin();
    for (const Swing& swing : swings_) {
      if (!coefficient->is_zero()) result.swings.emplace_back(swing, *coefficient);
      ++coefficient;
    }
    for (const auto& [from, to] : turns_) {
      if (!coefficient->is_zero()) result.turns.push_back({from, to, *coefficient});
      ++coefficient;
    }
    result.shift.assign(coefficient, coefficients.end());
    return result;
  }

  // One row for each condition at each point, one column for each unknown: the turns, then the shifts.
  DenseMatrix conditions() {
    const std::size_t enough = unknowns() + 8;
    std::vector<double> numbers;
    // L and the forces as identities: at any values of all symbols
    {
      std::vector<double> inputs(state_symbols(system_).size());
      const Sampled sampled(*this, invariant_);
      const std::size_t per_point =
          std::count_if(system_->forces.begin(), system_->forces.end(), [](Expr e) { return !e.is_zero(); }) + 1;
      Random random(20);
      for (std::size_t tried = 0; numbers.size() < enough * unknowns() && tried < 4 * enough / per_point + 8; ++tried) {
        for (double& x : inputs) x = random.uniform(0.3, 1.7);
        // sines and tangents of angles within one quadrant are told apart badly
        for (std::size_t i = 0; i < n_ && !swings_.empty(); ++i)
          if (angle_[i]) inputs[i] = random.uniform(0.3, 6);
        sampled.add_rows(inputs, true, numbers);
      }
    }
    // the constraints on their set
    if (!residual_.empty()) {
      const Sampled sampled(*this, residual_);
      const std::size_t before = numbers.size();
      const std::vector<double> parameters = parameter_values(system_);
      for (std::uint64_t seed = 100; numbers.size() - before < enough * unknowns() && seed < 100 + 2 * enough; ++seed) {
        const std::optional<State> state = set_.admissible().random(seed);
        if (state) sampled.add_rows(state_values(*state, parameters), false, numbers);
      }
      if (numbers.size() == before) return DenseMatrix::identity(unknowns());
    }
    const std::size_t rows = numbers.size() / unknowns();
    if (rows < unknowns()) return DenseMatrix::identity(unknowns());
    return DenseMatrix::from_rows(numbers.data(), rows, unknowns());
  }

  // Functions with their gradients, to be had at points.
  class Sampled {
   public:
    Sampled(const SymmetrySearch& search, const std::vector<Expr>& functions)
        : search_(search), functions_(functions.size()) {
      const Motion& motion = search.system_->motion;
      std::vector<Expr> outputs = functions;
      for (const Expr f : functions) {
        for (const auto* symbols : {&motion.q, &motion.v}) {
          const std::vector<Expr> slopes = gradient(f, *symbols);
          outputs.insert(outputs.end(), slopes.begin(), slopes.end());
        }
      }
      // what a swing is, its rate, and how it changes with its angles
      Derivation rate = derivative_at_fixed_velocity(motion);
      for (const Swing& swing : search.swings_) {
        const Expr x = swing.at(motion.q);
        outputs.insert(outputs.end(),
                       {x, rate(x), derivative(x, motion.q[swing.turn]), derivative(x, motion.q[swing.tilt])});
      }
      program_ = Program(outputs, state_symbols(search.system_));
    }

    // L and the forces, or the constraints.
    void add_rows(const std::vector<double>& inputs, bool dynamics, std::vector<double>& numbers) const {
      const std::size_t n = search_.n_;
      std::vector<double> values(program_.output_count());
      Interpreter run(program_);
      run(inputs, values);
      if (!all_finite(values)) return;
      const double *q = inputs.data(), *v = q + n;
      for (std::size_t f = 0; f < functions_; ++f) {
        const double *by_q = values.data() + functions_ + 2 * n * f, *by_v = by_q + n;
        // −F takes part where axes turn: (Aᵀ F)ᵢ
        const double* force = dynamics && f > 0 ? values.data() + 1 : nullptr;
        const std::size_t start = numbers.size();
        double largest = 0, terms = std::fabs(values[f]);
        for (std::size_t i = 0; i < n; ++i) terms += std::fabs(q[i] * by_q[i]) + std::fabs(v[i] * by_v[i]);
        const double* of_swing = values.data() + functions_ * (1 + 2 * n);
        for (const Swing& swing : search_.swings_) {
          double x = of_swing[0] * by_q[swing.along] + of_swing[1] * by_v[swing.along];
          if (force != nullptr && f - 1 == swing.turn) x += of_swing[2] * force[swing.along];
          if (force != nullptr && f - 1 == swing.tilt) x += of_swing[3] * force[swing.along];
          numbers.push_back(x);
          of_swing += 4;
        }
        for (const auto& [i, j] : search_.turns_) {
          double x = q[i] * by_q[j] - q[j] * by_q[i] + v[i] * by_v[j] - v[j] * by_v[i];
          if (force != nullptr && f - 1 == i) x += force[j];
          if (force != nullptr && f - 1 == j) x -= force[i];
          numbers.push_back(x);
        }
        numbers.insert(numbers.end(), by_q, by_q + n);
        for (std::size_t u = start; u < numbers.size(); ++u) {
          if (std::fabs(numbers[u]) < rounding * terms) numbers[u] = 0;
          largest = std::max(largest, std::fabs(numbers[u]));
        }
        if (largest == 0 && force != nullptr) numbers.resize(start);  // coordinates without a force
        for (std::size_t u = start; largest > 0 && u < numbers.size(); ++u) numbers[u] /= largest;
      }
    }

   private:
    const SymmetrySearch& search_;
    std::size_t functions_;
    Program program_;
  };

  // `linear` becomes false where a constraint changes otherwise than by a sum of constraints with constant coefficients.
  Finding proved(const SymmetryField& field, bool& linear) {
    const Motion& motion = system_->motion;
    std::vector<Derivation::Seed> seeds;
    Derivation rate = derivative_at_fixed_velocity(motion);
    const std::vector<Expr> xi = field.at(motion.q);
    for (std::size_t i = 0; i < n_; ++i) {
      if (xi[i].is_zero()) continue;
      seeds.emplace_back(motion.q[i], xi[i]);
      seeds.emplace_back(motion.v[i], rate(xi[i]));
    }
    Derivation along(seeds);
    std::vector<Expr> identities = {along(system_->lagrangian)};
    for (std::size_t i = 0; i < n_; ++i) {
      Expr e = along(system_->forces[i]);
      for (std::size_t j = 0; j < n_; ++j)
        if (!system_->forces[j].is_zero() && !xi[j].is_zero())
          e = e + system_->forces[j] * derivative(xi[j], motion.q[i]);
      identities.push_back(e);
    }
    bool by_algebra = true;
    for (const Expr e : identities) {
      if (e.is_zero()) continue;
      if (prove_zero(e).verdict == Verdict::proved) continue;
      if (!vanishes(e)) return {};
      by_algebra = false;
    }
    std::vector<Finding> findings = {by_algebra ? Finding::proof()
                                                : Finding::evidence(OnSet::wanted_states, OnSet::wanted_digits)};
    for (std::size_t i = 0; i < residual_.size(); ++i) {
      const Expr change = along(residual_[i]);
      if (change.is_zero() || is_combination(change, order_[i])) continue;
      findings.push_back(set_.vanishes(change));
      linear = false;
    }
    return all_of(findings);
  }

  // Of the constraints of this order, with constant coefficients, as components of a vector that turns: by proof.
  bool is_combination(Expr change, int order) const {
    std::vector<Expr> outputs = {change};
    for (std::size_t i = 0; i < residual_.size(); ++i)
      if (order_[i] == order) outputs.push_back(residual_[i]);
    const std::vector<Expr> symbols = state_symbols(system_);
    const Program program(outputs, symbols);
    Interpreter run(program);
    Random random(21);
    std::vector<double> inputs(symbols.size()), row(outputs.size()), numbers;
    const std::size_t enough = outputs.size() + 4;
    for (std::size_t tried = 0; numbers.size() < enough * outputs.size() && tried < 2 * enough; ++tried) {
      for (double& x : inputs) x = random.uniform(0.3, 1.7);
      if (run(inputs, row) < 0 && all_finite(row)) numbers.insert(numbers.end(), row.begin(), row.end());
    }
    const std::size_t rows = numbers.size() / outputs.size();
    if (rows < enough) return false;
    for (const std::vector<Rational>& c : simple_kernel(DenseMatrix::from_rows(numbers.data(), rows, outputs.size()))) {
      if (c.front().is_zero()) continue;
      std::vector<Expr> sum;
      for (std::size_t i = 0; i < c.size(); ++i)
        if (!c[i].is_zero()) sum.push_back(system_->context->number(c[i]) * outputs[i]);
      return prove_zero(system_->context->sum(sum)).verdict == Verdict::proved;
    }
    return false;
  }

  OnSet& set_;
  System system_;
  std::size_t n_;
  std::vector<Expr> invariant_;  // L, then the forces
  std::vector<Expr> residual_;
  std::vector<int> order_;
  std::vector<bool> angle_;
  std::vector<Swing> swings_;
  std::vector<std::pair<std::size_t, std::size_t>> turns_;
  bool complete_ = true;
};

}  // namespace

std::vector<Expr> SymmetryField::at(std::span<const Expr> q) const {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < q.size(); ++i) result.push_back(q[i].context().number(shift[i]));
  for (const Turn& turn : turns) {
    result[turn.to] = result[turn.to] + turn.rate * q[turn.from];
    result[turn.from] = result[turn.from] - turn.rate * q[turn.to];
  }
  for (const auto& [swing, rate] : swings) result[swing.along] = result[swing.along] + rate * swing.at(q);
  return result;
}

Symmetry symmetry(OnSet& set, const Terms& terms) {
  const auto& order = terms.constraints.order;
  if (std::find(order.begin(), order.end(), 2) != order.end()) return {};
  SymmetrySearch search(set, terms);
  const Motion& motion = set.system()->motion;
  Symmetry result;
  std::optional<std::string> name;
  for (const bool about_all : {true, false}) {
    if (name) break;
    result = search.run(about_all);
    name = group_name(result.fields, motion, search.angles());
  }
  if (!name) {
    // what is found is part of a larger group
    std::erase_if(result.fields, [](const SymmetryField& field) { return !field.is_linear(); });
    name = group_name(result.fields, motion, search.angles());
  }
  result.group = name.value_or("a group of dimension " + std::to_string(result.fields.size()) + " at least");
  std::vector<Finding> grounds;
  for (const SymmetryField& field : result.fields) grounds.push_back(field.ground);
  if (!grounds.empty()) result.ground = all_of(grounds);
  return result;
}

}  // namespace cetaev
