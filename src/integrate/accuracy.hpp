// What the tolerance of a motion means, wherever it is asked for, and every other number that a decision on the way hangs on.
//
// A user's tolerance is a number between 0 and 1, of one step, relative to the size of each variable. What it allows elsewhere
// follows here: in which unit, and on what ground. Digits are those of doubles. Budgets (looks, halvings, steps, bits) are counts and stand beside
// their use, prices of operations in costs.cpp, the controller of dop853 with its method; tests/house/one_page_of_thresholds.py holds the
// rest of the folder to this page.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cetaev::accuracy {

// --- rounding: of numbers beside their size

constexpr double rounding = std::numeric_limits<double>::epsilon();
// √ε. By so much a variable is moved for a derivative by differences, which keeps as many digits; a lowest point whose value is known to ε has its place
// to this; another branch of a root is further away.
constexpr double half_the_digits = 0x1p-26;
// The same for a difference to both sides, whose error falls with the square.
constexpr double a_third_of_the_digits = 1e-5;
// Neighbours, of times and of variables: nothing between them is told apart, and formulas that make a time differently make another of them.
constexpr double told_apart(double size) { return 4 * rounding * size; }
// A step over a jump that leads from one time to another for certain: twice of that.
constexpr double surely_later(double size) { return 2 * told_apart(size); }
// Times between which functions of the state change by its rounding alone: some tens of numbers.
constexpr double few_numbers(double size) { return 64 * rounding * size; }
// Times that leave no digits for a derivative between them: six of sixteen are wanted.
constexpr double too_near_for_a_slope(double size) { return 1e6 * rounding * size; }
// A step that is nothing beside those before it, as where rates have a pole at t = 0, around which every time is told apart.
constexpr double nothing_beside_steps(double longest) { return rounding * longest / 1000; }
// Steps of Newton's method on one function are done: some operations.
constexpr double newton_is_done(double size) { return 16 * rounding * size; }

// --- what a method is asked for: relative to the size of each variable, per step

// A hundredth for the method taylor: what is allowed to the motion is not allowed to each of its many steps, and another digit
// or two costs a series few terms. Below half a unit of rounding a tolerance changes nothing.
inline double taylor_step(double tolerance) { return std::max(tolerance / 100, 1e-16); }
// The stages of dop853 cannot be more precise than doubles are.
inline double dop853_step(double tolerance) { return std::max(tolerance, 4 * std::numeric_limits<double>::epsilon()); }
// A variable smaller than the first part of the largest one is measured by that part: it is rarely wanted to more than the digits that are left to it,
// and one that is zero needs some size. Where smaller steps do not make errors smaller, rounding of the large ones being what is seen, the part grows
// by factors of ten up to the second.
constexpr double least_part = 1e-6, greatest_part = 0.1;
// What a cubic through both ends of a step, with their rates, misses of it, beside the size of y: steps of order 8 are as long as tolerance^(1/8) of
// the radius ρ of convergence, and the fourth derivative is at most 4!/ρ⁴ of y: 4! (h/ρ)⁴/384.
inline double cubic_in_dop853(double tolerance) { return std::sqrt(tolerance) / 16; }
// Such a cubic will do for a glance: three digits show which way a guard goes.
constexpr double a_glance = 1e-3;
// The least that CVODE holds: with less its error test meets little but rounding errors.
constexpr double cvode_least = 1e-15;
inline double cvode_step(double tolerance) { return std::max(tolerance, cvode_least); }
// Of CVODE only a tolerance as fine as this gives way to rounding errors by itself: four digits above them there is another cause.
constexpr double cvode_fine = 1e-11;
// Times as far as this, beside the time in which the state changes or that has gone by, are too far for CVODE, whose first step is not shorter
// than what time resolves there: three digits are left to it.
constexpr double cvode_far = 1e13;
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
// A tolerance is told with one digit: what leaves that as it was is not told.
inline bool is_coarser(double tolerance, double asked) { return tolerance >= 1.5 * asked; }
// Rounding errors that are told from those of the method, in units of the tolerance: a digit, which steps ten times as long are worth. They add up as the root
// of the number of steps.
inline double most_noise(double tolerance, double asked) {
  return std::min(10.0, std::max(0.0, coarsest(asked) / tolerance - 1));
}

