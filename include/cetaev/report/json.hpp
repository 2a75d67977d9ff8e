// Results as JSON documents, with the keys of docs/reference/cli.md. Numbers read back to the same double.
#pragma once

#include <string>

#include "cetaev/energy/energies.hpp"
#include "cetaev/error.hpp"
#include "cetaev/formulation/compare.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

std::string to_json(const Error& error);
// `failure`: the error that decides the exit code, repeated at the top of the document.
std::string to_json(const System& system, const Evaluation& evaluation, const std::optional<EnergyAtState>& energy,
                    const Error* failure = nullptr);
// `motion`: the same principles along a motion, where that was asked for.
std::string to_json(const System& system, const Comparison& comparison, const MotionComparison* motion = nullptr);

}  // namespace cetaev
