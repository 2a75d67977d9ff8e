#include "projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "accuracy.hpp"
#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/random.hpp"

namespace cetaev {

namespace {

constexpr int newton_steps = 8;
// States near the first one at which rows are looked at for their usual size.
constexpr int nearby_states = 5;

// One kind of rows: positions or velocities. The program gives r, A, H from q, v, t, parameters.
struct RowsPlan {
  RowsPlan(const System& system, const Terms& terms, const std::vector<Expr>& r, const std::vector<Expr>& unknowns)
      : n(system->size()), k(r.size()) {
    std::vector<Expr> outputs = r;
    const Matrix A = jacobian(r, unknowns);
    outputs.insert(outputs.end(), A.entries.begin(), A.entries.end());
    outputs.insert(outputs.end(), terms.mass.entries.begin(), terms.mass.entries.end());
    program = Program(outputs, state_symbols(system));
    residuals = program.restricted_to(program.outputs().first(k));
  }

  std::size_t n, k;
  Program program, residuals;
};

// What a residual is small beside: the largest that the terms of its row have been, in these equations or along the whole motion, or what they are.
enum class Beside { largest, ever, present };

struct Rows {
  explicit Rows(const RowsPlan& of)
      : plan(of),
        n(plan.n),
        k(plan.k),
        run(plan.program),
        values(plan.program.output_count()),
        largest(k, 0.0),
        ever(k, 0.0),
        usual(k, 0.0),
        floor(k, 0.0),
        floor_here(k, 0.0),
        vanishes(k),
        matrix(n + k, n + k),
        right(n + k),
        delta(n + k),
        solver(n + k, n + k) {}

  const RowsPlan& plan;
  std::size_t n, k;
  Interpreter run;
  std::vector<double> values, largest;  // largest: of Σ |A_i| |x_i| so far
  std::vector<double> ever;             // the same in equations that the motion was followed by before
  std::vector<double> usual;            // max |A_i| near the first state
  std::vector<double> floor;            // what rounding may leave of a row at all, where the motion starts
  std::vector<double> floor_here;       // the same at the present state, where it is asked for
  std::vector<bool> vanishes;           // at the first state, in its terms one by one
  bool looked_around = false, is_first = true;
  DenseMatrix matrix;
  std::vector<double> right, delta;
  PivotedQr solver;

  void evaluate(std::span<const double> inputs) {
    if (!looked_around) look_around({inputs.begin(), inputs.end()});
    run(inputs, values);
  }

  // Rows have terms that do not depend on what is small: the height of a wheel is the difference of lengths, however little the wheel leans. What
  // rounding may leave of them is asked of balls.
  void find_floor(std::span<const double> at, Beside beside, std::vector<double>& into) const {
    std::vector<Ball> inputs, outputs;
    // terms that have become small are differences of states that are rounded
    for (const double value : at)
      inputs.push_back(beside == Beside::largest ? Ball::from_double(value) : but_for_rounding(value));
    if (run_in_balls(plan.residuals, inputs, outputs, std::numeric_limits<double>::digits) >= 0) return;
    for (std::size_t i = 0; i < k; ++i) {
      const double radius = outputs[i].radius();
      if (std::isfinite(radius)) into[i] = radius;
    }
  }

  void has_been(const Rows& before) {
    for (std::size_t i = 0; i < k; ++i) ever[i] = std::max({ever[i], before.ever[i], before.largest[i]});
  }

  // A row may vanish where the motion starts, or its terms may: what rounding leaves of it is told from a residual by what it is nearby.
  void look_around(std::vector<double> inputs) {
    looked_around = true;
    const std::vector<double> here = inputs;
    find_floor(here, Beside::largest, floor);
    Random random(1);
    for (int state = 0; state <= nearby_states; ++state) {
      if (state > 0) {
        const double spread = 0.5 * (1 + largest_magnitude(std::span(here).first(2 * n)));
        for (std::size_t i = 0; i < 2 * n; ++i) inputs[i] = here[i] + random.uniform(-spread, spread);
      }
      run(inputs, values);
      for (std::size_t i = 0; i < k; ++i) {
        const double size = largest_magnitude(std::span(values).subspan(k + i * n, n));
        if (std::isfinite(size)) usual[i] = std::max(usual[i], size);
      }
    }
  }

  double relative(std::span<const double> x, Beside beside) {
    double worst = 0;
    const double largest_x = largest_magnitude(x);
    const bool first = std::exchange(is_first, false);
    for (std::size_t i = 0; i < k; ++i) {
      double size = 0;
      for (std::size_t j = 0; j < n; ++j) size += std::abs(values[k + i * n + j] * x[j]);
      largest[i] = std::max(largest[i], size);
      const double r = std::abs(values[i]);
      const double rounding = accuracy::rounding_of_a_row(usual[i] * largest_x);
      if (first) vanishes[i] = size <= rounding;
      if (r <= (vanishes[i] ? rounding : 0)) continue;
      const double whole = beside == Beside::present ? size
                           : beside == Beside::ever  ? std::max(largest[i], ever[i])
                                                     : largest[i];
      const double part = whole > 0 ? r / whole : 1.0;
      if (r > (beside == Beside::present ? floor_here[i] : floor[i])) worst = std::max(worst, part);
    }
    return worst;
  }

