#include "cetaev/constraint/admissible.hpp"

#include <cmath>
#include <utility>

#include "admissible_implementation.hpp"
#include "cetaev/algebra/degree.hpp"
#include "cetaev/detail/algebra/certain.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/constraint/around.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/error.hpp"
#include "simple_zeros.hpp"
#include "state_search.hpp"

namespace cetaev {

namespace {

constexpr std::uint64_t random_starts = 40;
constexpr int generic_samples = 5;

// A product is zero where one of these is.
std::vector<Expr> vanishing_factors(Expr e) {
  const Expr bare = e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero() ? e.term(0) : e;
  if (bare.kind() != Kind::product) return {e};
  std::vector<Expr> factors;
  for (std::size_t i = 0; i < bare.size(); ++i)
    if (bare.exponent(i).sign() > 0) factors.push_back(bare.base(i));
  return factors;
}

// Σ |terms|; 0 of what is no sum.
Expr size_of_terms(Expr e) {
  std::vector<Expr> terms;
  if (e.kind() == Kind::sum && (e.size() > 1 || !e.constant().is_zero())) {
    terms.push_back(e.context().number(e.constant().abs()));
    for (std::size_t k = 0; k < e.size(); ++k) terms.push_back(e.coefficient(k).abs() * abs(e.term(k)));
  }
  return e.context().sum(terms);
}

}  // namespace

Admissible::Admissible(const System& system) : implementation_(std::make_unique<Implementation>(system.workable())) {}
Admissible::~Admissible() = default;
Admissible::Admissible(Admissible&&) noexcept = default;
Admissible& Admissible::operator=(Admissible&&) noexcept = default;

const ConstraintSet& Admissible::constraints() const { return implementation_->set; }

std::optional<State> Admissible::random(std::uint64_t seed) {
  const std::size_t number = parts().list.size();
  return random_on(seed % number, seed / number);
}

const Components& Admissible::parts() {
  implementation_->take_apart();
  return *implementation_->parts;
}

std::optional<State> Admissible::random_on(std::size_t part, std::uint64_t seed, double far) {
  Implementation& inside = *implementation_;
  std::optional<State> state = inside.of_part(part).reach(seed, far);
  if (!state || inside.holds(*state)) return state;
  // What the branch asks for besides its equations may be so at other zeros of theirs.
  constexpr int most_searches = 2;
  if (parts().list[part].positive.empty()) return std::nullopt;
  inside.searches.resize(parts().list.size());
  if (inside.searches[part]++ >= most_searches) return std::nullopt;
  const std::vector<State> others = others_on(part, *state);
  return others.empty() ? std::nullopt : std::optional(others.front());
}

RankReport Admissible::rank_on(std::size_t part, const State& state) {
  Implementation& inside = *implementation_;
  return inside.of_part(part).rank(state, inside.parameters);
}

bool Admissible::Implementation::on_edge(const State& state) {
  if (!edges) {
    const std::vector<Expr> symbols = state_symbols(system);
    std::vector<Expr> arguments;
    for (const Expr e : set.residual)
      for (const Expr bent : absolute_values(with_absolute_values(e), std::span(symbols).first(2 * n + 1)))
        if (!depends_on(bent, system->motion.a)) arguments.push_back(bent.operands()[0]);
    edges.emplace(arguments, symbols);
  }
  if (edges->output_count() == 0) return false;
  std::vector<Ball> found;
  run_in_balls(*edges, around_state(state_values(state, parameters), n, positions.kinds()), found, Ball::working_bits);
  return std::ranges::any_of(found, [](const Ball& value) { return value.contains_zero(); });
}

Admissible::Implementation& Admissible::Implementation::of_part(std::size_t part) {
  take_apart();
  return of_parts.empty() ? *this : *of_parts[part];
}

void Admissible::Implementation::take_apart() {
  if (parts) return;
  parts = components_of(system);
  if (parts->list.size() == 1 && parts->list.front().as_written) return;
  for (const Component& part : parts->list) of_parts.push_back(std::make_unique<Implementation>(part.system));
}

std::optional<State> Admissible::Implementation::reach(std::uint64_t seed, double far) {
  Random random(seed);
  const Reach usual;
  State state = random_start(system, seed, random, domain, {far * usual.positions, far * usual.velocities});
  if (!position_set(state).reach(state.q)) return std::nullopt;
  if (!velocity_set(state).reach(state.v) && !reach_together(state)) return std::nullopt;
  return domain.contains(state) ? std::optional(state) : std::nullopt;
}

bool Admissible::Implementation::reach_together(State& state) {
  if (set.velocity_rows.size() < 2) return false;
  if (!together) {
    std::vector<Expr> equations;
    for (const std::size_t i : set.position_rows) equations.push_back(set.residual[i]);
    for (const std::size_t i : set.velocity_rows) equations.push_back(set.phi[i]);
    std::vector<Expr> unknowns = state_symbols(system);
    unknowns.resize(2 * n);
    together.emplace(system, equations, cetaev::jacobian(equations, unknowns), all_indices(equations.size()));
  }
  std::vector<double> x = state.q;
  x.insert(x.end(), state.v.begin(), state.v.end());
  if (!level_set(*together, state).reach(x)) return false;
  state.q.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
  state.v.assign(x.begin() + static_cast<std::ptrdiff_t>(n), x.end());
  return true;
}

bool Admissible::Implementation::meets(const State& state) {
  ZeroSet of_positions = position_set(state), of_velocities = velocity_set(state);
  return of_positions.contains(state.q, of_positions.row_scales(state.q)) &&
         of_velocities.contains(state.v, of_velocities.row_scales(state.v));
}

bool Admissible::Implementation::holds(const State& state) {
  // A zero that is a double one is known to half the digits.
  constexpr double zero = 1e-7;
  if (!sizes) {
    std::vector<Expr> outputs;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (set.order[i] == 2) continue;
      factors_of_rows.push_back(0);
      for (const Expr factor : vanishing_factors(set.residual[i])) {
        outputs.push_back(factor);
        outputs.push_back(size_of_terms(factor));
        ++factors_of_rows.back();
      }
    }
    sizes.emplace(outputs, state_symbols(system));
  }
  if (factors_of_rows.empty()) return true;
  std::vector<double> values(sizes->output_count());
  Interpreter run(*sizes);
  const std::vector<double> inputs = state_values(state, parameters);
  run(inputs, values);
  // a factor that is no sum has nothing to be compared with but the state
  const double usual = smallest_state + std::max(largest_magnitude(state.q), largest_magnitude(state.v));
  const double* next = values.data();
  for (const std::size_t factors : factors_of_rows) {
    bool any = factors == 0;
    for (std::size_t k = 0; k < factors; ++k, next += 2)
      any = any || std::fabs(next[0]) <= zero * (next[1] > 0 ? next[1] : usual);
    // where all its terms are zero they are no measure of it
    if (!any) return meets(state);
  }
  return true;
}

