// The values that an expression can have when every symbol that is no parameter may be anything.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/expr/ball.hpp"
#include "cetaev/model/system.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

class RangeOf {
 public:
  static constexpr long bits = 128;

  RangeOf(const System& system, Expr e) {
    const std::vector<Expr> symbols = free_symbols(e);
    program_ = Program({&e, 1}, symbols);
    for (const Expr symbol : symbols) {
      parameter_.emplace_back();
      for (std::size_t i = 0; i < system->parameters.size(); ++i) {
        if (system->parameters[i].symbol == symbol) parameter_.back() = i;
      }
    }
  }

  // By its enclosure; nothing where a linear system of it may be singular.
  std::optional<Ball> operator()(std::span<const Ball> parameters) const {
    std::vector<Ball> values, result;
    for (const auto& i : parameter_) values.push_back(i ? parameters[*i] : Ball::anything());
    if (run_in_balls(program_, values, result, bits) >= 0) return std::nullopt;
    return result[0];
  }

 private:
  Program program_;
  std::vector<std::optional<std::size_t>> parameter_;  // which one an input is, where it is one
};

}  // namespace cetaev
