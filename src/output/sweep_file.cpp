#include "cetaev/output/sweep_file.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>

#include "cetaev/detail/numeric/checksum.hpp"
#include "cetaev/detail/output/beside.hpp"
#include "cetaev/detail/output/existing.hpp"
#include "cetaev/error.hpp"
#include "read_hdf5.hpp"
#include "sweep_layout.hpp"
#include "target.hpp"

namespace cetaev {

using output::SweepLayout;

namespace {

constexpr std::int64_t is_there = std::int64_t{1} << 32;

// A file that is open, and closed in the end.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : file_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~OpenFile() {
    if (file_ >= 0) ::close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  operator int() const { return file_; }

 private:
  int file_;
};

[[noreturn]] void refuse_sweep(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::bad_model, fmt::format("'{}' {}", path, why));
}

void read_bytes(int file, const std::string& path, void* to, std::size_t size, std::uint64_t offset) {
  auto* p = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t n = pread(file, p, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) refuse_sweep(path, "cannot be read to its end");
    p += n;
    size -= static_cast<std::size_t>(n);
    offset += static_cast<std::uint64_t>(n);
  }
}

void write_bytes(int file, const std::string& path, const void* from, std::size_t size, std::uint64_t offset) {
  const auto* p = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t n = pwrite(file, p, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) output::refuse(path, n < 0 ? errno : ENOSPC);
    p += n;
    size -= static_cast<std::size_t>(n);
    offset += static_cast<std::uint64_t>(n);
  }
}

// Pieces of a file beside the rows, until `look` says no.
template <class Look>
bool for_bytes_beside_rows(const SweepLayout& layout, const Look& look) {
  constexpr std::uint64_t most = 1 << 16;
  std::vector<SweepLayout::Region> taken(layout.regions.begin(), layout.regions.end());
  std::sort(taken.begin(), taken.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  taken.push_back({layout.size, 0, 0});
  std::uint64_t at = 0;
  for (const SweepLayout::Region& region : taken) {
    for (; at < region.offset; at += std::min(most, region.offset - at))
      if (!look(at, static_cast<std::size_t>(std::min(most, region.offset - at)))) return false;
    at = std::max(at, region.offset + region.bytes());
  }
  return true;
}

// Who has the same there is the same sweep.
bool same_beside_rows(int one, const std::string& one_path, int other, const std::string& other_path,
                      const SweepLayout& layout) {
  return for_bytes_beside_rows(layout, [&](std::uint64_t at, std::size_t size) {
    std::vector<char> a(size), b(size);
    read_bytes(one, one_path, a.data(), size, at);
    read_bytes(other, other_path, b.data(), size, at);
    return a == b;
  });
}

}  // namespace

struct SweepFile::Data {
  // a pipe is not waited for
  Data(std::string where, int flags) : path(std::move(where)), file(path, flags | O_NONBLOCK) {
    if (file < 0 && (flags & O_ACCMODE) == O_RDONLY)
      refuse_sweep(path, std::string("cannot be read: ") + strerror(errno));
    if (file < 0) output::refuse(path, errno);
    if ((flags & O_ACCMODE) != O_RDONLY && flock(file, LOCK_EX | LOCK_NB) != 0)
      output::refuse(path, "another process is writing it");
    if (!std::filesystem::is_regular_file(path)) refuse_sweep(path, "is no file on a disk");
    std::optional<SweepLayout> found = output::read_front(file);
    if (!found) refuse_sweep(path, "is no file of a sweep, or it is damaged");
    layout = std::move(*found);
  }

  // All that belongs to a block, in the order of its checksum.
  struct Bytes {
    std::array<std::vector<unsigned char>, SweepLayout::checksums> parts;
    std::int64_t checksum() const {
      std::uint32_t sum = 0;
      for (const auto& part : parts) sum = checksum_of(part.data(), part.size(), sum);
      return is_there + sum;
    }
  };
  std::size_t rows_of(std::size_t block) const { return std::min(layout.block, layout.count - block * layout.block); }
  std::uint64_t place(std::size_t part, std::size_t block) const {
    const SweepLayout::Region& region = layout.regions[part];
    const std::size_t row = part == SweepLayout::checksums ? block : block * layout.block;
    return region.offset + region.width * row;
  }

