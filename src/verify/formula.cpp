#include "formula.hpp"

#include <cctype>

#include "../model/unicode.hpp"

namespace cetaev::verify {

namespace {

using Kind = FormulaNode::Kind;

// Formulas are written by people and shipped with the program; this bounds what the recursion below can cost.
constexpr std::size_t deepest = 200;

class Parser {
 public:
  explicit Parser(Statement& statement) : s_(statement), text_(statement.text) {}

  void statement() {
    const std::uint32_t first = expression();
    if (take(":=")) {
      define(first);
    } else {
      std::uint32_t left = first;
      space();
      while (at_ < text_.size()) {
        const std::size_t offset = at_;
        const Statement::Relation relation = this->relation();
        const std::uint32_t right = expression();
        s_.comparisons.push_back({relation, left, right, offset});
        left = right;
        space();
      }
      if (s_.comparisons.empty()) fail("a statement needs one of = != < > or :=", at_);
    }
    end();
  }

 private:
  [[noreturn]] void fail(const std::string& message, std::size_t offset) const {
    s_.origin.fail(ErrorCode::parse_error, message, offset);
  }

  void end() {
    space();
    if (at_ < text_.size())
      fail("an operator or the end is expected here, found " + model::describe(peek_character()), at_);
  }

  char32_t peek_character() const { return model::decode(text_, at_).value; }

  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(std::string_view token) {
    space();
    if (text_.substr(at_).substr(0, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  // '=' that is not part of another sign, and so on: an operator of expressions.
  bool take_operator(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void require(std::string_view token, const std::string& where) {
    if (!take(token)) fail("'" + std::string(token) + "' is expected " + where, at_);
  }

  Statement::Relation relation() {
    if (take("!=")) return Statement::Relation::not_equal;
    if (take("=")) return Statement::Relation::equal;
    if (take("<")) return Statement::Relation::less;
    if (take(">")) return Statement::Relation::greater;
    fail("an operator, '=', '!=', '<' or '>' is expected here, found " + model::describe(peek_character()), at_);
  }

  void define(std::uint32_t head) {
    const FormulaNode& node = s_.nodes[head];
    if (node.kind != Kind::name && node.kind != Kind::subscript)
      fail("only a name or a name with indices can be defined", node.offset);
    s_.name = node.text;
    for (const Index& index : node.indices)
      if (index.parts.size() != 1) fail("the indices of a definition are single names or numbers", index.offset);
    s_.parameters = node.indices;
    s_.body = expression();
  }

  std::uint32_t add(Kind kind, std::size_t offset, std::vector<std::uint32_t> operands, std::string text = {}) {
    FormulaNode node{kind, 0, offset, std::move(text), {}, std::move(operands)};
    s_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(s_.nodes.size() - 1);
  }

  std::uint32_t expression() {
    if (++depth_ > deepest) fail("the formula is nested too deeply", at_);
    std::uint32_t left = product();
    for (;;) {
      space();
      const std::size_t offset = at_;
      if (take_operator('+')) {
        left = add(Kind::add, offset, {left, product()});
      } else if (take_operator('-')) {
        left = add(Kind::subtract, offset, {left, product()});
      } else {
        --depth_;
        return left;
      }
    }
  }

  std::uint32_t product() {
    std::uint32_t left = unary();
    for (;;) {
      space();
      const std::size_t offset = at_;
      if (take_operator('*')) {
        left = add(Kind::multiply, offset, {left, unary()});
      } else if (take_operator('/')) {
        left = add(Kind::divide, offset, {left, unary()});
      } else {
        return left;
      }
    }
  }

  // ^ binds tighter than the sign before it and to the right; a sign may follow an operator.
  std::uint32_t unary() {
    if (++depth_ > deepest) fail("the formula is nested too deeply", at_);
    space();
    const std::size_t offset = at_;
    std::uint32_t result = 0;
    if (take_operator('-')) {
      result = add(Kind::negative, offset, {unary()});
    } else if (take_operator('+')) {
      result = unary();
    } else {
      result = postfix();
      space();
      const std::size_t sign = at_;
      if (take_operator('^')) result = add(Kind::power, sign, {result, unary()});
    }
    --depth_;
    return result;
  }

  std::uint32_t postfix() {
    std::uint32_t result = primary();
    for (;;) {
      const std::size_t offset = at_;
      if (take("'")) {
        result = add(Kind::prime, offset, {result});
      } else if (at_ + 1 < text_.size() && text_[at_] == '.' && text_[at_ + 1] >= 'x' && text_[at_ + 1] <= 'z') {
        result = add(Kind::component, offset, {result});
        s_.nodes.back().component = text_[at_ + 1] - 'x';
        at_ += 2;
      } else {
        return result;
      }
    }
  }

  std::uint32_t primary() {
    space();
    const std::size_t offset = at_;
    if (at_ >= text_.size()) fail("the formula ends where something is expected", at_);
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) return number();
    if (take("(")) {
      const std::uint32_t inner = expression();
      require(")", "here");
      return inner;
    }
    if (take("[")) {
      std::vector<std::uint32_t> parts = arguments("]");
      if (parts.size() != 3) fail("a vector has three components", offset);
      return add(Kind::vector, offset, std::move(parts));
    }
    const std::string name(model::name_at(text_, at_));
    if (name.empty()) fail("a number, a name or '(' is expected here, found " + model::describe(peek_character()), at_);
    at_ += name.size();
    if (at_ < text_.size() && text_[at_] == '[') {
      ++at_;
      return subscript(name, offset);
    }
    if (!take("(")) return add(Kind::name, offset, {}, name);
    if (name == "sum") return sum(offset);
    return add(Kind::call, offset, arguments(")"), name);
  }

  std::vector<std::uint32_t> arguments(std::string_view closing) {
    std::vector<std::uint32_t> result = {expression()};
    while (take(",")) result.push_back(expression());
    require(closing, "after the arguments");
    return result;
  }

  std::uint32_t number() {
    const std::size_t begin = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      digits();
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      const std::size_t mark = at_++;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
        digits();
      } else {
        at_ = mark;
      }
    }
    const std::string digits_text(text_.substr(begin, at_ - begin));
    model::check_number_size(digits_text, s_.origin, begin);
    if (!Rational::parse(digits_text)) fail("this is not a number", begin);
    return add(Kind::number, begin, {}, digits_text);
  }

  std::uint32_t subscript(const std::string& name, std::size_t offset) {
    std::vector<Index> indices = {index()};
    while (take(",")) indices.push_back(index());
    require("]", "after the indices");
    // euler[i](L): an operator with indices
    const std::uint32_t node =
        take("(") ? add(Kind::call, offset, arguments(")"), name) : add(Kind::subscript, offset, {}, name);
    s_.nodes[node].indices = std::move(indices);
    return node;
  }

  Index index() {
    space();
    Index result;
    result.offset = at_;
    int sign = 1;
    do {
      space();
      Index::Part part;
      part.sign = sign;
      const std::size_t begin = at_;
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) && at_ - begin < 6) ++at_;
      if (at_ > begin) {
        part.number = std::stol(std::string(text_.substr(begin, at_ - begin)));
      } else {
        part.name = model::name_at(text_, at_);
        if (part.name.empty()) fail("an index is expected here: a name, a number or a sum of them", at_);
        at_ += part.name.size();
      }
      result.parts.push_back(std::move(part));
      sign = take("+") ? 1 : (take("-") ? -1 : 0);
    } while (sign != 0);
    return result;
  }

