// LaTeX with amsmath: \frac{m}{2\cos^2\varphi}\ddot{x}
#include <cctype>

#include "bar_style.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "latex_text.hpp"

namespace cetaev {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Does the text end with a command, so that a letter behind it would become part of its name?
bool ends_with_command(const std::string& text) {
  std::size_t i = text.size();
  while (i > 0 && is_letter(text[i - 1])) --i;
  return i > 0 && i < text.size() && text[i - 1] == '\\';
}

std::string joined(std::string a, const std::string& b) {
  if (!b.empty() && is_letter(b[0]) && ends_with_command(a)) a += ' ';
  return a + b;
}

// How many letters the formula shows, about; a letter is some 5.2 points wide in an article.
double letters(const std::string& text) {
  double count = 0;
  double size = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '_' || c == '^') {
      size = 0.8;
    } else if (c == '\\') {
      std::size_t end = i + 1;
      while (end < text.size() && is_letter(text[end])) ++end;
      const std::string command = text.substr(i + 1, end - i - 1);
      const bool shows = command != "dot" && command != "ddot" && command != "mathrm" && command != "text" &&
                         command != "tilde" && command != "bar" && command != "ensuremath" && command != "mathit";
      if (shows) count += size;
      i = std::max(end, i + 2) - 1;
    } else if (c != '{' && c != '}' && c != ' ') {
      count += size;
    }
  }
  return count;
}

std::string_view plain_command_of(Function function) {
  switch (function) {
    case Function::sin: return "\\sin";
    case Function::cos: return "\\cos";
    case Function::tan: return "\\tan";
    case Function::asin: return "\\arcsin";
    case Function::acos: return "\\arccos";
    case Function::atan: return "\\arctan";
    case Function::atan2: return "\\operatorname{atan2}";
    case Function::sinh: return "\\sinh";
    case Function::cosh: return "\\cosh";
    case Function::tanh: return "\\tanh";
    case Function::asinh: return "\\operatorname{arsinh}";
    case Function::acosh: return "\\operatorname{arcosh}";
    case Function::atanh: return "\\operatorname{artanh}";
    case Function::exp: return "\\exp";
    case Function::log: return "\\ln";
    case Function::abs: return "";
    case Function::elliptic_f: return "F";
    case Function::elliptic_e: return "E";
    case Function::amplitude: return "\\operatorname{am}";
    case Function::delta: return "\\operatorname{dn}";
    case Function::epsilon: return "\\mathcal{E}";
  }
  return "";
}

std::string command_of(Function function) {
  const unsigned order = parameter_order(function);
  const std::string plain(plain_command_of(without_parameter_order(function)));
  if (order == 0) return plain;
  return "\\partial_m" + (order > 1 ? "^" + std::to_string(order) : "") + plain;
}

class Latex final : public BarStyle {
 public:
  Piece symbol(std::string text) const override {
    Piece p = piece(std::move(text), Level::atom);
    p.width = letters(p.text);
    p.symbol = true;
    // \sin\varphi, but \sin(\mathrm{slope})
    p.single = p.text.find("\\mathrm") == std::string::npos && p.text.find("\\text") == std::string::npos;
    return p;
  }
  Piece integer(const std::string& digits) const override {
    return piece(digits, Level::atom, static_cast<double>(digits.size()));
  }
  Piece pi() const override { return symbol("\\pi"); }
  std::pair<std::string, std::string> large_parentheses(bool tall) const override {
    return tall ? std::pair<std::string, std::string>{"\\Bigl(", "\\Bigr)"}
                : std::pair<std::string, std::string>{"\\bigl(", "\\bigr)"};
  }
  std::string minus() const override { return "-"; }
  std::string exponent(const Rational& value) const override {
    if (value.is_one()) return "";
    const std::string text = value.to_string();
    return text.size() == 1 ? "^" + text : "^{" + text + "}";
  }
  Piece remark(const std::string& text) const override {
    return piece("\\text{" + latex_text(text) + "}", Level::atom, static_cast<double>(text.size()));
  }

  Piece power(const Piece& base, const Piece& exponent) const override {
    Piece p = piece(raised(atom(base), exponent.text), Level::power);
    p.width = base.width + 0.7 * exponent.width + 1;
    p.tall = base.tall || exponent.tall;
    return p;
  }

