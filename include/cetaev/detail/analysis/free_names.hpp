// Names for what recurs in formulas: those that a model leaves free, and when one is worth its line.
#pragma once

#include <set>
#include <string>

#include "cetaev/model/system.hpp"

namespace cetaev {

// Lengths on paper: a name; the line "Δ = …" beside what stands in it, its end with it.
inline constexpr double where_symbol_length = 2, where_line_length = where_symbol_length + 1 + 3;
// A name is one more thing to keep in mind. It must save a twentieth of the whole, as a page of twenty lines has them.
inline constexpr double names_must_shorten_to = 0.95;

// Names that the model leaves free: letters one after the other, or a stem with numbers.
class FreeNames {
 public:
  explicit FreeNames(const System& system);
  void take(const std::string& name) { taken_.insert(name); }
  bool is_taken(const std::string& name) const { return taken_.contains(name); }
  std::string letter();

 private:
  std::set<std::string> taken_;
  std::size_t next_ = 0;
};

}  // namespace cetaev
