#include "forces_on_sums.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/detail/expr/nested.hpp"
#include "solve_steps.hpp"

namespace cetaev {

namespace {

class ForcesOnSums {
 public:
  ForcesOnSums(const Setting& s, const SharedSums& sums, std::span<const Expr> d)
      : s_(s),
        sums_(sums),
        advance_(derivative_at_fixed_velocity(s.system->motion)),
        value_(values_of_sums(s, sums)),
        drift_(sums.variables, s.zero()),
        momenta_(sums.variables),
        pi_(sums.variables, s.zero()),
        forces_(sums.variables) {
    std::ranges::copy(d, drift_.begin());
  }

  // With symbols in the places of values.
  ForcesOnSums(const Setting& s, const SharedSums& sums, NamedSums& named) : ForcesOnSums(s, sums, s.system->motion.a) {
    const std::size_t n = s.n();
    named.value_is = named.rate_is = named.momentum_is = std::vector<Expr>(sums.variables);
    for (std::size_t x = n; x < sums.variables; ++x) {
      const std::string number = std::to_string(x);
      value_[x] = s.context().symbol("$sum" + number);
      named.value_is[x] = sum_of(x, value_);
      drift_[x] = s.context().symbol("$rate" + number);
    }
    named_ = &named;
    others(run_up_and_down());
    named.value = value_;
    named.rate = drift_;
    named.momentum = pi_;
    named.force = std::move(forces_);
  }

  std::vector<KeptTerms> run() {
    others(run_up_and_down());
    return std::move(forces_);
  }

 private:
  using Vector = std::array<Expr, 3>;

  // Returns what is left of L.
  Expr run_up_and_down() {
    up();
    if (const std::optional<Expr> rest = newton_and_euler()) return *rest;
    for (KeptTerms& terms : forces_) terms.clear();
    momenta();
    down();
    return sums_.rest;
  }

  Expr sum_of(std::size_t x, std::span<const Expr> of) const {
    KeptTerms terms;
    for (const auto& [y, A] : sums_.definition[x]) terms.push_back({nested_product(A, of[y]), 1});
    return sum(terms);
  }
  Expr sum(const KeptTerms& terms) const { return nested_sum(s_.context(), terms); }
  // weight ∂e/∂q_j on v_j
  void moment(Expr e, Expr weight, const Rational& factor = Rational(1)) {
    if (e.is_number() || weight.is_zero()) return;
    const std::vector<Expr> by_q = gradient(e, s_.system->motion.q);
    for (std::size_t j = 0; j < s_.n(); ++j)
      if (!by_q[j].is_zero()) forces_[j].push_back({nested_product(by_q[j], weight), factor});
  }

  // Rates of the sums, those that they contain first.
  void up() {
    for (std::size_t x = s_.n(); x < sums_.variables; ++x) {
      KeptTerms drift = turning_of_sum(sums_, x, value_, advance_);
      for (const auto& [y, A] : sums_.definition[x]) drift.push_back({nested_product(A, drift_[y]), 1});
      (named_ != nullptr ? named_->rate_is[x] : drift_[x]) = sum(drift);
    }
  }

  void momenta() {
    for (std::size_t x = 0; x < sums_.variables; ++x)
      for (const auto& [y, terms] : sums_.products[x]) {
        const Expr P = s_.context().sum(terms), rate = advance_(P);
        const auto on = [&](std::size_t i, std::size_t j) {
          momenta_[i].push_back({nested_product(P, value_[j]), 1});
          forces_[i].push_back({nested_product(P, drift_[j]), -1});
          forces_[i].push_back({nested_product(rate, value_[j]), -1});
        };
        on(x, y);
        if (x != y) on(y, x);
        moment(P, nested_product(value_[x], value_[y]), x == y ? Rational(1, 2) : Rational(1));
      }
  }

  // Momenta from all that contains a sum, the last of them first.
  void down() {
    for (std::size_t x = sums_.variables; x-- > s_.n();) {
      pi_[x] = sum(momenta_[x]);
      if (named_ != nullptr && !pi_[x].is_zero()) {
        named_->momentum_is[x] = pi_[x];
        pi_[x] = s_.context().symbol("$momentum" + std::to_string(x));
      }
      if (sums_.flat) {
        turn_of_form(x);
        continue;
      }
      const bool turned = sums_.turn_of.contains(x);
      for (const auto& [y, A] : sums_.definition[x]) {
        if (y >= s_.n()) momenta_[y].push_back({nested_product(A, pi_[x]), 1});
        if (turned) continue;
        forces_[y].push_back({nested_product(advance_(A), pi_[x]), -1});
        if (!A.is_number()) moment(A, nested_product(pi_[x], value_[y]));
      }
    }
    for (const TurnedPair& turn : sums_.turns) {
      const std::size_t t1 = turn.t1, t2 = t1 + 1;
      const Expr rate = advance_(turn.angle);
      forces_[t1].push_back({nested_product(rate, pi_[t2]), 1});
      forces_[t2].push_back({nested_product(rate, pi_[t1]), -1});
      moment(turn.angle, sum({{nested_product(pi_[t1], value_[t2]), 1}, {nested_product(pi_[t2], value_[t1]), -1}}));
    }
  }

