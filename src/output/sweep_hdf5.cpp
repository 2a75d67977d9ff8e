// The HDF5 side of the files of sweeps: everything but the rows.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "hdf5_writer.hpp"
#include "sweep_layout.hpp"

namespace cetaev::output {

namespace {

class SweepWriter : private Hdf5Writer {
 public:
  SweepWriter(const std::string& path, const SweepDescription& description)
      : Hdf5Writer(hdf5_library(), path), path_(path), description_(description) {}

  SweepLayout write() {
    SweepLayout layout;
    layout.count = description_.count;
    layout.block = description_.block;
    layout.input_names = description_.inputs;
    layout.output_names = description_.outputs;
    const std::size_t front = front_size(description_);
    {
      const Handle creation(checked(h_.H5Pcreate(h_.file_creation)), h_.H5Pclose);
      checked(h_.H5Pset_userblock(creation, front) >= 0);
      constexpr unsigned truncate = 0x0002u;  // H5F_ACC_TRUNC, whose macro calls the library
      const Handle file(checked(h_.H5Fcreate(path_.c_str(), truncate, creation, H5P_DEFAULT)), h_.H5Fclose);
      write_attributes(file);
      write_datasets(file, layout);
    }
    add_front(layout, front);
    return layout;
  }

 private:
  void write_attributes(hid_t file) const {
    text(file, "creator", "cetaev");
    text(file, "version", CETAEV_VERSION);
    for (const auto& [name, value] : description_.texts) text(file, name.c_str(), value);
    for (const auto& [name, values] : description_.lists) texts(file, name.c_str(), values);
    for (const auto& [name, value] : description_.numbers) real(file, name.c_str(), value);
  }

  void write_datasets(hid_t file, SweepLayout& layout) const {
    const std::uint64_t rows = description_.count;
    const Handle word(checked(h_.H5Tcopy(h_.c_string)), h_.H5Tclose);
    checked(h_.H5Tset_size(word, status_width) >= 0);
    // all datasets first: what is written into the file for attributes comes behind them or before them, but not between
    layout.regions[SweepLayout::inputs] = dataset(file, "inputs", h_.native_double, sizeof(double), rows,
                                                  description_.inputs.size(), description_.inputs);
    layout.regions[SweepLayout::outputs] = dataset(file, "outputs", h_.native_double, sizeof(double), rows,
                                                   description_.outputs.size(), description_.outputs);
    layout.regions[SweepLayout::t] = dataset(file, "t", h_.native_double, sizeof(double), rows, 0, {});
    layout.regions[SweepLayout::status] = dataset(file, "status", word, status_width, rows, 0, {});
    std::vector<std::string> codes = {""};
    for (int code = 0; code <= static_cast<int>(ErrorCode::internal_error); ++code)
      codes.emplace_back(to_string(static_cast<ErrorCode>(code)));
    layout.regions[SweepLayout::diagnosis] = dataset(file, "diagnosis", h_.native_uint8, 1, rows, 0, codes);
    layout.regions[SweepLayout::checksums] =
        dataset(file, "checksum", h_.native_int64, sizeof(std::int64_t), description_.blocks(), 0, {});
  }

  // Of its full size from the beginning, in one piece, with nothing written and no time of its making.
  SweepLayout::Region dataset(hid_t file, const char* name, hid_t type, std::size_t size, std::uint64_t rows,
                              std::size_t columns, const std::vector<std::string>& names) const {
    const hsize_t extent[] = {rows, columns};
    const Handle space(checked(h_.H5Screate_simple(columns > 0 ? 2 : 1, extent, nullptr)), h_.H5Sclose);
    const Handle how(checked(h_.H5Pcreate(h_.dataset_creation)), h_.H5Pclose);
    checked(h_.H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY) >= 0 &&
            h_.H5Pset_fill_time(how, H5D_FILL_TIME_NEVER) >= 0 && h_.H5Pset_obj_track_times(how, false) >= 0);
    const Handle made(checked(h_.H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT)), h_.H5Dclose);
    if (!names.empty()) texts(made, "names", names);
    const haddr_t offset = h_.H5Dget_offset(made);
    checked(offset != HADDR_UNDEF);
    return {offset, size * std::max<std::size_t>(columns, 1), rows};
  }

  void add_front(SweepLayout& layout, std::size_t size) const {
    const int file = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) refuse(path_, errno);
    struct stat status {};
    int problem = fstat(file, &status) == 0 ? 0 : errno;
    layout.size = static_cast<std::uint64_t>(status.st_size);
    for (const SweepLayout::Region& region : layout.regions)
      layout.size = std::max(layout.size, region.offset + region.bytes());
    if (problem == 0 && ftruncate(file, static_cast<off_t>(layout.size)) != 0) problem = errno;
    const std::string text = front_of(layout, size);
    if (problem == 0 && pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) problem = errno;
    if (::close(file) != 0 && problem == 0) problem = errno;
    if (problem != 0) refuse(path_, problem);
  }

  const std::string& path_;
  const SweepDescription& description_;
};

}  // namespace

SweepLayout create_sweep(const std::string& path, const SweepDescription& description) {
  const std::lock_guard lock(hdf5_mutex());
  return SweepWriter(path, description).write();
}

}  // namespace cetaev::output