// --- the series of the method taylor, by the tolerance of its steps

// A variable that has grown by this part is measured anew: a step is then shorter by a part of the order of that.
constexpr double noticeable_growth = 1.1;
// Angles of more turns have fewer than half of their digits left: there is nothing to be gained by turning them back.
constexpr double most_turns = 1e9;
// Functions that are only looked for zeros need as many digits as show where those are: 2⁻²⁰, as log₂.
constexpr double log_of_a_look = -20;
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
// Two ways to compute the rates where a step begins differ by rounding, which is more elsewhere: one or two digits.
constexpr double rounding_elsewhere = 50;
// A step is cut no shorter than this part of what it was to be: a jump is within it.
constexpr double least_of_a_step = 1e-14;
// A step as many times as long as the one before it is unusual and looked at in many places: methods that see what is ahead make theirs longer by less.
constexpr double unusual = 2, unusual_for_guards = 3;
// Of Chebyshev's series of a kept motion the last terms are rounding, beside its largest value.
constexpr double resolved_series = 2e-15;
// A kept motion leads up to here before a singular set, in parts of itself: it leaves a straight line by the square of that.
constexpr double next_to_a_set = 0x1p-24;
// The last state of a step that ends on a set without one is looked for before it: by these parts of the step, from some roundings on.
constexpr double first_back = 0x1p-48, further_back = 0x1p8, furthest_back = 0x1p-16;

// --- the pace of a motion, as parts of its time or of that in which its state changes as a whole

// Less than the first in thousands of steps is no progress: the motion would take 4·10¹¹ of them. Nor less than the second of the time until a singular
// set, of which a few hundred steps go nearly all the way.
constexpr double creeping = 1e-8, creeping_to_a_set = 0.03;
// Stiff is what fades in a hundredth of the time in which the state changes, of variables from a thousandth of the largest on: explicit methods take
// so many steps where an implicit one, each of whose steps costs several of theirs, takes some.
constexpr double stiff = 100, of_the_largest = 1e-3;
// Rounding holds steps back where it makes of a step more than this part of what the tolerance lets it have.
constexpr double noticed_of_tolerance = 0.01;
// The state has grown by so much since the start, and grows by itself in such a part of the time it took, when no step works any more: it
// leaves every bound. Six digits and three are no motion that just goes far.
constexpr double escaped = 1e6, ever_faster = 1e3;
// Another method takes over where it goes this much further for the same work, as it holds fewer digits.
constexpr double further_by_bdf = 10;
// Steps shorter than this beside their mean are those of a motion that comes to an end: a half is the pace under a constant force.
constexpr double much_shorter = 0.1;
// The first steps of dop853 are cautious: they grow as long as one is longer than the longest so far by this factor.
constexpr double still_growing = 1.2;
// Variations that have outgrown the state by this factor are made smaller by a power of two: they are no part of its errors.
constexpr double outgrown = 8;

// --- terms that are large only near some place of the state: by how much they change, as logarithms

// Within one step up to a place and again beyond it, a factor of four: steps that a method chooses by what it sees have divisors that change by
// less, as the poles of a term are further away than a step is long.
constexpr double narrow = 2 * std::numbers::ln2;
// Where a step ends before such a place, so that the next one sees it: half of what is there.
constexpr double flank = std::numbers::ln2;
// How well either has to be known: a hundredth of them.
constexpr double level = 0.01;

// --- terms that depend on time alone, isolated before the motion

// Parts in which a term is nowhere steeper than this many times its chord are done: it may turn once.
constexpr double as_the_ends_show = 4;
// Parts that are shorter than this beside the longest end steps: in one of unusual length as many places are looked at.
constexpr double looks_of_a_step = 32;
// A term that changes by less of its range where time resolves no more has a cusp there and no jump: powers from 1/8 on do.
constexpr double of_a_cusp = 0.02;
// As much of the time of a motion is left out on both sides of one, in which rates change by a power p > 0 of that: positions and velocities are wrong
// by (10⁻¹⁰)^(1+p). Nearer the power −∂L/∂t, some 1/√d at a distance d, is lost in the rounding of d.
constexpr double beside_a_cusp = 1e-10;
// Of the time of a motion: so far from a pole that is beyond rounding by ten digits, where methods hold their steps still, and so near that forces like
// log |t − 1| change positions by 10⁻¹⁶. What is that near has to be a few numbers away.
constexpr double far_from_a_pole = 1e-6, near_a_pole = 1e-8;
// What a function changes by from a tenth of a distance to a hundredth, beside what it changes by up to there: 10^a for the power −a of the distance, 1
// for its logarithm. Hardly slower than that, and like the power −1/2 or faster, which has an integral but none by octaves.
constexpr double like_a_logarithm = 0.7, like_a_root = 3;
// Beside the rates themselves: what changes by less towards a pole has none.
constexpr double hardly_changes = 1e-6;
// Of the rates, from a little before a jump up to it: what has no value there changes by all of them.
constexpr double comes_to_a_value = 0.1;

