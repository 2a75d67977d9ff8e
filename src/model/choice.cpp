#include "cetaev/detail/model/choice.hpp"

#include "names.hpp"
#include "unicode.hpp"

namespace cetaev {

Error unknown_choice(std::string_view what, std::string_view word, std::span<const std::string> choices) {
  std::string list;
  for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
  Error error(ErrorCode::bad_model,
              "unknown " + std::string(what) + " " + model::in_quotes(word) + "; there are " + list);
  if (std::string close = model::closest(word, choices); !close.empty()) error.suggest(std::move(close));
  return error;
}

}  // namespace cetaev