  // Of a form Σ A_k v_k in the velocities themselves: π (∂A_j/∂t + Σ_k v_k (∂A_j/∂q_k − ∂A_k/∂q_j)) on v_j. Of the rate of a function of the coordinates that
  // is nothing; of angular velocities about axes of a body, products with the others.
  void turn_of_form(std::size_t x) {
    const Motion& motion = s_.system->motion;
    const std::size_t n = s_.n();
    if (pi_[x].is_zero()) return;
    std::vector<std::vector<Expr>> slopes(n, std::vector<Expr>(n, s_.zero()));
    std::vector<KeptTerms> turn(n);
    for (const auto& [y, A] : sums_.definition[x]) {
      slopes[y] = gradient(A, motion.q);
      turn[y].push_back({derivative(A, motion.t), 1});
    }
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < j; ++k) {
        const Expr curl = cheapest_polynomial(slopes[j][k] - slopes[k][j]);
        if (curl.is_zero() || vanishes(curl)) continue;
        turn[j].push_back({nested_product(curl, motion.v[k]), 1});
        turn[k].push_back({nested_product(curl, motion.v[j]), -1});
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      const Expr all = sum(turn[j]);
      if (!all.is_zero()) forces_[j].push_back({nested_product(all, pi_[x]), -1});
    }
  }

  // Where bodies have all that moves: m (u' + ω × u) and I ω' + ω × I ω in the components of a frame, ω that of the frame where it stands first. Then
  // no momenta are needed. Returns what is left of L; nothing where a velocity has no velocities in it, as on a frame that is driven: then L keeps energies that are
  // none of its sums.
  std::optional<Expr> newton_and_euler() {
    const Motion& motion = s_.system->motion;
    std::vector<Expr> moving = motion.q, left = {s_.system->lagrangian};
    moving.push_back(motion.t);
    for (const Body& body : s_.system->bodies) {
      if (!body.twist || depends_on(body.mass, moving)) return std::nullopt;
      for (const Expr e : body.inertia)
        if (depends_on(e, moving)) return std::nullopt;
      left.push_back(-body.kinetic);
    }
    const std::vector<MovingMass> masses = named_ != nullptr ? masses_of_points(s_.system) : std::vector<MovingMass>();
    for (const auto& [m, u] : masses) {
      if (depends_on(m, moving)) return std::nullopt;
      left.push_back(Rational(-1, 2) * (m * (pow(u[0], 2) + pow(u[1], 2) + pow(u[2], 2))));
    }
    const Expr without = s_.context().sum(left);
    if (depends_on(without, motion.v)) return std::nullopt;
    for (const Body& body : s_.system->bodies) {
      const Body::Twist& twist = *body.twist;
      const auto newton = [&](const Moving& u) {
        Vector force;
        for (std::size_t i = 0; i < 3; ++i)
          force[i] = nested_product(body.mass, sum({{u.drift[i], 1}, {cross(u.turning, u.value, i), 1}}));
        return force;
      };
      const auto euler = [&](const Moving& omega) { return moment_of(body, omega); };
      if (!take_in(twist.velocity, twist.velocity_in, newton) || !take_in(twist.omega, twist.omega_in, euler))
        return std::nullopt;
    }
    for (const MovingMass& mass : masses) {
      const auto newton = [&](const Moving& u) {
        Vector force;
        for (std::size_t i = 0; i < 3; ++i) force[i] = nested_product(mass.m, u.drift[i]);
        return force;
      };
      const Expr none = s_.zero();
      if (!take_in(mass.velocity, {none, none, none}, newton)) return std::nullopt;
    }
    return without;
  }

  // Components of a vector, their rates at fixed velocities and the angular velocity of what they are components in.
  struct Moving {
    Vector value, drift, turning;
  };

