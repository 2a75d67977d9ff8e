// Walks over a part of the graph that cost what the part is worth, however many nodes the context has.
//
// What is known of a node stands in a table by its number. Such a table is as long as the context is large; each thread keeps one for
// walks to come, and a walk leaves it as it found it, in a time that depends on the nodes it met alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cetaev/expr/expr.hpp"

namespace cetaev {

// The nodes met so far, each once.
class Walk {
 public:
  Walk();
  ~Walk();
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  void visit(Expr e) {
    const std::size_t word = e.id() / 64;
    const std::uint64_t bit = std::uint64_t{1} << (e.id() % 64);
    if (word >= marks_.size()) enlarge(word);
    if ((marks_[word] & bit) != 0) return;
    found_.push_back(e);
    marks_[word] |= bit;
  }
  // In the order of the visits.
  std::size_t size() const { return found_.size(); }
  Expr operator[](std::size_t i) const { return found_[i]; }
  bool met(Expr e) const { return e.id() / 64 < marks_.size() && (marks_[e.id() / 64] >> (e.id() % 64) & 1) != 0; }

  // In the order of their numbers: operands before users.
  std::vector<Expr> in_order() const;

 private:
  void enlarge(std::size_t word);

  std::vector<Expr> found_;
  std::vector<std::uint64_t> marks_;  // by number, a bit each
};

// Looks at no more than that.
bool has_more_nodes_than(std::size_t count, Expr e);

// The places of nodes in a list of distinct ones.
class Places {
 public:
  static constexpr std::uint32_t nowhere = UINT32_MAX;

  explicit Places(std::span<const Expr> list);
  ~Places();
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  // Of a node that is in the list.
  std::uint32_t operator[](Expr e) const { return places_[e.id()]; }
  // Of any node of the context, or nowhere.
  std::uint32_t find(Expr e) const {
    if (e.id() >= places_.size()) return nowhere;
    const std::uint32_t i = places_[e.id()];
    return i < list_.size() && list_[i] == e ? i : nowhere;
  }

 private:
  std::span<const Expr> list_;
  std::vector<std::uint32_t> places_;  // by number; of nodes that are not in the list there is anything
};

}  // namespace cetaev
