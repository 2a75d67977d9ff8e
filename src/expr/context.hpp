// The inside of a Context: arena, intern table, and the makers of canonical nodes shared by sum.cpp, product.cpp, …
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// A term of a sum (exact coefficient) or a factor of a product (exact exponent); both are nodes, the second a number.
struct Pair {
  Expr expr;
  Expr factor;
};

struct Context::Implementation {
  explicit Implementation(Context& owner) : context(owner), table(1 << 10) {}
  ~Implementation();
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  Context& context;

  // Memory grows in blocks that never move; a node lives as long as its context.
  std::vector<std::unique_ptr<std::byte[]>> blocks;
  std::byte* free_begin = nullptr;
  std::byte* free_end = nullptr;
  std::size_t bytes = 0;

  // Open addressing, a power of two in size. The hash stands beside the number of the node, so that others are passed by unread.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = vacant;
  };
  static constexpr std::uint32_t vacant = UINT32_MAX;
  std::vector<Slot> table;
  std::vector<const Node*> nodes;  // by number
  bool frozen = false;

  std::vector<Node*> numbers;  // their values may own memory outside the arena
  std::deque<std::string> names;
  std::unordered_map<std::string_view, const Node*> symbols;

  Expr intern(Kind kind, Function function, std::span<const Expr> operands, bool nonnegative);
  Expr intern_number(const Rational& value);
  Expr intern_symbol(std::string_view name);
  Expr intern_sum(Expr constant, std::span<const Pair> terms);
  Expr intern_product(std::span<const Pair> factors);
  std::optional<Expr> plain_product(std::span<const Expr> factors);

  // constant + Σ factor·expr, made canonical
  Expr combine(Expr constant, std::span<const Pair> terms);

  Expr multiply_numbers(Expr a, Expr b);
  Expr add_numbers(Expr a, Expr b);

  static Implementation& of(Expr e) { return *e.context().implementation_; }

 private:
  Node* allocate(std::size_t extra_bytes);
  void insert(Node* node);
  void enter(Slot slot);
  void grow();
  // The node of this hash that `is` accepts, or none.
  template <typename Is>
  const Node* find(std::uint32_t hash, Is is) const {
    for (std::size_t i = hash & (table.size() - 1); table[i].number != vacant; i = (i + 1) & (table.size() - 1)) {
      if (table[i].hash != hash) continue;
      const Node* const node = nodes[table[i].number];
      if (is(node)) return node;
    }
    return nullptr;
  }
};

// c·x alone: a sum of one term.
inline bool is_scaled_term(Expr e) { return e.kind() == Kind::sum && e.size() == 1 && e.constant().is_zero(); }

// Orders by expression and merges equal ones by adding their factors; zero factors remain.
void sort_and_merge(Context::Implementation& inside, std::vector<Pair>& pairs);

// The greatest common divisor of integer coefficients; 1 when some are fractions. Denominators are not taken out: in
// nested expressions they would pile up into coefficients beyond the range of doubles.
Rational content(Expr sum);

// Is this the canonical form of minus something? Exactly one of e and −e is, unless e is zero or a long sum.
bool looks_negative(Expr e);

}  // namespace cetaev
