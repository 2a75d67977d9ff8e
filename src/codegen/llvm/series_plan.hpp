// What the machine code of a series program keeps in memory, and how long it will be.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cetaev/detail/series/series.hpp"

namespace cetaev::native {

// The pointers that its functions are handed, behind the table of functions.
struct SeriesArguments {
  static constexpr unsigned statics = 1, time = 2, state = 3, coefficients = 4, workspace = 5, count = 6;
};

// One trajectory uses the vector unit for convolutions: a_lo … a_hi from memory times b_{k−lo} … b_{k−hi}. Both are
// read forwards, so one of them is kept backwards too. Coefficients found lately are taken one by one: they are in
// registers still, or on their way to memory.
class SeriesPlan {
 public:
  SeriesPlan(const SeriesProgram& program, unsigned order, unsigned lanes);

  struct Range {
    std::int32_t lo, hi;  // of j in Σ a_j b_{k−j}; empty when lo > hi
  };
  // The part of a sum in this round that is read as vectors, and the operand that is read backwards.
  Range vector_part(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo, std::int32_t hi,
                    std::int32_t round) const;
  // The part that waits for nothing in this round, and can be computed at once with those of other sums: with one lane what is
  // read as vectors.
  Range joint_part(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo, std::int32_t hi,
                   std::int32_t round) const;
  bool second_backwards(std::uint32_t a, std::uint32_t b) const { return orientation_.at({a, b}); }
  // The round in which a coefficient is found.
  std::int32_t round_of(std::uint32_t r, std::int32_t k) const { return p_.late(r) ? k + 1 : k; }

  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  // Places in the workspace, in values.
  std::size_t forwards(std::uint32_t r) const { return forwards_[r]; }
  std::size_t backwards(std::uint32_t r) const { return backwards_[r]; }  // of the coefficient of the highest order
  std::size_t forwards(std::uint32_t r, std::int32_t k) const { return forwards_[r] + static_cast<std::size_t>(k); }
  std::size_t backwards(std::uint32_t r, std::int32_t k) const {
    return backwards_[r] + static_cast<std::size_t>(order_ - k);
  }
  std::size_t reciprocal(std::uint32_t r) const { return reciprocals_[r]; }
  std::size_t inverse(std::size_t system) const { return inverses_[system]; }
  std::size_t scratch() const { return scratch_; }
  std::size_t size() const { return size_; }

  // Operations of every round, and together.
  const std::vector<std::size_t>& lengths() const { return lengths_; }
  std::size_t length() const;

 private:
  friend struct SeriesSurvey;
  // The part of a sum that does not depend on what was found lately, where it is worth vectors.
  Range found_early(std::uint32_t a, std::uint32_t b, std::int32_t k, std::int32_t lo, std::int32_t hi,
                    std::int32_t round) const;
  bool in_memory(std::uint32_t r) const { return r >= p_.static_count() && r != p_.time(); }

  const SeriesProgram& p_;
  std::int32_t order_;
  bool vectors_;
  std::vector<bool> any_, forward_, backward_, divides_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> orientation_;
  std::vector<std::size_t> forwards_, backwards_, reciprocals_, inverses_, lengths_;
  std::size_t scratch_ = 0, size_ = 0;
};

}  // namespace cetaev::native
