#include "sweep_layout.hpp"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <limits>
#include <sstream>

namespace cetaev::output {

namespace {

constexpr const char* front_title = "cetaev sweep, version 1";
constexpr std::size_t least_front = 1024, most_front = std::size_t{1} << 22;
constexpr const char* part_names[] = {"inputs", "outputs", "t", "status", "diagnosis", "checksum"};

// Names may hold anything but the end of a line, which no name of a model has.
std::string names_text(const char* what, const std::vector<std::string>& names) {
  std::string text = fmt::format("{} {}\n", what, names.size());
  for (const std::string& name : names) text += name + "\n";
  return text;
}

bool read_names(std::istream& in, const char* what, std::vector<std::string>& names) {
  std::string word, line;
  std::size_t count = 0;
  if (!(in >> word >> count) || word != what || count > most_front) return false;
  std::getline(in, line);
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::getline(in, line)) return false;
    names.push_back(line);
  }
  return true;
}

}  // namespace

std::size_t front_size(const SweepDescription& description) {
  std::size_t size = 600;  // of all but the names
  for (const auto* names : {&description.inputs, &description.outputs})
    for (const std::string& name : *names) size += name.size() + 1;
  return std::max(least_front, std::bit_ceil(size));
}

std::string front_of(const SweepLayout& layout, std::size_t size) {
  std::string text = fmt::format("{}\nfront {}\nsize {}\ncount {}\nblock {}\n", front_title, size, layout.size,
                                 layout.count, layout.block);
  for (std::size_t i = 0; i < SweepLayout::parts; ++i) {
    const SweepLayout::Region& region = layout.regions[i];
    text += fmt::format("{} {} {} {}\n", part_names[i], region.offset, region.width, region.rows);
  }
  text += names_text("input_names", layout.input_names) + names_text("output_names", layout.output_names);
  text.resize(size, '\n');
  return text;
}

std::optional<SweepLayout> read_front(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string text(least_front, '\0');
  if (pread(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) return std::nullopt;
  if (!text.starts_with(std::string(front_title) + "\nfront ")) return std::nullopt;
  std::istringstream head(text.substr(std::string(front_title).size()));
  std::string word;
  std::size_t front = 0;
  if (!(head >> word >> front) || front < least_front || front > most_front) return std::nullopt;
  text.resize(front);
  if (pread(file, text.data(), front, 0) != static_cast<ssize_t>(front)) return std::nullopt;

  SweepLayout layout;
  std::istringstream in(text.substr(std::string(front_title).size()));
  const auto field = [&](const char* name, auto& value) { return (in >> word >> value) && word == name; };
  if (!field("front", front) || !field("size", layout.size) || !field("count", layout.count) ||
      !field("block", layout.block))
    return std::nullopt;
  if (layout.size != static_cast<std::uint64_t>(status.st_size) || layout.count == 0 || layout.block == 0)
    return std::nullopt;
  for (std::size_t i = 0; i < SweepLayout::parts; ++i) {
    SweepLayout::Region& region = layout.regions[i];
    if (!(in >> word >> region.offset >> region.width >> region.rows) || word != part_names[i]) return std::nullopt;
    if (region.offset > layout.size || region.width == 0 || region.rows > (layout.size - region.offset) / region.width)
      return std::nullopt;
  }
  std::string rest;
  std::getline(in, rest);
  if (!read_names(in, "input_names", layout.input_names) || !read_names(in, "output_names", layout.output_names))
    return std::nullopt;
  // what the parts must be for so many motions
  const std::uint64_t widths[] = {sizeof(double) * layout.input_names.size(),
                                  sizeof(double) * layout.output_names.size(),
                                  sizeof(double),
                                  status_width,
                                  1,
                                  sizeof(std::int64_t)};
  for (std::size_t i = 0; i < SweepLayout::parts; ++i) {
    const std::uint64_t rows =
        i == SweepLayout::checksums ? (layout.count + layout.block - 1) / layout.block : layout.count;
    if (layout.regions[i].width != widths[i] || layout.regions[i].rows != rows) return std::nullopt;
  }
  return layout;
}

}  // namespace cetaev::output
