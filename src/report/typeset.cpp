#include "cetaev/report/typeset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

#include "cetaev/detail/expr/sign.hpp"
#include "notation.hpp"
#include "symbols.hpp"

namespace cetaev {

namespace {

// Where a factor stands in a product; sums compare their terms by the same places.
struct Place {
  int group = 0;
  std::size_t position = 0;
  auto operator<=>(const Place&) const = default;
};

// One factor of a term as sums compare it: by place, then the higher power first.
struct SortedFactor {
  Place place;
  Rational exponent;
};

struct SummandKey {
  int order = 0;  // the highest derivative
  std::vector<SortedFactor> factors;
};

// The highest derivative first; then as in a dictionary whose letters are the factors.
bool comes_before(const SummandKey& a, const SummandKey& b) {
  if (a.order != b.order) return a.order > b.order;
  for (std::size_t i = 0; i < std::min(a.factors.size(), b.factors.size()); ++i) {
    const SortedFactor &x = a.factors[i], &y = b.factors[i];
    if (x.place != y.place) return x.place < y.place;
    if (x.exponent != y.exponent) return x.exponent > y.exponent;
  }
  return a.factors.size() > b.factors.size();
}

// Is there a number in the formulas of the model that stands there in decimals?
bool has_decimals(const System& system) {
  std::vector<Expr> formulas = system->forces;
  if (system->lagrangian) formulas.push_back(system->lagrangian);
  for (const Constraint& c : system->constraints) formulas.push_back(c.expression);
  for (const NamedExpression& u : system->quasi_velocities) formulas.push_back(u.expression);
  const auto is_one = [](const Rational& r) { return reads_as_decimal(r.abs()); };
  for (const Expr e : topological(formulas)) {
    if (e.kind() == Kind::number && is_one(e.number())) return true;
    if (e.kind() != Kind::sum) continue;
    if (is_one(e.constant())) return true;
    for (std::size_t i = 0; i < e.size(); ++i)
      if (is_one(e.coefficient(i))) return true;
  }
  return false;
}

}  // namespace

struct Typesetter::Implementation {
  Implementation(const System& system, Notation chosen)
      : notation(chosen), symbols(system, chosen), style(notation_style(chosen)) {
    style->with_decimals = has_decimals(system);
  }

  struct Known {
    Piece piece;
    int order = 0;         // the highest derivative in it
    bool constant = true;  // no coordinate, velocity, … in it
  };

  // Operands before users: no recursion, expressions may be very deep.
  const Known& known(Expr root) {
    const Expr roots[] = {root};
    for (const Expr e : topological(roots)) {
      if (done.contains(e.node())) continue;
      Known k = describe(e);
      done.emplace(e.node(), std::move(k));
    }
    return done.at(root.node());
  }

  Known describe(Expr e) {
    Known k;
    for (const Expr operand : e.operands()) {
      const Known& of = done.at(operand.node());
      k.order = std::max(k.order, of.order);
      k.constant = k.constant && of.constant;
    }
    switch (e.kind()) {
      case Kind::number: k.piece = number(e.number()); break;
      case Kind::pi: k.piece = style->pi(); break;
      case Kind::symbol: {
        const SymbolPlace place = symbols.place(e.name());
        k.order = place.order;
        k.constant = place.kind == SymbolClass::parameter;
        k.piece = style->symbol(symbols(e.name()));
        break;
      }
      case Kind::sum: k.piece = style->sum(terms_of(e)); break;
      case Kind::product: {
        Signed term = scaled(Rational(1), e);
        k.piece = term.negative ? style->sum({term}) : std::move(term.piece);
        break;
      }
      case Kind::power:
        k.piece = style->power(done.at(e.operands()[0].node()).piece, done.at(e.operands()[1].node()).piece);
        break;
      case Kind::function: {
        std::vector<const Piece*> arguments;
        for (const Expr a : e.operands()) arguments.push_back(&done.at(a.node()).piece);
        k.piece = style->call(e.function(), arguments);
        break;
      }
    }
    return k;
  }

