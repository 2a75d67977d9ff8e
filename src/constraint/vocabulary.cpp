#include "vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cetaev/constraint/set.hpp"
#include "cetaev/detail/algebra/solve.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "simple_zeros.hpp"

namespace cetaev {

namespace {

constexpr std::size_t most_points = 6;  // of which sums and differences are formed
constexpr std::size_t most_coordinates =
    16;                                 // whose velocities are looked at one by one; of points and definitions likewise
constexpr std::size_t most_pairs = 6;   // coordinates, without points, whose velocities are compared in pairs
constexpr std::size_t most_solved = 6;  // equations of a set that is solved
constexpr std::size_t most_conditions = 8;  // of one set that come from solving it

class Collector {
 public:
  explicit Collector(const System& system) : system_(system), rate_(total_derivative(system->motion)) {}

  void add(const std::string& name, const std::string& description, std::span<const Expr> components,
           bool coordinates = false, bool searched = true, bool one_too_many = false) {
    Condition condition{{name}, description, {}, -1, coordinates, searched && !one_too_many, one_too_many, {}};
    for (const Expr e : components) {
      if (vanishes(e)) continue;
      if (depends_on(e, system_->motion.a)) return;
      if (free_symbols(e).empty()) return;
      if (depends_on(e, system_->motion.q)) condition.order = std::max(condition.order, 0);
      if (depends_on(e, system_->motion.v)) condition.order = 1;
      condition.components.push_back(e);
    }
    if (condition.components.empty()) return;
    const std::vector<double> values = values_at_a_point(condition.components);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      Condition& known = conditions[i];
      if (!same_direction(known, i, condition, values)) continue;
      if (std::find(known.names.begin(), known.names.end(), name) != known.names.end()) return;
      known.names.push_back(name);
      if (known.names.size() == 2) known.description += " (" + description + ")";
      return;
    }
    conditions.push_back(std::move(condition));
    values_.push_back(values);
  }

  // The velocity of a position, or a velocity itself. With a suffix for names that two models use differently.
  void add_velocity(const std::string& name, const std::string& suffix, std::span<const Expr> components,
                    bool one_too_many) {
    const bool velocity =
        std::any_of(components.begin(), components.end(), [&](Expr e) { return depends_on(e, system_->motion.v); });
    const std::string full = (velocity ? name : name + "'") + suffix;
    add(full, full + " = 0", velocity ? std::vector(components.begin(), components.end()) : rates(components), false,
        true, one_too_many);
  }

  std::vector<Expr> rates(std::span<const Expr> components) {
    std::vector<Expr> result;
    for (const Expr e : components) result.push_back(rate_(e));
    return result;
  }

  std::vector<Condition> conditions;

 private:
  // One is a multiple of the other by a simple number.
  bool same_direction(const Condition& known, std::size_t index, const Condition& other,
                      const std::vector<double>& values) const {
    if (known.components.size() != other.components.size() || known.order != other.order) return false;
    static const std::array<Rational, 6> factors = {Rational(1),  Rational(-1),   Rational(2),
                                                    Rational(-2), Rational(1, 2), Rational(-1, 2)};
    return std::any_of(factors.begin(), factors.end(), [&](const Rational& factor) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        // a look at one point before the proof
        const double a = values_[index][i], b = factor.to_double() * values[i];
        if (std::fabs(a - b) > 1e-9 * (std::fabs(a) + std::fabs(b))) return false;
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!vanishes(known.components[i] - factor * other.components[i])) return false;
      }
      return true;
    });
  }

  std::vector<double> values_at_a_point(const std::vector<Expr>& components) const {
    std::vector<Value> point;
    Random random(11);
    for (const Expr symbol : state_symbols(system_)) point.emplace_back(symbol, random.uniform(0.3, 0.9));
    return evaluate(components, point);
  }

  std::vector<std::vector<double>> values_;  // of the conditions at one point
  System system_;
  Derivation rate_;
};

std::string point_name(const System& system, std::size_t i) {
  return system->points[i].name.empty() ? "P" + std::to_string(i + 1) : system->points[i].name;
}

