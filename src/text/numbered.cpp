#include "cetaev/detail/text/numbered.hpp"

#include <cctype>

namespace cetaev::text {

std::optional<NumberedName> numbered_name(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && name[end - 1] == '\'') --end;
  std::size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1])) != 0) --begin;
  constexpr std::size_t most_digits = 6;
  if (begin == end || begin == 0 || end - begin > most_digits || (name[begin] == '0' && end - begin > 1))
    return std::nullopt;
  return NumberedName{std::string(name.substr(0, begin)), std::string(name.substr(end)),
                      std::stol(std::string(name.substr(begin, end - begin)))};
}

}  // namespace cetaev::text
