#include "held_by_constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/analysis/check.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/expr/derivative.hpp"
#include "force_potential.hpp"
#include "words.hpp"
#include "written_out.hpp"

namespace cetaev {

namespace {

// Constants of the motion, proved, in the state of the field; the energy first, where it is one.
struct Constants {
  std::vector<Expr> expressions;
  std::vector<std::string> names;
  std::vector<Expr> forces;  // whose potential the energy, which comes first, is taken with; by coordinate, or none
};
// d/dt of it vanishes, whatever the multipliers are.
bool is_constant_by_proof(const ReducedField& field, Expr integral) {
  const FirstOrderSystem& form = field.form();
  std::vector<Replacement> velocities;
  for (std::size_t i = 0; i < form.velocities.size(); ++i)
    velocities.emplace_back(field.system()->motion.v[i], form.velocities[i]);
  integral = substitute(integral, velocities);
  if (!form.needed_for(std::span(&integral, 1)).blocks.empty()) return false;
  Expr change = field.system()->context->zero();
  for (std::size_t i = 0; i < form.state.size(); ++i)
    change = change + derivative(integral, form.state[i].symbol) * form.rates[i];
  return is_zero_written_out(field.system(), change, form.needed_for(form.rates).blocks);
}

Constants constants_of(const ReducedField& field, Groundwork& work) {
  Constants result;
  const Check found = check(work);
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
  if (found.energy.conserved.holds() && found.energy.conserved.proved) {
    add(form.energy, "the energy");
  } else if (auto forces = force_with_potential(field.system())) {
    const bool on_ignorable =
        std::ranges::any_of(field.ignorable(), [&](std::size_t i) { return !(*forces)[i].is_zero(); });
    if (!on_ignorable) add(form.energy, "the energy with the potential of the forces");
    if (!result.expressions.empty()) result.forces = std::move(*forces);
  }
  for (const LinearIntegral& one : found.first_integrals) {
    if (!one.ground.holds() || !one.ground.proved) continue;
    // p·ξ as it stands: shortened, it may be divided by what vanishes here
    Expr momentum = field.system()->context->zero();
    std::string along;
    for (std::size_t i = 0; i < one.field.size(); ++i) {
      momentum = momentum + work.terms().momentum[i] * one.field[i];
      if (!one.field[i].is_zero())
        along += fmt::format("{}d{} = {}", along.empty() ? "" : ", ", field.system()->coordinates[i],
                             to_string(one.field[i]));
    }
    add(momentum, one.meaning.empty() ? "the momentum along " + along : one.meaning);
  }
  for (std::size_t i = 0; i < found.integrals.size(); ++i) {
    const Finding& conserved = found.integrals[i].conserved;
    const Expr integral = field.system()->integrals[i].expression;
    if (conserved.holds() && (conserved.proved || is_constant_by_proof(field, integral)))
      add(integral, found.integrals[i].name);
  }
  return result;
}

// Bᵀ W B of an n × n matrix and an n × m one, most of whose entries may be zero.
std::vector<Ball> congruent(std::span<const Ball> W, std::span<const Ball> B, std::size_t n, std::size_t m, long bits) {
  std::vector<Ball> half(n * m), result(m * m);
  for (std::size_t l = 0; l < n; ++l) {
    for (std::size_t o = 0; o < n; ++o) {
      if (W[l * n + o].is_exact_zero()) continue;
      for (std::size_t b = 0; b < m; ++b) half[l * m + b].add_product(W[l * n + o], B[o * m + b], bits);
    }
  }
  for (std::size_t l = 0; l < n; ++l) {
    for (std::size_t a = 0; a < m; ++a) {
      if (B[l * m + a].is_exact_zero()) continue;
      for (std::size_t b = 0; b < m; ++b) result[a * m + b].add_product(B[l * m + a], half[l * m + b], bits);
    }
  }
  return result;
}

// First and second variations of the constants along the constraints, on z.
struct Variations {
  std::size_t m = 0;
  std::vector<std::vector<Ball>> gradient, hessian;
};

std::optional<Variations> variations_of(const ReducedField& field, const SteadyPoint& point, const Constants& constants,
                                        long bits) {
  const FirstOrderSystem& form = field.form();
  const std::vector<std::size_t>& kept = field.kept();
  const std::size_t k = point.dependent.rows.size(), p = constants.expressions.size(), n = kept.size();
  std::vector<Expr> functions = constants.expressions;
  const std::vector<Expr>& q = field.system()->motion.q;
  for (const std::size_t r : point.dependent.rows) functions.push_back(field.constraints()[r]);
  std::vector<Expr> symbols;
  for (const std::size_t i : kept) symbols.push_back(form.state[i].symbol);
  std::vector<Expr> first = jacobian(functions, symbols).entries;
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(std::ranges::find(q, symbols[i]) - q.begin());
    if (at < constants.forces.size()) first[i] = first[i] - constants.forces[at];
  }
  const std::vector<Expr> second = jacobian(first, symbols).entries;
  std::vector<Ball> inputs = point.y_balls;
  inputs.emplace_back();
  inputs.insert(inputs.end(), point.parameter_balls.begin(), point.parameter_balls.end());
  std::vector<Ball> slopes, bends;
  run_in_balls(Program(first, form.inputs()), inputs, slopes, bits);
  run_in_balls(Program(second, form.inputs()), inputs, bends, bits);
  const auto along = field.lift(point.dependent, point.y_balls, point.parameter_balls, bits);
  if (!along) return std::nullopt;
  Variations result;
  const std::size_t m = result.m = field.independent(point.dependent).size();
  // Of each constant: the multipliers of the constraints that it takes, from ∇I = Σ μ ∇g on the dependent components.
  std::vector<Ball> matrix, multipliers;
  for (const std::size_t c : point.dependent.components) {
    const auto at = static_cast<std::size_t>(std::ranges::find(kept, c) - kept.begin());
    for (std::size_t r = 0; r < k; ++r) matrix.push_back(slopes[(p + r) * n + at]);
    for (std::size_t i = 0; i < p; ++i) multipliers.push_back(slopes[i * n + at]);
  }
  if (k > 0 && !solve_in_balls(matrix, multipliers, k, p, bits)) return std::nullopt;
  result.gradient.assign(p, std::vector<Ball>(m));
  result.hessian.resize(p);
  for (std::size_t i = 0; i < p; ++i) {
    std::vector<Ball> W(n * n);
    for (std::size_t e = 0; e < n * n; ++e) {
      W[e] = bends[i * n * n + e];
      for (std::size_t r = 0; r < k; ++r)
        W[e].subtract_product(multipliers[r * p + i], bends[(p + r) * n * n + e], bits);
    }
    for (std::size_t a = 0; a < m; ++a) {
      for (std::size_t l = 0; l < n; ++l)
        result.gradient[i][a].add_product(slopes[i * n + l], (*along)[l * m + a], bits);
    }
    result.hessian[i] = congruent(W, *along, n, m, bits);
    const auto finite = [](const Ball& ball) { return ball.is_finite(); };
    if (!std::ranges::all_of(result.gradient[i], finite) || !std::ranges::all_of(result.hessian[i], finite))
      return std::nullopt;
  }
  return result;
}

// Constants whose first variations are independent, and components of z that they can be told by.
RegularPart independent_constants(const Variations& of, std::span<const std::size_t> constants) {
  std::vector<double> matrix;
  for (const std::size_t i : constants) {
    for (const Ball& entry : of.gradient[i]) matrix.push_back(entry.contains_zero() ? 0 : entry.midpoint());
  }
  for (std::size_t a = 0; a < of.m; ++a) {
    double largest = 0;
    for (std::size_t at = a; at < matrix.size(); at += of.m) largest = std::max(largest, std::abs(matrix[at]));
    for (std::size_t at = a; largest > 0 && at < matrix.size(); at += of.m) matrix[at] /= largest;
  }
  RegularPart part = regular_part(std::move(matrix), constants.size(), of.m);
  for (std::size_t& row : part.rows) row = constants[row];
  return part;
}

// Of the constants, combinations without first variation, one in each column: 1 for one that depends on the regular ones, and these with c, ∇I = Σ c ∇J.
struct Combination {
  std::size_t constant;
  std::vector<Ball> c;  // of the regular ones
};

std::vector<Combination> without_first_variation(const Variations& of, const RegularPart& regular, long bits) {
  constexpr double digits = 20;  // of the sixty and more by which it vanishes
  const std::size_t d = regular.rows.size();
  std::vector<Combination> result;
  double largest = -std::numeric_limits<double>::infinity();
  for (const auto& one : of.gradient)
    for (const Ball& entry : one) largest = std::max(largest, entry.magnitude_log10());
  for (const auto& one : of.hessian)
    for (const Ball& entry : one) largest = std::max(largest, entry.magnitude_log10());
  for (std::size_t i = 0; i < of.gradient.size(); ++i) {
    if (std::ranges::find(regular.rows, i) != regular.rows.end()) continue;
    std::vector<Ball> square(d * d), c(d);
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t j = 0; j < d; ++j) square[a * d + j] = of.gradient[regular.rows[j]][regular.columns[a]];
      c[a] = of.gradient[i][regular.columns[a]];
    }
    if (d > 0 && !solve_in_balls(square, c, d, 1, bits)) continue;
    bool vanishes = true;
    for (std::size_t a = 0; a < of.m; ++a) {
      Ball left = of.gradient[i][a];
      for (std::size_t j = 0; j < d; ++j) left.subtract_product(c[j], of.gradient[regular.rows[j]][a], bits);
      vanishes = vanishes && left.contains_zero() && left.magnitude_log10() <= largest - digits;
    }
    if (vanishes) result.push_back({i, std::move(c)});
  }
  return result;
}

