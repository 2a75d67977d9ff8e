#include "symbols.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "cetaev/detail/text/utf8.hpp"
#include "greek.hpp"
#include "latex_text.hpp"
#include "mathml.hpp"

namespace cetaev {

namespace {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_ascii_digit);
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(at, begin);
    parts.emplace_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

// x1_cm: the stem x, the indices 1 and cm. What has no such form is a word.
void split_indices(std::string_view name, NameParts& parts) {
  const std::vector<std::string> pieces = split(name, '_');
  std::string_view first = pieces[0];
  std::size_t letters = first.size();
  while (letters > 0 && is_ascii_digit(first[letters - 1])) --letters;
  const bool plain =
      letters > 0 &&
      std::none_of(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(letters), is_ascii_digit) &&
      std::none_of(pieces.begin(), pieces.end(), [](const std::string& p) { return p.empty(); });
  if (!plain) {
    parts.stem = name;
    return;
  }
  parts.stem = first.substr(0, letters);
  if (letters < first.size()) parts.indices.emplace_back(first.substr(letters));
  parts.indices.insert(parts.indices.end(), pieces.begin() + 1, pieces.end());
}

const GreekLetter* greek_of(std::string_view stem) {
  if (const GreekLetter* g = greek_by_name(stem)) return g;
  const std::u32string points = text::code_points(stem);
  return points.size() == 1 ? greek_by_letter(points[0]) : nullptr;
}

// One letter, perhaps with combining marks of its own.
bool is_letter(std::string_view stem) {
  const std::u32string points = text::code_points(stem);
  return points.size() == 1 || greek_of(stem) != nullptr;
}

std::string dotted(char32_t letter, std::size_t dots) {
  static constexpr std::u32string_view one_below = U"abcdefghmnoprstwxyzABCDEFGHIMNOPRSTWXYZ";
  static constexpr std::u32string_view one = U"ȧḃċḋėḟġḣṁṅȯṗṙṡṫẇẋẏżȦḂĊḊĖḞĠḢİṀṄȮṖṘṠṪẆẊẎŻ";
  static constexpr std::u32string_view two_below = U"aehiotuwxyAEHIOUWXY";
  static constexpr std::u32string_view two = U"äëḧïöẗüẅẍÿÄËḦÏÖÜẄẌŸ";
  const std::u32string_view below = dots == 1 ? one_below : two_below;
  const std::size_t at = dots == 1 || dots == 2 ? below.find(letter) : std::u32string_view::npos;
  if (at != std::u32string_view::npos) return text::utf8((dots == 1 ? one : two)[at]);
  std::string text = text::utf8(letter);
  if (dots == 1) text::append_utf8(text, 0x307);
  if (dots == 2) text::append_utf8(text, 0x308);
  if (dots == 3) text::append_utf8(text, 0x20DB);
  if (dots > 3) text += std::string(dots, '\'');
  return text;
}

std::string lowered(std::string_view digits) {
  std::string text;
  for (const char c : digits) text::append_utf8(text, 0x2080 + static_cast<char32_t>(c - '0'));
  return text;
}

// A word or letter inside a formula.
std::string latex_stem(std::string_view stem) {
  if (const GreekLetter* g = greek_of(stem)) return std::string(g->latex);
  const bool ascii = std::all_of(stem.begin(), stem.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!ascii) return "\\text{" + latex_text(stem) + "}";
  const bool letter = stem.size() == 1 && std::isalpha(static_cast<unsigned char>(stem[0])) != 0;
  return letter ? std::string(stem) : "\\mathrm{" + latex_text(stem) + "}";
}

std::string latex_dotted(const std::string& stem, std::size_t dots) {
  switch (dots) {
    case 0: return stem;
    case 1: return "\\dot{" + stem + "}";
    case 2: return "\\ddot{" + stem + "}";
    case 3: return "\\dddot{" + stem + "}";
    default: return "\\overset{(" + std::to_string(dots) + ")}{" + stem + "}";
  }
}

// An index list without braces: 1, \mathrm{cm}, y\varphi
std::string latex_indices(const std::vector<std::string>& indices) {
  std::vector<std::string> spelled;
  bool simple = true;
  for (const std::string& index : indices) {
    NameParts parts;
    if (all_digits(index)) {
      spelled.push_back(index);
      simple = simple && indices.size() == 1;
      continue;
    }
    if (index.starts_with('(')) {  // i-1
      spelled.push_back(index.substr(1, index.size() - 2));
      continue;
    }
    split_indices(index, parts);
    std::string text = latex_stem(parts.stem);
    if (!parts.indices.empty()) {
      text += "_{" + latex_indices(parts.indices) + "}";
      simple = false;
    }
    simple = simple && is_letter(parts.stem);
    spelled.push_back(text);
  }
  std::string joined;
  for (const std::string& text : spelled) {
    if (!joined.empty()) joined += simple ? (joined.back() == '}' ? "" : " ") : ",";
    joined += text;
  }
  return joined;
}

}  // namespace

