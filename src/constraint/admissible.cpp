#include "cetaev/constraint/admissible.hpp"

#include <cmath>

#include "admissible_implementation.hpp"
#include "cetaev/constraint/describe.hpp"
#include "cetaev/error.hpp"

namespace cetaev {

namespace {

constexpr std::uint64_t random_starts = 40;
constexpr int generic_samples = 5;

// Moves x to the set; false when the search fails.
bool project(ZeroSet set, std::vector<double>& x) {
  if (set.equations() == 0) return true;
  const Eigen::VectorXd start = to_eigen(x);
  const ZeroSet::Solution solution = set.solve(start, all_indices(x.size()), set.row_scales(start));
  x = to_vector(solution.x);
  return solution.found;
}

}  // namespace

Admissible::Admissible(const System& system) : implementation_(std::make_unique<Implementation>(system)) {}
Admissible::~Admissible() = default;
Admissible::Admissible(Admissible&&) noexcept = default;
Admissible& Admissible::operator=(Admissible&&) noexcept = default;

const ConstraintSet& Admissible::constraints() const { return implementation_->set; }

std::optional<State> Admissible::random(std::uint64_t seed) {
  Implementation& inside = *implementation_;
  Random random(seed);
  // Around the initial data for every other seed, around the origin for the rest: the one knows the scales of the
  // model, the other escapes special initial data.
  const bool around_initial = seed % 2 == 0;
  State state = given_state(inside.system);
  for (double& q : state.q) q = around_initial ? q + random.uniform(-0.5, 0.5) : random.uniform(-2, 2);
  for (double& v : state.v) v = around_initial ? v + random.uniform(-1, 1) : random.uniform(-2, 2);
  state.t += random.uniform(0, 1);

  if (!project(inside.position_set(state), state.q)) return std::nullopt;
  if (!project(inside.velocity_set(state), state.v)) return std::nullopt;
  return state;
}

std::optional<State> Admissible::random_velocity(const State& at, std::uint64_t seed) {
  State state = at;
  Random random(seed);
  for (double& v : state.v) v = random.uniform(-2, 2);
  if (!project(implementation_->velocity_set(state), state.v)) return std::nullopt;
  return state;
}

Pivots Admissible::Implementation::pivots_at(const State& state,
                                             const std::vector<std::vector<std::size_t>>& column_classes) {
  ZeroSet whole = whole_set(state);
  std::vector<double> both = state.q;
  both.insert(both.end(), state.v.begin(), state.v.end());
  const Eigen::VectorXd x = to_eigen(both);
  const Eigen::VectorXd scales = whole.row_scales(x);
  whole.evaluate(x);
  const Eigen::MatrixXd j = whole.jacobian().leftCols(static_cast<Eigen::Index>(n));
  std::vector<std::size_t> undefined;
  for (Eigen::Index i = 0; i < j.rows(); ++i) {
    if (!j.row(i).allFinite()) undefined.push_back(static_cast<std::size_t>(i));
  }
  if (!undefined.empty()) {
    throw Error(ErrorCode::rank_lost,
                describe_rows(system, undefined) + (undefined.size() == 1 ? " has" : " have") +
                    " no finite derivatives at this state, which is a singular point of the constraints");
  }
  return pivots(j, scales, column_classes);
}

RankReport Admissible::rank(const State& state) {
  Implementation& inside = *implementation_;
  if (inside.set.size() == 0) return {};
  const Pivots found = inside.pivots_at(state, {all_indices(inside.n)});
  RankReport report;
  report.rank = found.rows.size();
  report.independent_rows = found.rows;
  report.vanishing_rows = found.vanishing_rows;
  report.pivot_columns = found.columns;
  std::sort(report.independent_rows.begin(), report.independent_rows.end());
  return report;
}

std::size_t Admissible::generic_rank() {
  Implementation& inside = *implementation_;
  if (inside.generic_rank) return *inside.generic_rank;
  std::size_t rank_found = 0;
  int samples = 0;
  for (std::uint64_t seed = 1; seed <= random_starts && samples < generic_samples; ++seed) {
    const std::optional<State> state = random(seed);
    if (!state) continue;
    try {
      rank_found = std::max(rank_found, rank(*state).rank);
      ++samples;
    } catch (const Error&) {
      continue;  // a singular point; there are others
    }
  }
  if (samples == 0) {
    throw Error(ErrorCode::inconsistent_constraints, "the constraints contradict each other: no state satisfies " +
                                                         describe_rows(inside.system, all_indices(inside.set.size())) +
                                                         " (searched from " + std::to_string(random_starts) +
                                                         " random states)");
  }
  inside.generic_rank = rank_found;
  return rank_found;
}

bool Admissible::regular() {
  Implementation& inside = *implementation_;
  if (inside.regular) return *inside.regular;
  // Step along ker J by ε and return to the set: the way back shrinks like ε² where ker J is the tangent space and like ε
  // where it is not. Two lengths of step tell the difference, whatever the curvature.
  const std::vector<std::size_t> every = all_indices(inside.n);
  const auto tangent = [&](ZeroSet set, const std::vector<double>& at, Random& random) {
    if (set.equations() == 0) return true;
    const Eigen::VectorXd x = to_eigen(at);
    const Eigen::VectorXd scales = set.row_scales(x);
    if (!set.evaluate(x)) return true;
    Eigen::VectorXd direction(x.size());
    for (double& component : direction) component = random.uniform(-1, 1);
    // Rows that vanish here do not belong to the rank.
    Eigen::MatrixXd scaled = scales.cwiseInverse().asDiagonal() * set.jacobian();
    for (Eigen::Index i = 0; i < scaled.rows(); ++i) {
      if (scaled.row(i).norm() < 1e-7) scaled.row(i).setZero();
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
    decomposition.setThreshold(1e-10);
    decomposition.compute(scaled);
    direction -= decomposition.solve(scaled * direction);
    if (direction.norm() < 1e-8) return true;
    const double size = x.lpNorm<Eigen::Infinity>();
    direction *= (size > 0 ? size : 1) / direction.norm();
    const auto way_back = [&](double epsilon) {
      const Eigen::VectorXd start = x + epsilon * direction;
      return (set.solve(start, every, scales).x - start).norm() / direction.norm();
    };
    for (const double epsilon : {1e-3, 1e-5}) {
      const double longer = way_back(epsilon);
      if (longer <= 1e-3 * epsilon || way_back(epsilon / 10) <= 0.03 * longer) return true;
    }
    return false;
  };
  // One regular sample will do: the others may lie near the vertex of a cone.
  bool result = false;
  int samples = 0;
  Random random_direction(4);
  for (std::uint64_t seed = 1; seed <= random_starts && samples < 4 && !result; ++seed) {
    const std::optional<State> state = random(seed);
    if (!state) continue;
    ++samples;
    result = tangent(inside.position_set(*state), state->q, random_direction) &&
             tangent(inside.velocity_set(*state), state->v, random_direction);
  }
  inside.regular = result || samples == 0;
  return *inside.regular;
}

std::optional<Error> Admissible::dependent_diagnosis(const State& state) {
  Implementation& inside = *implementation_;
  if (!inside.system.dependent || inside.set.velocity_rows.size() < inside.set.size()) return std::nullopt;
  const std::size_t own = inside.pivots_at(state, {*inside.system.dependent}).columns.size();
  std::vector<std::size_t> better = inside.pivots_at(state, {all_indices(inside.n)}).columns;
  if (own >= better.size()) return std::nullopt;
  std::sort(better.begin(), better.end());
  return singular_dependent(inside.system, *inside.system.dependent, better);
}

std::vector<double> Admissible::residual(const State& state, const std::vector<double>& accelerations) {
  Implementation& inside = *implementation_;
  Eigen::VectorXd f(static_cast<Eigen::Index>(inside.set.size()));
  Eigen::MatrixXd j(f.size(), static_cast<Eigen::Index>(inside.n));
  std::vector<double> inputs = inside.inputs(state);
  std::copy(accelerations.begin(), accelerations.end(), inputs.end() - static_cast<std::ptrdiff_t>(inside.n));
  inside.everything.evaluate(inputs, f, j);
  return to_vector(f);
}

}  // namespace cetaev
