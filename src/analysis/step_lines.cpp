#include "step_lines.hpp"

#include <map>
#include <optional>

#include "cetaev/detail/expr/rebuild.hpp"
#include "cetaev/detail/expr/walk.hpp"
#include "short_lines.hpp"

namespace cetaev {

namespace {

class Steps {
 public:
  Steps(const System& system, std::span<Expr* const> formulas)
      : context_(*system->context), formulas_(formulas.begin(), formulas.end()) {}

  // What has a name already.
  void know(const WrittenDefinition& line) {
    if (line.value.size() == 1)
      known_.emplace(key(line.value[0]), Named{context_.symbol(line.symbol), is_turned(line.value[0])});
  }

  void run(Simplifier& simplifier) {
    name();
    put_lines_in_place();
    simplify(simplifier);
    put_lines_in_place();
  }

  std::vector<WrittenDefinition> spelled(const std::string& stem) {
    std::vector<Replacement> list;
    for (std::size_t i = 0; i < names_.size(); ++i)
      list.emplace_back(names_[i], context_.symbol("$" + stem + std::to_string(i + 1)));
    substitute_all(everything(), list);
    std::vector<WrittenDefinition> lines;
    for (std::size_t i = 0; i < names_.size(); ++i)
      lines.push_back({WrittenDefinition::Kind::where, std::string(list[i].second.name()), {}, {values_[i]}, ""});
    return lines;
  }
  std::size_t size() const { return names_.size(); }

 private:
  struct Named {
    Expr symbol;
    bool turned;
  };
  struct Uses {
    std::size_t all = 0, inside = 0;  // of these in other formulas
  };

  static bool is_sum(Expr e) { return e.kind() == Kind::sum && e.size() + (e.constant().is_zero() ? 0 : 1) > 1; }
  // θ + φ and m₁ + m₂ are read as fast as a name for them.
  static bool is_bare(Expr e) {
    for (std::size_t k = 0; k < e.size(); ++k)
      if (!e.term(k).is_symbol()) return false;
    return true;
  }
  // a − b and b − a are one thing.
  static bool is_turned(Expr e) { return is_sum(e) && e.coefficient(0).sign() < 0; }
  static Expr key(Expr e) { return is_turned(e) ? -e : e; }

  static bool is_worth_a_line(Expr e, const Uses& of) {
    if (e.is_symbol() || e.is_number() || (is_sum(e) && is_bare(e))) return false;
    const double own = length_on_paper(e), uses = static_cast<double>(of.all);
    if (is_sum(e) && of.inside > 0 && own > 2 * one_line) return true;
    // a product is read as fast as a name for it, as long as it takes half a line
    if (of.all < 2 || (!is_sum(e) && own <= one_line / 2)) return false;
    return uses * (own - where_symbol_length) > where_line_length + own;
  }

  void name() {
    std::vector<Expr> roots;
    for (const Expr* formula : formulas_) roots.push_back(*formula);
    const std::vector<Expr> order = topological(roots);
    const Places place(order);
    std::map<Expr, Uses> uses;
    for (const Expr e : roots) ++uses[key(e)].all;
    for (const Expr e : order) {
      for (const Expr operand : e.operands()) {
        if (operand.is_number() || operand.is_symbol()) continue;
        Uses& of = uses[key(operand)];
        ++of.all;
        ++of.inside;
      }
    }
    std::map<Expr, Expr> known;  // names, by what they stand for
    std::vector<Expr> image = order, operands;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Expr e = order[i];
      if (e.is_symbol() || e.is_number()) continue;
      operands.clear();
      bool changed = false;
      for (const Expr operand : e.operands()) {
        operands.push_back(image[place[operand]]);
        changed = changed || operands.back() != operand;
      }
      if (changed) image[i] = rebuild(e, operands, context_);
      if (!is_worth_a_line(image[i], uses[key(e)])) continue;
      const bool turned = is_turned(image[i]);
      const auto [found, fresh] = known.try_emplace(key(image[i]));
      if (fresh) found->second = add(found->first);
      image[i] = turned ? -found->second : found->second;
    }
    for (Expr* formula : formulas_) *formula = image[place[*formula]];
  }

  Expr add(Expr value) {
    names_.push_back(context_.symbol("$step" + std::to_string(names_.size())));
    values_.push_back(value);
    return names_.back();
  }

  // Each line by itself; what is the same then has one name.
  void simplify(Simplifier& simplifier) {
    std::map<Expr, Expr> same;
    std::vector<Replacement> here;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      here.clear();
      if (!same.empty())
        for (const Expr s : free_symbols(values_[i]))
          if (const auto other = same.find(s); other != same.end()) here.emplace_back(s, other->second);
      const Expr stands = substitute(values_[i], here), other = simplifier.simplify(stands);
      values_[i] = length_on_paper(other) < length_on_paper(stands) ? other : stands;
      const bool turned = is_turned(values_[i]);
      const auto [found, fresh] = known_.emplace(key(values_[i]), Named{names_[i], turned});
      if (fresh) continue;
      const Named& first = found->second;
      same.emplace(names_[i], first.turned == turned ? first.symbol : -first.symbol);
    }
    substitute_all(formulas_, std::vector<Replacement>(same.begin(), same.end()));
  }

  void put_lines_in_place() {
    const std::set<std::size_t> gone = put_in_place(names_, everything());
    std::vector<Expr> names, values;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (gone.contains(i)) continue;
      names.push_back(names_[i]);
      values.push_back(values_[i]);
    }
    names_ = std::move(names);
    values_ = std::move(values);
  }

  std::vector<Expr*> everything() {
    std::vector<Expr*> all;
    for (Expr& value : values_) all.push_back(&value);
    all.insert(all.end(), formulas_.begin(), formulas_.end());
    return all;
  }

  Context& context_;
  std::vector<Expr*> formulas_;
  std::vector<Expr> names_, values_;
  std::map<Expr, Named> known_;  // by what they stand for, or its negative
};

}  // namespace

std::vector<WrittenDefinition> name_steps(const System& system, std::span<Expr* const> formulas,
                                          std::span<const WrittenDefinition> before,
                                          std::span<const WrittenDefinition> taken, Simplifier& simplifier) {
  Steps steps(system, formulas);
  for (const WrittenDefinition& line : before) steps.know(line);
  steps.run(simplifier);
  FreeNames free(system);
  for (const WrittenDefinition& line : taken)
    if (line.symbol.starts_with('$')) free.take(line.symbol.substr(1));
  return steps.spelled(free_stem(free, {"n", "d", "e"}, steps.size()));
}

}  // namespace cetaev
