#include "cetaev/expr/derivative.hpp"

#include <algorithm>
#include <array>

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
    case Function::atan2: break;
  }
  return context.zero();
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
      if (e.function() == Function::atan2) {
        // atan2(y, x): ∂/∂y = x/(x² + y²), ∂/∂x = −y/(x² + y²)
        const Expr y = operands[0];
        const Expr x = operands[1];
        const Expr r = pow(x, Rational(2)) + pow(y, Rational(2));
        if (wanted(y)) use(y, x / r);
        if (wanted(x)) use(x, -(y / r));
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
  const Expr zero = root.context().zero();
  std::vector<Expr> open;
  std::vector<bool> seen;
  const auto visit = [&](Expr e) {
    if (at_number(known_, e)) return;
    if (seen.size() <= e.id()) seen.resize(known_.size());
    if (seen[e.id()]) return;
    seen[e.id()] = true;
    open.push_back(e);
  };
  visit(root);
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const Expr operand : open[i].operands()) visit(operand);
  }
  std::sort(open.begin(), open.end(), [](Expr a, Expr b) { return a.id() < b.id(); });
  std::vector<Pair> terms;
  for (const Expr e : open) {
    terms.clear();
    for_each_partial(
        e, [&](Expr operand) { return !known_[operand.id()].is_zero(); },
        [&](Expr operand, Expr partial) { terms.push_back(contribution(partial, known_[operand.id()])); });
    known_[e.id()] = terms.empty() ? zero : Context::Implementation::of(e).combine(zero, terms);
  }
  return known_[root.id()];
}

Expr derivative(Expr e, Expr symbol) {
  const std::array<Derivation::Seed, 1> seed = {{{symbol, e.context().one()}}};
  return Derivation(seed)(e);
}

std::vector<Expr> gradient(Expr e, std::span<const Expr> symbols) {
  const Expr zero = e.context().zero();
  Context::Implementation& inside = Context::Implementation::of(e);
  const std::vector<Expr> order = topological(std::array{e});

  std::vector<bool> relevant(e.id() + 1);
  for (const Expr s : symbols) {
    if (s.id() < relevant.size()) relevant[s.id()] = true;
  }
  for (const Expr node : order) {
    const auto operands = node.operands();
    if (std::any_of(operands.begin(), operands.end(), [&](Expr x) { return relevant[x.id()]; }))
      relevant[node.id()] = true;
  }

  // adjoint of a node: ∂e/∂node, the sum of what its users send it
  std::vector<std::vector<Pair>> received(e.id() + 1);
  std::vector<Expr> adjoint(e.id() + 1, zero);
  received[e.id()].push_back({e.context().one(), e.context().one()});
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const Expr node = *it;
    if (received[node.id()].empty()) continue;
    const Expr total = inside.combine(zero, received[node.id()]);
    adjoint[node.id()] = total;
    received[node.id()] = {};
    if (total.is_zero()) continue;
    for_each_partial(
        node, [&](Expr operand) { return relevant[operand.id()]; },
        [&](Expr operand, Expr partial) { received[operand.id()].push_back(contribution(partial, total)); });
  }

  std::vector<Expr> result;
  result.reserve(symbols.size());
  for (const Expr s : symbols) result.push_back(s.id() <= e.id() ? adjoint[s.id()] : zero);
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
  std::vector<Row> rows(order.back().id() + 1);
  for (std::uint32_t k = 0; k < symbols.size(); ++k) {
    if (symbols[k].id() < rows.size()) rows[symbols[k].id()] = {{k, zero.context().one()}};
  }
  std::vector<std::vector<Pair>> received(symbols.size());
  std::vector<std::uint32_t> touched;
  for (const Expr e : order) {
    touched.clear();
    for_each_partial(
        e, [&](Expr operand) { return !rows[operand.id()].empty(); },
        [&](Expr operand, Expr partial) {
          for (const auto& [k, inner] : rows[operand.id()]) {
            if (received[k].empty()) touched.push_back(k);
            received[k].push_back(contribution(partial, inner));
          }
        });
    if (touched.empty()) continue;
    std::sort(touched.begin(), touched.end());
    Row& row = rows[e.id()];
    row.reserve(touched.size());
    for (const std::uint32_t k : touched) {
      const Expr total = inside.combine(zero, received[k]);
      if (!total.is_zero()) row.emplace_back(k, total);
      received[k].clear();
    }
  }

  result.entries.assign(outputs.size() * symbols.size(), zero);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const auto& [k, value] : rows[outputs[i].id()]) result(i, k) = value;
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

Derivation total_derivative(const Motion& motion) {
  std::vector<Derivation::Seed> seeds = seeds_at_fixed_velocity(motion);
  for (std::size_t i = 0; i < motion.v.size(); ++i) seeds.emplace_back(motion.v[i], motion.a[i]);
  return Derivation(seeds);
}

std::vector<Expr> lagrangian_derivative(Expr f, const Motion& motion) {
  const std::vector<Expr> momenta = gradient(f, motion.v);
  const std::vector<Expr> by_position = gradient(f, motion.q);
  Derivation d_t = total_derivative(motion);
  std::vector<Expr> result;
  result.reserve(momenta.size());
  for (std::size_t j = 0; j < momenta.size(); ++j) result.push_back(d_t(momenta[j]) - by_position[j]);
  return result;
}

}  // namespace cetaev
