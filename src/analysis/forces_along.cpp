#include "forces_along.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/detail/numeric/rank.hpp"

namespace cetaev {

namespace {

// As along a motion of this tolerance: steps by the hundred add up what is allowed to each, and ten digits are the most that some methods hold.
constexpr double steps_by_the_hundred = 100;

const Terms& of_velocities(const Terms& terms) {
  const std::vector<int>& order = terms.constraints.order;
  if (std::any_of(order.begin(), order.end(), [](int o) { return o == 2; }))
    throw Error(ErrorCode::not_applicable,
                "inverse dynamics along a motion of all coordinates takes no constraints on accelerations");
  return terms;
}

// H a − b, J, φ, ∂φ/∂q, ∂φ/∂v, each row by row, and E = v·p − L.
std::vector<Expr> outputs_along(const System& system, const Terms& terms) {
  std::vector<Expr> list;
  const auto& motion = system->motion;
  for (std::size_t i = 0; i < system->size(); ++i) {
    std::vector<Expr> sum = {-terms.bias[i]};
    for (std::size_t j = 0; j < system->size(); ++j) sum.push_back(terms.mass(i, j) * motion.a[j]);
    list.push_back(system->context->sum(sum));
  }
  const auto add = [&](const std::vector<Expr>& more) { list.insert(list.end(), more.begin(), more.end()); };
  add(terms.constraints.jacobian.entries);
  // What is driven holds where it is evaluated, and may be 0/0 there as it is written.
  std::vector<Expr> residual = terms.constraints.residual;
  std::fill(residual.end() - static_cast<std::ptrdiff_t>(system->driven), residual.end(), system->context->integer(0));
  add(residual);
  for (const auto* by : {&motion.q, &motion.v}) add(jacobian(residual, *by).entries);
  std::vector<Expr> energy = {-system->lagrangian};
  for (std::size_t i = 0; i < system->size(); ++i) energy.push_back(motion.v[i] * terms.momentum[i]);
  list.push_back(system->context->sum(energy));
  return list;
}

std::vector<Expr> inputs_along(const System& system) {
  std::vector<Expr> list = state_symbols(system);
  list.insert(list.end(), system->motion.a.begin(), system->motion.a.end());
  return list;
}

}  // namespace

ForcesAlong::ForcesAlong(const System& system, double tolerance) : ForcesAlong(system, Terms(system), tolerance) {}

ForcesAlong::ForcesAlong(const System& system, const Terms& terms, double tolerance)
    : system_(system),
      n_(system->size()),
      k_(of_velocities(terms).constraints.size()),
      known_(std::max(1e-10, steps_by_the_hundred * tolerance)),
      parameters_(parameter_values(system)),
      program_(outputs_along(system, terms), inputs_along(system)),
      run_(program_),
      values_(program_.output_count()) {}

void ForcesAlong::at(const MotionInstant& instant) {
  std::vector<double> inputs = state_values(instant.state, parameters_);
  inputs.insert(inputs.end(), instant.a.begin(), instant.a.end());
  // The energy may overflow where forces do not.
  if (run_(inputs, values_) >= 0 || !all_finite(part(0, values_.size() - 1)))
    throw Error(ErrorCode::non_finite, fmt::format("the forces are not finite at t = {:.15g}", instant.state.t));
  look(instant);
}

// By the sizes of ∂φ/∂q and ∂φ/∂v, and how well positions and velocities are known.
void ForcesAlong::look(const MotionInstant& instant) {
  const double q = largest_magnitude(instant.state.q), v = largest_magnitude(instant.state.v);
  const std::span<const double> slopes = part(n_ + k_ * n_ + k_, 2 * k_ * n_);
  for (std::size_t i = 0; i < k_; ++i) {
    double size = 0, derived = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      const double by_v = std::abs(slopes[(k_ + i) * n_ + j]);
      size += std::abs(slopes[i * n_ + j]) * q + by_v * v;
      if (!instant.v_error.empty()) derived += by_v * instant.v_error[j];
    }
    const double off = std::abs(residuals()[i]), relative = off <= derived ? 0 : (off - derived) / size;
    if (relative > worst_.relative) worst_ = {relative, off, instant.state.t, i};
  }
}

std::vector<double> ForcesAlong::multipliers() const {
  if (k_ == 0) return {};
  return LeastNorm(transposed_view(jacobian().data(), k_, n_), rank_tolerance).solve(needed());
}

void ForcesAlong::require_on_constraints(const std::string& motion) const {
  if (!(worst_.relative > known_)) return;
  const double tolerance = std::pow(10, std::ceil(std::log10(worst_.relative / steps_by_the_hundred)));
  throw Error(
      ErrorCode::inconsistent_initial_state,
      fmt::format("{} leaves constraint {} ({}), by {:.2g} at t = {:.15g}", motion, worst_.row + 1,
                  system_->constraints[worst_.row].label(), worst_.off, worst_.t) +
          (tolerance < 1e-2 ? fmt::format("; where it is known to so few digits, --tolerance {:.0g} says so", tolerance)
                            : ""));
}

}  // namespace cetaev
