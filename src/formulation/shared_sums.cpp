#include "shared_sums.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "solve_steps.hpp"

namespace cetaev {

namespace {

constexpr int not_polynomial = 3;

// r cos φ or r sin φ with a number r.
struct Sinusoid {
  Rational r;
  Function function;
  Expr angle;
};

std::optional<Sinusoid> sinusoid(Expr e) {
  Rational r(1);
  if (e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero()) {
    r = e.coefficient(0);
    e = e.term(0);
  }
  if (e.kind() != Kind::function || (e.function() != Function::cos && e.function() != Function::sin))
    return std::nullopt;
  return Sinusoid{r, e.function(), e.operands()[0]};
}

std::vector<Expr> with_last(std::span<const Expr> list, Expr last) {
  std::vector<Expr> all(list.begin(), list.end());
  all.push_back(last);
  return all;
}

}  // namespace

SharedSums::SharedSums(Context& context, Expr L, const std::vector<Expr>& v, std::span<const Expr> also)
    : context_(context), order_(topological(with_last(also, L))), place_(order_), degree_(order_.size()) {
  for (const Expr velocity : v) {
    if (const std::uint32_t i = place_.find(velocity); i != Places::nowhere) {
      degree_[i] = 1;
      variable_[i] = variables;
    }
    ++variables;
  }
  definition.resize(variables);
  for (std::size_t i = 0; i < order_.size(); ++i)
    if (degree_[i] == 0) degree_[i] = degree(order_[i]);
  rest = context.zero();
  quadratic = degree(L) == 2 && define_sums();
  if (quadratic) collect(L);
}

// In v: 0, 1, 2, or more.
int SharedSums::degree(Expr e) const {
  const std::uint32_t at = place_[e];
  if (degree_[at] != 0) return degree_[at];
  const auto of = [&](Expr operand) { return degree_[place_[operand]]; };
  int result = 0;
  switch (e.kind()) {
    case Kind::sum:
      for (std::size_t i = 0; i < e.size(); ++i) result = std::max(result, of(e.term(i)));
      return result;
    case Kind::product:
      for (std::size_t i = 0; i < e.size(); ++i) {
        const int base = of(e.base(i));
        if (base == 0) continue;
        const Rational& exponent = e.exponent(i);
        if (!exponent.is_one() && exponent != Rational(2)) return not_polynomial;
        result += exponent.is_one() ? base : 2 * base;
      }
      return std::min(result, not_polynomial);
    default:
      for (const Expr operand : e.operands())
        if (of(operand) != 0) return not_polynomial;
      return 0;
  }
}

// The factors without velocities.
Expr SharedSums::others(Expr product) const {
  std::vector<Context::Term> factors;
  for (std::size_t i = 0; i < product.size(); ++i)
    if (degree_[place_[product.base(i)]] == 0) factors.push_back({product.base(i), product.exponent(i)});
  return context_.power_product(Rational(1), factors);
}

// Of an expression of degree one.
Monomial SharedSums::monomial(Expr e) const {
  const auto known = variable_.find(place_[e]);
  if (known != variable_.end()) return {known->second, context_.one()};
  // a product with one such factor
  std::size_t which = 0;
  while (degree_[place_[e.base(which)]] == 0) ++which;
  return {variable_.at(place_[e.base(which)]), others(e)};
}

std::optional<std::vector<Monomial>> SharedSums::form(Expr e) const {
  if (e.is_zero()) return std::vector<Monomial>{};
  if (const std::uint32_t at = place_.find(e); at != Places::nowhere && degree_[at] == 1)
    return std::vector<Monomial>{monomial(e)};
  if (e.kind() != Kind::sum || !e.constant().is_zero()) return std::nullopt;
  // squares are of S, whatever was squared is −S or 2 S
  if (const Expr minus = -e; place_.find(minus) != Places::nowhere && degree_[place_[minus]] == 1) {
    const Monomial m = monomial(minus);
    return std::vector<Monomial>{{m.y, -m.c}};
  }
  std::vector<Monomial> result;
  for (std::size_t i = 0; i < e.size(); ++i) {
    const std::uint32_t at = place_.find(e.term(i));
    if (at == Places::nowhere || degree_[at] != 1) return std::nullopt;
    const Monomial m = monomial(e.term(i));
    result.push_back({m.y, e.coefficient(i) * m.c});
  }
  return result;
}

void SharedSums::write_by_velocities() {
  flat = true;
  turns.clear();
  turn_of.clear();
  const std::vector<std::vector<Monomial>> before = std::move(definition);
  definition.assign(variables, {});
  for (std::size_t x = 0; x < variables; ++x) {
    std::map<std::size_t, std::vector<Expr>> terms;
    for (const auto& [y, A] : before[x]) {
      if (before[y].empty()) terms[y].push_back(A);
      for (const auto& [v, c] : definition[y]) terms[v].push_back(A * c);
    }
    for (const auto& [v, coefficients] : terms)
      if (const Expr c = cheapest_polynomial(context_.sum(coefficients)); !c.is_zero()) definition[x].push_back({v, c});
  }
}

bool SharedSums::define_sums() {
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Expr e = order_[i];
    if (degree_[i] == not_polynomial) return false;
    if (degree_[i] != 1 || e.kind() != Kind::sum) continue;
    std::map<std::size_t, std::vector<Expr>> terms;
    std::map<Expr, Rational> left;
    if (!e.constant().is_zero()) homogeneous = false;
    for (std::size_t k = 0; k < e.size(); ++k) {
      if (degree_[place_[e.term(k)]] == 1) {
        left.emplace(e.term(k), e.coefficient(k));
      } else {
        homogeneous = false;
      }
    }
    while (const auto part = part_of(left)) {
      for (const auto& [term, coefficient] : sums_[part->first]) left.erase(term);
      terms[sum_variables_[part->first]].push_back(context_.number(part->second));
    }
    for (const auto& [term, coefficient] : left) {
      const Monomial m = monomial(term);
      terms[m.y].push_back(coefficient * m.c);
    }
    std::vector<Monomial> found;
    for (const auto& [y, coefficients] : terms) {
      const Expr c = context_.sum(coefficients);
      if (!c.is_zero()) found.push_back({y, c});
    }
    find_turns(found);
    variable_[i] = define(std::move(found));
    remember(e, variable_[i]);
  }
  return true;
}

