#include "other_parameters.hpp"

#include <algorithm>

namespace cetaev {

OtherParameters::OtherParameters(const MotionPlan& plan)
    : prepared_(*plan.prepared()),
      admissible_(plan.model()),
      in_jacobian_(parameters_in(plan.model(), admissible_.constraints().jacobian.entries)),
      last_(prepared_.equations.parameters()) {
  if (may_lose_digits(prepared_.equations.rates())) rounding_.emplace(prepared_.equations.rates());
  const std::lock_guard lock(plan.model()->context->mutex());
  const std::vector<Expr>& mass = prepared_.equations.inertia();
  in_inertia_ = parameters_in(plan.model(), mass);
  if (!in_inertia_.empty()) inertia_ = prepared_.equations.observing(mass);
  entries_.resize(inertia_.output_count());
}

bool OtherParameters::has_inertia(std::span<const double> parameters, double t, std::span<const double> y) {
  const std::vector<double>& own = prepared_.equations.parameters();
  if (std::ranges::none_of(in_inertia_, [&](std::size_t i) { return parameters[i] != own[i]; })) return true;
  const auto regular = [&](std::span<const double> at) {
    inputs_.assign(y.begin(), y.end());
    inputs_.push_back(t);
    inputs_.insert(inputs_.end(), at.begin(), at.end());
    inputs_.insert(inputs_.end(), own.begin() + static_cast<std::ptrdiff_t>(at.size()), own.end());
    if (Interpreter(inertia_)(inputs_, entries_) >= 0) return false;
    const std::size_t n = prepared_.equations.system()->size();
    lu_.compute(DenseView(entries_.data(), n, n));
    return lu_.invertible();
  };
  return regular(parameters) || !regular(std::span(own).first(parameters.size()));
}

bool OtherParameters::served(std::span<const double> parameters, const State& start, std::span<const double> y) {
  const MotionEquations& equations = prepared_.equations;
  if (std::ranges::equal(parameters, equations.parameters())) return true;
  if (equations.has_accelerations()) return false;
  if (!std::ranges::equal(parameters, last_)) {
    last_.assign(parameters.begin(), parameters.end());
    last_holds_ = prepared_.regularity.holds_for(parameters);
  }
  if (!last_holds_ || !has_inertia(parameters, start.t, y)) return false;
  // rows that depend on each other in the model may be independent here
  const bool other_jacobian =
      std::ranges::any_of(in_jacobian_, [&](std::size_t i) { return parameters[i] != equations.parameters()[i]; });
  if (other_jacobian && admissible_.rank(start, parameters).rank != equations.form().rows.size()) return false;
  return !rounding_ || rounding_->surely_small(y, start.t, parameters) ||
         (*rounding_)(y, start.t, parameters) < much_rounding;
}

}  // namespace cetaev
