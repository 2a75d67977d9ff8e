#include "tex.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "../greek.hpp"
#include "../mathml.hpp"
#include "cetaev/detail/text/utf8.hpp"

namespace cetaev {

namespace {

// Deeper than any formula, and what bounds the recursion.
constexpr int deepest_group = 60;

using Table = std::map<std::string_view, std::string_view>;

const Table& operators() {
  static const Table table = {
      {"cdot", "⋅"},
      {"times", "×"},
      {"wedge", "∧"},
      {"pm", "±"},
      {"neq", "≠"},
      {"ne", "≠"},
      {"leq", "≤"},
      {"le", "≤"},
      {"geq", "≥"},
      {"ge", "≥"},
      {"simeq", "≃"},
      {"equiv", "≡"},
      {"approx", "≈"},
      {"to", "→"},
      {"rightarrow", "→"},
      {"longrightarrow", "⟶"},
      {"mapsto", "↦"},
      {"longmapsto", "⟼"},
      {"Rightarrow", "⇒"},
      {"Longrightarrow", "⟹"},
      {"implies", "⟹"},
      {"iff", "⟺"},
      {"Leftrightarrow", "⇔"},
      {"in", "∈"},
      {"subseteq", "⊆"},
      {"forall", "∀"},
      {"mid", "∣"},
      {"nabla", "∇"},
      {"lbrace", "{"},
      {"rbrace", "}"},
      {"{", "{"},
      {"}", "}"},
      {"vert", "|"},
      {"|", "‖"},
      {"langle", "⟨"},
      {"rangle", "⟩"},
      {"colon", ":"},
      {"circ", "∘"},
      {"ast", "∗"},
  };
  return table;
}

const Table& identifiers() {
  static const Table table = {{"partial", "∂"}, {"infty", "∞"}, {"ldots", "…"}, {"dots", "…"},   {"cdots", "⋯"},
                              {"vdots", "⋮"},   {"ddots", "⋱"}, {"ell", "ℓ"},   {"square", "□"}, {"prime", "′"}};
  return table;
}

const Table& accents() {
  static const Table table = {{"dot", "˙"}, {"ddot", "¨"},          {"bar", "¯"},   {"overline", "¯"},
                              {"hat", "^"}, {"widehat", "^"},       {"tilde", "~"}, {"widetilde", "~"},
                              {"vec", "→"}, {"overrightarrow", "→"}};
  return table;
}

const Table& variants() {
  static const Table table = {{"mathbf", "bold"},          {"boldsymbol", "bold-italic"}, {"mathcal", "script"},
                              {"mathbb", "double-struck"}, {"mathrm", "normal"},          {"rm", "normal"}};
  return table;
}

const Table& large_operators() {
  static const Table table = {{"sum", "∑"}, {"int", "∫"}, {"prod", "∏"}};
  return table;
}

const Table& spaces() {
  static const Table table = {{"quad", "1em"}, {"qquad", "2em"}, {",", "0.17em"},  {";", "0.28em"},
                              {":", "0.22em"}, {" ", "0.3em"},   {"!", "-0.17em"}, {"enspace", "0.5em"}};
  return table;
}

// What only changes the size or the style of what follows.
bool is_ignored(std::string_view command) {
  static constexpr std::array words = {"displaystyle", "textstyle", "limits", "nolimits", "big",  "Big",     "bigg",
                                       "Bigg",         "bigl",      "bigr",   "Bigl",     "Bigr", "nonumber"};
  return std::find(words.begin(), words.end(), command) != words.end();
}

bool is_function(std::string_view command) {
  static constexpr std::array words = {"sin",  "cos",    "tan", "exp", "log", "sinh", "cosh",
                                       "tanh", "arctan", "det", "lim", "min", "max"};
  return std::find(words.begin(), words.end(), command) != words.end();
}

// Letters of the alphabets that Unicode has for mathematics, where MathML Core has no attribute any more.
std::string in_variant(std::string_view letters, std::string_view variant) {
  std::string text;
  for (const char c : letters) {
    const bool capital = c >= 'A' && c <= 'Z', small = c >= 'a' && c <= 'z';
    char32_t base = 0;
    if (variant == "bold") base = capital ? U'\U0001D400' : U'\U0001D41A';
    if (variant == "bold-italic") base = capital ? U'\U0001D468' : U'\U0001D482';
    if (variant == "script" && capital) base = U'\U0001D4D0';  // the bold script, which has no gaps
    if (variant == "double-struck" && c == 'R') {
      text += "ℝ";
    } else if (variant == "double-struck" && capital) {
      text::append_utf8(text, U'\U0001D538' + static_cast<char32_t>(c - 'A'));
    } else if (base != 0 && (capital || small)) {
      text::append_utf8(text, base + static_cast<char32_t>(capital ? c - 'A' : c - 'a'));
    } else {
      text += c;
    }
  }
  return text;
}

class Reader {
 public:
  explicit Reader(std::string_view tex) : tex_(tex) {}

