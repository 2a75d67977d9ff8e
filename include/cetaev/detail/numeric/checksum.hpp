// CRC-32 (ISO 3309, as zlib.crc32 in Python): what is in a file is what was written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cetaev {

inline std::uint32_t checksum_of(const void* data, std::size_t size, std::uint32_t before = 0) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> all;
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1U) ? 0xedb88320U ^ (c >> 1) : c >> 1;
      all[i] = c;
    }
    return all;
  }();
  std::uint32_t c = ~before;
  const auto* p = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) c = table[(c ^ p[i]) & 0xffU] ^ (c >> 8);
  return ~c;
}

}  // namespace cetaev
