#include "names.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace cetaev::codegen {

namespace {

struct Character {
  char32_t code;
  std::string_view bytes;
};

// The characters of UTF-8 text; a byte that does not belong is a character by itself.
std::vector<Character> characters(std::string_view text) {
  std::vector<Character> result;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    length = std::min(length, text.size() - i);
    char32_t code = length == 1 ? first : first & (0xff >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3f);
    result.push_back({code, text.substr(i, length)});
    i += length;
  }
  return result;
}

constexpr std::array<std::string_view, 25> small_greek = {
    "alpha", "beta",    "gamma", "delta", "epsilon", "zeta",  "eta", "theta",   "iota", "kappa", "lambda", "mu",   "nu",
    "xi",    "omicron", "pi",    "rho",   "sigma",   "sigma", "tau", "upsilon", "phi",  "chi",   "psi",    "omega"};

std::string greek(char32_t code) {
  if (code >= 0x3b1 && code <= 0x3c9) return std::string(small_greek[code - 0x3b1]);
  if (code >= 0x391 && code <= 0x3a9) {
    std::string name(small_greek[code - 0x391]);
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
  }
  switch (code) {
    case 0x3d1: return "theta";
    case 0x3d5: return "phi";
    case 0x3f5: return "epsilon";
    default: return {};
  }
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Keywords of the languages, macros and functions that a local variable must not hide, and names of the exported files.
constexpr std::string_view reserved_words[] = {
    // C and C++
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char8_t", "char16_t", "char32_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return",
    "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
    "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "final", "override", "import", "module", "std",
    "NULL", "EOF", "INFINITY", "OVERFLOW", "UNDERFLOW", "DOMAIN", "SING", "MAXFLOAT", "NAN", "HUGE_VAL", "errno",
    "linux", "unix", "near", "far", "assert", "complex", "imaginary", "I", "main", "signbit", "isnan", "isinf",
    "isfinite", "isnormal", "fpclassify", "size_t", "array",
    // CUDA
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3",
    // Python
    "False", "None", "True", "as", "async", "await", "def", "del", "elif", "except", "finally", "from", "global", "in",
    "is", "lambda", "nonlocal", "pass", "raise", "with", "yield", "match", "type", "np", "numpy", "special",
    "dataclass", "dataclasses", "self", "range", "print", "property",
    // Matlab and Octave
    "end", "function", "elseif", "otherwise", "parfor", "persistent", "spmd", "classdef", "end_try_catch",
    "end_unwind_protect", "endclassdef", "endenumeration", "endevents", "endfor", "endfunction", "endif", "endmethods",
    "endparfor", "endproperties", "endswitch", "endwhile", "enumeration", "events", "get", "set", "methods",
    "properties", "until", "unwind_protect", "unwind_protect_cleanup", "ans", "NaN", "Inf", "eps", "i", "j", "e", "NA",
    // functions
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp",
    "log", "abs", "fabs", "sqrt", "pow", "power", "pi", "zeros", "ones", "reshape", "size", "numel", "lu", "max", "min",
    "struct2cell", "isreal", "diag", "any", "all",
    // the exported files themselves
    "t", "p", "state", "states", "rate", "rates", "residual", "residuals", "energy", "jacobian", "matrix", "velocity",
    "parameters", "Parameters", "rhs", "status", "constraints", "state_type", "code", "model", "entry", "factor",
    "substitute", "is_regular", "column_size", "shape"};

bool is_reserved(std::string_view name) {
  // macros of <math.h> and its extensions
  for (const std::string_view stem : {"M_", "FP_", "MATH_"}) {
    if (name.starts_with(stem)) return true;
  }
  return std::find(std::begin(reserved_words), std::end(reserved_words), name) != std::end(reserved_words);
}

// Characters that would let text act on the file around it.
bool is_unsafe(char32_t c) {
  const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
  const bool direction =
      (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x61c;
  const bool separator = c == 0x2028 || c == 0x2029 || c == 0xfeff;
  return control || direction || separator;
}

}  // namespace

std::string transliterate(std::string_view name) {
  std::string result;
  const auto append = [&](std::string_view part, bool apart) {
    if (apart && !result.empty() && result.back() != '_') result += '_';
    result += part;
  };
  bool apart = false;
  for (const auto& [code, bytes] : characters(name)) {
    if (code < 0x80 && (is_letter(bytes[0]) || is_digit(bytes[0]))) {
      append(bytes, apart);
      apart = false;
    } else if (code == '\'') {
      append("dot", true);
      apart = true;
    } else if (code >= 0x2080 && code <= 0x2089) {  // subscript digits
      result += static_cast<char>('0' + (code - 0x2080));
    } else if (const std::string letter = greek(code); !letter.empty()) {
      append(letter, apart || (!result.empty() && is_letter(result.back())));
      apart = true;
    } else if (code < 0x80) {
      apart = true;
    } else {
      constexpr std::string_view digits = "0123456789abcdef";
      std::string hex = "u";
      for (int shift = code > 0xffff ? 20 : 12; shift >= 0; shift -= 4) hex += digits[(code >> shift) & 0xf];
      append(hex, true);
      apart = true;
    }
  }
  if (result.empty() || !is_letter(result.front())) result.insert(0, "v");
  return result;
}

std::string Names::take(std::string_view name) {
  std::string plain = transliterate(name);
  if (is_reserved(plain)) plain += "_";
  std::string candidate = plain;
  if (taken_.contains(candidate)) {
    if (is_digit(plain.back())) plain += "_";
    for (std::size_t k = 2; taken_.contains(candidate); ++k) candidate = plain + std::to_string(k);
  }
  taken_.insert(candidate);
  return candidate;
}

std::string Names::next(const std::string& stem) {
  for (;;) {
    std::string candidate = stem + std::to_string(++counts_[stem]);
    // nothing that begins like it either: arrays have companions, matrix1_scale
    const auto close = taken_.lower_bound(candidate);
    if (is_reserved(candidate) || (close != taken_.end() && close->starts_with(candidate))) continue;
    taken_.insert(candidate);
    return candidate;
  }
}

std::string comment_text(std::string_view text) {
  std::string result;
  for (const auto& [code, bytes] : characters(text)) {
    if (is_unsafe(code)) {
      if (!result.empty() && result.back() != ' ') result += ' ';
      continue;
    }
    const bool invalid = bytes.size() == 1 && code >= 0x80;
    const std::string next(invalid ? "?" : bytes);
    // comments that end or nest, trigraphs
    const char last = result.empty() ? ' ' : result.back();
    if ((last == '*' && next == "/") || (last == '/' && next == "*") || (last == '?' && next == "?")) result += ' ';
    result += next;
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  // a line that ends with a backslash goes on
  if (!result.empty() && result.back() == '\\') result += " .";
  return result;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t length = 0;
  const auto flush = [&] {
    if (!line.empty()) lines.push_back(std::exchange(line, {}));
    length = 0;
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n\t\r", i), text.size());
    const std::string_view word = text.substr(i, end - i);
    if (!word.empty()) {
      const std::size_t size = characters(word).size();
      if (length > 0 && length + 1 + size > width) flush();
      if (length > 0) {
        line += ' ';
        ++length;
      }
      line += word;
      length += size;
    }
    i = end + 1;
  }
  flush();
  return lines;
}

}  // namespace cetaev::codegen