// Functions of positions and time whose zeros may be singular for the constraints: factors of single constraints, and what a
// set linear in the velocities was divided by to solve it.
std::vector<Expr> singular_positions(const System& system) {
  std::vector<Expr> found;
  const Motion& motion = system->motion;
  const auto take = [&](Expr e) {
    if (found.size() < most_conditions && !depends_on(e, motion.v) && !depends_on(e, motion.a) &&
        std::find(found.begin(), found.end(), e) == found.end())
      found.push_back(e);
  };
  try {
    const ConstraintSet set(system);
    bool linear = true;
    std::vector<Expr> rows, right;
    for (std::size_t i = 0; i < set.size(); ++i) {
      const Expr e = with_parameter_values(system, set.phi[i]);
      for (const Expr factor : distinct_factors(e).value_or(std::vector{e})) take(factor);
      linear = linear && set.order[i] < 2;
      for (std::size_t j = 0; j < system->size() && linear; ++j) {
        rows.push_back(with_parameter_values(system, set.jacobian(i, j)));
        linear = !depends_on(rows.back(), motion.v);
      }
      right.push_back(e);
    }
    if (!linear || set.size() == 0 || set.size() > most_solved) return found;
    const Matrix matrix{set.size(), system->size(), rows};
    std::vector<Replacement> at_rest;
    for (const Expr v : motion.v) at_rest.emplace_back(v, v.context().zero());
    for (Expr& e : right) e = -substitute(e, at_rest);
    if (const auto solution = solve_linear(matrix, right)) {
      for (const Expr e : solution->conditions) take(e);
    }
  } catch (const Error&) {
    // something is not defined at these values of the parameters
  }
  return found;
}

}  // namespace

std::vector<Condition> special_conditions(const System& first, const System& second) {
  Collector collector(first);
  const bool same = first->file == second->file;
  const std::array<System, 2> both = {first, second};
  const std::size_t count = same ? 1 : 2;
  // A name that the two models use for different things is told apart.
  const auto suffix = [&](const std::string& name, std::span<const Expr> components, std::size_t which) -> std::string {
    if (which == 0) return "";
    const auto differs = [&](std::span<const Expr> other) {
      return !std::equal(other.begin(), other.end(), components.begin(), components.end());
    };
    for (std::size_t i = 0; i < first->points.size(); ++i) {
      if (point_name(first, i) == name && differs(first->points[i].position)) return " of the other model";
    }
    for (const Definition& d : first->definitions) {
      if (d.name == name && differs(d.components)) return " of the other model";
    }
    return "";
  };

  for (std::size_t which = 0; which < count; ++which) {
    const System& system = both[which];
    for (std::size_t i = 0; i < system->points.size(); ++i) {
      const std::string name = point_name(system, i);
      collector.add_velocity(name, suffix(name, system->points[i].position, which), system->points[i].position,
                             i >= most_coordinates);
    }
  }
  for (const std::size_t size : {std::size_t{3}, std::size_t{1}}) {
    for (std::size_t which = 0; which < count; ++which) {
      std::size_t count_of_size = 0;
      for (const Definition& d : both[which]->definitions) {
        if (d.components.size() == size)
          collector.add_velocity(d.name, suffix(d.name, d.components, which), d.components,
                                 count_of_size++ >= most_coordinates);
      }
    }
  }
  const std::size_t points = std::min(first->points.size(), most_points);
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = i + 1; j < points; ++j) {
      const std::string a = point_name(first, i) + "'", b = point_name(first, j) + "'";
      std::array<Expr, 3> sum, difference;
      for (std::size_t c = 0; c < 3; ++c) {
        sum[c] = first->points[i].position[c] + first->points[j].position[c];
        difference[c] = first->points[i].position[c] - first->points[j].position[c];
      }
      collector.add(a + " - " + b, a + " = " + b, collector.rates(difference));
      collector.add(a + " + " + b, a + " = -" + b, collector.rates(sum));
    }
  }
  const std::size_t n = first->size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::string name = first->coordinates[i] + "'";
    collector.add(name, name + " = 0", std::span(&first->motion.v[i], 1), true, true, i >= most_coordinates);
  }
  for (std::size_t i = 0; i < n && n <= most_pairs && first->points.empty(); ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const std::string a = first->coordinates[i] + "'", b = first->coordinates[j] + "'";
      const Expr sum = first->motion.v[i] + first->motion.v[j], difference = first->motion.v[i] - first->motion.v[j];
      collector.add(a + " - " + b, a + " = " + b, std::span(&difference, 1), true, false);
      collector.add(a + " + " + b, a + " = -" + b, std::span(&sum, 1), true, false);
    }
  }
  // Branches that are factors of one constraint are named by the factor.
  for (const System& system : both) {
    for (const Constraint& constraint : system->constraints) {
      const std::vector<Expr> factors =
          distinct_factors(constraint.expression).value_or(std::vector{constraint.expression});
      for (const Expr e : factors) {
        if (factors.size() < 2 || !depends_on(e, first->motion.v)) continue;
        collector.add(to_string(e), to_string(e) + " = 0", std::span(&e, 1), true, false);
      }
    }
  }
  if (n > 1) collector.add("every velocity", "at rest", first->motion.v);

  for (std::size_t which = 0; which < count; ++which) {
    std::size_t vectors = 0;
    for (const Definition& d : both[which]->definitions) {
      const std::string name = d.name + suffix(d.name, d.components, which);
      if (d.components.size() == 3)
        collector.add(name, name + " = 0", d.components, false, true, ++vectors > most_coordinates);
    }
  }
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = i + 1; j < points; ++j) {
      const std::string a = point_name(first, i), b = point_name(first, j);
      std::array<Expr, 3> difference;
      for (std::size_t c = 0; c < 3; ++c) {
        difference[c] = first->points[i].position[c] - first->points[j].position[c];
      }
      collector.add(a + " - " + b, a + " = " + b, difference);
    }
  }
  for (const System& system : both) {
    for (const Expr e : singular_positions(system)) {
      const std::vector<Expr> zeros = simple_zeros(e);
      if (e.is_nonnegative() && zeros.front() == e) continue;  // exp(x), 1 + x²
      const std::string name = to_string(e);
      collector.add(name, name + " = 0", zeros, true);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    collector.add(first->coordinates[i], first->coordinates[i] + " = 0", std::span(&first->motion.q[i], 1), true, true,
                  i >= most_coordinates);
  }
  return std::move(collector.conditions);
}

