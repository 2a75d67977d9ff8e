// The interned expression graph.
//
// An `Expr` is a small handle to an immutable node that lives in the arena of a `Context`. Nodes are interned: two
// expressions of the same structure are the same node, so equality is a comparison of pointers and work done once per
// node is done once per expression. A node is canonical from its construction on:
//
//   sum       c₀ + Σ cᵢ·termᵢ      exact coefficients, terms distinct, none zero; x + x is 2·x
//   product   Π baseᵢ^eᵢ           exact rational exponents; x·x is x², sqrt(x) is x^½
//   power     base^exponent        the exponent is not a number
//   function  sin, cos, …          of a canonical argument: sin(−x) is −sin(x)
//
// "2·x" is a sum of one term. Terms and factors are ordered by the number of their node, that is by first appearance,
// never by address: the same construction gives the same graph in every run.
//
// Sums of few terms are flattened into the sums that use them; a sum of `flatten_limit` terms or more stays one node,
// so that a long sum used in many places is stored once. Numbers up to `multiply_out_limit` are multiplied into short sums:
// 2·(x + y) is 2·x + 2·y. No rewriting enlarges the real domain: sqrt(x²) is not x, and
// sqrt(x)² is x only where x is known not to be negative. Common factors do cancel: x/x is 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cetaev/expr/rational.hpp"

namespace cetaev {

class Context;
struct Node;

enum class Kind : std::uint8_t { number, pi, symbol, sum, product, power, function };

enum class Function : std::uint8_t {
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  exp,
  log,
  abs,
  // of an argument and a parameter m = k²
  elliptic_f,  // F(φ, m) = ∫ dθ/√(1 − m sin²θ) from 0 to φ
  elliptic_e,  // E(φ, m) = ∫ √(1 − m sin²θ) dθ
  amplitude,   // am(u, m), the φ with F(φ, m) = u; sn is its sine and cn its cosine
  delta,       // dn(u, m), the derivative of am by u
  epsilon,     // ∫ dn² du from 0 to u, which is E(am(u, m), m) where m ≤ 1
};

inline constexpr std::size_t function_count = 21;
std::string_view name_of(Function function);
// The number of arguments: 2 for atan2 and the elliptic ones, else 1.
constexpr std::size_t arity(Function function) {
  return function == Function::atan2 || function >= Function::elliptic_f ? 2 : 1;
}

class Expr {
 public:
  Expr() = default;  // refers to nothing; only assignment and comparison are allowed
  explicit Expr(const Node* node) : node_(node) {}

  explicit operator bool() const { return node_ != nullptr; }
  const Node* node() const { return node_; }
  Kind kind() const;
  Context& context() const;
  // The number of the node in its context: operands have smaller numbers than the nodes that use them.
  std::uint32_t id() const;

  bool is_number() const { return kind() == Kind::number; }
  bool is_symbol() const { return kind() == Kind::symbol; }
  bool is_zero() const;
  bool is_one() const;

  const Rational& number() const;  // of a number
  std::string_view name() const;   // of a symbol
  Function function() const;       // of a function

  // Every node that this one refers to, exact coefficients and exponents included (as number nodes).
  //   sum: constant, term, coefficient, term, coefficient, …   product: base, exponent, …   power: base, exponent
  std::span<const Expr> operands() const;

  // Sums: constant + Σ coefficient(i)·term(i). Products: Π base(i)^exponent(i).
  std::size_t size() const;
  const Rational& constant() const;
  Expr term(std::size_t i) const;
  const Rational& coefficient(std::size_t i) const;
  Expr base(std::size_t i) const;
  const Rational& exponent(std::size_t i) const;

  // Known to be ≥ 0 wherever it is defined (squares, exp, sums of such, …). False means "not known".
  bool is_nonnegative() const;

  friend bool operator==(Expr a, Expr b) { return a.node_ == b.node_; }
  // By number, hence by first appearance; a total order within one context.
  friend std::strong_ordering operator<=>(Expr a, Expr b) { return a.id() <=> b.id(); }

 private:
  const Node* node_ = nullptr;
};

struct Node {
  Context* context;
  std::uint32_t id;
  std::uint32_t hash;
  std::uint32_t operand_count;
  Kind kind;
  Function function;
  bool nonnegative;
  // Behind the header: the operands; for a number its Rational, for a symbol its name (a string_view).

  const Expr* operands() const { return reinterpret_cast<const Expr*>(this + 1); }
  Expr* operands() { return reinterpret_cast<Expr*>(this + 1); }
};

// Owns the nodes. Not shared between threads while expressions are built; contexts are independent of each other. A frozen one
// takes no more nodes and may be read by any number of threads.
class Context {
 public:
  // Sums and products with at least this many terms are kept as one node when used inside others.
  static constexpr std::size_t flatten_limit = 12;
  // A sum under a larger number stays as it is written, as it does under a parameter: multiplied out, what rounding does to each term
  // would be that many times as large where the terms cancel. Three of the sixteen digits of a double are allowed to that.
  static constexpr long multiply_out_limit = 1000;

  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Expr number(const Rational& value);
  Expr integer(long value) { return number(Rational(value)); }
  Expr zero() const { return zero_; }
  Expr one() const { return one_; }
  Expr pi() const { return pi_; }
  Expr symbol(std::string_view name);  // the same name is the same symbol

