// The one exception type of the library: a code that programs can act on and a message that people can act on.
//
// Only memory that is lacking is a std::bad_alloc, and what functions of the caller's own throw passes through as it is (interruption.hpp too).
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cetaev {

// The diagnoses of docs/reference/diagnoses.md; `to_string` gives the spelling used in JSON.
enum class ErrorCode {
  parse_error,
  unknown_name,
  bad_model,
  inconsistent_initial_state,
  inconsistent_constraints,
  no_branch,
  singular_mass_matrix,
  rank_lost,
  singular_dependent,
  not_caplygin,
  not_applicable,
  needs_auxiliary,
  singular_auxiliary,
  step_too_small,
  finite_escape,
  non_finite,
  not_steady,
  not_periodic,
  cannot_write,
  out_of_memory,
  no_device,
  internal_error,  // a bug of the program
};

std::string_view to_string(ErrorCode code);

// The exit code of a command that ends with this diagnosis: 2 bad input, 3 the mathematics says no, 4 the machine does,
// 70 a bug of the program.
int exit_code(ErrorCode code);

// A place in a text file. Line and column are 1-based and count characters, not bytes.
struct SourcePosition {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string line_text;  // the offending line, for the caret
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  ErrorCode code() const { return code_; }
  std::string message() const { return what(); }

  const std::optional<SourcePosition>& position() const { return position_; }
  const std::string& suggestion() const { return suggestion_; }

  Error& at(SourcePosition position) {
    position_ = std::move(position);
    return *this;
  }
  Error& suggest(std::string suggestion) {
    suggestion_ = std::move(suggestion);
    return *this;
  }

 private:
  ErrorCode code_;
  std::optional<SourcePosition> position_;
  std::string suggestion_;
};

}  // namespace cetaev
