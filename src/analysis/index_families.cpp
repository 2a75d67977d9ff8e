#include "index_families.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cetaev/detail/algebra/simplify.hpp"
#include "cetaev/detail/text/numbered.hpp"
#include "cetaev/expr/derivative.hpp"
#include "multiple.hpp"

namespace cetaev {

namespace {

// So many names that differ by an index: fewer are read as fast one by one.
constexpr long fewest = 5;
// Beyond so many terms of one equation, products written out, none is looked for.
constexpr std::size_t most_terms = 10'000;
// Nor of a Lagrangian, which has one for each pair of links.
constexpr std::size_t most_terms_of_pairs = 200'000;
// Sums must be a third as long as what they stand for: they take a second look.
constexpr double beside_written_out = 1.0 / 3;

std::string without_underscore(std::string stem) {
  if (stem.size() > 1 && stem.back() == '_') stem.pop_back();
  return stem;
}

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

double length_of(const std::vector<Expr>& terms) {
  double total = 0;
  for (const Expr e : terms) total += length_on_paper(e) + 1;
  return total;
}

// α + β i + γ j
struct Affine {
  Rational constant, of_i, of_j;
  Rational at(long i, long j) const { return constant + of_i * Rational(i) + of_j * Rational(j); }
  bool operator==(const Affine&) const = default;
};

Affine negative(const Affine& a) { return {-a.constant, -a.of_i, -a.of_j}; }

struct PointOfTerm {
  long i, j;
  Rational value;
};

std::optional<Affine> fitted(const std::vector<PointOfTerm>& points) {
  Affine affine;
  for (const PointOfTerm& p : points) {
    for (const PointOfTerm& q : points) {
      if (affine.of_j.is_zero() && p.i == q.i && p.j != q.j) affine.of_j = (p.value - q.value) / Rational(p.j - q.j);
      if (affine.of_i.is_zero() && p.j == q.j && p.i != q.i) affine.of_i = (p.value - q.value) / Rational(p.i - q.i);
    }
    if (&p - points.data() > 3) break;  // enough to find slopes; all are held to them
  }
  const PointOfTerm& first = points.front();
  affine.constant = first.value - affine.of_i * Rational(first.i) - affine.of_j * Rational(first.j);
  const bool fits = std::ranges::all_of(points, [&](const PointOfTerm& p) { return affine.at(p.i, p.j) == p.value; });
  return fits ? std::optional(affine) : std::nullopt;
}

// A sum Σⱼ c(i, j) T(i, j); none of its indices where `kind` is alone.
struct SumOfTerms {
  enum class Range { alone, all, up_to_i, below_i, above_i, from_i };
  Range range = Range::alone;
  long first = 0, last = 0;  // of j
  Affine factor;
  Expr pattern;
  bool over_i = false;  // too, from first_i on: a sum over pairs i < j
  long first_i = 0;
};

class Families {
 public:
  // Names of the model, and those that the program has made and that stand in `used`: multipliers, accelerations without constraints.
  Families(const System& system, std::span<const Expr> used) : system_(system), context_(*system->context) {
    std::map<std::string, std::set<long>> found;
    const auto note = [&](std::string_view name) {
      if (const auto indexed = text::numbered_name(name)) found[indexed->stem].insert(indexed->index);
    };
    std::vector<std::string> all = system->coordinates;
    for (const Parameter& p : system->parameters) all.emplace_back(p.symbol.name());
    for (const std::string& name : all) note(name);
    for (const Point& p : system->points) all.push_back(p.name);
    for (const Definition& d : system->definitions) all.push_back(d.name);
    for (const NamedExpression& u : system->quasi_velocities) all.push_back(u.name);
    for (const Expr s : free_symbols(used)) {
      const std::string_view name = s.name();
      if (!name.starts_with('$') || name.find_first_of("[(") != std::string_view::npos) continue;
      // where nothing in the model is called so
      const auto parts = text::numbered_name(name);
      if (parts &&
          std::ranges::none_of(all, [&](const std::string& n) { return n.starts_with(parts->stem.substr(1)); }))
        note(name);
    }
    for (const auto& entry : found) {
      const std::string& stem = entry.first;
      const std::set<long>& indices = entry.second;
      const bool without_gaps = *indices.rbegin() - *indices.begin() + 1 == static_cast<long>(indices.size());
      if (static_cast<long>(indices.size()) < fewest || !without_gaps) continue;
      // x_1 and x1 would be the same with a letter, and so might theta1 and θ1
      const bool alike = std::ranges::any_of(found, [&](const auto& other) {
        return other.first != stem &&
               (without_underscore(other.first) == without_underscore(stem) || is_ascii(other.first) != is_ascii(stem));
      });
      if (alike) continue;
      ranges_[stem] = {*indices.begin(), *indices.rbegin()};
      stems_[without_underscore(stem)] = stem;
    }
    static constexpr std::array letters = {"i", "j", "k", "n", "p", "r", "s"};
    for (const char* letter : letters) {
      const bool taken = std::ranges::any_of(
          all, [&](const std::string& name) { return name == letter || name.ends_with(std::string("_") + letter); });
      if (!taken && names_.size() < 2) names_.emplace_back(letter);
    }
    if (names_.size() < 2) ranges_.clear();
    if (ranges_.empty()) return;
    i_ = context_.symbol("$" + names_[0]);
    j_ = context_.symbol("$" + names_[1]);
    // made in this order: i comes before j in differences
    for (const std::string& index : names_)
      for (const auto& [stem, range] : ranges_)
        for (const char* marks : {"", "'", "''"}) (void)spelled({stem, marks, 0}, index);
  }
  bool nothing_has_indices() const { return ranges_.empty(); }

