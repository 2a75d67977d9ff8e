#include "names.hpp"

#include <algorithm>
#include <utility>

#include "syntax.hpp"
#include "unicode.hpp"

namespace cetaev::model {
namespace {

std::u32string code_points(std::string_view text) {
  std::u32string result;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = decode(text, i);
    result += c.value;
    i += std::max(1u, c.bytes);
  }
  return result;
}

char32_t lower(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; }

// Insertions, deletions, substitutions and swaps of neighbours; a difference of case counts as half of one. In halves.
std::size_t edit_distance(const std::u32string& a, const std::u32string& b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = 2 * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = 2 * i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      row[j] = std::min({previous[j - 1] + change, previous[j] + 2, row[j - 1] + 2});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 2);
    }
    std::swap(before, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

// theta for θ and the other way round.
std::string_view greek(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> letters[] = {
      {"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},  {"epsilon", "ε"}, {"zeta", "ζ"},  {"eta", "η"},
      {"theta", "θ"}, {"iota", "ι"},  {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},      {"nu", "ν"},    {"xi", "ξ"},
      {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},   {"phi", "φ"},    {"chi", "χ"},     {"psi", "ψ"},   {"omega", "ω"},
      {"Phi", "Φ"},   {"Omega", "Ω"}, {"Psi", "Ψ"},   {"Theta", "Θ"},  {"Gamma", "Γ"},   {"Delta", "Δ"},
  };
  for (const auto& [name, letter] : letters) {
    if (text == name) return letter;
    if (text == letter) return name;
  }
  return {};
}

}  // namespace

std::string_view kind_name(NameKind kind) {
  switch (kind) {
    case NameKind::coordinate: return "a coordinate";
    case NameKind::parameter: return "a parameter";
    case NameKind::point: return "a point";
    case NameKind::definition: return "a definition";
    case NameKind::time: return "the time";
    case NameKind::pi: return "the number pi";
    case NameKind::function: return "a function";
  }
  return "a name";
}

Names::Names(Context& context, Expr time) {
  for (const std::string_view name : function_names()) add(name, NameKind::function, 0, {});
  add("t", NameKind::time, 0, Quantity::scalar(time));
  add("pi", NameKind::pi, 0, Quantity::scalar(context.pi()));
}

bool Names::add(std::string_view name, NameKind kind, std::size_t index, const Quantity& value) {
  const bool added = entries_.emplace(std::string(name), Entry{kind, index, value}).second;
  if (added) order_.emplace_back(name);
  return added;
}

void Names::set_value(std::string_view name, const Quantity& value) { entries_.at(std::string(name)).value = value; }

const Names::Entry* Names::find(std::string_view name) const {
  const auto found = entries_.find(std::string(name));
  return found == entries_.end() ? nullptr : &found->second;
}

std::string Names::suggestion(std::string_view unknown, bool functions_only) const {
  std::vector<std::string> candidates;
  // The names of the model before those of the language.
  for (const bool functions : {false, true})
    for (const std::string& name : order_)
      if ((find(name)->kind == NameKind::function) == functions && (functions || !functions_only))
        candidates.push_back(name);
  if (!functions_only) {
    // x_dot and xdot for x'
    for (const auto& [ending, primes] : {std::pair{"ddot", "''"}, std::pair{"dot", "'"}}) {
      if (!unknown.ends_with(ending)) continue;
      std::string_view stem = unknown.substr(0, unknown.size() - std::string_view(ending).size());
      if (stem.ends_with('_')) stem.remove_suffix(1);
      const Entry* entry = find(stem);
      if (entry != nullptr && entry->kind != NameKind::function) return std::string(stem) + primes;
    }
  }
  return closest(unknown, candidates);
}

std::string closest(std::string_view wrong, std::span<const std::string> candidates) {
  const std::string_view letter = greek(wrong);
  for (const std::string& candidate : candidates)
    if (!letter.empty() && candidate == letter) return candidate;

  constexpr std::size_t longest = 64;
  if (wrong.size() > longest) return {};
  const std::u32string word = code_points(wrong);
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::u32string other = code_points(candidate);
    const std::size_t length = std::min(word.size(), other.size());
    // One letter in three may be wrong; of a single letter only its case.
    const std::size_t most = length < 2 ? 1 : 2 * std::max<std::size_t>(1, (std::max(word.size(), other.size())) / 3);
    const std::size_t distance = edit_distance(word, other);
    if (distance <= most && (best == nullptr || distance < best_distance)) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::string() : *best;
}

}  // namespace cetaev::model
