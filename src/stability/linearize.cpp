#include "cetaev/stability/linearize.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "elsewhere.hpp"
#include "spectrum.hpp"

namespace cetaev {

std::string_view to_string(Stability stability) {
  switch (stability) {
    case Stability::asymptotically_stable: return "asymptotically-stable";
    case Stability::stable: return "stable";
    case Stability::unstable: return "unstable";
    case Stability::undecided: return "undecided";
  }
  return "undecided";
}

namespace {

// Algebra writes out what linear systems of so many coordinates hold together, and the derivatives of that are the longer.
constexpr std::size_t most_shortened = 40;

ReducedField::Equations equations_for(std::size_t coordinates) {
  return coordinates > most_shortened ? ReducedField::Equations::as_derived : ReducedField::Equations::shortened;
}

// What is proved to be steady as it stands does not move.
SteadyPoint steady_near(const ReducedField& field, const std::vector<double>& y, const std::vector<double>& parameters,
                        const Movable& moves) {
  if (moves.any()) {
    try {
      SteadyPoint as_it_stands = find_steady(field, y, parameters, {});
      certify(field, {}, as_it_stands, 256);
      if (as_it_stands.certified) return as_it_stands;
    } catch (const Error&) {
      // it is not
    }
  }
  SteadyPoint found = find_steady(field, y, parameters, moves);
  if (!moves.any()) return found;
  if (SteadyPoint proved = found; certify(field, moves, proved, 256), proved.certified) return found;
  // What Newton's method has led next to zero may be zero, and then proved as it stands, also where there are more equations than names.
  SteadyPoint at_zero = found;
  double farthest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) farthest = std::max(farthest, std::abs(found.y[i] - y[i]));
  for (std::size_t i = 0; i < y.size(); ++i)
    if (found.y[i] != y[i] && std::abs(found.y[i]) <= given_to * farthest) at_zero.y[i] = 0;
  try {
    at_zero = find_steady(field, at_zero.y, found.parameters, {});
    certify(field, {}, at_zero, 256);
  } catch (const Error&) {
    // it is not
  }
  return at_zero.certified && moves.parameters.empty() ? at_zero : found;
}

Linearization about(Groundwork& work, const AdmissibleState& at, bool quasi, const std::vector<std::string>& solve) {
  const ReducedField field(work, at, quasi, ReducedField::Time::must_not_stand, equations_for(work.system()->size()));
  const Movable moves = movable(field, solve);
  const std::vector<double> parameters = parameter_values(field.system());
  SteadyPoint point = steady_near(field, field.state(at.state, parameters), parameters, moves);
  Linearization result;
  result.steady = {field.full(point.y, point.parameters), point.residual, field.ignorable(), false, {}};
  const std::vector<double> solved = values_of(moves, field, point);
  for (std::size_t i = 0; i < solve.size(); ++i) result.steady.solved.emplace_back(solve[i], solved[i]);
  for (const std::size_t i : field.independent(point.dependent)) result.state.push_back(field.form().state[i].name);
  judge(field, work, point.certified ? Movable{} : moves, point, result);
  return result;
}

// The same; where it looks singular because forces have no value, that is said.
Linearization about_or_why_not(Groundwork& work, const AdmissibleState& at, bool quasi,
                               const std::vector<std::string>& solve) {
  try {
    return about(work, at, quasi, solve);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::singular_mass_matrix || error.code() == ErrorCode::non_finite)
      (void)Multipliers(work.system(), work.terms()).evaluate(at.state);
    throw;
  }
}

}  // namespace

Linearization linearize(const System& system, const std::vector<std::string>& solve) {
  Groundwork work(system);
  const AdmissibleState at = work.initial();
  return in_velocities_that_are_steady(system, [&](bool quasi) { return about_or_why_not(work, at, quasi, solve); });
}

}  // namespace cetaev
