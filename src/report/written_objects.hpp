// What the arrays of the papers and their entries are called.
#pragma once

#include <string>
#include <vector>

#include "cetaev/analysis/equations.hpp"
#include "cetaev/report/typeset.hpp"

namespace cetaev {

inline std::string spelled_symbol(Typesetter& typeset, const WrittenObject::Array& array,
                                  const std::vector<std::string>& indices = {}) {
  if (array.symbol.ends_with('*')) return typeset.indexed(array.symbol, indices);
  std::string name = "$" + array.symbol;
  for (std::size_t i = 0; i < indices.size(); ++i) name += (i == 0 ? "[" : ",") + indices[i];
  if (!indices.empty()) return typeset.name(name + "]");
  // a name of the model may look like it, but not as an array
  const std::string spelled = typeset.name(name);
  return spelled.starts_with('$') ? spelled.substr(1) : spelled;
}

// Of an entry: its last index runs fastest.
inline std::string spelled_entry(Typesetter& typeset, const WrittenObject::Array& array, std::size_t entry) {
  std::vector<std::string> indices(array.axes.size());
  for (std::size_t axis = array.axes.size(); axis-- > 0;) {
    indices[axis] = array.axes[axis][entry % array.axes[axis].size()];
    entry /= array.axes[axis].size();
  }
  return spelled_symbol(typeset, array, indices);
}

}  // namespace cetaev
