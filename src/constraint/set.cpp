#include "cetaev/constraint/set.hpp"

namespace cetaev {

namespace {

bool depends_on_any(const Matrix& rows, std::size_t row, std::span<const Expr> symbols) {
  for (std::size_t j = 0; j < rows.columns; ++j) {
    if (depends_on(rows(row, j), symbols)) return true;
  }
  return false;
}

Expr at_zero_acceleration(Expr e, const Motion& motion) {
  std::vector<Replacement> zeros;
  for (const Expr a : motion.a) zeros.emplace_back(a, a.context().zero());
  return substitute(e, zeros);
}

}  // namespace

ConstraintSet::ConstraintSet(const System& system) {
  const Motion& motion = system->motion;
  Derivation advance = derivative_at_fixed_velocity(motion);
  for (const Constraint& constraint : system->constraints) {
    residual.push_back(constraint.expression);
    order.push_back(constraint.order);
    phi.push_back(constraint.order == 0 ? advance(constraint.expression) : constraint.expression);
  }

  // J: by velocities for orders 0 and 1, by accelerations for order 2
  jacobian = cetaev::jacobian(phi, motion.v);
  jacobian.columns = motion.v.size();
  std::vector<std::size_t> second_order;
  std::vector<Expr> second_order_phi;
  for (std::size_t i = 0; i < size(); ++i) {
    if (order[i] == 0) position_rows.push_back(i);
    if (order[i] < 2) {
      velocity_rows.push_back(i);
    } else {
      second_order.push_back(i);
      second_order_phi.push_back(phi[i]);
    }
  }
  if (!second_order.empty()) {
    const Matrix by_acceleration = cetaev::jacobian(second_order_phi, motion.a);
    for (std::size_t k = 0; k < second_order.size(); ++k) {
      for (std::size_t j = 0; j < motion.a.size(); ++j) jacobian(second_order[k], j) = by_acceleration(k, j);
    }
  }

  nonlinear_in_accelerations.assign(size(), false);
  for (std::size_t i = 0; i < size(); ++i) {
    if (order[i] < 2) {
      bias.push_back(-advance(phi[i]));
      continue;
    }
    if (!depends_on_any(jacobian, i, motion.a)) {
      bias.push_back(-at_zero_acceleration(phi[i], motion));
      continue;
    }
    nonlinear_in_accelerations[i] = true;
    std::vector<Expr> terms = {-phi[i]};
    for (std::size_t j = 0; j < motion.a.size(); ++j) terms.push_back(jacobian(i, j) * motion.a[j]);
    bias.push_back(phi[i].context().sum(terms));
  }
}

}  // namespace cetaev
