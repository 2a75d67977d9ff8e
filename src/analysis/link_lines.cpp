#include "link_lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

#include "cetaev/detail/analysis/free_names.hpp"
#include "cetaev/detail/formulation/link_by_link.hpp"
#include "multiple.hpp"

namespace cetaev {

namespace {

using Line = LinkByLink::Kind;

// On paper: a line that is read at a glance. What is used once is put where it is used as long as the line there is no longer.
constexpr double one_line = 60;

class Lines {
 public:
  Lines(const Setting& setting, LinkByLink links, const std::function<Expr(Expr)>& prepared)
      : system_(setting.system), lines_(std::move(links.lines)), motion_(std::move(links.motion)) {
    lagrangian_ = links.lagrangian;
    for (Expr* e : everything()) *e = prepared(*e);
  }

  LinkLines run(Simplifier& simplifier) {
    while (put_in_place()) {
    }
    for (auto& line : lines_) line.value = simplifier.simplify(line.value);
    while (put_in_place()) {  // lines that became short
    }
    spell();
    LinkLines result;
    for (const auto& line : lines_) {
      const bool velocity = line.kind == Line::velocity;
      (velocity ? result.w : result.inertial).push_back(line.symbol);
      (velocity ? result.velocities : result.others)
          .push_back({WrittenDefinition::Kind::where, std::string(line.symbol.name()), {}, {line.value}, ""});
    }
    result.motion = motion_;
    result.lagrangian = lagrangian_;
    return result;
  }

 private:
  // A symbol times a number, or a number.
  static bool is_short(Expr e) {
    const Expr term = Multiple(e).term;
    return e.is_number() || term.is_symbol() || term.is_number();
  }

  // Lines that nothing uses, that say nothing new, and that are used once. True where there was one.
  bool put_in_place() {
    std::unordered_map<const Node*, std::vector<std::size_t>> users;  // lines; behind them equations and the Lagrangian
    const std::vector<Expr*> all = everything();
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const Expr s : free_symbols(*all[i])) users[s.node()].push_back(i);
    std::vector<Replacement> list;
    std::set<std::size_t> touched, gone;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto& line = lines_[i];
      const auto& in = users[line.symbol.node()];
      const bool free = !touched.contains(i) && std::ranges::none_of(in, [&](std::size_t u) {
        return touched.contains(u) || gone.contains(u);
      });
      if (!free) continue;
      bool put = in.empty() || is_short(line.value);
      if (!put && in.size() == 1) {
        const std::array<Replacement, 1> one = {Replacement{line.symbol, line.value}};
        const double before = length_on_paper(*all[in[0]]), own = length_on_paper(line.value);
        const double after = length_on_paper(substitute(*all[in[0]], one));
        put = after <= one_line && after <= before + own + 2;  // parentheses
      }
      if (!put) continue;
      list.emplace_back(line.symbol, line.value);
      gone.insert(i);
      touched.insert(i);
      touched.insert(in.begin(), in.end());
    }
    if (gone.empty()) return false;
    for (Expr* e : all) *e = substitute(*e, list);
    std::vector<LinkByLink::Line> left;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!gone.contains(i)) left.push_back(lines_[i]);
    lines_ = std::move(left);
    return true;
  }

  std::vector<Expr*> everything() {
    std::vector<Expr*> all;
    for (auto& line : lines_) all.push_back(&line.value);
    for (Expr& e : motion_) all.push_back(&e);
    all.push_back(&lagrangian_);
    return all;
  }

  // A stem with which neither the model nor what came before has a name; `stems` goes on with underscores.
  static std::string stem(FreeNames& free, std::initializer_list<const char*> stems, std::size_t most) {
    for (std::string tail;; tail += "_") {
      for (const char* first : stems) {
        const std::string candidate = first + tail;
        bool taken = free.is_taken(candidate);
        for (std::size_t i = 0; i <= most && !taken; ++i) taken = free.is_taken(candidate + std::to_string(i));
        if (taken) continue;
        free.take(candidate);
        return candidate;
      }
    }
  }

  void spell() {
    std::map<std::size_t, std::size_t> number;
    for (const bool velocity : {true, false})
      for (const auto& line : lines_)
        if ((line.kind == Line::velocity) == velocity) number.try_emplace(line.of, number.size() + 1);
    FreeNames free(system_);
    const std::size_t most = number.size();
    const std::string w = stem(free, {"w", "v", "s"}, most), p = stem(free, {"p", "P", "h"}, most),
                      f = stem(free, {"f", "F", "k"}, most);
    std::vector<Replacement> list;
    for (auto& line : lines_) {
      const std::string digits = std::to_string(number.at(line.of));
      const std::string name = line.kind == Line::velocity ? w + digits
                               : line.kind == Line::rate   ? w + digits + "'"
                               : line.kind == Line::force  ? f + digits
                                                           : p + digits;
      const Expr symbol = system_->context->symbol("$" + name);
      list.emplace_back(line.symbol, symbol);
      line.symbol = symbol;
    }
    for (Expr* e : everything()) *e = substitute(*e, list);
  }

  System system_;
  std::vector<LinkByLink::Line> lines_;
  std::vector<Expr> motion_;
  Expr lagrangian_;
};

}  // namespace

std::optional<LinkLines> link_lines(const Setting& setting, Simplifier& simplifier,
                                    const std::function<Expr(Expr)>& prepared) {
  std::optional<LinkByLink> links = link_by_link(setting);
  if (!links) return std::nullopt;
  return Lines(setting, std::move(*links), prepared).run(simplifier);
}

}  // namespace cetaev
