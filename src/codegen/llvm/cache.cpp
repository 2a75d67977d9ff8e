// A file holds a header and an image. It is written under another name and then renamed, so a reader sees a whole file
// or none; its checksum covers what a broken disk or a full one may have left. Files that were used longest ago are
// removed when the folder grows beyond its limit; a use is marked by the time of modification.
#include "cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cetaev/detail/codegen/native.hpp"
#include "host.hpp"

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

namespace fs = std::filesystem;

constexpr std::uint64_t magic = 0x31564e5645415445U;
constexpr std::string_view extension = ".cetaevcode";
constexpr std::string_view unfinished = ".unfinished";
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

struct Header {
  std::uint64_t magic;
  Digest processor;
  Digest key;
  std::uint64_t entry;
  std::uint64_t size;  // of the image
  Digest checksum;     // of the image
  Digest seal;         // of all above
};

Digest seal_of(const Header& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, seal)));
}

Digest processor() {
  Hasher h;
  for (const std::string& s : {host().triple, host().cpu, host().features, host().compiler}) h.text(s);
  return h.digest();
}

// An open file that closes itself.
class File {
 public:
  File(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool good() const { return fd_ >= 0; }
  int number() const { return fd_; }
  bool read(void* to, std::size_t size) {
    auto* p = static_cast<char*>(to);
    while (size > 0) {
      const ssize_t n = ::read(fd_, p, size);
      if (n <= 0) return false;
      p += n;
      size -= static_cast<std::size_t>(n);
    }
    return true;
  }
  bool write(const void* from, std::size_t size) {
    const auto* p = static_cast<const char*>(from);
    while (size > 0) {
      const ssize_t n = ::write(fd_, p, size);
      if (n <= 0) return false;
      p += n;
      size -= static_cast<std::size_t>(n);
    }
    return true;
  }
  bool close() {
    const int result = fd_ >= 0 ? ::close(fd_) : 0;
    fd_ = -1;
    return result == 0;
  }

 private:
  int fd_;
};

std::string file_of(const std::string& folder, const Digest& key) {
  return folder + "/" + to_text(key) + std::string(extension);
}

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

struct Kept {
  fs::path path;
  fs::file_time_type used;
  std::uintmax_t size;
};

void remove_oldest(const std::string& folder) {
  std::error_code error;
  std::vector<Kept> kept;
  std::uintmax_t total = 0;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    std::error_code gone;
    const fs::path& path = i->path();
    const auto used = i->last_write_time(gone);
    if (gone) continue;
    if (path.extension() == unfinished) {  // of a process that died long ago
      if (now - used > std::chrono::hours(1)) fs::remove(path, gone);
      continue;
    }
    if (path.extension() != extension) continue;
    const std::uintmax_t size = i->file_size(gone);
    if (gone) continue;
    kept.push_back({path, used, size});
    total += size;
  }
  const std::uintmax_t allowed = limit();
  if (total <= allowed) return;
  std::sort(kept.begin(), kept.end(), [](const Kept& x, const Kept& y) { return x.used < y.used; });
  for (const Kept& file : kept) {
    if (total <= allowed) break;
    fs::remove(file.path, error);
    total -= file.size;
  }
}

}  // namespace

std::optional<Image> read_cache(const Digest& key) {
  const std::string folder = cache_folder();
  if (folder.empty()) return std::nullopt;
  File file(file_of(folder, key), O_RDONLY);
  if (!file.good()) return std::nullopt;
  struct stat status {};
  Header header{};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) || !file.read(&header, sizeof header))
    return std::nullopt;
  if (header.magic != magic || header.seal != seal_of(header) || header.processor != processor() || header.key != key)
    return std::nullopt;
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  if (header.size > largest_file || size != sizeof header + header.size || header.entry >= header.size)
    return std::nullopt;
  Image image;
  image.entry = header.entry;
  image.bytes.resize(header.size);
  if (!file.read(image.bytes.data(), image.bytes.size()) || checksum(image.bytes) != header.checksum)
    return std::nullopt;
  // Best effort: of a folder that may only be read, files can be used all the same.
  (void)!utimensat(AT_FDCWD, file_of(folder, key).c_str(), nullptr, 0);
  return image;
}

void write_cache(const Digest& key, const Image& image) {
  const std::string folder = cache_folder();
  if (folder.empty() || image.bytes.size() > std::min(largest_file, limit())) return;
  std::error_code error;
  fs::create_directories(folder, error);
  Header header{};
  header.magic = magic;
  header.processor = processor();
  header.key = key;
  header.entry = image.entry;
  header.size = image.bytes.size();
  header.checksum = checksum(image.bytes);
  header.seal = seal_of(header);
  static std::atomic<unsigned> counter = 0;
  const std::string name = file_of(folder, key);
  const std::string temporary =
      name + "." + std::to_string(getpid()) + "." + std::to_string(counter++) + std::string(unfinished);
  bool whole = false;
  {
    File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (!file.good()) return;
    whole = file.write(&header, sizeof header) && file.write(image.bytes.data(), image.bytes.size());
    whole = file.close() && whole;
  }
  if (whole) fs::rename(temporary, name, error);
  if (!whole || error) {
    fs::remove(temporary, error);
    return;
  }
  remove_oldest(folder);
}

}  // namespace native
}  // namespace cetaev
