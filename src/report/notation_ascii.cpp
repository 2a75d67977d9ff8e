// The model language. Parsing the text gives the same node again.
#include <algorithm>
#include <array>

#include "text_style.hpp"

namespace cetaev {

namespace {

class Ascii final : public TextStyle {
 public:
  bool faithful() const override { return true; }

  Piece symbol(std::string text) const override { return piece(std::move(text), Level::atom); }
  Piece integer(const std::string& digits) const override { return piece(digits, Level::atom); }
  Piece pi() const override { return piece("pi", Level::atom); }
  std::pair<std::string, std::string> large_parentheses(bool /*tall*/) const override { return {"(", ")"}; }
  std::string minus() const override { return "-"; }
  std::string exponent(const Rational& value) const override {
    if (value.is_one()) return "";
    return value.sign() > 0 ? "^" + value.to_string() : "^(" + value.to_string() + ")";
  }
  Piece remark(const std::string& text) const override { return piece(text, Level::atom); }

  Piece sum(const std::vector<Signed>& terms) const override {
    std::string text;
    for (const Signed& term : terms) {
      if (text.empty()) {
        text = term.negative ? "-" : "";
      } else {
        text += term.negative ? " - " : " + ";
      }
      text += term.piece.text;
    }
    return piece(std::move(text), terms.size() == 1 && !terms[0].negative ? terms[0].piece.level : Level::sum);
  }

  Piece term(const Rational& coefficient, const std::vector<Factor>& above, const std::vector<Factor>& below,
             bool distributes) const override {
    const auto sign = std::ranges::find_if(above, &Factor::sums);
    if (sign != above.end()) return with_sum(coefficient, above, below, distributes, sign - above.begin());
    const auto decimal = decimals(coefficient);
    const bool numbered = decimal || !coefficient.numerator().is_one() || above.empty();
    std::string text = decimal ? *decimal : numbered ? coefficient.numerator().to_string() : std::string();
    for (const Factor& f : above) text += (text.empty() ? "" : "*") + factor(f).text;
    const bool divided = !decimal && !coefficient.is_integer();
    const std::size_t count = below.size() + (divided ? 1 : 0);
    if (count == 0) {
      const bool one = above.size() + (numbered ? 1 : 0) == 1;
      return piece(std::move(text), !one ? Level::product : above.empty() ? Level::atom : factor(above[0]).level);
    }
    // A long denominator in parentheses would be read as one node of its own, and 6*(x + 1/7) as 6*x + 6/7.
    const bool grouped = count > 1 && count < Context::flatten_limit && !(count == 2 && distributes);
    bool first = true;
    const auto divide = [&](const std::string& by) {
      text += (first || !grouped ? (grouped ? "/(" : "/") : "*") + by;
      first = false;
    };
    if (divided) divide(coefficient.denominator().to_string());
    for (const Factor& f : below) divide(factor(f).text);
    if (grouped) text += ")";
    return piece(std::move(text), Level::product);
  }

  Piece power(const Piece& base, const Piece& exponent) const override {
    return piece(at(base, Level::atom) + "^" + at(exponent, Level::power), Level::power);
  }

  Piece call(Function function, const std::vector<const Piece*>& arguments) const override {
    std::string text = std::string(name_of(function)) + "(";
    for (std::size_t i = 0; i < arguments.size(); ++i) text += (i > 0 ? ", " : "") + arguments[i]->text;
    return piece(text + ")", Level::atom);
  }

 private:
  // m*sum(j=1..20, x_j'): what the index is in stands inside.
  Piece with_sum(const Rational& coefficient, const std::vector<Factor>& above, const std::vector<Factor>& below,
                 bool distributes, std::ptrdiff_t at) const {
    std::vector<Factor> outside(above.begin(), above.begin() + at), outside_below,
        inside(above.begin() + at + 1, above.end()), inside_below;
    const int depth = above[static_cast<std::size_t>(at)].depth;
    for (const Factor& f : below) (f.depth >= depth ? inside_below : outside_below).push_back(f);
    Factor sum = above[static_cast<std::size_t>(at)];
    std::string text = sum.base->text;
    text.pop_back();  // its parenthesis
    const bool bare = inside.size() == 1 && inside_below.empty() && inside[0].exponent.is_one();
    text += ", " + (bare ? inside[0].base->text : term(1, inside, inside_below, false).text) + ")";
    const Piece whole = piece(std::move(text), Level::atom);
    sum.base = &whole;
    sum.sums = false;
    outside.push_back(sum);
    return term(coefficient, outside, outside_below, distributes);
  }

  static Piece factor(const Factor& f) {
    if (f.exponent.is_one()) return piece(at(*f.base, Level::power), std::max(f.base->level, Level::power));
    if (is_half(f.exponent)) return piece("sqrt(" + f.base->text + ")", Level::atom);
    const std::string exponent = f.exponent.to_string();
    return piece(at(*f.base, Level::atom) + (f.exponent.is_integer() ? "^" + exponent : "^(" + exponent + ")"),
                 Level::power);
  }
};

}  // namespace

std::unique_ptr<NotationStyle> ascii_style() { return std::make_unique<Ascii>(); }

bool reads_as_operator(std::string_view name) {
  static constexpr std::array names = {"d",   "\\partial", "∂",    "ln",   "log", "lg",   "exp", "sin", "cos",
                                       "tan", "sinh",      "cosh", "tanh", "abs", "sqrt", "det", "max", "min"};
  return std::ranges::find(names, name) != names.end();
}

namespace {

// n with r·10ⁿ an integer, for a fraction of few digits.
std::optional<std::size_t> places_of(const Rational& r) {
  constexpr std::size_t most = 10;
  if (r.is_integer()) return std::nullopt;
  Rational power(10);
  for (std::size_t places = 1; places < most; ++places, power *= Rational(10)) {
    if ((r * power).is_integer()) return (r * power).to_string().size() > 12 ? std::nullopt : std::optional(places);
  }
  return std::nullopt;
}

}  // namespace

bool reads_as_decimal(const Rational& r) {
  return r.sign() > 0 && (r.denominator() / Rational(10)).is_integer() && places_of(r).has_value();
}

std::optional<std::string> NotationStyle::decimals(const Rational& r) const {
  const Rational beyond(100);  // two digits above and below, in a fraction that somebody would write
  const bool short_fraction = r.numerator() < beyond && r.denominator() < beyond;
  const bool half = r.denominator() == Rational(2);  // m x'²/2
  if (r.sign() < 0 || half || (!with_decimals && short_fraction)) return std::nullopt;
  const std::optional<std::size_t> places = places_of(r);
  if (!places) return std::nullopt;
  std::string digits = (r * Rational(10).power(static_cast<long>(*places))).to_string();
  if (digits.size() <= *places) digits.insert(0, *places + 1 - digits.size(), '0');
  return digits.insert(digits.size() - *places, ".");
}

std::unique_ptr<NotationStyle> notation_style(Notation notation) {
  switch (notation) {
    case Notation::ascii: return ascii_style();
    case Notation::unicode: return unicode_style();
    case Notation::mathml: return mathml_style();
    default: return latex_style();
  }
}

}  // namespace cetaev
