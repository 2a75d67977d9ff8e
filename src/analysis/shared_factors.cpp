#include "shared_factors.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cetaev/detail/algebra/simplify.hpp"
#include "multiple.hpp"

namespace cetaev {

namespace {

// A sum of some products of velocities and parameters takes a thousandth of this.
constexpr double effort_of_a_sum = 0.1;

// number · Π base^exponent
struct Factors {
  Rational number = 1;
  std::vector<std::pair<Expr, Rational>> powers;

  explicit Factors(Expr e) {
    const Multiple multiple(e);
    number = multiple.number;
    e = multiple.term;
    if (e.kind() != Kind::product) {
      powers.emplace_back(e, 1);
      return;
    }
    for (std::size_t k = 0; k < e.size(); ++k) powers.emplace_back(e.base(k), e.exponent(k));
  }
};

// What both have, with the sign of the first.
Expr common_factor(Context& context, const Factors& a, const Factors& b) {
  const Rational number = gcd(a.number, b.number);
  Expr result = context.number(a.number.sign() < 0 ? -number : number);
  for (const auto& [base, exponent] : a.powers) {
    for (const auto& [other, power] : b.powers) {
      if (other != base || exponent.sign() != power.sign()) continue;
      result = result * pow(base, exponent.abs() < power.abs() ? exponent : power);
    }
  }
  return result;
}

class Sharing {
 public:
  Sharing(const System& system, const WrittenForm& form) : system_(system), unknowns_(form.unknowns) {
    for (const Parameter& p : system->parameters) elsewhere_.insert(p.symbol);
    elsewhere_.insert(system->motion.v.begin(), system->motion.v.end());
    for (const Expr unknown : form.unknowns) {
      elsewhere_.insert(unknown);
      // u of u'
      if (const std::string_view name = unknown.name(); name.ends_with('\''))
        elsewhere_.insert(system->context->symbol(name.substr(0, name.size() - 1)));
    }
  }

  void run(std::vector<Expr>& side) const {
    // only terms with the same part that depends on the place go together
    std::map<std::pair<Expr, bool>, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < side.size(); ++i) {
      const Expr part = part_of_place(side[i]);
      if (!part.is_number()) alike[{part, depends_on(side[i], unknowns_)}].push_back(i);
    }
    std::vector<std::size_t> gone;
    for (auto& [key, where] : alike) {
      if (where.size() < 2) continue;
      const std::optional<Expr> all = all_together(side, where);
      std::vector<Expr> in_pairs = side;
      std::vector<std::size_t> gone_in_pairs;
      const std::vector<std::size_t> whole = where;
      bring_together(in_pairs, where, gone_in_pairs);
      double length = -1;  // a sign stands between terms only
      for (const std::size_t i : where) length += length_on_paper(in_pairs[i]) + 1;
      if (all && length_on_paper(*all) < length) {
        side[whole.front()] = *all;
        gone.insert(gone.end(), whole.begin() + 1, whole.end());
      } else {
        side = std::move(in_pairs);
        gone.insert(gone.end(), gone_in_pairs.begin(), gone_in_pairs.end());
      }
    }
    std::ranges::sort(gone, std::greater<>());
    for (const std::size_t i : gone) side.erase(side.begin() + static_cast<std::ptrdiff_t>(i));
  }

 private:
  Expr part_of_place(Expr e) const {
    Expr part = system_->context->number(1);
    for (const auto& [base, exponent] : Factors(e).powers)
      if (is_of_place(base)) part = part * pow(base, exponent);
    return part;
  }
  // Names of the model and of what recurs, which stand for differences of coordinates and sums with sines, are.
  bool is_of_place(Expr e) const {
    return std::ranges::any_of(free_symbols(e), [&](Expr s) { return !elsewhere_.contains(s); });
  }

  // All of them, and what is left of them as the square or product that it may be.
  std::optional<Expr> all_together(const std::vector<Expr>& side, const std::vector<std::size_t>& where) const {
    Expr common = side[where.front()];
    for (const std::size_t i : where) common = common_factor(*system_->context, Factors(common), Factors(side[i]));
    std::vector<Expr> left;
    for (const std::size_t i : where) left.push_back(side[i] / common);
    const bool alone = std::ranges::any_of(left, [](Expr e) { return e.is_number(); });
    if (alone) return std::nullopt;
    return common * Simplifier(effort_of_a_sum).simplify(system_->context->sum(left));
  }

  // The two that save most, until none do; at the place of the first.
  void bring_together(std::vector<Expr>& side, std::vector<std::size_t>& where, std::vector<std::size_t>& gone) const {
    while (where.size() > 1) {
      std::optional<Expr> best;
      std::size_t first = 0, second = 0;
      double saved = 0;
      for (std::size_t i = 0; i < where.size(); ++i) {
        for (std::size_t j = i + 1; j < where.size(); ++j) {
          const Expr a = side[where[i]], b = side[where[j]];
          const Expr common = common_factor(*system_->context, Factors(a), Factors(b));
          const Expr left = a / common, right = b / common;
          if (left.is_number() || right.is_number()) continue;
          const Expr both = common * (left + right);
          // one sign between two terms less
          const double saving = length_on_paper(a) + length_on_paper(b) + 1 - length_on_paper(both);
          if (saving <= saved) continue;
          saved = saving;
          best = both;
          first = i;
          second = j;
        }
      }
      if (!best) return;
      side[where[first]] = *best;
      gone.push_back(where[second]);
      where.erase(where.begin() + static_cast<std::ptrdiff_t>(second));
    }
  }

  System system_;
  std::vector<Expr> unknowns_;
  std::set<Expr> elsewhere_;  // symbols that say nothing about the place
};

}  // namespace

void share_factors(const System& system, WrittenForm& form) {
  const Sharing sharing(system, form);
  for (WrittenEquation& e : form.equations) {
    sharing.run(e.left);
    sharing.run(e.right);
  }
}

}  // namespace cetaev
