#include "standing_velocities.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "cetaev/detail/algebra/divisors.hpp"
#include "cetaev/expr/derivative.hpp"

namespace cetaev {

namespace {

// Nodes of the tree of an equation: simplifying its coefficients one by one takes longer than anybody wants to read it.
constexpr double longest_divided = 2000;

// Coefficients of u[i] u[j], i ≤ j.
class QuadraticForm {
 public:
  QuadraticForm(std::size_t n, Expr zero) : n_(n), entries_(n * n, zero) {}
  Expr& operator()(std::size_t i, std::size_t j) { return entries_[std::min(i, j) * n_ + std::max(i, j)]; }
  Expr operator()(std::size_t i, std::size_t j) const { return entries_[std::min(i, j) * n_ + std::max(i, j)]; }
  std::size_t size() const { return n_; }
  double length() const {
    double total = 0;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = i; j < n_; ++j) total += length_of_term((*this)(i, j));
    return total;
  }
  // With its two velocities and the sign before it.
  static double length_of_term(Expr coefficient) {
    constexpr double around = 2 + 2 + 1;
    return coefficient.is_zero() ? 0 : length_on_paper(coefficient) + around;
  }

 private:
  std::size_t n_;
  std::vector<Expr> entries_;
};

// v = Σ f[i] u[i]
struct Standing {
  Expr v, difference;  // v − Σ f u
  std::vector<Expr> f;
};

class Division {
 public:
  Division(const System& system, Simplifier& simplifier, const Formulation& form)
      : system_(system), simplifier_(simplifier), u_(form.quasi->u) {
    for (const Equation& e : form.equations)
      if (e.kind == Equation::Kind::velocity) add(system->motion.v[e.about], e.expression);
  }
  bool nothing_stands() const { return standing_.empty(); }

  // What is added to the equation.
  std::optional<Expr> of(Expr equation) const {
    std::optional<QuadraticForm> left = quadratic_part(equation);
    if (!left) return std::nullopt;
    const std::vector<Expr> here = free_symbols(equation);
    std::vector<Expr> added;
    for (const Standing& standing : standing_) {
      const std::vector<Expr> in_it = free_symbols(system_->context->sum(standing.f));
      const bool stands_here = std::ranges::all_of(in_it, [&](Expr s) {
        return std::find(here.begin(), here.end(), s) != here.end() ||
               std::find(system_->motion.q.begin(), system_->motion.q.end(), s) == system_->motion.q.end();
      });
      if (!stands_here) continue;
      if (auto factor = divide(*left, standing.f)) added.push_back(*factor * standing.difference);
    }
    if (added.empty()) return std::nullopt;
    return system_->context->sum(added);
  }

 private:
  void add(Expr v, Expr difference) {
    Standing standing{v, difference, gradient(v - difference, u_)};
    Expr rest = v - difference;
    for (std::size_t i = 0; i < u_.size(); ++i) rest = rest - standing.f[i] * u_[i];
    const auto count = std::ranges::count_if(standing.f, [](Expr f) { return !f.is_zero(); });
    if (count > 1 && simplifier_.simplify(rest).is_zero()) standing_.push_back(std::move(standing));
  }

  std::optional<QuadraticForm> quadratic_part(Expr equation) const {
    if (written_size(equation) > longest_divided) return std::nullopt;
    QuadraticForm result(u_.size(), system_->context->number(0));
    const std::vector<Expr> first = gradient(equation, u_);
    for (std::size_t i = 0; i < u_.size(); ++i) {
      const std::vector<Expr> second = gradient(first[i], u_);
      for (std::size_t j = i; j < u_.size(); ++j) {
        const Expr entry = simplifier_.simplify(i == j ? second[j] / system_->context->number(2) : second[j]);
        if (depends_on(entry, u_)) return std::nullopt;
        result(i, j) = entry;
      }
    }
    return result;
  }

  // Q = (Σ f u)(Σ ℓ u) + the rest, which is left in Q: Σ ℓ u, where that is shorter. Either one velocity is in the factor altogether, or squares are.
  std::optional<Expr> divide(QuadraticForm& Q, const std::vector<Expr>& f) const {
    std::optional<QuadraticForm> best;
    std::vector<Expr> best_l;
    double length = Q.length();
    const auto consider = [&](const std::optional<std::vector<Expr>>& l) {
      if (!l) return;
      QuadraticForm rest = Q;
      double now = 0;
      for (const Expr entry : *l) now += QuadraticForm::length_of_term(entry);
      for (std::size_t i = 0; i < f.size(); ++i) {
        for (std::size_t j = i; j < f.size(); ++j) {
          const Expr product = i == j ? f[i] * (*l)[i] : f[i] * (*l)[j] + f[j] * (*l)[i];
          if (!product.is_zero()) rest(i, j) = simplifier_.simplify(Q(i, j) - product);
          now += QuadraticForm::length_of_term(rest(i, j));
          if (now >= length) return;
        }
      }
      length = now;
      best = std::move(rest);
      best_l = *l;
    };
    for (std::size_t p = 0; p < f.size(); ++p)
      if (!f[p].is_zero()) consider(without(Q, f, p));
    consider(without_squares(Q, f));
    if (!best) return std::nullopt;
    Q = std::move(*best);
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < f.size(); ++i) terms.push_back(best_l[i] * u_[i]);
    return system_->context->sum(terms);
  }

  std::optional<std::vector<Expr>> without(const QuadraticForm& Q, const std::vector<Expr>& f, std::size_t p) const {
    std::vector<Expr> l(f.size());
    l[p] = simplifier_.simplify(Q(p, p) / f[p]);
    for (std::size_t j = 0; j < f.size(); ++j) {
      if (!is_whole(l[p])) return std::nullopt;
      if (j != p) l[j] = simplifier_.simplify((Q(p, j) - f[j] * l[p]) / f[p]);
      if (!is_whole(l[j])) return std::nullopt;
    }
    return l;
  }
  std::optional<std::vector<Expr>> without_squares(const QuadraticForm& Q, const std::vector<Expr>& f) const {
    std::vector<Expr> l(f.size());
    for (std::size_t i = 0; i < f.size(); ++i) {
      l[i] = f[i].is_zero() ? system_->context->number(0) : simplifier_.simplify(Q(i, i) / f[i]);
      if (!is_whole(l[i])) return std::nullopt;
    }
    return l;
  }
  // Nothing that moves divides.
  bool is_whole(Expr e) const {
    return std::ranges::none_of(negative_powers(std::array{e}),
                                [&](const auto& power) { return depends_on(power.first, system_->motion.q); });
  }

  System system_;
  Simplifier& simplifier_;
  std::vector<Expr> u_;
  std::vector<Standing> standing_;
};

}  // namespace

bool let_velocities_stand(const System& system, Simplifier& simplifier, Formulation& form) {
  if (!form.quasi) return false;
  const Division division(system, simplifier, form);
  if (division.nothing_stands()) return false;
  bool any = false;
  for (Equation& e : form.equations) {
    if (e.kind != Equation::Kind::quasi_motion) continue;
    if (const auto added = division.of(e.expression)) {
      e.expression = e.expression + *added;
      any = true;
    }
  }
  return any;
}

}  // namespace cetaev
