#include "cetaev/detail/formulation/swings.hpp"

#include <algorithm>
#include <initializer_list>

#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// Angles among which rotations are looked for: those of a body and of an axis in it. What is looked for grows with the cube of their number.
constexpr long most_angles = 5;

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

std::vector<Swing> swings(const System& system, const std::vector<Expr>& roots) {
  const std::vector<bool> tilts = angles_in(system, roots);
  std::vector<bool> turns = tilts;
  const std::vector<Expr> there = free_symbols(roots);
  std::vector<Expr> tilting;
  for (std::size_t i = 0; i < system->size(); ++i)
    if (tilts[i]) tilting.push_back(system->motion.q[i]);
  for (std::size_t i = 0; i < system->size(); ++i) {
    if (turns[i] || std::ranges::find(there, system->motion.q[i]) != there.end()) continue;
    turns[i] = depends_on(derivative(system->lagrangian, system->motion.v[i]), tilting);
  }
  std::vector<Swing> result;
  const long count = std::ranges::count(turns, true);
  if (std::ranges::count(tilts, true) == 0 || count < 2 || count > most_angles) return result;
  using By = Swing::By;
  const auto add = [&](std::size_t along, std::size_t turn, std::size_t tilt, std::initializer_list<By> factors) {
    for (const By by : factors)
      for (const bool sine : {false, true}) result.push_back({along, turn, tilt, sine, by});
  };
  for (std::size_t turn = 0; turn < turns.size(); ++turn) {
    for (std::size_t tilt = 0; tilt < turns.size(); ++tilt) {
      if (turn == tilt || !turns[turn] || !tilts[tilt]) continue;
      add(tilt, turn, tilt, {By::one});
      add(turn, turn, tilt, {By::cot, By::tan});
      for (std::size_t along = 0; along < turns.size(); ++along)
        if (turns[along] && along != turn && along != tilt) add(along, turn, tilt, {By::csc, By::sec});
    }
  }
  return result;
}

}  // namespace cetaev
