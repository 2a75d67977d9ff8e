#include "vocabulary.hpp"

#include <algorithm>
#include <array>

#include "cetaev/algebra/zero.hpp"
#include "cetaev/constraint/describe.hpp"

namespace cetaev {

namespace {

constexpr std::size_t most_points = 8;        // of which sums and differences are formed
constexpr std::size_t most_coordinates = 16;  // whose velocities are looked at one by one

class Collector {
 public:
  explicit Collector(const System& system) : system_(system), rate_(total_derivative(system.motion)) {}

  void add(const std::string& name, const std::string& description, std::span<const Expr> components) {
    Condition condition{{name}, description, {}, 0, {}};
    for (const Expr e : components) {
      if (vanishes(e)) continue;
      if (depends_on(e, system_.motion.a)) return;
      if (!depends_on(e, system_.motion.q) && !depends_on(e, system_.motion.v)) return;
      if (depends_on(e, system_.motion.v)) condition.order = 1;
      condition.components.push_back(e);
    }
    if (condition.components.empty()) return;
    for (Condition& known : conditions) {
      if (!same_direction(known.components, condition.components)) continue;
      if (std::find(known.names.begin(), known.names.end(), name) != known.names.end()) return;
      known.names.push_back(name);
      if (known.names.size() == 2) known.description += " (" + description + ")";
      return;
    }
    conditions.push_back(std::move(condition));
  }

  // The velocity of a position, or a velocity itself. With a suffix for names that two models use differently.
  void add_velocity(const std::string& name, const std::string& suffix, std::span<const Expr> components) {
    const bool velocity = std::any_of(components.begin(), components.end(),
                                      [&](Expr e) { return depends_on(e, system_.motion.v); });
    const std::string full = (velocity ? name : name + "'") + suffix;
    add(full, full + " = 0", velocity ? std::vector(components.begin(), components.end()) : rates(components));
  }

  std::vector<Expr> rates(std::span<const Expr> components) {
    std::vector<Expr> result;
    for (const Expr e : components) result.push_back(rate_(e));
    return result;
  }

  std::vector<Condition> conditions;

 private:
  static bool same_direction(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    if (a.size() != b.size()) return false;
    for (const Rational& factor : {Rational(1), Rational(-1), Rational(2), Rational(-2), Rational(1, 2),
                                   Rational(-1, 2)}) {
      bool same = true;
      for (std::size_t i = 0; i < a.size() && same; ++i) same = vanishes(a[i] - factor * b[i]);
      if (same) return true;
    }
    return false;
  }

  const System& system_;
  Derivation rate_;
};

std::string point_name(const System& system, std::size_t i) {
  return system.points[i].name.empty() ? "P" + std::to_string(i + 1) : system.points[i].name;
}

}  // namespace

std::vector<Condition> special_conditions(const System& first, const System& second) {
  Collector collector(first);
  const bool same = first.file == second.file;
  const std::array<const System*, 2> both = {&first, &second};
  const std::size_t count = same ? 1 : 2;
  // A name that the two models use for different things is told apart.
  const auto suffix = [&](const std::string& name, std::span<const Expr> components, std::size_t which) -> std::string {
    if (which == 0) return "";
    const auto differs = [&](std::span<const Expr> other) {
      return !std::equal(other.begin(), other.end(), components.begin(), components.end());
    };
    for (std::size_t i = 0; i < first.points.size(); ++i) {
      if (point_name(first, i) == name && differs(first.points[i].position)) return " of the other model";
    }
    for (const Definition& d : first.definitions) {
      if (d.name == name && differs(d.components)) return " of the other model";
    }
    return "";
  };

  for (std::size_t which = 0; which < count; ++which) {
    const System& system = *both[which];
    for (std::size_t i = 0; i < system.points.size(); ++i) {
      const std::string name = point_name(system, i);
      collector.add_velocity(name, suffix(name, system.points[i].position, which), system.points[i].position);
    }
  }
  for (const std::size_t size : {std::size_t{3}, std::size_t{1}}) {
    for (std::size_t which = 0; which < count; ++which) {
      for (const Definition& d : both[which]->definitions) {
        if (d.components.size() == size) collector.add_velocity(d.name, suffix(d.name, d.components, which), d.components);
      }
    }
  }
  const std::size_t points = std::min(first.points.size(), most_points);
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = i + 1; j < points; ++j) {
      const std::string a = point_name(first, i) + "'", b = point_name(first, j) + "'";
      std::array<Expr, 3> sum, difference;
      for (std::size_t c = 0; c < 3; ++c) {
        sum[c] = first.points[i].position[c] + first.points[j].position[c];
        difference[c] = first.points[i].position[c] - first.points[j].position[c];
      }
      collector.add(a + " - " + b, a + " = " + b, collector.rates(difference));
      collector.add(a + " + " + b, a + " = -" + b, collector.rates(sum));
    }
  }
  const std::size_t n = first.size();
  for (std::size_t i = 0; i < std::min(n, most_coordinates); ++i) {
    const std::string name = first.coordinates[i] + "'";
    collector.add(name, name + " = 0", std::span(&first.motion.v[i], 1));
  }
  if (n > 1) collector.add("every velocity", "at rest", first.motion.v);

  for (std::size_t which = 0; which < count; ++which) {
    for (const Definition& d : both[which]->definitions) {
      const std::string name = d.name + suffix(d.name, d.components, which);
      if (d.components.size() == 3) collector.add(name, name + " = 0", d.components);
    }
  }
  for (std::size_t i = 0; i < points; ++i) {
    for (std::size_t j = i + 1; j < points; ++j) {
      const std::string a = point_name(first, i), b = point_name(first, j);
      std::array<Expr, 3> difference;
      for (std::size_t c = 0; c < 3; ++c) {
        difference[c] = first.points[i].position[c] - first.points[j].position[c];
      }
      collector.add(a + " - " + b, a + " = " + b, difference);
    }
  }
  for (std::size_t i = 0; i < std::min(n, most_coordinates); ++i) {
    collector.add(first.coordinates[i], first.coordinates[i] + " = 0", std::span(&first.motion.q[i], 1));
  }
  return std::move(collector.conditions);
}

Special describe_special(const std::vector<Condition>& conditions, const std::vector<std::size_t>& vanishing,
                         const State& state, StateFinder& finder) {
  Special special;
  // In the order of the vocabulary, each that says something new; "at rest" alone where it is the case.
  std::vector<std::size_t> order = vanishing, rows;
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return conditions[i].description == "at rest"; });
  std::vector<std::string> said;
  std::vector<std::size_t> implied;
  std::size_t rank = 0;
  for (const std::size_t i : order) {
    const Condition& condition = conditions[i];
    bool says_more = condition.order == 0;
    if (condition.order == 1) {
      std::vector<std::size_t> more = rows;
      more.insert(more.end(), condition.rows.begin(), condition.rows.end());
      const std::size_t with = finder.velocity_rank(state, more);
      says_more = with > rank;
      if (says_more) {
        rows = std::move(more);
        rank = with;
      }
    }
    if (!says_more) {
      implied.push_back(i);
      continue;
    }
    said.push_back(condition.description);
    special.vanishing.insert(special.vanishing.end(), condition.names.begin(), condition.names.end());
    special.special_positions = special.special_positions || condition.order == 0;
  }
  for (const std::size_t i : implied) {
    special.vanishing.insert(special.vanishing.end(), conditions[i].names.begin(), conditions[i].names.end());
  }
  special.description = enumerate(said);
  return special;
}

}  // namespace cetaev