  Piece call(Function function, const std::vector<const Piece*>& arguments) const override {
    const Piece inside = listed(arguments, ", ");
    Piece p;
    p.tall = inside.tall;
    if (function == Function::abs) {
      p.text = inside.tall ? "\\left|" + inside.text + "\\right|" : joined("\\lvert", inside.text) + "\\rvert";
      if (!inside.tall && ends_with_command(inside.text)) p.text = "\\lvert" + inside.text + "\\rvert";
      p.width = inside.width + 1;
      return p;
    }
    const std::string command = command_of(function);
    const bool bare = arguments.size() == 1 && function != Function::exp && inside.single;
    p.tail = bare ? inside.text : parenthesised(inside);
    p.open = bare;
    p.level = bare ? Level::power : Level::atom;
    p.text = joined(command, p.tail);
    p.head = takes_exponent(function) ? command : "";
    p.width = inside.width + 0.78 * letters(command.substr(1)) + (bare ? 0.35 : 1.5);
    return p;
  }

 private:
  static std::string parenthesised(const Piece& p) {
    return p.tall ? "\\left(" + p.text + "\\right)" : "(" + p.text + ")";
  }

  static Piece atom(const Piece& p) {
    if (p.level == Level::atom) return p;
    Piece q = piece(parenthesised(p), Level::atom, p.width + 1.5);
    q.tall = p.tall;
    return q;
  }

  // base^exponent; a base that has an exponent of its own is kept together
  static std::string raised(const Piece& base, const std::string& exponent) {
    const bool has_own = base.symbol && base.text.find('^') != std::string::npos;
    return (has_own ? "{" + base.text + "}" : base.text) + "^" +
           (exponent.size() == 1 ? exponent : "{" + exponent + "}");
  }

  std::string sign_between(bool negative) const override { return negative ? " - " : " + "; }

  Piece fraction(const Piece& top, const Piece& bottom) const override {
    Piece p =
        piece("\\frac{" + top.text + "}{" + bottom.text + "}", Level::product, std::max(top.width, bottom.width) + 0.5);
    p.tall = true;
    return p;
  }

  Piece juxtaposed(const std::vector<Piece>& pieces) const override {
    if (pieces.size() == 1) return pieces[0];
    Piece p = piece("", Level::product);
    bool apart = false;
    for (const Piece& next : pieces) {
      if (!p.text.empty()) {
        const bool operator_next = !next.head.empty() || next.text.starts_with("\\exp");
        const bool word = next.text.starts_with("\\mathrm") || next.text.starts_with("\\text") || word_before(p.text);
        if (is_digit(next.text[0]) || apart) {
          p.text += "\\cdot ";
        } else if ((p.open && !operator_next) || word) {
          p.text += "\\,";
        }
      }
      apart = reads_as_operator(bare_name(next.text));
      p.text = joined(std::move(p.text), next.text);
      p.open = next.open;
      p.width += next.width + 0.2;
      p.tall = p.tall || next.tall;
    }
    return p;
  }

  // ln of \mathrm{ln}
  static std::string_view bare_name(std::string_view text) {
    constexpr std::string_view begin = "\\mathrm{";
    return text.starts_with(begin) && text.ends_with('}') ? text.substr(begin.size(), text.size() - begin.size() - 1)
                                                          : text;
  }

  // Ends the text with a word, so that the next letter should keep a distance?
  static bool word_before(const std::string& text) {
    if (text.back() != '}') return false;
    const std::size_t open = text.rfind('{');
    return open != std::string::npos &&
           (text.substr(0, open).ends_with("\\mathrm") || text.substr(0, open).ends_with("\\text"));
  }

  Piece factor(const Factor& f) const override {
    const Piece& base = *f.base;
    if (f.exponent.is_one()) return base.level == Level::sum ? atom(base) : base;
    Piece p;
    p.tall = base.tall;
    if (is_half(f.exponent)) {
      p = piece("\\sqrt{" + base.text + "}", Level::power, base.width + 1);
      p.tall = base.tall;
      return p;
    }
    const std::string exponent = f.exponent.to_string();
    if (!base.head.empty() && f.exponent.is_integer()) {
      // sin² x
      p.head = base.head + "^" + (exponent.size() == 1 ? exponent : "{" + exponent + "}");
      p.text = p.head + (is_letter(base.tail[0]) ? " " : "") + base.tail;
      p.open = base.open;
      p.level = Level::power;
    } else {
      p.text = raised(atom(base), exponent);
      p.level = Level::power;
    }
    p.width = base.width + 0.8 * static_cast<double>(exponent.size());
    return p;
  }
};

}  // namespace

std::unique_ptr<NotationStyle> latex_style() { return std::make_unique<Latex>(); }

}  // namespace cetaev