  Piece number(const Rational& r) const {
    if (r.is_zero()) return style->integer("0");
    Signed term{r.sign() < 0, style->term(r.abs(), {}, {}, false)};
    return term.negative ? style->sum({term}) : std::move(term.piece);
  }

  // numbers, parameters, coordinates, other symbols, sums and roots, velocities, accelerations, functions, variations
  Place place_of(Expr base) {
    switch (base.kind()) {
      case Kind::number:
      case Kind::pi: return {0, 0};
      case Kind::symbol: {
        const SymbolPlace place = symbols.place(base.name());
        static constexpr int group[] = {1, 2, 3, 5, 6, 9, 0};  // by SymbolClass
        return {group[static_cast<int>(place.kind)], place.position};
      }
      case Kind::function: {
        // of parameters first; then sin, cos, …
        const Known& k = done.at(base.node());
        const Expr argument = base.operands()[0];
        const std::size_t first = argument.is_symbol() ? symbols.place(argument.name()).position : 9999;
        return {k.constant ? 7 : 8,
                10000 * static_cast<std::size_t>(base.function()) + std::min<std::size_t>(first, 9999)};
      }
      default: {
        // a sum of parameters stands with the parameters
        const bool constant = done.at(base.node()).constant;
        return {constant ? 1 : 4, constant ? 9999U : 0U};
      }
    }
  }

  struct Ordered {
    Place place;
    Factor factor;
  };

  static void sort(std::vector<Ordered>& list) {
    std::stable_sort(list.begin(), list.end(), [](const Ordered& a, const Ordered& b) { return a.place < b.place; });
  }

  // coefficient·e. In the place of the factors `gaps` marks are left.
  Signed scaled(const Rational& coefficient, Expr e, std::span<const Expr> gaps = {}) {
    Signed result{coefficient.sign() < 0, {}};
    std::vector<Ordered> above, below;
    bool distributes = false;
    const auto put = [&](Expr base, const Rational& exponent) {
      const Known& k = done.at(base.node());
      Factor factor{&k.piece, base, exponent.abs(), base.is_symbol() && k.order >= 2 && exponent.is_one()};
      const bool odd = exponent.is_integer() && !exponent.is_even();
      const auto gap = std::find(gaps.begin(), gaps.end(), base);
      if (gap != gaps.end()) {
        factor.base = &marks[static_cast<std::size_t>(gap - gaps.begin())];
        factor.exponent = Rational(1);
        factor.apart = true;
        above.push_back({place_of(base), factor});
        return;
      }
      // read back, a long sum keeps the signs that it has, and a short one has one node with both
      const bool may_turn = base.kind() == Kind::sum && (!style->faithful() || base.size() < Context::flatten_limit);
      if (may_turn && exponent.is_integer() &&
          (all_negative(base) || (result.negative && turns_behind_minus(base, exponent)))) {
        // (−a − b) c is −(a + b) c, and −(a − b) c is (b − a) c
        if (odd) result.negative = !result.negative;
        flipped.push_back(std::make_unique<Piece>(style->sum(terms_of(base, true))));
        factor.base = flipped.back().get();
      }
      if (exponent == Rational(-1) && base.kind() == Kind::sum) distributes = distributes || has_fractions(base);
      (exponent.sign() > 0 ? above : below).push_back({place_of(base), factor});
    };
    if (e.kind() == Kind::product) {
      for (std::size_t i = 0; i < e.size(); ++i) put(e.base(i), e.exponent(i));
    } else {
      put(e, Rational(1));
    }
    put_behind_sums(above, below);
    sort(above);
    sort(below);
    std::vector<Factor> upper, lower;
    for (const Ordered& o : above) upper.push_back(o.factor);
    for (const Ordered& o : below) lower.push_back(o.factor);
    result.piece = style->term(coefficient.abs(), upper, lower, distributes && !coefficient.is_integer());
    return result;
  }

