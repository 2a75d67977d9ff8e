// The grammar of the model language. It is written without recursion: brackets are tokens that may come before or
// behind an operand, and SyntaxBuilder keeps track of what is open. So depth costs no stack.
#include "syntax.hpp"
#include "cetaev/detail/expr/elliptic_orders.hpp"

#include <algorithm>
#include <tao/pegtl.hpp>

#include "document.hpp"
#include "syntax_builder.hpp"
#include "unicode.hpp"

namespace cetaev::model {
namespace grammar {
namespace pegtl = tao::pegtl;

struct Space : pegtl::star<pegtl::one<' ', '\t', '\n', '\r'>> {};

struct Digits : pegtl::plus<pegtl::digit> {};
struct Exponent : pegtl::seq<pegtl::one<'e', 'E'>, pegtl::opt<pegtl::one<'+', '-'>>, Digits> {};
struct Whole : pegtl::seq<Digits, pegtl::opt<pegtl::one<'.'>, pegtl::star<pegtl::digit>>> {};
struct Fraction : pegtl::seq<pegtl::one<'.'>, Digits> {};
struct Number : pegtl::seq<pegtl::sor<Whole, Fraction>, pegtl::opt<Exponent>> {};

template <bool Start>
struct NameCharacter {
  using rule_t = NameCharacter;
  using subs_t = pegtl::empty_list;

  template <typename ParseInput>
  static bool match(ParseInput& in) {
    if (in.empty()) return false;
    const CodePoint c = decode(std::string_view(in.current(), in.size()), 0);
    if (c.bytes == 0 || !(Start ? is_name_start(c.value) : is_name_part(c.value))) return false;
    in.bump(c.bytes);
    return true;
  }
};
struct Name : pegtl::seq<NameCharacter<true>, pegtl::star<NameCharacter<false>>> {};

struct PlusSign : pegtl::one<'+'> {};
struct MinusSign : pegtl::one<'-'> {};
struct OpenParenthesis : pegtl::one<'('> {};
struct OpenCall : pegtl::seq<Name, Space, pegtl::one<'('>> {};
struct OpenBracket : pegtl::one<'['> {};
struct Before : pegtl::sor<PlusSign, MinusSign, OpenParenthesis, OpenCall, OpenBracket> {};

struct NameOperand : Name {};
struct Operand : pegtl::sor<Number, NameOperand> {};

struct Prime : pegtl::one<'\''> {};
struct ComponentAhead : pegtl::at<pegtl::one<'x', 'y', 'z'>, pegtl::not_at<NameCharacter<false>>> {};
struct ComponentName : pegtl::seq<ComponentAhead, pegtl::any> {};
struct Component : pegtl::if_must<pegtl::one<'.'>, ComponentName> {};
struct Property : pegtl::seq<pegtl::one<'.'>,
                             pegtl::sor<TAO_PEGTL_STRING("force"), TAO_PEGTL_STRING("kinetic"),
                                        TAO_PEGTL_STRING("potential"), TAO_PEGTL_STRING("power")>,
                             pegtl::not_at<NameCharacter<false>>> {};
struct Index : pegtl::seq<pegtl::one<'['>, Space, Digits, Space, pegtl::one<']'>> {};
struct Close : pegtl::one<')', ']'> {};
struct Behind : pegtl::sor<Prime, Property, Component, Index, Close> {};

struct Plus : pegtl::one<'+'> {};
struct Minus : pegtl::one<'-'> {};
struct Times : pegtl::one<'*'> {};
struct Divide : pegtl::one<'/'> {};
struct Power : pegtl::one<'^'> {};
struct Comma : pegtl::one<','> {};
struct Equals : pegtl::one<'='> {};
struct Between : pegtl::sor<Plus, Minus, Times, Divide, Power, Comma, Equals> {};

struct Part : pegtl::seq<Space, pegtl::star<Before, Space>, pegtl::must<Operand>, Space, pegtl::star<Behind, Space>> {};
struct Expression : pegtl::seq<Part, pegtl::star<Between, Part>, pegtl::must<pegtl::eof>> {};

struct State {
  SyntaxBuilder& builder;
  const char* begin;
  template <typename Input>
  std::size_t offset(const Input& in) const {
    if constexpr (requires { in.current(); })
      return static_cast<std::size_t>(in.current() - begin);
    else
      return static_cast<std::size_t>(in.begin() - begin);
  }
};

template <typename Rule>
struct Action : pegtl::nothing<Rule> {};

template <>
struct Action<Number> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.number(s.offset(in), in.size());
  }
};
template <>
struct Action<NameOperand> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.name(s.offset(in), in.size());
  }
};
template <>
struct Action<PlusSign> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.sign(s.offset(in), false);
  }
};
template <>
struct Action<MinusSign> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.sign(s.offset(in), true);
  }
};
template <>
struct Action<OpenParenthesis> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.open_parenthesis(s.offset(in));
  }
};
template <>
struct Action<OpenCall> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.open_call(s.offset(in), in.size());
  }
};
template <>
struct Action<OpenBracket> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.open_bracket(s.offset(in));
  }
};
template <>
struct Action<Prime> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.prime(s.offset(in));
  }
};
template <>
struct Action<Component> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.component(s.offset(in), in.size(),
                        static_cast<std::uint8_t>(*in.begin() == '.' ? in.begin()[1] - 'x' : 0));
  }
};
template <>
struct Action<Close> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.close(s.offset(in), *in.begin());
  }
};
template <>
struct Action<Property> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.property(s.offset(in), in.size());
  }
};
template <>
struct Action<Index> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.index(s.offset(in), in.size());
  }
};
template <>
struct Action<Plus> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.add(s.offset(in), false);
  }
};
template <>
struct Action<Minus> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.add(s.offset(in), true);
  }
};
template <>
struct Action<Times> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.multiply(s.offset(in), false);
  }
};
template <>
struct Action<Divide> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.multiply(s.offset(in), true);
  }
};
template <>
struct Action<Power> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.power(s.offset(in));
  }
};
template <>
struct Action<Comma> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.comma(s.offset(in));
  }
};
template <>
struct Action<Equals> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.equals(s.offset(in));
  }
};

