// The part of a Lagrangian that is quadratic in the velocities, as it is written: with sums of them that several squares share.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cetaev/detail/expr/walk.hpp"
#include "cetaev/detail/formulation/kinetic_sums.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

// c·y: y is a velocity or a sum that contains some.
struct Monomial {
  std::size_t y;
  Expr c;
};

// t₁ = c y₁ + s y₂, t₂ = −s y₁ + c y₂ with the cosine and the sine of an angle: components before and after a turn.
struct TurnedPair {
  std::size_t t1, y1, y2;  // t₂ follows t₁
  Expr angle, c, s;
};

class SharedSums {
 public:
  // `also`: what is of first degree in the velocities; its sums are defined beside those of L.
  SharedSums(Context& context, Expr L, const std::vector<Expr>& v, std::span<const Expr> also = {});

  bool quadratic = false;
  std::size_t variables = 0;                                       // velocities first, sums of them in order
  std::vector<std::vector<Monomial>> definition;                   // of sums; empty for velocities
  std::vector<std::map<std::size_t, std::vector<Expr>>> products;  // ∂²L/∂x_i∂x_j, as sums of terms, for j ≤ i
  std::vector<TurnedPair> turns;
  std::map<std::size_t, std::size_t> turn_of;  // by t₁ and t₂
  // L is that part and `rest`, and none of the sums has a part without velocities.
  bool homogeneous = true;
  Expr rest;
  // Every sum by the velocities themselves, with the shortest coefficients: for few velocities, of which sums of sums share little.
  void write_by_velocities();
  bool flat = false;
  // An expression of first degree, by the velocities and the sums that L is written with; nothing where it has others.
  std::optional<std::vector<Monomial>> form(Expr e) const;

 private:
  int degree(Expr e) const;
  Expr others(Expr product) const;
  Monomial monomial(Expr e) const;
  bool define_sums();
  std::size_t define(std::vector<Monomial> terms);
  void find_turns(std::vector<Monomial>& terms);
  std::size_t turned(Expr angle, std::size_t y1, std::size_t y2);
  std::optional<std::pair<std::size_t, Rational>> part_of(const std::map<Expr, Rational>& terms) const;
  void remember(Expr sum, std::size_t variable);
  void add(const Monomial& a, const Monomial& b, Expr weight);
  void collect(Expr L);

  Context& context_;
  std::vector<Expr> order_;
  Places place_;
  std::vector<int> degree_;
  std::map<std::size_t, std::size_t> variable_;  // by place
  // Sums as they are written: their terms, what they are called here, and which contain a term.
  std::vector<std::map<Expr, Rational>> sums_;
  std::vector<std::size_t> sum_variables_;
  std::map<Expr, std::vector<std::size_t>> sums_with_;
  std::map<std::pair<Expr, std::pair<std::size_t, std::size_t>>, std::size_t> turns_by_;  // by angle, y₁ and y₂
};

// Sums that stand in products with each other belong together.
std::vector<KineticSums::Part> parts_of(Context& context, const SharedSums& sums);

}  // namespace cetaev
