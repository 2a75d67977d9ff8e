// Programs run on truncated power series in a few parameters.
//
// Rules and recurrences are those of series in the time (rules.hpp, coefficients.hpp). Two things differ, and are all that is
// here: a product runs over the monomials that divide a given one and not over a range of orders; and the derivation is the
// Euler operator E = Σ sᵢ ∂/∂sᵢ, which multiplies a monomial by its degree and so leaves every coefficient in its place, where
// d/dt moves it one order down. For a solution in time that shift is worth having, as y' is the right-hand side itself; with
// several parameters there is no order to move in.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cetaev/detail/series/coefficients.hpp"
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

// A program as instructions about such series.
struct TaylorCode {
  // `varying`: which inputs are series and not numbers; `late`: which of those are known only after the others.
  TaylorCode(const Program& program, const std::vector<bool>& varying, const std::vector<bool>& late);

  std::vector<SeriesInstruction> instructions;
  std::map<std::uint32_t, std::optional<Rational>> constants;  // by register; the one without a value is π
  std::vector<std::uint32_t> inputs, outputs;                  // registers
  // By register. A rate is made of derivatives: its constant term is zero.
  std::vector<bool> varies, depends_on_late, is_rate;
  // Places of the instructions that cost something beyond degree zero, all and those that depend on late inputs.
  std::vector<std::uint32_t> series_steps, late_steps;
  std::size_t products = 0;
};

// The numbers of a run, and what can be done with them. Scalar: see constraint/enclosed.hpp.
template <class Scalar>
struct TaylorNumbers {
  using Value = Scalar;

  std::size_t size;  // coefficients of each register
  std::vector<Scalar> registers;

  Scalar* at(std::uint32_t r) { return registers.data() + r * size; }
  const Scalar* at(std::uint32_t r) const { return registers.data() + r * size; }
  const Scalar& get(std::uint32_t r, std::int32_t k) const { return at(r)[k]; }
  static Scalar zero() { return {}; }
  static Scalar add(Scalar x, const Scalar& y) {
    x += y;
    return x;
  }
  static Scalar subtract(Scalar x, const Scalar& y) {
    x -= y;
    return x;
  }
  static Scalar negate(Scalar x) {
    x.negate();
    return x;
  }
  static Scalar multiply(Scalar x, const Scalar& y) {
    x *= y;
    return x;
  }
  static Scalar divide(Scalar x, const Scalar& y) {
    x /= y;
    return x;
  }
  static Scalar square_root(const Scalar& x) { return Scalar::root(x); }
  // No number where the sign is not certain: |a| has no derivative there.
  Scalar sign(std::uint32_t r) const {
    Scalar result;
    if (get(r, 0).contains_zero()) return divide(result, get(r, 0));
    result.set(get(r, 0).is_negative() ? -1L : 1L);
    return result;
  }
  Scalar start(const SeriesInstruction& i) const {
    const Scalar& b = get(i.b, 0);
    if (i.start == Operation::power) return Scalar::power(b, get(i.c, 0));
    if (i.start == Operation::function_of_two) return Scalar::apply(i.function, b, get(i.c, 0));
    return Scalar::apply(i.function, b);
  }
};

template <class Scalar>
class TaylorRun : private SeriesRecurrence<TaylorRun<Scalar>, TaylorNumbers<Scalar>> {
  using Recurrence = SeriesRecurrence<TaylorRun<Scalar>, TaylorNumbers<Scalar>>;
  friend Recurrence;

 public:
  TaylorRun(const TaylorCode& code, const Monomials& monomials)
      : Recurrence(numbers_),
        code_(code),
        monomials_(monomials),
        numbers_{monomials.size(), std::vector<Scalar>(code.varies.size() * monomials.size())} {
    for (const auto& [r, value] : code.constants) *numbers_.at(r) = value ? Scalar::constant(*value) : Scalar::pi();
  }
  TaylorRun(const TaylorRun&) = delete;
  TaylorRun& operator=(const TaylorRun&) = delete;

  // The coefficients of an input; a number has only the first.
  Scalar* input(std::size_t i) { return numbers_.at(code_.inputs[i]); }
  const Scalar* output(std::size_t i) const { return numbers_.at(code_.outputs[i]); }
  bool output_varies(std::size_t i) const { return code_.varies[code_.outputs[i]]; }

  // Computes the coefficients of one degree, those of lower degree being known; again for what depends on late inputs.
  void advance(std::size_t degree) { degree == 0 ? begin() : run(code_.series_steps, degree); }
  void advance_late(std::size_t degree) { degree == 0 ? begin() : run(code_.late_steps, degree); }

 private:
  void begin() {
    for (const SeriesInstruction& i : code_.instructions) {
      if (!code_.is_rate[i.out]) *numbers_.at(i.out) = this->coefficient(i, 0);
    }
  }
  void run(const std::vector<std::uint32_t>& steps, std::size_t degree) {
    for (const std::uint32_t number : steps) {
      const SeriesInstruction& i = code_.instructions[number];
      for (const std::uint32_t k : monomials_.of_degree(degree)) {
        numbers_.at(i.out)[k] = this->coefficient(i, static_cast<std::int32_t>(k));
      }
    }
  }

  // What SeriesRecurrence asks for

  std::optional<Scalar> term(std::uint32_t r, std::int32_t k) const {
    return k == 0 || code_.varies[r] ? std::optional<Scalar>(numbers_.get(r, k)) : std::nullopt;
  }
  std::optional<Scalar> product(std::uint32_t a, std::uint32_t b, std::int32_t k) const {
    // a number times a series is no convolution
    if (!code_.varies[a]) std::swap(a, b);
    if (!code_.varies[b]) return numbers_.multiply(numbers_.get(a, k), numbers_.get(b, 0));
    std::optional<Scalar> sum(std::in_place);
    monomials_.add_product(*sum, numbers_.at(a), numbers_.at(b), static_cast<std::size_t>(k));
    return sum;
  }
  // The coefficient that is sought may be there from an earlier time.
  std::optional<Scalar> product_rest(std::uint32_t b, std::uint32_t y, std::int32_t k) {
    numbers_.at(y)[k].clear();
    return code_.varies[b] ? product(b, y, k) : std::nullopt;
  }
  std::optional<Scalar> square(std::uint32_t a, std::int32_t k) const { return product(a, a, k); }
  std::optional<Scalar> square_rest(std::uint32_t y, std::int32_t k) { return product_rest(y, y, k); }
  Scalar over(Scalar x, std::uint32_t r) const { return numbers_.divide(std::move(x), numbers_.get(r, 0)); }
  Scalar half_over(Scalar x, std::uint32_t r) const { return divided(over(std::move(x), r), 2); }
  Scalar derivative(std::uint32_t a, std::int32_t k) const {
    Scalar result = numbers_.get(a, k);
    result *= degree(k);
    return result;
  }
  Scalar integral(const SeriesInstruction& i, std::int32_t k) const {
    Scalar result = divided(numbers_.get(i.a, k), degree(k));
    if (i.negative) result.negate();
    return result;
  }
  static Scalar divided(Scalar x, long n) {
    x /= n;
    return x;
  }
  long degree(std::int32_t k) const { return static_cast<long>(monomials_.degree(static_cast<std::size_t>(k))); }

  const TaylorCode& code_;
  const Monomials& monomials_;
  TaylorNumbers<Scalar> numbers_;
};

}  // namespace cetaev