std::optional<State> Admissible::random_velocity(const State& at, std::uint64_t seed) {
  State state = at;
  Random random(seed);
  for (double& v : state.v) v = random.uniform(-2, 2);
  if (!implementation_->velocity_set(state).reach(state.v) || !implementation_->domain.contains(state))
    return std::nullopt;
  return state;
}

Pivots Admissible::Implementation::pivots_at(const State& state,
                                             const std::vector<std::vector<std::size_t>>& column_classes,
                                             std::span<const double> own_parameters) {
  // Constraints on accelerations are looked at where those are nothing special.
  std::vector<double> values = inputs(state, own_parameters);
  Random random(3);
  for (std::size_t i = 0; i < n; ++i) values[values.size() - n + i] = random.uniform(-1, 1);
  std::vector<double> f(set.size());
  DenseMatrix j(set.size(), n);
  everything.evaluate(values, f, j);
  std::vector<std::size_t> undefined;
  for (std::size_t i = 0; i < j.rows(); ++i) {
    bool finite = true;
    for (std::size_t c = 0; c < n; ++c) finite = finite && std::isfinite(j(i, c));
    if (!finite) undefined.push_back(i);
  }
  if (!undefined.empty()) {
    throw Error(ErrorCode::rank_lost,
                describe_rows(system, undefined) + (undefined.size() == 1 ? " has" : " have") +
                    " no finite derivatives at this state, which is a singular point of the constraints");
  }
  return pivots(j, everything.jacobian_errors(around_state(values, n, everything.kinds())), column_classes);
}

RankReport Admissible::rank(const State& state) { return rank(state, implementation_->parameters); }

RankReport Admissible::rank(const State& state, std::span<const double> parameters) {
  return implementation_->rank(state, parameters);
}

RankReport Admissible::Implementation::rank(const State& state, std::span<const double> at) {
  if (set.size() == 0) return {};
  const Pivots found = pivots_at(state, {all_indices(n)}, at);
  RankReport report;
  report.rank = found.rows.size();
  report.independent_rows = found.rows;
  report.vanishing_rows = found.vanishing_rows;
  report.pivot_columns = found.columns;
  std::sort(report.independent_rows.begin(), report.independent_rows.end());
  return report;
}