std::size_t SharedSums::define(std::vector<Monomial> terms) {
  definition.push_back(std::move(terms));
  return variables++;
}

// Of two terms r cos φ y and ±r sin φ z, one: r times a component after a turn.
void SharedSums::find_turns(std::vector<Monomial>& terms) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto cosine = sinusoid(terms[i].c);
    if (!cosine || cosine->function != Function::cos) continue;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const auto sine = sinusoid(terms[k].c);
      if (!sine || sine->function != Function::sin || sine->angle != cosine->angle || sine->r.abs() != cosine->r.abs())
        continue;
      const std::size_t y = terms[i].y, z = terms[k].y;
      const std::size_t t = sine->r == cosine->r ? turned(cosine->angle, y, z) : turned(cosine->angle, z, y) + 1;
      terms[i] = {t, context_.number(cosine->r)};
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(k));
      find_turns(terms);
      return;
    }
  }
}

std::size_t SharedSums::turned(Expr angle, std::size_t y1, std::size_t y2) {
  const auto [known, added] = turns_by_.try_emplace({angle, {y1, y2}}, 0);
  if (!added) return known->second;
  const Expr c = cos(angle), s = sin(angle);
  known->second = define({{y1, c}, {y2, s}});
  define({{y1, -s}, {y2, c}});
  turn_of[known->second] = turn_of[known->second + 1] = turns.size();
  turns.push_back({known->second, y1, y2, angle, c, s});
  return known->second;
}

