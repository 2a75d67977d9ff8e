#include "spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/analysis/check.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

bool faster(const std::complex<double>& a, const std::complex<double>& b) {
  return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
}

std::string plural(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string listed(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

// Is the energy least, or greatest, there among all states near by? Then no motion leads away from it: its second variation along the
// constraints is definite where its first one vanishes.
bool has_least_energy(const ReducedField& field, const SteadyPoint& point, long bits) {
  if (!point.certified) return false;
  const Check found = check(field.system());
  if (!found.energy.conserved.holds() || !found.energy.conserved.proved) return false;
  const FirstOrderSystem& form = field.form();
  const std::vector<std::size_t>& kept = field.kept();
  if (!form.needed_for(std::span(&form.energy, 1)).blocks.empty()) return false;
  for (const std::size_t i : field.ignorable())
    if (depends_on(form.energy, std::span(&field.system()->motion.q[i], 1))) return false;
  const std::size_t k = point.dependent.rows.size();
  std::vector<Expr> functions = {form.energy};
  for (const std::size_t r : point.dependent.rows) functions.push_back(field.constraints()[r]);
  std::vector<Expr> first, second;
  for (const Expr e : functions) {
    for (const std::size_t i : kept) {
      const Expr slope = derivative(e, form.state[i].symbol);
      first.push_back(slope);
      for (const std::size_t j : kept) second.push_back(derivative(slope, form.state[j].symbol));
    }
  }
  std::vector<Ball> inputs = point.y_balls;
  inputs.emplace_back();
  inputs.insert(inputs.end(), point.parameter_balls.begin(), point.parameter_balls.end());
  std::vector<Ball> slopes, bends;
  run_in_balls(Program(first, form.inputs()), inputs, slopes, bits);
  run_in_balls(Program(second, form.inputs()), inputs, bends, bits);
  const std::size_t n = kept.size();
  const auto along = field.lift(point.dependent, point.y_balls, point.parameter_balls, bits);
  if (!along) return false;
  const std::size_t m = field.independent(point.dependent).size();
  // ∇E = Σ μ ∇g on the dependent components, and then on all
  std::vector<Ball> matrix, multipliers;
  for (const std::size_t c : point.dependent.components) {
    const auto at = static_cast<std::size_t>(std::ranges::find(kept, c) - kept.begin());
    for (std::size_t r = 0; r < k; ++r) matrix.push_back(slopes[(1 + r) * n + at]);
    multipliers.push_back(slopes[at]);
  }
  if (k > 0 && !solve_in_balls(matrix, multipliers, k, 1, bits)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    Ball left = slopes[i];
    for (std::size_t r = 0; r < k; ++r) left.subtract_product(multipliers[r], slopes[(1 + r) * n + i], bits);
    // proved to vanish where z₀ is: what contains zero within the digits kept
    if (!left.contains_zero() || !(left.radius() < 1e-20)) return false;
  }
  std::vector<Ball> W(n * n), form_on_z(m * m), negative(m * m);
  for (std::size_t e = 0; e < n * n; ++e) {
    W[e] = bends[e];
    for (std::size_t r = 0; r < k; ++r) W[e].subtract_product(multipliers[r], bends[(1 + r) * n * n + e], bits);
  }
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) {
      Ball sum;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
          sum.add_product((*along)[i * m + a] * W[i * n + j], (*along)[j * m + b], bits);
      }
      negative[a * m + b] = -sum;
      form_on_z[a * m + b] = std::move(sum);
    }
  }
  return positive_definite_in_balls(form_on_z, m, bits) || positive_definite_in_balls(negative, m, bits);
}

struct Signs {
  std::size_t positive = 0, negative = 0, zero = 0, imaginary = 0;
};

