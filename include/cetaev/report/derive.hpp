// The equations of a system in words and formulas: what `cetaev derive` prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/error.hpp"
#include "cetaev/model/system.hpp"

namespace cetaev {

struct DerivedText {
  std::string text;
  std::optional<Error> failure;  // of the first named form that does not apply
};

struct DeriveOptions {
  std::vector<std::string> forms;  // all when none is named and the energy is not asked for
  bool energy = false;             // the energies and their balances as well
};

// A form that does not apply says why in its place.
DerivedText derive_text(const System& system, const DeriveOptions& options);

}  // namespace cetaev
