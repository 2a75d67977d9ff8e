#include "forces_on_sums.hpp"

#include "cetaev/detail/expr/nested.hpp"

namespace cetaev {

namespace {

class ForcesOnSums {
 public:
  ForcesOnSums(const Setting& s, const SharedSums& sums)
      : s_(s),
        sums_(sums),
        advance_(derivative_at_fixed_velocity(s.system->motion)),
        value_(sums.variables, s.zero()),
        drift_(sums.variables, s.zero()),
        momenta_(sums.variables),
        pi_(sums.variables, s.zero()),
        forces_(sums.variables) {}

  std::vector<KeptTerms> run() {
    up();
    momenta();
    down();
    others();
    return std::move(forces_);
  }

 private:
  Expr sum(const KeptTerms& terms) const { return nested_sum(s_.context(), terms); }
  // weight ∂e/∂q_j on v_j
  void moment(Expr e, Expr weight, const Rational& factor = Rational(1)) {
    if (e.is_number() || weight.is_zero()) return;
    const std::vector<Expr> by_q = gradient(e, s_.system->motion.q);
    for (std::size_t j = 0; j < s_.n(); ++j)
      if (!by_q[j].is_zero()) forces_[j].push_back({nested_product(by_q[j], weight), factor});
  }

  // Values and rates of the sums, those that they contain first.
  void up() {
    for (std::size_t j = 0; j < s_.n(); ++j) value_[j] = s_.system->motion.v[j];
    for (std::size_t x = s_.n(); x < sums_.variables; ++x) {
      KeptTerms value, drift;
      for (const auto& [y, A] : sums_.definition[x]) {
        value.push_back({nested_product(A, value_[y]), Rational(1)});
        drift.push_back({nested_product(A, drift_[y]), Rational(1)});
        if (!sums_.turn_of.contains(x)) drift.push_back({nested_product(advance_(A), value_[y]), Rational(1)});
      }
      value_[x] = sum(value);
      drift_[x] = sum(drift);
      const auto turn = sums_.turn_of.find(x);
      if (turn == sums_.turn_of.end() || sums_.turns[turn->second].t1 == x) continue;
      // both components are known: t₁' = … + φ' t₂, t₂' = … − φ' t₁
      const Expr rate = advance_(sums_.turns[turn->second].angle);
      drift_[x - 1] = sum({{drift_[x - 1], Rational(1)}, {nested_product(rate, value_[x]), Rational(1)}});
      drift_[x] = sum({{drift_[x], Rational(1)}, {nested_product(rate, value_[x - 1]), Rational(-1)}});
    }
  }

  void momenta() {
    for (std::size_t x = 0; x < sums_.variables; ++x)
      for (const auto& [y, terms] : sums_.products[x]) {
        const Expr P = s_.context().sum(terms), rate = advance_(P);
        const auto on = [&](std::size_t i, std::size_t j) {
          momenta_[i].push_back({nested_product(P, value_[j]), Rational(1)});
          forces_[i].push_back({nested_product(P, drift_[j]), Rational(-1)});
          forces_[i].push_back({nested_product(rate, value_[j]), Rational(-1)});
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
      const bool turned = sums_.turn_of.contains(x);
      for (const auto& [y, A] : sums_.definition[x]) {
        if (y >= s_.n()) momenta_[y].push_back({nested_product(A, pi_[x]), Rational(1)});
        if (turned) continue;
        forces_[y].push_back({nested_product(advance_(A), pi_[x]), Rational(-1)});
        if (!A.is_number()) moment(A, nested_product(pi_[x], value_[y]));
      }
    }
    for (const TurnedPair& turn : sums_.turns) {
      const std::size_t t1 = turn.t1, t2 = t1 + 1;
      const Expr rate = advance_(turn.angle);
      forces_[t1].push_back({nested_product(rate, pi_[t2]), Rational(1)});
      forces_[t2].push_back({nested_product(rate, pi_[t1]), Rational(-1)});
      moment(turn.angle, sum({{nested_product(pi_[t1], value_[t2]), Rational(1)},
                              {nested_product(pi_[t2], value_[t1]), Rational(-1)}}));
    }
  }

  // What is not quadratic in the velocities: weight, springs, loads.
  void others() {
    const Motion& motion = s_.system->motion;
    const std::vector<Expr> by_position = gradient(sums_.rest, motion.q), momentum = gradient(sums_.rest, motion.v);
    for (std::size_t j = 0; j < s_.n(); ++j) {
      forces_[j].push_back({by_position[j], Rational(1)});
      forces_[j].push_back({s_.system->forces[j], Rational(1)});
      forces_[j].push_back({advance_(momentum[j]), Rational(-1)});
    }
  }

  const Setting& s_;
  const SharedSums& sums_;
  Derivation advance_;
  std::vector<Expr> value_, drift_;
  std::vector<KeptTerms> momenta_;
  std::vector<Expr> pi_;
  std::vector<KeptTerms> forces_;
};

}  // namespace

std::vector<KeptTerms> forces_on_sums(const Setting& s, const SharedSums& sums) {
  if (sums.homogeneous) return ForcesOnSums(s, sums).run();
  std::vector<KeptTerms> result(sums.variables);
  for (std::size_t j = 0; j < s.n(); ++j) result[j].push_back({s.terms.bias[j], Rational(1)});
  return result;
}

}  // namespace cetaev
