#include "cetaev/detail/formulation/multipliers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/error.hpp"

namespace cetaev {

namespace {

// Below this pivot ratio (Cholesky::pivot_ratio) the quick way through Cholesky factors is left for the careful one.
constexpr double quick_tolerance = 1e-6;

// Sizes of rows of J whose squares, times inertias as far from 1, are doubles.
constexpr double smallest_row = 0x1p-250, largest_row = 0x1p250;

// Balls that only tell how far numbers are off need no more digits than doubles have.
constexpr long error_bits = 64;

// J and c
std::vector<Expr> constraint_outputs(const Terms& terms) {
  std::vector<Expr> outputs = terms.constraints.jacobian.entries;
  outputs.insert(outputs.end(), terms.constraints.bias.begin(), terms.constraints.bias.end());
  return outputs;
}

std::vector<Expr> outputs_of(const Terms& terms) {
  const std::size_t n = terms.mass.rows;
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) outputs.push_back(terms.mass(i, j));
  }
  outputs.insert(outputs.end(), terms.bias.begin(), terms.bias.end());
  const std::vector<Expr> constraints = constraint_outputs(terms);
  outputs.insert(outputs.end(), constraints.begin(), constraints.end());
  return outputs;
}

// "H a = …" in words of the model: the coordinates that a direction of ker H ∩ ker J moves
std::string moving_coordinates(const System& system, const std::vector<double>& direction) {
  std::string names;
  const double largest = largest_magnitude(direction);
  for (std::size_t i = 0; i < direction.size(); ++i) {
    if (std::fabs(direction[i]) < 1e-6 * largest) continue;
    names += (names.empty() ? "" : ", ") + system->coordinates[i];
  }
  return names;
}

// Which springs and loads have no finite force where the equations have none: ": …", or nothing.
std::string unbounded_parts(const System& system, std::span<const double> inputs) {
  std::vector<Value> values;
  const std::vector<Expr> symbols = state_symbols(system);
  for (std::size_t i = 0; i < symbols.size(); ++i) values.emplace_back(symbols[i], inputs[i]);
  const auto finite = [&](std::span<const Expr> forces) {
    try {
      return all_finite(evaluate(forces, values));
    } catch (const Error&) {
      return false;
    }
  };
  std::vector<std::string> who;
  std::string advice;
  for (const EnergyPart& part : system->potential_parts) {
    if (finite(gradient(part.energy, system->motion.q))) continue;
    who.push_back(part.of);
    if (part.of != "as written" && part.of != "weight")
      advice = "; a spring whose ends meet pulls in no direction: begin with them apart";
  }
  for (const ForcePart& part : system->force_parts)
    if (!finite(part.forces)) who.push_back(part.of);
  if (who.empty()) return {};
  return ", by the " + std::string(who.size() == 1 ? "force" : "forces") + " of " + enumerate(who) + advice;
}

}  // namespace

struct Multipliers::Workspace::Data {
  explicit Data(const Multipliers& form)
      : constraints(form.constraints_),
        interpreter(form.program_),
        outputs(form.program_.output_count()),
        n(form.n_),
        k(form.k_),
        H(n, n),
        JT(n, k),
        b(n),
        c(k),
        cholesky(n),
        schur(k),
        Y(n, k),
        S(k, k),
        a(n),
        lambda(k),
        unit(k),
        kinds(kinds_of(form.system_)),
        in_units(n, 1.0) {}

  const Program& constraints;
  Interpreter interpreter;
  std::vector<double> outputs;
  std::size_t n, k;
  DenseMatrix H, JT;  // JT: Jᵀ
  std::vector<double> b, c;
  // quick way: H = L Lᵀ, Y = L⁻¹Jᵀ, S = YᵀY
  Cholesky cholesky, schur;
  DenseMatrix Y, S;
  std::vector<double> a, lambda;
  std::vector<double> unit;  // what rows of J are multiplied by
  Kinds kinds;               // of the coordinates
  std::vector<double>
      in_units;  // what columns of J, and rows and columns of H, are multiplied by where things are done carefully

