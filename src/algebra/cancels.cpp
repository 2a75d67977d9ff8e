#include "cancels.hpp"

#include <array>
#include <map>
#include <optional>
#include <utility>

#include "cetaev/detail/expr/walk.hpp"

namespace cetaev::algebra {

namespace {

// About as long as a node takes to become a polynomial.
constexpr double terms_of_a_node = 100;

class LikeTerms {
 public:
  enum class Products { as_they_stand, multiplied_out };
  LikeTerms(Products products, double most) : products_(products), left_(most) {}

  // Every term has met its opposite. False also where that is too much, or where a division is by more than a symbol: what is divided by
  // may vanish everywhere, which polynomials tell.
  bool none_left_of(Expr e) {
    Walk walk;  // what stands in sums and products, from the inside: expressions may be deeper than a stack
    walk.visit(e);
    for (std::size_t i = 0; i < walk.size(); ++i) {
      if (walk[i].kind() != Kind::sum && walk[i].kind() != Kind::product) continue;
      for (const Expr operand : walk[i].operands()) walk.visit(operand);
    }
    for (const Expr part : walk.in_order())
      if (part.kind() == Kind::sum && !take_sum(part)) return false;
    const auto all = of(e);
    return all && all->empty();
  }

 private:
  std::size_t atom(Expr e) { return atoms_.try_emplace(e, atoms_.size() + sums_.size()).first->second; }

  // Σ coefficient · Π atomᵉ
  using Powers = std::map<std::size_t, Rational>;
  using Terms = std::map<Powers, Rational>;

  std::optional<Terms> of(Expr e) {
    if (e.is_number()) return Terms{{{}, e.number()}};
    if (e.kind() == Kind::sum) return known_.at(e);
    if (e.kind() != Kind::product) return Terms{{{{atom(e), Rational(1)}}, Rational(1)}};
    Terms result = {{{}, Rational(1)}};
    for (std::size_t i = 0; i < e.size(); ++i) {
      const Rational& exponent = e.exponent(i);
      if (exponent.sign() < 0 && !e.base(i).is_symbol()) return std::nullopt;
      const bool whole = e.base(i).kind() == Kind::sum && (exponent == Rational(1) || exponent == Rational(2));
      const auto factor = whole ? of_factor(e.base(i)) : Terms{{{{atom(e.base(i)), exponent}}, Rational(1)}};
      if (!factor || !multiply(result, *factor)) return std::nullopt;
      if (whole && exponent == Rational(2) && !multiply(result, *factor)) return std::nullopt;
    }
    return result;
  }

  bool take_sum(Expr e) {
    Terms result;
    if (!e.constant().is_zero()) result.emplace(Powers{}, e.constant());
    for (std::size_t i = 0; i < e.size(); ++i) {
      const auto part = of(e.term(i));
      if (!part || !spend(part->size())) return false;
      for (const auto& [powers, coefficient] : *part) add(result, powers, e.coefficient(i) * coefficient);
    }
    known_.emplace(e, std::move(result));
    return true;
  }

  // A sum that stays one is an atom, times the coefficient of its first term: so it is the same as its opposite but for that.
  std::optional<Terms> of_factor(Expr sum) {
    std::optional<Terms> terms = known_.at(sum);
    if (!terms || products_ == Products::multiplied_out || terms->size() < 2) return terms;
    if (!spend(terms->size())) return std::nullopt;
    const Rational first = terms->begin()->second;
    for (auto& [powers, coefficient] : *terms) coefficient = coefficient / first;
    const std::size_t number = sums_.try_emplace(std::move(*terms), atoms_.size() + sums_.size()).first->second;
    return Terms{{{{number, Rational(1)}}, first}};
  }

  bool spend(std::size_t terms) {
    left_ -= static_cast<double>(terms);
    return left_ >= 0;
  }

  static void add(Terms& to, const Powers& powers, const Rational& coefficient) {
    const auto [place, fresh] = to.try_emplace(powers, coefficient);
    if (fresh) return;
    place->second = place->second + coefficient;
    if (place->second.is_zero()) to.erase(place);
  }

  bool multiply(Terms& by, const Terms& terms) {
    if (!spend(by.size() * terms.size())) return false;
    Terms result;
    for (const auto& [a, x] : by) {
      for (const auto& [b, y] : terms) {
        Powers both = a;
        for (const auto& [base, exponent] : b) {
          const auto [place, fresh] = both.try_emplace(base, exponent);
          if (fresh) continue;
          place->second = place->second + exponent;
          if (place->second.is_zero()) both.erase(place);
        }
        add(result, both, x * y);
      }
    }
    by = std::move(result);
    return true;
  }

  Products products_;
  double left_;
  std::map<Expr, std::size_t> atoms_;
  std::map<Terms, std::size_t> sums_;
  std::map<Expr, Terms> known_;
};

}  // namespace

bool cancels(Expr e) {
  const double most = terms_of_a_node * static_cast<double>(topological(std::array{e}).size());
  for (const auto products : {LikeTerms::Products::as_they_stand, LikeTerms::Products::multiplied_out}) {
    LikeTerms terms(products, most);
    if (terms.none_left_of(e)) return true;
  }
  return false;
}

}  // namespace cetaev::algebra
