#include "sides.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "accuracy.hpp"
#include "cetaev/detail/algebra/normal.hpp"
#include "cetaev/detail/numeric/random.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/program/program.hpp"
#include "equations.hpp"

namespace cetaev {

namespace {

bool is_magnitude(Expr e) { return e.kind() == Kind::function && e.function() == Function::abs; }

// What other expressions are divided by, and its factors.
class Divisors {
 public:
  explicit Divisors(std::span<const Expr> nodes) {
    for (const Expr e : nodes) {
      if (e.kind() != Kind::product) continue;
      for (std::size_t i = 0; i < e.size(); ++i)
        if (e.exponent(i).sign() < 0) add(e.base(i));
    }
  }
  // All of it, or a factor, but for a number.
  bool contain(Expr e) const {
    if (e.kind() == Kind::product) {
      for (std::size_t i = 0; i < e.size(); ++i)
        if (contain(e.base(i))) return true;
    }
    return std::any_of(found_.begin(), found_.end(), [&](Expr other) { return is_multiple(e, other); });
  }

 private:
  void add(Expr e) {
    if (!seen_.insert(e.node()).second) return;
    found_.push_back(e);
    for (std::size_t i = 0; e.kind() == Kind::product && i < e.size(); ++i) add(e.base(i));
  }
  static bool is_multiple(Expr a, Expr b) {
    if (a == b) return true;
    if (a.kind() != Kind::sum || b.kind() != Kind::sum || a.size() != b.size()) return false;
    for (std::size_t i = 0; i < b.size(); ++i)
      if (a.term(0) == b.term(i)) return (a - (a.coefficient(0) / b.coefficient(i)) * b).is_zero();
    return false;
  }

  std::unordered_set<const Node*> seen_;
  std::vector<Expr> found_;
};

// Takes magnitudes out of expressions, |u| written as such or as √u².
class SideMaker {
 public:
  // But for those of `bends`.
  SideMaker(const System& system, std::span<const Expr> nodes, std::span<const Expr> bends, bool with_bends)
      : context_(*system->context),
        moving_(moving_symbols(system)),
        divisors_(nodes),
        bends_(bends),
        with_bends_(with_bends) {
    std::vector<Expr> state = system->motion.q;
    state.insert(state.end(), system->motion.v.begin(), system->motion.v.end());
    for (const Expr e : nodes) {
      for (std::size_t i = 0; e.kind() == Kind::product && i < e.size(); ++i) {
        const Expr base = e.base(i);
        if (!e.exponent(i).is_integer() && is_magnitude(base) && !depends_on(base, state)) cusps_.insert(base.node());
      }
    }
  }

  // Nodes in the order in which they are made of each other.
  void look_at(std::span<const Expr> nodes) {
    for (const Expr e : nodes) {
      if (is_magnitude(e)) {
        const Expr u = e.operands()[0];
        if (cusps_.contains(e.node())) continue;
        if (depends_on(u, moving_) && (with_bends_ || divisors_.contain(u) || divisors_.contain(e)) && !only_bends(u))
          replacements_.emplace_back(e, magnitude(u));
      } else if (e.kind() == Kind::product) {
        look_at_roots(e);
      } else if (e.kind() == Kind::function && depends_on(e, moving_)) {
        look_at_angles(e);
      }
    }
  }

  std::vector<Expr> where, sides;
  void replace(Expr& e) const { e = substitute(e, replacements_); }

 private:
  bool only_bends(Expr u) const { return std::find(bends_.begin(), bends_.end(), u) != bends_.end(); }
  // |u|; that of a power or product is one of the magnitudes of what it is made of, which cross zero where they vanish.
  Expr magnitude(Expr u) {
    if (u.kind() == Kind::sum && u.size() == 1 && u.constant().is_zero())
      return context_.number(u.coefficient(0).sign() < 0 ? -u.coefficient(0) : u.coefficient(0)) * magnitude(u.term(0));
    bool powers = u.kind() == Kind::product;
    for (std::size_t i = 0; powers && i < u.size(); ++i) powers = u.exponent(i).is_integer();
    if (powers) {
      Expr result = context_.one();
      for (std::size_t i = 0; i < u.size(); ++i) {
        Expr base = u.base(i);
        replace(base);
        const bool moves = depends_on(base, moving_);
        const Expr size = u.exponent(i).is_even() ? base : moves ? magnitude(base) : abs(base);
        result = result * pow(size, u.exponent(i));
      }
      return result;
    }
    replace(u);
    return side(u) * u;
  }
  Expr side(Expr u) {
    const auto known = std::find(where.begin(), where.end(), u);
    const auto i = static_cast<std::size_t>(known - where.begin());
    if (known == where.end()) {
      where.push_back(u);
      sides.push_back(context_.symbol("$side" + std::to_string(i)));
    }
    return sides[i];
  }

