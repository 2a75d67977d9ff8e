// 128 bits that tell texts apart: names of files in the cache. Against accidents, not against malice.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace cetaev::native {

using Digest = std::array<std::uint64_t, 2>;

class Hasher {
 public:
  void word(std::uint64_t w) {
    // two chains of xor, multiplication and rotation, with different odd constants
    a_ = std::rotl((a_ ^ w) * 0x9e3779b97f4a7c15U, 31) + b_;
    b_ = std::rotl((b_ + w) * 0xd6e8feb86659fd93U, 29) ^ a_;
    ++count_;
  }
  void bytes(std::span<const std::byte> data) {
    word(data.size());
    std::size_t i = 0;
    for (; i + 8 <= data.size(); i += 8) word(read(data.data() + i, 8));
    if (i < data.size()) word(read(data.data() + i, data.size() - i));
  }
  void text(std::string_view s) { bytes(std::as_bytes(std::span(s.data(), s.size()))); }
  template <class T>
  void list(std::span<const T> values) {
    static_assert(std::is_arithmetic_v<T>);
    bytes(std::as_bytes(values));
  }
  Digest digest() const {
    Hasher h = *this;
    for (int i = 0; i < 4; ++i) h.word(count_);
    return {h.a_, h.b_};
  }

 private:
  static std::uint64_t read(const std::byte* p, std::size_t n) {
    std::uint64_t w = 0;
    std::memcpy(&w, p, n);
    return w;
  }

  std::uint64_t a_ = 0x243f6a8885a308d3U;  // the digits of π
  std::uint64_t b_ = 0x13198a2e03707344U;
  std::uint64_t count_ = 0;
};

inline std::string to_text(const Digest& d) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string s;
  for (const std::uint64_t w : d) {
    for (int shift = 60; shift >= 0; shift -= 4) s += digits[(w >> shift) & 15];
  }
  return s;
}

}  // namespace cetaev::native
