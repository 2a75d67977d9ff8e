#include "cetaev/formulation/symmetry.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/detail/algebra/simple_kernel.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/program/program.hpp"

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

// X f = ξ·∂f/∂q + (A v)·∂f/∂v, and (X F)ᵢ + Σⱼ Fⱼ ∂ξⱼ/∂qᵢ of forces.
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
  }

  Symmetry run() {
    Symmetry result;
    result.turns_looked_for = complete_;
    std::vector<Finding> grounds;
    for (const std::vector<Rational>& coefficients : simple_kernel(conditions())) {
      SymmetryField field = field_of(coefficients);
      bool linear = true;
      const Finding ground = proved(field, linear);
      if (!ground.holds()) continue;
      result.linear_in_constraints = result.linear_in_constraints && linear;
      grounds.push_back(ground);
      result.fields.push_back(std::move(field));
    }
    if (!grounds.empty()) result.ground = all_of(grounds);
    return result;
  }

  // Coordinates in the arguments of sines and cosines: angles.
  std::vector<bool> angles() const {
    std::vector<Expr> roots = invariant_, inside;
    roots.insert(roots.end(), residual_.begin(), residual_.end());
    for (const Definition& d : system_->definitions)
      roots.insert(roots.end(), d.components.begin(), d.components.end());
    for (const Frame& f : system_->frames)
      roots.insert(roots.end(), f.rotation.entries.begin(), f.rotation.entries.end());
    for (const Expr node : topological(roots)) {
      if (node.kind() == Kind::function && (node.function() == Function::sin || node.function() == Function::cos))
        inside.push_back(node.operands()[0]);
    }
    std::vector<bool> result;
    for (const Expr q : system_->motion.q) {
      result.push_back(
          std::any_of(inside.begin(), inside.end(), [&](Expr e) { return depends_on(e, std::span(&q, 1)); }));
    }
    return result;
  }

 private:
  std::size_t unknowns() const { return turns_.size() + n_; }

  SymmetryField field_of(const std::vector<Rational>& coefficients) const {
    SymmetryField result;
    for (std::size_t k = 0; k < turns_.size(); ++k) {
      if (!coefficients[k].is_zero()) result.turns.push_back({turns_[k].first, turns_[k].second, coefficients[k]});
    }
    result.shift.assign(coefficients.begin() + static_cast<std::ptrdiff_t>(turns_.size()), coefficients.end());
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
      for (const SymmetryField::Turn& turn : field.turns) {
        if (turn.from == i) e = e + turn.rate * system_->forces[turn.to];
        if (turn.to == i) e = e - turn.rate * system_->forces[turn.from];
      }
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
  std::vector<std::pair<std::size_t, std::size_t>> turns_;
  bool complete_ = true;
};

using Square = std::vector<std::vector<Rational>>;

Square matrix_of(const SymmetryField& field) {
  const std::size_t n = field.shift.size();
  Square A(n, std::vector<Rational>(n));
  for (const SymmetryField::Turn& turn : field.turns) {
    A[turn.to][turn.from] += turn.rate;
    A[turn.from][turn.to] += -turn.rate;
  }
  return A;
}

bool is_moved(const Square& A, const std::vector<Rational>& c) {
  return std::any_of(A.begin(), A.end(), [&](const std::vector<Rational>& row) {
    Rational sum;
    for (std::size_t j = 0; j < c.size(); ++j) sum += row[j] * c[j];
    return !sum.is_zero();
  });
}

// A B − B A
Square commutator(const Square& A, const Square& B) {
  const std::size_t n = A.size();
  Square C(n, std::vector<Rational>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) C[i][j] += A[i][k] * B[k][j] - B[i][k] * A[k][j];
    }
  }
  return C;
}

bool commute(const Square& A, const Square& B) {
  const Square C = commutator(A, B);
  return std::all_of(C.begin(), C.end(), [](const std::vector<Rational>& row) {
    return std::all_of(row.begin(), row.end(), [](const Rational& x) { return x.is_zero(); });
  });
}

