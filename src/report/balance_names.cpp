#include "balance_names.hpp"

#include <algorithm>
#include <array>

#include "latex_text.hpp"
#include "mathml.hpp"

namespace cetaev {

namespace {

struct BalanceName {
  std::string_view plain, unicode, latex, mathml;
};

// ∂above/∂below
#define CETAEV_PARTIAL(above, below) "<mfrac><mrow><mo>∂</mo>" above "</mrow><mrow><mo>∂</mo>" below "</mrow></mfrac>"
#define CETAEV_SUM(index) "<munder><mo movablelimits=\"false\">∑</mo><mi>" index "</mi></munder>"
#define CETAEV_INDEXED(letter, index) "<msub>" letter "<mi>" index "</mi></msub>"
#define CETAEV_BAR(letter) "<mover accent=\"true\"><mi>" letter "</mi><mo>¯</mo></mover>"
#define CETAEV_STAR(letter) "<msup><mi>" letter "</mi><mo>*</mo></msup>"

constexpr std::array<BalanceName, 8> balance_names = {{
    {"-dL/dt", "−∂L/∂t", "-\\frac{\\partial L}{\\partial t}",
     "<mo form=\"prefix\">−</mo>" CETAEV_PARTIAL("<mi>L</mi>", "<mi>t</mi>")},
    {"-dL*/dt", "−∂L*/∂t", "-\\frac{\\partial L^*}{\\partial t}",
     "<mo form=\"prefix\">−</mo>" CETAEV_PARTIAL(CETAEV_STAR("L"), "<mi>t</mi>")},
    {"lambda J v", "λᵀJ v", "\\lambda^{\\mathsf{T}}J v",
     "<msup><mi>λ</mi><mi mathvariant=\"normal\">T</mi></msup><mi>J</mi><mi>v</mi>"},
    {"F v", "F·v", "F\\cdot v", "<mi>F</mi><mo>·</mo><mi>v</mi>"},
    {"sum (alphabar - alpha) dL*/dq_dep", "Σ (ᾱ − α) ∂L*/∂q",
     "\\sum_\\nu (\\bar{\\alpha}_\\nu - \\alpha_\\nu)\\frac{\\partial L^*}{\\partial q_\\nu}",
     CETAEV_SUM("ν") "<mrow><mo>(</mo>" CETAEV_INDEXED(CETAEV_BAR("α"), "ν") "<mo>−</mo>" CETAEV_INDEXED(
         "<mi>α</mi>", "ν") "<mo>)</mo></mrow>" CETAEV_PARTIAL(CETAEV_STAR("L"), CETAEV_INDEXED("<mi>q</mi>", "ν"))},
    {"sum Bbar p", "Σ B̄ p", "\\sum_\\nu \\bar{B}_\\nu p_\\nu",
     CETAEV_SUM("ν") CETAEV_INDEXED(CETAEV_BAR("B"), "ν") CETAEV_INDEXED("<mi>p</mi>", "ν")},
    {"sum v_r (F_r + gamma F_dep)", "Σ v (F + γᵀF)", "\\sum_r v_r\\bigl(F_r + \\sum_\\nu \\gamma_{\\nu r}F_\\nu\\bigr)",
     CETAEV_SUM("r")
         CETAEV_INDEXED("<mi>v</mi>", "r") "<mrow><mo>(</mo>" CETAEV_INDEXED("<mi>F</mi>", "r") "<mo>+</mo>" CETAEV_SUM(
             "ν") "<msub><mi>γ</mi><mrow><mi>ν</mi><mi>r</mi></mrow></msub>" CETAEV_INDEXED("<mi>F</mi>",
                                                                                            "ν") "<mo>)</mo></mrow>"},
    {"E* - E", "E* − E", "E^* - E", CETAEV_STAR("E") "<mo>−</mo><mi>E</mi>"},
}};
#undef CETAEV_PARTIAL
#undef CETAEV_SUM
#undef CETAEV_INDEXED
#undef CETAEV_BAR
#undef CETAEV_STAR

}  // namespace

std::string left_side(Typesetter& typeset, const WrittenDefinition& definition) {
  using DefinitionKind = WrittenDefinition::Kind;
  const std::string& symbol = definition.symbol;
  if (definition.kind == DefinitionKind::velocity || definition.kind == DefinitionKind::quasi ||
      definition.kind == DefinitionKind::name || definition.kind == DefinitionKind::where) {
    return typeset.name(symbol);
  }
  for (const BalanceName& name : balance_names) {
    if (name.plain != symbol) continue;
    switch (typeset.notation()) {
      case Notation::ascii: return symbol;
      case Notation::unicode: return std::string(name.unicode);
      case Notation::mathml: return std::string(name.mathml);
      default: return std::string(name.latex);
    }
  }
  if (symbol.find(' ') != std::string::npos) {
    if (typeset.notation() == Notation::mathml) return "<mtext>" + html_text(symbol) + "</mtext>";
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
    const bool elements = typeset.notation() == Notation::mathml;
    const std::string_view minus = typeset.notation() == Notation::unicode ? "−"
                                   : elements                              ? "<mo form=\"prefix\">−</mo>"
                                                                           : "-";
    if (sum.empty()) {
      sum = name;
    } else if (name.starts_with(minus)) {
      sum += (elements ? "<mo>−</mo>" : " " + std::string(minus) + " ") + name.substr(minus.size());
    } else {
      sum += (elements ? "<mo>+</mo>" : " + ") + name;
    }
  }
  return sum;
}

std::string transposition(Typesetter& typeset, const std::string& coordinate) {
  const std::string q = typeset.name("$delta " + coordinate), v = typeset.name("$delta " + coordinate + "'");
  switch (typeset.notation()) {
    case Notation::ascii: return "delta(" + typeset.name(coordinate + "'") + ") - (" + q + ")'";
    case Notation::unicode: return v + " − (" + q + ")˙";
    case Notation::mathml: return v + "<mo>−</mo><msup><mrow><mo>(</mo>" + q + "<mo>)</mo></mrow><mo>·</mo></msup>";
    default: return v + " - (" + q + ")^{\\boldsymbol{\\cdot}}";
  }
}

}  // namespace cetaev
