#include "spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/analysis/check.hpp"
#include "cetaev/detail/algebra/zero.hpp"
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

// Constants of the motion, proved, in the state of the field; the energy first.
struct Constants {
  std::vector<Expr> expressions;
  std::vector<std::string> names;
};
Constants constants_of(const ReducedField& field, Groundwork& work) {
  Constants result;
  const Check found = check(work);
  if (!found.energy.conserved.holds() || !found.energy.conserved.proved) return result;
  const FirstOrderSystem& form = field.form();
  std::vector<Replacement> velocities;
  for (std::size_t i = 0; i < form.velocities.size(); ++i)
    velocities.emplace_back(field.system()->motion.v[i], form.velocities[i]);
  const auto add = [&](Expr e, std::string name) {
    e = substitute(e, velocities);
    if (!form.needed_for(std::span(&e, 1)).blocks.empty()) return;
    for (const std::size_t i : field.ignorable()) {
      const Expr q = field.system()->motion.q[i];
      if (!depends_on(e, std::span(&q, 1))) continue;
      if (prove_zero(derivative(with_parameter_values(field.system(), e), q)).verdict != Verdict::proved) return;
    }
    result.expressions.push_back(e);
    result.names.push_back(std::move(name));
  };
  add(form.energy, "the energy");
  if (result.expressions.empty()) return result;
  for (const LinearIntegral& one : found.first_integrals)
    if (one.ground.holds() && one.ground.proved) add(one.integral, one.meaning.empty() ? "a momentum" : one.meaning);
  for (std::size_t i = 0; i < found.integrals.size(); ++i) {
    const Finding& conserved = found.integrals[i].conserved;
    if (conserved.holds() && conserved.proved) add(field.system()->integrals[i].expression, found.integrals[i].name);
  }
  return result;
}

