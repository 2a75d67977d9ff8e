// The parts of convolutions that wait for nothing in their round, computed a few at a time.
//
// They depend on earlier rounds only and share most of what they read, which is then read once; and none waits for the other.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "emitter.hpp"
#include "series_plan.hpp"

namespace cetaev::native {

// Σ a_j b_{k−j}, j in the range.
struct SeriesProduct {
  std::uint32_t a, b;
  std::int32_t k;
  SeriesPlan::Range range;
};

class JointSums {
 public:
  // `coefficient` finds one that is known, in a register or in memory.
  JointSums(const SeriesProgram& program, const SeriesPlan& plan, Emitter& emitter, unsigned order, unsigned lanes,
            std::function<Value(std::uint32_t, std::int32_t)> coefficient);

  // Code goes to another function from now on.
  void begin_function() { bases_.clear(); }
  void begin_round(std::int32_t round);
  // Rounds whose sums are begun together are written in one function.
  bool begins_block(std::int32_t round) const { return first_of_block(round) == round; }

  // The part of a sum that is computed jointly, and its value; an empty part has none.
  std::pair<SeriesPlan::Range, Value> part_of(const SeriesProduct& sum);

 private:
  using Key = std::array<std::int64_t, 5>;
  static Key key_of(const SeriesProduct& s) { return {s.a, s.b, s.k, s.range.lo, s.range.hi}; }

  // With what is known before the first of these rounds: each coefficient that is read then serves several sums. One
  // trajectory has its terms in vectors; there it was measured to be slower.
  static constexpr std::int32_t block = 3;
  std::int32_t first_of_block(std::int32_t round) const { return lanes_ == 1 ? round : round - round % block; }
  std::size_t group() const { return lanes_ == 1 ? 8 : 12; }

  void list();
  std::pair<std::size_t, std::size_t> next_group();
  void sum_vectors();
  void sum_lanes();

  const SeriesProgram& p_;
  const SeriesPlan& plan_;
  Emitter& e_;
  std::int32_t order_;
  unsigned lanes_;
  std::function<Value(std::uint32_t, std::int32_t)> coefficient_;
  std::int32_t round_ = 0;
  std::vector<SeriesProduct> listed_;   // of these rounds, in the order in which they are asked for
  std::size_t next_listed_ = 0;         // the first that has not been computed
  std::map<Key, Value> sums_;           // those that have been
  std::map<std::size_t, Value> bases_;  // pointers into the workspace
};

}  // namespace cetaev::native