// What leaves the regular ones as they are: m × free, where those of their columns follow from what is free.
std::optional<std::vector<Ball>> levels(const Variations& of, const RegularPart& regular,
                                        std::span<const std::size_t> free, long bits) {
  const std::size_t d = regular.rows.size(), f = free.size();
  std::vector<Ball> rows(d * d), solved;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) rows[i * d + j] = of.gradient[regular.rows[i]][regular.columns[j]];
    for (const std::size_t a : free) solved.push_back(-of.gradient[regular.rows[i]][a]);
  }
  if (d > 0 && f > 0 && !solve_in_balls(rows, solved, d, f, bits)) return std::nullopt;
  std::vector<Ball> basis(of.m * f);
  for (std::size_t b = 0; b < f; ++b) {
    basis[free[b] * f + b].set(1L);
    for (std::size_t j = 0; j < d; ++j) basis[regular.columns[j] * f + b] = solved[j * f + b];
  }
  return basis;
}

std::vector<Ball> second_variation(const Variations& of, const RegularPart& regular, const Combination& one,
                                   std::span<const Ball> basis, std::size_t f, long bits) {
  const std::size_t m = of.m;
  std::vector<Ball> W = of.hessian[one.constant];
  for (std::size_t e = 0; e < m * m; ++e) {
    for (std::size_t j = 0; j < regular.rows.size(); ++j)
      W[e].subtract_product(one.c[j], of.hessian[regular.rows[j]][e], bits);
  }
  return congruent(W, basis, m, f, bits);
}