  void load(std::span<const double> from) {
    std::ranges::fill(in_units, 1.0);
    const double* value = from.data();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) H(i, j) = H(j, i) = *value++;
    }
    const auto take = [&](std::span<double> into) {
      std::copy_n(value, into.size(), into.begin());
      value += into.size();
    };
    take(b);
    take(JT.entries());
    take(c);
  }

  static bool factor(Cholesky& factors, const DenseMatrix& matrix) {
    return factors.compute(matrix) && factors.pivot_ratio() > quick_tolerance;
  }

  // H positive definite and J of full rank, both comfortably: a = H⁻¹(b + Jᵀλ), (J H⁻¹Jᵀ) λ = c − J H⁻¹ b.
  bool solve_quickly() {
    if (!factor(cholesky, H)) return false;
    a = b;
    cholesky.solve_lower(a);  // a = L⁻¹b
    if (k > 0) {
      // rows whose squares would leave the range of doubles to about equal size, by powers of two
      Y = JT;
      lambda = c;
      for (std::size_t i = 0; i < k; ++i) {
        const double size = largest_magnitude(JT.column(i));
        unit[i] = 1;
        if (!(size > 0) || !std::isfinite(size) || (smallest_row < size && size < largest_row)) continue;
        unit[i] = std::scalbn(1.0, -std::ilogb(size));
        Y.scale_column(i, unit[i]);
        lambda[i] *= unit[i];
      }
      cholesky.solve_lower(Y);
      transposed_times(Y, Y, S);
      if (!factor(schur, S)) return false;
      subtract_transposed_product(Y, a, lambda);
      schur.solve(lambda);
      add_product(Y, lambda, a);
      for (std::size_t i = 0; i < k; ++i) lambda[i] *= unit[i];
    }
    cholesky.solve_upper(a);
    return true;
  }

  std::size_t solve_carefully(const System& system, std::span<const double> inputs);

  // How far the state may be off where rows contradict each other. As J and c contain derivatives of what the state is known by, four
  // digits worse than that.
  double allowed = 1e4 * known_state;

 private:
  // By how much the rows of J and the numbers c may be off at a state.
  struct Errors {
    std::vector<double> rows, c;
  };
  Errors errors(std::span<const double> inputs) const;
  // Accelerations are counted in what makes their inertias about 1, so that metres and radians are alike, by powers of two; where there is
  // no inertia as the model counts them.
  void count_by_inertia();
  void require_consistent(const System& system, const Errors& error, const std::vector<double>& solution,
                          double off) const;
  std::vector<double> free_acceleration(const System& system, const DenseMatrix& kernel,
                                        const std::vector<double>& particular) const;
};

Multipliers::Workspace::Data::Errors Multipliers::Workspace::Data::errors(std::span<const double> inputs) const {
  std::vector<Ball> found;
  run_in_balls(constraints, around_state(inputs, n, kinds), found, error_bits);
  const std::span balls(found);
  return {row_errors(balls.first(k * n), in_units), row_errors(balls.subspan(k * n), 1)};
}

void Multipliers::Workspace::Data::count_by_inertia() {
  for (std::size_t i = 0; i < n; ++i) {
    const double inertia = std::fabs(H(i, i));
    in_units[i] = inertia > 0 ? std::scalbn(1.0, -std::ilogb(inertia) / 2) : 1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    H.scale_row(i, in_units[i]);
    JT.scale_row(i, in_units[i]);
    b[i] *= in_units[i];
  }
  for (std::size_t i = 0; i < n; ++i) H.scale_column(i, in_units[i]);
}

