#include "cetaev/report/typeset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

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

}  // namespace

struct Typesetter::Implementation {
  Implementation(const System& system, Notation chosen)
      : notation(chosen), symbols(system, chosen), style(notation_style(chosen)) {}

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
        static constexpr int group[] = {1, 2, 3, 5, 6, 9};  // by SymbolClass
        return {group[static_cast<int>(place.kind)], place.position};
      }
      case Kind::function: {
        // of parameters first; then sin, cos, …
        const Known& k = done.at(base.node());
        return {k.constant ? 7 : 8, static_cast<std::size_t>(base.function())};
      }
      default: return {4, done.at(base.node()).constant ? 0U : 1U};
    }
  }

  struct Ordered {
    Place place;
    Factor factor;
  };

  static void sort(std::vector<Ordered>& list) {
    std::stable_sort(list.begin(), list.end(), [](const Ordered& a, const Ordered& b) { return a.place < b.place; });
  }

  // coefficient·e
  Signed scaled(const Rational& coefficient, Expr e) {
    Signed result{coefficient.sign() < 0, {}};
    std::vector<Ordered> above, below;
    bool distributes = false;
    const auto put = [&](Expr base, const Rational& exponent) {
      const Known& k = done.at(base.node());
      Factor factor{&k.piece, base, exponent.abs(), base.is_symbol() && k.order >= 2 && exponent.is_one()};
      if (!style->faithful() && base.kind() == Kind::sum && exponent.is_integer() && all_negative(base)) {
        // (−a − b)c is −(a + b)c
        if (!exponent.is_even()) result.negative = !result.negative;
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
    sort(above);
    sort(below);
    std::vector<Factor> upper, lower;
    for (const Ordered& o : above) upper.push_back(o.factor);
    for (const Ordered& o : below) lower.push_back(o.factor);
    result.piece = style->term(coefficient.abs(), upper, lower, distributes && !coefficient.is_integer());
    return result;
  }

  static bool all_negative(Expr sum) {
    if (sum.constant().sign() > 0) return false;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      if (sum.coefficient(i).sign() > 0) return false;
    }
    return true;
  }

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

  // The terms of a sum as they are to be read; `flip` for those of −e. Its operands are done.
  std::vector<Signed> terms_of(Expr e, bool flip = false) {
    std::vector<std::pair<SummandKey, std::size_t>> order;
    bool curved = false;  // is a term more than a number times a symbol?
    for (std::size_t i = 0; i < e.size(); ++i) {
      order.emplace_back(key_of(e.term(i)), i);
      curved = curved || !e.term(i).is_symbol();
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return comes_before(a.first, b.first); });
    std::vector<Signed> terms;
    for (const auto& [key, i] : order) {
      terms.push_back(scaled(flip ? -e.coefficient(i) : e.coefficient(i), e.term(i)));
    }
    if (!e.constant().is_zero()) {
      const Rational constant = flip ? -e.constant() : e.constant();
      Signed last{constant.sign() < 0, style->term(constant.abs(), {}, {}, false)};
      // 1 + a², but x + 1
      const bool first = !last.negative && curved && done.at(e.term(order[0].second).node()).order == 0;
      terms.insert(first ? terms.begin() : terms.end(), std::move(last));
    }
    const auto positive = std::find_if(terms.begin(), terms.end(), [](const Signed& t) { return !t.negative; });
    if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
    return terms;
  }

  std::string too_long(Expr e) { return fmt::format("(too long to print: about {:.0e} symbols)", written_size(e)); }

  Notation notation;
  Symbols symbols;
  std::unique_ptr<NotationStyle> style;
  std::unordered_map<const Node*, Known> done;
  std::vector<std::unique_ptr<Piece>> flipped;
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

std::vector<TypesetTerm> Typesetter::terms(std::span<const Expr> summands) {
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
      for (const Signed& term : self.terms_of(e)) put(term);
    } else if (e.is_number()) {
      put({e.number().sign() < 0, self.style->term(e.number().abs(), {}, {}, false)});
    } else {
      put(self.scaled(Rational(1), e));
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
  return pieces.empty() ? "0" : implementation_->style->sum(pieces).text;
}

}  // namespace cetaev