void decide(const ReducedField& field, const SteadyPoint& point, long bits, const Signs& signs, Linearization& result) {
  const std::string ground = point.certified ? "" : ", by numbers: that there is a steady motion here is not proved";
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
    result.because = fmt::format(
        "{} zero and {} to a family of steady motions, told apart by {}; {}",
        plural(signs.zero, "eigenvalue") + (signs.zero == 1 ? " is" : " are"), signs.zero == 1 ? "belongs" : "belong",
        listed(point.families),
        signs.negative == 0 ? "there are no others"
                            : "all others have negative real parts, so that motions near by tend to one of it");
    return;
  }
  if (signs.zero == 0 && has_least_energy(field, point, bits)) {
    result.verdict = Stability::stable;
    result.because = "the energy is conserved, and its second variation along the constraints is definite here";
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
            (signs.imaginary == 1 ? " lies" : " lie") + " on the imaginary axis, or too near to tell";
  }
  result.because = open + ": what is left out by the linearisation decides" + ground;
}

}  // namespace

void sort_by_growth(std::vector<std::complex<double>>& values) { std::ranges::sort(values, faster); }

void judge(const ReducedField& field, const SteadyPoint& point, long bits, Linearization& result) {
  result.families = point.families;
  const auto A = field.matrix(point.dependent, point.y_balls, point.parameter_balls, bits);
  if (!A) throw Error(ErrorCode::singular_mass_matrix, "the equations of motion are singular at the steady motion");
  const std::size_t n = field.independent(point.dependent).size();
  for (const Ball& entry : *A) result.A.push_back(entry.midpoint());
  const auto found = eigenvalues_in_balls(*A, n, bits);
  Signs signs;
  struct One {
    Eigenvalue value;
    int sign;  // of its real part, 0 where it is not certain
    bool zero;
  };
  std::vector<One> all;
  const double size = largest_magnitude(result.A);
  if (found) {
    // a point that is not certified is off by its residual, and an eigenvalue of two by the root of that
    const double slack = point.certified ? 0 : 10 * std::sqrt(std::numeric_limits<double>::epsilon()) * size;
    for (const ComplexBall& ball : *found) {
      const double re = ball.re.midpoint(), im = ball.im.midpoint();
      const double radius = std::hypot(ball.re.radius(), ball.im.radius());
      const bool zero =
          point.certified ? ball.re.contains_zero() && ball.im.contains_zero() : std::hypot(re, im) <= slack;
      const int sign = ball.re.lower() > slack ? 1 : ball.re.upper() < -slack ? -1 : 0;
      // rounding to doubles counts, too
      const double rounding = std::numeric_limits<double>::epsilon() * std::hypot(re, im);
      all.push_back({{{ball.re.contains_zero() || zero ? 0.0 : re, ball.im.contains_zero() || zero ? 0.0 : im},
                      point.certified ? std::optional(radius + rounding) : std::nullopt},
                     sign,
                     zero});
    }
  } else {
    const auto values = eigenvalues(transposed_view(result.A.data(), n, n));
    if (!values) throw Error(ErrorCode::non_finite, "the eigenvalues of the linearisation could not be computed");
    const double slack = 10 * std::sqrt(std::numeric_limits<double>::epsilon()) * size;
    for (const std::complex<double> value : *values) {
      const bool zero = std::abs(value) <= slack;
      all.push_back({{zero ? 0.0 : value, std::nullopt},
                     value.real() > slack    ? 1
                     : value.real() < -slack ? -1
                                             : 0,
                     zero});
    }
  }
  std::ranges::stable_sort(all, [](const One& a, const One& b) { return faster(a.value.value, b.value.value); });
  for (const One& one : all) {
    result.eigenvalues.push_back(one.value);
    if (one.zero)
      ++signs.zero;
    else if (one.sign > 0)
      ++signs.positive;
    else if (one.sign < 0)
      ++signs.negative;
    else
      ++signs.imaginary;
  }
  result.zero = signs.zero;
  decide(field, point, bits, signs, result);
}

}  // namespace cetaev
