#include "cetaev/detail/text/closest.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "cetaev/detail/text/utf8.hpp"

namespace cetaev::text {
namespace {

char32_t lower(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; }

std::size_t distance_of(const std::u32string& a, const std::u32string& b) {
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

std::size_t edit_distance(std::string_view a, std::string_view b) {
  return distance_of(code_points(a), code_points(b));
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
    if (candidate.size() > longest || candidate == wrong) continue;  // the name itself is no help
    const std::u32string other = code_points(candidate);
    const std::size_t length = std::min(word.size(), other.size());
    // One letter in three may be wrong; of a single letter only its case.
    const std::size_t most = length < 2 ? 1 : 2 * std::max<std::size_t>(1, (std::max(word.size(), other.size())) / 3);
    const std::size_t distance = distance_of(word, other);
    if (distance <= most && (best == nullptr || distance < best_distance)) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::string() : *best;
}

}  // namespace cetaev::text
