// Puts the tokens of an expression together: operators by precedence, with a stack of its own instead of recursion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "syntax.hpp"

namespace cetaev::model {

class SyntaxBuilder {
 public:
  SyntaxBuilder(std::string_view text, const Origin& origin, bool equation_allowed);

  // Tokens in the order of the text, each with the byte where it begins and its length. The grammar guarantees that
  // operands and operators alternate.
  void number(std::size_t offset, std::size_t length);
  void name(std::size_t offset, std::size_t length);
  void sign(std::size_t offset, bool minus);
  void open_parenthesis(std::size_t offset);
  void open_call(std::size_t offset, std::size_t length);  // "sin (": the name and the parenthesis
  void open_bracket(std::size_t offset);
  void close(std::size_t offset, char bracket);
  void prime(std::size_t offset);
  void component(std::size_t offset, std::size_t length, std::uint8_t which);
  void property(std::size_t offset, std::size_t length);
  void index(std::size_t offset, std::size_t length);
  void add(std::size_t offset, bool minus);
  void multiply(std::size_t offset, bool divide);
  void power(std::size_t offset);
  void comma(std::size_t offset);
  void equals(std::size_t offset);
  Syntax finish();

  // What is wrong where an operand, an operator or a component was expected and something else was found.
  [[noreturn]] void no_operand(std::size_t offset) const;
  [[noreturn]] void no_operator(std::size_t offset) const;
  [[noreturn]] void no_component(std::size_t offset) const;

 private:
  using Kind = SyntaxNode::Kind;
  enum class Frame : std::uint8_t { whole, parenthesis, call, bracket, sum, product, negative, power };
  struct Open {
    Frame frame;
    bool pending = false;      // sum: the term being read is subtracted; product: the factor being read divides
    std::uint32_t offset = 0;  // of the bracket, name or operator
    std::uint32_t length = 0;  // of the name of a call
    std::uint32_t height = 0;  // operands below the first of its own
  };

  [[noreturn]] void fail(const std::string& message, std::size_t offset, const std::string& suggestion = {}) const;
  void token(std::size_t offset, std::size_t length);
  // The node of a name that was the last token; null where something else was.
  SyntaxNode* last_name();
  std::string_view last_token() const { return text_.substr(last_offset_, last_length_); }
  void push(Frame frame, std::size_t offset, std::size_t length, std::size_t own);
  void nest(std::size_t offset);
  // Closes the frames that bind tighter than `frame`.
  void reduce_to(Frame frame);
  void reduce_all();
  void settle_pending();
  void combine(Kind kind, std::uint32_t count, std::uint32_t offset, std::uint32_t length = 0);

  Syntax syntax_;
  std::string_view text_;
  const Origin& origin_;
  bool equation_allowed_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> waiting_;  // operands, by node
  std::size_t depth_ = 0;
  std::size_t last_offset_ = 0, last_length_ = 0;
  bool last_is_number_ = false;
};

}  // namespace cetaev::model
