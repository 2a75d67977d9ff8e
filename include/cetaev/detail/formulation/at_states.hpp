// The accelerations of a principle at many states.
#pragma once

#include <optional>
#include <vector>

#include "cetaev/formulation/groundwork.hpp"

namespace cetaev {

// The derivation is kept as long as the same rows and dependent velocities serve.
class FormAtStates {
 public:
  // The groundwork must outlive it. Multipliers that belong to the state have their initial values.
  FormAtStates(Groundwork& work, Form form);
  // Throws the diagnosis of the form at a state.
  std::vector<double> accelerations(const AdmissibleState& at);

 private:
  Groundwork& work_;
  Form form_;
  std::vector<double> lambda_;
  std::optional<Setting> setting_;
  std::optional<CompiledForm> compiled_;
};

}  // namespace cetaev