// Failures are put into words by the builder, which knows what came Before.
template <typename Rule>
struct Control : pegtl::normal<Rule> {
  template <typename Input>
  [[noreturn]] static void raise(const Input& in, State& s) {
    const std::size_t offset = s.offset(in);
    if constexpr (std::is_same_v<Rule, Operand>)
      s.builder.no_operand(offset);
    else if constexpr (std::is_same_v<Rule, ComponentName>)
      s.builder.no_component(offset);
    else
      s.builder.no_operator(offset);
  }
};

}  // namespace grammar

std::size_t Origin::offset(std::size_t index) const {
  return string_ ? string_source(source_->text(), offset_, begin_ + index) : offset_ + begin_ + index;
}

void Origin::fail(ErrorCode code, const std::string& message, std::size_t index, const std::string& suggestion) const {
  source_->fail(code, message, offset(index), suggestion);
}

Syntax parse_syntax(std::string_view text, const Origin& origin, bool equation_allowed) {
  if (text.size() > SyntaxLimits::length)
    origin.fail(ErrorCode::parse_error, "the expression is too long: more than 2 MB", 0);
  SyntaxBuilder builder(text, origin, equation_allowed);
  grammar::State state{builder, text.data()};
  tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy, tao::pegtl::eol::lf, const char*> input(
      text.data(), text.data() + text.size(), "");
  tao::pegtl::parse<grammar::Expression, grammar::Action, grammar::Control>(input, state);
  return builder.finish();
}

void check_number_size(std::string_view number, const Origin& origin, std::size_t index) {
  const std::size_t mark = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, mark);
  const auto count = std::count_if(mantissa.begin(), mantissa.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (static_cast<std::size_t>(count) > SyntaxLimits::number_digits)
    origin.fail(ErrorCode::parse_error, "number too large: more than 10000 digits", index);
  if (mark == std::string_view::npos) return;
  std::size_t exponent = 0;
  for (const char c : number.substr(mark + 1)) {
    if (c < '0' || c > '9') continue;
    exponent = exponent * 10 + static_cast<std::size_t>(c - '0');
    if (exponent > SyntaxLimits::number_exponent)
      origin.fail(ErrorCode::parse_error, "number too large: its exponent is beyond 9999", index);
  }
}

std::span<const std::string_view> function_names() {
  static constexpr std::string_view names[] = {
      "sqrt", "sin",  "cos",   "tan",   "asin",      "acos",      "atan",      "atan2",
      "sinh", "cosh", "tanh",  "asinh", "acosh",     "atanh",     "exp",       "log",
      "abs",  "dot",  "cross", "norm",  "ellipticF", "ellipticE", "ellipticK", "ellipticEpsilon",
      "am",   "sn",   "cn",    "dn"};
  return names;
}