  // sum(nu, e) or sum(nu, from, to, e)
  std::uint32_t sum(std::size_t offset) {
    space();
    const std::string name(model::name_at(text_, at_));
    if (name.empty()) fail("the first argument of sum is the name of an index", at_);
    at_ += name.size();
    require(",", "after the index of the sum");
    // Bounds are indices; whether they are there is seen from the commas.
    const std::size_t begin = at_;
    std::vector<Index> bounds;
    if (commas_before_close() >= 2) {
      bounds.push_back(index());
      require(",", "after the lower bound");
      bounds.push_back(index());
      require(",", "after the upper bound");
    } else {
      at_ = begin;
    }
    const std::uint32_t inner = expression();
    require(")", "after the sum");
    const std::uint32_t node = add(Kind::sum, offset, {inner}, name);
    s_.nodes[node].indices = std::move(bounds);
    return node;
  }

  std::size_t commas_before_close() const {
    std::size_t commas = 0;
    int open = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '(' || c == '[') ++open;
      if (c == ')' || c == ']') {
        if (open-- == 0) break;
      }
      if (c == ',' && open == 0) ++commas;
    }
    return commas;
  }

  Statement& s_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Statement parse_statement(std::string text, const model::Origin& origin) {
  Statement result{std::move(text), origin, {}, {}, {}, 0, {}};
  Parser(result).statement();
  return result;
}

}  // namespace cetaev::verify
