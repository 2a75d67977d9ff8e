// Lists of names in sentences.
#pragma once

#include <span>
#include <string>

namespace cetaev {

inline std::string listed(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace cetaev