  std::vector<WrittenFamily> run(const std::vector<WrittenEquation>& equations) const {
    std::vector<WrittenFamily> result;
    for (std::size_t k = 0; k < equations.size();) {
      // the longest run of equations about neighbours; perhaps without the first and the last of them
      const auto own = text::numbered_name(equations[k].label);
      std::size_t end = k + 1;
      while (own && end < equations.size()) {
        const auto next = text::numbered_name(equations[end].label);
        if (!next || next->stem != own->stem || next->index != own->index + static_cast<long>(end - k)) break;
        ++end;
      }
      const std::span run(equations.data() + k, end - k);
      if (static_cast<long>(run.size()) < fewest) {
        for (const WrittenEquation& e : run) result.push_back(alone(e));
      } else {
        append(run, own->index, result);
      }
      k = end;
    }
    return result;
  }

  std::vector<Expr> sums(const std::vector<Expr>& terms, std::size_t most) const {
    const auto apart = spread(terms, std::nullopt, most);
    if (!apart) return terms;
    const auto found = sums_of({&*apart, 1}, std::nullopt);
    if (!found || expanded(*found, 0) != context_.sum(*apart)) return terms;
    std::vector<Expr> result = written(*found);
    return length_of(result) > beside_written_out * length_of(terms) ? terms : result;
  }

 private:
  WrittenFamily alone(const WrittenEquation& e) const {
    return {"", 0, 0, {e.label, sums(e.left, most_terms), sums(e.right, most_terms)}};
  }

  // As one line for as many as follow it.
  void append(std::span<const WrittenEquation> run, long first, std::vector<WrittenFamily>& result) const {
    for (const auto& [begin, end] : {std::pair(0UL, 0UL), {1UL, 0UL}, {0UL, 1UL}, {1UL, 1UL}}) {
      const std::span inner = run.subspan(begin, run.size() - begin - end);
      if (static_cast<long>(inner.size()) < fewest) continue;
      if (auto family = one_for(inner, first + static_cast<long>(begin))) {
        if (begin > 0) result.push_back(alone(run.front()));
        result.push_back(std::move(*family));
        if (end > 0) result.push_back(alone(run.back()));
        return;
      }
    }
    for (const WrittenEquation& e : run) result.push_back(alone(e));
  }

  std::optional<WrittenFamily> one_for(std::span<const WrittenEquation> run, long first) const {
    WrittenFamily family{names_[0], first, first + static_cast<long>(run.size()) - 1, {}};
    if (const auto parts = text::numbered_name(run.front().label))
      family.equation.label = spelled(*parts, names_[0]).name();
    for (const bool left : {true, false}) {
      std::vector<std::vector<Expr>> sides;
      for (std::size_t k = 0; k < run.size(); ++k) {
        auto apart = spread(left ? run[k].left : run[k].right, first + static_cast<long>(k), most_terms);
        if (!apart) return std::nullopt;
        sides.push_back(std::move(*apart));
      }
      const auto found = sums_of(sides, first);
      if (!found) return std::nullopt;
      for (std::size_t k = 0; k < sides.size(); ++k)
        if (expanded(*found, first + static_cast<long>(k)) != context_.sum(sides[k])) return std::nullopt;
      (left ? family.equation.left : family.equation.right) = written(*found);
    }
    return family;
  }

