// Polynomials with integer coefficients in the generators of a ring, modulo the relations between the generators.
//
// A relation is gᵈ = R with R in generators that were added before g. Such relations have coprime leading monomials, so
// they form a Gröbner basis, and the polynomial with every degree in g below d is a unique normal form. Every product
// is reduced to it.
#pragma once

#include <flint/fmpz_mpoly.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "cetaev/expr/rational.hpp"

namespace cetaev::algebra {

class Ring;

class Poly {
 public:
  explicit Poly(Ring& ring);
  Poly(Ring& ring, long value);
  Poly(const Poly& other);
  Poly(Poly&& other) noexcept;
  Poly& operator=(const Poly& other);
  Poly& operator=(Poly&& other) noexcept;
  ~Poly();

  Ring& ring() const { return *ring_; }
  fmpz_mpoly_struct* raw() { return value_; }
  const fmpz_mpoly_struct* raw() const { return value_; }

  bool is_zero() const { return value_->length == 0; }
  bool is_constant() const;
  bool is_one() const;
  std::size_t length() const { return static_cast<std::size_t>(value_->length); }
  // −1 for the zero polynomial
  long degree(std::size_t generator) const;
  std::vector<long> degrees() const;
  long total_degree() const;
  std::vector<unsigned long> exponents(std::size_t term) const;
  Rational coefficient(std::size_t term) const;
  int leading_sign() const;
  // The coefficient of a term of another one with these exponents, which come after those of all terms that are here.
  void push_term(const std::vector<unsigned long>& exponents, const Poly& other, std::size_t term);

  friend bool operator==(const Poly& a, const Poly& b);
  friend Poly operator+(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a, const Poly& b);
  friend Poly operator*(const Poly& a, const Poly& b);  // reduced
  friend Poly operator-(const Poly& a);
  friend Poly scaled(const Poly& a, const Rational& integer);

 private:
  Ring* ring_;
  fmpz_mpoly_t value_;
};

Poly power(const Poly& base, unsigned long exponent);  // reduced

// Makes p primitive with a positive leading coefficient and returns what was taken out (0 for the zero polynomial).
Rational take_content(Poly& p);
// The exponents of the greatest monomial that divides every term, which is taken out.
std::vector<unsigned long> take_monomial(Poly& p);

// Exact division of representatives (not modulo the relations).
std::optional<Poly> divide(const Poly& a, const Poly& b);
// The greatest common divisor of representatives; 1 where finding it would cost too much.
Poly common_divisor(const Poly& a, const Poly& b);

struct Factorization {
  Rational constant;
  std::vector<std::pair<Poly, long>> factors;  // irreducible, primitive, positive leading coefficients
};
// Of a non-zero polynomial. A polynomial that is too large to factor is split into monomial and rest only.
Factorization factor(const Poly& p);

class Ring {
 public:
  // Room for this many generators.
  // The budget pays for everything that is computed in the ring, and outlives it.
  Ring(std::size_t capacity, Budget& budget);
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  const fmpz_mpoly_ctx_struct* raw() const { return context_; }
  Budget& budget() { return budget_; }
  // What a polynomial of this many terms costs in memory, in units of the budget.
  void charge_terms(double terms) { budget_.charge(1 + terms * words_); }
  // A product or an exact quotient.
  void charge_product(const Poly& a, const Poly& b);

  std::size_t add_generator();
  std::size_t generator_count() const { return count_; }
  std::size_t capacity() const { return relations_.size(); }
  Poly generator(std::size_t index);
  Poly monomial(const std::vector<unsigned long>& exponents);

  // gᵈ = right_side, in generators before g
  void set_relation(std::size_t generator, unsigned long degree, Poly right_side);
  // 0: g is free
  unsigned long relation_degree(std::size_t generator) const { return relations_[generator].degree; }
  void reduce(Poly& p);

  // Polynomials that stand in denominators, each once: primitive, positive leading coefficient.
  std::size_t denominator_index(const Poly& p);
  const Poly& denominator(std::size_t index) const { return denominators_[index].poly; }
  // The generator that this denominator is, if it is one.
  std::optional<std::size_t> denominator_generator(std::size_t index) const { return denominators_[index].generator; }

 private:
  struct Relation {
    unsigned long degree = 0;
    std::vector<Poly> powers;  // R, R², …
  };
  struct Denominator {
    Poly poly;
    std::optional<std::size_t> generator;
  };
  const Poly& relation_power(std::size_t generator, std::size_t exponent);
  void sweep(Poly& p, std::vector<long> degree);
  void reduce_in(Poly& p, std::size_t generator);

  fmpz_mpoly_ctx_t context_;
  Budget& budget_;
  double words_;  // machine words of one monomial
  std::size_t count_ = 0;
  std::size_t highest_relation_ = 0;  // one past the last generator with a relation
  std::vector<Relation> relations_;
  std::vector<Denominator> denominators_;
};

}  // namespace cetaev::algebra
