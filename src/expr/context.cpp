#include "context.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "cetaev/error.hpp"
#include "cetaev/interruption.hpp"

namespace cetaev {

namespace {

constexpr std::size_t first_block = std::size_t{1} << 14;
constexpr std::size_t largest_block = std::size_t{1} << 22;

std::uint32_t mix(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  h ^= h >> 33;
  return static_cast<std::uint32_t>(h);
}

// From numbers of nodes, never from addresses, so that tables look the same in every run.
std::uint32_t hash_of(Kind kind, Function function, std::span<const Expr> operands) {
  std::uint64_t h = static_cast<std::uint64_t>(kind) * 257 + static_cast<std::uint64_t>(function);
  for (const Expr e : operands) h = (h ^ e.id()) * 0x9e3779b97f4a7c15ULL + (h >> 29);
  return mix(h);
}

}  // namespace

Context::Implementation::~Implementation() {
  for (Node* node : numbers) std::destroy_at(reinterpret_cast<Rational*>(node + 1));
}

Node* Context::Implementation::allocate(std::size_t extra_bytes) {
  if (frozen)
    throw Error(ErrorCode::internal_error,
                "an expression was added to a frozen context: derivations work in a scratch copy (System::scratch)");
  may_end_here();
  const std::size_t size = sizeof(Node) + extra_bytes;
  if (static_cast<std::size_t>(free_end - free_begin) < size) {
    std::size_t block = std::min(largest_block, blocks.empty() ? first_block : bytes);
    block = std::max(block, size);
    blocks.push_back(std::make_unique_for_overwrite<std::byte[]>(block));
    bytes += block;
    free_begin = blocks.back().get();
    free_end = free_begin + block;
  }
  auto* node = new (free_begin) Node{};
  free_begin += size;
  node->context = &context;
  return node;
}

void Context::Implementation::enter(Slot slot) {
  std::size_t i = slot.hash & (table.size() - 1);
  while (table[i].number != vacant) i = (i + 1) & (table.size() - 1);
  table[i] = slot;
}

void Context::Implementation::insert(Node* node) {
  node->id = static_cast<std::uint32_t>(nodes.size());
  nodes.push_back(node);
  if (2 * nodes.size() > table.size()) grow();
  enter({node->hash, node->id});
}

void Context::Implementation::grow() {
  std::vector<Slot> old(4 * table.size());
  old.swap(table);
  for (const Slot slot : old) {
    if (slot.number != vacant) enter(slot);
  }
}

Expr Context::Implementation::intern(Kind kind, Function function, std::span<const Expr> operands, bool nonnegative) {
  const std::uint32_t hash = hash_of(kind, function, operands);
  const Node* const known = find(hash, [&](const Node* node) {
    return node->kind == kind && node->function == function && node->operand_count == operands.size() &&
           std::equal(operands.begin(), operands.end(), node->operands());
  });
  if (known != nullptr) return Expr(known);
  Node* node = allocate(operands.size_bytes());
  node->operand_count = static_cast<std::uint32_t>(operands.size());
  node->kind = kind;
  node->function = function;
  node->nonnegative = nonnegative;
  node->hash = hash;
  std::uninitialized_copy(operands.begin(), operands.end(), node->operands());
  insert(node);
  return Expr(node);
}

Expr Context::Implementation::intern_number(const Rational& value) {
  const auto hash = mix(value.hash() + 1);
  const Node* const known =
      find(hash, [&](const Node* node) { return node->kind == Kind::number && Expr(node).number() == value; });
  if (known != nullptr) return Expr(known);
  Node* node = allocate(sizeof(Rational));
  std::construct_at(reinterpret_cast<Rational*>(node + 1), value);
  numbers.push_back(node);
  node->kind = Kind::number;
  node->nonnegative = value.sign() >= 0;
  node->hash = hash;
  insert(node);
  return Expr(node);
}

Expr Context::Implementation::intern_symbol(std::string_view name) {
  if (const auto found = symbols.find(name); found != symbols.end()) return Expr(found->second);
  Node* node = allocate(sizeof(std::string_view));
  names.emplace_back(name);
  std::construct_at(reinterpret_cast<std::string_view*>(node + 1), names.back());
  node->kind = Kind::symbol;
  node->hash = mix(0xabcdef + names.size());
  insert(node);
  symbols.emplace(names.back(), node);
  return Expr(node);
}

Expr Context::Implementation::multiply_numbers(Expr a, Expr b) {
  if (a.is_one()) return b;
  if (b.is_one()) return a;
  return intern_number(a.number() * b.number());
}

Expr Context::Implementation::add_numbers(Expr a, Expr b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  return intern_number(a.number() + b.number());
}

void sort_and_merge(Context::Implementation& inside, std::vector<Pair>& pairs) {
  if (pairs.size() < 2) return;
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.expr.id() < b.expr.id(); });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    if (pairs[i].expr == pairs[kept].expr) {
      pairs[kept].factor = inside.add_numbers(pairs[kept].factor, pairs[i].factor);
    } else {
      pairs[++kept] = pairs[i];
    }
  }
  pairs.resize(kept + 1);
}

Context::Context() : implementation_(std::make_unique<Implementation>(*this)) {
  zero_ = implementation_->intern_number(Rational(0));
  one_ = implementation_->intern_number(Rational(1));
  pi_ = implementation_->intern(Kind::pi, Function{}, {}, true);
}

Context::~Context() = default;

Expr Context::number(const Rational& value) { return implementation_->intern_number(value); }
Expr Context::symbol(std::string_view name) { return implementation_->intern_symbol(name); }
Context::Copy Context::copy() const {
  const std::vector<const Node*>& nodes = implementation_->nodes;
  Copy result{std::make_shared<Context>(), {}};
  Implementation& inside = *result.context->implementation_;
  result.images = {result.context->zero_, result.context->one_, result.context->pi_};
  std::vector<Expr> operands;
  // A node is made after its operands, and what is canonical there is so here.
  for (std::size_t i = result.images.size(); i < nodes.size(); ++i) {
    const Expr e(nodes[i]);
    if (e.is_number()) {
      result.images.push_back(inside.intern_number(e.number()));
    } else if (e.is_symbol()) {
      result.images.push_back(inside.intern_symbol(e.name()));
    } else {
      operands.clear();
      for (const Expr operand : e.operands()) operands.push_back(result.images[operand.id()]);
      result.images.push_back(inside.intern(e.kind(), nodes[i]->function, operands, nodes[i]->nonnegative));
    }
  }
  return result;
}

void Context::freeze() { implementation_->frozen = true; }
bool Context::frozen() const { return implementation_->frozen; }
std::size_t Context::node_count() const { return implementation_->nodes.size(); }
std::size_t Context::bytes() const {
  return implementation_->bytes + implementation_->table.size() * sizeof(Implementation::Slot) +
         implementation_->nodes.size() * sizeof(Node*);
}

}  // namespace cetaev
