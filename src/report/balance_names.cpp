#include "balance_names.hpp"

#include <algorithm>
#include <array>

#include "latex_text.hpp"

namespace cetaev {

namespace {

struct BalanceName {
  std::string_view plain, unicode, latex;
};

constexpr std::array<BalanceName, 8> balance_names = {{
    {"-dL/dt", "−∂L/∂t", "-\\frac{\\partial L}{\\partial t}"},
    {"-dL*/dt", "−∂L*/∂t", "-\\frac{\\partial L^*}{\\partial t}"},
    {"lambda J v", "λᵀJ v", "\\lambda^{\\mathsf{T}}J v"},
    {"F v", "F·v", "F\\cdot v"},
    {"sum (alphabar - alpha) dL*/dq_dep", "Σ (ᾱ − α) ∂L*/∂q",
     "\\sum_\\nu (\\bar{\\alpha}_\\nu - \\alpha_\\nu)\\frac{\\partial L^*}{\\partial q_\\nu}"},
    {"sum Bbar p", "Σ B̄ p", "\\sum_\\nu \\bar{B}_\\nu p_\\nu"},
    {"sum v_r (F_r + gamma F_dep)", "Σ v (F + γᵀF)",
     "\\sum_r v_r\\bigl(F_r + \\sum_\\nu \\gamma_{\\nu r}F_\\nu\\bigr)"},
    {"E* - E", "E* − E", "E^* - E"},
}};

}  // namespace

std::string left_side(Typesetter& typeset, const WrittenDefinition& definition) {
  using DefinitionKind = WrittenDefinition::Kind;
  const std::string& symbol = definition.symbol;
  if (definition.kind == DefinitionKind::velocity || definition.kind == DefinitionKind::quasi ||
      definition.kind == DefinitionKind::name) {
    return typeset.name(symbol);
  }
  for (const BalanceName& name : balance_names) {
    if (name.plain != symbol) continue;
    switch (typeset.notation()) {
      case Notation::ascii: return symbol;
      case Notation::unicode: return std::string(name.unicode);
      default: return std::string(name.latex);
    }
  }
  if (symbol.find(' ') != std::string::npos) {
    return typeset.notation() == Notation::latex ? "\\text{" + latex_text(symbol) + "}" : symbol;
  }
  return typeset.indexed(symbol, definition.indices);
}

bool is_zero_term(const WrittenDefinition& definition) {
  return definition.kind == WrittenDefinition::Kind::nonholonomic &&
         std::all_of(definition.value.begin(), definition.value.end(), [](Expr e) { return e.is_zero(); });
}

std::string equal(const std::vector<std::string>& symbols, const std::string& stem, const std::string& others) {
  constexpr std::size_t few = 5;
  if (symbols.size() > few) return others + stem;
  std::string text;
  for (const std::string& symbol : symbols) text += (text.empty() ? "" : " = ") + symbol;
  return text;
}

bool is_rate(const WrittenDefinition& definition) {
  return definition.kind == WrittenDefinition::Kind::energy && definition.symbol.ends_with('\'') &&
         definition.value.empty() && !definition.comment.empty();
}

std::string rate(Typesetter& typeset, const std::vector<WrittenDefinition>& list, std::size_t at) {
  std::string sum;
  for (std::size_t i = at + 1; i < list.size(); ++i) {
    if (list[i].kind != WrittenDefinition::Kind::energy || list[i].comment.empty() || is_rate(list[i])) break;
    const std::string name = left_side(typeset, list[i]);
    const std::string_view minus = typeset.notation() == Notation::unicode ? "−" : "-";
    if (sum.empty()) {
      sum = name;
    } else if (name.starts_with(minus)) {
      sum += " " + std::string(minus) + " " + name.substr(minus.size());
    } else {
      sum += " + " + name;
    }
  }
  return sum;
}

std::string transposition(Typesetter& typeset, const std::string& coordinate) {
  const std::string q = typeset.name("$delta " + coordinate), v = typeset.name("$delta " + coordinate + "'");
  switch (typeset.notation()) {
    case Notation::ascii: return "delta(" + typeset.name(coordinate + "'") + ") - (" + q + ")'";
    case Notation::unicode: return v + " − (" + q + ")˙";
    default: return v + " - (" + q + ")^{\\boldsymbol{\\cdot}}";
  }
}

}  // namespace cetaev
