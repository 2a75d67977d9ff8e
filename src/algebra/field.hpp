// Expressions as fractions of polynomials in their symbols and kernels, exactly.
//
// A field is made for the expressions of one question. Their graph is cut into levels by the nesting of kernels: the
// arguments of the kernels of one level are fractions in generators of the levels below, so all arguments of a level
// are known, and normalised, before its generators are chosen. Nothing recurses on depth.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "angles.hpp"
#include "cetaev/expr/expr.hpp"
#include "exponentials.hpp"
#include "generators.hpp"
#include "roots.hpp"

namespace cetaev::algebra {

class Field {
 public:
  // The budget outlives it. Throws Exhausted beyond it, ZeroDenominator when something divides by zero.
  Field(std::span<const Expr> roots, Budget& budget);

  Ring& ring() { return generators_->ring(); }
  const Generators& generators() const { return *generators_; }
  // Of any node in the graph of the roots.
  const Fraction& operator()(Expr e) const { return values_.at(e.id()); }
  // Are the generators the symbols alone? Then a normal form that is not zero is not the zero function.
  bool has_kernels() const { return has_kernels_; }

  // Back to expressions.
  Expr expression(std::size_t generator);
  Expr expression(const Poly& p);
  Expr expression(const Fraction& f);

 private:
  struct RootUse {
    Expr base;
    Rational exponent;
  };
  struct Level {
    std::vector<Expr> functions;  // without relations, log among them
    std::vector<Expr> powers;     // b^s
    std::vector<Expr> exponentials;
    std::vector<Expr> circular, hyperbolic;  // arguments
    std::vector<RootUse> roots;
    std::vector<Expr> absolute;  // |u|
    std::vector<Expr> nodes;     // every node of this level, operands first
  };
  struct FunctionKernel {
    Function function;
    std::vector<Fraction> arguments;
    Fraction value;
  };

  void sort_into_levels(std::span<const Expr> order);
  void sort_function(Expr e, std::size_t level);
  std::size_t count_generators(std::span<const Expr> order) const;
  void plan(Level& level);
  void plan_exponentials(Level& level);
  void remember_absolute(const Fraction& argument, const Fraction& value);
  Fraction function_kernel(Function function, std::vector<Fraction> arguments, Expr node);
  Fraction logarithm(Expr base);
  Fraction convert(Expr e);
  Fraction convert_sum(Expr e);
  Fraction convert_product(Expr e);
  Fraction convert_function(Expr e);

  Context* context_ = nullptr;
  std::vector<Level> levels_;
  bool has_kernels_ = false;
  bool has_exponentials_ = false;

  std::optional<Generators> generators_;
  std::optional<RootKernels> roots_;
  std::optional<AngleKernels> circular_, hyperbolic_;
  std::optional<ExponentialKernels> exponentials_;
  std::optional<AngleKernels::Argument> pi_;
  std::vector<FunctionKernel> function_kernels_;
  std::vector<ExponentialKernels::Logarithm> logarithms_;
  // Generators whose multiple is |u| though the square of u, reduced, is none: |sin x| is √(1 − cos² x).
  struct Absolute {
    Fraction argument;
    Rational multiple;
  };
  std::map<std::size_t, Absolute> absolutes_;
  std::map<std::pair<std::uint32_t, Rational>, Fraction> root_values_;  // by base and exponent
  std::unordered_map<std::uint32_t, Fraction> function_values_;         // by node
  std::unordered_map<std::uint32_t, Fraction> values_;                  // by node
  std::unordered_map<std::uint32_t, std::size_t> bare_;                 // of nodes that are generators: which
  std::vector<Expr> expressions_;                                       // of the generators, as far as asked for
};

}  // namespace cetaev::algebra
