// What notations in plain characters have in common: widths are characters, parentheses are round.
#pragma once

#include <string>
#include <utility>

#include "layout.hpp"
#include "notation.hpp"

namespace cetaev {

class TextStyle : public NotationStyle {
 protected:
  static Piece piece(std::string text, Level level) {
    Piece p;
    p.width = static_cast<double>(width(text));
    p.text = std::move(text);
    p.level = level;
    return p;
  }

  static std::string at(const Piece& p, Level at_least) { return p.level < at_least ? "(" + p.text + ")" : p.text; }
};

}  // namespace cetaev
