#include "cetaev/formulation/caplygin_type.hpp"

#include <algorithm>

namespace cetaev {

namespace {

constexpr std::size_t most_choices = 3000;

// Can these velocities carry the independent constraints? J_dep regular at one of the random states, in balls.
class Regularity {
 public:
  Regularity(OnSet& set, const Terms& terms)
      : set_(set), rank_(set.states().empty() ? 0 : set.states().front().rows.size()) {
    for (std::size_t k = 0; k < std::min<std::size_t>(2, set.states().size()); ++k) {
      const PreciseState& state = set.states()[k];
      if (state.rows.size() != rank_) continue;  // on a piece of less rank
      std::vector<Expr> entries;
      for (const std::size_t i : state.rows) {
        for (std::size_t j = 0; j < set.system()->size(); ++j) entries.push_back(terms.constraints.jacobian(i, j));
      }
      jacobians_.push_back(evaluate_balls(entries, state.values, OnSet::bits));
    }
  }

  std::size_t rank() const { return rank_; }

  bool operator()(const std::vector<std::size_t>& dependent) const {
    if (rank_ == 0) return true;
    if (dependent.size() != rank_) return false;
    const std::size_t n = set_.system()->size();
    return std::any_of(jacobians_.begin(), jacobians_.end(), [&](const std::vector<Ball>& J) {
      std::vector<Ball> entries, right(rank_);
      for (std::size_t i = 0; i < rank_; ++i) {
        for (const std::size_t j : dependent) entries.push_back(J[i * n + j]);
      }
      return solve_in_balls(entries, right, rank_, 1, OnSet::bits);
    });
  }

 private:
  OnSet& set_;
  std::size_t rank_;
  std::vector<std::vector<Ball>> jacobians_;
};

bool contains(Expr e, Expr symbol) { return depends_on(e, std::span(&symbol, 1)); }

}  // namespace

CaplyginType::Coordinate ignorable(OnSet& set, const Terms& terms, std::size_t coordinate) {
  const System& system = set.system();
  const Expr q = system->motion.q[coordinate];
  const std::string& name = system->coordinates[coordinate];
  CaplyginType::Coordinate result;
  std::vector<Finding> findings;
  const auto free_of = [&](Expr e, const std::string& what) {
    const Finding finding = contains(e, q) ? set.vanishes(derivative(e, q)) : Finding::proof();
    findings.push_back(finding);
    if (finding.holds()) return true;
    result.ignorable = finding;
    result.obstacle = what + " contains " + name;
    return false;
  };
  if (!free_of(system->lagrangian, "the Lagrangian")) return result;
  for (std::size_t i = 0; i < system->size(); ++i) {
    if (!free_of(system->forces[i], "the force on " + system->coordinates[i])) return result;
  }
  for (std::size_t i = 0; i < terms.constraints.size(); ++i) {
    if (!free_of(terms.constraints.phi[i], "constraint " + std::to_string(i + 1))) return result;
  }
  result.ignorable = all_of(findings);
  return result;
}

CaplyginType caplygin_type(OnSet& set, const Terms& terms, const std::vector<std::size_t>& dependent) {
  CaplyginType result;
  const std::size_t n = set.system()->size();
  std::vector<std::size_t> candidates;
  for (std::size_t j = 0; j < n; ++j) {
    result.coordinates.push_back(ignorable(set, terms, j));
    if (result.coordinates.back().ignorable.holds()) candidates.push_back(j);
  }
  const bool second_order =
      std::any_of(terms.constraints.order.begin(), terms.constraints.order.end(), [](int order) { return order == 2; });
  if (second_order) {
    result.obstacle = "constraints on accelerations have no dependent velocities";
    return result;
  }
  for (const std::size_t d : dependent) {
    if (result.obstacle.empty()) result.obstacle = result.coordinates[d].obstacle;
  }
  const Regularity regular(set, terms);
  const std::size_t k = regular.rank();
  result.in_use = result.obstacle.empty() && dependent.size() == k;
  if (result.in_use) result.choices.push_back(dependent);
  if (k > candidates.size()) return result;

  // every k of the candidates, in the order of the coordinates
  std::vector<bool> chosen(candidates.size(), false);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(k), true);
  std::vector<std::size_t> sorted = dependent;
  std::sort(sorted.begin(), sorted.end());
  std::size_t tried = 0;
  do {
    if (++tried > most_choices) {
      result.more = true;
      break;
    }
    std::vector<std::size_t> choice;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (chosen[i]) choice.push_back(candidates[i]);
    }
    if (result.in_use && choice == sorted) continue;
    if (regular(choice)) result.choices.push_back(std::move(choice));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return result;
}

}  // namespace cetaev
