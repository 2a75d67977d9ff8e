#include "on_axis.hpp"

#include <algorithm>

namespace cetaev {

namespace {

// Signs of the components such that what drives one another has opposite ones.
bool has_opposite_signs(std::span<const Ball> A, std::size_t n) {
  std::vector<int> sign(n);
  for (std::size_t start = 0; start < n; ++start) {
    if (sign[start] != 0) continue;
    sign[start] = 1;
    std::vector<std::size_t> to_see = {start};
    while (!to_see.empty()) {
      const std::size_t i = to_see.back();
      to_see.pop_back();
      for (std::size_t j = 0; j < n; ++j) {
        if (A[i * n + j].is_exact_zero() && A[j * n + i].is_exact_zero()) continue;
        if (sign[j] == sign[i]) return false;
        if (sign[j] != 0) continue;
        sign[j] = -sign[i];
        to_see.push_back(j);
      }
    }
  }
  return true;
}

bool is_hamiltonian(const System& system) {
  const Expr t = system->motion.t;
  const auto has_time = [&](Expr e) { return depends_on(e, std::span(&t, 1)); };
  return system->substituted.empty() && !has_time(system->lagrangian) &&
         std::ranges::all_of(system->forces, [](Expr force) { return force.is_zero(); }) &&
         std::ranges::all_of(system->constraints, [&](const Constraint& constraint) {
           return constraint.order == 0 && !has_time(constraint.expression);
         });
}

}  // namespace

bool has_symmetric_spectrum(const ReducedField& field, std::span<const Ball> A, std::size_t n) {
  return has_opposite_signs(A, n) || is_hamiltonian(field.system());
}

std::vector<bool> on_the_axis(std::span<const ComplexBall> found) {
  std::vector<bool> result(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto meets = [&](const ComplexBall& other, const Ball& re) {
      return re.overlaps(other.re) && found[i].im.overlaps(other.im);
    };
    result[i] = found[i].re.contains_zero();
    for (std::size_t j = 0; result[i] && j < found.size(); ++j)
      result[i] = j == i || (!meets(found[j], found[i].re) && !meets(found[j], -found[i].re));
  }
  return result;
}

bool is_linear(const ReducedField& field) {
  if (!field.constraints().empty()) return false;
  const FirstOrderSystem& form = field.form();
  std::vector<Expr> symbols;
  for (const std::size_t i : field.kept()) symbols.push_back(form.state[i].symbol);
  const auto is_constant = [&](Expr e) { return !depends_on(e, symbols); };
  const FirstOrderSystem::Jacobian& jacobian = field.jacobian();
  for (const std::size_t i : field.kept())
    for (const std::size_t j : field.kept())
      if (!is_constant(jacobian.entries(i, j))) return false;
  return std::ranges::all_of(jacobian.systems.blocks, [&](const LinearBlock& block) {
    return std::ranges::all_of(block.matrix.entries, is_constant) &&
           std::ranges::all_of(block.right.entries, is_constant);
  });
}

}  // namespace cetaev