  struct Pattern {
    Expr term;
    Rational factor;
    std::optional<long> i, j;  // what stands for these
  };

  // Indices in a term beside that of its equation. A pattern has one of them; that of a sum without an equation two, i < j.
  std::set<long> others_than(std::optional<long> own, Expr e) const {
    std::set<long> others;
    for (const Expr s : free_symbols(e)) {
      const auto parts = text::numbered_name(s.name());
      if (parts && ranges_.contains(parts->stem) && (!own || parts->index != *own)) others.insert(parts->index);
    }
    return others;
  }
  static std::size_t most_others(std::optional<long> own) { return own ? 1 : 2; }

  // Indices by names: the one of the equation by i, another by j; of a sum without one, one by j, two by i < j.
  std::optional<Pattern> pattern_of(Expr e, std::optional<long> own) const {
    const std::set<long> others = others_than(own, e);
    if (others.size() > most_others(own)) return std::nullopt;
    Pattern pattern;
    if (own) {
      pattern.i = own;
      if (!others.empty()) pattern.j = *others.begin();
    } else {
      if (!others.empty()) pattern.j = *others.rbegin();
      if (others.size() > 1) pattern.i = *others.begin();
    }
    std::vector<Replacement> by_names;
    for (const Expr s : free_symbols(e)) {
      const auto parts = text::numbered_name(s.name());
      if (!parts || !ranges_.contains(parts->stem)) continue;
      by_names.emplace_back(s, spelled(*parts, parts->index == pattern.j ? names_[1] : names_[0]));
    }
    pattern.term = substitute(e, by_names);
    pattern.factor = 1;
    if (const Multiple multiple(pattern.term); multiple.term != pattern.term) {
      pattern.factor = multiple.number;
      pattern.term = multiple.term;
    } else if (pattern.term.is_number()) {
      pattern.factor = pattern.term.number();
      pattern.term = context_.number(1);
    }
    return pattern;
  }
  // Products of something indexed with sums as sums of products: their terms and the numbers in them may go with the indices. What differs by a number is one term.
  // Nothing where there are too many, or one has more indices than a pattern.
  std::optional<std::vector<Expr>> spread(const std::vector<Expr>& terms, std::optional<long> own,
                                          std::size_t most) const {
    std::vector<Multiple> found;
    std::map<Expr, std::size_t> known;
    std::vector<Expr> waiting(terms.rbegin(), terms.rend());
    for (std::size_t count = 0; !waiting.empty(); ++count) {
      if (count > most) return std::nullopt;
      const Expr e = waiting.back();
      waiting.pop_back();
      const bool is_sum = e.kind() == Kind::sum && e.size() + (e.constant().is_zero() ? 0 : 1) > 1;
      const std::optional<Expr> sum = is_sum ? std::optional(e) : sum_to_spread(e);
      if (!sum) {
        const Multiple multiple(e);
        const auto [place, fresh] = known.emplace(multiple.term, found.size());
        if (fresh) {
          if (others_than(own, multiple.term).size() > most_others(own)) return std::nullopt;
          found.push_back(multiple);
        } else {
          found[place->second].number += multiple.number;
        }
        continue;
      }
      const Expr factor = is_sum ? context_.number(1) : e / *sum;
      if (!sum->constant().is_zero()) waiting.push_back(sum->constant() * factor);
      for (std::size_t k = sum->size(); k-- > 0;) waiting.push_back(factor * (sum->coefficient(k) * sum->term(k)));
    }
    std::vector<Expr> result;
    for (const auto& [number, term] : found)
      if (!number.is_zero()) result.push_back(number * term);
    return result;
  }
  std::optional<Expr> sum_to_spread(Expr e) const {
    e = Multiple(e).term;
    if (e.kind() != Kind::product) return std::nullopt;
    for (std::size_t k = 0; k < e.size(); ++k)
      if (e.base(k).kind() == Kind::sum && e.exponent(k).is_one() && has_indices(e)) return e.base(k);
    return std::nullopt;
  }
  bool has_indices(Expr e) const {
    return std::ranges::any_of(free_symbols(e), [&](Expr s) {
      const auto parts = text::numbered_name(s.name());
      return parts && ranges_.contains(parts->stem);
    });
  }

