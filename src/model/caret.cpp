#include "cetaev/model/caret.hpp"

#include "cetaev/detail/text/printable.hpp"
#include "source_text.hpp"
#include "unicode.hpp"

namespace cetaev {

std::string caret_text(const Error& error) {
  std::string text;
  if (const auto& position = error.position()) {
    text += text::printable(position->file) + ":";
    if (position->line != 0) text += std::to_string(position->line) + ":" + std::to_string(position->column) + ":";
    text += " ";
  }
  text += "error: " + text::printable(error.message()) + "\n";

  constexpr const char* indent = "    ";
  if (const auto& position = error.position(); position && position->line != 0 && !position->line_text.empty()) {
    const std::string_view line = position->line_text;
    // A line that ends before its column was clipped to a window around it.
    const bool clipped = position->column > model::character_count(line) + 1;
    const std::size_t before = clipped ? model::Clip::before + 1 : position->column - 1;
    std::string shown, caret;
    std::size_t count = 0;
    for (std::size_t i = 0; i < line.size(); ++count) {
      const model::CodePoint c = model::decode(line, i);
      const bool control = c.bytes == 0 || (text::is_control(c.value) && c.value != U'\t');
      if (control)
        shown += ' ';
      else
        shown.append(line, i, c.bytes);
      if (count < before)
        caret += c.value == U'\t' ? "\t" : std::string(control ? 1 : text::display_width(c.value), ' ');
      i += c.bytes == 0 ? 1 : c.bytes;
    }
    text += indent + shown + "\n" + indent + caret + "^\n";
  }
  if (!error.suggestion().empty())
    text += std::string(indent) + "did you mean '" + text::printable(error.suggestion()) + "'?\n";
  return text;
}

}  // namespace cetaev
