#include "cetaev/expr/derivative.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cetaev/detail/expr/elliptic_jets.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "cetaev/detail/expr/walk.hpp"
#include "cetaev/error.hpp"
#include "context.hpp"

namespace cetaev {

namespace {

// f′(x) for the functions of one argument
Expr derivative_of(Function f, Expr x) {
  Context& context = x.context();
  const Expr one = context.one();
  const Expr square = pow(x, Rational(2));
  switch (f) {
    case Function::sin: return cos(x);
    case Function::cos: return -sin(x);
    case Function::tan: return one + pow(tan(x), Rational(2));
    case Function::asin: return pow(one - square, Rational(-1, 2));
    case Function::acos: return -pow(one - square, Rational(-1, 2));
    case Function::atan: return pow(one + square, Rational(-1));
    case Function::sinh: return apply(Function::cosh, x);
    case Function::cosh: return apply(Function::sinh, x);
    case Function::tanh: return one - pow(apply(Function::tanh, x), Rational(2));
    case Function::asinh: return pow(one + square, Rational(-1, 2));
    // two roots, not one of x² − 1, which is also real below −1
    case Function::acosh: return pow(x - one, Rational(-1, 2)) * pow(x + one, Rational(-1, 2));
    case Function::atanh: return pow(one - square, Rational(-1));
    case Function::exp: return exp(x);
    case Function::log: return pow(x, Rational(-1));
    case Function::abs: return abs(x) / x;
    default: break;
  }
  return context.zero();
}

// The coefficients of polynomials in δ at m + δ whose own are expressions.
struct Expressions {
  using Number = Expr;
  Context* context;
  Expr of(long whole) const { return context->number(Rational(whole)); }
  Expr sum(Expr a, Expr b) const { return a + b; }
  Expr difference(Expr a, Expr b) const { return a - b; }
  Expr product(Expr a, Expr b) const { return a * b; }
  Expr quotient(Expr a, Expr b) const { return a / b; }
};

Expr factorial(Context& context, unsigned n) {
  Rational product(1);
  for (unsigned j = 2; j <= n; ++j) product = product * Rational(static_cast<long>(j));
  return context.number(product);
}

// f and its derivatives by m up to an order, over factorials.
std::vector<Expr> coefficients(Function f, Expr x, Expr m, unsigned order) {
  std::vector<Expr> jet;
  for (unsigned j = 0; j <= order; ++j) jet.push_back(apply(by_parameter(f, j), x, m) / factorial(x.context(), j));
  return jet;
}

// The derivative by the argument of an elliptic function, or of a derivative of one by m.
Expr elliptic_by_argument(Function f, Expr x, Expr m) {
  Context& context = x.context();
  const unsigned order = parameter_order(f);
  const elliptic::Jets<Expressions> jets(Expressions{&context});
  switch (without_parameter_order(f)) {
    case Function::elliptic_f:
    case Function::elliptic_e: {
      // (1 − m sin²φ)^p, differentiated by m so many times
      const Expr square = pow(sin(x), Rational(2));
      Rational power = without_parameter_order(f) == Function::elliptic_f ? Rational(-1, 2) : Rational(1, 2), factor(1);
      for (unsigned j = 0; j < order; ++j, power = power - Rational(1)) factor = factor * -power;
      return factor * (pow(square, Rational(static_cast<long>(order))) * pow(context.one() - m * square, power));
    }
    case Function::amplitude: return apply(by_parameter(Function::delta, order), x, m);
    case Function::delta: {
      // −m sn cn
      const std::vector<Expr> phi = coefficients(Function::amplitude, x, m, order);
      std::vector<Expr> s{sin(phi[0])}, c{cos(phi[0])}, both;
      for (unsigned k = 0; k <= order; ++k) {
        if (k > 0) jets.extend(phi, s, c);
        both.push_back(jets.product(s, c, k));
      }
      return -(factorial(context, order) * jets.times_parameter(m, both, order));
    }
    default: {
      const std::vector<Expr> dn = coefficients(Function::delta, x, m, order);
      return factorial(context, order) * jets.product(dn, dn, order);
    }
  }
}

Expr elliptic_by_parameter(Function f, Expr x, Expr m) {
  const unsigned order = parameter_order(f);
  if (order == highest_parameter_order)
    throw Error(ErrorCode::not_applicable, "derivatives of " + std::string(name_of(without_parameter_order(f))) +
                                               " by its parameter m of an order above " +
                                               std::to_string(highest_parameter_order) +
                                               " are not known to this program");
  return apply(by_parameter(without_parameter_order(f), order + 1), x, m);
}

// The derivatives of a function of two arguments. atan2(y, x): ∂/∂y = x/(x² + y²), ∂/∂x = −y/(x² + y²)
Expr derivative_by_first(Function f, Expr x, Expr y) {
  if (is_elliptic(f)) return elliptic_by_argument(f, x, y);
  return y / (pow(x, Rational(2)) + pow(y, Rational(2)));
}

Expr derivative_by_second(Function f, Expr x, Expr y) {
  if (is_elliptic(f)) return elliptic_by_parameter(f, x, y);
  return -(x / (pow(x, Rational(2)) + pow(y, Rational(2))));
}

// Calls use(operand, partial) for every operand on which the node depends: ∂node/∂operand is `partial`. Partials are made only
// for operands that `wanted` accepts.
template <typename Wanted, typename Use>
void for_each_partial(Expr e, Wanted wanted, Use use) {
  Context& context = e.context();
  const std::span<const Expr> operands = e.operands();
  switch (e.kind()) {
    case Kind::sum:
      for (std::size_t i = 1; i < operands.size(); i += 2) {
        if (wanted(operands[i])) use(operands[i], operands[i + 1]);
      }
      break;
    case Kind::product: {
      std::vector<Context::Term> factors;
      for (std::size_t i = 0; i < e.size(); ++i) {
        if (!wanted(e.base(i))) continue;
        // ∂(Π bⱼ^eⱼ)/∂bᵢ = eᵢ bᵢ^(eᵢ−1) Π_{j≠i} bⱼ^eⱼ
        factors.clear();
        for (std::size_t j = 0; j < e.size(); ++j) {
          factors.push_back({e.base(j), j == i ? e.exponent(j) - Rational(1) : e.exponent(j)});
        }
        use(e.base(i), context.power_product(e.exponent(i), factors));
      }
      break;
    }
    case Kind::power: {
      const Expr base = operands[0];
      const Expr exponent = operands[1];
      if (wanted(base)) use(base, exponent * pow(base, exponent - context.one()));
      if (wanted(exponent)) use(exponent, e * log(base));
      break;
    }
    case Kind::function:
      if (operands.size() == 2) {
        if (wanted(operands[0])) use(operands[0], derivative_by_first(e.function(), operands[0], operands[1]));
        if (wanted(operands[1])) use(operands[1], derivative_by_second(e.function(), operands[0], operands[1]));
      } else if (wanted(operands[0])) {
        use(operands[0], derivative_of(e.function(), operands[0]));
      }
      break;
    default: break;
  }
}

Expr times(Expr partial, Expr inner) {
  if (partial.is_one()) return inner;
  if (inner.is_one()) return partial;
  return partial * inner;
}

// partial·inner as a term of a sum: an exact partial becomes the coefficient.
Pair contribution(Expr partial, Expr inner) {
  if (partial.is_number()) return {inner, partial};
  return {times(partial, inner), partial.context().one()};
}

// By the derivatives of the operands.
template <typename Of>
Expr derivative_of_node(Expr e, Of of) {
  const Expr zero = e.context().zero();
  std::vector<Pair> terms;
  for_each_partial(
      e, [&](Expr operand) { return !of(operand).is_zero(); },
      [&](Expr operand, Expr partial) { terms.push_back(contribution(partial, of(operand))); });
  return terms.empty() ? zero : Context::Implementation::of(e).combine(zero, terms);
}

// Values attached to nodes by number, grown on demand.
template <typename T>
T& at_number(std::vector<T>& values, Expr e) {
  if (e.id() >= values.size()) values.resize(std::max<std::size_t>(e.id() + 1, values.size() + values.size() / 2));
  return values[e.id()];
}

}  // namespace

Derivation::Derivation(std::span<const Seed> seeds) {
  for (const auto& [symbol, derivative] : seeds) at_number(known_, symbol) = derivative;
}

Expr Derivation::operator()(Expr root) {
  Walk walk;
  const auto visit = [&](Expr e) {
    if (!at_number(known_, e)) walk.visit(e);
  };
  visit(root);
  for (std::size_t i = 0; i < walk.size(); ++i) {
    for (const Expr operand : walk[i].operands()) visit(operand);
  }
  for (const Expr e : walk.in_order())
    known_[e.id()] = derivative_of_node(e, [&](Expr operand) { return known_[operand.id()]; });
  return known_[root.id()];
}

namespace {

// What a Derivation does, for expressions that are known beforehand and no others: it takes no more room than they do.
class DerivationOf {
 public:
  DerivationOf(std::span<const Expr> roots, std::span<const Derivation::Seed> seeds)
      : order_(topological(roots)), place_(order_), known_(order_.size()) {
    for (const auto& [symbol, derivative] : seeds) {
      if (const std::uint32_t i = place_.find(symbol); i != Places::nowhere) known_[i] = derivative;
    }
  }