NameParts take_apart(std::string_view name) {
  NameParts parts;
  while (!name.empty() && name.back() == '\'') {
    name.remove_suffix(1);
    ++parts.primes;
  }
  if (name.starts_with('$')) {
    parts.made = true;
    name.remove_prefix(1);
  }
  parts.base = name;
  if (parts.made && name.starts_with("delta ")) {
    parts.variation = true;
    parts.stem = name.substr(6);
    return parts;
  }
  if (name.starts_with("norm(") && name.ends_with(')')) {
    parts.norm = true;
    split_indices(name.substr(5, name.size() - 6), parts);
    return parts;
  }
  const std::size_t open = name.find_first_of("[(");
  const std::size_t close = name.find_last_of("])");
  const bool index = open != std::string_view::npos && open > 0 && name[open - 1] == '_';  // $lambda_(i-1)
  if (parts.made && !index && open != std::string_view::npos && close != std::string_view::npos && close > open) {
    split_indices(name.substr(0, open), parts);
    parts.coordinates = split(name.substr(open + 1, close - open - 1), ',');
    const std::string_view rest = name.substr(close + 1);
    if (rest.starts_with('_')) parts.coordinates.emplace_back(rest.substr(1));
    return parts;
  }
  if (parts.made && name.starts_with("free_")) {
    split_indices(name.substr(5), parts);
    parts.indices.emplace_back("free");
    return parts;
  }
  // d.x, a component of a vector
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && dot > 0) {
    split_indices(name.substr(0, dot), parts);
    parts.indices.emplace_back(name.substr(dot + 1));
    return parts;
  }
  split_indices(name, parts);
  return parts;
}

std::optional<SumSign> sum_sign(std::string_view name) {
  constexpr std::string_view begin = "$sum";
  if (!name.starts_with(begin) || name.size() < begin.size() + 2 || name[begin.size() + 1] != '(') return std::nullopt;
  const std::vector<std::string> parts = split(name.substr(begin.size() + 2, name.size() - begin.size() - 3), ',');
  if (parts.size() != 3) return std::nullopt;
  return SumSign{static_cast<std::size_t>(name[begin.size()] - '0'), parts[0], parts[1], parts[2]};
}

std::string Symbols::spell(const SumSign& sum) const {
  switch (notation_) {
    case Notation::ascii: return "sum(" + sum.index + "=" + sum.from + ".." + sum.to + ")";
    case Notation::unicode: return "Σ(" + sum.index + "=" + sum.from + "…" + sum.to + ")";
    case Notation::mathml:
      return "<munderover><mo>∑</mo><mrow><mi>" + sum.index + "</mi><mo>=</mo><mi>" + sum.from + "</mi></mrow><mi>" +
             sum.to + "</mi></munderover>";
    default: return "\\sum_{" + sum.index + "=" + sum.from + "}^{" + sum.to + "}";
  }
}