// How many of these rotations, or combinations of them, commute with all: α with Σ αᵢ [Aᵢ, Aⱼ] = 0 for every j.
std::size_t commuting(const std::vector<const Square*>& A) {
  const std::size_t n = A[0]->size();
  DenseMatrix conditions(A.size() * n * n, A.size());
  for (std::size_t i = 0; i < A.size(); ++i) {
    for (std::size_t j = 0; j < A.size(); ++j) {
      const Square C = commutator(*A[i], *A[j]);
      for (std::size_t k = 0; k < n * n; ++k) conditions(j * n * n + k, i) = C[k / n][k % n].to_double();
    }
  }
  PivotedQr qr(sampled_rank_tolerance);
  qr.compute(conditions);
  return A.size() - qr.rank();
}

// d with d (d − 1)/2 = dimension
std::optional<std::size_t> rotations_of(std::size_t dimension) {
  for (std::size_t d = 2; d * (d - 1) / 2 <= dimension; ++d)
    if (d * (d - 1) / 2 == dimension) return d;
  return std::nullopt;
}

std::string power(const std::string& name, std::size_t count) {
  return count == 1 ? name : name + "^" + std::to_string(count);
}

// Rotations that do not commute belong together, with the shifts that they turn: SO(d), SE(d). Shifts by themselves are SO(2) of angles, R
// of lengths.
std::string group_name(const std::vector<SymmetryField>& fields, const std::vector<bool>& angle) {
  std::vector<Square> A;
  std::vector<std::size_t> part;
  for (const SymmetryField& field : fields) {
    A.push_back(matrix_of(field));
    part.push_back(part.size());
  }
  const auto join = [&](std::size_t i, std::size_t j) {
    const std::size_t from = std::max(part[i], part[j]), to = std::min(part[i], part[j]);
    std::replace(part.begin(), part.end(), from, to);
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::size_t j = i + 1; j < fields.size(); ++j) {
      if (fields[i].is_shift()) continue;
      if (fields[j].is_shift() ? is_moved(A[i], fields[j].shift) : !commute(A[i], A[j])) join(i, j);
    }
  }
  std::vector<std::string> factors;
  std::size_t circles = 0, lines = 0;
  for (std::size_t p = 0; p < fields.size(); ++p) {
    std::size_t shifts = 0;
    std::vector<const Square*> turning;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (part[i] != p) continue;
      if (fields[i].is_shift())
        ++shifts;
      else
        turning.push_back(&A[i]);
    }
    std::size_t rotations = turning.size();
    if (rotations > 1 && shifts == 0) {
      const std::size_t alone = commuting(turning);
      circles += alone;
      rotations -= alone;
      if (rotations == 0) continue;
    }
    if (rotations == 0 && shifts == 0) continue;
    if (rotations == 0) {
      bool turns = false;
      for (std::size_t i = 0; i < angle.size(); ++i) turns = turns || (angle[i] && !fields[p].shift[i].is_zero());
      ++(turns ? circles : lines);
      continue;
    }
    const auto d = rotations_of(rotations);
    if (d == 2 && shifts == 0) {
      ++circles;
    } else if (d && (shifts == 0 || shifts == *d)) {
      factors.push_back((shifts == 0 ? "SO(" : "SE(") + std::to_string(*d) + ")");
    } else {
      const std::string name =
          d ? "SO(" + std::to_string(*d) + ")" : "rotations of dimension " + std::to_string(rotations);
      factors.push_back(shifts == 0 ? name : "(" + name + " ⋉ " + power("R", shifts) + ")");
    }
  }
  if (circles > 0) factors.push_back(power("SO(2)", circles));
  if (lines > 0) factors.push_back(power("R", lines));
  std::string name;
  for (const std::string& factor : factors) name += (name.empty() ? "" : " × ") + factor;
  return name;
}

}  // namespace

std::vector<Expr> SymmetryField::at(std::span<const Expr> q) const {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < q.size(); ++i) result.push_back(q[i].context().number(shift[i]));
  for (const Turn& turn : turns) {
    result[turn.to] = result[turn.to] + turn.rate * q[turn.from];
    result[turn.from] = result[turn.from] - turn.rate * q[turn.to];
  }
  return result;
}

Symmetry symmetry(OnSet& set, const Terms& terms) {
  const auto& order = terms.constraints.order;
  if (std::find(order.begin(), order.end(), 2) != order.end()) return {};
  SymmetrySearch search(set, terms);
  Symmetry result = search.run();
  result.group = group_name(result.fields, search.angles());
  return result;
}

}  // namespace cetaev
