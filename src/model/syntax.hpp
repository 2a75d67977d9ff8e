// The syntax of expressions: text to a flat tree. Names are not looked up here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "source_text.hpp"

namespace cetaev::model {

// Where the text of an expression stands in a file: a TOML string, whose bytes may be written as escapes, or bare text.
class Origin {
 public:
  static Origin bare(const SourceText& source, std::size_t offset) { return {source, offset, false}; }
  static Origin string(const SourceText& source, std::size_t offset) { return {source, offset, true}; }

  // Of the expression that begins at this byte of the text.
  Origin from(std::size_t index) const {
    Origin later = *this;
    later.begin_ += index;
    return later;
  }

  const SourceText& source() const { return *source_; }
  // The byte of the file behind byte `index` of the expression.
  std::size_t offset(std::size_t index) const;
  [[noreturn]] void fail(ErrorCode code, const std::string& message, std::size_t index,
                         const std::string& suggestion = {}) const;

 private:
  Origin(const SourceText& source, std::size_t offset, bool string)
      : source_(&source), offset_(offset), string_(string) {}

  const SourceText* source_;
  std::size_t offset_;
  bool string_;
  std::size_t begin_ = 0;
};

struct SyntaxNode {
  enum class Kind : std::uint8_t {
    number,        // 12.5e-3
    name,          // x
    call,          // f(a, b, …)
    vector,        // [a, b, c]
    component,     // a.x
    derivative,    // a'
    negative,      // -a
    sum,           // a + b + …      a - b is a sum with a negative
    product,       // a·b·…          a / b is a product with an inverse
    inverse,       // 1/a
    power,         // a^b
    multiplier,    // lambda[1]
    force_at,      // touch.force    its text is the name, as of
    kinetic_of,    // disc.kinetic
    potential_of,  // seat.potential
    power_of,      // motor.power
  };

  Kind kind;
  std::uint8_t component = 0;  // 0, 1, 2 for .x .y .z
  std::uint32_t offset = 0;    // where it begins in the text
  std::uint32_t length = 0;    // of the number, the name or the name of the function
  std::uint32_t first = 0;     // its operands: Syntax::operands[first … first + count)
  std::uint32_t count = 0;
};

struct Syntax {
  std::string_view text;
  std::vector<SyntaxNode> nodes;  // operands stand before the nodes that use them, so a loop is a traversal
  std::vector<std::uint32_t> operands;
  std::uint32_t left = 0;   // the expression, or the left side of an equation
  std::uint32_t right = 0;  // the right side
  bool equation = false;

  std::span<const std::uint32_t> operands_of(const SyntaxNode& node) const {
    return std::span(operands).subspan(node.first, node.count);
  }
  std::string_view text_of(const SyntaxNode& node) const { return text.substr(node.offset, node.length); }
};

struct SyntaxLimits {
  static constexpr std::size_t depth = 1'000;
  static constexpr std::size_t length = 2'000'000;
  static constexpr std::size_t number_digits = 10'000;
  static constexpr std::size_t number_exponent = 9'999;
};

// The text must outlive the result. Throws Error(parse_error) at the place in the file.
Syntax parse_syntax(std::string_view text, const Origin& origin, bool equation_allowed = false);

// Fails when a decimal number has more digits or a larger exponent than the language allows; `index` is its place.
void check_number_size(std::string_view number, const Origin& origin, std::size_t index);

// The functions of the language and the number of their arguments; 0 when it is not a function.
std::size_t function_arity(std::string_view name);
std::span<const std::string_view> function_names();
// How the language says what is a function elsewhere: by another name (log for ln) or by a formula ("sqr(x) is x^2"). Both are
// empty for names that nobody expects.
struct FunctionElsewhere {
  std::string_view name, formula;
};
FunctionElsewhere function_elsewhere(std::string_view name);

}  // namespace cetaev::model
