// What the tolerance of a motion means, wherever it is asked for.
//
// A user's tolerance is a number between 0 and 1, of one step, relative to the size of each variable. What it allows elsewhere
// follows here: in which unit, and on what ground. Digits are those of doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cetaev::accuracy {

// --- what a method is asked for: relative to the size of each variable, per step

// A hundredth for the method taylor: what is allowed to the motion is not allowed to each of its many steps, and another digit
// or two costs a series few terms. Below half a unit of rounding a tolerance changes nothing.
inline double taylor_step(double tolerance) { return std::max(tolerance / 100, 1e-16); }
// The stages of dop853 cannot be more precise than doubles are.
inline double dop853_step(double tolerance) { return std::max(tolerance, 4 * std::numeric_limits<double>::epsilon()); }
// What a cubic through both ends of a step, with their rates, misses of it, beside the size of y: steps of order 8 are as long as tolerance^(1/8) of
// the radius ρ of convergence, and the fourth derivative is at most 4!/ρ⁴ of y: 4! (h/ρ)⁴/384.
inline double cubic_in_dop853(double tolerance) { return std::sqrt(tolerance) / 16; }
// The least that CVODE holds: with less its error test meets little but rounding errors.
constexpr double cvode_least = 1e-15;
inline double cvode_step(double tolerance) { return std::max(tolerance, cvode_least); }
// A motion that was begun by another method and goes on by bdf keeps its digits: over thousands of steps of low order errors add up to some
// hundred times what is allowed to each.
inline double bdf_instead(double tolerance) { return tolerance / 100; }

// Where rounding errors of the equations are larger than the tolerance it gives way by factors of ten, so far and only to a fine one: the next one,
// or nothing.
inline double coarsest(double asked) {
  constexpr double furthest = 1e4, coarse = 1e-10;
  return std::min(furthest * asked, coarse);
}
inline double next_coarser(double tolerance, double asked) {
  const double next = 10 * tolerance;
  return next > 1.5 * coarsest(asked) ? 0 : next;
}
// Rounding errors that are told from those of the method, in units of the tolerance: a digit, which steps ten times as long are worth. They add up as the root
// of the number of steps.
inline double most_noise(double tolerance, double asked) {
  return std::min(10.0, std::max(0.0, coarsest(asked) / tolerance - 1));
}

// --- the series of the method taylor, by the tolerance of its steps

// Terms that are the cheapest where a term costs in proportion to its order (Jorba and Zou): 1 − ln(tolerance)/2.
inline double taylor_terms(double step_tolerance) { return 1 - std::log(step_tolerance) / 2; }
// log₂ of what the last term kept may be beside the tolerance: the terms left out are to be below it. With ρ =
// tolerance^(1/order) for the ratio of successive terms they sum to ρ/(1 − ρ) of the last one.
inline double taylor_slack(double step_tolerance, unsigned order) {
  const double ratio = std::pow(step_tolerance, 1.0 / order);
  return std::max(0.0, std::log2((1 - ratio) / ratio));
}
// By how much y' of a step's polynomial may differ from f(t, y), times the step, relative to the size of the variable: the
// derivative of a series loses a factor of its order, some tens, and the step control guesses within another few. Below 1e-11
// is the rounding of f in steps of usual length.
inline double defect(double step_tolerance) { return std::max(1e-11, 200 * step_tolerance); }

// --- terms that are large only near some place of the state: by how much they change, as logarithms

// Within one step up to a place and again beyond it, a factor of four: steps that a method chooses by what it sees have divisors that change by
// less, as the poles of a term are further away than a step is long.
constexpr double narrow = 2 * std::numbers::ln2;
// Where a step ends before such a place, so that the next one sees it: half of what is there.
constexpr double flank = std::numbers::ln2;
// How well either has to be known: a hundredth of them.
constexpr double level = 0.01;

// --- the constraints: residuals relative to the terms that they are made of

