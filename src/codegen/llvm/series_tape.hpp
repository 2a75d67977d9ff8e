// A series program as loops run it: what belongs to one sum of products is one step, and what no round needs is left out.
//
// Most registers of a program are read once, by the sum that they are a term of. Such a sum is written out over the products in it,
//
//   r_k = ± Σ_j a_j b_{k−j} ± … ± c₀ d_k ± … ± e_k ± …
//
// so that its terms are added up where they are found, with one addition of lanes at the end.
#pragma once

#include <cstdint>
#include <vector>

#include "cetaev/detail/series/series.hpp"

namespace cetaev::native {

struct SeriesTape {
  explicit SeriesTape(const SeriesProgram& program);

  // Of sums, those that consist of one product, of products that are added, of one scaled register, of two terms, and the others.
  enum class Kind : std::uint8_t {
    product,
    products,
    scaled,
    added,
    subtracted,
    sum,
    quotient,
    root,
    derivative,
    integral,
    magnitude,
    solve
  };

  // Registers are named by their rows in memory; those that became part of a sum have none.
  static constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);
  struct Product {
    std::uint32_t a, b;  // read forwards, and backwards, which are rows of another table
    std::int32_t terms;  // at most: what a has
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
    std::int32_t last;  // the degree of what is written
    std::uint32_t out;
    std::uint32_t back;         // the row in which it is kept backwards, if any
    std::uint32_t instruction;  // of the program
    std::uint32_t number;       // of quotients and roots, of solves
    Range products, scaled, terms;
    // The one product or the two terms; of a quotient the terms of the divisor but the first, times the quotient.
    Product single;
  };
  // A linear system: row by row the entries that change, times unknowns; one side after the other.
  struct Rows {
    std::vector<std::uint32_t> begins;  // of each row of each side, in `entries`, and the end
    std::vector<Product> entries;
  };

  std::vector<Step> steps;
  std::vector<Product> products;
  std::vector<Scaled> scaled;
  std::vector<std::uint32_t> terms;
  std::vector<Rows> systems;
  std::vector<std::uint32_t> forwards, backwards;  // the rows of every register
  std::uint32_t forward_rows = 0, backward_rows = 0;
  std::uint32_t reciprocals = 0;  // of divisors and roots
};

}  // namespace cetaev::native
