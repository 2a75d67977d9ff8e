// A file holds a header and an image. It is written under another name and then renamed, so a reader sees a whole file
// or none; its seal is looked at before anything else in it. Files that were used longest ago are removed when the folder
// grows beyond its limit; a use is marked by the time of modification.
#include "cache.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <tuple>

#include "cetaev/detail/codegen/native.hpp"
#include "host.hpp"
#include "private_folder.hpp"
#include "seal.hpp"

namespace cetaev {

std::string cache_folder() {
  const auto variable = [](const char* name) -> std::string {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string own = variable("CETAEV_CACHE"); !own.empty()) return own == "off" ? "" : own;
  // relative paths are to be ignored there (XDG Base Directory Specification)
  if (const std::string base = variable("XDG_CACHE_HOME"); base.starts_with('/')) return base + "/cetaev";
  if (const std::string home = variable("HOME"); home.starts_with('/')) return home + "/.cache/cetaev";
  return "";
}

namespace native {

namespace {

constexpr std::uint64_t magic = 0x32564e5645415445U;
constexpr std::string_view extension = ".cetaevcode";
constexpr std::size_t largest_file = std::size_t{1} << 30;

struct Header {
  Seal seal;  // of everything else: the rest of the header, and the image
  std::uint64_t magic;
  Digest processor;
  Digest key;
  std::uint64_t entry;
};

Seal file_seal(const SealKey& key, const Header& header, std::span<const std::byte> image) {
  return seal_of(key, {std::as_bytes(std::span(&header, 1)).subspan(sizeof header.seal), image});
}

Digest processor() {
  Hasher h;
  for (const std::string& s : {host().triple, host().cpu, host().features, host().compiler}) h.text(s);
  return h.digest();
}

std::string file_of(const Digest& key) { return to_text(key) + std::string(extension); }

std::uintmax_t limit() {
  constexpr std::uintmax_t mebibyte = 1 << 20;
  constexpr std::uintmax_t usual = 256 * mebibyte;
  const char* const text = std::getenv("CETAEV_CACHE_LIMIT");
  if (text == nullptr) return usual;
  const std::string_view s = text;
  std::uintmax_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size() || value > (std::uintmax_t{1} << 40)) return usual;
  return value * mebibyte;
}

void remove_oldest(const PrivateFolder& folder) {
  folder.remove_unfinished();
  std::vector<PrivateFolder::Entry> kept = folder.entries(extension);
  std::uintmax_t total = 0;
  for (const PrivateFolder::Entry& file : kept) total += file.size;
  const std::uintmax_t allowed = limit();
  if (total <= allowed) return;
  const auto used = [](const PrivateFolder::Entry& file) { return std::tie(file.used.tv_sec, file.used.tv_nsec); };
  std::sort(kept.begin(), kept.end(), [&](const auto& x, const auto& y) { return used(x) < used(y); });
  for (const PrivateFolder::Entry& file : kept) {
    if (total <= allowed) break;
    folder.remove(file.name);
    total -= file.size;
  }
}

// Throws Distrust.
std::optional<Image> read_from(const PrivateFolder& folder, const Digest& key) {
  std::optional<PrivateFolder::Readable> found = folder.read(file_of(key));
  if (!found) return std::nullopt;
  const Distrust damaged{"its file '" + file_of(key) + "' is not as it was written"};
  Header header{};
  if (found->size <= sizeof header || found->size > largest_file || !found->file.read(&header, sizeof header))
    throw damaged;
  Image image;
  image.bytes.resize(found->size - sizeof header);
  if (!found->file.read(image.bytes.data(), image.bytes.size())) throw damaged;
  const std::optional<SealKey> seal_key = find_key(folder);
  if (!seal_key || !same(header.seal, file_seal(*seal_key, header, image.bytes))) throw damaged;
  if (header.magic != magic || header.processor != processor() || header.key != key ||
      header.entry >= image.bytes.size())
    throw Distrust{"its file '" + file_of(key) + "' is code of something else"};
  image.entry = header.entry;
  futimens(found->file.number(), nullptr);
  return image;
}

std::string refusal(const std::string& folder, const Distrust& distrust) {
  return "machine code was made anew, not taken from the cache in '" + folder + "': " + distrust.why;
}

}  // namespace

CachedImage read_cache(const Digest& key) {
  const std::string path = cache_folder();
  if (path.empty()) return {};
  try {
    const std::optional<PrivateFolder> folder = PrivateFolder::find(path);
    if (!folder) return {};
    return {read_from(*folder, key), {}};
  } catch (const Distrust& distrust) {
    return {std::nullopt, refusal(path, distrust)};
  }
}

std::string write_cache(const Digest& key, const Image& image) {
  const std::string path = cache_folder();
  if (path.empty() || image.bytes.size() > std::min<std::uintmax_t>(largest_file - sizeof(Header), limit())) return {};
  try {
    const std::optional<PrivateFolder> folder = PrivateFolder::find_or_make(path);
    if (!folder) return {};
    const std::optional<SealKey> seal_key = find_or_make_key(*folder);
    if (!seal_key) return {};
    Header header{};
    header.magic = magic;
    header.processor = processor();
    header.key = key;
    header.entry = image.entry;
    header.seal = file_seal(*seal_key, header, image.bytes);
    const std::string_view first(reinterpret_cast<const char*>(&header), sizeof header);
    const std::string_view second(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
    if (folder->write(file_of(key), first, second, PrivateFolder::Existing::goes)) remove_oldest(*folder);
    return {};
  } catch (const Distrust& distrust) {
    return refusal(path, distrust);
  }
}

}  // namespace native
}  // namespace cetaev
