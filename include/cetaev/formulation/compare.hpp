// Two principles side by side: do they give the same accelerations?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/form.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

class Groundwork;

// At one state: the accelerations under both, and where they differ most, relative to the largest of them (or to 1).
struct Difference {
  State state;
  std::uint64_t seed = 0;  // 0: the initial state
  std::vector<double> first, second;
  double largest = 0;
  std::size_t coordinate = 0;
};

// Fills `largest` and `coordinate` from the accelerations.
void measure(Difference& difference);

struct Comparison {
  Form first = Form::multipliers, second = Form::multipliers;
  double tolerance = 0;
  std::optional<Difference> at_initial;
  std::optional<Error> initial_error;  // why there is no comparison at the initial state
  std::size_t states = 0;              // random states compared
  std::size_t skipped = 0;             // random states where a form is singular or none was found
  std::optional<Difference> worst;     // over the random states
  bool agree() const;
};

struct ComparisonOptions {
  std::size_t states = 100;
  std::uint64_t seed = 1;
  double tolerance = 1e-9;

  bool operator==(const ComparisonOptions&) const = default;
};

// Throws when a form applies at no state at all.
Comparison compare(Groundwork& work, Form first, Form second, const ComparisonOptions& options);
Comparison compare(const System& system, Form first, Form second, const ComparisonOptions& options);

}  // namespace cetaev
