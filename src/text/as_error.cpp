#include "cetaev/detail/text/as_error.hpp"

#include <new>
#include <string>
#include <system_error>

#include "cetaev/version.hpp"

namespace cetaev::text {

Error as_error(const std::exception& problem) {
  if (const auto* error = dynamic_cast<const Error*>(&problem); error && error->code() != ErrorCode::internal_error)
    return *error;
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr) return {ErrorCode::out_of_memory, "out of memory"};
  if (const auto* refusal = dynamic_cast<const std::system_error*>(&problem);
      refusal != nullptr && refusal->code() == std::errc::resource_unavailable_try_again)
    return {ErrorCode::out_of_memory, "the system has no thread left"};
  return {ErrorCode::internal_error,
          "internal error: " + std::string(problem.what()) + "\nThis is a bug of cetaev " + std::string(version()) +
              ", not of the model. Please report it, with this message, what was asked and the model."};
}

}  // namespace cetaev::text