// --- equations that jump or bend with the state: distances beside the state, or parts of the time in which it changes as a whole

// Two sides of a jump that differ by less of the equations elsewhere do not: what rounding leaves of a difference that vanishes, some thousand
// operations on numbers that are derivatives.
constexpr double no_jump = 1e-9;
// A state put on a jump is on its way to one of the sides after this time, by a step of the second order: eight digits.
constexpr double a_little_later = 1e-4;
// From 0/0 at the very jump to beyond it, of a step.
constexpr double over_a_jump = 1e-9;
// Rates between these two distances (to half of the digits they keep as many themselves) are Lipschitz-continuous where their slope grows by less than
// this, as (10⁻³/10⁻⁸)^0.06 does, and continuous where they fall by it.
constexpr double near_by = 1e-3, slope_grows = 2;
// Rounding of the state that changes rates by more than this of what the nearer distance does is a root: it stands at the foot of a wall.
constexpr double foot_of_a_wall = 1e-3;
// Beside a state of zeros: numbers whose square, or cube, is one, too.
constexpr double beside_nothing = 1e-60, beside_zero = 1e-100;
// Two motions that begin as far apart as these from a third, followed so long. Where several motions begin at one state the end has nothing to do with
// the beginning, and the distance grows by 10⁴ times as much for the nearer one: by ten it may, and by twice the root of 10⁴ where they swing
// about a state of rest and come no further from it than the root of the first.
constexpr double apart = 1e-6, less_apart = 1e-10, followed = 0.1;
constexpr double together = 10, swings_together = 200, no_swing = 1e-2;
// What has fallen to nothing comes to rest where rates at half of its digits are so many times as large as those of what fades for ever: as a power 7/8 of
// the distance falls over that.
constexpr double comes_to_rest = 10;

// --- the constraints: residuals relative to the terms that they are made of

// A state that is given lies on them: some thousand roundings.
constexpr double given_state = 1e-12;
// What the rounding of a row leaves of it where all its terms vanish, of the usual size of its entries times the largest variable, and of what else
// is made of variables of a size: some tens of operations.
inline double rounding_of_a_row(double size) { return 32 * std::numeric_limits<double>::epsilon() * size; }
// Newton's method has put a state on them: exactly, or to some hundred roundings from where it comes no nearer; and where it has run out of
// steps, to what a rank is known to.
constexpr double put_on_exactly = 2 * rounding, put_on_as_well_as_may_be = 1e-13, put_on_in_the_end = 1e-10;
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

// More than six digits off is another motion, and no rounding.
constexpr double gross = 1e-6;
// What errors of steps in their thousands add up to.
inline double adds_up_to(double tolerance) { return 1e4 * std::max(tolerance, 1e-15); }
// Off its balance at the end of a motion: more is worth a word.
inline double noticeable_drift(double tolerance) { return std::max(gross, adds_up_to(tolerance)); }
// Of the energy or of the constraints, in one step: half of the digits are lost, and the tolerance has nothing to do with it
// any more.
inline double gross_error(double tolerance) { return std::max(gross, std::sqrt(tolerance)); }
// Of velocities, beside the largest: another branch of a root, where what a tolerance leaves is less.
inline double other_branch(double tolerance) { return std::max(0.01, gross_error(tolerance)); }
// Rates in doubles beside those in balls, of each and of the largest: what is lost is lost by all of it, and rounding takes less.
constexpr double lost_rate = 1e-6, lost_beside_others = 1e-12;

// --- the second witness: rates beside accelerations, relative to either

