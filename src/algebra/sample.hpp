// Random points that are the same in every run and on every machine.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cetaev/expr/evaluate.hpp"
#include "cetaev/expr/expr.hpp"

namespace cetaev::algebra {

// The n-th random point for these symbols. Successive points look for the domain in different places: near 1, on both
// sides of zero, close to zero, far away; then each symbol in a place of its own.
std::vector<std::pair<Expr, Rational>> sample_point(std::span<const Expr> symbols, unsigned n);

// The same but for one symbol, which is moved to where e is next to zero, or is seen from there (seen_from); nothing where none of the
// symbols leads there.
std::optional<std::vector<std::pair<Expr, Rational>>> sample_point_near(Expr e, std::span<const Expr> symbols,
                                                                        unsigned n);

// A rigorous value of e there.
Ball value_at(Expr e, std::span<const std::pair<Expr, Rational>> point, long bits);
std::vector<Ball> values_at(std::span<const Expr> expressions, std::span<const std::pair<Expr, Rational>> point,
                            long bits);

}  // namespace cetaev::algebra
