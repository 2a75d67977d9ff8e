#include "cetaev/version.hpp"

namespace cetaev {

std::string_view version() { return CETAEV_VERSION; }

}  // namespace cetaev
