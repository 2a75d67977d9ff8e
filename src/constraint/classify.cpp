#include "cetaev/constraint/classify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/constraint/describe.hpp"

namespace cetaev {

namespace {

bool depends_on_time(Expr e, Expr t) { return depends_on(e, std::span(&t, 1)) && !vanishes(derivative(e, t)); }

}  // namespace

ConstraintKind classify(const System& system, const Constraint& constraint) {
  const Expr e = with_parameter_values(system, constraint.expression);
  ConstraintKind kind;
  kind.order = constraint.order;
  kind.rheonomic = depends_on_time(e, system->motion.t);
  if (constraint.order == 0) {
    kind.linearity = Linearity::none;
    return kind;
  }
  kind.linearity = linearity_in(e, constraint.order == 1 ? system->motion.v : system->motion.a);
  kind.degree = homogeneity_degree(e, system->motion.v);
  return kind;
}

std::optional<Error> rank_diagnosis(const System& system, Admissible& admissible, const RankReport& at_state) {
  if (admissible.constraints().size() == 0) return std::nullopt;
  if (!admissible.regular()) {
    return Error(
        ErrorCode::rank_lost,
        "the gradients of the constraints do not span the normal directions of their own set, as with a squared "
        "equation; write the constraints so that their derivatives do not vanish where they hold");
  }
  const std::size_t generic = std::max(admissible.generic_rank(), at_state.rank);
  if (at_state.rank == generic) return std::nullopt;
  std::string why;
  if (!at_state.vanishing_rows.empty()) {
    why = fmt::format("the derivatives of {} by the velocities vanish", describe_rows(system, at_state.vanishing_rows));
  } else {
    std::vector<std::size_t> dependent;
    for (std::size_t i = 0; i < admissible.constraints().size(); ++i) {
      if (std::find(at_state.independent_rows.begin(), at_state.independent_rows.end(), i) ==
          at_state.independent_rows.end()) {
        dependent.push_back(i);
      }
    }
    why = fmt::format("{} {} on the others", describe_rows(system, dependent),
                      dependent.size() == 1 ? "depends" : "depend");
  }
  return Error(ErrorCode::rank_lost,
               fmt::format("the constraints have rank {} at this state and {} at states nearby: {} here", at_state.rank,
                           generic, why));
}

Classification classify(const System& system) {
  Admissible admissible(system);
  return classify(system, admissible);
}

Classification classify(const System& system, Admissible& admissible) {
  Classification result;
  for (const Constraint& constraint : system->constraints) result.constraints.push_back(classify(system, constraint));

  const std::size_t k = admissible.constraints().size();
  std::optional<State> state;
  try {
    state = admissible.initial().state;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_model || error.code() == ErrorCode::inconsistent_constraints) throw;
    result.state = error;
  }

  result.rank = k == 0 ? 0 : admissible.generic_rank();
  result.regular = k == 0 || admissible.regular();
  if (state && k > 0) {
    try {
      const RankReport report = admissible.rank(*state);
      if (report.rank != result.rank) result.rank_at_state = report.rank;
      result.state = rank_diagnosis(system, admissible, report);
      if (!result.state) result.state = admissible.dependent_diagnosis(*state);
    } catch (const Error& error) {
      result.state = error;
    }
  }
  result.redundant = k - result.rank;
  result.degrees_of_freedom = system->size() - result.rank;
  return result;
}

}  // namespace cetaev
