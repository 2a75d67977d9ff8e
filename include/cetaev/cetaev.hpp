// All that a program needs of the library, in the order in which a model becomes a motion.
//
// docs/guide/cpp.md shows how it is used, and docs/reference/cpp.md has every declaration of the headers below. Those who are in a
// hurry to compile include what they need alone.
#pragma once

#include "cetaev/error.hpp"
#include "cetaev/interruption.hpp"
#include "cetaev/version.hpp"

// Models: read from text, built in code, those that ship.
#include "cetaev/gallery.hpp"
#include "cetaev/model/build.hpp"
#include "cetaev/model/caret.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/model/system.hpp"

// States and parameters; lists of constraints against each other.
#include "cetaev/constraint/admissible.hpp"
#include "cetaev/constraint/equivalence.hpp"
#include "cetaev/constraint/initial_variation.hpp"
#include "cetaev/constraint/state.hpp"

// The principles, at a state and against each other; energies.
#include "cetaev/energy/energies.hpp"
#include "cetaev/formulation/compare.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/formulation/form.hpp"
#include "cetaev/formulation/groundwork.hpp"
#include "cetaev/formulation/principle.hpp"
#include "cetaev/formulation/swings.hpp"
#include "cetaev/formulation/symmetry.hpp"
#include "cetaev/formulation/variational.hpp"

// Motions.
#include "cetaev/integrate/batch.hpp"
#include "cetaev/integrate/choices.hpp"
#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/integrate/trajectory.hpp"
#include "cetaev/open_model.hpp"
#include "cetaev/output/motion_file.hpp"
#include "cetaev/output/read_motion.hpp"
#include "cetaev/output/samples.hpp"
#include "cetaev/output/sweep_file.hpp"

// Many motions.
#include "cetaev/ensemble/ensemble.hpp"
#include "cetaev/ensemble/inputs.hpp"
#include "cetaev/ensemble/sweep.hpp"

// Everything that is asked about a model: found once, kept by a workbench.
#include "cetaev/algebra/thread.hpp"
#include "cetaev/analysis/along.hpp"
#include "cetaev/analysis/check.hpp"
#include "cetaev/analysis/equations.hpp"
#include "cetaev/analysis/inverse.hpp"
#include "cetaev/analysis/two_models.hpp"
#include "cetaev/analysis/workbench.hpp"

// Steady motions, and whether they are stable.
#include "cetaev/stability/chaos.hpp"
#include "cetaev/stability/chart.hpp"
#include "cetaev/stability/continuation.hpp"
#include "cetaev/stability/invariant_measure.hpp"
#include "cetaev/stability/linear_equations.hpp"
#include "cetaev/stability/linearize.hpp"
#include "cetaev/stability/periodic.hpp"

// What is said about all that, and what others can run.
#include "cetaev/codegen/export.hpp"
#include "cetaev/report/beside.hpp"
#include "cetaev/report/check.hpp"
#include "cetaev/report/equivalence.hpp"
#include "cetaev/report/inverse.hpp"
#include "cetaev/report/json.hpp"
#include "cetaev/report/linear_equations.hpp"
#include "cetaev/report/linearize.hpp"
#include "cetaev/report/motion.hpp"
#include "cetaev/report/page.hpp"
#include "cetaev/report/plot.hpp"
#include "cetaev/report/points_of_view.hpp"
#include "cetaev/report/site.hpp"
#include "cetaev/report/stability_chart.hpp"
#include "cetaev/report/sweep.hpp"
#include "cetaev/report/sweep_page.hpp"
#include "cetaev/report/text.hpp"
#include "cetaev/report/two_models.hpp"
#include "cetaev/report/typeset.hpp"
#include "cetaev/report/written.hpp"

// Models and papers, verified.
#include "cetaev/papers.hpp"
#include "cetaev/verify/claims.hpp"
#include "cetaev/verify/claims_report.hpp"
#include "cetaev/verify/model.hpp"