  TexFormula formula() {
    std::string body;
    // lines of a display that is no table are its rows
    std::vector<std::string> rows;
    while (at_ < tex_.size()) {
      std::string row = list("");
      if (at_ < tex_.size()) {
        if (tex_.substr(at_, 2) == "\\\\") {
          at_ += 2;
        } else {
          ++at_;  // a brace or a bar of a table too many
        }
      }
      rows.push_back(std::move(row));
    }
    if (rows.size() == 1) {
      body = rows.front();
    } else {
      for (const std::string& row : rows) body += "<mtr><mtd>" + row + "</mtd></mtr>";
      body = "<mtable>" + body + "</mtable>";
    }
    return {"<math display=\"block\">" + body + "</math>", std::move(unknown_)};
  }

 private:
  void space() {
    while (at_ < tex_.size() && std::isspace(static_cast<unsigned char>(tex_[at_]))) ++at_;
  }

  // Without moving: the command at this place, without its backslash, or nothing.
  std::string_view peek_command() const {
    if (at_ >= tex_.size() || tex_[at_] != '\\') return {};
    std::size_t end = at_ + 1;
    while (end < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[end]))) ++end;
    if (end == at_ + 1) end = std::min(end + 1, tex_.size());
    return tex_.substr(at_ + 1, end - at_ - 1);
  }
  std::string_view command() {
    const std::string_view name = peek_command();
    at_ += 1 + name.size();
    return name;
  }

  // Atoms up to what closes the list: "}" of a group, "right", "end", a bar or a line of a table.
  std::string list(std::string_view closing) {
    std::string text;
    if (++depth_ > deepest_group) {
      text = "<mtext>" + html_text(tex_.substr(at_)) + "</mtext>";
      at_ = tex_.size();
    }
    for (space(); at_ < tex_.size(); space()) {
      const char c = tex_[at_];
      if (c == '}' || c == '&' || (closing == "]" && c == ']')) break;
      const std::string_view name = peek_command();
      if (name == "\\" || name == "right" || name == "end") break;
      text += scripted();
    }
    --depth_;
    return text;
  }

  // {…}, or one atom
  std::string argument() {
    space();
    if (at_ < tex_.size() && tex_[at_] == '{') {
      ++at_;
      std::string inner = list("}");
      if (at_ < tex_.size() && tex_[at_] == '}') ++at_;
      return mathml_row(inner);
    }
    return at_ < tex_.size() ? atom() : std::string("<mrow></mrow>");
  }

  // The letters between braces as they are, for \text and \mathbf.
  std::string_view raw_argument() {
    space();
    if (at_ >= tex_.size()) return {};
    if (tex_[at_] != '{') return tex_.substr(at_++, 1);
    const std::size_t begin = ++at_;
    int open = 1;
    while (at_ < tex_.size() && open > 0) {
      if (tex_[at_] == '{') ++open;
      if (tex_[at_] == '}') --open;
      ++at_;
    }
    return tex_.substr(begin, at_ - begin - (open == 0 ? 1 : 0));
  }

  // An atom with what stands below and above it.
  std::string scripted() {
    large_ = false;
    std::string base = atom();
    const bool limits = large_;
    std::string below, above;
    for (space(); at_ < tex_.size(); space()) {
      if (tex_[at_] == '_' && below.empty()) {
        ++at_;
        below = argument();
      } else if (tex_[at_] == '^' && above.empty()) {
        ++at_;
        above = argument();
      } else if (tex_[at_] == '\'' && above.empty()) {
        std::size_t primes = 0;
        while (at_ < tex_.size() && tex_[at_] == '\'') ++at_, ++primes;
        above = "<mo>" + std::string(primes == 1 ? "′" : "″") + "</mo>";
      } else {
        break;
      }
    }
    if (below.empty() && above.empty()) return base;
    const std::string under = limits ? "under" : "sub", over = limits ? "over" : "sup";
    if (above.empty()) return "<m" + under + ">" + base + below + "</m" + under + ">";
    if (below.empty()) return "<m" + over + ">" + base + above + "</m" + over + ">";
    return "<m" + under + over + ">" + base + below + above + "</m" + under + over + ">";
  }