Symbols::Symbols(const System& system, Notation notation) : notation_(notation) {
  std::vector<std::string> names;
  const auto put = [&](const std::string& name, SymbolClass kind, std::size_t position, int order) {
    if (places_.emplace(name, SymbolPlace{kind, position, order}).second) names.push_back(name);
  };
  // the circle's number and time come before every name
  const std::string pi = notation == Notation::ascii     ? "pi"
                         : notation == Notation::unicode ? "π"
                         : notation == Notation::mathml  ? mathml_letter("π")
                                                         : "\\pi";
  taken_.insert(pi);
  put("t", SymbolClass::coordinate, system->size(), 0);
  for (std::size_t i = 0; i < system->size(); ++i) put(system->coordinates[i], SymbolClass::coordinate, i, 0);
  for (std::size_t i = 0; i < system->parameters.size(); ++i) {
    put(std::string(system->parameters[i].symbol.name()), SymbolClass::parameter, i, 0);
  }
  std::size_t place = 0;
  for (const Point& point : system->points) {
    if (!point.name.empty()) put(point.name, SymbolClass::other, place++, 0);
  }
  for (const Definition& definition : system->definitions) put(definition.name, SymbolClass::other, place++, 0);
  place = system->size();
  for (const NamedExpression& u : system->quasi_velocities) put("$" + u.name, SymbolClass::velocity, place++, 1);
  // φ can only be φ; phi can be spelled out
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) {
    return std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  });
  for (const std::string& name : names) (void)spelling_of(take_apart(name));
}

SymbolPlace Symbols::place(std::string_view name) const {
  if (const auto sum = sum_sign(name)) return {SymbolClass::sum, sum->place, 0};
  std::size_t primes = 0;
  while (!name.empty() && name.back() == '\'') {
    name.remove_suffix(1);
    ++primes;
  }
  SymbolPlace found;
  if (const auto known = places_.find(name); known != places_.end()) {
    found = known->second;
  } else {
    const NameParts parts = take_apart(name);
    if (parts.variation) return {SymbolClass::variation, place(parts.stem).position, 0};
    found.position = parts.indices.empty() || !all_digits(parts.indices[0]) || parts.indices[0].size() > 6
                         ? 1000000
                         : static_cast<std::size_t>(std::stoul(parts.indices[0]));
    // quasi-velocities that the program found, and dependent velocities without a closed form
    if (parts.made &&
        ((parts.stem == "u" && !parts.indices.empty()) || (parts.stem == "alpha" && parts.coordinates.size() == 1)))
      found = {SymbolClass::velocity, found.position + 1000, 1};
    if (parts.made && parts.base.starts_with("free_")) found.position = place(parts.base.substr(5)).position;
  }
  found.order += static_cast<int>(primes);
  if (primes > 0 || found.kind == SymbolClass::velocity)
    found.kind = found.order >= 2 ? SymbolClass::acceleration : SymbolClass::velocity;
  return found;
}

Symbols::Spelling Symbols::spelling_of(const NameParts& parts) {
  const std::string key = (parts.made ? "$" : "") + parts.base;
  if (const auto known = spellings_.find(key); known != spellings_.end()) return known->second;
  Spelling spelling = as_symbol;
  const auto is_free = [&] {
    for (std::size_t dots = 0; dots <= 2; ++dots) {
      if (taken_.contains(spell(parts, dots, spelling))) return false;
    }
    return true;
  };
  while (!is_free()) spelling += spelling == as_symbol && !parts.made ? 2 : 1;
  for (std::size_t dots = 0; dots <= 2; ++dots) taken_.insert(spell(parts, dots, spelling));
  return spellings_[key] = spelling;
}

