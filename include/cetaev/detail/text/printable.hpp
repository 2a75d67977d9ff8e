// Text from outside, such as the name of a model, on its way to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace cetaev::text {

// What a terminal obeys instead of showing: control characters (C0, DEL, C1) and what turns the direction of writing around
// (embeddings, overrides, isolates).
bool is_control(char32_t c);

// The same text without them: they are spelled \u001b, and what is not UTF-8 \x9b, byte by byte. Ends of lines and tabs stay as they
// are. A JSON document is the same document afterwards.
std::string printable(std::string_view text);

}  // namespace cetaev::text
