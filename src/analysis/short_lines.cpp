#include "short_lines.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "cetaev/detail/algebra/simplify.hpp"
#include "multiple.hpp"

namespace cetaev {

namespace {

// A symbol times a number, or a number.
bool is_short(Expr e) {
  const Expr term = Multiple(e).term;
  return e.is_number() || term.is_symbol() || term.is_number();
}

// Those of one round: none of them uses another.
std::set<std::size_t> one_round(std::span<const Expr> names, std::span<Expr* const> formulas,
                                const std::set<std::size_t>& gone) {
  std::unordered_map<const Node*, std::vector<std::size_t>> users;
  for (std::size_t i = 0; i < formulas.size(); ++i)
    if (!gone.contains(i))
      for (const Expr s : free_symbols(*formulas[i])) users[s.node()].push_back(i);
  std::vector<Replacement> list;
  std::set<std::size_t> touched, found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (gone.contains(i)) continue;
    const auto& in = users[names[i].node()];
    const Expr value = *formulas[i];
    const bool free =
        !touched.contains(i) && std::ranges::none_of(in, [&](std::size_t u) { return touched.contains(u); });
    if (!free) continue;
    bool put = in.empty() || is_short(value);
    if (!put && in.size() == 1) {
      const std::array<Replacement, 1> one = {Replacement{names[i], value}};
      const double before = length_on_paper(*formulas[in[0]]), own = length_on_paper(value);
      const double after = length_on_paper(substitute(*formulas[in[0]], one));
      put = after <= one_line && after <= before + own + 2;  // parentheses
    }
    if (!put) continue;
    list.emplace_back(names[i], value);
    found.insert(i);
    touched.insert(i);
    touched.insert(in.begin(), in.end());
  }
  std::vector<Expr*> changed;
  for (const std::size_t i : touched)
    if (!found.contains(i)) changed.push_back(formulas[i]);
  substitute_all(changed, list);
  return found;
}

}  // namespace

void substitute_all(std::span<Expr* const> formulas, std::span<const Replacement> list) {
  if (list.empty()) return;
  std::vector<Expr> all;
  for (const Expr* formula : formulas) all.push_back(*formula);
  all = substitute(all, list);
  for (std::size_t i = 0; i < all.size(); ++i) *formulas[i] = all[i];
}

std::set<std::size_t> put_in_place(std::span<const Expr> names, std::span<Expr* const> formulas) {
  std::set<std::size_t> gone;
  while (true) {
    const std::set<std::size_t> found = one_round(names, formulas, gone);
    if (found.empty()) return gone;
    gone.insert(found.begin(), found.end());
  }
}

std::string free_stem(FreeNames& free, std::initializer_list<const char*> stems, std::size_t most) {
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

}  // namespace cetaev