std::vector<std::size_t> Admissible::Implementation::contradiction() {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (never_zero(with_parameter_values(system, set.residual[i]))) return {i};
  }
  // Equations that are affine in the velocities, by elimination.
  Matrix a{0, n, {}};
  std::vector<Expr> b;
  std::vector<std::size_t> affine;
  std::vector<Replacement> at_rest;
  for (const Expr v : system->motion.v) at_rest.emplace_back(v, v.context().zero());
  for (const std::size_t i : set.velocity_rows) {
    const std::span row = std::span(set.jacobian.entries).subspan(i * n, n);
    if (set.order[i] != 1 || !jacobian_is_free_of(row, system->motion.v)) continue;
    for (const Expr e : row) a.entries.push_back(with_parameter_values(system, e));
    b.push_back(-with_parameter_values(system, substitute(set.phi[i], at_rest)));
    affine.push_back(i);
  }
  a.rows = affine.size();
  try {
    const auto solution = affine.empty() ? std::nullopt : solve_linear(a, b);
    if (solution && !solution->consistent() && solution->conditions.empty()) return affine;
  } catch (const Error&) {
    // something is not defined anywhere; the evaluation of states says what
  }
  // Few unknowns, in balls.
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set.order[i] < 2) rows.push_back(i);
  }
  const State state = given_state(system);
  std::vector<Expr> unknowns = state_symbols(system);
  unknowns.resize(2 * n + 1);
  StateMap map(system, set.residual, cetaev::jacobian(set.residual, unknowns), rows);
  std::vector<double> x = state_values(state, {});
  std::vector<std::size_t> found;
  for (const std::size_t i : level_set(map, state).contradiction(x)) found.push_back(rows[i]);
  return found;
}

void Admissible::Implementation::look_at_squares() {
  if (squares_looked_at) return;
  squares_looked_at = true;
  std::vector<std::size_t> origin;
  const System values = system.with([&](SystemData& data) {
    for (Constraint& c : data.constraints) c.expression = with_parameter_values(system, c.expression);
  });
  const auto square = [&](const Constraint& c) {
    const auto& own = c.order == 0 ? system->motion.q : c.order == 1 ? system->motion.v : system->motion.a;
    return !affine_in(c.expression, own) && simple_zeros(c.expression) != std::vector{c.expression};
  };
  if (std::ranges::none_of(values->constraints, square)) return;
  Implementation simple(with_simple_zeros(values, origin));
  std::size_t largest = 0;
  int samples = 0;
  for (std::uint64_t seed = 1; seed <= random_starts && samples < generic_samples; ++seed) {
    const std::optional<State> state = simple.reach(seed);
    if (!state) continue;
    try {
      const std::size_t own = rank(*state, parameters).rank;
      if (own >= simple.rank(*state, simple.parameters).rank) return;
      largest = std::max(largest, own);
      ++samples;
    } catch (const Error&) {
      continue;  // a singular point; there are others
    }
  }
  if (samples == 0) return;
  generic_rank = largest;
  regular = false;
}

std::size_t Admissible::generic_rank() {
  Implementation& inside = *implementation_;
  inside.look_at_squares();
  if (inside.generic_rank) return *inside.generic_rank;
  std::size_t rank_found = 0;
  int samples = 0;
  bool vanishing = false;
  std::optional<std::size_t> rank_on_edges;
  // further away where there is none nearby, and where rows are lost at the states found so far: those may be special ones that Newton's
  // method likes
  for (const double far : {1.0, 8.0, 64.0, 1000.0}) {
    if (far > 1 && !vanishing && samples > 0) break;
    int here = 0;
    for (std::uint64_t seed = 1; seed <= random_starts && here < generic_samples; ++seed) {
      const std::size_t number = parts().list.size();
      const std::optional<State> state = random_on(seed % number, seed / number, far);
      if (!state) continue;
      try {
        const RankReport found = rank_on(seed % number, *state);
        if (inside.of_part(seed % number).on_edge(*state)) {
          rank_on_edges = std::max(rank_on_edges.value_or(0), found.rank);
          continue;
        }
        rank_found = std::max(rank_found, found.rank);
        vanishing = vanishing || !found.vanishing_rows.empty();
        ++here;
      } catch (const Error&) {
        continue;  // a singular point; there are others
      }
    }
    samples += here;
  }
  if (samples == 0 && rank_on_edges) {
    inside.generic_rank = rank_on_edges;
    return *rank_on_edges;
  }
  if (samples == 0) {
    // nothing at random, but the data themselves, or the state that the model describes? Who looks for that one may be asking.
    const bool asked = std::exchange(inside.looking_for_the_initial, true);
    try {
      if (inside.set.velocity_rows.size() == inside.set.size()) {
        const State given = given_state(inside.system);
        if (inside.meets(given)) {
          inside.generic_rank = rank(given).rank;
        } else if (!asked) {
          inside.generic_rank = rank(initial().state).rank;
        }
      }
    } catch (const Error&) {
      // it says no more than that
    }
    inside.looking_for_the_initial = asked;
    if (inside.generic_rank) return *inside.generic_rank;
    if (const std::vector<std::size_t> rows = inside.contradiction(); !rows.empty()) {
      throw Error(ErrorCode::inconsistent_constraints,
                  rows.size() == 1 ? "no state satisfies " + describe_rows(inside.system, rows)
                                   : "the constraints contradict each other: no state satisfies " +
                                         describe_rows(inside.system, rows));
    }
    throw Error(ErrorCode::inconsistent_initial_state,
                "no state was found that satisfies " + describe_rows(inside.system, all_indices(inside.set.size())) +
                    " (searched from the initial data and " + std::to_string(random_starts) +
                    " random states; that there is none is not proved)");
  }
  inside.generic_rank = rank_found;
  return rank_found;
}

