// Everything that is asked about one model: each answer is found once and kept.
//
//   const Workbench bench(read_model_file("skate.toml"));
//   bench.check().energy.conserved.holds();
//   to_latex(bench.equations({{Form::voronec}}));
//
// The terms that all principles share are derived once. Every answer is found in a copy of them of its own, so it does not depend on what
// was asked before, and different questions are answered side by side: a handle, to be copied and shared by threads.
#pragma once

#include <memory>
#include <optional>

#include "cetaev/analysis/check.hpp"
#include "cetaev/analysis/equations.hpp"
#include "cetaev/analysis/points_of_view.hpp"
#include "cetaev/energy/energies.hpp"
#include "cetaev/formulation/compare.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/integrate/motion.hpp"

namespace cetaev {

class Workbench {
 public:
  explicit Workbench(const System& system);

  const System& system() const;

  // What kind of system it is; its declared integrals along the motions of a form. Throws as check().
  const Check& check(Form form = Form::multipliers) const;

  // The principles at the initial state, and the energies there where `multipliers` has values. Throws as evaluate().
  struct AtState {
    Groundwork work;  // whose expressions the energies have
    Evaluation evaluation;
    std::optional<EnergyAtState> energy;
  };
  const AtState& at_initial(const EvaluationOptions& options = {}) const;

  // Throws as compare().
  const Comparison& compare(Form first, Form second, const ComparisonOptions& options = {}) const;

  // Ready to be read: to_text(), to_latex(), to_json() of report/written.hpp. Throws as write_equations().
  const WrittenSystem& equations(const EquationOptions& options = {}) const;

  // Whose transpositional relations are which, and what motion follows. Throws as points_of_view().
  const PointsOfView& transpositional_relations() const;

  // Ready to be computed with, export_code() of codegen/export.hpp among others. Throws as equations_to_export().
  const FirstOrderSystem& first_order(std::optional<Form> form = {}) const;

  // Throw as run_motion(). Nothing is kept.
  CompiledMotion motion(const MotionOptions& options) const;
  MotionSummary run(const MotionOptions& options, Recorder& recorder) const;

  // For further questions: a copy of the terms, to be derived on.
  Groundwork groundwork() const;

 private:
  struct Implementation;
  std::shared_ptr<Implementation> implementation_;
};

}  // namespace cetaev