std::string Symbols::operator()(std::string_view name) {
  if (const auto sum = sum_sign(name)) return spell(*sum);
  const NameParts parts = take_apart(name);
  if (parts.variation) {
    const std::string of = (*this)(parts.stem + std::string(parts.primes, '\''));
    // where δ is a name of the model: d
    switch (notation_) {
      case Notation::ascii: return "delta " + of;
      case Notation::unicode: return (taken_.contains("δ") ? "d" : "δ") + of;
      case Notation::mathml: return (taken_.contains(mathml_letter("δ")) ? "<mi>d</mi>" : "<mi>δ</mi>") + of;
      default: return (taken_.contains("\\delta") ? "\\mathrm{d}" : of[0] == '\\' ? "\\delta" : "\\delta ") + of;
    }
  }
  return spell(parts, parts.primes, spelling_of(parts));
}

std::string Symbols::spell(const NameParts& parts, std::size_t dots, Spelling spelling) const {
  switch (notation_) {
    case Notation::ascii: return spell_ascii(parts, dots, spelling);
    case Notation::unicode: return spell_unicode(parts, dots, spelling);
    case Notation::mathml: return spell_mathml(parts, dots, spelling);
    default: return spell_latex(parts, dots, spelling);
  }
}

std::string Symbols::spell_ascii(const NameParts& parts, std::size_t dots, Spelling spelling) const {
  // u1_ where the model has u1
  const std::string mark(parts.made ? static_cast<std::size_t>(spelling) : 0, '_');
  return parts.base + mark + std::string(dots, '\'');
}

std::string Symbols::spell_unicode(const NameParts& parts, std::size_t dots, Spelling spelling) const {
  if (parts.norm) {
    NameParts inside = parts;
    inside.norm = false;
    return "|" + spell_unicode(inside, dots, as_symbol) + "|";
  }
  if (spelling >= verbatim) {
    const std::string number = spelling > verbatim ? "(" + std::to_string(spelling - 1) + ")" : "";
    return (parts.made ? "$" : "") + parts.base + number + std::string(dots, '\'');
  }
  const std::string mark = spelling == marked ? text::utf8(0x303) : "";
  std::string text;
  std::string primes;
  if (const GreekLetter* g = greek_of(parts.stem)) {
    text = mark.empty() ? dotted(g->letter, dots) : text::utf8(g->letter) + mark;
  } else if (is_letter(parts.stem)) {
    text = mark.empty() ? dotted(text::code_points(parts.stem)[0], dots) : parts.stem + mark;
  } else {
    text = parts.stem + mark;
    primes = std::string(dots, '\'');
  }
  if (!mark.empty() && dots > 0) primes = std::string(dots, '\'');
  for (const std::string& index : parts.indices) {
    if (all_digits(index)) {
      text += lowered(index);
    } else {
      const GreekLetter* g = greek_of(index);
      text += "_" + (g != nullptr ? text::utf8(g->letter) : index);
    }
  }
  if (!parts.coordinates.empty()) {
    text += "[";
    for (std::size_t i = 0; i < parts.coordinates.size(); ++i) {
      text += (i > 0 ? "," : "") + spell_unicode(take_apart(parts.coordinates[i]), 0, as_symbol);
    }
    text += "]";
  }
  return text + primes;
}

std::string Symbols::spell_latex(const NameParts& parts, std::size_t dots, Spelling spelling) const {
  if (parts.norm) {
    NameParts inside = parts;
    inside.norm = false;
    return "\\lvert " + spell_latex(inside, dots, as_symbol) + "\\rvert";
  }
  if (spelling >= verbatim) {
    const std::string number = spelling > verbatim ? "^{(" + std::to_string(spelling - 1) + ")}" : "";
    return latex_dotted("\\text{" + latex_text((parts.made ? "$" : "") + parts.base) + "}", dots) + number;
  }
  std::string stem = latex_stem(parts.stem);
  if (spelling == marked) stem = "\\tilde{" + stem + "}";
  std::string text = latex_dotted(stem, dots);
  std::vector<std::string> indices = parts.indices;
  indices.insert(indices.end(), parts.coordinates.begin(), parts.coordinates.end());
  if (indices.empty()) return text;
  const std::string list = latex_indices(indices);
  return text + "_" + (list.size() == 1 ? list : "{" + list + "}");
}

