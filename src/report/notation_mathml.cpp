// MathML Core, as browsers print it: <mfrac><mi>m</mi><mn>2</mn></mfrac>. A piece is a row of elements without a wrapper, so
// that lines can break between any two; places that take one element get an <mrow>.
#include "bar_style.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "cetaev/detail/text/utf8.hpp"
#include "mathml.hpp"

namespace cetaev {

namespace {

constexpr const char* thin_space = "<mspace width=\"0.1667em\"></mspace>";

// How many letters the formula shows, about.
double letters_shown(const std::string& markup) {
  std::string shown;
  bool tag = false;
  for (const char c : markup) {
    if (c == '<') tag = true;
    if (!tag) shown += c;
    if (c == '>') tag = false;
  }
  return static_cast<double>(text::code_points(shown).size());
}

class MathMl final : public BarStyle {
 public:
  Piece symbol(std::string text) const override {
    Piece p = piece(std::move(text), Level::atom);
    p.width = letters_shown(p.text);
    p.symbol = true;
    // sin φ, but sin(slope)
    const std::size_t begin = p.text.find("<mi>");
    const std::size_t end = p.text.find("</mi>");
    p.single = begin != std::string::npos && p.text.find("<mtext") == std::string::npos &&
               text::code_points(p.text.substr(begin + 4, end - begin - 4)).size() == 1;
    return p;
  }
  Piece integer(const std::string& digits) const override {
    return piece("<mn>" + digits + "</mn>", Level::atom, static_cast<double>(digits.size()));
  }
  Piece pi() const override { return symbol(mathml_letter("π")); }
  std::pair<std::string, std::string> large_parentheses(bool tall) const override {
    const std::string size = tall ? " minsize=\"2em\"" : " stretchy=\"false\"";
    return {"<mo" + size + ">(</mo>", "<mo" + size + ">)</mo>"};
  }
  std::string minus() const override { return "<mo form=\"prefix\">−</mo>"; }
  std::string exponent(const Rational& value) const override {
    return value.is_one() ? "" : "<msup><mrow></mrow>" + number(value) + "</msup>";
  }
  Piece remark(const std::string& text) const override {
    return piece("<mtext>" + html_text(text) + "</mtext>", Level::atom, static_cast<double>(text.size()));
  }

  Piece power(const Piece& base, const Piece& exponent) const override {
    Piece p = piece(raised(atom(base).text, exponent.text), Level::power, base.width + 0.7 * exponent.width + 1);
    p.tall = base.tall || exponent.tall;
    return p;
  }

  Piece call(Function function, const std::vector<const Piece*>& arguments) const override {
    const Piece inside = listed(arguments, "<mo separator=\"true\">,</mo>");
    Piece p;
    p.tall = inside.tall;
    if (function == Function::abs) {
      p.text = mathml_row("<mo>|</mo>" + inside.text + "<mo>|</mo>");
      p.width = inside.width + 1;
      return p;
    }
    const bool bare = arguments.size() == 1 && function != Function::exp && inside.single;
    const std::string name = "<mi>" + spoken(function) + "</mi>";
    p.tail = bare ? thin_space + inside.text : parenthesised(inside);
    p.text = name + p.tail;
    p.open = bare;
    p.level = bare ? Level::power : Level::atom;
    p.head = takes_exponent(function) ? name : "";
    p.width = inside.width + 0.78 * static_cast<double>(spoken(function).size()) + (bare ? 0.35 : 1.5);
    return p;
  }

 protected:
  std::string sign_between(bool negative) const override { return negative ? "<mo>−</mo>" : "<mo>+</mo>"; }

  Piece fraction(const Piece& top, const Piece& bottom) const override {
    Piece p = piece("<mfrac>" + mathml_row(top.text) + mathml_row(bottom.text) + "</mfrac>", Level::product,
                    std::max(top.width, bottom.width) + 0.5);
    p.tall = true;
    return p;
  }

  Piece juxtaposed(const std::vector<Piece>& pieces) const override {
    if (pieces.size() == 1) return pieces[0];
    Piece p = piece("", Level::product);
    bool word = false;
    for (const Piece& next : pieces) {
      const bool next_word = next.symbol && !next.single;
      if (!p.text.empty()) {
        if (next.text.starts_with("<mn>")) {
          p.text += "<mo>·</mo>";
        } else if (p.open || !next.head.empty() || next.text.starts_with("<mi>exp") || word || next_word) {
          p.text += thin_space;
        }
      }
      p.text += next.text;
      p.open = next.open;
      p.width += next.width + 0.2;
      p.tall = p.tall || next.tall;
      word = next_word;
    }
    return p;
  }

  Piece factor(const Factor& f) const override {
    const Piece& base = *f.base;
    if (f.exponent.is_one()) return base.level == Level::sum ? atom(base) : base;
    Piece p;
    p.tall = base.tall;
    p.level = Level::power;
    if (is_half(f.exponent)) {
      p.text = "<msqrt>" + base.text + "</msqrt>";
      p.width = base.width + 1;
      return p;
    }
    if (!base.head.empty() && f.exponent.is_integer()) {
      // sin² x
      p.head = "<msup>" + base.head + number(f.exponent) + "</msup>";
      p.text = p.head + base.tail;
      p.open = base.open;
    } else {
      p.text = raised(atom(base).text, number(f.exponent));
    }
    p.width = base.width + 0.8 * static_cast<double>(f.exponent.to_string().size());
    return p;
  }

 private:
  // ∂ₘam, ∂²ₘam, …
  static std::string spoken(Function function) {
    static constexpr std::string_view raised_digits[] = {"", "", "²", "³", "⁴", "⁵", "⁶"};
    static_assert(std::size(raised_digits) == highest_parameter_order + 1);
    const unsigned order = parameter_order(function);
    const std::string plain(spoken_plain(without_parameter_order(function)));
    return order == 0 ? plain : "∂" + std::string(raised_digits[order]) + "ₘ" + plain;
  }
  static std::string_view spoken_plain(Function function) {
    switch (function) {
      case Function::asin: return "arcsin";
      case Function::acos: return "arccos";
      case Function::atan: return "arctan";
      case Function::asinh: return "arsinh";
      case Function::acosh: return "arcosh";
      case Function::atanh: return "artanh";
      case Function::log: return "ln";
      case Function::elliptic_f: return "F";
      case Function::elliptic_e: return "E";
      case Function::epsilon: return "ℰ";
      default: return name_of(function);
    }
  }

  // An integer or a fraction, with its sign, as one element.
  static std::string number(const Rational& value) {
    const std::string text = "<mn>" + value.abs().to_string() + "</mn>";
    return value.sign() < 0 ? "<mrow><mo form=\"prefix\">−</mo>" + text + "</mrow>" : text;
  }

  static std::string raised(const std::string& base, const std::string& exponent) {
    return "<msup>" + mathml_row(base) + mathml_row(exponent) + "</msup>";
  }

  static std::string parenthesised(const Piece& p) {
    const std::string flat = p.tall ? "" : " stretchy=\"false\"";
    return mathml_row("<mo" + flat + ">(</mo>" + p.text + "<mo" + flat + ">)</mo>");
  }

  static Piece atom(const Piece& p) {
    if (p.level == Level::atom) return p;
    Piece q = piece(parenthesised(p), Level::atom, p.width + 1.5);
    q.tall = p.tall;
    return q;
  }
};

}  // namespace

std::unique_ptr<NotationStyle> mathml_style() { return std::make_unique<MathMl>(); }

}  // namespace cetaev
