// The equations of d'Alembert–Lagrange with multipliers, under Četaev's condition:
//
//   H a − Jᵀλ = b,   J a = c          ([T1] (5)(6), [T2] (19), [L] (33))
//
// Redundant consistent constraints are normal: a is unique as long as H is regular on ker J, and λ is the solution of
// least norm.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cetaev/constraint/state.hpp"
#include "cetaev/formulation/terms.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

struct Reaction {
  std::vector<double> a;            // accelerations, one per coordinate
  std::vector<double> multipliers;  // one per scalar constraint, in file order
  std::size_t rank = 0;             // of J
};

// Constant after construction; threads share it, each with its own workspace.
class Multipliers {
 public:
  // Throws not-applicable for constraints that are nonlinear in the accelerations.
  Multipliers(const System& system, const Terms& terms);
  ~Multipliers();

  class Workspace {
   public:
    explicit Workspace(const Multipliers& form);
    ~Workspace();
    Workspace(Workspace&&) noexcept;

    // What the time derivatives of redundant constraints may contradict each other by: as much as they change where the state changes
    // by this, beside its size.
    void allow(double contradiction);
    // Of the accelerations that were evaluated last, before forces and reactions cancelled: (|b| + Σ |Jᵀλ|)/H, the largest by coordinates.
    double size_of_terms() const;

   private:
    friend class Multipliers;
    struct Data;
    std::unique_ptr<Data> data_;
  };

  // Inputs in the order of state_symbols(). Fills `a` and `multipliers`, allocates nothing on regular states, and
  // returns the rank of J. Throws singular-mass-matrix, inconsistent-constraints, non-finite.
  std::size_t evaluate(std::span<const double> inputs, Workspace& workspace, std::span<double> a,
                       std::span<double> multipliers) const;

  // The same from the outputs of program() at these inputs, by whomever they were computed.
  std::size_t evaluate(std::span<const double> inputs, std::span<const double> outputs, Workspace& workspace,
                       std::span<double> a, std::span<double> multipliers) const;

  Reaction evaluate(const State& state) const;

  const Program& program() const { return program_; }

 private:
  System system_;
  std::size_t n_, k_;
  std::vector<double> parameters_;
  Program program_;
  Program constraints_;  // J and c alone
};

}  // namespace cetaev
