// Every principle of one system at one state: what the conformance tests compare.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/formulation.hpp"

namespace cetaev::conformance {

// A principle derived and compiled, or the reason why it does not apply.
struct DerivedForm {
  const Principle* principle;
  std::optional<CompiledForm> form;
  std::optional<Program> matrices;  // the matrices of its linear systems, one after the other
  std::optional<Error> refusal;

  std::string_view name() const { return principle->name; }
};

// All principles for one choice of independent rows and dependent velocities.
struct DerivedSetting {
  Setting setting;
  std::vector<DerivedForm> forms;
};

// One principle at one state.
struct Outcome {
  const DerivedForm* derived;
  std::optional<CompiledForm::Values> values;
  std::optional<Error> error;
  // The largest condition number of its linear systems after rows and columns have been scaled to largest entry 1; of forms
  // with dependent velocities at least the square of the largest ∂α_ν/∂v_r.
  double condition = 1;

  std::string_view name() const { return derived->name(); }
  // Gave accelerations, and rounding cannot have spoilt them.
  bool regular() const;
};

struct AtState {
  State state;
  const DerivedSetting* derived;
  std::vector<Outcome> outcomes;

  const Outcome& operator[](std::string_view name) const;
};

// Beyond this condition number a state counts as near-singular for a form, and the form is not compared there: rounding
// alone (2e-16) may then reach the 1e-11 to which forms are held.
inline constexpr double near_singular = 1e4;

// Derives when a new setting is met, remembers what it derived.
class Forms {
 public:
  // Keeps a reference to the system.
  explicit Forms(const System& system);

  // All principles there, with these dependent velocities (pivots of J if none), and these λ for the vakonomic equations,
  // one per scalar constraint. Throws rank-lost where the constraints lose rank.
  AtState at(const State& state, const std::vector<std::size_t>& dependent = {},
             const std::vector<double>& lambda = {});

  const System& system() const { return system_; }
  const Terms& terms() const { return terms_; }
  Admissible& admissible() { return admissible_; }

 private:
  using Key = std::vector<std::vector<std::size_t>>;
  System system_;
  Terms terms_;
  Admissible admissible_;
  std::map<Key, DerivedSetting> derived_;
};

// The largest difference of two lists, relative to the largest number of the second and to 1.
double relative_difference(const std::vector<double>& x, const std::vector<double>& y);

// Condition number of a square matrix, row by row, after equilibration; infinity when it is singular.
double condition_number(std::size_t size, const double* entries);

std::string describe(const System& system, const State& state);

}  // namespace cetaev::conformance