  // What does not have the index of a Σ in it stands before it.
  static void put_behind_sums(std::vector<Ordered>& above, std::vector<Ordered>& below) {
    std::map<std::size_t, std::string> sums;  // indices by their places
    for (const Ordered& o : above) {
      if (!o.factor.expr.is_symbol()) continue;
      if (const auto sign = sum_sign(o.factor.expr.name())) sums.emplace(sign->place, sign->index);
    }
    if (sums.empty()) return;
    for (auto* list : {&above, &below}) {
      for (Ordered& o : *list) {
        const auto sign = o.factor.expr.is_symbol() ? sum_sign(o.factor.expr.name()) : std::nullopt;
        o.factor.sums = sign.has_value();
        int depth = 0;
        for (const auto& [place, index] : sums) {
          ++depth;
          if (sign ? sign->place >= place : has_index(o.factor.expr, index)) o.factor.depth = depth;
        }
        constexpr int groups = 20;  // more than there are
        o.place.group += groups * o.factor.depth;
      }
    }
  }
  // j itself, or x_j, x_j', …
  static bool has_index(Expr e, const std::string& index) {
    return std::ranges::any_of(free_symbols(e), [&](Expr s) {
      std::string_view name = s.name();
      while (name.ends_with('\'')) name.remove_suffix(1);
      return name == "$" + index || name.ends_with("_" + index);
    });
  }

  static bool all_negative(Expr sum) { return SignsOfASum(sum).plus == 0; }

  static bool has_fractions(Expr sum) {
    if (!sum.constant().is_integer()) return true;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (!sum.coefficient(i).is_integer()) return true;
    }
    return false;
  }

  SummandKey key_of(Expr term) {
    SummandKey key{done.at(term.node()).order, {}};
    // in sums the moving parts count before parameters
    const auto put = [&](Expr base, const Rational& exponent) {
      Place place = place_of(base);
      if (!base.is_symbol() && place.group == 1) place = {4, 0};
      static constexpr int group[] = {9, 8, 2, 3, 4, 1, 0, 7, 6, 5};  // by the group in products
      place.group = group[place.group];
      key.factors.push_back({place, exponent});
    };
    if (term.kind() == Kind::product) {
      for (std::size_t i = 0; i < term.size(); ++i) put(term.base(i), term.exponent(i));
    } else {
      put(term, Rational(1));
    }
    std::stable_sort(key.factors.begin(), key.factors.end(),
                     [](const SortedFactor& a, const SortedFactor& b) { return a.place < b.place; });
    return key;
  }