Special describe_special(const std::vector<Condition>& conditions, const std::set<std::size_t>& vanishing,
                         const std::set<std::size_t>& everywhere, const State& state, StateFinder& finder) {
  Special special;
  // In the order of the vocabulary, each that says something new; "at rest" alone where it is the case.
  std::vector<std::size_t> order, implied;
  std::set_difference(vanishing.begin(), vanishing.end(), everywhere.begin(), everywhere.end(),
                      std::back_inserter(order));
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return conditions[i].description == "at rest"; });
  std::vector<std::string> said;
  std::array<std::vector<std::size_t>, 3> rows;  // said so far, of the time, positions and velocities
  std::array<std::size_t, 3> rank = {0, 0, 0};
  for (const std::size_t i : everywhere) {
    std::vector<std::size_t>& known = rows[static_cast<std::size_t>(conditions[i].order + 1)];
    known.insert(known.end(), conditions[i].rows.begin(), conditions[i].rows.end());
  }
  for (std::size_t kind = 0; kind < rows.size(); ++kind)
    rank[kind] = finder.rank(state, rows[kind], static_cast<int>(kind) - 1);
  for (const std::size_t i : order) {
    const Condition& condition = conditions[i];
    const auto kind = static_cast<std::size_t>(condition.order + 1);
    std::vector<std::size_t> more = rows[kind];
    more.insert(more.end(), condition.rows.begin(), condition.rows.end());
    const std::size_t with = finder.rank(state, more, condition.order);
    if (with <= rank[kind] && rank[kind] > 0) {
      if (!condition.coordinates) implied.push_back(i);
      continue;
    }
    rows[kind] = std::move(more);
    rank[kind] = with;
    said.push_back(condition.description);
    special.vanishing.insert(special.vanishing.end(), condition.names.begin(), condition.names.end());
    special.special_positions = special.special_positions || condition.order <= 0;
  }
  for (const std::size_t i : implied) {
    special.vanishing.insert(special.vanishing.end(), conditions[i].names.begin(), conditions[i].names.end());
  }
  special.description = enumerate(said);
  return special;
}

}  // namespace cetaev