// x with xᵀ Q x ≤ 0 of a symmetric matrix, where elimination meets a pivot that is not positive; nothing of a positive definite one.
std::optional<std::vector<double>> not_positive(const std::vector<double>& Q, std::size_t f) {
  std::vector<double> L(f * f);
  for (std::size_t k = 0; k < f; ++k) {
    // L row k from L Lᵀ = Q
    for (std::size_t j = 0; j <= k; ++j) {
      double sum = Q[k * f + j];
      for (std::size_t l = 0; l < j; ++l) sum -= L[k * f + l] * L[j * f + l];
      if (j < k) {
        L[k * f + j] = sum / L[j * f + j];
        continue;
      }
      constexpr double least = 1e-13;  // beside the diagonal: what rounding leaves of nothing
      if (sum > least * std::abs(Q[k * f + k])) {
        L[k * f + k] = std::sqrt(sum);
        continue;
      }
      // (x, 1, 0): Lᵀx = −(row k)
      std::vector<double> x(f);
      x[k] = 1;
      for (std::size_t i = k; i-- > 0;) {
        double right = -L[k * f + i];
        for (std::size_t l = i + 1; l < k; ++l) right -= L[l * f + i] * x[l];
        x[i] = right / L[i * f + i];
      }
      return x;
    }
  }
  return std::nullopt;
}