  // Angles jump between −π and π, or by π. With a side σ of a or b they go on:
  //   atan2(a, b) = σ π/2 + atan2(−σ b, σ a),   atan(a/b) = atan2(σ a, σ b)
  // Those of an angle bend, where their formulas have no derivative, with the side of what vanishes there:
  //   asin(sin w) = atan2(sin w, σ cos w),   asin(cos w) = atan2(cos w, σ sin w),   acos u = π/2 − asin u
  void look_at_angles(Expr e) {
    if (e.function() == Function::atan2) {
      Expr a = e.operands()[0], b = e.operands()[1];
      replace(a);
      replace(b);
      if (const auto of_a = sign(a))
        replacements_.emplace_back(e, *of_a * context_.pi() / context_.number(2) + atan2(-*of_a * b, *of_a * a));
    } else if (e.function() == Function::atan) {
      auto [a, b] = quotient(e.operands()[0]);
      replace(a);
      replace(b);
      if (const auto of_b = sign(b)) replacements_.emplace_back(e, atan2(*of_b * a, *of_b * b));
    } else if (e.function() == Function::asin || e.function() == Function::acos) {
      const Expr u = e.operands()[0];
      const bool of_sine = u.kind() == Kind::function && u.function() == Function::sin;
      if (!of_sine && !(u.kind() == Kind::function && u.function() == Function::cos)) return;
      Expr w = u.operands()[0];
      replace(w);
      // asin u, whichever u
      const Expr folded = of_sine ? atan2(sin(w), side(cos(w)) * cos(w)) : atan2(cos(w), side(sin(w)) * sin(w));
      replacements_.emplace_back(e,
                                 e.function() == Function::asin ? folded : context_.pi() / context_.number(2) - folded);
    }
  }
  // By what changes sign with it; nothing where nothing does.
  std::optional<Expr> sign(Expr u) {
    const bool scaled = u.kind() == Kind::sum && u.size() == 1 && u.constant().is_zero();
    const bool negative = scaled && u.coefficient(0).sign() < 0;
    if (scaled) u = u.term(0);
    if (u.kind() == Kind::product) {
      Expr odd = context_.one();
      for (std::size_t i = 0; i < u.size(); ++i)
        if (u.exponent(i).is_integer() && !u.exponent(i).is_even()) odd = odd * u.base(i);
      u = odd;
    }
    if (!depends_on(u, moving_) || only_bends(u)) return std::nullopt;
    return negative ? -side(u) : side(u);
  }
  std::pair<Expr, Expr> quotient(Expr e) const {
    if (e.kind() == Kind::function && e.function() == Function::tan)
      return {sin(e.operands()[0]), cos(e.operands()[0])};
    if (e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero()) {
      const auto [a, b] = quotient(e.term(0));
      return {context_.number(e.coefficient(0)) * a, b};
    }
    Expr a = context_.one(), b = context_.one();
    if (e.kind() != Kind::product) return {e, b};
    for (std::size_t i = 0; i < e.size(); ++i) {
      const bool divides = e.exponent(i).sign() < 0;
      const auto [top, bottom] = quotient(e.base(i));
      const Rational power = divides ? -e.exponent(i) : e.exponent(i);
      a = a * pow(divides ? bottom : top, power);
      b = b * pow(divides ? top : bottom, power);
    }
    return {a, b};
  }