  // The terms of a sum with their coefficients, as they are to be read; nothing for an expression is the constant.
  std::vector<std::pair<Rational, Expr>> raw_terms(Expr e, bool flip = false) {
    std::vector<std::pair<SummandKey, std::size_t>> order;
    bool curved = false;  // is a term more than a number times a symbol?
    for (std::size_t i = 0; i < e.size(); ++i) {
      order.emplace_back(key_of(e.term(i)), i);
      curved = curved || !e.term(i).is_symbol();
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return comes_before(a.first, b.first); });
    std::vector<std::pair<Rational, Expr>> terms;
    for (const auto& [key, i] : order) terms.emplace_back(flip ? -e.coefficient(i) : e.coefficient(i), e.term(i));
    if (!e.constant().is_zero()) {
      const Rational constant = flip ? -e.constant() : e.constant();
      // 1 + a², but x + 1
      const bool first = constant.sign() > 0 && curved && done.at(terms[0].second.node()).order == 0;
      terms.emplace(first ? terms.begin() : terms.end(), constant, Expr());
    }
    const auto positive = std::find_if(terms.begin(), terms.end(), [](const auto& t) { return t.first.sign() > 0; });
    if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
    return terms;
  }

  // Its operands are done; `flip` for the terms of −e.
  std::vector<Signed> terms_of(Expr e, bool flip = false) {
    std::vector<Signed> terms;
    for (const auto& [factor, term] : raw_terms(e, flip)) {
      if (term) {
        terms.push_back(scaled(factor, term));
      } else {
        terms.push_back({factor.sign() < 0, style->term(factor.abs(), {}, {}, false)});
      }
    }
    return terms;
  }

  // A summand on its way to the page. At the head of a broken sum its own sign stands inside, behind `before`, and that of
  // the whole before it.
  struct Pending {
    Rational coefficient;
    Expr e;  // none for a number
    std::string before, after;
    std::optional<bool> outer_negative;
    bool joined = false;      // a factor of what stands before it
    double width_around = 0;  // of `before` and `after`
  };

  // One summand as it is, or where it is wider than a line, and has sums for factors, the terms of these one by one:
  // m (a, + b, + c)/r.
  void put_broken(const Rational& coefficient, Expr e, double widest, std::vector<TypesetTerm>& out) {
    std::vector<Pending> pending = {{coefficient, e, "", "", std::nullopt}};
    while (!pending.empty()) {
      const Pending now = std::move(pending.back());
      pending.pop_back();
      const Signed whole = now.e
                               ? scaled(now.coefficient, now.e)
                               : Signed{now.coefficient.sign() < 0, style->term(now.coefficient.abs(), {}, {}, false)};
      const auto before = [&](const Signed& term) {
        return now.before + (now.outer_negative && term.negative ? style->minus() : "");
      };
      const std::vector<Gap> gaps = now.e && whole.piece.width + now.width_around > widest
                                        ? gaps_in(now.coefficient, now.e, widest)
                                        : std::vector<Gap>();
      if (gaps.empty()) {
        out.push_back({now.outer_negative.value_or(whole.negative), before(whole) + whole.piece.text + now.after,
                       whole.piece.width + now.width_around, whole.piece.tall,
                       now.outer_negative.has_value() && !now.joined, now.joined});
        continue;
      }
      const Signed around = scaled(now.coefficient, now.e, sums_of(gaps));
      std::vector<Pending> parts = open_up(around.piece.text, gaps);
      parts.front().before = before(around) + parts.front().before;
      parts.front().outer_negative = now.outer_negative.value_or(around.negative);
      parts.front().joined = now.joined;
      parts.front().width_around = around.piece.width + now.width_around;
      parts.back().after += now.after;
      parts.back().width_around = around.piece.width + now.width_around;
      std::move(parts.rbegin(), parts.rend(), std::back_inserter(pending));
    }
  }

  // A sum among the factors, to be written term by term.
  struct Gap {
    Expr sum;
    Rational exponent;
  };

  static std::vector<Expr> sums_of(const std::vector<Gap>& gaps) {
    std::vector<Expr> sums;
    for (const Gap& gap : gaps) sums.push_back(gap.sum);
    return sums;
  }

  // The sums among the factors, first those that need no exponent, the widest first, as many as it takes until the rest
  // is no wider than a line.
  std::vector<Gap> gaps_in(const Rational& coefficient, Expr e, double widest) {
    std::vector<Gap> candidates;
    const auto consider = [&](Expr base, const Rational& exponent) {
      if (base.kind() == Kind::sum && exponent.is_integer() && base.size() > 1) candidates.push_back({base, exponent});
    };
    if (e.kind() == Kind::product) {
      for (std::size_t i = 0; i < e.size(); ++i) consider(e.base(i), e.exponent(i));
    } else {
      consider(e, Rational(1));
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](const Gap& a, const Gap& b) {
      if (a.exponent.is_one() != b.exponent.is_one()) return a.exponent.is_one();
      return done.at(a.sum.node()).piece.width > done.at(b.sum.node()).piece.width;
    });
    std::vector<Gap> gaps;
    for (const Gap& candidate : candidates) {
      if (gaps.size() == marks.size()) break;
      if (!gaps.empty() && scaled(coefficient, e, sums_of(gaps)).piece.width <= widest) break;
      // a short sum is not worth a broken line, nor is an exponent −1 where a bar would do
      const double enough = candidate.exponent.is_one() ? widest / 3 : widest;
      if (done.at(candidate.sum.node()).piece.width > enough) gaps.push_back(candidate);
    }
    return gaps;
  }

  // The terms of the sums that belong in the marks of a text, with the text between them.
  std::vector<Pending> open_up(const std::string& text, const std::vector<Gap>& gaps) {
    std::vector<std::pair<std::size_t, std::size_t>> places;  // in the text, of the gap
    for (std::size_t i = 0; i < gaps.size(); ++i) places.emplace_back(text.find(marks[i].text), i);
    std::sort(places.begin(), places.end());
    std::vector<Pending> parts;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto [at, which] = places[k];
      const Gap& gap = gaps[which];
      const std::size_t end = k + 1 < places.size() ? places[k + 1].first : text.size();
      const auto [open, close] = style->large_parentheses(done.at(gap.sum.node()).piece.tall);
      const std::size_t first = parts.size();
      for (const auto& [factor, term] : raw_terms(gap.sum)) parts.push_back({factor, term, "", "", std::nullopt});
      parts[first].before = (k == 0 ? text.substr(0, at) : "") + open;
      parts[first].outer_negative = false;
      parts[first].joined = k > 0;
      parts.back().after = close + style->exponent(gap.exponent) + text.substr(at + 1, end - at - 1);
    }
    return parts;
  }

  std::string too_long(Expr e) { return fmt::format("(too long to print: about {:.0e} symbols)", written_size(e)); }

  Notation notation;
  Symbols symbols;
  std::unique_ptr<NotationStyle> style;
  std::unordered_map<const Node*, Known> done;
  std::vector<std::unique_ptr<Piece>> flipped;
  const std::array<Piece, 3> marks = {make_mark('\x01'), make_mark('\x02'), make_mark('\x03')};

  static Piece make_mark(char c) {
    Piece p;
    p.text = std::string(1, c);
    return p;
  }
};

