#include "syntax_builder.hpp"

#include <algorithm>

#include "unicode.hpp"

namespace cetaev::model {

SyntaxBuilder::SyntaxBuilder(std::string_view text, const Origin& origin, bool equation_allowed)
    : text_(text), origin_(origin), equation_allowed_(equation_allowed) {
  syntax_.text = text;
  open_.push_back({Frame::whole});
}

void SyntaxBuilder::fail(const std::string& message, std::size_t offset, const std::string& suggestion) const {
  origin_.fail(ErrorCode::parse_error, message, offset, suggestion);
}

void SyntaxBuilder::token(std::size_t offset, std::size_t length) {
  last_offset_ = offset;
  last_length_ = length;
  last_is_number_ = false;
}

void SyntaxBuilder::number(std::size_t offset, std::size_t length) {
  check_number_size(text_.substr(offset, length), origin_, offset);
  combine(Kind::number, 0, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length));
  token(offset, length);
  last_is_number_ = true;
}

void SyntaxBuilder::name(std::size_t offset, std::size_t length) {
  combine(Kind::name, 0, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length));
  token(offset, length);
}

void SyntaxBuilder::nest(std::size_t offset) {
  if (++depth_ > SyntaxLimits::depth) fail("nested too deeply: more than 1000 levels", offset);
}

void SyntaxBuilder::push(Frame frame, std::size_t offset, std::size_t length, std::size_t own) {
  open_.push_back({frame, false, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length),
                   static_cast<std::uint32_t>(waiting_.size() - own)});
}

void SyntaxBuilder::sign(std::size_t offset, bool minus) {
  if (minus) {
    nest(offset);
    push(Frame::negative, offset, 1, 0);
  }
  token(offset, 1);
}

void SyntaxBuilder::open_parenthesis(std::size_t offset) {
  nest(offset);
  push(Frame::parenthesis, offset, 0, 0);
  token(offset, 1);
}

void SyntaxBuilder::open_call(std::size_t offset, std::size_t length) {
  nest(offset);
  push(Frame::call, offset, name_at(text_, offset).size(), 0);
  token(offset, length);
}

void SyntaxBuilder::open_bracket(std::size_t offset) {
  nest(offset);
  push(Frame::bracket, offset, 0, 0);
  token(offset, 1);
}

void SyntaxBuilder::combine(Kind kind, std::uint32_t count, std::uint32_t offset, std::uint32_t length) {
  SyntaxNode node{.kind = kind,
                  .offset = offset,
                  .length = length,
                  .first = static_cast<std::uint32_t>(syntax_.operands.size()),
                  .count = count};
  syntax_.operands.insert(syntax_.operands.end(), waiting_.end() - count, waiting_.end());
  waiting_.resize(waiting_.size() - count);
  waiting_.push_back(static_cast<std::uint32_t>(syntax_.nodes.size()));
  syntax_.nodes.push_back(node);
}

void SyntaxBuilder::settle_pending() {
  Open& top = open_.back();
  if (!top.pending) return;
  combine(top.frame == Frame::sum ? Kind::negative : Kind::inverse, 1, syntax_.nodes[waiting_.back()].offset);
  top.pending = false;
}

void SyntaxBuilder::reduce_to(Frame frame) {
  while (open_.back().frame > frame) {
    const Open top = open_.back();
    const auto begin = [&](std::uint32_t operands) {
      return syntax_.nodes[waiting_[waiting_.size() - operands]].offset;
    };
    switch (top.frame) {
      case Frame::power:
        combine(Kind::power, 2, begin(2));
        --depth_;
        break;
      case Frame::negative:
        combine(Kind::negative, 1, top.offset);
        --depth_;
        break;
      case Frame::sum:
      case Frame::product: {
        settle_pending();
        const auto own = static_cast<std::uint32_t>(waiting_.size()) - top.height;
        combine(top.frame == Frame::sum ? Kind::sum : Kind::product, own, begin(own));
        break;
      }
      default: return;
    }
    open_.pop_back();
  }
}

