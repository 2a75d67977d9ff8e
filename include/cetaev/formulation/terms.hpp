// The terms every principle shares, as expressions, computed once.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/constraint/set.hpp"
#include "cetaev/expr/derivative.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

// v = N u + n₀
struct Basis {
  Matrix N;                 // n × m
  std::vector<Expr> drift;  // n₀
};

// Bases of admissible velocities that were looked for, found or not: by the independent constraints, and for given u = Y v + y₀ or none. They belong to
// one system: a copy has none.
struct KnownBases {
  struct Entry {
    System system;
    std::vector<std::size_t> rows;
    std::optional<std::vector<Expr>> u;
    std::optional<Basis> basis;
  };
  std::vector<Entry> entries;

  KnownBases() = default;
  KnownBases(const KnownBases&) {}
  KnownBases(KnownBases&&) noexcept = default;
  KnownBases& operator=(const KnownBases&) = delete;
  KnownBases& operator=(KnownBases&&) noexcept = default;
  ~KnownBases() = default;
};

// E L − F = H a − b and J a = c, where
//   H = ∂²L/∂v∂v,  b_j = ∂L/∂q_j + F_j − (∂²L/∂v_j∂q)·v − ∂²L/∂v_j∂t
struct Terms {
  explicit Terms(const System& system);
  // How often that was done in this process.
  static std::size_t derived();

  // To a copy of their context, by the numbers of the expressions.
  void move_to(std::span<const Expr> images);

  std::vector<Expr> momentum;  // p = ∂L/∂v
  Matrix mass;                 // H
  std::vector<Expr> bias;      // b
  ConstraintSet constraints;   // J, c
  // As with the context that they are in: for one thread at a time.
  mutable KnownBases bases;
};

}  // namespace cetaev
