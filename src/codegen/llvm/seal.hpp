// Seals: who does not know the key cannot make the seal of a text. Keyed BLAKE3 (O'Connor, Aumasson, Neves, Wilcox-O'Hearn,
// 2020), of which LLVM brings an implementation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "private_folder.hpp"

namespace cetaev::native {

using SealKey = std::array<std::uint8_t, 32>;
using Seal = std::array<std::uint8_t, 32>;

// Of the parts one after the other.
Seal seal_of(const SealKey& key, std::initializer_list<std::span<const std::byte>> parts);
// Takes the same time whatever they are.
bool same(const Seal& a, const Seal& b);

// The key of a folder, a file that its owner alone can read. Both throw Distrust.
inline constexpr const char* key_name = "key";
std::optional<SealKey> find_key(const PrivateFolder& folder);
std::optional<SealKey> find_or_make_key(const PrivateFolder& folder);

}  // namespace cetaev::native
