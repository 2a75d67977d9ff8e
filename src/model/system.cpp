#include "cetaev/model/system.hpp"

namespace cetaev {

std::string Constraint::label() const {
  if (component < 0) return text;
  return text + " (" + "xyz"[component] + ")";
}

}  // namespace cetaev
