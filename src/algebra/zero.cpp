#include "cetaev/detail/algebra/zero.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cancels.hpp"
#include "cetaev/detail/algebra/switching.hpp"
#include "field.hpp"
#include "sample.hpp"

namespace cetaev {

namespace {

using Point = std::vector<std::pair<Expr, Rational>>;

constexpr long quick_bits = 80;
constexpr int quick_points = 2;
constexpr unsigned quick_attempts = 8;

constexpr int wanted_points = 8;
constexpr unsigned attempts = 80;
constexpr int wanted_digits = 60;
constexpr long first_bits = 400;
constexpr long last_bits = 6400;
constexpr long last_bits_of_rational_functions = 1L << 19;  // these are known not to vanish
// Large expressions are looked at with less precision: this many bits in all their nodes together.
constexpr long bits_of_all_nodes = 16'000'000;

bool excludes_zero(const Ball& ball) { return ball.is_finite() && !ball.contains_zero(); }

ZeroTest refuted(Point witness) {
  ZeroTest result;
  result.verdict = Verdict::refuted;
  result.witness = std::move(witness);
  return result;
}

// One or two evaluations at low precision: almost everything that is not zero ends here.
std::optional<Point> refute_quickly(Expr e, std::span<const Expr> symbols) {
  int found = 0;
  for (unsigned n = 0; n < quick_attempts && found < quick_points; ++n) {
    Point point = algebra::sample_point(symbols, n);
    const Ball ball = algebra::value_at(e, point, quick_bits);
    if (excludes_zero(ball)) return point;
    if (ball.is_finite()) ++found;
    if (symbols.empty()) break;
  }
  return std::nullopt;
}

// not_zero_form: not zero as far as the relations between the kernels are known.
enum class Algebra { zero, not_zero, not_zero_form, unknown };

Algebra decide_exactly(Expr e) {
  try {
    algebra::Budget budget(algebra::zero_test_units);
    const algebra::Field field(std::array{e}, budget);
    if (field(e).is_zero()) return Algebra::zero;
    return field.has_kernels() ? Algebra::not_zero_form : Algebra::not_zero;
  } catch (const algebra::Exhausted&) {
    return Algebra::unknown;
  } catch (const algebra::ZeroDenominator& error) {
    throw algebra::division_by_zero(error);
  }
}

// Decimal digits to which a ball around zero is zero.
int digits_of_zero(const Ball& ball) {
  const double digits = -ball.magnitude_log10();
  return static_cast<int>(std::clamp(digits, 0.0, 1e6));
}

// Many points at high precision; the precision grows where it does not suffice to see either way.
ZeroTest examine(Expr e, std::span<const Expr> symbols, Algebra exact) {
  ZeroTest result;
  int least_digits = std::numeric_limits<int>::max();
  const unsigned tries = symbols.empty() ? 1 : attempts;
  const auto nodes = static_cast<long>(topological(std::array{e}).size());
  const long last = exact == Algebra::not_zero ? last_bits_of_rational_functions : last_bits;
  const long most_bits = std::clamp(bits_of_all_nodes / nodes, 2 * first_bits, last);
  for (unsigned n = 0; n < tries && result.points < wanted_points; ++n) {
    Point point = algebra::sample_point(symbols, n);
    int digits = -1;
    // What algebra found not to be zero is looked at once with all the precision there is.
    const bool insist = exact != Algebra::unknown && result.points == 0;
    for (long bits = first_bits; bits <= most_bits; bits *= 2) {
      const Ball ball = algebra::value_at(e, point, bits);
      if (excludes_zero(ball)) return refuted(std::move(point));
      if (!ball.is_finite()) break;
      digits = digits_of_zero(ball);
      if (digits >= wanted_digits && !insist) break;
    }
    if (digits < 0) continue;
    least_digits = std::min(least_digits, digits);
    ++result.points;
  }
  if (result.points > 0) result.digits = least_digits;
  return result;
}

// 1 + tanh(1000 (x − 30)) is zero wherever one looks but beside the step.
std::optional<Point> refute_beside_steps(Expr e, std::span<const Expr> symbols) {
  constexpr unsigned points_of_a_step = 2;
  for (const Expr u : steep(std::array{e}, symbols)) {
    for (unsigned n = 0; n < points_of_a_step; ++n) {
      std::optional<Point> point = algebra::sample_point_near(u, symbols, n);
      if (point && excludes_zero(algebra::value_at(e, *point, first_bits))) return point;
    }
  }
  return std::nullopt;
}

}  // namespace

ZeroTest prove_zero(Expr e) {
  if (e.is_zero()) return {Verdict::proved, {}, 0, 0};
  if (e.is_number()) return refuted({});
  const std::vector<Expr> symbols = free_symbols(e);
  if (auto witness = refute_quickly(e, symbols)) return refuted(std::move(*witness));
  // of many symbols polynomials are long before they are short
  if (algebra::cancels(e)) return {Verdict::proved, {}, 0, 0};
  const Algebra exact = decide_exactly(e);
  if (exact == Algebra::zero) return {Verdict::proved, {}, 0, 0};
  ZeroTest result = examine(e, symbols, exact);
  if (result.verdict != Verdict::undecided) return result;
  if (auto witness = refute_beside_steps(e, symbols)) return refuted(std::move(*witness));
  return result;
}

namespace {

// |u| in one expression: each doubles the number of sides.
constexpr int most_absolute = 6;

bool vanishes_at_points(Expr e, int absolute_values_left) {
  const ZeroTest test = prove_zero(e);
  if (test.verdict != Verdict::undecided) return test.verdict == Verdict::proved;
  const std::vector<Expr> symbols = free_symbols(e);
  const int enough = symbols.empty() ? 1 : wanted_points;
  if (test.points < enough || test.digits < wanted_digits) return false;
  if (absolute_values_left == 0) return true;
  // |x − 1000| + x − 1000 is zero wherever one looks, and not everywhere
  const Expr written = with_absolute_values(e);
  const std::vector<Expr> bent = absolute_values(written, symbols);
  if (bent.empty()) return true;
  const Expr inside = bent.front().operands()[0];
  for (const Expr side : {inside, -inside}) {
    const std::array<Replacement, 1> known = {{{bent.front(), side}}};
    try {
      if (!vanishes_at_points(substitute(written, known), absolute_values_left - 1)) return false;
    } catch (const Error&) {
      return false;  // there it is not defined
    }
  }
  return true;
}

}  // namespace

bool vanishes(Expr e) { return vanishes_at_points(e, most_absolute); }

}  // namespace cetaev
