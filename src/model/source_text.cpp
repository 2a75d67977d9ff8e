#include "source_text.hpp"

#include <algorithm>
#include <utility>

#include "unicode.hpp"

namespace cetaev::model {

SourceText::SourceText(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
  if (text_.size() > size_limit) {
    Error error(ErrorCode::bad_model, "the file is too large for a model: more than 16 MB");
    error.at({file_, 1, 1, ""});
    throw error;
  }
  if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);

  const std::size_t nul = text_.find('\0');
  const std::size_t bad = std::min(valid_prefix(text_), nul);
  if (bad < text_.size()) {
    text_.resize(bad);
    text_ += "\xEF\xBF\xBD";  // shown in place of what is not a character
    index();
    fail(ErrorCode::parse_error, bad == nul ? "a NUL character; model files are text" : "not UTF-8 text", bad);
  }
  index();
}

void SourceText::index() {
  lines_.assign(1, 0);
  checkpoints_.clear();
  std::size_t number = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if ((static_cast<unsigned char>(text_[i]) & 0xC0) == 0x80) continue;
    if (number % stride == 0) checkpoints_.push_back(i);
    ++number;
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
  if (number % stride == 0) checkpoints_.push_back(text_.size());
}

std::size_t SourceText::character_number(std::size_t offset) const {
  const auto above = std::upper_bound(checkpoints_.begin(), checkpoints_.end(), offset);
  const std::size_t k = static_cast<std::size_t>(above - checkpoints_.begin()) - 1;
  return k * stride + character_count(text().substr(checkpoints_[k], offset - checkpoints_[k]));
}

std::size_t SourceText::character_offset(std::size_t number) const {
  const std::size_t k = number / stride;
  if (k >= checkpoints_.size()) return text_.size();
  std::size_t offset = checkpoints_[k];
  for (std::size_t n = k * stride; n < number && offset < text_.size(); ++n)
    offset += std::max(1u, decode(text_, offset).bytes);
  return offset;
}

SourcePosition SourceText::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto above = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const std::size_t line = static_cast<std::size_t>(above - lines_.begin());
  const std::size_t begin = lines_[line - 1];
  std::size_t end = line < lines_.size() ? lines_[line] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;

  const std::size_t first = character_number(begin);
  const std::size_t here = character_number(offset);
  const std::size_t last = character_number(end);
  const std::size_t column = here - first + 1;

  std::string shown;
  if (column <= Clip::whole) {
    const std::size_t stop = std::min(last, first + Clip::whole + Clip::after);
    shown = text_.substr(begin, character_offset(stop) - begin);
    if (stop < last) shown += "…";
  } else {
    const std::size_t from = character_offset(here - Clip::before);
    const std::size_t stop = std::min(std::max(last, here), here + Clip::after);
    shown = "…" + text_.substr(from, character_offset(stop) - from);
    if (stop < last) shown += "…";
  }
  return {file_, line, column, std::move(shown)};
}

std::size_t SourceText::offset(std::size_t line, std::size_t column) const {
  if (line == 0 || line > lines_.size()) return text_.size();
  return character_offset(character_number(lines_[line - 1]) + std::max<std::size_t>(column, 1) - 1);
}

void SourceText::fail(ErrorCode code, const std::string& message, std::size_t offset,
                      const std::string& suggestion) const {
  Error error(code, message);
  error.at(position(offset));
  if (!suggestion.empty()) error.suggest(suggestion);
  throw error;
}

}  // namespace cetaev::model