FunctionElsewhere function_elsewhere(std::string_view name) {
  struct Known {
    std::string_view name;
    FunctionElsewhere here;
  };
  static constexpr Known known[] = {
      {"ln", {"log", {}}},
      {"fabs", {"abs", {}}},
      {"tg", {"tan", {}}},
      {"sh", {"sinh", {}}},
      {"ch", {"cosh", {}}},
      {"th", {"tanh", {}}},
      {"arcsin", {"asin", {}}},
      {"arccos", {"acos", {}}},
      {"arctan", {"atan", {}}},
      {"arctg", {"atan", {}}},
      {"arctan2", {"atan2", {}}},
      {"arsinh", {"asinh", {}}},
      {"arcsinh", {"asinh", {}}},
      {"arcosh", {"acosh", {}}},
      {"arccosh", {"acosh", {}}},
      {"artanh", {"atanh", {}}},
      {"arctanh", {"atanh", {}}},
      {"log10", {{}, "log10(x) is log(x)/log(10)"}},
      {"lg", {{}, "lg(x) is log(x)/log(10)"}},
      {"log2", {{}, "log2(x) is log(x)/log(2)"}},
      {"ld", {{}, "ld(x) is log(x)/log(2)"}},
      {"sign", {{}, "sign(x) is abs(x)/x, which jumps at 0"}},
      {"sgn", {{}, "sgn(x) is abs(x)/x, which jumps at 0"}},
      {"signum", {{}, "signum(x) is abs(x)/x, which jumps at 0"}},
      {"heaviside", {{}, "heaviside(x) is (1 + abs(x)/x)/2, which jumps at 0"}},
      {"min", {{}, "min(a, b) is (a + b - abs(a - b))/2"}},
      {"max", {{}, "max(a, b) is (a + b + abs(a - b))/2"}},
      {"pow", {{}, "pow(a, b) is a^b"}},
      {"sqr", {{}, "sqr(x) is x^2"}},
      {"cbrt", {{}, "cbrt(x) is x^(1/3)"}},
      {"hypot", {{}, "hypot(a, b) is sqrt(a^2 + b^2)"}},
      {"cot", {{}, "cot(x) is cos(x)/sin(x)"}},
      {"ctg", {{}, "ctg(x) is cos(x)/sin(x)"}},
      {"sec", {{}, "sec(x) is 1/cos(x)"}},
      {"csc", {{}, "csc(x) is 1/sin(x)"}},
      {"cosec", {{}, "cosec(x) is 1/sin(x)"}},
      {"coth", {{}, "coth(x) is cosh(x)/sinh(x)"}},
      {"sech", {{}, "sech(x) is 1/cosh(x)"}},
      {"csch", {{}, "csch(x) is 1/sinh(x)"}},
      {"ellipkinc", {"ellipticF", {}}},
      {"ellipeinc", {"ellipticE", {}}},
      {"ellipk", {"ellipticK", {}}},
      {"ellipe", {{}, "ellipe(m) is ellipticE(pi/2, m)"}},
      {"ellint_1", {{}, "ellint_1(k, phi) is ellipticF(phi, k^2)"}},
      {"ellint_2", {{}, "ellint_2(k, phi) is ellipticE(phi, k^2)"}},
      {"sd", {{}, "sd(u, m) is sn(u, m)/dn(u, m)"}},
      {"cd", {{}, "cd(u, m) is cn(u, m)/dn(u, m)"}},
      {"nd", {{}, "nd(u, m) is 1/dn(u, m)"}},
      {"diff", {{}, "the derivative of x by time is x'"}},
      {"der", {{}, "the derivative of x by time is x'"}},
  };
  for (const Known& entry : known)
    if (entry.name == name) return entry.here;
  return {};
}

std::size_t function_arity(std::string_view name) {
  const auto names = function_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    // am_m and the like, which occur in derivatives
    for (std::size_t i = function_count; i < all_function_count; ++i)
      if (name_of(static_cast<Function>(i)) == name) return 2;
    return 0;
  }
  static constexpr std::string_view of_two[] = {"atan2",           "dot", "cross", "ellipticF", "ellipticE",
                                                "ellipticEpsilon", "am",  "sn",    "cn",        "dn"};
  return std::find(std::begin(of_two), std::end(of_two), name) != std::end(of_two) ? 2 : 1;
}

}  // namespace cetaev::model