  struct Term {
    Expr expr;
    Rational factor;  // the coefficient in a sum, the exponent in a product
  };
  // constant + Σ factor·expr
  Expr linear_combination(const Rational& constant, std::span<const Term> terms);
  // coefficient · Π expr^factor. Throws Error(bad_model) for a negative power of zero.
  Expr power_product(const Rational& coefficient, std::span<const Term> factors);
  Expr sum(std::span<const Expr> terms);
  Expr product(std::span<const Expr> factors);
  Expr power(Expr base, Expr exponent);
  Expr power(Expr base, const Rational& exponent);
  Expr function(Function function, std::span<const Expr> arguments);

  // Everything once more, with the same numbers; images[i] is the copy of the expression with the number i. Not frozen.
  struct Copy;
  Copy copy() const;

  // From now on expressions that are there already can be asked for again; a new one is a fault of the program (internal-error).
  void freeze();
  bool frozen() const;
  // For threads that share a context that is not frozen: to be held while expressions are added to it.
  std::mutex& mutex() { return mutex_; }

  std::size_t node_count() const;
  std::size_t bytes() const;  // memory of the arena

  struct Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
  Expr zero_, one_, pi_;
  std::mutex mutex_;
};

inline Kind Expr::kind() const { return node_->kind; }
inline Context& Expr::context() const { return *node_->context; }
inline std::uint32_t Expr::id() const { return node_->id; }
inline bool Expr::is_zero() const { return *this == context().zero(); }
inline bool Expr::is_one() const { return *this == context().one(); }
inline bool Expr::is_nonnegative() const { return node_->nonnegative; }

inline const Rational& Expr::number() const { return *reinterpret_cast<const Rational*>(node_ + 1); }
inline std::string_view Expr::name() const { return *reinterpret_cast<const std::string_view*>(node_ + 1); }
inline Function Expr::function() const { return node_->function; }
inline std::span<const Expr> Expr::operands() const { return {node_->operands(), node_->operand_count}; }

inline std::size_t Expr::size() const { return node_->operand_count / 2; }
inline const Rational& Expr::constant() const { return node_->operands()[0].number(); }
inline Expr Expr::term(std::size_t i) const { return node_->operands()[1 + 2 * i]; }
inline const Rational& Expr::coefficient(std::size_t i) const { return node_->operands()[2 + 2 * i].number(); }
inline Expr Expr::base(std::size_t i) const { return node_->operands()[2 * i]; }
inline const Rational& Expr::exponent(std::size_t i) const { return node_->operands()[2 * i + 1].number(); }

struct Context::Copy {
  std::shared_ptr<Context> context;
  std::vector<Expr> images;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator+(Expr a, const Rational& b);
Expr operator-(Expr a, const Rational& b);
Expr operator*(const Rational& a, Expr b);
Expr pow(Expr base, Expr exponent);
Expr pow(Expr base, const Rational& exponent);
Expr sqrt(Expr a);
Expr apply(Function function, Expr a);
Expr apply(Function function, Expr a, Expr b);
Expr sin(Expr a);
Expr cos(Expr a);
Expr tan(Expr a);
Expr exp(Expr a);
Expr log(Expr a);
Expr abs(Expr a);
Expr atan2(Expr y, Expr x);

// The nodes reachable from the roots, each once, operands before users.
std::vector<Expr> topological(std::span<const Expr> roots);

// The symbols that occur, in order of first appearance.
std::vector<Expr> free_symbols(std::span<const Expr> roots);
std::vector<Expr> free_symbols(Expr e);
bool depends_on(Expr e, std::span<const Expr> symbols);

// The number of nodes of e written out as a tree, shared parts counted wherever they occur: how long its text would be.
double written_size(Expr e);

// Replaces symbols (or any nodes) by expressions, all at once, and rebuilds what depends on them.
using Replacement = std::pair<Expr, Expr>;
std::vector<Expr> substitute(std::span<const Expr> roots, std::span<const Replacement> replacements);
Expr substitute(Expr e, std::span<const Replacement> replacements);

// The expressions rebuilt in another context, where symbols keep their names; replacements lead from symbols of this
// context to expressions of the other one.
std::vector<Expr> transfer(std::span<const Expr> roots, Context& target,
                           std::span<const Replacement> replacements = {});
Expr transfer(Expr e, Context& target, std::span<const Replacement> replacements = {});

// Text in the model language with as few parentheses as it needs; parsing it gives the same node again.
std::string to_string(Expr e);

}  // namespace cetaev