  // I ω' + Ω × I ω; in a frame of the body itself and along principal axes (I_z − I_y) ω_y ω_z of it
  Vector moment_of(const Body& body, const Moving& omega) const {
    const auto& I = body.inertia;
    const Vector &w = omega.value, &rate = omega.drift;
    Vector result;
    if (body.twist->omega == body.twist->omega_in && I[3].is_zero() && I[4].is_zero() && I[5].is_zero()) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        result[i] =
            sum({{nested_product(I[i], rate[i]), 1}, {nested_product(I[k] - I[j], nested_product(w[j], w[k])), 1}});
      }
      return result;
    }
    const std::array<Vector, 3> rows = {{{I[0], I[3], I[5]}, {I[3], I[1], I[4]}, {I[5], I[4], I[2]}}};
    const Vector L = {dot(rows[0], w), dot(rows[1], w), dot(rows[2], w)};
    for (std::size_t i = 0; i < 3; ++i) result[i] = sum({{dot(rows[i], rate), 1}, {cross(omega.turning, L, i), 1}});
    return result;
  }

  // −f(x) on the sums that a vector x consists of
  template <typename Force>
  bool take_in(const Vector& x, const Vector& Omega, const Force& f) {
    std::array<std::vector<Monomial>, 3> forms;
    Moving moving;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto form = sums_.form(x[i]);
      if (!form) return false;
      forms[i] = *form;
      moving.value[i] = valued(forms[i]);
      KeptTerms rate;
      for (const auto& [y, A] : forms[i]) {
        rate.push_back({nested_product(A, drift_[y]), 1});
        rate.push_back({nested_product(advance_(A), value_[y]), 1});
      }
      moving.drift[i] = sum(rate);
      const auto of_frame = sums_.form(Omega[i]);
      moving.turning[i] = of_frame ? valued(*of_frame) : Omega[i];
    }
    const Vector force = f(moving);
    for (std::size_t i = 0; i < 3; ++i)
      for (const auto& [y, A] : forms[i])
        if (!force[i].is_zero()) forces_[y].push_back({nested_product(A, force[i]), -1});
    return true;
  }
  Expr cross(const Vector& a, const Vector& b, std::size_t i) const {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    return sum({{nested_product(a[j], b[k]), 1}, {nested_product(a[k], b[j]), -1}});
  }
  Expr valued(const std::vector<Monomial>& form) const {
    KeptTerms terms;
    for (const auto& [y, A] : form) terms.push_back({nested_product(A, value_[y]), 1});
    return sum(terms);
  }
  Expr dot(const Vector& a, const Vector& b) const {
    return sum({{nested_product(a[0], b[0]), 1}, {nested_product(a[1], b[1]), 1}, {nested_product(a[2], b[2]), 1}});
  }

  // What is not quadratic in the velocities: weight, springs, loads.
  void others(Expr rest) {
    const Motion& motion = s_.system->motion;
    const std::vector<Expr> by_position = gradient(rest, motion.q), momentum = gradient(rest, motion.v);
    for (std::size_t j = 0; j < s_.n(); ++j) {
      forces_[j].push_back({by_position[j], 1});
      forces_[j].push_back({s_.system->forces[j], 1});
      forces_[j].push_back({advance_(momentum[j]), -1});
    }
  }

  const Setting& s_;
  const SharedSums& sums_;
  NamedSums* named_ = nullptr;
  Derivation advance_;
  std::vector<Expr> value_, drift_;
  std::vector<KeptTerms> momenta_;
  std::vector<Expr> pi_;
  std::vector<KeptTerms> forces_;
};

}  // namespace

std::vector<MovingMass> masses_of_points(const System& system) {
  std::vector<MovingMass> list;
  Derivation total = total_derivative(system->motion);
  for (const Point& point : system->points) {
    if (!point.mass || point.mass.is_zero()) continue;
    const auto& r = point.position;
    list.push_back({point.mass, {total(r[0]), total(r[1]), total(r[2])}});
  }
  return list;
}

NamedSums named_forces_on_sums(const Setting& s, const SharedSums& sums) {
  NamedSums named;
  ForcesOnSums(s, sums, named);
  return named;
}

std::vector<Expr> values_of_sums(const Setting& s, const SharedSums& sums) {
  std::vector<Expr> values = s.system->motion.v;
  for (std::size_t x = s.n(); x < sums.variables; ++x) {
    KeptTerms value;
    for (const auto& [y, A] : sums.definition[x]) value.push_back({nested_product(A, values[y]), 1});
    values.push_back(nested_sum(s.context(), value));
  }
  return values;
}

KeptTerms turning_of_sum(const SharedSums& sums, std::size_t x, std::span<const Expr> values, Derivation& advance) {
  KeptTerms terms;
  if (const auto turn = sums.turn_of.find(x); turn != sums.turn_of.end()) {
    // t₁' = … + φ' t₂, t₂' = … − φ' t₁
    const TurnedPair& pair = sums.turns[turn->second];
    const bool first = pair.t1 == x;
    terms.push_back({nested_product(advance(pair.angle), values[first ? x + 1 : x - 1]), first ? 1 : -1});
    return terms;
  }
  for (const auto& [y, A] : sums.definition[x]) terms.push_back({nested_product(advance(A), values[y]), 1});
  return terms;
}

std::vector<KeptTerms> forces_on_sums(const Setting& s, const SharedSums& sums, std::span<const Expr> d) {
  if (sums.homogeneous) return ForcesOnSums(s, sums, d).run();
  std::vector<KeptTerms> result(sums.variables);
  for (std::size_t j = 0; j < s.n(); ++j) result[j].push_back({s.terms.bias[j], 1});
  return result;
}

}  // namespace cetaev
