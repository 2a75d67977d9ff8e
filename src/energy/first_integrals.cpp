#include "cetaev/energy/first_integrals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/algebra/simple_kernel.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/formulation/swings.hpp"

namespace cetaev {

namespace {

// Beyond this many coordinates only constant fields are looked for: the unknowns grow like n².
constexpr std::size_t largest_affine = 16;
// Beside the largest term of a condition.
constexpr double rounding_of_terms = 1e-14;

// ξ_i = Σ_a c_{ia} g_a(q): the shapes g are 1 and, for small systems, the coordinates themselves, and what rotations of angles are made of.
// Those come first among the unknowns, so that fields without them have none.
class Search {
 public:
  Search(OnSet& set, const Terms& terms) : set_(set), system_(set.system()), terms_(terms) {
    const std::size_t n = system_->size();
    shapes_.push_back(system_->context->one());
    if (n <= largest_affine) shapes_.insert(shapes_.end(), system_->motion.q.begin(), system_->motion.q.end());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t g = 0; g < shapes_.size(); ++g) unknowns_.push_back({i, g});
    take_rates();
    std::vector<Expr> all = {system_->lagrangian};
    all.insert(all.end(), system_->forces.begin(), system_->forces.end());
    all.insert(all.end(), terms.constraints.residual.begin(), terms.constraints.residual.end());
    angle_ = angles_in(system_, all);
  }

  std::vector<std::vector<Expr>> fields() {
    std::vector<std::vector<Expr>> result;
    std::vector<bool> shifted(system_->size());
    for (const std::vector<Rational>& coefficients : simple_kernel(conditions())) {
      for (std::size_t u = 0; u < unknowns_.size(); ++u)
        if (unknowns_[u].shape == 0 && !coefficients[u].is_zero()) shifted[unknowns_[u].along] = true;
      result.push_back(field_of(coefficients));
    }
    std::vector<bool> turning = shifted;
    for (std::size_t i = 0; i < turning.size(); ++i) turning[i] = turning[i] || angle_[i];
    auto around = swings(system_, angle_, turning);
    if (!around) around = swings(system_, angle_, shifted);
    if (!around || around->empty()) return result;
    std::vector<Unknown> first;
    for (const Swing& swing : *around) {
      first.push_back({swing.along, shapes_.size()});
      shapes_.push_back(swing.at(system_->motion.q));
    }
    unknowns_.insert(unknowns_.begin(), first.begin(), first.end());
    take_rates();
    std::vector<std::vector<Expr>> all;
    for (const std::vector<Rational>& coefficients : simple_kernel(conditions())) {
      const auto of_swings = std::span(coefficients).first(first.size());
      if (!std::ranges::all_of(of_swings, [](const Rational& x) { return x.is_zero(); }))
        all.push_back(field_of(coefficients));
    }
    all.insert(all.end(), result.begin(), result.end());
    return all;
  }

 private:
  void take_rates() {
    // Dₜg
    Derivation advance = derivative_at_fixed_velocity(system_->motion);
    rates_.clear();
    for (const Expr g : shapes_) rates_.push_back(advance(g));
  }

  std::vector<Expr> field_of(const std::vector<Rational>& coefficients) const {
    std::vector<Expr> field(system_->size(), system_->context->zero());
    for (std::size_t u = 0; u < unknowns_.size(); ++u)
      field[unknowns_[u].along] = field[unknowns_[u].along] + coefficients[u] * shapes_[unknowns_[u].shape];
    return field;
  }