  // δ with H δ + Aᵀμ = `above`, or nothing there; false when the rows cannot be met
  bool step(std::span<double> x, std::span<const double> above = {}) {
    const DenseView AT = transposed_view(values.data() + k, k, n),
                    HT = transposed_view(values.data() + k + k * n, n, n);
    const double mass = largest_magnitude(HT.entries()), slope = largest_magnitude(AT.entries());
    if (!(mass > 0) || !(slope > 0) || !std::isfinite(mass) || !std::isfinite(slope)) return false;
    // both blocks of the same size
    const double scale = mass / slope;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix(i, j) = HT(j, i);
      for (std::size_t j = 0; j < k; ++j) matrix(i, n + j) = matrix(n + j, i) = scale * AT(i, j);
      right[i] = above.empty() ? 0 : above[i];
    }
    for (std::size_t i = 0; i < k; ++i) right[n + i] = -scale * values[i];
    solver.compute(matrix);
    solver.solve(right, delta);
    if (!all_finite(delta)) return false;
    for (std::size_t i = 0; i < n; ++i) x[i] += delta[i];
    return true;
  }
};

// b of H a = b without the forces, quadratic in the velocities where L is: its part of the second degree is −Γ(v, v). Nothing where H is the
// same at all positions, or not a matter of positions alone.
std::optional<Program> inertia_of_motion(const System& system, const Terms& terms) {
  const std::vector<Expr> of_mass = free_symbols(terms.mass.entries);
  const auto has_some_of = [&](const std::vector<Expr>& symbols) {
    return std::find_first_of(of_mass.begin(), of_mass.end(), symbols.begin(), symbols.end()) != of_mass.end();
  };
  if (!has_some_of(system->motion.q) || has_some_of(system->motion.v)) return std::nullopt;
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < system->size(); ++i) outputs.push_back(terms.bias[i] - system->forces[i]);
  return Program(outputs, state_symbols(system));
}

// −Γ(δq, v), from b at v ± u and at ± u, with u along δq and as large as v.
class Carrying {
 public:
  Carrying(const Program& program, std::size_t inputs)
      : run_(program), inputs_(inputs), here_(program.output_count()), sum_(program.output_count()) {}

  // At the new positions and the old velocities; empty where it is nothing.
  std::span<const double> along(std::span<const double> dq, std::span<const double> state) {
    const std::size_t n = dq.size();
    const std::span<const double> v = state.subspan(n, n);
    const double size = largest_magnitude(v), shift = largest_magnitude(dq);
    if (!(size > 0) || !(shift > 0)) return {};
    std::copy(state.begin(), state.end(), inputs_.begin());
    std::fill(sum_.begin(), sum_.end(), 0.0);
    for (const double of_v : {0.0, 1.0}) {
      for (const double of_u : {-1.0, 1.0}) {
        for (std::size_t i = 0; i < n; ++i) inputs_[n + i] = of_v * v[i] + of_u * (size / shift) * dq[i];
        run_(inputs_, here_);
        for (std::size_t i = 0; i < n; ++i) sum_[i] += of_u * (2 * of_v - 1) * here_[i];
      }
    }
    for (double& value : sum_) value *= 0.25 * (shift / size);
    return all_finite(sum_) ? std::span<const double>(sum_) : std::span<const double>();
  }

 private:
  Interpreter run_;
  std::vector<double> inputs_, here_, sum_;
};

}  // namespace

struct ProjectionPlan::Data {
  std::size_t n = 0;
  bool all_velocities = false;
  std::optional<RowsPlan> positions, velocities;
  std::optional<Program> inertia;
};

struct ManifoldProjection::Data {
  Data(const ProjectionPlan::Data& plan, std::span<const double> parameters)
      : n(plan.n), all_velocities(plan.all_velocities), state(2 * n + 1), shift(n) {
    if (plan.positions) positions.emplace(*plan.positions);
    if (plan.velocities) velocities.emplace(*plan.velocities);
    state.insert(state.end(), parameters.begin(), parameters.end());
    if (plan.inertia) carrying.emplace(*plan.inertia, state.size());
  }

  std::size_t n;
  bool all_velocities;
  std::optional<Rows> positions, velocities;
  std::optional<Carrying> carrying;
  std::vector<double> state, shift;

  // What rounding leaves of rows is asked of balls where more than a part is off.
  double residual(double t, std::span<const double> y, Beside beside, double worth_a_floor = 0);
  bool back(double t, std::span<double> y, bool carried, Beside beside);

  // q, v of y where the velocities are not all in y
  void look(double t, std::span<const double> y) {
    std::copy(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(n), state.begin());
    if (all_velocities) {
      std::copy(y.begin() + static_cast<std::ptrdiff_t>(n), y.begin() + static_cast<std::ptrdiff_t>(2 * n),
                state.begin() + static_cast<std::ptrdiff_t>(n));
    }
    state[2 * n] = t;
  }
};

