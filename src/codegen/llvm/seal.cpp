#include "seal.hpp"

#include <sys/random.h>

#include "llvm-c/blake3.h"

namespace cetaev::native {

Seal seal_of(const SealKey& key, std::initializer_list<std::span<const std::byte>> parts) {
  static_assert(sizeof(SealKey) == LLVM_BLAKE3_KEY_LEN && sizeof(Seal) == LLVM_BLAKE3_OUT_LEN);
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init_keyed(&hasher, key.data());
  for (const std::span<const std::byte> part : parts) llvm_blake3_hasher_update(&hasher, part.data(), part.size());
  Seal seal{};
  llvm_blake3_hasher_finalize(&hasher, seal.data(), seal.size());
  return seal;
}

bool same(const Seal& a, const Seal& b) {
  unsigned different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different |= static_cast<unsigned>(a[i] ^ b[i]);
  return different == 0;
}

std::optional<SealKey> find_key(const PrivateFolder& folder) {
  std::optional<PrivateFolder::Readable> found = folder.read(key_name, Others::may_not_read);
  if (!found) return std::nullopt;
  SealKey key{};
  if (found->size != key.size() || !found->file.read(key.data(), key.size()))
    throw Distrust{"its key is damaged (remove the folder, and it is made anew)"};
  return key;
}

std::optional<SealKey> find_or_make_key(const PrivateFolder& folder) {
  if (const auto key = find_key(folder)) return key;
  SealKey fresh{};
  if (getrandom(fresh.data(), fresh.size(), 0) != static_cast<ssize_t>(fresh.size())) return std::nullopt;
  const std::string_view bytes(reinterpret_cast<const char*>(fresh.data()), fresh.size());
  folder.write(key_name, bytes, {}, PrivateFolder::Existing::stays);
  return find_key(folder);  // ours, or that of another process which was faster
}

}  // namespace cetaev::native
