#include "where_names.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/expr/derivative.hpp"
#include "multiple.hpp"

namespace cetaev {

namespace {

// The end of a summand, on paper.
constexpr double term_end = 3;
// Nodes of the tree beyond which nobody reads the equations, with or without names.
constexpr double longest_named = 20000;

class Namer {
 public:
  Namer(const System& system, WrittenForm& form) : system_(system), form_(form), free_(system) {
    for (WrittenEquation& e : form.equations) {
      for (auto* side : {&e.left, &e.right})
        for (Expr& term : *side) terms_.push_back(&term);
    }
  }

  void run() {
    while (name_one()) {
    }
    spell();
  }

 private:
  struct Name {
    Expr symbol, value;
    bool entry = false;        // a coefficient of an unknown
    bool denominator = false;  // divides
  };

  // Every use of a sum, with the sign it has there: a − b and b − a are one thing.
  struct Uses {
    double count = 0, parentheses = 0;
    bool below = false;  // a bar
  };

  // Of more than bare symbols: θ + φ and m₁ + m₂ are read as fast as a name for them.
  static bool is_sum(Expr e) {
    if (e.kind() != Kind::sum || e.size() + (e.constant().is_zero() ? 0 : 1) < 2) return false;
    for (std::size_t k = 0; k < e.size(); ++k)
      if (!e.term(k).is_symbol()) return true;
    return false;
  }

  // Of the two signs the one whose first coefficient is positive.
  static Expr unsigned_sum(Expr e) { return e.coefficient(0).sign() < 0 ? -e : e; }

  std::vector<Expr> everything() const {
    std::vector<Expr> all;
    for (const Expr* term : terms_) all.push_back(*term);
    for (const Name& name : names_) all.push_back(name.value);
    return all;
  }

  double length() const {
    double total = 0;
    for (const Expr* term : terms_) total += length_on_paper(*term) + term_end;
    for (const Name& name : names_) total += where_line_length + length_on_paper(name.value);
    return total;
  }

  // How often each sum is written.
  std::map<Expr, Uses> uses() const {
    const std::vector<Expr> all = everything();
    std::vector<Expr> order = topological(all);
    std::unordered_map<const Node*, double> written;
    for (const Expr e : all) written[e.node()] += 1;
    std::map<Expr, Uses> result;
    for (std::size_t i = order.size(); i-- > 0;) {
      const Expr e = order[i];
      const double times = written[e.node()];
      if (is_sum(e)) result[unsigned_sum(e)].count += times;
      const bool product = e.kind() == Kind::product;
      if (product) {
        for (std::size_t k = 0; k < e.size(); ++k) {
          written[e.base(k).node()] += times;
          if (!is_sum(e.base(k))) continue;
          Uses& of = result[unsigned_sum(e.base(k))];
          of.parentheses += times;
          of.below = of.below || e.exponent(k).sign() < 0;
        }
      } else if (e.kind() == Kind::sum) {
        for (std::size_t k = 0; k < e.size(); ++k) written[e.term(k).node()] += times;
      } else {
        for (const Expr operand : e.operands()) written[operand.node()] += times;
      }
    }
    for (const Name& name : names_) {  // a line of its own is no use
      if (is_sum(name.value)) result[unsigned_sum(name.value)].count = 0;
    }
    return result;
  }

  // The coefficients of unknowns, without numbers: of a symmetric mass matrix each occurs twice.
  std::map<Expr, Uses> entries() const {
    std::map<Expr, Uses> result;
    for (const Expr* term : terms_) {
      for (const Expr unknown : form_.unknowns) {
        const Expr entry = entry_of(*term, unknown);
        if (entry && entry.kind() == Kind::product) result[entry].count += 1;
      }
    }
    return result;
  }

  // K where the term is c·K·unknown, c a number; else nothing.
  static Expr entry_of(Expr term, Expr unknown) {
    term = Multiple(term).term;
    if (term.kind() != Kind::product) return {};
    for (std::size_t k = 0; k < term.size(); ++k) {
      if (term.base(k) == unknown && term.exponent(k).is_one()) return term / unknown;
    }
    return {};
  }

  bool name_one() {
    // the one that saves most, as far as counting tells
    Expr best;
    double saved = 0;
    bool below = false, entry = false;
    const auto consider = [&](Expr e, const Uses& of, bool as_entry) {
      const double own = length_on_paper(e);
      const double saving = of.count * (own - where_symbol_length) + of.parentheses - where_line_length - own;
      if (of.count < 2 || saving <= saved) return;
      saved = saving;
      best = e;
      below = of.below;
      entry = as_entry;
    };
    for (const auto& [e, of] : uses()) consider(e, of, false);
    for (const auto& [e, of] : entries()) consider(e, of, true);
    if (!best) return false;
    const double before = length();
    std::vector<Expr> old;
    for (const Expr* term : terms_) old.push_back(*term);
    const std::vector<Name> old_names = names_;
    put(best, below, entry);
    if (length() < names_must_shorten_to * before) return true;
    for (std::size_t i = 0; i < old.size(); ++i) *terms_[i] = old[i];
    names_ = old_names;
    return false;
  }

  void put(Expr e, bool below, bool entry) {
    const Expr symbol = system_->context->symbol("$where" + std::to_string(names_.size()));
    if (entry) {
      for (Expr* term : terms_) {
        for (const Expr unknown : form_.unknowns)
          if (entry_of(*term, unknown) == e) *term = *term / e * symbol;
      }
    } else {
      const std::array<Replacement, 2> list = {Replacement{e, symbol}, Replacement{-e, -symbol}};
      for (Expr* term : terms_) *term = substitute(*term, list);
      for (Name& name : names_) name.value = substitute(name.value, list);
      for (const Expr unknown : form_.unknowns) {
        for (const Expr* term : terms_) entry = entry || entry_of(*term, unknown) == symbol;
      }
    }
    names_.push_back({symbol, e, entry, below});
  }