  std::string atom() {
    space();
    const char c = tex_[at_];
    if (c == '{') return argument();
    if (c == '\\') return control();
    if (std::isdigit(static_cast<unsigned char>(c))) {
      const std::size_t begin = at_;
      while (at_ < tex_.size() && (std::isdigit(static_cast<unsigned char>(tex_[at_])))) ++at_;
      return "<mn>" + std::string(tex_.substr(begin, at_ - begin)) + "</mn>";
    }
    if (c == '~') {
      ++at_;
      return "<mspace width=\"0.3em\"></mspace>";
    }
    if (tex_.substr(at_, 2) == ":=") {
      at_ += 2;
      return "<mo>≔</mo>";
    }
    if (c == '-') {
      ++at_;
      return "<mo>−</mo>";
    }
    if (std::isalpha(static_cast<unsigned char>(c))) {
      ++at_;
      return mathml_letter(std::string(1, c));
    }
    if (static_cast<unsigned char>(c) >= 0x80) {
      const std::size_t size = std::max<std::size_t>(1, text::decode(tex_, at_).bytes);
      const std::string letter(tex_.substr(at_, size));
      at_ += size;
      return mathml_letter(letter);
    }
    ++at_;
    const bool fence = std::string_view("()[]|").find(c) != std::string_view::npos;
    return std::string(fence ? "<mo stretchy=\"false\">" : "<mo>") + html_text(std::string_view(&c, 1)) + "</mo>";
  }

  std::string control() {
    const std::string name(command());
    if (const auto op = operators().find(name); op != operators().end())
      return "<mo>" + html_text(op->second) + "</mo>";
    if (const auto id = identifiers().find(name); id != identifiers().end())
      return "<mi>" + std::string(id->second) + "</mi>";
    if (const auto width = spaces().find(name); width != spaces().end())
      return "<mspace width=\"" + std::string(width->second) + "\"></mspace>";
    if (const auto large = large_operators().find(name); large != large_operators().end()) {
      large_ = name != "int";
      return "<mo>" + std::string(large->second) + "</mo>";
    }
    if (const auto accent = accents().find(name); accent != accents().end())
      return mathml_over(argument(), accent->second);
    if (const auto variant = variants().find(name); variant != variants().end()) return in_alphabet(variant->second);
    const auto greek = std::find_if(greek_letters.begin(), greek_letters.end(),
                                    [&](const GreekLetter& l) { return l.latex.substr(1) == name; });
    if (greek != greek_letters.end()) {
      std::string letter;
      text::append_utf8(letter, greek->letter);
      return mathml_letter(letter);
    }
    if (name == "frac" || name == "dfrac" || name == "tfrac") {
      const std::string above = argument();
      return "<mfrac>" + above + argument() + "</mfrac>";
    }
    if (name == "sqrt") return root();
    if (name == "left") return fenced();
    if (name == "begin") return environment();
    if (name == "underbrace") {
      large_ = true;
      return "<munder>" + argument() + "<mo>⏟</mo></munder>";
    }
    if (name == "text" || name == "mbox" || name == "textit") {
      std::string words(raw_argument());
      words.erase(std::remove(words.begin(), words.end(), '$'), words.end());
      // spaces at the ends, which MathML leaves out
      const bool before = words.starts_with(' '), after = words.size() > 1 && words.ends_with(' ');
      words = words.substr(before ? 1 : 0, words.size() - (before ? 1 : 0) - (after ? 1 : 0));
      return "<mtext>" + std::string(before ? "\u00A0" : "") + html_text(words) + (after ? "\u00A0" : "") + "</mtext>";
    }
    if (name == "operatorname") return mathml_letter(std::string(raw_argument()));
    if (name == "tag") return raw_argument(), std::string();
    if (name == "substack") return lines();
    if (name == "_" || name == "%" || name == "#") return "<mo>" + name + "</mo>";
    if (is_ignored(name)) return {};
    if (is_function(name)) return mathml_letter(name);
    unknown_.push_back("\\" + name);
    return "<mtext>" + html_text("\\" + name) + "</mtext>";
  }

