#include "latex_text.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "cetaev/detail/text/utf8.hpp"
#include "greek.hpp"

namespace cetaev {

namespace {

// Letters with an accent and the letters below them, by the command of the accent.
struct Accent {
  std::string_view command;
  char32_t mark;
  std::u32string_view letters;
  std::string_view bases;
};

constexpr std::array<Accent, 12> accents = {{
    {"`", 0x300, U"ÀÈÌÒÙàèìòù", "AEIOUaeiou"},
    {"'", 0x301, U"ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹź", "AEIOUYaeiouyCcLlNnRrSsZz"},
    {"^", 0x302, U"ÂÊÎÔÛâêîôûĈĉĜĝĤĥĴĵŜŝŴŵŶŷ", "AEIOUaeiouCcGgHhJjSsWwYy"},
    {"~", 0x303, U"ÃÑÕãñõĨĩŨũ", "ANOanoIiUu"},
    {"=", 0x304, U"ĀāĒēĪīŌōŪū", "AaEeIiOoUu"},
    {"u", 0x306, U"ĂăĔĕĞğĬĭŎŏŬŭ", "AaEeGgIiOoUu"},
    {".", 0x307, U"ĊċĖėĠġİŻżȦȧẊẋẎẏẆẇ", "CcEeGgIZzAaXxYyWw"},
    {"\"", 0x308, U"ÄËÏÖÜäëïöüÿŸẌẍẄẅ", "AEIOUaeiouyYXxWw"},
    {"r", 0x30A, U"ÅåŮů", "AaUu"},
    {"H", 0x30B, U"ŐőŰű", "OoUu"},
    {"v", 0x30C, U"ČčĎďĚěŇňŘřŠšŤťŽž", "CcDdEeNnRrSsTtZz"},
    {"c", 0x327, U"ÇçŞşŢţ", "CcSsTt"},
}};

// й and ё are marked letters, ь and ъ signs.
constexpr std::u32string_view cyrillic = U"абвгдежзийклмнопрстуфхцчшщъыьэюя";
constexpr std::array<std::string_view, 32> transliteration = {
    "a",  "b", "v", "g",      "d",  "e", "\\v{z}", "z", "i", "j", "k",      "l",      "m",
    "n",  "o", "p", "r",      "s",  "t", "u",      "f", "h", "c", "\\v{c}", "\\v{s}", "\\v{s}\\v{c}",
    "''", "y", "'", "\\`{e}", "ju", "ja"};

const std::map<char32_t, std::string>& others() {
  static const std::map<char32_t, std::string> map = [] {
    std::map<char32_t, std::string> m = {
        {U'\\', "\\textbackslash{}"},
        {U'{', "\\{"},
        {U'}', "\\}"},
        {U'$', "\\$"},
        {U'&', "\\&"},
        {U'%', "\\%"},
        {U'#', "\\#"},
        {U'_', "\\_"},
        {U'^', "\\textasciicircum{}"},
        {U'~', "\\textasciitilde{}"},
        {U'<', "\\ensuremath{<}"},
        {U'>', "\\ensuremath{>}"},
        {U'|', "\\ensuremath{|}"},
        {U'*', "\\ensuremath{{}^*}"},
        {U'"', "''"},
        {0xA0, "~"},
        {U'–', "--"},
        {U'—', "---"},
        {U'‘', "`"},
        {U'’', "'"},
        {U'“', "``"},
        {U'”', "''"},
        {U'„', "``"},
        {U'«', "``"},
        {U'»', "''"},
        {U'…', "\\dots{}"},
        {U'ß', "\\ss{}"},
        {U'æ', "\\ae{}"},
        {U'Æ', "\\AE{}"},
        {U'œ', "\\oe{}"},
        {U'Œ', "\\OE{}"},
        {U'ø', "\\o{}"},
        {U'Ø', "\\O{}"},
        {U'ł', "\\l{}"},
        {U'Ł', "\\L{}"},
        {U'ı', "\\i{}"},
        {U'đ', "d"},
        {U'Đ', "D"},
        {U'ð', "d"},
        {U'þ', "th"},
        {U'Þ', "Th"},
        {U'ą', "a"},
        {U'ę', "e"},
        {U'Ą', "A"},
        {U'Ę', "E"},
        {U'ё', "\\\"{e}"},
        {U'Ё', "\\\"{E}"},
        {U'§', "\\S{}"},
        {U'©', "\\copyright{}"},
        {U'¿', "?`"},
        {U'¡', "!`"},
    };
    const std::map<char32_t, std::string> math = {
        {U'×', "\\times"},     {U'·', "\\cdot"},       {U'°', "{}^\\circ"},
        {U'½', "\\frac12"},    {U'¼', "\\frac14"},     {U'∂', "\\partial"},
        {U'∑', "\\sum"},       {U'√', "\\surd"},       {U'≤', "\\leq"},
        {U'≥', "\\geq"},       {U'≠', "\\neq"},        {U'→', "\\to"},
        {U'←', "\\leftarrow"}, {U'⇒', "\\Rightarrow"}, {U'⇔', "\\Leftrightarrow"},
        {U'−', "-"},           {U'±', "\\pm"},         {U'∞', "\\infty"},
        {U'≈', "\\approx"},    {U'∈', "\\in"},         {U'⊥', "\\perp"},
        {U'∥', "\\parallel"},  {U'∇', "\\nabla"},      {U'∫', "\\int"},
        {U'′', "{}'"},         {U'″', "{}''"},         {U'¹', "{}^1"},
        {U'²', "{}^2"},        {U'³', "{}^3"},         {U'⁻', "{}^-"},
        {U'ℓ', "\\ell"},       {U'≡', "\\equiv"},      {U'∝', "\\propto"},
        {U'ᵀ', "{}^T"},
    };
    for (const auto& [c, command] : math) m[c] = "\\ensuremath{" + command + "}";
    for (char32_t k = 0; k <= 9; ++k) {
      m[0x2080 + k] = fmt::format("\\ensuremath{{{{}}_{}}}", static_cast<int>(k));
      if (k != 1 && k != 2 && k != 3) m[0x2070 + k] = fmt::format("\\ensuremath{{{{}}^{}}}", static_cast<int>(k));
    }
    for (const GreekLetter& g : greek_letters) m[g.letter] = "\\ensuremath{" + std::string(g.latex) + "}";
    return m;
  }();
  return map;
}

std::string accented(std::string_view command, char base) {
  // the dot of i and j makes room
  const std::string below = base == 'i' || base == 'j' ? std::string("\\") + base : std::string(1, base);
  return fmt::format("\\{}{{{}}}", command, below);
}

std::string character(char32_t c) {
  if (c == U'\n' || c == U'\r' || c == U'\t') return " ";
  if (c < 0x20 || c == 0x7F || c == 0xFEFF || (c >= 0x200B && c <= 0x200F)) return "";
  if (const auto known = others().find(c); known != others().end()) return known->second;
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  for (const Accent& accent : accents) {
    const std::size_t at = accent.letters.find(c);
    if (at != std::u32string_view::npos) return accented(accent.command, accent.bases[at]);
  }
  const bool capital = c >= U'А' && c <= U'Я';
  const std::size_t at = cyrillic.find(capital ? c + (U'а' - U'А') : c);
  if (at != std::u32string_view::npos) {
    std::string text(transliteration[at]);
    for (char& letter : text) {
      // the first letter that is not part of a command
      if (!capital) break;
      if (letter >= 'a' && letter <= 'z' && !(letter == 'v' && text.size() > 2)) {
        letter = static_cast<char>(letter - 'a' + 'A');
        break;
      }
    }
    return text;
  }
  if (text::is_combining(c)) return "";
  return fmt::format("U+{:04X}", static_cast<unsigned>(c));
}

}  // namespace

std::string latex_text(std::string_view text) {
  const std::u32string points = text::code_points(text);
  std::string result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const char32_t c = points[i];
    const char32_t next = i + 1 < points.size() ? points[i + 1] : 0;
    const auto* accent = accents.begin();
    while (accent != accents.end() && accent->mark != next) ++accent;
    if (accent != accents.end() && ((c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'))) {
      result += accented(accent->command, static_cast<char>(c));
      ++i;
      continue;
    }
    result += character(c);
    // no ligatures: -- ,, << ?`
    const bool ligature = (c == U'-' && next == U'-') || (c == U'\'' && next == U'\'') || (c == U'`' && next == U'`') ||
                          ((c == U'?' || c == U'!') && next == U'`');
    if (ligature) result += "{}";
  }
  return result;
}

std::string latex_comment(std::string_view text) {
  std::string result;
  for (const char c : text) result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return result;
}

}  // namespace cetaev