void SyntaxBuilder::reduce_all() { reduce_to(Frame::bracket); }

void SyntaxBuilder::add(std::size_t offset, bool minus) {
  reduce_to(Frame::sum);
  if (open_.back().frame == Frame::sum)
    settle_pending();
  else
    push(Frame::sum, offset, 1, 1);
  open_.back().pending = minus;
  token(offset, 1);
}

void SyntaxBuilder::multiply(std::size_t offset, bool divide) {
  reduce_to(Frame::product);
  if (open_.back().frame == Frame::product)
    settle_pending();
  else
    push(Frame::product, offset, 1, 1);
  open_.back().pending = divide;
  token(offset, 1);
}

void SyntaxBuilder::power(std::size_t offset) {
  nest(offset);
  push(Frame::power, offset, 1, 1);
  token(offset, 1);
}

void SyntaxBuilder::prime(std::size_t offset) {
  if (last_is_number_) fail("a prime follows a name or a parenthesis, not a number", offset);
  combine(Kind::derivative, 1, syntax_.nodes[waiting_.back()].offset);
  token(offset, 1);
}

void SyntaxBuilder::component(std::size_t offset, std::size_t length, std::uint8_t which) {
  combine(Kind::component, 1, syntax_.nodes[waiting_.back()].offset);
  syntax_.nodes.back().component = which;
  token(offset, length);
}

SyntaxNode* SyntaxBuilder::last_name() {
  SyntaxNode& node = syntax_.nodes[waiting_.back()];
  return node.kind == Kind::name && node.offset == last_offset_ && last_length_ == node.length ? &node : nullptr;
}

void SyntaxBuilder::property(std::size_t offset, std::size_t length) {
  SyntaxNode* name = last_name();
  const std::string_view word = syntax_.text.substr(offset, length);
  if (name == nullptr) {
    const bool force = word == ".force";
    fail("'" + std::string(word) + "' follows the name of " + (force ? "a contact" : "what has it"), offset);
  }
  name->kind = word == ".force"       ? Kind::force_at
               : word == ".kinetic"   ? Kind::kinetic_of
               : word == ".potential" ? Kind::potential_of
                                      : Kind::power_of;
  token(offset, length);
}

void SyntaxBuilder::index(std::size_t offset, std::size_t length) {
  SyntaxNode* name = last_name();
  if (name == nullptr || last_token() != "lambda") no_operator(offset);
  name->kind = Kind::multiplier;
  name->length = static_cast<std::uint32_t>(offset + length - name->offset);
  token(offset, length);
}

void SyntaxBuilder::close(std::size_t offset, char bracket) {
  reduce_all();
  const Open top = open_.back();
  const bool matches =
      bracket == ']' ? top.frame == Frame::bracket : top.frame == Frame::parenthesis || top.frame == Frame::call;
  if (top.frame == Frame::whole) fail(std::string("this '") + bracket + "' closes nothing", offset);
  if (!matches) {
    const char* wanted = bracket == ']' ? "')'" : "']'";
    fail(std::string("expected ") + wanted + " before '" + bracket + "'", offset);
  }
  const auto own = static_cast<std::uint32_t>(waiting_.size()) - top.height;
  if (top.frame == Frame::call) {
    combine(Kind::call, own, top.offset, top.length);
  } else if (top.frame == Frame::bracket) {
    if (own != 3) fail("a vector has three components, found " + std::to_string(own), top.offset);
    combine(Kind::vector, own, top.offset);
  } else {
    // Errors about the whole of a parenthesis point at it; those about a name point at the name.
    SyntaxNode& inside = syntax_.nodes[waiting_.back()];
    if (inside.length == 0 && inside.kind != Kind::vector) inside.offset = top.offset;
  }
  open_.pop_back();
  --depth_;
  token(offset, 1);
}