  // Of one of the roots, or of a part of one.
  Expr operator()(Expr root) {
    Walk walk;
    const auto visit = [&](Expr e) {
      if (!known_[place_[e]]) walk.visit(e);
    };
    visit(root);
    for (std::size_t i = 0; i < walk.size(); ++i) {
      for (const Expr operand : walk[i].operands()) visit(operand);
    }
    for (const Expr e : walk.in_order())
      known_[place_[e]] = derivative_of_node(e, [&](Expr operand) { return known_[place_[operand]]; });
    return known_[place_[root]];
  }

 private:
  std::vector<Expr> order_;
  Places place_;
  std::vector<Expr> known_;
};

}  // namespace

Expr derivative(Expr e, Expr symbol) {
  const std::array<Derivation::Seed, 1> seed = {{{symbol, e.context().one()}}};
  return DerivationOf(std::array{e}, seed)(e);
}

std::vector<Expr> gradient(Expr e, std::span<const Expr> symbols) {
  const Expr zero = e.context().zero();
  Context::Implementation& inside = Context::Implementation::of(e);
  const std::vector<Expr> order = topological(std::array{e});

  const Places place(order);

  std::vector<bool> relevant(order.size());
  for (const Expr s : symbols) {
    if (const std::uint32_t i = place.find(s); i != Places::nowhere) relevant[i] = true;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto operands = order[i].operands();
    if (std::any_of(operands.begin(), operands.end(), [&](Expr x) { return relevant[place[x]]; })) relevant[i] = true;
  }

  // adjoint of a node: ∂e/∂node, the sum of what its users send it
  std::vector<std::vector<Pair>> received(order.size());
  std::vector<Expr> adjoint(order.size(), zero);
  received.back().push_back({e.context().one(), e.context().one()});
  for (std::size_t i = order.size(); i-- > 0;) {
    if (received[i].empty()) continue;
    const Expr total = inside.combine(zero, received[i]);
    adjoint[i] = total;
    received[i] = {};
    if (total.is_zero()) continue;
    for_each_partial(
        order[i], [&](Expr operand) { return relevant[place[operand]]; },
        [&](Expr operand, Expr partial) { received[place[operand]].push_back(contribution(partial, total)); });
  }

  std::vector<Expr> result;
  result.reserve(symbols.size());
  for (const Expr s : symbols) {
    const std::uint32_t i = place.find(s);
    result.push_back(i == Places::nowhere ? zero : adjoint[i]);
  }
  return result;
}

Matrix jacobian(std::span<const Expr> outputs, std::span<const Expr> symbols) {
  Matrix result{outputs.size(), symbols.size(), {}};
  if (outputs.empty() || symbols.empty()) return result;
  const Expr zero = outputs[0].context().zero();
  Context::Implementation& inside = Context::Implementation::of(zero);
  const std::vector<Expr> order = topological(outputs);

  // The gradient of every node as a sparse row: (which symbol, derivative).
  using Row = std::vector<std::pair<std::uint32_t, Expr>>;
  const Places place(order);
  std::vector<Row> rows(order.size());
  for (std::uint32_t k = 0; k < symbols.size(); ++k) {
    if (const std::uint32_t i = place.find(symbols[k]); i != Places::nowhere) rows[i] = {{k, zero.context().one()}};
  }
  std::vector<std::vector<Pair>> received(symbols.size());
  std::vector<std::uint32_t> touched;
  for (std::size_t i = 0; i < order.size(); ++i) {
    touched.clear();
    for_each_partial(
        order[i], [&](Expr operand) { return !rows[place[operand]].empty(); },
        [&](Expr operand, Expr partial) {
          for (const auto& [k, inner] : rows[place[operand]]) {
            if (received[k].empty()) touched.push_back(k);
            received[k].push_back(contribution(partial, inner));
          }
        });
    if (touched.empty()) continue;
    std::sort(touched.begin(), touched.end());
    Row& row = rows[i];
    row.reserve(touched.size());
    for (const std::uint32_t k : touched) {
      const Expr total = inside.combine(zero, received[k]);
      if (!total.is_zero()) row.emplace_back(k, total);
      received[k].clear();
    }
  }

  result.entries.assign(outputs.size() * symbols.size(), zero);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const auto& [k, value] : rows[place[outputs[i]]]) result(i, k) = value;
  }
  return result;
}

