// Where things lie in the file of a sweep.
//
// In front of the HDF5 file stands a text (HDF5 allows that: a user block) that tells it, so that rows are read and written as
// plain bytes: by any number of processes, without the HDF5 library, and nothing that a damaged file says is believed.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cetaev/output/sweep_file.hpp"

namespace cetaev::output {

struct SweepLayout {
  enum Part : std::size_t { inputs, outputs, t, status, diagnosis, checksums, parts };
  struct Region {
    std::uint64_t offset = 0, width = 0, rows = 0;  // bytes, bytes of a row
    std::uint64_t bytes() const { return width * rows; }
  };
  std::array<Region, parts> regions;
  std::uint64_t size = 0;  // of the file
  std::size_t count = 0, block = 1;
  std::vector<std::string> input_names, output_names;
};
constexpr std::size_t status_width = 12;

// The size of the text in front: a power of two, 512 or more.
std::size_t front_size(const SweepDescription& description);
std::string front_of(const SweepLayout& layout, std::size_t size);
// Nothing where the text is none of ours or does not fit a file of this size.
std::optional<SweepLayout> read_front(int file);

// A file with everything but the rows. Throws cannot-write.
SweepLayout create_sweep(const std::string& path, const SweepDescription& description);

}  // namespace cetaev::output
