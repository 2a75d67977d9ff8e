#include "cetaev/error.hpp"

namespace cetaev {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::parse_error: return "parse-error";
    case ErrorCode::unknown_name: return "unknown-name";
    case ErrorCode::bad_model: return "bad-model";
    case ErrorCode::inconsistent_initial_state: return "inconsistent-initial-state";
    case ErrorCode::inconsistent_constraints: return "inconsistent-constraints";
    case ErrorCode::no_branch: return "no-branch";
    case ErrorCode::singular_mass_matrix: return "singular-mass-matrix";
    case ErrorCode::rank_lost: return "rank-lost";
    case ErrorCode::singular_dependent: return "singular-dependent";
    case ErrorCode::not_caplygin: return "not-caplygin";
    case ErrorCode::not_applicable: return "not-applicable";
    case ErrorCode::needs_auxiliary: return "needs-auxiliary";
    case ErrorCode::singular_auxiliary: return "singular-auxiliary";
    case ErrorCode::step_too_small: return "step-too-small";
    case ErrorCode::finite_escape: return "finite-escape";
    case ErrorCode::non_finite: return "non-finite";
    case ErrorCode::not_steady: return "not-steady";
    case ErrorCode::not_periodic: return "not-periodic";
    case ErrorCode::cannot_write: return "cannot-write";
    case ErrorCode::out_of_memory: return "out-of-memory";
    case ErrorCode::no_device: return "no-device";
    case ErrorCode::internal_error: return "internal-error";
  }
  return "bad-model";
}

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::parse_error:
    case ErrorCode::unknown_name:
    case ErrorCode::bad_model: return 2;
    case ErrorCode::cannot_write:
    case ErrorCode::out_of_memory:
    case ErrorCode::no_device: return 4;
    case ErrorCode::internal_error: return 70;
    default: return 3;
  }
}

}  // namespace cetaev
