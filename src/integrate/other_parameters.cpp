#include "other_parameters.hpp"

#include <algorithm>

namespace cetaev {

OtherParameters::OtherParameters(const MotionPlan& plan)
    : prepared_(*plan.prepared()),
      admissible_(plan.model()),
      in_jacobian_(parameters_in(plan.model(), admissible_.constraints().jacobian.entries)),
      may_lose_digits_(may_lose_digits(prepared_.equations.rates())),
      last_(prepared_.equations.parameters()) {}

bool OtherParameters::served(std::span<const double> parameters, const State& start, std::span<const double> y) {
  const MotionEquations& equations = prepared_.equations;
  if (std::ranges::equal(parameters, equations.parameters())) return true;
  if (equations.has_accelerations()) return false;
  if (!std::ranges::equal(parameters, last_)) {
    last_.assign(parameters.begin(), parameters.end());
    last_holds_ = prepared_.regularity.holds_for(parameters);
  }
  if (!last_holds_) return false;
  // rows that depend on each other in the model may be independent here
  const bool other_jacobian =
      std::ranges::any_of(in_jacobian_, [&](std::size_t i) { return parameters[i] != equations.parameters()[i]; });
  if (other_jacobian && admissible_.rank(start, parameters).rank != equations.form().rows.size()) return false;
  return !may_lose_digits_ || rounding_error(equations.rates(), y, start.t, parameters) < much_rounding;
}

}  // namespace cetaev