Matrix hessian(Expr e, std::span<const Expr> symbols) { return jacobian(gradient(e, symbols), symbols); }

namespace {

std::vector<Derivation::Seed> seeds_at_fixed_velocity(const Motion& motion) {
  std::vector<Derivation::Seed> seeds;
  for (std::size_t i = 0; i < motion.q.size(); ++i) seeds.emplace_back(motion.q[i], motion.v[i]);
  seeds.emplace_back(motion.t, motion.t.context().one());
  return seeds;
}

}  // namespace

Derivation derivative_at_fixed_velocity(const Motion& motion) { return Derivation(seeds_at_fixed_velocity(motion)); }

namespace {

std::vector<Derivation::Seed> seeds_along_motion(const Motion& motion) {
  std::vector<Derivation::Seed> seeds = seeds_at_fixed_velocity(motion);
  for (std::size_t i = 0; i < motion.v.size(); ++i) seeds.emplace_back(motion.v[i], motion.a[i]);
  return seeds;
}

}  // namespace

Derivation total_derivative(const Motion& motion) { return Derivation(seeds_along_motion(motion)); }

std::vector<Expr> lagrangian_derivative(Expr f, const Motion& motion) {
  const std::vector<Expr> momenta = gradient(f, motion.v);
  const std::vector<Expr> by_position = gradient(f, motion.q);
  DerivationOf d_t(momenta, seeds_along_motion(motion));
  std::vector<Expr> result;
  result.reserve(momenta.size());
  for (std::size_t j = 0; j < momenta.size(); ++j) result.push_back(d_t(momenta[j]) - by_position[j]);
  return result;
}

}  // namespace cetaev
