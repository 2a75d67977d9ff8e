// Equations link by link as lines for a reader: what is used once is put where it is used, the rest has names that the model leaves free.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/detail/algebra/simplify.hpp"

namespace cetaev {

struct LinkLines {
  std::vector<WrittenDefinition> velocities;  // w1 = …, each by those before it
  std::vector<WrittenDefinition> others;      // w1', momenta p1 and forces f1
  std::vector<Expr> w;                        // the symbols of the first
  std::vector<Expr> inertial;                 // and those of the others
  std::vector<Expr> motion;                   // = 0, for each coordinate
  Expr lagrangian;                            // by w
};

// Nothing where the system has no such equations (link_by_link.hpp). `prepared` is done to every formula.
std::optional<LinkLines> link_lines(const Setting& setting, Simplifier& simplifier,
                                    const std::function<Expr(Expr)>& prepared);

// The same without the reactions of constraints: what is left of the forces where these symbols are zero. Velocities stay as they are.
LinkLines without(LinkLines lines, std::span<const Expr> reactions);

}  // namespace cetaev