  Expr spelled(const text::NumberedName& parts, const std::string& index) const {
    return context_.symbol(without_underscore(parts.stem) + "_" + index + parts.marks);
  }

  // Of sides of equations about first, first + 1, …; or of one sum. Their terms stand apart.
  std::optional<std::vector<SumOfTerms>> sums_of(std::span<const std::vector<Expr>> sides,
                                                 std::optional<long> first) const {
    struct Found {
      Expr term;
      int where = 0;  // −1: j < i, 1: j > i, 0: no i or no j
      std::vector<PointOfTerm> points;
    };
    std::vector<Found> all;  // in the order of reading
    std::map<std::pair<Expr, int>, std::size_t> known;
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const std::optional<long> own = first ? std::optional(*first + static_cast<long>(k)) : std::nullopt;
      for (const Expr e : sides[k]) {
        const auto pattern = pattern_of(e, own);
        if (!pattern) return std::nullopt;
        const int where = pattern->i && pattern->j ? (*pattern->j < *pattern->i ? -1 : 1) : 0;
        const auto [place, fresh] = known.emplace(std::pair(pattern->term, where), all.size());
        if (fresh) all.push_back({pattern->term, where, {}});
        all[place->second].points.push_back({pattern->i.value_or(0), pattern->j.value_or(0), pattern->factor});
      }
    }
    const long last = first ? *first + static_cast<long>(sides.size()) - 1 : 0;
    std::vector<SumOfTerms> result;
    for (const Found& f : all) {
      const auto affine = fitted(f.points);
      if (!affine) return std::nullopt;
      const auto sum = with_range(f.term, f.where, f.points, *affine, first, last);
      if (!sum) return std::nullopt;
      result.push_back(*sum);
    }
    take_diagonals(result);
    return result;
  }

  // All j that there are, or all below or above i, for all i; none is missing.
  std::optional<SumOfTerms> with_range(Expr term, int where, const std::vector<PointOfTerm>& points,
                                       const Affine& affine, std::optional<long> first, long last) const {
    using Range = SumOfTerms::Range;
    SumOfTerms sum{Range::alone, 0, 0, affine, term};
    std::set<std::pair<long, long>> there;
    sum.first = sum.last = points.front().j;
    for (const PointOfTerm& p : points) {
      there.emplace(p.i, p.j);
      sum.first = std::min(sum.first, p.j);
      sum.last = std::max(sum.last, p.j);
    }
    if (there.size() != points.size()) return std::nullopt;
    const bool over_j = points.front().j != 0 || where != 0;
    std::size_t expected = 0;
    if (!over_j) {
      expected = first ? static_cast<std::size_t>(last - *first + 1) : 1;
    } else if (where == 0) {
      if (first) return std::nullopt;  // j without i in one of many equations has i beside it elsewhere
      sum.range = Range::all;
      expected = static_cast<std::size_t>(sum.last - sum.first + 1);
    } else {
      long from = first.value_or(0), to = last;
      if (!first) {  // pairs i < j of one sum
        from = to = points.front().i;
        for (const PointOfTerm& p : points) {
          from = std::min(from, p.i);
          to = std::max(to, p.i);
        }
        sum.over_i = true;
        sum.first_i = from;
        if (to != sum.last - 1) return std::nullopt;
      }
      const bool next_to_i = std::ranges::all_of(points, [&](const PointOfTerm& p) { return p.j == p.i + where; });
      if (first && next_to_i && points.size() == static_cast<std::size_t>(last - *first + 1)) {
        // neighbours, by the index of the equation
        sum.first = sum.last = 0;
        sum.factor = {affine.constant + affine.of_j * Rational(where), affine.of_i + affine.of_j, 0};
        sum.pattern = with_index(term, names_[1], next_to(where));
        return sum;
      }
      sum.range = where < 0 ? Range::below_i : Range::above_i;
      for (long i = from; i <= to; ++i) {
        const long begin = where < 0 ? sum.first : i + 1, end = where < 0 ? i - 1 : sum.last;
        for (long j = begin; j <= end; ++j) {
          if (!there.contains({i, j})) return std::nullopt;
          ++expected;
        }
      }
    }
    return expected == points.size() ? std::optional(sum) : std::nullopt;
  }

