#include "cetaev/formulation/swings.hpp"

#include <algorithm>
#include <initializer_list>

#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// The kernel among them takes the cube of their number.
constexpr std::size_t most_swings = 400;

}  // namespace

std::vector<bool> angles_in(const System& system, const std::vector<Expr>& roots) {
  std::vector<Expr> all = roots, inside;
  for (const Definition& d : system->definitions) all.insert(all.end(), d.components.begin(), d.components.end());
  for (const Frame& f : system->frames) all.insert(all.end(), f.rotation.entries.begin(), f.rotation.entries.end());
  for (const Expr node : topological(all)) {
    if (node.kind() == Kind::function && (node.function() == Function::sin || node.function() == Function::cos))
      inside.push_back(node.operands()[0]);
  }
  std::vector<bool> result;
  for (const Expr q : system->motion.q)
    result.push_back(std::ranges::any_of(inside, [&](Expr e) { return depends_on(e, std::span(&q, 1)); }));
  return result;
}

Expr Swing::at(std::span<const Expr> q) const {
  const Expr value = sine ? sin(q[turn]) : cos(q[turn]);
  const Expr s = sin(q[tilt]), c = cos(q[tilt]);
  switch (by) {
    case By::one: return value;
    case By::cot: return value * c / s;
    case By::tan: return value * s / c;
    case By::csc: return value / s;
    case By::sec: return value / c;
  }
  return value;
}

std::optional<std::vector<Swing>> swings(const System& system, const std::vector<bool>& angle,
                                         const std::vector<bool>& turning) {
  std::vector<Swing> result;
  using By = Swing::By;
  const auto add = [&](std::size_t along, std::size_t turn, std::size_t tilt, std::initializer_list<By> factors) {
    for (const By by : factors)
      for (const bool sine : {false, true}) result.push_back({along, turn, tilt, sine, by});
  };
  const Motion& motion = system->motion;
  for (std::size_t turn = 0; turn < system->size(); ++turn) {
    if (!turning[turn]) continue;
    const std::vector<Expr> there = free_symbols(derivative(system->lagrangian, motion.v[turn]));
    const auto has = [&](Expr symbol) { return std::ranges::find(there, symbol) != there.end(); };
    for (std::size_t tilt = 0; tilt < system->size(); ++tilt) {
      if (tilt == turn || !angle[tilt] || !has(motion.q[tilt])) continue;
      add(tilt, turn, tilt, {By::one});
      add(turn, turn, tilt, {By::cot, By::tan});
      for (std::size_t along = 0; along < system->size(); ++along) {
        if (along == turn || along == tilt || !(angle[along] || turning[along]) || !has(motion.v[along])) continue;
        add(along, turn, tilt, {By::csc, By::sec});
      }
    }
    if (result.size() > most_swings) return std::nullopt;
  }
  return result;
}

}  // namespace cetaev
