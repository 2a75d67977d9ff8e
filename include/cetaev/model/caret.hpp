// An error as a person reads it in a terminal.
#pragma once

#include <string>

#include "cetaev/error.hpp"

namespace cetaev {

// skate.toml:5:31: error: unknown name 'phy'
//     lagrangian = "m/2*x'^2 + J*phy'^2"
//                                ^
//     did you mean 'phi'?
//
// Ends with a newline. Parts that the error does not have are left out.
std::string caret_text(const Error& error);

}  // namespace cetaev
