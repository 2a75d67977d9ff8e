// Greek letters: their names in Latin letters, the characters, the LaTeX commands.
#pragma once

#include <array>
#include <string_view>

namespace cetaev {

struct GreekLetter {
  std::string_view name;  // empty: a variant without a name of its own
  char32_t letter;
  std::string_view latex;
};

// phi is φ and \varphi, epsilon ε and \varepsilon; the letters ϕ and ϵ give \phi and \epsilon.
inline constexpr std::array<GreekLetter, 54> greek_letters = {{
    {"alpha", U'α', "\\alpha"},
    {"beta", U'β', "\\beta"},
    {"gamma", U'γ', "\\gamma"},
    {"delta", U'δ', "\\delta"},
    {"epsilon", U'ε', "\\varepsilon"},
    {"zeta", U'ζ', "\\zeta"},
    {"eta", U'η', "\\eta"},
    {"theta", U'θ', "\\theta"},
    {"iota", U'ι', "\\iota"},
    {"kappa", U'κ', "\\kappa"},
    {"lambda", U'λ', "\\lambda"},
    {"mu", U'μ', "\\mu"},
    {"nu", U'ν', "\\nu"},
    {"xi", U'ξ', "\\xi"},
    {"omicron", U'ο', "\\mathit{o}"},
    {"pi", U'π', "\\pi"},
    {"rho", U'ρ', "\\rho"},
    {"sigma", U'σ', "\\sigma"},
    {"tau", U'τ', "\\tau"},
    {"upsilon", U'υ', "\\upsilon"},
    {"phi", U'φ', "\\varphi"},
    {"chi", U'χ', "\\chi"},
    {"psi", U'ψ', "\\psi"},
    {"omega", U'ω', "\\omega"},
    {"Alpha", U'Α', "\\mathrm{A}"},
    {"Beta", U'Β', "\\mathrm{B}"},
    {"Gamma", U'Γ', "\\Gamma"},
    {"Delta", U'Δ', "\\Delta"},
    {"Epsilon", U'Ε', "\\mathrm{E}"},
    {"Zeta", U'Ζ', "\\mathrm{Z}"},
    {"Eta", U'Η', "\\mathrm{H}"},
    {"Theta", U'Θ', "\\Theta"},
    {"Iota", U'Ι', "\\mathrm{I}"},
    {"Kappa", U'Κ', "\\mathrm{K}"},
    {"Lambda", U'Λ', "\\Lambda"},
    {"Mu", U'Μ', "\\mathrm{M}"},
    {"Nu", U'Ν', "\\mathrm{N}"},
    {"Xi", U'Ξ', "\\Xi"},
    {"Omicron", U'Ο', "\\mathrm{O}"},
    {"Pi", U'Π', "\\Pi"},
    {"Rho", U'Ρ', "\\mathrm{P}"},
    {"Sigma", U'Σ', "\\Sigma"},
    {"Tau", U'Τ', "\\mathrm{T}"},
    {"Upsilon", U'Υ', "\\Upsilon"},
    {"Phi", U'Φ', "\\Phi"},
    {"Chi", U'Χ', "\\mathrm{X}"},
    {"Psi", U'Ψ', "\\Psi"},
    {"Omega", U'Ω', "\\Omega"},
    {"", U'ϕ', "\\phi"},
    {"", U'ϵ', "\\epsilon"},
    {"", U'ϑ', "\\vartheta"},
    {"", U'ϱ', "\\varrho"},
    {"", U'ς', "\\varsigma"},
    {"", U'µ', "\\mathrm{\\mu}"},  // the micro sign
}};

inline const GreekLetter* greek_by_name(std::string_view name) {
  for (const GreekLetter& g : greek_letters) {
    if (!g.name.empty() && g.name == name) return &g;
  }
  return nullptr;
}

inline const GreekLetter* greek_by_letter(char32_t letter) {
  for (const GreekLetter& g : greek_letters) {
    if (g.letter == letter) return &g;
  }
  return nullptr;
}

}  // namespace cetaev