  // Multiplied out, as x² − 2xy + y² or 1 − sin² x, a square does not look like one.
  Expr radicand(Expr e) const {
    constexpr std::size_t most_nodes = 64;  // what one writes out by hand
    if (e.kind() != Kind::sum || !depends_on(e, moving_)) return e;
    if (topological(std::array{e}).size() > most_nodes) return e;
    const Expr factored = normal(e, Shape::factored);
    return has_squares(factored) ? factored : e;
  }
  // u² under a root, and something else that does not vanish with it
  bool has_squares(Expr e) const {
    if (e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero()) return has_squares(e.term(0));
    for (std::size_t i = 0; e.kind() == Kind::product && i < e.size(); ++i)
      if (e.exponent(i).is_even() && depends_on(e.base(i), moving_)) return true;
    return false;
  }
  // What is no square stays under the root, in one piece: of its factors two may be negative.
  Expr root_of(Expr squares, const Rational& exponent) {
    const bool scaled = squares.kind() == Kind::sum;
    const Expr factors = scaled ? squares.term(0) : squares;
    Expr result = context_.one(), rest = scaled ? context_.number(squares.coefficient(0)) : context_.one();
    for (std::size_t k = 0; k < factors.size(); ++k) {
      Expr base = factors.base(k);
      if (factors.exponent(k).is_even()) {
        result = result * pow(magnitude(base), factors.exponent(k) * exponent);
        continue;
      }
      replace(base);
      rest = rest * pow(base, factors.exponent(k));
    }
    return result * pow(rest, exponent);
  }
  void look_at_roots(Expr e) {
    Expr result = context_.one();
    bool any = false;
    for (std::size_t i = 0; i < e.size(); ++i) {
      Expr base = e.base(i);
      const bool root = e.exponent(i).denominator() == Rational(2) && divisors_.contain(base);
      const Expr square = root ? radicand(base) : base;
      if (root && has_squares(square)) {
        any = true;
        result = result * root_of(square, e.exponent(i));
        continue;
      }
      replace(base);
      result = result * pow(base, e.exponent(i));
    }
    if (any) replacements_.emplace_back(e, result);
  }

  Context& context_;
  std::vector<Expr> moving_;
  Divisors divisors_;
  std::span<const Expr> bends_;
  bool with_bends_;
  std::unordered_set<const Node*>
      cusps_;  // in time alone, as √|t − 1|: no side goes on beyond, and they are known before the motion
  std::vector<Replacement> replacements_;
};

// With the Lagrangian itself: derivatives show nothing of a potential that jumps.
std::vector<Expr> derived_from(const System& system, const Terms& terms) {
  const ConstraintSet& set = terms.constraints;
  std::vector<Expr> all = terms.bias;
  all.push_back(system->lagrangian);
  all.push_back(derivative(system->lagrangian, system->motion.t));  // in the balance of the energy
  for (const auto* more : {&terms.mass.entries, &set.phi, &set.jacobian.entries, &set.bias})
    all.insert(all.end(), more->begin(), more->end());
  // constraints on accelerations are there with their Jacobian and their bias
  std::erase_if(all, [&](Expr e) { return depends_on(e, system->motion.a); });
  return all;
}

// Do the equations of the two sides differ where they meet? Not those of a wall (|u| + u)², whose force only bends. Asked at states taken at random; with
// sides nothing is wrong about what only bends, but algebra knows |u| better than it knows σ² = 1.
class Differing {
 public:
  explicit Differing(const SidedSystem& sided)
      : moving_(2 * sided.system->size() + 1), jumps_(sided.where.size()), count_(state_symbols(sided.system).size()) {
    std::vector<Expr> outputs = derived_from(sided.system, Terms(sided.system));
    derived_ = outputs.size();
    const std::vector<Expr> moving = moving_symbols(sided.system);
    for (const Expr u : sided.where) {
      outputs.push_back(u);
      for (const Expr z : moving) outputs.push_back(derivative(u, z));
    }
    program_ = Program(outputs, state_symbols(sided.system));
    parameters_ = parameter_values(sided.system);
  }

