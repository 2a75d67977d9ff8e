#pragma once

#include "cetaev/formulation/form.hpp"

namespace cetaev {

// Registered before main begins.
extern const Form jourdain;

}  // namespace cetaev
