// Formulas are multiplied out into terms c·Π baseᵢ^eᵢ with exponents of either sign. Two pairs of terms with the same quotient belong to sums that
// differ by that quotient alone; so all pairs, by their quotients, show what any two formulas have in common. The sum that saves most becomes a symbol and
// a formula of its own, until nothing is saved. Then each formula is simplified by itself, with the symbols in it, and symbols without which all of it is no
// longer go again.
#include "cetaev/detail/analysis/common_sums.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "cetaev/detail/analysis/free_names.hpp"

namespace cetaev {

namespace {

// Pairs of terms are looked at: of more terms nobody would read what comes out.
constexpr std::size_t most_terms = 400;
// Candidates that two formulas have in common, the longest first, are looked for in all the others.
constexpr std::size_t most_candidates = 60;

using Power = std::pair<Expr, Rational>;  // base, exponent other than zero
using Monomial = std::vector<Power>;      // by base

Monomial times(const Monomial& a, const Monomial& b, int sign) {
  Monomial result;
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() || y != b.end()) {
    if (y == b.end() || (x != a.end() && x->first < y->first)) {
      result.push_back(*x++);
    } else if (x == a.end() || y->first < x->first) {
      result.emplace_back(y->first, sign < 0 ? -y->second : y->second);
      ++y;
    } else {
      const Rational exponent = sign < 0 ? x->second - y->second : x->second + y->second;
      if (!exponent.is_zero()) result.emplace_back(x->first, exponent);
      ++x;
      ++y;
    }
  }
  return result;
}

using Terms = std::map<Monomial, Rational>;

void add(Terms& to, const Monomial& monomial, const Rational& coefficient) {
  const auto [place, fresh] = to.emplace(monomial, coefficient);
  if (fresh) return;
  place->second = place->second + coefficient;
  if (place->second.is_zero()) to.erase(place);
}

std::optional<Terms> product(const Terms& a, const Terms& b) {
  if (a.size() * b.size() > most_terms) return std::nullopt;
  Terms result;
  for (const auto& [m, c] : a)
    for (const auto& [n, d] : b) add(result, times(m, n, 1), c * d);
  return result;
}

// sin 2u is 2 sin u cos u, as what stands beside it has it.
std::optional<Expr> half_of_sine(Expr e) {
  if (e.kind() != Kind::function || e.function() != Function::sin) return std::nullopt;
  const Expr argument = e.operands()[0];
  if (argument.kind() != Kind::sum || argument.size() != 1 || !argument.constant().is_zero() ||
      argument.coefficient(0) != Rational(2))
    return std::nullopt;
  return argument.term(0);
}

// Nothing where there are too many terms.
std::optional<Terms> multiplied_out(Expr e) {
  Terms result;
  if (e.is_number()) {
    if (!e.is_zero()) result.emplace(Monomial{}, e.number());
    return result;
  }
  if (e.kind() == Kind::sum) {
    if (!e.constant().is_zero()) add(result, {}, e.constant());
    for (std::size_t k = 0; k < e.size(); ++k) {
      const auto term = multiplied_out(e.term(k));
      if (!term || result.size() + term->size() > most_terms) return std::nullopt;
      for (const auto& [m, c] : *term) add(result, m, c * e.coefficient(k));
    }
    return result;
  }
  if (e.kind() == Kind::product) {
    result.emplace(Monomial{}, Rational(1));
    for (std::size_t k = 0; k < e.size(); ++k) {
      const Rational& exponent = e.exponent(k);
      const bool whole = exponent.is_integer() && exponent.sign() > 0 && exponent < Rational(5);
      std::optional<Terms> factor = Terms{{Monomial{{e.base(k), exponent}}, Rational(1)}};
      if (whole && (e.base(k).kind() == Kind::sum || half_of_sine(e.base(k)))) {
        const auto base = multiplied_out(e.base(k));
        factor = base;
        for (Rational power = 1; factor && power < exponent; power = power + Rational(1))
          factor = product(*factor, *base);
      }
      if (!factor) return std::nullopt;
      auto next = product(result, *factor);
      if (!next) return std::nullopt;
      result = std::move(*next);
    }
    return result;
  }
  if (const auto half = half_of_sine(e)) {
    Monomial both = times({{sin(*half), 1}}, {{cos(*half), 1}}, 1);
    return Terms{{std::move(both), Rational(2)}};
  }
  return Terms{{Monomial{{e, 1}}, Rational(1)}};
}

double length_with(const std::vector<Expr>& formulas, const std::vector<Replacement>& names) {
  double total = 0;
  for (const Expr e : formulas) total += length_on_paper(e);
  for (const auto& [symbol, value] : names) total += where_line_length + length_on_paper(value);
  return total;
}

class SumFinder {
 public:
  SumFinder(std::span<const Expr> given, Simplifier& simplifier) : given_(given), simplifier_(simplifier) {}