  // One row for each condition at each state, one column for each unknown coefficient.
  DenseMatrix conditions() {
    const std::size_t n = system_->size(), g = shapes_.size(), unknowns = unknowns_.size();
    const Motion& motion = system_->motion;
    const ConstraintSet& set = terms_.constraints;
    // ∂L/∂q + F, p, J, then g and Dₜg
    std::vector<Expr> outputs;
    const std::vector<Expr> by_position = gradient(system_->lagrangian, motion.q);
    for (std::size_t i = 0; i < n; ++i) outputs.push_back(by_position[i] + system_->forces[i]);
    outputs.insert(outputs.end(), terms_.momentum.begin(), terms_.momentum.end());
    outputs.insert(outputs.end(), set.jacobian.entries.begin(), set.jacobian.entries.end());
    outputs.insert(outputs.end(), shapes_.begin(), shapes_.end());
    outputs.insert(outputs.end(), rates_.begin(), rates_.end());
    std::vector<Expr> inputs = state_symbols(system_);
    inputs.insert(inputs.end(), motion.a.begin(), motion.a.end());
    const Program program(outputs, inputs);
    Interpreter run(program);
    std::vector<double> values(outputs.size());

    const std::size_t per_state = set.size() + 1;
    const std::size_t wanted = 2 * unknowns / per_state + 8;
    std::vector<double> entries;
    std::size_t rows = 0, found = 0;
    const std::vector<double> parameters = parameter_values(system_);
    for (std::uint64_t seed = 100; seed < 100 + 2 * wanted && found < wanted; ++seed) {
      const std::optional<State> state = set_.admissible().random(seed);
      if (!state) continue;
      std::vector<double> numbers = state_values(*state, parameters);
      for (std::size_t i = 0; i < n; ++i) numbers.push_back(std::sin(static_cast<double>(seed + i)));
      run(numbers, values);
      if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) continue;
      ++found;
      const double* gradient_L = values.data();
      const double* p = gradient_L + n;
      const double* J = p + n;
      const double* shape = J + set.size() * n;
      const double* rate = shape + g;
      for (std::size_t r = 0; r <= set.size(); ++r, ++rows) {
        double norm = 0;
        const std::size_t start = entries.size();
        for (const auto& [i, a] : unknowns_) {
          const double x = r < set.size() ? J[r * n + i] * shape[a] : gradient_L[i] * shape[a] + p[i] * rate[a];
          entries.push_back(x);
          norm = std::max(norm, std::fabs(x));
        }
        for (std::size_t u = start; norm > 0 && u < entries.size(); ++u) {
          entries[u] /= norm;
          // what rounding leaves of a gradient that vanishes is none: a column of it alone would count as any other. A force that is as weak is found
          // when the field is tested.
          if (std::fabs(entries[u]) < rounding_of_terms) entries[u] = 0;
        }
      }
    }
    if (rows < unknowns) return DenseMatrix::identity(unknowns);
    return DenseMatrix::from_rows(entries.data(), rows, unknowns);
  }

  OnSet& set_;
  System system_;
  const Terms& terms_;
  struct Unknown {
    std::size_t along, shape;
  };
  std::vector<Unknown> unknowns_;
  std::vector<bool> angle_;
  std::vector<Expr> shapes_, rates_;
};

std::string meaning_of(const System& system, const std::vector<Expr>& field) {
  std::size_t along = system->size();
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i].is_zero()) continue;
    if (along < system->size() || !field[i].is_number()) return {};
    along = i;
  }
  return along < system->size() ? "the momentum of " + system->coordinates[along] : std::string();
}

}  // namespace

std::vector<LinearIntegral> linear_integrals(OnSet& set, const Terms& terms) {
  const System& system = set.system();
  const Motion& motion = system->motion;
  Context& context = *system->context;
  std::vector<LinearIntegral> result;
  const std::vector<Expr> by_position = gradient(system->lagrangian, motion.q);
  Derivation advance = derivative_at_fixed_velocity(motion);
  for (std::vector<Expr>& field : Search(set, terms).fields()) {
    std::vector<Expr> momentum, rate;
    for (std::size_t i = 0; i < system->size(); ++i) {
      momentum.push_back(terms.momentum[i] * field[i]);
      // ξ·∂L/∂q + Dₜξ·∂L/∂v + ξ·F
      rate.push_back(field[i] * (by_position[i] + system->forces[i]) + advance(field[i]) * terms.momentum[i]);
    }
    std::vector<Expr> conditions = {context.sum(rate)};
    for (std::size_t r = 0; r < terms.constraints.size(); ++r) {
      std::vector<Expr> along;
      for (std::size_t i = 0; i < system->size(); ++i) along.push_back(terms.constraints.jacobian(r, i) * field[i]);
      conditions.push_back(context.sum(along));
    }
    LinearIntegral integral;
    integral.integral = context.sum(momentum);
    integral.ground = set.vanish(conditions);
    if (!integral.ground.holds()) continue;
    // a field that vanishes on the set says nothing
    if (set.vanishes_at_states(integral.integral).holds()) continue;
    integral.meaning = meaning_of(system, field);
    integral.field = std::move(field);
    // numbers of the field are those of the parameters' values, unless nothing depends on these
    if (!std::ranges::all_of(conditions, [](Expr e) { return normal(e).is_zero(); }))
      integral.integral = substitute(integral.integral, exact_parameters(system));
    integral.integral = normal(integral.integral);
    result.push_back(std::move(integral));
  }
  return result;
}

std::vector<DeclaredIntegral> declared_integrals(const System& system, const MotionSample& motions) {
  std::vector<DeclaredIntegral> result;
  Derivation d_t = total_derivative(system->motion);
  for (const NamedExpression& integral : system->integrals) {
    result.push_back({integral.name, motions.vanishes(d_t(integral.expression))});
  }
  return result;
}

}  // namespace cetaev
