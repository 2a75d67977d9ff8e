// The equations of a system in words and formulas: what `cetaev derive` prints.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cetaev/error.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

struct DerivedText {
  std::string text;
  std::optional<Error> failure;  // of the first named form that does not apply
};

// The named forms, or all. A form that does not apply says why in its place.
DerivedText derive_text(const System& system, std::span<const std::string> forms);

}  // namespace cetaev