// A state that is given lies on them: some thousand roundings.
constexpr double given_state = 1e-12;
// What the rounding of a row leaves of it where all its terms vanish, of the usual size of its entries times the largest variable, and of what else
// is made of variables of a size: some tens of operations.
inline double rounding_of_a_row(double size) { return 32 * std::numeric_limits<double>::epsilon() * size; }
// Where a step has led further off than this, the state is put back: what is allowed to a step.
inline double drift_off(double tolerance) { return tolerance; }
// The same beside terms that have become small near a singular set: half of the digits, as the way to the set is told wrong by the square of that part
// of what is left of it.
inline double drift_off_small_terms(double tolerance) { return std::max(tolerance, 1e-8); }
// Where redundant rows contradict each other in the equations for the multipliers, at a state that has drifted off: derivatives
// are worse than what they are derivatives of by some digits. With no drift, as much as Multipliers allows by itself.
inline double contradiction(double tolerance) { return std::max(1e-8, 1e4 * tolerance); }
// A state changed by no more than a projection changes it, relative to the size of each variable: multistep methods keep their
// history. A residual within the tolerance moves the state by that over the least slope of the rows; three digits for the slope.
inline double projection_shift(double tolerance) { return 1e3 * tolerance; }

// --- the energy, relative to its size or to 1

// What errors of steps in their thousands add up to.
inline double adds_up_to(double tolerance) { return 1e4 * std::max(tolerance, 1e-15); }
// Off its balance at the end of a motion: more is worth a word.
inline double noticeable_drift(double tolerance) { return std::max(1e-6, adds_up_to(tolerance)); }
// Of the energy or of the constraints, in one step: half of the digits are lost, and the tolerance has nothing to do with it
// any more.
inline double gross_error(double tolerance) { return std::max(1e-6, std::sqrt(tolerance)); }

// --- the second witness: rates beside accelerations, relative to either

// What is wrong is wrong by its sign, or by the other branch of a root: by as much as it is. Half of the digits of a gross error are left to what
// derivatives of dense output lose, and to rows that are nearly dependent.
inline double other_rates(double tolerance) { return std::sqrt(gross_error(tolerance)); }
// Of the rounding in a derivative by differences, where there is nothing but rounding: three digits for what a form makes of its state.
inline double rounding_of_rates(double rounding) { return 1e3 * rounding; }

// --- singular sets: what methods are asked for

// A set that is met by steps as coarse as the first is met again by steps as fine as the second, the most that is held by every method without counting
// roundings: errors of coarse ones cross sets that no motion meets.
constexpr double coarse_steps = 1e-10, fine_steps = 1e-13;

// --- singular sets: quantities relative to the largest value they have had

// A state on the way is known to this, relative to the largest of its positions (velocities), as steps by the hundred add up what is
// allowed to each and multistep methods hold ten digits at best: of a change of energy Σ |yᵢ ∂E/∂yᵢ| times this is explained.
inline double known_on_the_way(double tolerance) { return std::max(1e-10, 100 * tolerance); }
// What may vanish within that, at its lowest point, has vanished; but where a state is known to less than 10⁻⁶ it is one state of many beside
// the set, and the motion is followed from there.
inline double near_to_nothing(double tolerance) { return std::min(known_on_the_way(tolerance), 1e-6); }
// Beside the largest value that a quantity has had: only what is smaller is enclosed. What is known to δ is zero at √δ of its size if its
// slopes are 1/√δ of that.
inline double worth_enclosing(double tolerance) { return std::sqrt(near_to_nothing(tolerance)); }
// Near a set where the constraints lose rank errors grow like one over the distance from it: nearer than this, beside the largest value
// that its measure has had, they are as large as the distance, and a motion that meets the set passes it as near as that.
inline double passed_by(double tolerance) { return std::sqrt(tolerance); }
// A state that is put back on the constraints is as near to a set as before where no measure of it has changed by more than this part.
constexpr double as_near = 0.01;
// As good as zero for forms that divide by a part of J, beside the largest value it has had: their states lose digits as it falls.
inline double vanished_of_a_part(double tolerance) { return std::max(1e-3, std::sqrt(tolerance)); }
// A determinant beside the largest value it has had, above which nothing that it is a product of has vanished or is worth enclosing: half of
// its digits are left to the other factors.
inline double determinant_of_regular(double tolerance) {
  return std::sqrt(std::max(worth_enclosing(tolerance), passed_by(tolerance)));
}

}  // namespace cetaev::accuracy