  bool operator()(std::size_t jump) const {
    constexpr int states = 16;                   // atan2 jumps on one of two sides
    constexpr double near_by = 1.5, around = 6;  // atan2(sin x, cos x) jumps where x is π and not where it is zero
    Random random(jump + 1);
    Interpreter run(program_);
    std::vector<double> elsewhere(program_.output_count()), here(elsewhere.size()), beyond(elsewhere.size());
    for (int state = 0; state < states; ++state) {
      std::vector<double> inputs;
      const double within = state % 2 == 0 ? near_by : around;
      while (inputs.size() < moving_) inputs.push_back(random.uniform(-within, within));
      inputs.insert(inputs.end(), parameters_.begin(), parameters_.end());
      run(inputs, elsewhere);
      if (!put_on(jump, inputs, run, here)) return true;
      double& side = inputs[count_ - jumps_ + jump];
      side = -side;
      run(inputs, beyond);
      double size = 0, apart = 0;
      for (std::size_t i = 0; i < derived_; ++i) {
        size = std::max({size, std::abs(elsewhere[i]), std::abs(here[i])});
        apart = std::max(apart, std::abs(beyond[i] - here[i]));
      }
      if (!(apart <= accuracy::no_jump * size)) return true;
    }
    return false;
  }

 private:
  // By Newton's method.
  bool put_on(std::size_t jump, std::vector<double>& inputs, Interpreter& run, std::vector<double>& values) const {
    constexpr int steps = 20;
    for (int step = 0; step < steps; ++step) {
      run(inputs, values);
      const double* const u = values.data() + derived_ + jump * (moving_ + 1);
      double square = 0, size = 1;
      for (std::size_t i = 0; i < moving_; ++i) {
        square += u[1 + i] * u[1 + i];
        size = std::max(size, std::abs(inputs[i]));
      }
      if (std::abs(u[0]) <= accuracy::newton_is_done(size * std::sqrt(square))) return true;
      for (std::size_t i = 0; i < moving_; ++i) inputs[i] -= u[0] * u[1 + i] / square;
    }
    return false;
  }

  std::size_t moving_, jumps_, count_, derived_ = 0;
  Program program_;
  std::vector<double> parameters_;
};

}  // namespace

SidedSystem separate_sides(const System& system, const Terms& terms, bool with_bends) {
  std::vector<Expr> written = system->forces;
  written.push_back(system->lagrangian);
  for (const Constraint& constraint : system->constraints) written.push_back(constraint.expression);
  for (const NamedExpression& quasi_velocity : system->quasi_velocities) written.push_back(quasi_velocity.expression);
  const std::vector<Expr> nodes = topological(derived_from(system, terms));
  const auto without = [&](std::span<const Expr> bends) {
    SideMaker maker(system, nodes, bends, with_bends);
    maker.look_at(topological(written));
    SidedSystem result{system, maker.where};
    if (maker.where.empty()) return result;
    result.system = system.with([&](SystemData& data) {
      for (const Expr side : maker.sides) data.parameters.push_back({side, data.context->one(), {}});
      maker.replace(data.lagrangian);
      for (Expr& force : data.forces) maker.replace(force);
      for (Constraint& constraint : data.constraints) maker.replace(constraint.expression);
      for (NamedExpression& quasi_velocity : data.quasi_velocities) maker.replace(quasi_velocity.expression);
    });
    return result;
  };
  SidedSystem all = without({});
  if (all.where.empty() || with_bends) return all;
  const Differing differ(all);
  std::vector<Expr> bends;
  for (std::size_t i = 0; i < all.where.size(); ++i)
    if (!differ(i)) bends.push_back(all.where[i]);
  return bends.empty() ? all : without(bends);
}

Expr without_sides(const System& system, std::span<const Expr> where, Expr e) {
  std::vector<Replacement> signs;
  const std::size_t first = system->parameters.size() - where.size();
  for (std::size_t i = 0; i < where.size(); ++i)
    signs.emplace_back(system->parameters[first + i].symbol, abs(where[i]) / where[i]);
  // a jump may stand where another has its side
  for (std::size_t i = 0; i < where.size(); ++i) e = substitute(e, signs);
  return e;
}

System on_sides(const System& system, std::span<const double> sides) {
  return system.with([&](SystemData& data) {
    const std::size_t first = data.parameters.size() - sides.size();
    for (std::size_t i = 0; i < sides.size(); ++i)
      data.parameters[first + i].definition = data.context->number(Rational(sides[i] < 0 ? -1 : 1));
  });
}

}  // namespace cetaev