  // What stands alone with i may be the case j = i of a sum.
  void take_diagonals(std::vector<SumOfTerms>& sums) const {
    using Range = SumOfTerms::Range;
    for (SumOfTerms& sum : sums) {
      if (sum.range != Range::below_i && sum.range != Range::above_i) continue;
      const std::optional<Expr> at_i = at_equal_indices(sum.pattern);
      if (!at_i || at_i->is_zero()) continue;
      const Multiple multiple(*at_i);
      const auto& [number, diagonal] = multiple;
      for (std::size_t k = 0; k < sums.size(); ++k) {
        if (sums[k].range != Range::alone || sums[k].pattern != diagonal) continue;
        const Affine there{sum.factor.constant * number, (sum.factor.of_i + sum.factor.of_j) * number, 0};
        if (!(there == sums[k].factor)) continue;
        sum.range = sum.range == Range::below_i ? Range::up_to_i : Range::from_i;
        sums[k].pattern = context_.number(0);
        break;
      }
    }
    std::erase_if(sums, [](const SumOfTerms& s) { return s.pattern.is_zero(); });
    // nor does it matter where a term is nothing at j = i
    for (SumOfTerms& sum : sums) {
      if (sum.range != Range::below_i && sum.range != Range::above_i) continue;
      const Range with_i = sum.range == Range::below_i ? Range::up_to_i : Range::from_i;
      const bool beside = std::ranges::any_of(sums, [&](const SumOfTerms& o) {
        return o.range == with_i && (o.factor == sum.factor || o.factor == negative(sum.factor));
      });
      const std::optional<Expr> at_i = at_equal_indices(sum.pattern);
      if (beside && at_i && at_i->is_zero()) sum.range = with_i;
    }
  }
  // Nothing where something is divided by a difference of the two.
  std::optional<Expr> at_equal_indices(Expr pattern) const {
    try {
      return with_index(pattern, names_[1], names_[0]);
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  Expr with_index(Expr pattern, const std::string& from, const std::string& to) const {
    std::vector<Replacement> list;
    for (const Expr s : free_symbols(pattern))
      if (const auto other = renamed(s, from, to)) list.emplace_back(s, *other);
    return substitute(pattern, list);
  }
  // (i-1), (i+1)
  std::string next_to(int by) const { return "(" + names_[0] + (by < 0 ? "-1)" : "+1)"); }
  // a_j'' as a_i''
  std::optional<Expr> renamed(Expr symbol, const std::string& from, const std::string& to) const {
    const std::string name(symbol.name());
    const std::size_t end = name.find_last_not_of('\'') + 1, begin = name.rfind('_', end);
    if (begin == std::string::npos || name.substr(begin + 1, end - begin - 1) != from) return std::nullopt;
    const auto stem = stems_.find(name.substr(0, begin));
    if (stem == stems_.end()) return std::nullopt;
    const bool number = std::isdigit(static_cast<unsigned char>(to[0])) != 0 || to[0] == '-';
    return context_.symbol((number ? stem->second : stem->first + "_") + to + name.substr(end));
  }

  // Sums over the same with the same factor are one.
  std::vector<Expr> written(const std::vector<SumOfTerms>& sums) const {
    using Range = SumOfTerms::Range;
    std::vector<Expr> result;
    std::vector<bool> done(sums.size(), false);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (done[k]) continue;
      const SumOfTerms& s = sums[k];
      const Expr factor = context_.number(s.factor.constant) + s.factor.of_i * i_ + s.factor.of_j * j_;
      if (s.range == Range::all && s.first == s.last) {
        result.push_back(s.factor.at(0, s.first) * at(s.pattern, 0, s.first));
        continue;
      }
      std::vector<Expr> patterns;
      for (std::size_t other = k; other < sums.size(); ++other) {
        const SumOfTerms& o = sums[other];
        if (o.range != s.range || o.first != s.first || o.last != s.last || o.over_i != s.over_i ||
            o.first_i != s.first_i)
          continue;
        const bool same = o.factor == s.factor, opposite = o.factor == negative(s.factor);
        if (!same && !opposite) continue;
        done[other] = true;
        patterns.push_back(same ? o.pattern : -o.pattern);
      }
      const Expr inside = Simplifier(effort_of_patterns).simplify(context_.sum(patterns));
      if (s.range == Range::alone) {
        result.push_back(factor * inside);
        continue;
      }
      const Expr outer = s.over_i
                             ? sum_over(context_, 1, names_[0], std::to_string(s.first_i), std::to_string(s.last - 1))
                             : context_.number(1);
      result.push_back(outer * sign_of(s) * factor * inside);
    }
    return result;
  }
  static constexpr double effort_of_patterns = 0.1;

  Expr sign_of(const SumOfTerms& s) const {
    using Range = SumOfTerms::Range;
    const std::string first = std::to_string(s.first), last = std::to_string(s.last);
    const std::string &i = names_[0], &j = names_[1];
    switch (s.range) {
      case Range::up_to_i: return sum_over(context_, 2, j, first, i);
      case Range::below_i: return sum_over(context_, 2, j, first, i + "-1");
      case Range::from_i: return sum_over(context_, 2, j, i, last);
      case Range::above_i: return sum_over(context_, 2, j, i + "+1", last);
      default: return sum_over(context_, 2, j, first, last);
    }
  }

  // Written out again, at i.
  Expr expanded(const std::vector<SumOfTerms>& sums, long own) const {
    using Range = SumOfTerms::Range;
    std::vector<Expr> all;
    for (const SumOfTerms& s : sums) {
      const long outer_first = s.over_i ? s.first_i : own, outer_last = s.over_i ? s.last - 1 : own;
      for (long i = outer_first; i <= outer_last; ++i) {
        const long begin = s.range == Range::above_i ? i + 1 : s.range == Range::from_i ? i : s.first;
        const long end = s.range == Range::below_i ? i - 1 : s.range == Range::up_to_i ? i : s.last;
        for (long j = begin; j <= end; ++j) all.push_back(s.factor.at(i, j) * at(s.pattern, i, j));
      }
    }
    return context_.sum(all);
  }
  Expr at(Expr e, long i, long j) const {
    std::vector<Replacement> list;
    for (const Expr s : free_symbols(e)) {
      if (const auto other = renamed(s, names_[0], std::to_string(i))) list.emplace_back(s, *other);
      if (const auto other = renamed(s, names_[1], std::to_string(j))) list.emplace_back(s, *other);
      for (const int by : {-1, 1})
        if (const auto other = renamed(s, next_to(by), std::to_string(i + by))) list.emplace_back(s, *other);
    }
    return substitute(e, list);
  }

  System system_;
  Context& context_;
  std::map<std::string, std::pair<long, long>> ranges_;  // by stem
  std::map<std::string, std::string> stems_;             // as they are spelled with letters: x of x_1 and of x1
  std::vector<std::string> names_;                       // of i and j
  Expr i_, j_;
};

}  // namespace

namespace {

std::vector<Expr> all_terms(const std::vector<WrittenEquation>& equations) {
  std::vector<Expr> all;
  for (const WrittenEquation& e : equations)
    for (const auto* side : {&e.left, &e.right}) all.insert(all.end(), side->begin(), side->end());
  return all;
}

bool are_many(std::size_t count) { return count >= static_cast<std::size_t>(fewest); }

}  // namespace

bool has_links(const System& system, std::size_t equations) {
  return are_many(equations) && !Families(system, {}).nothing_has_indices();
}

std::vector<WrittenFamily> families_of(const System& system, const std::vector<WrittenEquation>& equations) {
  if (!has_links(system, equations.size())) return {};
  std::vector<WrittenFamily> result = Families(system, all_terms(equations)).run(equations);
  double before = 0, after = 0;
  for (const WrittenEquation& e : equations) before += length_of(e.left) + length_of(e.right);
  for (const WrittenFamily& f : result) after += length_of(f.equation.left) + length_of(f.equation.right);
  if (after > beside_written_out * before) result.clear();
  return result;
}

std::vector<Expr> sums_over_indices(const System& system, const std::vector<Expr>& terms) {
  if (!has_links(system, terms.size())) return {};
  std::vector<Expr> result = Families(system, terms).sums(terms, most_terms_of_pairs);
  return result == terms ? std::vector<Expr>() : result;
}

Expr sum_over(Context& context, int place, std::string_view index, std::string_view from, std::string_view to) {
  return context.symbol("$sum" + std::to_string(place) + "(" + std::string(index) + "," + std::string(from) + "," +
                        std::string(to) + ")");
}

}  // namespace cetaev
