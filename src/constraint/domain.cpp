#include "domain.hpp"

#include <algorithm>

#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/expr/derivative.hpp"
#include "zero_set.hpp"

namespace cetaev {

namespace {

// What is positive where e is defined.
std::vector<Expr> positive_in(std::span<const Expr> expressions, std::span<const Expr> moving) {
  std::vector<Expr> found;
  const auto add = [&](Expr e) {
    if (!e.is_nonnegative() && depends_on(e, moving) && std::ranges::find(found, e) == found.end()) found.push_back(e);
  };
  for (const Expr node : topological(expressions)) {
    if (node.kind() == Kind::product) {
      for (std::size_t i = 0; i < node.size(); ++i)
        if (!node.exponent(i).is_integer()) add(node.base(i));
    } else if (node.kind() == Kind::power) {
      add(node.operands()[0]);
    } else if (node.kind() == Kind::function) {
      const Expr argument = node.operands()[0];
      const Expr one = argument.context().one();
      switch (node.function()) {
        case Function::log: add(argument); break;
        case Function::acosh: add(argument - one); break;
        case Function::asin:
        case Function::acos:
        case Function::atanh:
          add(one - argument);
          add(one + argument);
          break;
        default: break;
      }
    }
  }
  return found;
}

}  // namespace

Domain::Domain(const System& system) : n_(system->size()), parameters_(parameter_values(system)) {
  std::vector<Expr> all = {system->lagrangian};
  all.insert(all.end(), system->forces.begin(), system->forces.end());
  for (const Constraint& constraint : system->constraints) all.push_back(constraint.expression);
  std::vector<Expr> moving = state_symbols(system);
  moving.resize(2 * n_ + 1);
  std::vector<Expr> positive = positive_in(all, moving);
  // accelerations are found later
  std::erase_if(positive, [&](Expr e) { return depends_on(e, system->motion.a); });
  if (!positive.empty()) map_.emplace(system, positive, jacobian(positive, moving), all_indices(positive.size()));
}

void Domain::enter(State& state, Random& random) {
  if (!map_) return;
  std::vector<double> inputs = state_values(state, parameters_);
  inputs.resize(inputs.size() + n_, 0.0);
  std::vector<double> f(map_->rows());
  DenseMatrix j(map_->rows(), map_->columns());
  // Nearer to the edge each time: what is narrow has another one beyond.
  double depth = 1;
  constexpr int rounds = 12;
  for (int round = 0; round < rounds; ++round, depth /= 2) {
    map_->evaluate(inputs, f, j);
    std::vector<std::size_t> outside;
    for (std::size_t i = 0; i < f.size(); ++i)
      if (f[i] <= 0) outside.push_back(i);  // what is not defined for the sake of another comes after it
    if (outside.empty()) break;
    std::vector<double> inside;
    for (std::size_t i = 0; i < outside.size(); ++i) inside.push_back(depth * random.uniform(0.2, 2));
    ZeroSet set(outside.size(), map_->columns(), [&](const auto& x, auto& some, auto& rows) {
      std::copy(x.begin(), x.end(), inputs.begin());
      map_->evaluate(inputs, f, j);
      for (std::size_t i = 0; i < outside.size(); ++i) {
        some[i] = f[outside[i]] - inside[i];
        for (std::size_t c = 0; c < j.columns(); ++c) rows(i, c) = j(outside[i], c);
      }
    });
    std::vector<double> x(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(map_->columns()));
    set.reach(x);
    if (!all_finite(x)) return;
    std::copy(x.begin(), x.end(), inputs.begin());
  }
  for (std::size_t i = 0; i < n_; ++i) {
    state.q[i] = inputs[i];
    state.v[i] = inputs[n_ + i];
  }
  state.t = inputs[2 * n_];
}

}  // namespace cetaev
