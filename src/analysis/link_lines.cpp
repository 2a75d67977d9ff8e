#include "link_lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

#include "cetaev/detail/formulation/link_by_link.hpp"
#include "short_lines.hpp"

namespace cetaev {

namespace {

using Line = LinkByLink::Kind;

class Lines {
 public:
  Lines(const Setting& setting, LinkByLink links, const std::function<Expr(Expr)>& prepared)
      : system_(setting.system), lines_(std::move(links.lines)), motion_(std::move(links.motion)) {
    lagrangian_ = links.lagrangian;
    for (Expr* e : everything()) *e = prepared(*e);
  }

  LinkLines run(Simplifier& simplifier) {
    put_lines_in_place();
    for (auto& line : lines_) line.value = simplifier.simplify(line.value);
    put_lines_in_place();  // what became short
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
  void put_lines_in_place() {
    std::vector<Expr> names;
    for (const auto& line : lines_) names.push_back(line.symbol);
    const std::set<std::size_t> gone = put_in_place(names, everything());
    std::vector<LinkByLink::Line> left;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!gone.contains(i)) left.push_back(lines_[i]);
    lines_ = std::move(left);
  }

  std::vector<Expr*> everything() {
    std::vector<Expr*> all;
    for (auto& line : lines_) all.push_back(&line.value);
    for (Expr& e : motion_) all.push_back(&e);
    all.push_back(&lagrangian_);
    return all;
  }

  void spell() {
    std::map<std::size_t, std::size_t> number;
    for (const bool velocity : {true, false})
      for (const auto& line : lines_)
        if ((line.kind == Line::velocity) == velocity) number.try_emplace(line.of, number.size() + 1);
    FreeNames free(system_);
    const std::size_t most = number.size();
    const std::string w = free_stem(free, {"w", "v", "z"}, most), p = free_stem(free, {"p", "P", "h"}, most),
                      f = free_stem(free, {"f", "F", "k"}, most);
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

LinkLines without(LinkLines lines, std::span<const Expr> reactions) {
  std::vector<Replacement> none;
  for (const Expr e : reactions) none.emplace_back(e, e.context().zero());
  std::vector<Expr*> formulas;
  for (WrittenDefinition& line : lines.others) formulas.push_back(&line.value.front());
  for (Expr& e : lines.motion) formulas.push_back(&e);
  for (Expr* e : formulas) *e = substitute(*e, none);
  const std::set<std::size_t> gone = put_in_place(lines.inertial, formulas);
  LinkLines result = lines;
  result.others.clear();
  result.inertial.clear();
  for (std::size_t i = 0; i < lines.others.size(); ++i) {
    if (gone.contains(i)) continue;
    result.others.push_back(lines.others[i]);
    result.inertial.push_back(lines.inertial[i]);
  }
  return result;
}

}  // namespace cetaev