// α with Σ α Q positive definite, by the perceptron: each x that speaks against it is added. Nothing where none is found in so many rounds.
std::optional<std::vector<double>> definite_combination(const std::vector<std::vector<double>>& Q, std::size_t f) {
  constexpr int most_rounds = 4000;
  std::vector<double> alpha(Q.size());
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<double> sum(f * f);
    for (std::size_t j = 0; j < Q.size(); ++j) {
      for (std::size_t e = 0; e < f * f; ++e) sum[e] += alpha[j] * Q[j][e];
    }
    const auto x = not_positive(sum, f);
    if (!x) return alpha;
    std::vector<double> push;
    for (const std::vector<double>& one : Q) {
      double value = 0;
      for (std::size_t a = 0; a < f; ++a)
        for (std::size_t b = 0; b < f; ++b) value += (*x)[a] * one[a * f + b] * (*x)[b];
      push.push_back(value);
    }
    const double size = length(push);
    if (!(size > 0) || !std::isfinite(size)) return std::nullopt;
    for (std::size_t j = 0; j < Q.size(); ++j) alpha[j] += push[j] / size;
  }
  return std::nullopt;
}

// Their middles, in the units of the state in which the equations are balanced; each beside its largest entry.
std::vector<std::vector<double>> scaled_middles(const std::vector<std::vector<Ball>>& forms,
                                                std::span<const long> exponents, std::vector<double>& sizes) {
  const std::size_t f = exponents.size();
  std::vector<std::vector<double>> result;
  for (const auto& form : forms) {
    std::vector<double>& one = result.emplace_back();
    for (const Ball& entry : form) one.push_back(entry.contains_zero() ? 0 : entry.midpoint());
  }
  for (auto& one : result) {
    for (std::size_t a = 0; a < f; ++a)
      for (std::size_t b = 0; b < f; ++b) one[a * f + b] = std::scalbln(one[a * f + b], exponents[a] + exponents[b]);
    const double size = largest_magnitude(one);
    sizes.push_back(size);
    for (double& entry : one) entry /= size > 0 ? size : 1;
  }
  return result;
}

}  // namespace

