#include "cetaev/energy/first_integrals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

namespace {

// Beyond this many coordinates only constant fields are looked for: the unknowns grow like n².
constexpr std::size_t largest_affine = 16;

// The nearest fraction with a small denominator.
std::optional<Rational> simple_fraction(double x) {
  constexpr long largest_denominator = 10000;
  long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  double rest = x;
  for (int i = 0; i < 20; ++i) {
    const double whole = std::floor(rest);
    if (std::fabs(whole) > 1e9) return std::nullopt;
    const long w = static_cast<long>(whole);
    const long p2 = w * p1 + p0, q2 = w * q1 + q0;
    if (q2 > largest_denominator) return std::nullopt;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    if (std::fabs(x - static_cast<double>(p1) / static_cast<double>(q1)) <= 1e-9 * (1 + std::fabs(x))) {
      return Rational(p1, q1);
    }
    rest = 1 / (rest - whole);
  }
  return std::nullopt;
}

// ξ_i = Σ_a c_{ia} g_a(q): the shapes g are 1 and, for small systems, the coordinates themselves.
class Search {
 public:
  Search(OnSet& set, const Terms& terms) : set_(set), system_(set.system()), terms_(terms) {
    const std::size_t n = system_->size();
    shapes_.push_back(system_->context->one());
    if (n <= largest_affine) shapes_.insert(shapes_.end(), system_->motion.q.begin(), system_->motion.q.end());
    // Dₜg
    Derivation advance = derivative_at_fixed_velocity(system_->motion);
    for (const Expr g : shapes_) rates_.push_back(advance(g));
  }

  std::vector<std::vector<Expr>> fields() {
    const DenseMatrix kernel = kernel_of(conditions());
    std::vector<std::vector<Expr>> result;
    const std::size_t n = system_->size(), g = shapes_.size();
    for (std::size_t c = 0; c < kernel.columns(); ++c) {
      std::vector<Expr> field(n, system_->context->zero());
      bool simple = true;
      for (std::size_t u = 0; u < n * g && simple; ++u) {
        const double value = kernel(u, c);
        if (std::fabs(value) < 1e-9) continue;
        const std::optional<Rational> coefficient = simple_fraction(value);
        simple = coefficient.has_value();
        if (simple) field[u / g] = field[u / g] + *coefficient * shapes_[u % g];
      }
      if (simple) result.push_back(std::move(field));
    }
    return result;
  }

 private:
  // One row for each condition at each state, one column for each unknown coefficient.
  DenseMatrix conditions() {
    const std::size_t n = system_->size(), g = shapes_.size(), unknowns = n * g;
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
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t a = 0; a < g; ++a) {
            const double x = r < set.size() ? J[r * n + i] * shape[a] : gradient_L[i] * shape[a] + p[i] * rate[a];
            entries.push_back(x);
            norm = std::max(norm, std::fabs(x));
          }
        }
        for (std::size_t u = start; norm > 0 && u < entries.size(); ++u) entries[u] /= norm;
      }
    }
    if (rows < unknowns) return DenseMatrix::identity(unknowns);
    return DenseMatrix::from_rows(entries.data(), rows, unknowns);
  }

  // A basis of the kernel in echelon form, so that its entries are as simple as they can be.
  static DenseMatrix kernel_of(DenseMatrix conditions) {
    // Weak forces make small columns; each is judged by its own size.
    std::vector<double> scales;
    for (std::size_t c = 0; c < conditions.columns(); ++c) {
      const double scale = largest_magnitude(conditions.column(c));
      scales.push_back(scale > 0 ? scale : 1);
      conditions.scale_column(c, 1 / scales.back());
    }
    PivotedQr qr(sampled_rank_tolerance);
    qr.compute(conditions);
    DenseMatrix kernel = echelon(qr.kernel());
    // What rounding left of zeros must go before small columns make it large; then the first entry is 1 again.
    for (std::size_t c = 0; c < kernel.columns(); ++c) {
      const double largest = largest_magnitude(kernel.column(c));
      double first = 0;
      for (std::size_t row = 0; row < kernel.rows(); ++row) {
        if (std::fabs(kernel(row, c)) < 1e-10 * largest) {
          kernel(row, c) = 0;
        } else {
          kernel(row, c) /= scales[row];
          if (first == 0) first = kernel(row, c);
        }
      }
      for (double& entry : kernel.column(c)) entry /= first;
    }
    return kernel;
  }

  static DenseMatrix echelon(DenseMatrix kernel) {
    std::size_t column = 0;
    for (std::size_t row = 0; row < kernel.rows() && column < kernel.columns(); ++row) {
      std::size_t best = column;
      for (std::size_t c = column; c < kernel.columns(); ++c) {
        if (std::fabs(kernel(row, c)) > std::fabs(kernel(row, best))) best = c;
      }
      if (std::fabs(kernel(row, best)) < 1e-8) continue;
      std::ranges::swap_ranges(kernel.column(best), kernel.column(column));
      const double pivot = kernel(row, column);
      for (double& entry : kernel.column(column)) entry /= pivot;
      for (std::size_t c = 0; c < kernel.columns(); ++c) {
        if (c == column) continue;
        const double factor = kernel(row, c);
        for (std::size_t i = 0; i < kernel.rows(); ++i) kernel(i, c) -= factor * kernel(i, column);
      }
      ++column;
    }
    return kernel;
  }

  OnSet& set_;
  System system_;
  const Terms& terms_;
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
