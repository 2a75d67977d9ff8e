// A series program as loops run it: what belongs to one sum of products is one step, and what no round needs is left out.
//
// Most registers of a program are read once, by the sum that they are a term of. Such a sum is written out over the products in it,
//
//   r_k = ± Σ_j a_j b_{k−j} ± … ± c₀ d_k ± … ± e_k ± …
//
// so that its terms are added up where they are found, with one addition of lanes at the end. Sums whose products have one factor each in
// common, as those of variations by several values have, are added up side by side: what is common is read once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cetaev/detail/series/series.hpp"

namespace cetaev::native {

struct SeriesTape {
  // Rows of memory are as long as is said.
  SeriesTape(const SeriesProgram& program, std::uint32_t row_length);

  // Of sums, those that consist of one product, of products that are added, of one scaled register, of two terms, and the others; several sums
  // that have common factors, and several quotients by one divisor.
  enum class Kind : std::uint8_t {
    product,
    products,
    scaled,
    added,
    subtracted,
    sum,
    sums,
    quotient,
    quotients,
    root,
    derivative,
    integral,
    magnitude,
    solve
  };

  // Registers are named by where their rows begin in memory; those that became part of a sum have none.
  static constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);
  struct Product {
    std::uint32_t a, b;  // read forwards, and backwards, which are rows of another table
    std::int32_t terms;  // at most: what a has
  };
  // Products with one factor in common, which is read forwards or backwards, and the others the other way.
  static constexpr std::uint32_t most_at_once = 4;
  struct Joint {
    std::uint32_t common;
    std::array<std::uint32_t, most_at_once> others;
    std::int32_t terms;
    bool common_forwards;
  };
  struct Scaled {
    std::uint32_t factor, a;  // factor is constant
  };
  // Places in the lists below: those that are added, and from `minus` on those that are subtracted, up to `end`.
  struct Range {
    std::uint32_t begin, minus, end;
  };
  struct Step {
    Kind kind;
    bool late;
    // As many steps are taken at once: this one and those from `also` on in the list of that name. Their products are `products` of this one,
    // in `joints`; those of divisors are behind them.
    std::uint8_t at_once;
    std::uint32_t also;
    std::int32_t last;  // the degree of what is written
    std::uint32_t out;
    std::uint32_t back;         // the row in which it is kept backwards, if any
    std::uint32_t instruction;  // of the program
    std::uint32_t number;       // of quotients and roots, of solves
    Range products, scaled, terms;
    // The one product or the two terms; of a quotient, whose sum is the dividend, the divisor times the quotient.
    Product single;
  };
  // A linear system: row by row the entries that change, times unknowns; so many sides at once, and the rest of them.
  struct Rows {
    std::vector<std::uint32_t> begins;  // of each row of some sides, in `entries`, and the end
    std::vector<Joint> entries;
  };

  std::vector<Step> steps, also;
  std::vector<Product> products;
  std::vector<Joint> joints;
  std::vector<Scaled> scaled;
  std::vector<std::uint32_t> terms;
  std::vector<Rows> systems;
  std::vector<std::uint32_t> forwards, backwards;  // of every register
  std::uint32_t forward_rows = 0, backward_rows = 0;
  std::uint32_t reciprocals = 0;  // of divisors and roots
};

}  // namespace cetaev::native