  // \substack{… \\ …}: lines below each other, as under a sum
  std::string lines() {
    space();
    if (at_ >= tex_.size() || tex_[at_] != '{') return argument();
    ++at_;
    std::string rows;
    for (;;) {
      rows += "<mtr><mtd>" + list("}") + "</mtd></mtr>";
      if (peek_command() != "\\" && (at_ >= tex_.size() || tex_[at_] != '&')) break;
      at_ += tex_[at_] == '&' ? 1 : 2;
    }
    if (at_ < tex_.size() && tex_[at_] == '}') ++at_;
    return "<mtable>" + rows + "</mtable>";
  }

  // \mathbf{r}: letters of an alphabet; what is more than letters is a formula in its usual one
  std::string in_alphabet(std::string_view variant) {
    const std::size_t begin = at_;
    const std::string_view raw = raw_argument();
    const bool letters = std::all_of(
        raw.begin(), raw.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ' '; });
    if (letters) {
      std::string word = in_variant(raw, variant);
      // a single letter would be set in italics
      if (variant == "normal" && raw.size() == 1) return "<mi mathvariant=\"normal\">" + word + "</mi>";
      return mathml_letter(word);
    }
    if (variant == "normal") {
      std::string word(raw);
      for (std::size_t at = word.find("\\_"); at != std::string::npos; at = word.find("\\_")) word.erase(at, 1);
      if (word.find('\\') == std::string::npos) return mathml_letter(word);
    }
    at_ = begin;
    return argument();
  }

  std::string root() {
    space();
    if (at_ < tex_.size() && tex_[at_] == '[') {
      ++at_;
      const std::string degree = mathml_row(list("]"));
      if (at_ < tex_.size()) ++at_;
      return "<mroot>" + argument() + degree + "</mroot>";
    }
    return "<msqrt>" + argument() + "</msqrt>";
  }

  std::string delimiter() {
    space();
    if (at_ >= tex_.size()) return {};
    if (tex_[at_] == '\\') {
      const auto known = operators().find(command());
      return known == operators().end() ? std::string() : std::string(known->second);
    }
    const char c = tex_[at_++];
    return c == '.' ? std::string() : std::string(1, c);
  }

  std::string fenced() {
    const auto fence = [](const std::string& sign, const char* form) {
      return sign.empty() ? std::string()
                          : "<mo fence=\"true\" form=\"" + std::string(form) + "\">" + html_text(sign) + "</mo>";
    };
    std::string text = fence(delimiter(), "prefix");
    text += list("right");
    // a bar or a line of a table between \left and \right belongs to neither
    while (at_ < tex_.size() && peek_command() != "right") {
      if (tex_[at_] == '}' || peek_command() == "end") return mathml_row(text);
      at_ += tex_[at_] == '\\' ? 2 : 1;
      text += list("right");
    }
    if (at_ < tex_.size()) command();
    return mathml_row(text + fence(delimiter(), "postfix"));
  }

  // aligned, array, cases, pmatrix, vmatrix, …
  std::string environment() {
    const std::string kind(raw_argument());
    if (kind == "array") raw_argument();
    std::string rows, row;
    for (;;) {
      row += "<mtd>" + list("end") + "</mtd>";
      if (at_ >= tex_.size()) break;
      if (tex_[at_] == '&') {
        ++at_;
        continue;
      }
      const std::string_view name = peek_command();
      if (name == "\\") {
        at_ += 2;
        rows += "<mtr>" + row + "</mtr>";
        row.clear();
        continue;
      }
      if (name == "end") {
        command();
        raw_argument();
      } else {
        ++at_;
        continue;
      }
      break;
    }
    if (row != "<mtd></mtd>") rows += "<mtr>" + row + "</mtr>";
    const bool aligned = kind == "aligned" || kind == "align" || kind == "split";
    const std::string table = std::string(aligned ? "<mtable class=\"aligned\">" : "<mtable>") + rows + "</mtable>";
    const auto around = [&](const char* left, const char* right) {
      return mathml_row("<mo fence=\"true\" form=\"prefix\">" + std::string(left) + "</mo>" + table +
                        (*right == 0 ? "" : "<mo fence=\"true\" form=\"postfix\">" + std::string(right) + "</mo>"));
    };
    if (kind == "pmatrix") return around("(", ")");
    if (kind == "vmatrix") return around("|", "|");
    if (kind == "cases") return around("{", "");
    return table;
  }

  std::string_view tex_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool large_ = false;  // the last atom takes what follows below and above it
  std::vector<std::string> unknown_;
};

}  // namespace

TexFormula tex_to_mathml(std::string_view tex) { return Reader(tex).formula(); }

}  // namespace cetaev