  // Nothing where the block is not there or not as it was written.
  std::optional<Bytes> read(std::size_t block) const {
    std::int64_t told = 0;
    read_bytes(file, path, &told, sizeof told, place(SweepLayout::checksums, block));
    if (told == 0) return std::nullopt;
    Bytes bytes;
    for (std::size_t part = 0; part < bytes.parts.size(); ++part) {
      bytes.parts[part].resize(layout.regions[part].width * rows_of(block));
      read_bytes(file, path, bytes.parts[part].data(), bytes.parts[part].size(), place(part, block));
    }
    return bytes.checksum() == told ? std::optional(std::move(bytes)) : std::nullopt;
  }

  // The checksum last: whatever ends this program, a block is there as a whole or not at all.
  void write(std::size_t block, const Bytes& bytes) const {
    for (std::size_t part = 0; part < bytes.parts.size(); ++part)
      write_bytes(file, path, bytes.parts[part].data(), bytes.parts[part].size(), place(part, block));
    const std::int64_t sum = bytes.checksum();
    write_bytes(file, path, &sum, sizeof sum, place(SweepLayout::checksums, block));
  }

  std::string path;
  OpenFile file;
  SweepLayout layout;
};

namespace {

template <class T>
void put_numbers(std::vector<unsigned char>& bytes, const std::vector<T>& values) {
  bytes.resize(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
}
void take_numbers(const std::vector<unsigned char>& bytes, std::vector<double>& values) {
  values.resize(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
}

}  // namespace

SweepFile::SweepFile(std::unique_ptr<Data> data) : data_(std::move(data)) {}
SweepFile::~SweepFile() = default;
SweepFile::SweepFile(SweepFile&&) noexcept = default;
SweepFile& SweepFile::operator=(SweepFile&&) noexcept = default;

// Under another name until all of it is there.
template <class Make>
std::unique_ptr<SweepFile::Data> SweepFile::moved_there(const std::string& path, const Make& make) {
  const std::string place = output::replaced_by(path), made = output::beside(place);
  try {
    auto data = make(made);
    if (std::rename(made.c_str(), place.c_str()) != 0) output::refuse(path, errno);
    data->path = path;
    return data;
  } catch (...) {
    unlink(made.c_str());
    throw;
  }
}

SweepFile SweepFile::create(const std::string& path, const SweepDescription& description) {
  output::require_folder(path);
  return SweepFile(moved_there(path, [&](const std::string& made) {
    (void)output::Target(made, output::Target::Seekable());
    (void)output::create_sweep(made, description);
    return std::make_unique<Data>(made, O_RDWR);
  }));
}

SweepFile SweepFile::resume(const std::string& path, const SweepDescription& description) {
  if (access(path.c_str(), F_OK) != 0) return create(path, description);
  auto data = std::make_unique<Data>(path, O_RDWR);
  const std::string made = output::beside(output::replaced_by(path));
  bool same = false;
  try {
    const SweepLayout layout = output::create_sweep(made, description);
    const OpenFile fresh(made, O_RDONLY);
    same = layout.size == data->layout.size && same_beside_rows(data->file, path, fresh, made, layout);
    unlink(made.c_str());
  } catch (...) {
    unlink(made.c_str());
    throw;
  }
  if (!same)
    refuse_sweep(
        path,
        "is the file of another sweep: the model, what varies, what is observed, the options or the version of "
        "the program differ; without --resume it is replaced");
  return SweepFile(std::move(data));
}

SweepFile SweepFile::open(const std::string& path) { return SweepFile(std::make_unique<Data>(path, O_RDONLY)); }

// All parts are looked at before anything is written. Blocks one by one: what is a hole stays one, and what is damaged is left out.
SweepFile SweepFile::join(const std::vector<std::string>& parts, const std::string& path) {
  const SweepFile source = open(parts.at(0));
  for (const std::string& part : parts) source.require_same(open(part));
  output::require_folder(path);
  return SweepFile(moved_there(path, [&](const std::string& made) {
    const Data& first = *source.data_;
    {
      const OpenFile file(made, O_RDWR | O_CREAT | O_TRUNC);
      if (file < 0) output::refuse(path, errno);
      if (ftruncate(file, static_cast<off_t>(first.layout.size)) != 0) output::refuse(path, errno);
      for_bytes_beside_rows(first.layout, [&](std::uint64_t at, std::size_t size) {
        std::vector<char> bytes(size);
        read_bytes(first.file, first.path, bytes.data(), size, at);
        write_bytes(file, made, bytes.data(), size, at);
        return true;
      });
    }
    SweepFile whole(std::make_unique<Data>(made, O_RDWR));
    for (const std::string& part : parts) whole.take(open(part));
    return std::move(whole.data_);
  }));
}

std::uint32_t SweepFile::fingerprint() const {
  std::uint32_t sum = 0;
  for_bytes_beside_rows(data_->layout, [&](std::uint64_t at, std::size_t size) {
    std::vector<char> bytes(size);
    read_bytes(data_->file, data_->path, bytes.data(), size, at);
    sum = checksum_of(bytes.data(), size, sum);
    return true;
  });
  return sum;
}

bool SweepFile::is_one(const std::string& path) {
  const OpenFile file(path, O_RDONLY | O_NONBLOCK);
  return file >= 0 && output::read_front(file).has_value();
}

const std::string& SweepFile::path() const { return data_->path; }
std::size_t SweepFile::count() const { return data_->layout.count; }
std::size_t SweepFile::blocks() const { return data_->layout.regions[SweepLayout::checksums].rows; }
const std::vector<std::string>& SweepFile::inputs() const { return data_->layout.input_names; }
const std::vector<std::string>& SweepFile::outputs() const { return data_->layout.output_names; }

SweepTexts SweepFile::texts() const { return output::read_attributes(data_->path); }

bool SweepFile::has(std::size_t block) const { return data_->read(block).has_value(); }

SweepRows SweepFile::read(std::size_t block) const {
  const std::optional<Data::Bytes> bytes = data_->read(block);
  if (!bytes) refuse_sweep(data_->path, fmt::format("does not have block {}", block));
  SweepRows rows;
  rows.first = block * data_->layout.block;
  take_numbers(bytes->parts[SweepLayout::inputs], rows.inputs);
  take_numbers(bytes->parts[SweepLayout::outputs], rows.outputs);
  take_numbers(bytes->parts[SweepLayout::t], rows.t);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto* const word =
        reinterpret_cast<const char*>(bytes->parts[SweepLayout::status].data()) + i * output::status_width;
    const std::string status(word, strnlen(word, output::status_width));
    rows.status.push_back(MotionStatus::failed);
    for (const MotionStatus one :
         {MotionStatus::finished, MotionStatus::singular, MotionStatus::event, MotionStatus::interrupted})
      if (to_string(one) == status) rows.status.back() = one;
    const unsigned char code = bytes->parts[SweepLayout::diagnosis][i];
    rows.diagnosis.push_back(code == 0 ? std::nullopt : std::optional(static_cast<ErrorCode>(code - 1)));
  }
  return rows;
}

void SweepFile::write(std::size_t block, const SweepRows& rows) {
  Data::Bytes bytes;
  put_numbers(bytes.parts[SweepLayout::inputs], rows.inputs);
  put_numbers(bytes.parts[SweepLayout::outputs], rows.outputs);
  put_numbers(bytes.parts[SweepLayout::t], rows.t);
  bytes.parts[SweepLayout::status].assign(rows.rows() * output::status_width, 0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::string word = to_string(rows.status[i]);
    std::memcpy(bytes.parts[SweepLayout::status].data() + i * output::status_width, word.data(), word.size());
    const int code = rows.diagnosis[i] ? static_cast<int>(*rows.diagnosis[i]) + 1 : 0;
    bytes.parts[SweepLayout::diagnosis].push_back(static_cast<unsigned char>(code));
  }
  data_->write(block, bytes);
}

void SweepFile::require_same(const SweepFile& other) const {
  const Data &from = *other.data_, &to = *data_;
  if (from.layout.size != to.layout.size || !same_beside_rows(to.file, to.path, from.file, from.path, to.layout))
    refuse_sweep(from.path, fmt::format("is a part of another sweep than '{}'", to.path));
}

void SweepFile::take(const SweepFile& other) {
  require_same(other);
  const Data &from = *other.data_, &to = *data_;
  // many at a time: most blocks of a part are holes
  std::vector<std::int64_t> told(std::min<std::size_t>(blocks(), 1 << 16));
  for (std::size_t first = 0; first < blocks(); first += told.size()) {
    const std::size_t count = std::min(told.size(), blocks() - first);
    read_bytes(from.file, from.path, told.data(), count * sizeof(std::int64_t),
               from.place(SweepLayout::checksums, first));
    for (std::size_t i = 0; i < count; ++i) {
      if (told[i] == 0 || has(first + i)) continue;
      if (const auto bytes = from.read(first + i)) to.write(first + i, *bytes);
    }
  }
}

}  // namespace cetaev
