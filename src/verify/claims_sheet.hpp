// Everything that there is to say about one claim, line by line, for pages to set in their own way.
#pragma once

#include <string>
#include <vector>

#include "cetaev/verify/claims.hpp"

namespace cetaev::verify {

struct SheetRow {
  // tex: formulas; code: lines of the languages of facts, sets and limits; words: sentences of the file, in which indices
  // may stand; found: what the program says, in which names of models stand
  enum class Kind { tex, code, words, found };
  std::string label;
  Kind kind = Kind::words;
  std::vector<std::string> lines;
};

// The paper's lines, ours beside them, what is true where these are not, definitions, remarks, evidence, models and sources.
std::vector<SheetRow> sheet(const ClaimResult& result);

}  // namespace cetaev::verify
