// The grammar of the model language. It is written without recursion: brackets are tokens that may come before or behind
// an operand, and SyntaxBuilder keeps track of what is open. So depth costs no stack.
#include "syntax.hpp"

#include <algorithm>
#include <tao/pegtl.hpp>

#include "document.hpp"
#include "syntax_builder.hpp"
#include "unicode.hpp"

namespace cetaev::model {
namespace grammar {
namespace pegtl = tao::pegtl;

struct space : pegtl::star<pegtl::one<' ', '\t', '\n', '\r'>> {};

struct digits : pegtl::plus<pegtl::digit> {};
struct exponent : pegtl::seq<pegtl::one<'e', 'E'>, pegtl::opt<pegtl::one<'+', '-'>>, digits> {};
struct whole : pegtl::seq<digits, pegtl::opt<pegtl::one<'.'>, pegtl::star<pegtl::digit>>> {};
struct fraction : pegtl::seq<pegtl::one<'.'>, digits> {};
struct number : pegtl::seq<pegtl::sor<whole, fraction>, pegtl::opt<exponent>> {};

template <bool Start>
struct name_character {
  using rule_t = name_character;
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
struct name : pegtl::seq<name_character<true>, pegtl::star<name_character<false>>> {};

struct plus_sign : pegtl::one<'+'> {};
struct minus_sign : pegtl::one<'-'> {};
struct open_parenthesis : pegtl::one<'('> {};
struct open_call : pegtl::seq<name, space, pegtl::one<'('>> {};
struct open_bracket : pegtl::one<'['> {};
struct before : pegtl::sor<plus_sign, minus_sign, open_parenthesis, open_call, open_bracket> {};

struct name_operand : name {};
struct operand : pegtl::sor<number, name_operand> {};

struct prime : pegtl::one<'\''> {};
struct component_ahead : pegtl::at<pegtl::one<'x', 'y', 'z'>, pegtl::not_at<name_character<false>>> {};
struct component_name : pegtl::seq<component_ahead, pegtl::any> {};
struct component : pegtl::if_must<pegtl::one<'.'>, component_name> {};
struct close : pegtl::one<')', ']'> {};
struct behind : pegtl::sor<prime, component, close> {};

struct plus : pegtl::one<'+'> {};
struct minus : pegtl::one<'-'> {};
struct times : pegtl::one<'*'> {};
struct divide : pegtl::one<'/'> {};
struct power : pegtl::one<'^'> {};
struct comma : pegtl::one<','> {};
struct equals : pegtl::one<'='> {};
struct between : pegtl::sor<plus, minus, times, divide, power, comma, equals> {};

struct part : pegtl::seq<space, pegtl::star<before, space>, pegtl::must<operand>, space, pegtl::star<behind, space>> {};
struct expression : pegtl::seq<part, pegtl::star<between, part>, pegtl::must<pegtl::eof>> {};

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
struct action : pegtl::nothing<Rule> {};

template <>
struct action<number> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.number(s.offset(in), in.size());
  }
};
template <>
struct action<name_operand> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.name(s.offset(in), in.size());
  }
};
template <>
struct action<plus_sign> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.sign(s.offset(in), false);
  }
};
template <>
struct action<minus_sign> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.sign(s.offset(in), true);
  }
};
template <>
struct action<open_parenthesis> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.open_parenthesis(s.offset(in));
  }
};
template <>
struct action<open_call> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.open_call(s.offset(in), in.size());
  }
};
template <>
struct action<open_bracket> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.open_bracket(s.offset(in));
  }
};
template <>
struct action<prime> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.prime(s.offset(in));
  }
};
template <>
struct action<component> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.component(s.offset(in), in.size(),
                        static_cast<std::uint8_t>(*in.begin() == '.' ? in.begin()[1] - 'x' : 0));
  }
};
template <>
struct action<close> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.close(s.offset(in), *in.begin());
  }
};
template <>
struct action<plus> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.add(s.offset(in), false);
  }
};
template <>
struct action<minus> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.add(s.offset(in), true);
  }
};
template <>
struct action<times> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.multiply(s.offset(in), false);
  }
};
template <>
struct action<divide> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.multiply(s.offset(in), true);
  }
};
template <>
struct action<power> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.power(s.offset(in));
  }
};
template <>
struct action<comma> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.comma(s.offset(in));
  }
};
template <>
struct action<equals> {
  template <typename Input>
  static void apply(const Input& in, State& s) {
    s.builder.equals(s.offset(in));
  }
};

// Failures are put into words by the builder, which knows what came before.
template <typename Rule>
struct control : pegtl::normal<Rule> {
  template <typename Input>
  [[noreturn]] static void raise(const Input& in, State& s) {
    const std::size_t offset = s.offset(in);
    if constexpr (std::is_same_v<Rule, operand>)
      s.builder.no_operand(offset);
    else if constexpr (std::is_same_v<Rule, component_name>)
      s.builder.no_component(offset);
    else
      s.builder.no_operator(offset);
  }
};

}  // namespace grammar

std::size_t Origin::offset(std::size_t index) const {
  return string_ ? string_source(source_->text(), offset_, index) : offset_ + index;
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
  tao::pegtl::parse<grammar::expression, grammar::action, grammar::control>(input, state);
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
  static constexpr std::string_view names[] = {"sqrt",  "sin",  "cos",  "tan",  "asin",  "acos",  "atan",
                                               "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
                                               "exp",   "log",  "abs",  "dot",  "cross", "norm"};
  return names;
}

std::size_t function_arity(std::string_view name) {
  const auto names = function_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) return 0;
  return name == "atan2" || name == "dot" || name == "cross" ? 2 : 1;
}

}  // namespace cetaev::model
