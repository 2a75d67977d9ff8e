// Derivatives of expressions that contain the unknowns of linear systems, along several directions at once.
//
// A linear system M x = F differentiated is M δx = δF − (δM) x: further right-hand sides of the same matrix, whose factors can be used again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/expr/derivative.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

class Tangents {
 public:
  // D(x) of the symbols that vary, for each direction; the names of new unknowns begin with `tag`.
  Tangents(std::vector<std::vector<Derivation::Seed>> seeds, std::string tag)
      : seeds_(std::move(seeds)), tag_(std::move(tag)) {}

  std::size_t directions() const { return seeds_.size(); }
  // The system that the derivatives of the unknowns of this one solve; nothing where none of them depends on what varies. In the order in
  // which the systems are solved.
  std::optional<LinearBlock> of(const LinearBlock& block, Context& context);
  // The derivative of each along a direction, when all systems behind them have been told.
  std::vector<Expr> of(std::span<const Expr> expressions, std::size_t direction) const;

 private:
  std::vector<std::vector<Derivation::Seed>> seeds_;
  std::string tag_;
  std::size_t blocks_ = 0;
};

}  // namespace cetaev