ProjectionPlan::ProjectionPlan(const MotionEquations& equations, const Terms& terms) {
  auto data = std::make_unique<Data>();
  Data& d = *data;
  const System& system = equations.system();
  d.n = system->size();
  const ConstraintSet& set = terms.constraints;
  d.all_velocities = equations.form().state.size() >= 2 * d.n;
  std::vector<Expr> f, phi;
  for (const std::size_t i : set.position_rows) f.push_back(set.residual[i]);
  for (const std::size_t i : set.velocity_rows) phi.push_back(set.phi[i]);
  if (!f.empty()) d.positions.emplace(system, terms, f, system->motion.q);
  if (!phi.empty() && d.all_velocities) d.velocities.emplace(system, terms, phi, system->motion.v);
  if (d.positions && d.velocities) d.inertia = inertia_of_motion(system, terms);
  data_ = std::move(data);
}

ProjectionPlan::~ProjectionPlan() = default;

ProjectionPlan::Rows ProjectionPlan::positions() const {
  const auto& rows = data_->positions;
  return rows ? Rows{&rows->program, &rows->residuals, rows->k} : Rows{};
}
ProjectionPlan::Rows ProjectionPlan::velocities() const {
  const auto& rows = data_->velocities;
  return rows ? Rows{&rows->program, &rows->residuals, rows->k} : Rows{};
}

ManifoldProjection::ManifoldProjection(const ProjectionPlan& plan, std::span<const double> parameters)
    : data_(std::make_unique<Data>(*plan.data_, parameters)) {}

void ManifoldProjection::has_been(const ManifoldProjection& before) {
  if (data_->positions && before.data_->positions) data_->positions->has_been(*before.data_->positions);
  if (data_->velocities && before.data_->velocities) data_->velocities->has_been(*before.data_->velocities);
}

ManifoldProjection::~ManifoldProjection() = default;

double ManifoldProjection::Data::residual(double t, std::span<const double> y, Beside beside, double worth_a_floor) {
  look(t, y);
  double worst = 0;
  const auto add = [&](Rows& rows, std::span<const double> x) {
    rows.evaluate(state);
    std::fill(rows.floor_here.begin(), rows.floor_here.end(), 0.0);
    double found = rows.relative(x, beside);
    if (beside == Beside::present && found > worth_a_floor) {
      rows.find_floor(state, beside, rows.floor_here);
      found = rows.relative(x, beside);
    }
    worst = std::max(worst, found);
  };
  if (positions) add(*positions, std::span(state).first(n));
  if (velocities) add(*velocities, std::span(state).subspan(n, n));
  return worst;
}

double ManifoldProjection::relative_residual(double t, std::span<const double> y) {
  return data_->residual(t, y, Beside::largest);
}
double ManifoldProjection::residual_beside_all(double t, std::span<const double> y) {
  return data_->residual(t, y, Beside::ever);
}
bool ManifoldProjection::is_off_present_terms(double t, std::span<const double> y, double allowed) {
  return data_->residual(t, y, Beside::present, allowed) > allowed;
}

ManifoldProjection::Placed ManifoldProjection::place(double t, std::span<double> y) {
  if (relative_residual(t, y) <= accuracy::given_state) return Placed::there;
  return put_on(t, y) ? Placed::moved : Placed::nowhere;
}

bool ManifoldProjection::project(double t, std::span<double> y) { return data_->back(t, y, true, Beside::largest); }
bool ManifoldProjection::project_where_terms_are_small(double t, std::span<double> y) {
  return data_->back(t, y, true, Beside::present);
}
bool ManifoldProjection::put_on(double t, std::span<double> y) { return data_->back(t, y, false, Beside::largest); }

bool ManifoldProjection::Data::back(double t, std::span<double> y, bool carried, Beside beside) {
  look(t, y);
  const auto solve = [&](Rows& rows, std::span<double> x, std::span<const double> above = {}) {
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < newton_steps; ++step) {
      rows.evaluate(state);
      const double r = rows.relative(x, beside);
      if (!std::isfinite(r)) return false;
      if (above.empty() && (r <= accuracy::put_on_exactly || (r < accuracy::put_on_as_well_as_may_be && r >= before)))
        return true;
      before = r;
      if (!rows.step(x, std::exchange(above, {}))) return false;
    }
    rows.evaluate(state);
    return rows.relative(x, beside) < accuracy::put_on_in_the_end;
  };
  if (positions && !solve(*positions, std::span(state).first(n))) return false;
  std::span<const double> inertia;
  if (carried && carrying) {
    for (std::size_t i = 0; i < n; ++i) shift[i] = state[i] - y[i];
    inertia = carrying->along(shift, state);
  }
  if (velocities && !solve(*velocities, std::span(state).subspan(n, n), inertia)) return false;
  const std::size_t count = velocities ? 2 * n : n;
  std::copy(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(count), y.begin());
  return true;
}

}  // namespace cetaev