  // Sums without denominators first where `cleared`. Nothing where there are no names.
  CommonSums run(bool cleared) {
    if (!read()) return {};
    if (cleared) {
      while (name_one(true)) {
      }
    }
    while (name_one(false)) {
    }
    if (symbols_.empty()) return {};
    write();
    drop_idle_names();
    return {std::move(formulas_), std::move(names_)};
  }

 private:
  struct Place {
    std::size_t formula;
    Monomial factor;
    Rational number;
    std::vector<Monomial> terms;
  };

  bool read() {
    std::size_t count = 0;
    for (const Expr e : given_) {
      auto terms = multiplied_out(e);
      if (!terms) return false;
      count += terms->size();
      sums_.push_back(std::move(*terms));
    }
    return count <= most_terms;
  }

  double length_of(Expr base) {
    const auto [place, fresh] = lengths_.emplace(base, 0);
    if (fresh) place->second = length_on_paper(base);
    return place->second;
  }
  // With the sign in front of it.
  double length_of(const Monomial& monomial, const Rational& coefficient) {
    double total = 1;
    if (monomial.empty() || (coefficient != Rational(1) && coefficient != Rational(-1))) total += 1;
    for (const auto& [base, exponent] : monomial) {
      total += length_of(base) + (exponent.sign() < 0 ? 1 : 0);
      if (exponent != Rational(1) && exponent != Rational(-1)) total += 1;
    }
    return total;
  }

  // Without a factor that all terms share; cleared of denominators, or with those that some terms have.
  static Terms bare(const std::vector<std::pair<const Monomial*, Rational>>& terms, bool cleared) {
    Monomial common = *terms.front().first;
    for (const auto& term : terms) {
      const Monomial* const monomial = term.first;
      std::erase_if(common, [&](Power& shared) {
        const auto own = std::ranges::find(*monomial, shared.first, &Power::first);
        if (own == monomial->end() || own->second.sign() != shared.second.sign()) return true;
        if (own->second.abs() < shared.second.abs()) shared.second = own->second;
        return false;
      });
    }
    Terms result;
    if (cleared) {
      for (const auto& [monomial, c] : terms) {
        for (const auto& [base, exponent] : times(*monomial, common, -1)) {
          if (exponent.sign() > 0) continue;
          // as much as this term is below the line
          common = times(common, {{base, exponent}}, 1);
        }
      }
    }
    for (const auto& [monomial, c] : terms) result.emplace(times(*monomial, common, -1), c);
    // whole numbers without a common divisor, more of them positive
    Rational divisor = 0;
    std::ptrdiff_t positive = 0;
    for (const auto& [monomial, c] : result) {
      divisor = gcd(divisor, c);
      positive += c.sign();
    }
    if (positive < 0 || (positive == 0 && result.begin()->second.sign() < 0)) divisor = -divisor;
    for (auto& [monomial, c] : result) c = c / divisor;
    return result;
  }

