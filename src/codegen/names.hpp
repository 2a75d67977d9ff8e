// Names of a model as identifiers that every target language accepts, and text that cannot leave a comment.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cetaev::codegen {

// ASCII letters, digits and single underscores, beginning with a letter: θ becomes theta, x' becomes x_dot. Not yet unique, and
// possibly a reserved word.
std::string transliterate(std::string_view name);

// Hands out identifiers, each once; none is a reserved word of C, C++, Python, CUDA, Matlab or Octave, or a name that the
// exported files use themselves.
class Names {
 public:
  std::string take(std::string_view name);
  // stem1, stem2, …: the next one that is free.
  std::string next(const std::string& stem);

 private:
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, std::size_t> counts_;
};

// One line of a comment in any of the languages: no control characters, nothing that ends or nests a comment, continues a line or
// changes the direction of writing.
std::string comment_text(std::string_view text);

// Words broken into lines of at most this many characters.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace cetaev::codegen
