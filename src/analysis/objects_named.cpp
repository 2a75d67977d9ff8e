#include "cetaev/detail/analysis/objects_named.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/text/closest.hpp"

namespace cetaev {

std::vector<PaperObject> objects_named(const std::vector<std::string>& names) {
  std::vector<PaperObject> result;
  for (const std::string& name : names) {
    const auto object = paper_object(name);
    if (!object) {
      std::vector<std::string> known;
      for (const PaperObject each : paper_objects()) known.emplace_back(name_of(each));
      throw Error(ErrorCode::bad_model, fmt::format("show: '{}' is not one of {}", name, enumerate(known)))
          .suggest(text::closest(name, known));
    }
    if (std::find(result.begin(), result.end(), *object) == result.end()) result.push_back(*object);
  }
  return result;
}

}  // namespace cetaev
