#include "conditions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "cetaev/detail/algebra/zero.hpp"
#include "cetaev/expr/evaluate.hpp"
#include "multiple.hpp"

namespace cetaev {

namespace {

// Nodes of the graph of a condition beyond which it is not asked what it follows from.
constexpr std::size_t largest_condition = 4000;

// Values at some places tell which products are worth a proof.
class Places {
 public:
  explicit Places(std::span<const Expr> conditions) {
    const std::vector<Expr> symbols = free_symbols(conditions);
    for (std::size_t place = 0; place < count; ++place) {
      std::vector<Value> at;
      // fractions of multiples of irrational numbers, between a half and three halves
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const double x = static_cast<double>(i + 1) * (std::sqrt(2.0) + static_cast<double>(place) * std::sqrt(3.0));
        at.emplace_back(symbols[i], 0.5 + (x - std::floor(x)));
      }
      values_[place] = evaluate(conditions, at);
    }
  }

  // r where condition i is r aᵏ bˡ at every place.
  std::optional<Rational> ratio(std::size_t i, std::size_t a, int k, std::size_t b, int l) const {
    std::array<double, count> r{};
    for (std::size_t place = 0; place < count; ++place) {
      const std::vector<double>& v = values_[place];
      r[place] = v[i] / (std::pow(v[a], k) * std::pow(v[b], l));
      if (!std::isfinite(r[place]) || std::abs(r[place] - r[0]) > 1e-9 * std::abs(r[0])) return std::nullopt;
    }
    constexpr long largest_divisor = 64;  // of the numbers that stand in formulas
    for (long divisor = 1; divisor <= largest_divisor; ++divisor) {
      const double whole = std::round(r[0] * static_cast<double>(divisor));
      if (std::abs(whole) < 1 || std::abs(whole) > 1e6) continue;
      if (std::abs(r[0] * static_cast<double>(divisor) - whole) < 1e-9 * std::abs(whole))
        return Rational(static_cast<long>(whole), divisor);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t count = 3;
  std::array<std::vector<double>, count> values_;
};

bool contains(const std::vector<Expr>& list, Expr e) { return std::ranges::find(list, e) != list.end(); }

// x² + y² does not vanish where x does not.
bool is_sum_of_squares_with_one_of(const std::vector<Expr>& list, Expr e) {
  if (e.kind() != Kind::sum || e.constant().sign() < 0) return false;
  bool follows = false;
  for (std::size_t k = 0; k < e.size(); ++k) {
    if (e.coefficient(k).sign() < 0 || !e.term(k).is_nonnegative()) return false;
    follows = follows || contains(list, bare_condition(e.term(k)));
  }
  return follows;
}

}  // namespace

Expr bare_condition(Expr e) {
  e = Multiple(e).term;
  return e.kind() == Kind::product && e.size() == 1 ? e.base(0) : e;
}

std::vector<Expr> conditions_by_factors(const std::vector<Expr>& conditions) {
  std::vector<Expr> list, pending(conditions.rbegin(), conditions.rend());
  while (!pending.empty()) {
    const Expr e = Multiple(pending.back()).term;
    pending.pop_back();
    if (e.kind() == Kind::product) {
      for (std::size_t k = e.size(); k-- > 0;) pending.push_back(e.base(k));
    } else if (!e.is_number() && !contains(list, e)) {
      list.push_back(e);
    }
  }
  return list;
}

std::vector<Expr> independent_conditions(const std::vector<Expr>& conditions,
                                         const std::function<double(Expr)>& length) {
  std::vector<Expr> list = conditions_by_factors(conditions);
  if (list.size() < 2) return list;
  const Places places(list);
  // the shorter ones say the longer ones
  std::vector<std::size_t> order(list.size()), kept;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return length(list[i]); });
  const auto follows = [&](std::size_t i) {
    if (is_sum_of_squares_with_one_of(list, list[i])) return true;
    if (topological(std::array{list[i]}).size() > largest_condition) return false;
    static constexpr std::array<std::pair<int, int>, 8> powers = {
        {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {1, 1}, {2, 1}, {1, 2}, {2, 2}}};
    for (const std::size_t a : kept) {
      for (const std::size_t b : kept) {
        for (const auto& [k, l] : powers) {
          if ((l == 0) != (a == b)) continue;
          const auto ratio = places.ratio(i, a, k, b, l);
          if (ratio && vanishes(list[i] - *ratio * (pow(list[a], Rational(k)) * pow(list[b], Rational(l)))))
            return true;
        }
      }
    }
    return false;
  };
  for (const std::size_t i : order)
    if (!follows(i)) kept.push_back(i);
  std::ranges::sort(kept);
  std::vector<Expr> result;
  for (const std::size_t i : kept) result.push_back(list[i]);
  return result;
}

}  // namespace cetaev