// Short sums are flattened into those that use them. Here they are found again: the longest one that is contained in these terms, times a number.
std::optional<std::pair<std::size_t, Rational>> SharedSums::part_of(const std::map<Expr, Rational>& terms) const {
  std::optional<std::pair<std::size_t, Rational>> best;
  std::set<std::size_t, std::greater<>> candidates;
  for (const auto& [term, coefficient] : terms) {
    const auto with = sums_with_.find(term);
    if (with != sums_with_.end()) candidates.insert(with->second.begin(), with->second.end());
  }
  // of those as long as each other the first; those that come last are mostly the longest
  for (const std::size_t sum : candidates) {
    const auto& parts = sums_[sum];
    if (parts.size() > terms.size() || (best && parts.size() < sums_[best->first].size())) continue;
    std::optional<Rational> ratio;
    const bool contained = std::all_of(parts.begin(), parts.end(), [&](const auto& part) {
      const auto found = terms.find(part.first);
      if (found == terms.end()) return false;
      if (!ratio) ratio = found->second / part.second;
      return found->second == *ratio * part.second;
    });
    if (contained) best.emplace(sum, *ratio);
  }
  return best;
}

void SharedSums::remember(Expr sum, std::size_t variable) {
  std::map<Expr, Rational> terms;
  for (std::size_t k = 0; k < sum.size(); ++k) {
    if (degree_[place_[sum.term(k)]] != 1) continue;
    terms.emplace(sum.term(k), sum.coefficient(k));
  }
  if (terms.size() > 1)
    for (const auto& [term, coefficient] : terms) sums_with_[term].push_back(sums_.size());
  sums_.push_back(std::move(terms));
  sum_variables_.push_back(variable);
}

void SharedSums::add(const Monomial& a, const Monomial& b, Expr weight) {
  Expr product = weight * a.c * b.c;
  if (a.y == b.y) product = Rational(2) * product;
  products[std::max(a.y, b.y)][std::min(a.y, b.y)].push_back(product);
}

// From L down to the products of two factors of degree one.
void SharedSums::collect(Expr L) {
  products.resize(variables);
  std::vector<std::vector<Expr>> weights(order_.size());
  weights[place_[L]].push_back(context_.one());
  std::vector<Expr> left;
  for (std::size_t i = order_.size(); i-- > 0;) {
    if (weights[i].empty() || degree_[i] != 2) continue;
    const Expr e = order_[i], weight = context_.sum(weights[i]);
    if (e.kind() == Kind::sum) {
      if (!e.constant().is_zero()) left.push_back(e.constant() * weight);
      for (std::size_t k = 0; k < e.size(); ++k) {
        const std::uint32_t term = place_[e.term(k)];
        if (degree_[term] == 2) {
          weights[term].push_back(e.coefficient(k) * weight);
        } else {
          left.push_back(e.coefficient(k) * (weight * e.term(k)));
        }
      }
      continue;
    }
    std::vector<Monomial> factors;
    const Expr coefficient = weight * others(e);
    for (std::size_t k = 0; k < e.size(); ++k) {
      const std::uint32_t base = place_[e.base(k)];
      if (degree_[base] == 2) weights[base].push_back(coefficient);
      if (degree_[base] != 1) continue;
      factors.push_back(monomial(e.base(k)));
      if (!e.exponent(k).is_one()) factors.push_back(factors.back());
    }
    if (factors.size() == 2) add(factors[0], factors[1], coefficient);
  }
  rest = context_.sum(left);
}

std::vector<KineticSums::Part> parts_of(Context& context, const SharedSums& sums) {
  std::vector<std::size_t> part(sums.variables);
  std::iota(part.begin(), part.end(), 0);
  std::vector<bool> squared(sums.variables);
  for (std::size_t x = 0; x < sums.variables; ++x)
    for (const auto& [y, terms] : sums.products[x]) {
      squared[x] = squared[y] = true;
      std::replace(part.begin(), part.end(), std::size_t(part[x]), std::size_t(part[y]));
    }
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t x = 0; x < sums.variables; ++x)
    if (squared[x]) members[part[x]].push_back(x);
  std::vector<KineticSums::Part> parts;
  for (auto& [name, variables] : members) {
    const std::size_t n = variables.size();
    Matrix weights{n, n, std::vector<Expr>(n * n, context.zero())};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const auto& products = sums.products[std::max(variables[i], variables[j])];
        const auto found = products.find(std::min(variables[i], variables[j]));
        if (found != products.end()) weights(i, j) = context.sum(found->second);
      }
    parts.push_back({std::move(variables), std::move(weights)});
  }
  return parts;
}

}  // namespace cetaev
