// Whatever was thrown, as people are told of it.
#pragma once

#include <exception>

#include "cetaev/error.hpp"

namespace cetaev::text {

// An Error as it is, lack of memory, or a fault of the program, to be reported.
Error as_error(const std::exception& problem);

}  // namespace cetaev::text