Typesetter::Typesetter(const System& system, Notation notation)
    : implementation_(std::make_unique<Implementation>(system, notation)) {}
Typesetter::~Typesetter() = default;
Typesetter::Typesetter(Typesetter&&) noexcept = default;
Typesetter& Typesetter::operator=(Typesetter&&) noexcept = default;

Notation Typesetter::notation() const { return implementation_->notation; }

std::string Typesetter::expression(Expr e) {
  Implementation& self = *implementation_;
  if (written_size(e) > longest_formula) return self.style->remark(self.too_long(e)).text;
  return self.known(e).piece.text;
}

std::string Typesetter::name(std::string_view name) { return implementation_->symbols(name); }

std::string Typesetter::indexed(std::string_view symbol, std::span<const std::string> coordinates) {
  return implementation_->symbols.indexed(symbol, coordinates);
}

std::vector<TypesetTerm> Typesetter::terms(std::span<const Expr> summands, double widest) {
  Implementation& self = *implementation_;
  std::vector<TypesetTerm> result;
  const auto put = [&](const Signed& term) {
    result.push_back({term.negative, term.piece.text, term.piece.width, term.piece.tall});
  };
  for (const Expr e : summands) {
    if (e.is_zero()) continue;
    if (written_size(e) > longest_formula) {
      put({false, self.style->remark(self.too_long(e))});
      continue;
    }
    (void)self.known(e);
    if (e.kind() == Kind::sum) {
      for (const auto& [factor, term] : self.raw_terms(e)) self.put_broken(factor, term, widest, result);
    } else if (e.is_number()) {
      self.put_broken(e.number(), {}, widest, result);
    } else {
      self.put_broken(Rational(1), e, widest, result);
    }
  }
  return result;
}

std::string Typesetter::sum(std::span<const Expr> summands) {
  std::vector<Signed> pieces;
  for (TypesetTerm& term : terms(summands)) {
    Piece piece;
    piece.text = std::move(term.text);
    piece.level = Level::product;
    pieces.push_back({term.negative, std::move(piece)});
  }
  return pieces.empty() ? implementation_->style->integer("0").text : implementation_->style->sum(pieces).text;
}

}  // namespace cetaev