// What is wrong is wrong by its sign, or by the other branch of a root: by as much as it is. Half of the digits of a gross error are left to what
// derivatives of dense output lose, and to rows that are nearly dependent.
inline double other_rates(double tolerance) { return std::sqrt(gross_error(tolerance)); }
// The distance of two places from which a derivative is taken, as a part of the step: with four of them the error is that part to the fourth power
// times some tenths, as poles are further away than a step is long; and of the sixteen digits of a double the difference has fourteen.
constexpr double places_of_a_slope = 1.0 / 64;
// Of the rounding in a derivative by differences, where there is nothing but rounding: three digits for what a form makes of its state.
inline double rounding_of_rates(double of_the_state) { return 1e3 * of_the_state; }

// --- singular sets: what methods are asked for

// A set that is met by steps as coarse as the first is met again by steps as fine as the second, the most that is held by every method without counting
// roundings: errors of coarse ones cross sets that no motion meets.
constexpr double coarse_steps = 1e-10, fine_steps = 1e-13;

// --- events: functions beside their values in the step

// What is smaller is rounding.
constexpr double noise_of_an_event = 1e-14;
// What the state is known to where an event touches zero, relative to each variable: the ten digits that multistep methods hold at best. Whatever the
// tolerance is: what passes zero by more, or misses it, is as the dense output has it.
constexpr double state_at_an_event = 1e-10;
// At the ends of a step only what is smaller may be zero for all that is known: seven digits above that.
constexpr double worth_a_look = 1e-3;
// Stands for a zero on the side that it leads to.
constexpr double side_of_zero = 1e-300;

// --- singular sets: quantities relative to the largest value they have had

// Nearer than this a step is looked into, and states there are asked how near they are in measures that are smooth: a parabola that bends as a step of usual
// length lets it comes from there to nothing within one.
constexpr double near = 0.2;
// Nearer than this the set is ahead: what a motion that cannot go on has failed by, and where it may leap; parts of J lose two digits.
constexpr double close = 0.01;
// No other choice of rows serves for long: six digits are lost by any.
constexpr double hopeless = 1e-6;
// Vanished, whatever else is known: a thousand roundings.
constexpr double certainly = 1e-12;
// A choice of rows or of dependent velocities serves badly when its last pivot is so small beside what it was, or beside that of the best one:
// half a digit. A form that was left takes over again at twice of that.
constexpr double worn = 0.3, serves_again = 2 * worn;
// Determinants that are larger than the first, and have changed by less than the second since the last look, have not been through zero.
constexpr double guarded = 0.05, sudden = 0.3;
// Of a guard on a piece of a step, in fourth differences of its five values: where these resolve it, half of the piece has a sixteenth of the difference, so
// that nothing is decided by values that the next halving would contradict, as by 0.5, 1, 1, 1, 1 on the flank of a dip.
constexpr double unresolved = 16;
// Between two looks at a number its slope is no more than this many times that around.
constexpr double steeper = 4;
// A low point as near as this to the end of a step, as a part of it, still falls there: it belongs to the next one.
constexpr double at_the_end = 1e-9;
// Values on the way to zero are marked where they have halved, and the one of now tells something where it is less than this part of the last
// mark. A zero further ahead than so many of the last distances does not show yet; one nearer than this part of them is here; and so well it is solved for.
constexpr double marked = 0.5, tells_something = 0.8, furthest_ahead = 100, here = 1e-9, solved_for = 1e-14;
// The same determinant at random states, but for rounding; and a matrix of weights that is positive definite for certain (Cholesky's pivots).
constexpr double same_everywhere = half_the_digits, surely_positive = half_the_digits;
// Leaps over a set. Steps that are shorter than the first of the way to it are held down by it, and a motion that is smooth there would be
// followed over it; the leap ends beyond by the second of the step, where equations are regular again, and is no longer than so many steps: what is left out
// of the series is 3²⁰ of what the step leaves out. A set met again so soon, of the time of the motion, is the same one.
constexpr double held_down = 0.125, beyond_the_set = 0.1, furthest_leap = 3, the_same_set = 1e-6;

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
// As far as that from a state, and a digit further, since what its measure is beside its largest value and how far the set is differ by slopes, there is one on the
// set if the motion meets it.
inline double within_reach(double tolerance) { return 10 * passed_by(tolerance); }
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
