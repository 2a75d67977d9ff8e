#include "cetaev/detail/expr/walk.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cetaev {

namespace {

// A walk within a walk takes the next one.
template <typename T>
class Spares {
 public:
  std::vector<T> take() {
    if (tables_.empty()) return {};
    std::vector<T> table = std::move(tables_.back());
    tables_.pop_back();
    return table;
  }
  void give_back(std::vector<T>&& table) { tables_.push_back(std::move(table)); }

 private:
  std::vector<std::vector<T>> tables_;
};

thread_local Spares<std::uint64_t> spare_marks;  // all clear
thread_local Spares<std::uint32_t> spare_places;

}  // namespace

Walk::Walk() : marks_(spare_marks.take()) {}

Walk::~Walk() {
  for (const Expr e : found_) marks_[e.id() / 64] = 0;
  spare_marks.give_back(std::move(marks_));
}

void Walk::enlarge(std::size_t word) { marks_.resize(std::max(word + 1, marks_.size() + marks_.size() / 2)); }

std::vector<Expr> Walk::in_order() const {
  std::vector<Expr> ordered = found_;
  if (ordered.empty()) return ordered;
  const auto [first, last] = std::minmax_element(ordered.begin(), ordered.end());
  const std::size_t begin = first->id() / 64, words = last->id() / 64 + 1 - begin;
  // Counting reads every word between the first and the last; sorting compares each node with some log₂ of their number.
  if (words > ordered.size() * static_cast<std::size_t>(std::bit_width(ordered.size()))) {
    std::sort(ordered.begin(), ordered.end());
    return ordered;
  }
  std::vector<std::uint32_t> before(words);  // how many stand in earlier words
  std::uint32_t total = 0;
  for (std::size_t w = 0; w < words; ++w) {
    before[w] = total;
    total += static_cast<std::uint32_t>(std::popcount(marks_[begin + w]));
  }
  for (const Expr e : found_) {
    const std::size_t w = e.id() / 64;
    const std::uint64_t below = marks_[w] & ((std::uint64_t{1} << (e.id() % 64)) - 1);
    ordered[before[w - begin] + static_cast<std::size_t>(std::popcount(below))] = e;
  }
  return ordered;
}

bool has_more_nodes_than(std::size_t count, Expr e) {
  Walk walk;
  walk.visit(e);
  for (std::size_t i = 0; i < walk.size() && walk.size() <= count; ++i) {
    for (const Expr operand : walk[i].operands()) walk.visit(operand);
  }
  return walk.size() > count;
}

Places::Places(std::span<const Expr> list) : list_(list), places_(spare_places.take()) {
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    const std::size_t id = list[i].id();
    if (id >= places_.size()) places_.resize(std::max(id + 1, places_.size() + places_.size() / 2));
    places_[id] = i;
  }
}

Places::~Places() { spare_places.give_back(std::move(places_)); }

}  // namespace cetaev
