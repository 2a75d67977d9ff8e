#include "domain.hpp"

#include <algorithm>

#include "cetaev/detail/algebra/switching.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/expr/derivative.hpp"
#include "zero_set.hpp"

namespace cetaev {

Domain::Domain(const System& system) : n_(system->size()), parameters_(parameter_values(system)) {
  std::vector<Expr> all = {system->lagrangian};
  all.insert(all.end(), system->forces.begin(), system->forces.end());
  for (const Constraint& constraint : system->constraints) all.push_back(constraint.expression);
  // accelerations are found later
  const auto with_accelerations = [&](Expr e) { return depends_on(e, system->motion.a); };
  std::vector<Expr> moving = state_symbols(system);
  moving.resize(2 * n_ + 1);
  std::vector<Expr> positive = margins(all, moving);
  std::erase_if(positive, with_accelerations);
  if (!positive.empty()) map_.emplace(system, positive, jacobian(positive, moving), all_indices(positive.size()));
  std::erase_if(all, with_accelerations);
  values_ = Program(all, state_symbols(system));
}

bool Domain::contains(const State& state) const {
  std::vector<double> values(values_.output_count());
  Interpreter run(values_);
  run(state_values(state, parameters_), values);
  return all_finite(values);
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
