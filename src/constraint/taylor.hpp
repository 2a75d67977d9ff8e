// Programs run on truncated power series in a few parameters.
//
// Every coefficient is computed once, in the order of the total degree: a function y = f(x) follows from the Euler
// operator E = Σ sᵢ ∂/∂sᵢ, which multiplies a monomial by its degree: E y = f'(x) E x.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cetaev/program/program.hpp"

namespace cetaev {

// The monomials s₁^e₁ … s_r^e_r with eᵢ ≤ degrees[i], the exponent of s₁ running fastest.
class Monomials {
 public:
  explicit Monomials(std::vector<std::size_t> degrees);

  std::size_t size() const { return degree_.size(); }
  std::size_t variables() const { return degrees_.size(); }
  std::size_t total_degree() const { return by_degree_.size() - 1; }
  std::size_t degree(std::size_t monomial) const { return degree_[monomial]; }
  const std::vector<std::uint32_t>& of_degree(std::size_t p) const { return by_degree_[p]; }
  std::size_t stride(std::size_t variable) const { return strides_[variable]; }
  std::size_t exponent(std::size_t monomial, std::size_t variable) const {
    return monomial / strides_[variable] % (degrees_[variable] + 1);
  }

  // acc += the coefficient of a monomial in x·y
  template <class Scalar>
  void add_product(Scalar& acc, const Scalar* x, const Scalar* y, std::size_t monomial) const {
    const std::size_t length = monomial % line_ + 1;
    for (const auto& [i, j] : splits_[monomial / line_]) acc.add_convolution(x + i, y + j, length);
  }
  std::size_t product_cost() const { return product_cost_; }

 private:
  std::vector<std::size_t> degrees_, strides_;
  std::size_t line_ = 1;  // of the monomials that differ in the exponent of s₁ only
  std::vector<std::size_t> degree_;
  std::vector<std::vector<std::uint32_t>> by_degree_;
  // For each line, the pairs of lines whose product falls into it, by their first monomials.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> splits_;
  std::size_t product_cost_ = 0;
};

// A program in the operations that power series have.
struct TaylorCode {
  enum class Act : std::uint8_t {
    constant,
    pi,
    input,
    add,
    subtract,
    negate,
    multiply,
    divide,
    root,
    euler,
    integral,
    absolute
  };
  struct Step {
    Act kind;
    std::uint32_t a = 0, b = 0;
    std::uint32_t x = 0, y = 0;  // integral: its value at degree zero is function(x) or atan2(x, y)
    Function function = Function::sin;
  };
  // `varying`: which inputs are series and not numbers; `late`: which of those are known only after the others.
  TaylorCode(const Program& program, const std::vector<bool>& varying, const std::vector<bool>& late);

  std::vector<Step> steps;  // one register each
  std::vector<Rational> constants;
  std::vector<std::uint32_t> inputs, outputs;  // registers
  std::vector<bool> varies, depends_on_late;   // by register
  // Numbers of the steps that cost something beyond degree zero, all and those that depend on late inputs.
  std::vector<std::uint32_t> series_steps, late_steps;
  std::size_t products = 0;
};

template <class Scalar>
class TaylorRun {
 public:
  TaylorRun(const TaylorCode& code, const Monomials& monomials);

  // The coefficients of an input; a number has only the first.
  Scalar* input(std::size_t i) { return at(code_.inputs[i]); }
  const Scalar* output(std::size_t i) const { return registers_.data() + code_.outputs[i] * size_; }
  bool output_varies(std::size_t i) const { return code_.varies[code_.outputs[i]]; }

  // Computes the coefficients of one degree, those of lower degree being known; again for what depends on late inputs.
  void advance(std::size_t degree) { run(code_.series_steps, degree); }
  void advance_late(std::size_t degree) { run(code_.late_steps, degree); }

 private:
  Scalar* at(std::uint32_t r) { return registers_.data() + r * size_; }
  void run(const std::vector<std::uint32_t>& steps, std::size_t degree);
  void start();
  void step(std::uint32_t number, std::size_t monomial);

  const TaylorCode& code_;
  const Monomials& monomials_;
  std::size_t size_;
  std::vector<Scalar> registers_;
};

}  // namespace cetaev