  std::vector<Place> places(const Terms& sum) const {
    std::vector<Place> found;
    const auto& [lead, number] = *sum.begin();
    for (std::size_t f = 0; f < sums_.size(); ++f) {
      std::vector<const Monomial*> used;
      for (const auto& [monomial, c] : sums_[f]) {
        Place place{f, times(monomial, lead, -1), c / number, {}};
        std::vector<const Monomial*> own;
        for (const auto& [m, d] : sum) {
          const auto there = sums_[f].find(times(m, place.factor, 1));
          if (there == sums_[f].end() || there->second != d * place.number ||
              std::ranges::find(used, &there->first) != used.end())
            break;
          own.push_back(&there->first);
        }
        if (own.size() < sum.size()) continue;
        used.insert(used.end(), own.begin(), own.end());
        for (const Monomial* m : own) place.terms.push_back(*m);
        found.push_back(std::move(place));
      }
    }
    return found;
  }

  double saving(const Terms& sum, const std::vector<Place>& found) {
    double saved = -where_line_length;
    for (const auto& [m, c] : sum) saved -= length_of(m, c);
    for (const Place& place : found) {
      for (const Monomial& m : place.terms) saved += length_of(m, sums_[place.formula].at(m));
      saved -= length_of(place.factor, place.number) + where_symbol_length;
    }
    return saved;
  }

  // What pairs of formulas have in common, by the quotients of their terms.
  std::map<Terms, double> candidates(bool cleared) {
    std::map<Terms, double> result;
    for (std::size_t f = 0; f < sums_.size(); ++f) {
      for (std::size_t g = f; g < sums_.size(); ++g) {
        std::map<std::pair<Monomial, Rational>, std::vector<std::pair<const Monomial*, Rational>>> groups;
        for (auto x = sums_[f].begin(); x != sums_[f].end(); ++x) {
          for (auto y = f == g ? std::next(x) : sums_[g].begin(); y != sums_[g].end(); ++y)
            groups[{times(x->first, y->first, -1), x->second / y->second}].emplace_back(&y->first, y->second);
        }
        for (const auto& [quotient, terms] : groups) {
          if (terms.size() < 2) continue;
          double together = 0;
          for (const auto& [m, c] : terms) together += length_of(*m, c);
          double& longest = result[bare(terms, cleared)];
          longest = std::max(longest, together);
        }
      }
    }
    return result;
  }

  bool name_one(bool cleared) {
    std::vector<std::pair<double, Terms>> sorted;
    for (auto& [sum, together] : candidates(cleared)) sorted.emplace_back(together, sum);
    std::ranges::stable_sort(sorted, std::greater<>(), [](const auto& one) { return one.first; });
    if (sorted.size() > most_candidates) sorted.resize(most_candidates);
    double most = 0;
    const Terms* best = nullptr;
    std::vector<Place> best_places;
    for (const auto& [together, sum] : sorted) {
      std::vector<Place> found = places(sum);
      if (found.size() < 2) continue;
      const double saved = saving(sum, found);
      if (saved <= most) continue;
      most = saved;
      best = &sum;
      best_places = std::move(found);
    }
    if (best == nullptr) return false;
    const auto [base, exponent] = as_power(*best);
    // it may have a name already, by its square
    const auto names = std::span(sums_).subspan(given_.size());
    const auto known = static_cast<std::size_t>(std::ranges::find(names, base) - names.begin());
    if (known == symbols_.size()) {
      symbols_.push_back(given_.front().context().symbol("$common" + std::to_string(known)));
      sums_.push_back(base);
    }
    const Expr symbol = symbols_[known];
    for (const Place& place : best_places) {
      if (place.formula == given_.size() + known) continue;
      Terms& in = sums_[place.formula];
      for (const Monomial& m : place.terms) in.erase(m);
      add(in, times(place.factor, {{symbol, exponent}}, 1), place.number);
    }
    return true;
  }

  // (a − b)² is named by a − b.
  std::pair<Terms, Rational> as_power(const Terms& sum) {
    const Expr short_form = simplifier_.simplify(written(sum));
    if (short_form.kind() == Kind::product && short_form.size() == 1 && short_form.exponent(0).is_integer() &&
        short_form.exponent(0).sign() > 0) {
      if (auto base = multiplied_out(short_form.base(0))) return {std::move(*base), short_form.exponent(0)};
    }
    return {sum, 1};
  }