  // Δ for what divides, M for entries of the mass matrix, then letters that the model leaves free.
  void spell() {
    if (names_.empty()) return;
    sort_for_reading();
    std::vector<Replacement> list;
    std::array<std::size_t, 2> numbered = {
        static_cast<std::size_t>(std::ranges::count_if(names_, [](const Name& n) { return n.denominator; })),
        static_cast<std::size_t>(std::ranges::count_if(names_, [](const Name& n) { return is_entry(n); }))};
    std::array<std::size_t, 2> next = {1, 1};
    for (const Name& name : names_) {
      const std::size_t kind = name.denominator ? 0 : is_entry(name) ? 1 : 2;
      std::string spelled = kind == 2 ? free_.letter() : "";
      while (spelled.empty() || (kind < 2 && free_.is_taken(spelled))) {
        static constexpr std::array stems = {"Delta", "M"};
        const bool alone = numbered[kind] == 1 && spelled.empty() && !free_.is_taken(stems[kind]);
        spelled = alone ? stems[kind] : stems[kind] + std::to_string(next[kind]++);
      }
      free_.take(spelled);
      list.emplace_back(name.symbol, system_->context->symbol("$" + spelled));
    }
    for (Expr* term : terms_) *term = substitute(*term, list);
    name_conditions(list);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Expr value = substitute(names_[i].value, list);
      form_.where.push_back({WrittenDefinition::Kind::where, std::string(list[i].second.name()), {}, {value}, ""});
    }
  }

  // The conditions by the names, too.
  void name_conditions(const std::vector<Replacement>& spelled) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Expr value = substitute(names_[i].value, spelled), symbol = spelled[i].second;
      const std::array<Replacement, 2> list = {Replacement{value, symbol}, Replacement{-value, -symbol}};
      for (Expr& condition : form_.nonzero) condition = Multiple(substitute(condition, list)).term;
    }
  }

  static bool is_entry(const Name& name) { return name.entry && !name.denominator; }

  // Each behind the names that it uses.
  void sort_for_reading() {
    std::vector<Name> sorted;
    std::vector<bool> done(names_.size(), false);
    while (sorted.size() < names_.size()) {
      for (std::size_t i = 0; i < names_.size(); ++i) {
        if (done[i]) continue;
        bool ready = true;
        for (std::size_t j = 0; j < names_.size() && ready; ++j) {
          const Expr other = names_[j].symbol;
          ready = done[j] || !depends_on(names_[i].value, std::span(&other, 1));
        }
        if (!ready) continue;
        done[i] = true;
        sorted.push_back(names_[i]);
      }
    }
    names_ = std::move(sorted);
  }

  System system_;
  WrittenForm& form_;
  std::vector<Expr*> terms_;
  std::vector<Name> names_;
  FreeNames free_;
};

}  // namespace

FreeNames::FreeNames(const System& system) {
  for (const std::string& name : system->coordinates) take(name);
  for (const Parameter& p : system->parameters) take(std::string(p.symbol.name()));
  for (const Point& p : system->points) take(p.name);
  for (const Definition& d : system->definitions) take(d.name);
  for (const NamedExpression& u : system->quasi_velocities) take(u.name);
}

std::string FreeNames::letter() {
  static constexpr std::array letters = {"A", "C", "D", "G", "H", "K", "N", "P", "Q", "R", "S", "U", "V", "W"};
  while (true) {
    const std::size_t now = next_++;
    std::string name = now < letters.size() ? letters[now] : "Z" + std::to_string(now + 1);
    if (taken_.insert(name).second) return name;
  }
}

void name_what_recurs(const System& system, WrittenForm& form) {
  if (can_have_names(form)) Namer(system, form).run();
}

bool can_have_names(const WrittenForm& form) {
  double size = 0;
  for (const WrittenEquation& e : form.equations) {
    for (const auto* side : {&e.left, &e.right})
      for (const Expr term : *side) size += written_size(term);
  }
  return size <= longest_named;
}

double length_of_summands(std::span<const Expr> summands) {
  double total = 0;
  for (const Expr term : summands) total += length_on_paper(term) + term_end;
  return total;
}

double length_of_form(const WrittenForm& form) {
  double total = 0;
  const auto add = [&](const WrittenEquation& e) { total += length_of_summands(e.left) + length_of_summands(e.right); };
  const auto add_all = [&](const std::vector<WrittenEquation>& list, const std::vector<WrittenFamily>& families) {
    if (families.empty()) std::ranges::for_each(list, add);
    for (const WrittenFamily& family : families) add(family.equation);
  };
  add_all(form.equations, form.families);
  add_all(form.constraints, form.families_of_constraints);
  if (form.minimise) add(*form.minimise);
  for (const auto* lines : {&form.definitions, &form.transpositional})
    for (const WrittenDefinition& line : *lines) total += length_of_summands(line.value);
  for (const std::vector<Expr>& momentum : form.conserved) total += length_of_summands(momentum);
  total += length_of_summands(form.nonzero);
  for (const WrittenDefinition& line : form.where) {
    total += where_line_length;
    for (const Expr term : line.value) total += length_on_paper(term);
  }
  return total;
}

}  // namespace cetaev
