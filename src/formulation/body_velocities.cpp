#include "cetaev/detail/formulation/body_velocities.hpp"

#include <algorithm>
#include <cmath>

#include "assemble.hpp"
#include "basis.hpp"
#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/detail/numeric/rank.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/expr/evaluate.hpp"

namespace cetaev {

namespace {

using Row = std::vector<double>;

double norm(const Row& row) {
  double sum = 0;
  for (const double x : row) sum += x * x;
  return std::sqrt(sum);
}

// What is left of a row across those before it, at length one; nothing where it depends on them.
bool append_independent(std::vector<Row>& rows, Row row) {
  const double length = norm(row);
  if (!std::isfinite(length) || length == 0) return false;
  for (int twice = 0; twice < 2; ++twice) {
    for (const Row& other : rows) {
      double along = 0;
      for (std::size_t i = 0; i < row.size(); ++i) along += row[i] * other[i];
      for (std::size_t i = 0; i < row.size(); ++i) row[i] -= along * other[i];
    }
  }
  const double left = norm(row);
  if (left <= sampled_rank_tolerance * length) return false;
  for (double& x : row) x /= left;
  rows.push_back(std::move(row));
  return true;
}

class Search {
 public:
  explicit Search(const Setting& s) : s_(s), count_(s.n() - s.rank()) {
    Random random(20);
    const std::vector<double> values = parameter_values(s.system);
    for (std::size_t i = 0; i < values.size(); ++i) place_.emplace_back(s.system->parameters[i].symbol, values[i]);
    for (const Expr q : s.system->motion.q) place_.emplace_back(q, random.uniform(0.3, 1.2));
    place_.emplace_back(s.system->motion.t, random.uniform(0.3, 1.2));
    for (const Expr v : s.system->motion.v) place_.emplace_back(v, 0.0);
    const Matrix J = s.J();
    for (std::size_t r = 0; r < s.rank(); ++r) {
      Row row;
      for (std::size_t j = 0; j < s.n(); ++j) row.push_back(evaluate(J(r, j), place_));
      append_independent(constraints_, std::move(row));
    }
  }

  std::vector<BodyVelocities> run() {
    for (std::size_t b = 0; b < s_.system->bodies.size(); ++b) {
      const Body& body = s_.system->bodies[b];
      if (body.frame == 0 || !body.twist) continue;
      using Axes = BodyVelocities::Axes;
      const bool on_ground = std::ranges::all_of(body.twist->omega_in, [](Expr e) { return e.is_zero(); });
      const Axes axes = body.twist->omega == body.twist->omega_in ? Axes::body
                        : on_ground                               ? Axes::ground
                                                                  : Axes::without_spin;
      consider(b, axes, body.twist->omega);
      // of a ball all axes serve, so those in which what it touches is short may
      const auto& I = body.inertia;
      const bool even = I[0] == I[1] && I[1] == I[2] && I[3].is_zero() && I[4].is_zero() && I[5].is_zero();
      if (even) consider(b, Axes::ground, s_.system->frames[body.frame - 1].omega);
    }
    return std::move(found_);
  }

 private:
  void consider(std::size_t body, BodyVelocities::Axes axes, const std::array<Expr, 3>& omega) {
    if (std::ranges::count_if(omega, [](Expr e) { return !e.is_zero(); }) < 2) return;
    BodyVelocities list{body, axes, {}, {}};
    std::vector<Row> rows = constraints_;
    std::size_t plain = 0;
    const auto take = [&](Expr e, const std::string& name) {
      if (list.u.size() == count_ || e.is_zero() || !append_independent(rows, row_of(e))) return;
      list.u.push_back(e);
      list.names.push_back(name.empty() ? "u" + std::to_string(++plain) : name);
    };
    for (std::size_t i = 0; i < 3; ++i) take(omega[i], std::string("omega_") + "xyz"[i]);
    const bool any = !list.u.empty();
    for (const Expr v : s_.system->motion.v) take(v, "");
    const bool known = std::ranges::any_of(found_, [&](const BodyVelocities& f) { return f.u == list.u; });
    if (any && !known && list.u.size() == count_) found_.push_back(std::move(list));
  }

  Row row_of(Expr e) const {
    Row row;
    for (const Expr slope : gradient(e, s_.system->motion.v)) row.push_back(evaluate(slope, place_));
    return row;
  }

  const Setting& s_;
  std::size_t count_;
  std::vector<Value> place_;
  std::vector<Row> constraints_;
  std::vector<BodyVelocities> found_;
};

}  // namespace

std::vector<BodyVelocities> velocities_of_bodies(const Setting& s) {
  if (s.n() > largest_solved || s.rank() == s.n()) return {};
  return Search(s).run();
}

}  // namespace cetaev
