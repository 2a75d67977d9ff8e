// Names of the model and of the program as symbols.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/model/system.hpp"
#include "cetaev/report/typeset.hpp"

namespace cetaev {

// A name taken to pieces: "$gamma[y,x]'" is γ with the indices y, x and one dot.
struct NameParts {
  bool made = false;                     // by the program: the name begins with $
  bool variation = false;                // "$delta x"
  bool norm = false;                     // "norm(d)", the length of a vector
  std::string base;                      // the whole name without $ and primes
  std::string stem;                      // "x", "theta", "slope"
  std::vector<std::string> indices;      // "1", "cm", …
  std::vector<std::string> coordinates;  // those in brackets, names of coordinates
  std::size_t primes = 0;
};
NameParts take_apart(std::string_view name);

// Σ over an index, "$sum2(j,1,20)": it stands before all but numbers, of two the first one first.
struct SumSign {
  std::size_t place = 0;
  std::string index, from, to;
};
std::optional<SumSign> sum_sign(std::string_view name);

// Where a symbol stands in products and sums.
enum class SymbolClass { parameter, coordinate, other, velocity, acceleration, variation, sum };

struct SymbolPlace {
  SymbolClass kind = SymbolClass::other;
  std::size_t position = 0;  // in the file
  int order = 0;             // of the derivative
};

class Symbols {
 public:
  Symbols(const System& system, Notation notation);

  // No two names of one model, and no name and a derivative of another, come out alike.
  std::string operator()(std::string_view name);
  std::string indexed(std::string_view symbol, std::span<const std::string> coordinates);
  SymbolPlace place(std::string_view name) const;

 private:
  // 0: as a symbol; 1: that with a tilde, for names of the program; 2: letter by letter; n > 2: that with a number
  using Spelling = int;
  static constexpr Spelling as_symbol = 0, marked = 1, verbatim = 2;
  std::string spell(const NameParts& parts, std::size_t dots, Spelling spelling) const;
  std::string spell(const SumSign& sum) const;
  std::string spell_ascii(const NameParts& parts, std::size_t dots, Spelling spelling) const;
  std::string spell_unicode(const NameParts& parts, std::size_t dots, Spelling spelling) const;
  std::string spell_latex(const NameParts& parts, std::size_t dots, Spelling spelling) const;
  std::string spell_mathml(const NameParts& parts, std::size_t dots, Spelling spelling) const;
  Spelling spelling_of(const NameParts& parts);

  Notation notation_;
  std::map<std::string, SymbolPlace, std::less<>> places_;
  std::set<std::string> taken_;                // what was spelled so far
  std::map<std::string, Spelling> spellings_;  // by base, with its $
};

}  // namespace cetaev