void SyntaxBuilder::comma(std::size_t offset) {
  reduce_all();
  const Frame frame = open_.back().frame;
  if (frame == Frame::parenthesis)
    fail("a ',' inside parentheses that are not a function's; vectors are written [a, b, c]", offset);
  if (frame == Frame::whole) fail("a ',' outside of a function or a vector", offset);
  token(offset, 1);
}

void SyntaxBuilder::equals(std::size_t offset) {
  reduce_all();
  if (open_.back().frame != Frame::whole) fail("'=' inside brackets", offset);
  if (!equation_allowed_) fail("'=' outside of constraints: only a constraint is an equation", offset);
  if (syntax_.equation) fail("a second '=' in an equation", offset);
  syntax_.equation = true;
  syntax_.left = waiting_.back();
  waiting_.clear();
  token(offset, 1);
}

Syntax SyntaxBuilder::finish() {
  reduce_all();
  const Open& top = open_.back();
  if (top.frame != Frame::whole) {
    const std::size_t bracket = top.frame == Frame::call ? text_.find('(', top.offset) : top.offset;
    fail(top.frame == Frame::bracket ? "this '[' is never closed" : "this '(' is never closed", bracket);
  }
  (syntax_.equation ? syntax_.right : syntax_.left) = waiting_.back();
  return std::move(syntax_);
}

void SyntaxBuilder::no_operand(std::size_t offset) const {
  const bool end = offset >= text_.size();
  if (last_length_ == 0 && end) fail("the expression is empty", offset);
  if (!end && last_length_ == 1 && last_offset_ + 1 == offset) {
    const char last = text_[last_offset_], here = text_[offset];
    if (last == '*' && here == '*') fail("'**' is not an operator; powers are written with '^'", last_offset_, "^");
    if (last == '=' && here == '=') fail("'==' is not an operator; an equation has one '='", last_offset_, "=");
  }
  std::string message = "expected an operand";
  if (last_length_ != 0) message += " after " + in_quotes(last_token());
  if (end) fail(message, offset);
  const CodePoint found = decode(text_, offset);
  fail(message + ", found " + describe(found.value), offset, std::string(ascii_lookalike(found.value).value_or("")));
}

void SyntaxBuilder::no_operator(std::size_t offset) const {
  const CodePoint found = decode(text_, offset);
  const bool operand = (found.value >= U'0' && found.value <= U'9') || found.value == U'(' || found.value == U'[' ||
                       is_name_start(found.value);
  if (!operand) {
    std::string message = "unexpected " + describe(found.value);
    const auto lookalike = ascii_lookalike(found.value);
    if (lookalike == "'") message += ": a derivative is written with the apostrophe '";
    fail(message, offset, std::string(lookalike.value_or("")));
  }
  std::string_view next = name_at(text_, offset);
  if (next.empty()) {
    std::size_t end = offset + 1;
    if (found.value <= U'9')
      while (end < text_.size() && ((text_[end] >= '0' && text_[end] <= '9') || text_[end] == '.')) ++end;
    next = text_.substr(offset, end - offset);
  }
  const std::string_view last = last_token();
  if (function_arity(last) != 0) {
    const std::string call = std::string(last) + "(" + std::string(next) + ")";
    fail("the argument of " + std::string(last) + " stands in parentheses", offset, call.size() <= 40 ? call : "");
  }
  if (!last_is_number_ && !is_name(last)) fail("expected an operator before " + in_quotes(next), offset);
  std::string repaired = std::string(last) + "*" + std::string(next);
  if (repaired.size() > 40 || next == "(" || next == "[") repaired.clear();
  fail("expected an operator between " + in_quotes(last) + " and " + in_quotes(next), offset, repaired);
}

void SyntaxBuilder::no_component(std::size_t offset) const { fail("expected .x, .y or .z", offset); }

}  // namespace cetaev::model
