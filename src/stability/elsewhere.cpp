#include "elsewhere.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cetaev/detail/numeric/dense.hpp"

namespace cetaev {

namespace {

constexpr long fine_bits = 256;

}  // namespace

SteadyElsewhere::SteadyElsewhere(const System& system, const std::vector<std::string>& names,
                                 const std::vector<std::string>& solve, bool quasi)
    : work_(system), field_(work_, start_, quasi), moves_(movable(field_, solve)) {
  for (const std::string& name : names) varied_.push_back(given_value(field_.system(), name));
}

SteadyPoint SteadyElsewhere::at(std::span<const double> values) const {
  const System& own = field_.system();
  const auto varied = [&](std::optional<std::size_t> GivenValue::*kind, std::size_t i) {
    std::optional<double> value;
    for (std::size_t k = 0; k < varied_.size(); ++k)
      if (varied_[k].*kind == i) value = values[k];
    return value;
  };
  std::vector<Value> known;
  std::vector<double> parameters;
  for (std::size_t i = 0; i < own->parameters.size(); ++i) {
    const Parameter& parameter = own->parameters[i];
    const std::optional<double> value = varied(&GivenValue::parameter, i);
    parameters.push_back(value ? *value : evaluate(parameter.definition, known));
    known.emplace_back(parameter.symbol, parameters.back());
  }
  State state = start_.state;
  const auto set = [&](std::vector<double>& into, const std::vector<std::optional<Expr>>& given,
                       std::optional<std::size_t> GivenValue::*kind) {
    for (std::size_t i = 0; i < into.size(); ++i) {
      if (const std::optional<double> value = varied(kind, i))
        into[i] = *value;
      else if (given[i])
        into[i] = evaluate(*given[i], known);
    }
  };
  set(state.q, own->initial.q, &GivenValue::position);
  set(state.v, own->initial.v, &GivenValue::velocity);
  std::vector<double> y = field_.state(state, parameters);
  put_on_constraints(y, parameters);
  return find_steady(field_, std::move(y), std::move(parameters), moves_);
}

Spectrum SteadyElsewhere::spectrum(std::span<const double> values, double* size) const {
  const SteadyPoint point = at(values);
  const auto A = field_.matrix(point.dependent, point.slopes);
  if (!A) throw Error(ErrorCode::singular_mass_matrix, "the equations of motion are singular at the steady motion");
  if (size != nullptr) *size = largest_magnitude(*A);
  const std::size_t n = field_.independent(point.dependent).size();
  auto found = eigenvalues(transposed_view(A->data(), n, n));
  if (!found) throw Error(ErrorCode::non_finite, "the eigenvalues of the linearisation could not be computed");
  return std::move(*found);
}

Spectrum SteadyElsewhere::fine_spectrum(std::span<const double> values, std::size_t zeros) const {
  const SteadyPoint point = at(values);
  const auto A = field_.matrix(point.dependent, point.y_balls, point.parameter_balls, fine_bits);
  const auto found = A ? eigenvalues_in_balls(*A, field_.independent(point.dependent).size(), fine_bits) : std::nullopt;
  Spectrum all;
  if (found) {
    for (const ComplexBall& ball : *found) all.emplace_back(ball.re.midpoint(), ball.im.midpoint());
  } else {
    all = spectrum(values);
  }
  std::ranges::stable_sort(all, {}, [](std::complex<double> one) { return std::abs(one); });
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(zeros, all.size())));
  return all;
}

// What follows from the others moves.
void SteadyElsewhere::put_on_constraints(std::vector<double>& y, std::span<const double> parameters) const {
  constexpr int steps = 50;
  if (field_.constraints().empty()) return;
  for (int step = 0; step < steps; ++step) {
    const ReducedField::Dependent dependent = field_.dependent(y, parameters);
    const std::vector<double> residual = field_.values(y, parameters).constraints;
    const std::vector<double> slopes = field_.constraint_slopes(y, parameters);
    const std::size_t k = dependent.rows.size();
    if (k == 0) return;
    DenseMatrix matrix(k, k);
    std::vector<double> right;
    for (std::size_t r = 0; r < k; ++r) {
      for (std::size_t c = 0; c < k; ++c) matrix(r, c) = slopes[dependent.rows[r] * y.size() + dependent.components[c]];
      right.push_back(-residual[dependent.rows[r]]);
    }
    CompleteLu lu;
    lu.compute(matrix);
    if (!lu.invertible()) return;
    const std::vector<double> change = lu.solve(right);
    double largest = 0, size = largest_magnitude(y);
    for (std::size_t i = 0; i < k; ++i) {
      y[dependent.components[i]] += change[i];
      largest = std::max(largest, std::abs(change[i]));
    }
    if (!(largest > 4 * std::numeric_limits<double>::epsilon() * size)) return;
  }
}

}  // namespace cetaev
