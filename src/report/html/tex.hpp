// TeX of displayed formulas as MathML: what formulas of papers are written with, not a typesetter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cetaev {

struct TexFormula {
  std::string mathml;                // a <math display="block"> element
  std::vector<std::string> unknown;  // commands that were not understood and are shown by their names
};

// Never throws: what cannot be read is shown as text.
TexFormula tex_to_mathml(std::string_view tex);

}  // namespace cetaev