std::optional<DefiniteForm> held_by_constants(const ReducedField& field, Groundwork& work, const SteadyPoint& point,
                                              std::span<const long> units, long bits, std::string& because) {
  if (!point.certified) return std::nullopt;
  const Constants constants = constants_of(field, work);
  const std::size_t p = constants.expressions.size();
  if (p == 0) return std::nullopt;
  const auto of = variations_of(field, point, constants, bits);
  if (!of) return std::nullopt;
  // the energy is rather combined than kept
  std::vector<std::size_t> all, others;
  for (std::size_t i = 0; i < p; ++i) all.push_back(i);
  others.assign(all.begin() + (constants.names.front().starts_with("the energy") ? 1 : 0), all.end());
  RegularPart regular = independent_constants(*of, others);
  if (RegularPart with_energy = independent_constants(*of, all); with_energy.rows.size() > regular.rows.size())
    regular = std::move(with_energy);
  const std::vector<Combination> combinations = without_first_variation(*of, regular, bits);
  if (combinations.empty()) return std::nullopt;
  std::vector<std::size_t> free;
  for (std::size_t a = 0; a < of->m; ++a)
    if (std::ranges::find(regular.columns, a) == regular.columns.end()) free.push_back(a);
  const std::size_t f = free.size();
  const auto basis = levels(*of, regular, free, bits);
  if (!basis) return std::nullopt;
  std::vector<std::vector<Ball>> forms;
  for (const Combination& one : combinations) forms.push_back(second_variation(*of, regular, one, *basis, f, bits));
  std::vector<double> sizes;
  std::vector<long> exponents;
  for (const std::size_t a : free) exponents.push_back(units[a]);
  const auto scaled = scaled_middles(forms, exponents, sizes);
  // one alone, in balls: doubles do not tell where its directions are far apart
  std::optional<std::vector<double>> alpha;
  for (std::size_t j = 0; j < forms.size() && !alpha; ++j) {
    std::vector<Ball> negative;
    for (const Ball& entry : forms[j]) negative.push_back(-entry);
    const bool up = positive_definite_in_balls(forms[j], f, bits);
    if (!up && !positive_definite_in_balls(negative, f, bits)) continue;
    alpha.emplace(forms.size());
    (*alpha)[j] = up ? 1 : -1;
  }
  if (!alpha) alpha = definite_combination(scaled, f);
  if (!alpha && f > 0) return std::nullopt;
  // the numbers that it is proved for: the first one with a part has the part ±1
  std::vector<double> part(combinations.size());
  double first = 0;
  for (std::size_t j = 0; j < part.size(); ++j) {
    part[j] = alpha && sizes[j] > 0 ? (*alpha)[j] / sizes[j] : 0;
    if (first == 0) first = std::abs(part[j]);
  }
  if (f == 0) part[0] = first = 1;
  if (!(first > 0)) return std::nullopt;
  for (double& one : part) one /= first;
  std::vector<Ball> definite(f * f);
  for (std::size_t j = 0; j < part.size(); ++j) {
    for (std::size_t e = 0; e < f * f; ++e) definite[e].add_product(Ball::from_double(part[j]), forms[j][e], bits);
  }
  if (!positive_definite_in_balls(definite, f, bits)) return std::nullopt;
  DefiniteForm form;
  form.positive = part[0] >= 0;
  const double sign = form.positive ? 1 : -1;
  std::vector<double> coefficients(p);
  for (std::size_t j = 0; j < part.size(); ++j) {
    coefficients[combinations[j].constant] += sign * part[j];
    for (std::size_t k = 0; k < regular.rows.size(); ++k)
      coefficients[regular.rows[k]] -= sign * part[j] * combinations[j].c[k].midpoint();
  }
  std::vector<std::string> combined;
  for (std::size_t i = 0; i < p; ++i) {
    if (coefficients[i] == 0) continue;
    form.combination.push_back({constants.names[i], coefficients[i]});
    combined.push_back(constants.names[i]);
  }
  for (const std::size_t row : regular.rows) form.kept.push_back(constants.names[row]);
  const std::vector<std::size_t> z = field.independent(point.dependent);
  for (const std::size_t a : free) form.variables.push_back(field.form().state[z[a]].name);
  for (const Ball& entry : definite) form.matrix.push_back(entry.contains_zero() ? 0 : sign * entry.midpoint());
  if (form.combination.size() == 1 && form.kept.empty()) {
    because = combined[0] +
              " is conserved, its first variation along the constraints vanishes here, and its second one is definite";
  } else {
    std::vector<std::string> conserved = combined;
    for (const std::string& name : form.kept)
      if (std::ranges::find(conserved, name) == conserved.end()) conserved.push_back(name);
    const bool has_energy = conserved[0].starts_with("the energy") && conserved.size() > 1;
    const std::vector<std::string> rest(conserved.begin() + (has_energy ? 1 : 0), conserved.end());
    because =
        (has_energy
             ? conserved[0] + " is conserved and so " + std::string(rest.size() == 1 ? "is " : "are ") + listed(rest)
             : listed(rest) + (rest.size() == 1 ? " is conserved" : " are conserved")) +
        ": a combination of them has no first variation here, and a definite second one" +
        (form.kept.empty() ? "" : " where " + listed(form.kept) + (form.kept.size() == 1 ? " is kept" : " are kept"));
  }
  return form;
}

}  // namespace cetaev
