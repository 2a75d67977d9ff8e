// Derivatives of expressions. Shared parts are differentiated once; nothing recurses on depth.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// A derivation in the sense of algebra: D(xᵢ) is prescribed for some symbols, zero for the others, and the chain rule
// does the rest. ∂/∂x is the one with D(x) = 1; the total time derivative has D(q) = v, D(v) = a, D(t) = 1.
// Results are remembered for the life of the object.
class Derivation {
 public:
  using Seed = std::pair<Expr, Expr>;  // symbol, its derivative
  explicit Derivation(std::span<const Seed> seeds);
  Expr operator()(Expr e);

 private:
  std::vector<Expr> known_;  // by number of the node
};

Expr derivative(Expr e, Expr symbol);

// ∂e/∂x for every x, in one sweep from the root (reverse mode).
std::vector<Expr> gradient(Expr e, std::span<const Expr> symbols);

// Row-major matrix of expressions.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Expr> entries;
  Expr operator()(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }
  Expr& operator()(std::size_t i, std::size_t j) { return entries[i * columns + j]; }
};

// ∂(outputs)/∂(symbols), in one sweep from the symbols (forward mode), sparse inside.
Matrix jacobian(std::span<const Expr> outputs, std::span<const Expr> symbols);
Matrix hessian(Expr e, std::span<const Expr> symbols);

// A system's time: symbols of coordinates, velocities, accelerations (in step) and t.
struct Motion {
  std::vector<Expr> q, v, a;
  Expr t;
};
// Dₜ f = f_q·v + f_v·a + f_t
Derivation total_derivative(const Motion& motion);
// f_q·v + f_t: the part of Dₜ f without accelerations
Derivation derivative_at_fixed_velocity(const Motion& motion);
// E_j f = Dₜ(∂f/∂v_j) − ∂f/∂q_j for every j
std::vector<Expr> lagrangian_derivative(Expr f, const Motion& motion);

}  // namespace cetaev
