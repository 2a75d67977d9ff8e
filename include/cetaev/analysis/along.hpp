// What can be computed along a motion: energies with their balances, constants, and other principles from the same start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/output/samples.hpp"

namespace cetaev {

// The energies along the motion, at `t`; not a number where a value does not exist.
struct EnergyAlong {
  struct Term {
    std::string formula, meaning;
    std::vector<double> values;
  };
  std::vector<double> t, E, rate;
  std::vector<Term> balance;
  bool reduced = false;
  std::vector<double> E_star, rate_star;
  std::vector<Term> balance_star;
  // What bodies, weight and springs have of it, the powers of loads and reactions, and what these powers have brought in so far.
  struct Share {
    EnergyShare::Kind kind;
    std::string of;
    std::vector<double> values, work;
  };
  std::vector<Share> shares;
};
// Of d'Alembert–Lagrange; nothing where it has no equations.
std::optional<EnergyAlong> energy_along(const Workbench& bench, const Samples& samples);

// The same start under another principle.
struct Companion {
  std::optional<Form> form;  // as it was asked for
  std::string label;
  std::optional<Samples> samples;
  std::optional<MotionSummary> summary;
  std::optional<Error> error;
  std::optional<double> part_at;  // where it leaves the first companion
  double difference = 0;          // the largest difference of a position, and
  std::string coordinate;         // of which
};
// The same start under other principles, and then beside d'Alembert–Lagrange: nothing where that has no motion.
std::vector<Companion> other_motions(const Workbench& bench, const MotionOptions& options);
std::vector<Companion> beside(const Workbench& bench, const MotionOptions& options, const MotionSummary& summary,
                              const Samples& samples, std::vector<Companion> others);

// A constant of the motion, or a coordinate beside its closed form.
struct ClaimAlong {
  std::string name;
  Expr expression;
  std::string ground;
  std::vector<double> difference;  // from its first value, or from the closed form, at the samples
  double value = 0;                // the first value
  double largest = 0;
  std::size_t undefined = 0;  // samples at which it has no value
};
std::vector<ClaimAlong> constants_of_motion(const System& system, const Check* check, const Samples& samples);
std::vector<ClaimAlong> closed_forms(const System& system, const Samples& samples);

// How much there is to derive from: nodes of the Lagrangian and the constraints, written out.
double size_of(const System& system);
// Of larger systems a page shows no source code and no more than one other motion: they take seconds each to derive. That is
// a snake of fifteen links.
inline constexpr double largest_in_full = 5000;

}  // namespace cetaev