bool Admissible::regular() {
  Implementation& inside = *implementation_;
  inside.look_at_squares();
  if (inside.regular) return *inside.regular;
  // Step along ker J by ε and return to the set: the way back shrinks like ε² where ker J is the tangent space and like ε
  // where it is not. Two lengths of step tell the difference, whatever the curvature.
  const std::vector<std::size_t> every = all_indices(inside.n);
  // How far one goes in a direction until a row has changed by its own length: a circle may be small beside its distance from the origin.
  const auto bends_within = [&](ZeroSet& set, const std::vector<double>& at, const std::vector<double>& direction,
                                const DenseMatrix& rows, const std::vector<double>& scales) {
    constexpr double part = 1e-6;  // of the state: half of the digits
    const double way = part * std::max(largest_magnitude(at), std::numeric_limits<double>::min());
    double nearest = std::numeric_limits<double>::infinity();
    std::vector<double> there = at;
    for (std::size_t i = 0; i < at.size(); ++i) there[i] += way * direction[i] / length(direction);
    if (!set.evaluate(there)) return nearest;
    DenseMatrix changed = set.jacobian();
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (!(row_length(rows, i) > 0)) continue;
      changed.scale_row(i, 1 / scales[i]);
      double change = 0;
      for (std::size_t j = 0; j < rows.columns(); ++j) change = std::hypot(change, changed(i, j) - rows(i, j));
      if (change > 0) nearest = std::min(nearest, way * row_length(rows, i) / change);
    }
    return nearest;
  };
  const auto tangent = [&](ZeroSet set, const std::vector<double>& at, Random& random) {
    if (set.equations() == 0) return true;
    const std::vector<double> scales = set.row_scales(at);
    if (!set.evaluate(at)) return true;
    std::vector<double> direction(at.size());
    for (double& component : direction) component = random.uniform(-1, 1);
    // Rows that vanish here do not belong to the rank.
    DenseMatrix scaled = set.jacobian();
    for (std::size_t i = 0; i < scaled.rows(); ++i) {
      scaled.scale_row(i, 1 / scales[i]);
      if (row_length(scaled, i) < 1e-7) scaled.scale_row(i, 0);
    }
    const std::vector<double> normal_part = LeastNorm(scaled, rank_tolerance).solve(scaled * direction);
    for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= normal_part[i];
    const double tangential = length(direction);
    if (tangential < 1e-8) return true;
    const double size = std::min(largest_magnitude(at) > 0 ? largest_magnitude(at) : 1,
                                 bends_within(set, at, direction, scaled, scales));
    for (double& component : direction) component *= size / tangential;
    const auto way_back = [&](double epsilon) {
      std::vector<double> start = at;
      for (std::size_t i = 0; i < start.size(); ++i) start[i] += epsilon * direction[i];
      return distance(set.solve(start, every, scales).x, start) / length(direction);
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
  if (!inside.system->dependent || inside.set.velocity_rows.size() < inside.set.size()) return std::nullopt;
  const std::size_t own = inside.pivots_at(state, {*inside.system->dependent}).columns.size();
  std::vector<std::size_t> better = inside.pivots_at(state, {all_indices(inside.n)}).columns;
  if (own >= better.size()) return std::nullopt;
  std::sort(better.begin(), better.end());
  return singular_dependent(inside.system, *inside.system->dependent, better);
}

std::vector<double> Admissible::residual(const State& state, const std::vector<double>& accelerations) {
  Implementation& inside = *implementation_;
  std::vector<double> f(inside.set.size());
  DenseMatrix j(f.size(), inside.n);
  std::vector<double> inputs = inside.inputs(state);
  std::copy(accelerations.begin(), accelerations.end(), inputs.end() - static_cast<std::ptrdiff_t>(inside.n));
  inside.everything.evaluate(inputs, f, j);
  return f;
}

}  // namespace cetaev
