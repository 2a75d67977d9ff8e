// CRC-32 (ISO 3309, as zlib.crc32 in Python): what is in a file is what was written.
//
// Eight bytes at a time (M. E. Kounavis, F. L. Berry, "A systematic approach to building high performance software-based CRC generators",
// ISCC 2005): table k has the remainders of a byte with k zero bytes behind it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cetaev {

inline std::uint32_t checksum_of(const void* data, std::size_t size, std::uint32_t before = 0) {
  using Table = std::array<std::uint32_t, 256>;
  static const auto tables = [] {
    std::array<Table, 8> all;
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1U) ? 0xedb88320U ^ (c >> 1) : c >> 1;
      all[0][i] = c;
    }
    for (std::size_t k = 1; k < all.size(); ++k)
      for (std::size_t i = 0; i < 256; ++i) all[k][i] = all[0][all[k - 1][i] & 0xffU] ^ (all[k - 1][i] >> 8);
    return all;
  }();
  std::uint32_t c = ~before;
  const auto* p = static_cast<const unsigned char*>(data);
  for (; size >= 8; p += 8, size -= 8) {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < 8; ++i) next ^= tables[7 - i][i < 4 ? (p[i] ^ (c >> (8 * i))) & 0xffU : p[i]];
    c = next;
  }
  for (; size > 0; ++p, --size) c = tables[0][(c ^ *p) & 0xffU] ^ (c >> 8);
  return ~c;
}

}  // namespace cetaev