// Is a combination of the energy and other constants least, or greatest, there among all states near by with the same values of the others? Then no
// motion leads far away: its first variation along the constraints vanishes, and its second one is definite on what leaves the others as they are.
// In words, or empty.
std::string held_by_constants(const ReducedField& field, Groundwork& work, const SteadyPoint& point, long bits) {
  constexpr double vanishes = 1e-20;  // beside one: by numbers of more than 60 digits
  if (!point.certified) return {};
  const Constants constants = constants_of(field, work);
  if (constants.expressions.empty()) return {};
  const FirstOrderSystem& form = field.form();
  const std::vector<std::size_t>& kept = field.kept();
  const std::size_t k = point.dependent.rows.size(), p = constants.expressions.size(), n = kept.size();
  std::vector<Expr> functions = constants.expressions;
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
  const auto along = field.lift(point.dependent, point.y_balls, point.parameter_balls, bits);
  if (!along) return {};
  const std::size_t m = field.independent(point.dependent).size();
  // Of each constant: the multipliers of the constraints that it takes, from ∇I = Σ μ ∇g on the dependent components.
  std::vector<Ball> matrix, multipliers;
  for (const std::size_t c : point.dependent.components) {
    const auto at = static_cast<std::size_t>(std::ranges::find(kept, c) - kept.begin());
    for (std::size_t r = 0; r < k; ++r) matrix.push_back(slopes[(p + r) * n + at]);
    for (std::size_t i = 0; i < p; ++i) multipliers.push_back(slopes[i * n + at]);
  }
  if (k > 0 && !solve_in_balls(matrix, multipliers, k, p, bits)) return {};
  // Gradients and second derivatives on z.
  std::vector<std::vector<Ball>> gradient(p, std::vector<Ball>(m)), hessian(p, std::vector<Ball>(m * m));
  for (std::size_t i = 0; i < p; ++i) {
    std::vector<Ball> W(n * n);
    for (std::size_t e = 0; e < n * n; ++e) {
      W[e] = bends[i * n * n + e];
      for (std::size_t r = 0; r < k; ++r)
        W[e].subtract_product(multipliers[r * p + i], bends[(p + r) * n * n + e], bits);
    }
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t l = 0; l < n; ++l) gradient[i][a].add_product(slopes[i * n + l], (*along)[l * m + a], bits);
      for (std::size_t b = 0; b < m; ++b) {
        for (std::size_t l = 0; l < n; ++l) {
          for (std::size_t o = 0; o < n; ++o)
            hessian[i][a * m + b].add_product((*along)[l * m + a] * W[l * n + o], (*along)[o * m + b], bits);
        }
      }
    }
  }
  // ∇E = Σ c ∇I for those of the others that are independent here
  std::vector<double> others;
  for (std::size_t i = 1; i < p; ++i) {
    for (const Ball& entry : gradient[i]) others.push_back(entry.midpoint());
  }
  const RegularPart regular = regular_part(std::move(others), p - 1, m);
  const std::size_t d = regular.rows.size();
  std::vector<Ball> square(d * d), c(d), solved;
  std::vector<std::size_t> free;
  for (std::size_t a = 0; a < m; ++a)
    if (std::ranges::find(regular.columns, a) == regular.columns.end()) free.push_back(a);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) square[i * d + j] = gradient[1 + regular.rows[j]][regular.columns[i]];
    c[i] = gradient[0][regular.columns[i]];
  }
  if (d > 0 && !solve_in_balls(square, c, d, 1, bits)) return {};
  for (std::size_t a = 0; a < m; ++a) {
    Ball left = gradient[0][a];
    for (std::size_t j = 0; j < d; ++j) left.subtract_product(c[j], gradient[1 + regular.rows[j]][a], bits);
    if (!left.contains_zero() || !(left.radius() < vanishes)) return {};
  }
  // δz that leave the others as they are: the regular part of them follows from what is free
  std::vector<Ball> rows(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) rows[i * d + j] = gradient[1 + regular.rows[i]][regular.columns[j]];
    for (const std::size_t a : free) solved.push_back(-gradient[1 + regular.rows[i]][a]);
  }
  const std::size_t f = free.size();
  if (d > 0 && f > 0 && !solve_in_balls(rows, solved, d, f, bits)) return {};
  std::vector<Ball> basis(m * f);
  for (std::size_t b = 0; b < f; ++b) {
    basis[free[b] * f + b].set(1L);
    for (std::size_t j = 0; j < d; ++j) basis[regular.columns[j] * f + b] = solved[j * f + b];
  }
  std::vector<Ball> form_on_levels(f * f), negative(f * f);
  for (std::size_t a = 0; a < f; ++a) {
    for (std::size_t b = 0; b < f; ++b) {
      Ball sum;
      for (std::size_t l = 0; l < m; ++l) {
        for (std::size_t o = 0; o < m; ++o) {
          Ball entry = hessian[0][l * m + o];
          for (std::size_t j = 0; j < d; ++j)
            entry.subtract_product(c[j], hessian[1 + regular.rows[j]][l * m + o], bits);
          sum.add_product(basis[l * f + a] * entry, basis[o * f + b], bits);
        }
      }
      negative[a * f + b] = -sum;
      form_on_levels[a * f + b] = std::move(sum);
    }
  }
  if (!positive_definite_in_balls(form_on_levels, f, bits) && !positive_definite_in_balls(negative, f, bits)) return {};
  std::vector<std::string> names;
  for (const std::size_t row : regular.rows) names.push_back(constants.names[1 + row]);
  if (names.empty())
    return "the energy is conserved, its first variation along the constraints vanishes here, and its second one is "
           "definite";
  return "the energy is conserved and so " + std::string(names.size() == 1 ? "is " : "are ") + listed(names) +
         ": a combination of them has no first variation here, and a definite second one where the others are kept";
}

struct Signs {
  std::size_t positive = 0, negative = 0, zero = 0, imaginary = 0;
};

void decide(const ReducedField& field, Groundwork& work, const SteadyPoint& point, long bits, const Signs& signs,
            Linearization& result) {
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
  if (std::string held = held_by_constants(field, work, point, bits); !held.empty()) {
    result.verdict = Stability::stable;
    result.because = std::move(held);
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

void judge(const ReducedField& field, Groundwork& work, SteadyPoint& point, long bits, Linearization& result) {
  const auto A = field.matrix(point.dependent, point.y_balls, point.parameter_balls, bits);
  if (!A) throw Error(ErrorCode::singular_mass_matrix, "the equations of motion are singular at the steady motion");
  const std::size_t n = field.independent(point.dependent).size();
  for (const Ball& entry : *A) result.A.push_back(entry.midpoint());
  // what may be zero and is known to the rounding of the others is zero, as far as doubles tell
  const double rounding_of_all = std::numeric_limits<double>::epsilon() * largest_magnitude(result.A);
  for (std::size_t i = 0; i < result.A.size(); ++i)
    if ((*A)[i].contains_zero() && (*A)[i].radius() <= rounding_of_all) result.A[i] = 0;
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
  find_families(field, point, signs.zero, bits);
  result.families = point.families;
  decide(field, work, point, bits, signs, result);
}

}  // namespace cetaev
