// What formulas of claims can do with their quantities: functions, derivatives, matrices.
#include "cetaev/detail/expr/elliptic_orders.hpp"
#include "lowering.hpp"

namespace cetaev::verify {

namespace {

using Kind = FormulaNode::Kind;

std::optional<Function> elementary(std::string_view name) {
  for (std::size_t i = 0; i < all_function_count; ++i)
    if (name_of(static_cast<Function>(i)) == name) return static_cast<Function>(i);
  return std::nullopt;
}

// Laplace expansion; the matrices of claims are small.
Expr determinant(Context& context, const Matrix& m) {
  if (m.rows == 0) return context.one();
  std::vector<Expr> terms;
  for (std::size_t j = 0; j < m.columns; ++j) {
    if (m(0, j).is_zero()) continue;
    Matrix minor{m.rows - 1, m.columns - 1, {}};
    for (std::size_t r = 1; r < m.rows; ++r)
      for (std::size_t c = 0; c < m.columns; ++c)
        if (c != j) minor.entries.push_back(m(r, c));
    const Expr part = m(0, j) * determinant(context, minor);
    terms.push_back(j % 2 == 0 ? part : -part);
  }
  return context.sum(terms);
}

}  // namespace

Expr Lowering::derivative_by(const Statement& s, std::uint32_t number, Expr e, const Environment& env) {
  const FormulaNode& node = s.nodes[number];
  const Expr by = scalar(s, number, env);
  if (!by.is_symbol()) fail(s, node, "derivatives are taken by q[i], v[i], a[i], t or a coordinate");
  refuse_derivative(s, node, e);
  return derivative(e, by);
}

void Lowering::refuse_derivative(const Statement& s, const FormulaNode& node, Expr e) const {
  for (const LinearBlock& block : blocks_)
    if (depends_on(e, block.unknowns)) fail(s, node, "what comes from a linear system cannot be differentiated");
}

Matrix Lowering::matrix(const Statement& s, std::uint32_t number, long size) {
  const FormulaNode& node = s.nodes[number];
  if (node.kind != Kind::name) fail(s, node, "the name of a matrix is expected here");
  const auto count = static_cast<std::size_t>(size);
  Matrix result{count, count, {}};
  for (long i = 1; i <= size; ++i)
    for (long j = 1; j <= size; ++j)
      result.entries.push_back(is_defined(node.text) ? defined(s, node, {i, j}).parts[0] : entry(s, node, {i, j}));
  return result;
}

Lowering::Value Lowering::call(const Statement& s, const FormulaNode& node, const Environment& env) {
  const std::string& name = node.text;
  const std::size_t count = node.operands.size();
  const auto expect = [&](std::size_t wanted) {
    if (count != wanted)
      fail(s, node, "'" + name + "' takes " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments"));
  };
  const auto vector = [&](std::size_t i) {
    const Value v = value(s, node.operands[i], env);
    if (!v.vector()) fail(s, node, "'" + name + "' is for vectors");
    return v.parts;
  };
  const auto dot = [](const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  if (name == "d") {
    if (count < 2) fail(s, node, "d(expression, by, …) takes at least two arguments");
    Value v = value(s, node.operands[0], env);
    for (std::size_t i = 1; i < count; ++i)
      for (Expr& e : v.parts) e = derivative_by(s, node.operands[i], e, env);
    return v;
  }
  if (name == "D") {
    expect(1);
    return prime(s, node, env);
  }
  if (name == "star") {
    expect(1);
    Value v = value(s, node.operands[0], env);
    for (Expr& e : v.parts) e = star(s, node, e);
    return v;
  }
  if (name == "scaled") {  // every velocity times a factor
    expect(2);
    Value v = value(s, node.operands[0], env);
    const Expr factor = scalar(s, node.operands[1], env);
    std::vector<Replacement> replacements;
    for (const Expr velocity : system_->motion.v) replacements.emplace_back(velocity, factor * velocity);
    for (Expr& e : v.parts) e = substitute(e, replacements);
    return v;
  }
  if (name == "subst") {  // subst(e, x, value, …)
    if (count < 3 || count % 2 == 0)
      fail(s, node, "subst(expression, symbol, value, …) takes pairs after the expression");
    Value v = value(s, node.operands[0], env);
    std::vector<Replacement> replacements;
    for (std::size_t i = 1; i < count; i += 2) {
      const Expr symbol = scalar(s, node.operands[i], env);
      if (!symbol.is_symbol()) fail(s, s.nodes[node.operands[i]], "only q[i], v[i], a[i], t and names can be replaced");
      replacements.emplace_back(symbol, scalar(s, node.operands[i + 1], env));
    }
    for (Expr& e : v.parts) e = substitute(e, replacements);
    return v;
  }
  if (name == "dot") {
    expect(2);
    return {{dot(vector(0), vector(1))}};
  }
  if (name == "norm") {
    expect(1);
    const std::vector<Expr> a = vector(0);
    return {{sqrt(dot(a, a))}};
  }
  if (name == "cross") {
    expect(2);
    const std::vector<Expr> a = vector(0), b = vector(1);
    return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
  }
  if (name == "sqrt") {
    expect(1);
    return {{sqrt(scalar(s, node.operands[0], env))}};
  }
  if (const auto function = elementary(name)) {
    expect(arity(*function));
    std::vector<Expr> arguments;
    for (const std::uint32_t operand : node.operands) arguments.push_back(scalar(s, operand, env));
    return {{context_.function(*function, arguments)}};
  }
  return {{operator_call(s, node, env)}};
}

// euler[i](f), det(M, n), leading[r](M), inverse[i,j](M, n)
Expr Lowering::operator_call(const Statement& s, const FormulaNode& node, const Environment& env) {
  const std::string& name = node.text;
  const std::vector<long> index = index_values(s, node, env);
  const auto shape = [&](std::size_t indices, std::size_t arguments) {
    if (index.size() != indices || node.operands.size() != arguments)
      fail(s, node,
           "'" + name + "' takes " + std::to_string(indices) + " indices and " + std::to_string(arguments) +
               " arguments");
  };
  // the size of a matrix is written as an index: n, m, k or a number
  const auto size = [&](std::size_t i) {
    const FormulaNode& argument = s.nodes[node.operands[i]];
    if (argument.kind == Kind::number) {
      if (const auto number = Rational::parse(argument.text)->to_long()) return *number;
    }
    if (argument.kind == Kind::name) return index_value(s, {{{argument.text, 0, 1}}, argument.offset}, env);
    fail(s, argument, "the size of a matrix is n, m, k or a number");
  };
  if (name == "euler") {
    shape(1, 1);
    const Expr f = scalar(s, node.operands[0], env);
    refuse_derivative(s, node, f);
    return euler(f, place(s, node, index[0]));
  }
  if (name == "det") {
    shape(0, 2);
    return determinant(context_, matrix(s, node.operands[0], size(1)));
  }
  if (name == "leading") {
    shape(1, 1);
    return determinant(context_, matrix(s, node.operands[0], index[0]));
  }
  if (name == "inverse") {
    shape(2, 2);
    const long n = size(1);
    const std::string key = s.nodes[node.operands[0]].text;
    if (index[0] < 1 || index[1] < 1 || index[0] > n || index[1] > n) fail(s, node, "an index is out of range");
    if (!matrices_.contains(key)) {
      const auto count = static_cast<std::size_t>(n);
      LinearBlock block{
          matrix(s, node.operands[0], n), {count, count, {}}, setting_.symbols("inverse_" + key, count * count)};
      for (std::size_t i = 0; i < count * count; ++i)
        block.right.entries.push_back(i % (count + 1) == 0 ? context_.one() : context_.zero());
      matrices_[key] = Matrix{count, count, block.unknowns};
      blocks_.push_back(std::move(block));
    }
    return matrices_[key](static_cast<std::size_t>(index[0] - 1), static_cast<std::size_t>(index[1] - 1));
  }
  fail(s, node, "unknown function '" + name + "'");
}

}  // namespace cetaev::verify
