// Objects of the papers by their names.
#pragma once

#include <string>
#include <vector>

#include "cetaev/formulation/paper_objects.hpp"

namespace cetaev {

// Each once, in their order. Throws bad-model, with the closest name, where there is no such object.
std::vector<PaperObject> objects_named(const std::vector<std::string>& names);

}  // namespace cetaev