// Any H that is regular on ker J, any consistent J: by orthonormal bases Q₁ of the row space of J and N of its kernel.
std::size_t Multipliers::Workspace::Data::solve_carefully(const System& system, std::span<const double> inputs) {
  count_by_inertia();
  std::size_t r = 0;
  DenseMatrix Q = DenseMatrix::identity(n);
  a.assign(n, 0.0);
  if (k > 0) {
    const Errors error = errors(inputs);
    double off = 0;  // of a, as it follows from the independent rows
    const std::vector<std::size_t> rows = pivots(transposed(JT), error.rows, {all_indices(n)}).rows;
    r = rows.size();
    if (r > 0) {
      // at equal length
      DenseMatrix chosen = JT.select_columns(rows);
      std::vector<double> right(r), y(r);
      for (std::size_t i = 0; i < r; ++i) {
        const double norm = length(chosen.column(i));
        chosen.scale_column(i, 1 / norm);
        right[i] = c[rows[i]] / norm;
      }
      PivotedQr qr(rank_tolerance);
      qr.compute(chosen);
      Q = qr.orthogonal();
      // J a = c with a = Q₁ y: (J Q₁) y = c
      const DenseMatrix basis(Q.middle_columns(0, r));
      qr.compute(transposed_times(chosen, basis));
      qr.solve(right, y);
      a = basis * y;
      // how far each of the rows takes a when its c is off
      const double size = length(a);
      for (std::size_t i = 0; i < r; ++i) {
        std::ranges::fill(right, 0.0);
        right[i] = (error.c[rows[i]] + error.rows[rows[i]] * size) / length(JT.column(rows[i]));
        qr.solve(right, y);
        off += length(y);
      }
    }
    require_consistent(system, error, a, off);
  }
  const DenseMatrix Q1(Q.middle_columns(0, r)), N(Q.middle_columns(r, n - r));
  if (n > r) add_product(N, free_acceleration(system, N, a), a);

  // Jᵀλ = H a − b, of least norm: M = Q₁ᵀJᵀ has full row rank
  std::ranges::fill(lambda, 0.0);
  if (r > 0) {
    std::vector<double> reaction = H * a;
    for (std::size_t i = 0; i < n; ++i) reaction[i] -= b[i];
    lambda = LeastNorm(transposed_times(Q1, JT), std::nullopt).solve(transposed_times(Q1, reaction));
  }
  for (std::size_t i = 0; i < n; ++i) a[i] *= in_units[i];
  return r;
}

// The other rows follow from those but for what the state may be off by; a row that vanishes here asks for nothing.
void Multipliers::Workspace::Data::require_consistent(const System& system, const Errors& error,
                                                      const std::vector<double>& solution, double off) const {
  const std::vector<double> met = transposed_times(JT, solution);
  const double size = length(solution);
  std::vector<std::size_t> unmet;
  for (std::size_t i = 0; i < k; ++i) {
    const double row = length(JT.column(i));
    const double doubt = (error.c[i] + error.rows[i] * size + row * off) / known_state;
    if (std::fabs(c[i] - met[i]) > allowed * (doubt + std::fabs(c[i]) + row * size)) unmet.push_back(i);
  }
  if (unmet.empty()) return;
  throw Error(ErrorCode::inconsistent_constraints,
              "the constraints leave no acceleration at this state: the time derivatives of " +
                  describe_rows(system, unmet) +
                  (unmet.size() == k ? " contradict each other; they hide" : " contradict the others; they hide") +
                  std::string(" a condition on positions or velocities"));
}

