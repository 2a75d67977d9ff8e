// Which version of the library is linked.
#pragma once

#include <string_view>

namespace cetaev {

// "0.2.0"
std::string_view version();

}  // namespace cetaev
