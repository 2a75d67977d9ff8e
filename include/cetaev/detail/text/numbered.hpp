// Names that end in a number: a12'' is a, 12, ''.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cetaev::text {

struct NumberedName {
  std::string stem, marks;  // before the number; primes behind it
  long index = 0;
};
std::optional<NumberedName> numbered_name(std::string_view name);

}  // namespace cetaev::text
