#include "spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/detail/expr/balanced_balls.hpp"
#include "held_by_constants.hpp"
#include "modes.hpp"
#include "on_axis.hpp"
#include "words.hpp"

namespace cetaev {

namespace {

// Eigenvalues in numbers of many digits, with bounds, take n³ products of such numbers, and the directions of modes as much for each of them:
// beyond so many components they are those of doubles, and that is said.
constexpr std::size_t most_enclosed = 128;

bool faster(const std::complex<double>& a, const std::complex<double>& b) {
  return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
}

std::string plural(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

struct Signs {
  std::size_t positive = 0, negative = 0, zero = 0, imaginary = 0;
  std::size_t on_axis = 0;  // of the imaginary ones, those that are proved to be
};

void decide(const ReducedField& field, Groundwork& work, const SteadyPoint& point, std::span<const long> units,
            long bits, const Signs& signs, bool enclosed, Linearization& result) {
  const std::string ground = !point.certified ? ", by numbers: that there is a steady motion here is not proved"
                             : !enclosed      ? ", by numbers"
                                              : "";
  const std::size_t n = result.eigenvalues.size();
  if (n == 0) {
    result.verdict = Stability::stable;
    result.because = "nothing is left that could change";
    return;
  }
  if (signs.positive > 0) {
    result.verdict = Stability::unstable;
    result.because = fmt::format("{} {} a positive real part{}", plural(signs.positive, "eigenvalue"),
                                 signs.positive == 1 ? "has" : "have", ground);
    return;
  }
  if (signs.negative == n) {
    result.verdict = Stability::asymptotically_stable;
    result.because = "all eigenvalues have negative real parts" + ground;
    return;
  }
  if (signs.negative + signs.zero == n && signs.zero == point.families.size()) {
    result.verdict = Stability::stable;
    result.because =
        fmt::format("{} zero and {} to a family of steady motions, told apart by {}; {}",
                    plural(signs.zero, "eigenvalue") + (signs.zero == 1 ? " is" : " are"),
                    signs.zero == 1 ? "belongs" : "belong", listed(point.families),
                    signs.negative == 0
                        ? "there are no others"
                        : "all others have negative real parts, so that motions near by tend to one of it") +
        ground;
    return;
  }
  if (std::string held; auto form = held_by_constants(field, work, point, units, bits, held)) {
    result.verdict = Stability::stable;
    result.because = std::move(held);
    result.form = std::move(form);
    return;
  }
  if (point.certified && signs.on_axis == signs.imaginary && signs.zero == point.families.size() && is_linear(field)) {
    result.verdict = Stability::stable;
    result.because = fmt::format(
        "the equations are linear: {} on the imaginary axis, each by itself{}{}",
        plural(signs.imaginary, "eigenvalue") + (signs.imaginary == 1 ? " lies" : " lie"),
        signs.zero == 0 ? ""
                        : fmt::format(", {} to a family of steady motions, told apart by {}",
                                      plural(signs.zero, "zero") + (signs.zero == 1 ? " belongs" : " belong"),
                                      listed(point.families)),
        signs.negative == 0 ? "" : ", and all others have negative real parts");
    return;
  }
  result.verdict = Stability::undecided;
  std::string open;
  if (signs.zero > 0) {
    open = plural(signs.zero, "eigenvalue") + (signs.zero == 1 ? " is" : " are") + " zero";
    if (!point.families.empty())
      open += fmt::format(", of which a family of steady motions, told apart by {}, explains {}",
                          listed(point.families), std::min(signs.zero, point.families.size()));
  }
  if (signs.imaginary > 0) {
    open += (open.empty() ? "" : "; ") + plural(signs.imaginary, "eigenvalue") +
            (signs.imaginary == 1 ? " lies" : " lie") + " on the imaginary axis" +
            (signs.on_axis == signs.imaginary ? "" : ", or too near to tell");
  }
  result.because = open + ": what is left out by the linearisation decides" + ground;
}

}  // namespace

void sort_by_growth(ToldSpectrum& values) {
  std::ranges::sort(values, [](const ToldEigenvalue& a, const ToldEigenvalue& b) { return faster(a.value, b.value); });
}

void judge(const ReducedField& field, Groundwork& work, const Movable& moves, SteadyPoint& point,
           Linearization& result) {
  const std::size_t n = field.independent(point.dependent).size();
  ReducedField::Values<Ball> slopes;
  std::optional<std::vector<Ball>> A;
  std::optional<std::vector<ComplexBall>> found;
  const bool enclosed = n <= most_enclosed;
  // what becomes doubles takes no more than tells zeros from rounding
  constexpr long for_doubles = 128;
  long bits = 0;
  for (const long more : {256L, 1024L}) {
    bits = enclosed ? more : for_doubles;
    certify(field, moves, point, bits);
    if (!point.certified) sharpen(field, moves, point, bits);
    slopes = field.derivatives(point.y_balls, point.parameter_balls, bits);
    A = field.matrix(point.dependent, slopes, bits);
    if (!A) throw Error(ErrorCode::singular_mass_matrix, "the equations of motion are singular at the steady motion");
    if (!enclosed) break;
    found = eigenvalues_in_balls(*A, n, bits);
    if (found && is_settled(*found)) break;
  }
  result.steady.certified = point.certified;
  for (const Ball& entry : *A) result.A.push_back(entry.midpoint());
  // what may be zero and is known to the rounding of what stands in its row and in its column is zero, as far as doubles tell
  std::vector<long> units(n);
  for (const BalancedPart& part : balanced_parts(*A, n)) {
    for (std::size_t i = 0; i < part.members.size(); ++i) units[part.members[i]] = part.exponents[i];
    const std::vector<Ball> scaled = balanced(*A, n, part);
    double largest = -std::numeric_limits<double>::infinity();
    for (const Ball& entry : scaled) largest = std::max(largest, entry.magnitude_log10());
    for (std::size_t i = 0; i < part.members.size(); ++i) {
      for (std::size_t j = 0; j < part.members.size(); ++j) {
        const Ball& entry = scaled[i * part.members.size() + j];
        if (entry.contains_zero() && entry.magnitude_log10() < largest - std::numeric_limits<double>::digits10)
          result.A[part.members[i] * n + part.members[j]] = 0;
      }
    }
  }
  struct One {
    Eigenvalue value;
    std::optional<ComplexBall> ball;
  };
  std::vector<One> all;
  if (found && (point.certified || point.off == 0)) {
    for (const ComplexBall& ball : *found) {
      const auto [value, error] = told(ball);
      // rounding to doubles counts, too
      const double rounding = std::numeric_limits<double>::epsilon() * std::abs(value);
      all.push_back({{value, point.certified ? std::optional(error + rounding) : std::nullopt}, ball});
    }
  } else {
    std::optional<ToldSpectrum> in_doubles;
    if (!enclosed) in_doubles = spectrum_in_doubles(result.A, n, point.certified ? 0 : point.off);
    if (!enclosed && !in_doubles)
      throw Error(ErrorCode::non_finite, "the eigenvalues of the linearisation could not be computed");
    for (const ToldEigenvalue& one : in_doubles ? *in_doubles : spectrum_about(field, point))
      all.push_back({{one.value, std::nullopt}, std::nullopt});
  }
  std::ranges::stable_sort(all, [](const One& a, const One& b) { return faster(a.value.value, b.value.value); });
  Signs signs;
  std::vector<ComplexBall> balls;
  const bool symmetric = found && point.certified && has_symmetric_spectrum(field, *A, n);
  for (const One& one : all) {
    result.eigenvalues.push_back(one.value);
    if (one.ball) balls.push_back(*one.ball);
    const std::complex<double> value = one.value.value;
    if (value == 0.0)
      ++signs.zero;
    else if (value.real() > 0)
      ++signs.positive;
    else if (value.real() < 0)
      ++signs.negative;
    else
      ++signs.imaginary;
  }
  if (symmetric) {
    const std::vector<bool> proved = on_the_axis(balls);
    for (std::size_t i = 0; i < balls.size(); ++i)
      if (proved[i] && !balls[i].im.contains_zero()) ++signs.on_axis;
  }
  result.zero = signs.zero;
  find_families(field, moves, point, slopes, signs.zero, bits);
  result.families = point.families;
  if (enclosed) result.modes = modes_of(result, *A, balls, bits);
  decide(field, work, point, units, bits, signs, found.has_value(), result);
  if (!enclosed)
    result.because += fmt::format(
        "; left out, with {} components of z, more than {}: bounds of the eigenvalues, which are those of doubles, and "
        "the modes",
        n, most_enclosed);
}

}  // namespace cetaev