  Expr written(const Terms& terms) const {
    Context& context = given_.front().context();
    std::vector<Context::Term> summands;
    Rational constant = 0;
    for (const auto& [monomial, c] : terms) {
      if (monomial.empty()) {
        constant = c;
        continue;
      }
      std::vector<Context::Term> factors;
      for (const auto& [base, exponent] : monomial) factors.push_back({base, exponent});
      summands.push_back({context.power_product(1, factors), c});
    }
    return context.linear_combination(constant, summands);
  }

  // One fraction, or several: b²/c − d is shorter than (b² − c d)/c.
  Expr shortest(const Terms& terms) const {
    const Expr sum = written(terms);
    Expr best = simplifier_.simplify(sum);
    if (terms.size() < 2) return best;
    std::vector<std::pair<const Monomial*, Rational>> all;
    for (const auto& [monomial, c] : terms) all.emplace_back(&monomial, c);
    const Terms inner = bare(all, false);
    const Monomial factor = times(terms.begin()->first, inner.begin()->first, -1);
    const Rational number = terms.begin()->second / inner.begin()->second;
    for (const Expr other : {sum, written({{factor, number}}) * written(inner)})
      if (length_on_paper(other) < length_on_paper(best)) best = other;
    return best;
  }

  void write() {
    std::vector<Expr> all;
    for (const Terms& terms : sums_) all.push_back(shortest(terms));
    formulas_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(given_.size()));
    // what was not touched stands as it stood
    for (std::size_t i = 0; i < formulas_.size(); ++i)
      if (!depends_on(formulas_[i], symbols_)) formulas_[i] = given_[i];
    std::vector<Replacement> left;
    for (std::size_t k = 0; k < symbols_.size(); ++k) left.emplace_back(symbols_[k], all[given_.size() + k]);
    // each behind those that it uses
    while (!left.empty()) {
      for (auto one = left.begin(); one != left.end(); ++one) {
        const bool ready = std::ranges::none_of(
            left, [&](const Replacement& other) { return depends_on(one->second, std::span(&other.first, 1)); });
        if (!ready) continue;
        names_.push_back(*one);
        left.erase(one);
        break;
      }
    }
  }

  // A name saves its line, or it goes.
  void drop_idle_names() {
    for (std::size_t k = names_.size(); k-- > 0;) {
      const Replacement name = names_[k];
      std::vector<Expr> formulas = formulas_;
      std::vector<Replacement> names = names_;
      names.erase(names.begin() + static_cast<std::ptrdiff_t>(k));
      for (Expr& e : formulas) e = substitute(e, std::span(&name, 1));
      for (Replacement& other : names) other.second = substitute(other.second, std::span(&name, 1));
      if (length_with(formulas, names) > length_with(formulas_, names_)) continue;
      formulas_ = std::move(formulas);
      names_ = std::move(names);
    }
  }

  std::span<const Expr> given_;
  Simplifier& simplifier_;
  std::vector<Terms> sums_;    // of the formulas, then of the names
  std::vector<Expr> symbols_;  // of the names
  std::vector<Expr> formulas_;
  std::vector<Replacement> names_;
  std::map<Expr, double> lengths_;
};

}  // namespace

CommonSums common_sums(std::span<const Expr> formulas, Simplifier& simplifier) {
  CommonSums best{{formulas.begin(), formulas.end()}, {}};
  if (formulas.empty()) return best;
  double least = names_must_shorten_to * length_with(best.formulas, {});
  for (const bool cleared : {true, false}) {
    CommonSums found = SumFinder(formulas, simplifier).run(cleared);
    if (found.names.empty()) continue;
    const double own = length_with(found.formulas, found.names);
    if (own >= least) continue;
    least = own;
    best = std::move(found);
  }
  return best;
}

}  // namespace cetaev
