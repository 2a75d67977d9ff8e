// What those who write HDF5 files have in common: attributes, and what is said when the library reports a failure.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "hdf5_library.hpp"
#include "target.hpp"

namespace cetaev::output {

class Hdf5Writer {
 protected:
  Hdf5Writer(const Hdf5Library& library, std::string path) : h_(library), path_(std::move(path)) {}
  ~Hdf5Writer() = default;

  void checked(bool fine) const {
    if (!fine) refuse(path_, "the HDF5 library reports a failure (is the disk full?)");
  }
  hid_t checked(hid_t id) const {
    checked(id >= 0);
    return id;
  }

  // An empty list has nothing to write.
  void attribute(hid_t where, const char* name, hid_t type, hid_t space, const void* value) const {
    if (h_.H5Aexists(where, name) > 0) checked(h_.H5Adelete(where, name) >= 0);
    const Handle made(checked(h_.H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT)), h_.H5Aclose);
    if (value != nullptr) checked(h_.H5Awrite(made, type, value) >= 0);
  }
  Handle scalar() const { return {checked(h_.H5Screate(H5S_SCALAR)), h_.H5Sclose}; }
  Handle list(std::size_t size) const {
    const hsize_t extent = size;
    return {checked(h_.H5Screate_simple(1, &extent, nullptr)), h_.H5Sclose};
  }
  // UTF-8 of any length, which h5py gives as str.
  Handle string_type() const {
    Handle type(checked(h_.H5Tcopy(h_.c_string)), h_.H5Tclose);
    checked(h_.H5Tset_size(type, H5T_VARIABLE) >= 0 && h_.H5Tset_cset(type, H5T_CSET_UTF8) >= 0);
    return type;
  }
  void text(hid_t where, const char* name, const std::string& value) const {
    const char* pointer = value.c_str();
    attribute(where, name, string_type(), scalar(), &pointer);
  }
  void texts(hid_t where, const char* name, const std::vector<std::string>& values) const {
    std::vector<const char*> pointers;
    for (const std::string& value : values) pointers.push_back(value.c_str());
    attribute(where, name, string_type(), list(values.size()), values.empty() ? nullptr : pointers.data());
  }
  void real(hid_t where, const char* name, double value) const {
    if (std::isfinite(value)) attribute(where, name, h_.native_double, scalar(), &value);
  }
  void reals(hid_t where, const char* name, const std::vector<double>& values) const {
    attribute(where, name, h_.native_double, list(values.size()), values.empty() ? nullptr : values.data());
  }
  void whole(hid_t where, const char* name, std::size_t value) const {
    const auto number = static_cast<std::int64_t>(value);
    attribute(where, name, h_.native_int64, scalar(), &number);
  }

  const Hdf5Library& h_;

 private:
  std::string path_;
};

}  // namespace cetaev::output
