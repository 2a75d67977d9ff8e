// Unicode for a terminal: m ẍ/(2 cos² φ). A function without parentheses applies to the one symbol behind it.
#include "cetaev/detail/text/utf8.hpp"
#include "text_style.hpp"

namespace cetaev {

namespace {

std::string raised(const std::string& digits) {
  static constexpr char32_t by_digit[] = {U'⁰', U'¹', U'²', U'³', U'⁴', U'⁵', U'⁶', U'⁷', U'⁸', U'⁹'};
  std::string text;
  for (const char c : digits) text::append_utf8(text, by_digit[c - '0']);
  return text;
}

class Unicode final : public TextStyle {
 public:
  Piece symbol(std::string text) const override {
    Piece p = piece(std::move(text), Level::atom);
    // sin φ, but sin(slope)
    const auto is_latin = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    p.single = !(p.text.size() > 1 && is_latin(p.text[0]) && is_latin(p.text[1])) && p.text[0] != '$';
    return p;
  }
  Piece integer(const std::string& digits) const override { return piece(digits, Level::atom); }
  Piece pi() const override { return symbol("π"); }
  std::pair<std::string, std::string> large_parentheses(bool /*tall*/) const override { return {"(", ")"}; }
  std::string minus() const override { return "−"; }
  std::string exponent(const Rational& value) const override {
    if (value.is_one()) return "";
    return (value.sign() < 0 ? "⁻" : "") + raised(value.abs().to_string());
  }
  Piece remark(const std::string& text) const override { return piece(text, Level::atom); }

  Piece sum(const std::vector<Signed>& terms) const override {
    if (terms.size() == 1 && !terms[0].negative) return terms[0].piece;
    std::string text;
    for (const Signed& term : terms) {
      if (text.empty()) {
        text = term.negative ? "−" : "";
      } else {
        text += term.negative ? " − " : " + ";
      }
      text += term.piece.text;
    }
    return piece(std::move(text), Level::sum);
  }

  Piece term(const Rational& coefficient, const std::vector<Factor>& above, const std::vector<Factor>& below,
             bool /*distributes*/) const override {
    const auto decimal = decimals(coefficient);
    const Rational number = coefficient.numerator(), divisor = decimal ? Rational(1) : coefficient.denominator();
    Piece top = product(decimal ? *decimal : number.to_string(), above);
    if (below.empty() && divisor.is_one()) return top;
    const Piece bottom = product(divisor.to_string(), below);
    // a/b c would be read as (a/b) c
    const bool several = bottom.level == Level::product;
    return piece(at(top, Level::product) + "/" + (several ? "(" + bottom.text + ")" : at(bottom, Level::power)),
                 Level::product);
  }

  Piece power(const Piece& base, const Piece& exponent) const override {
    return piece(at(base, Level::atom) + "^" + at(exponent, Level::atom), Level::power);
  }

  Piece call(Function function, const std::vector<const Piece*>& arguments) const override {
    if (function == Function::abs) return piece("|" + arguments[0]->text + "|", Level::atom);
    Piece p;
    const bool bare = arguments.size() == 1 && function != Function::exp && arguments[0]->single;
    p.head = name_of(function);
    p.tail = bare ? " " : "(";
    for (std::size_t i = 0; i < arguments.size(); ++i) p.tail += (i > 0 ? ", " : "") + arguments[i]->text;
    if (!bare) p.tail += ")";
    p.text = p.head + p.tail;
    if (!takes_exponent(function)) p.head.clear();
    p.width = static_cast<double>(width(p.text));
    p.level = bare ? Level::power : Level::atom;
    p.open = bare;
    return p;
  }

 private:
  static Piece product(const std::string& number, const std::vector<Factor>& factors) {
    if (factors.empty()) return piece(number, Level::atom);
    if (number == "1" && factors.size() == 1) return factor(factors[0]);
    std::string text = number == "1" ? "" : number;
    bool apart = false;
    for (const Factor& f : factors) {
      const Piece next = factor(f);
      const bool digit = next.text[0] >= '0' && next.text[0] <= '9';
      text += (text.empty() ? "" : digit || apart ? "·" : " ") + at(next, Level::power);
      apart = reads_as_operator(next.text);
    }
    return piece(std::move(text), Level::product);
  }

  static Piece factor(const Factor& f) {
    const Piece& base = *f.base;
    if (f.exponent.is_one()) {
      if (base.level >= Level::power) return base;
      return piece("(" + base.text + ")", Level::atom);
    }
    if (is_half(f.exponent)) return piece("√" + (base.single ? base.text : "(" + base.text + ")"), Level::power);
    if (!f.exponent.is_integer())
      return piece(at(base, Level::atom) + "^(" + f.exponent.to_string() + ")", Level::power);
    const std::string exponent = raised(f.exponent.to_string());
    if (!base.head.empty()) return piece(base.head + exponent + base.tail, Level::power);
    return piece(at(base, Level::atom) + exponent, Level::power);
  }
};

}  // namespace

std::unique_ptr<NotationStyle> unicode_style() { return std::make_unique<Unicode>(); }

}  // namespace cetaev