std::string Symbols::spell_mathml(const NameParts& parts, std::size_t dots, Spelling spelling) const {
  if (parts.norm) {
    NameParts inside = parts;
    inside.norm = false;
    return "<mrow><mo stretchy=\"false\">|</mo>" + spell_mathml(inside, dots, as_symbol) +
           "<mo stretchy=\"false\">|</mo></mrow>";
  }
  if (spelling >= verbatim) {
    const std::string text =
        mathml_dotted("<mtext>" + html_text((parts.made ? "$" : "") + parts.base) + "</mtext>", dots);
    if (spelling == verbatim) return text;
    return "<msup>" + text + "<mrow><mo>(</mo><mn>" + std::to_string(spelling - 1) + "</mn><mo>)</mo></mrow></msup>";
  }
  const auto letter = [](const std::string& stem) {
    const GreekLetter* g = greek_of(stem);
    return mathml_letter(g != nullptr ? text::utf8(g->letter) : stem);
  };
  std::string text = letter(parts.stem);
  if (spelling == marked) text = mathml_over(text, "~");
  text = mathml_dotted(text, dots);
  std::vector<std::string> indices = parts.indices;
  indices.insert(indices.end(), parts.coordinates.begin(), parts.coordinates.end());
  if (indices.empty()) return text;
  std::string list;
  for (const std::string& index : indices) {
    if (!list.empty()) list += "<mo separator=\"true\">,</mo>";
    NameParts inner;
    split_indices(index, inner);
    std::string spelled = all_digits(index) ? "<mn>" + index + "</mn>" : letter(inner.stem);
    if (!all_digits(index) && !inner.indices.empty())
      spelled = "<msub>" + spelled + "<mn>" + html_text(inner.indices[0]) + "</mn></msub>";
    list += spelled;
  }
  return "<msub>" + text + mathml_row(list) + "</msub>";
}

std::string Symbols::indexed(std::string_view symbol, std::span<const std::string> coordinates) {
  std::size_t primes = 0;
  while (!symbol.empty() && symbol.back() == '\'') {
    symbol.remove_suffix(1);
    ++primes;
  }
  const bool star = symbol.ends_with('*');
  if (star) symbol.remove_suffix(1);
  const bool bar = symbol == "alphabar";
  if (bar) symbol = "alpha";

  std::vector<std::string> names;
  for (const std::string& c : coordinates) names.push_back((*this)(c));
  if (notation_ == Notation::mathml) {
    const GreekLetter* g = greek_of(symbol);
    std::string text = mathml_letter(g != nullptr ? text::utf8(g->letter) : std::string(symbol));
    if (bar) text = mathml_over(text, "¯");
    text = mathml_dotted(text, primes);
    if (names.size() == 2) return "<msubsup>" + text + mathml_row(names[1]) + mathml_row(names[0]) + "</msubsup>";
    if (star) text = "<msup>" + text + "<mo>*</mo></msup>";
    for (const std::string& n : names) text = "<msub>" + text + mathml_row(n) + "</msub>";
    return text;
  }
  if (notation_ == Notation::latex) {
    std::string text = latex_dotted(bar ? "\\bar{\\alpha}" : latex_stem(symbol), primes);
    if (names.size() == 2) return text + "^{" + names[0] + "}_{" + names[1] + "}";
    if (star) text += "^*";
    for (const std::string& n : names) text += "_{" + n + "}";
    return text;
  }
  std::string text;
  if (notation_ == Notation::unicode) {
    text = bar ? "ᾱ" : greek_of(symbol) != nullptr ? text::utf8(greek_of(symbol)->letter) : std::string(symbol);
    if (primes > 0 && is_letter(symbol)) {
      text = dotted(text::code_points(text)[0], primes);
      primes = 0;
    }
  } else {
    text = bar ? "alphabar" : std::string(symbol);
  }
  if (star) text += "*";
  text += std::string(primes, '\'');
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "[" : ",") + names[i];
  return names.empty() ? text : text + "]";
}

}  // namespace cetaev