// z with Nᵀ(H (a + N z) − b) = 0
std::vector<double> Multipliers::Workspace::Data::free_acceleration(const System& system, const DenseMatrix& kernel,
                                                                    const std::vector<double>& particular) const {
  const auto magnitudes = [](DenseMatrix matrix) {
    for (double& entry : matrix.entries()) entry = std::fabs(entry);
    return matrix;
  };
  // Directions to comparable size: a light coordinate is not a massless one.
  DenseMatrix reduced = transposed_times(kernel, H) * kernel;
  const DenseMatrix absolute = magnitudes(kernel);
  const DenseMatrix terms = transposed_times(absolute, magnitudes(H)) * absolute;  // what may have cancelled
  std::vector<double> size(kernel.columns());
  for (std::size_t i = 0; i < size.size(); ++i) {
    const double inertia = std::fabs(reduced(i, i));
    const double scale = inertia > 1e-13 * terms(i, i) ? inertia : terms(i, i);
    size[i] = scale > 0 ? 1 / std::sqrt(scale) : 1;
  }
  for (std::size_t i = 0; i < size.size(); ++i) reduced.scale_row(i, size[i]);
  for (std::size_t i = 0; i < size.size(); ++i) reduced.scale_column(i, size[i]);
  for (double& entry : reduced.entries()) {
    if (std::fabs(entry) < 1e-12) entry = 0;
  }
  const auto resized = [&](std::vector<double> x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= size[i];
    return x;
  };
  CompleteLu lu(rank_tolerance);
  lu.compute(reduced);
  if (!lu.invertible()) {
    std::vector<double> along = kernel * resized(lu.kernel_vector());
    for (std::size_t i = 0; i < n; ++i) along[i] *= in_units[i];
    throw Error(ErrorCode::singular_mass_matrix,
                "the mass matrix is singular on the directions that the constraints leave free: nothing determines the "
                "acceleration along " +
                    moving_coordinates(system, along));
  }
  std::vector<double> force = H * particular;
  for (std::size_t i = 0; i < n; ++i) force[i] = b[i] - force[i];
  return resized(lu.solve(resized(transposed_times(kernel, force))));
}

Multipliers::Workspace::Workspace(const Multipliers& form) : data_(std::make_unique<Data>(form)) {}
Multipliers::Workspace::~Workspace() = default;
Multipliers::Workspace::Workspace(Workspace&&) noexcept = default;
void Multipliers::Workspace::allow(double contradiction) { data_->allowed = contradiction; }

double Multipliers::Workspace::size_of_terms() const {
  const Data& d = *data_;
  double size = 0;
  for (std::size_t i = 0; i < d.n; ++i) {
    double forces = std::fabs(d.b[i]);
    for (std::size_t j = 0; j < d.k; ++j) forces += std::fabs(d.JT(i, j) * d.lambda[j]);
    if (const double inertia = std::fabs(d.H(i, i)); inertia > 0)
      size = std::max(size, forces / inertia * d.in_units[i]);
  }
  return size;
}

Multipliers::Multipliers(const System& system, const Terms& terms)
    : system_(system), n_(system->size()), k_(terms.constraints.size()), parameters_(parameter_values(system)) {
  for (std::size_t i = 0; i < k_; ++i) {
    if (!terms.constraints.nonlinear_in_accelerations[i]) continue;
    throw Error(ErrorCode::not_applicable, fmt::format("constraint {} ({}) is nonlinear in the accelerations", i + 1,
                                                       system->constraints[i].label()));
  }
  program_ = Program(outputs_of(terms), state_symbols(system));
  constraints_ = Program(constraint_outputs(terms), state_symbols(system));
}

Multipliers::~Multipliers() = default;

std::size_t Multipliers::evaluate(std::span<const double> inputs, Workspace& workspace, std::span<double> a,
                                  std::span<double> multipliers) const {
  Workspace::Data& data = *workspace.data_;
  data.interpreter(inputs, data.outputs);
  return evaluate(inputs, data.outputs, workspace, a, multipliers);
}

std::size_t Multipliers::evaluate(std::span<const double> inputs, std::span<const double> outputs, Workspace& workspace,
                                  std::span<double> a, std::span<double> multipliers) const {
  Workspace::Data& data = *workspace.data_;
  for (const double value : outputs) {
    if (!std::isfinite(value)) {
      throw Error(ErrorCode::non_finite,
                  "the equations of motion are not finite at this state" + unbounded_parts(system_, inputs));
    }
  }
  data.load(outputs);
  const std::size_t rank = data.solve_quickly() ? k_ : data.solve_carefully(system_, inputs);
  std::ranges::copy(data.a, a.begin());
  std::ranges::copy(data.lambda, multipliers.begin());
  return rank;
}

Reaction Multipliers::evaluate(const State& state) const {
  Workspace workspace(*this);
  Reaction result;
  result.a.resize(n_);
  result.multipliers.resize(k_);
  result.rank = evaluate(state_values(state, parameters_), workspace, result.a, result.multipliers);
  return result;
}

}  // namespace cetaev
