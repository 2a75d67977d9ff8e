// What every derivation about a system starts from, each part made at its first use and kept: the terms that the principles share, its
// admissible states, the state to choose rows, dependent velocities and branches at.
#pragma once

#include <memory>

#include "cetaev/constraint/on_set.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/formulation/terms.hpp"

namespace cetaev {

// A state to choose rows, dependent velocities and branches at: the initial one, or a generic one where that is singular.
struct StartingState {
  AdmissibleState at;
  bool generic = false;
};

// A scratch copy of a system with what belongs to it. For one thread at a time.
class Groundwork {
 public:
  explicit Groundwork(const System& system);
  ~Groundwork();
  Groundwork(Groundwork&&) noexcept;
  Groundwork& operator=(Groundwork&&) noexcept;

  // In a context of its own, also where the system is a scratch copy already.
  static Groundwork apart(const System& system);

  // Another one with the terms that are there already, in a context of its own: what is derived on one of them neither meets nor
  // changes what is derived on the other.
  Groundwork copy() const;

  const System& model() const;   // what it was made for
  const System& system() const;  // a scratch copy of that
  const Terms& terms() const;
  OnSet& set();
  Admissible& admissible();

  // The admissible state that the initial data describe. Throws what Admissible::initial() throws, each time.
  const AdmissibleState& initial();
  // Throws where neither that nor a random state is regular.
  const StartingState& start();
  const Setting& setting();  // there

  // An independent subset of the constraints and dependent velocities in use. Throws rank-lost.
  Setting setting_at(const AdmissibleState& at);

 private:
  struct Implementation;
  explicit Groundwork(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// The same from parts.
Setting setting_at(const System& system, const Terms& terms, Admissible& admissible, const AdmissibleState& at);

}  // namespace cetaev
