#include "moving_frame.hpp"

#include <algorithm>

#include "assemble.hpp"
#include "basis.hpp"
#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/formulation/symmetry.hpp"

namespace cetaev {

namespace {

// Disjoint pairs that turn equally fast.
bool turns_pairs(const SymmetryField& field) {
  std::vector<std::size_t> moved;
  for (const SymmetryField::Turn& turn : field.turns) {
    if (turn.rate.abs() != field.turns[0].rate.abs()) return false;
    for (const std::size_t i : {turn.from, turn.to}) {
      if (std::find(moved.begin(), moved.end(), i) != moved.end() || !field.shift[i].is_zero()) return false;
      moved.push_back(i);
    }
  }
  return !moved.empty();
}

}  // namespace

std::optional<MovingFrame> moving_frame(const Setting& s, const Symmetry& symmetry) {
  const std::vector<Expr>& q = s.system->motion.q;
  for (const SymmetryField& field : symmetry.fields) {
    if (!field.is_linear() || !turns_pairs(field)) continue;
    const auto shifted =
        std::find_if(field.shift.begin(), field.shift.end(), [](const Rational& c) { return !c.is_zero(); });
    if (shifted == field.shift.end()) continue;
    MovingFrame frame;
    frame.linear_in_constraints = symmetry.linear_in_constraints;
    frame.angle = static_cast<std::size_t>(shifted - field.shift.begin());
    // the flow for the time q_angle/c: turns by rate·q_angle/c, shifts by c_i q_angle/c
    const Expr time = shifted->inverse() * q[frame.angle];
    // first the shifts alone take their leading coordinates to zero
    std::vector<Expr> place = q;
    for (const SymmetryField& shift : symmetry.fields) {
      if (!shift.is_shift()) continue;
      const auto lead =
          std::find_if(shift.shift.begin(), shift.shift.end(), [](const Rational& c) { return !c.is_zero(); });
      const auto leading = static_cast<std::size_t>(lead - shift.shift.begin());
      if (leading == frame.angle) continue;
      const Expr by = place[leading];
      for (std::size_t i = 0; i < q.size(); ++i) place[i] = place[i] - shift.shift[i] * by;
    }
    for (std::size_t i = 0; i < q.size(); ++i) place[i] = place[i] - field.shift[i] * time;
    frame.axes = zeros(s, s.n(), s.n());
    for (std::size_t i = 0; i < s.n(); ++i) frame.axes(i, i) = s.context().one();
    for (const SymmetryField::Turn& turn : field.turns) {
      const Expr angle = turn.rate * time;
      const Expr c = cos(angle), sine = sin(angle);
      frame.axes(turn.from, turn.from) = c;
      frame.axes(turn.from, turn.to) = -sine;
      frame.axes(turn.to, turn.from) = sine;
      frame.axes(turn.to, turn.to) = c;
      const Expr x = place[turn.from], y = place[turn.to];
      place[turn.from] = c * x + sine * y;
      place[turn.to] = c * y - sine * x;
    }
    for (std::size_t i = 0; i < q.size(); ++i)
      if (place[i] != q[i]) frame.place.emplace_back(q[i], place[i]);
    return frame;
  }
  return std::nullopt;
}

std::optional<Basis> basis_in_frame(const Setting& s, const MovingFrame& frame, const std::vector<Expr>& definitions,
                                    Validity validity) {
  const std::size_t m = definitions.size();
  std::vector<Expr> functions = definitions;
  const std::vector<Expr> phi = s.phi();
  functions.insert(functions.end(), phi.begin(), phi.end());
  const Matrix given = jacobian(functions, s.system->motion.v);
  const std::vector<Expr> rest = at_rest(s, functions);
  Matrix rows = multiply(s, given, frame.axes);
  rows.entries = substitute(rows.entries, frame.place);
  const std::vector<Expr> there = substitute(rest, frame.place);
  std::optional<Basis> found = m > 0 ? basis_of(s, rows, there, m) : regular_basis(s, rows, there, validity);
  if (!found) return std::nullopt;
  shorten(*found, m > 0 ? Validity::everywhere : validity);
  Basis result{multiply(s, frame.axes, found->N), multiply(s, frame.axes, found->drift)};
  // The rows at that place span what the rows span here, whatever the parameters are: J N = 0 and J n₀ = −φ at rest; and so for the
  // definitions. Of the constraints the symmetry has proved it where they go over into each other, all of them.
  const bool known = frame.linear_in_constraints && phi.size() == s.terms.constraints.size();
  const Matrix along = multiply(s, given, result.N);
  const std::vector<Expr> drifting = multiply(s, given, result.drift);
  const auto zero = [](Expr e) { return e.is_zero() || vanishes(e); };
  for (std::size_t r = 0; r < (known ? m : functions.size()); ++r) {
    for (std::size_t j = 0; j < along.columns; ++j)
      if (!zero(r < m && r == j ? along(r, j) - Rational(1) : along(r, j))) return std::nullopt;
    if (!zero(drifting[r] + rest[r])) return std::nullopt;
  }
  return result;
}

}  // namespace cetaev
