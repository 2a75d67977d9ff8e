// The functions of the HDF5 library that we call, found when they are first needed.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <utility>

// Everything by its full name: the macros without a number stand for other versions elsewhere.
#define CETAEV_HDF5_FUNCTIONS(X) \
  X(H5open)                      \
  X(H5dont_atexit)               \
  X(H5Eset_auto2)                \
  X(H5Fcreate)                   \
  X(H5Fopen)                     \
  X(H5Fflush)                    \
  X(H5Fclose)                    \
  X(H5Gcreate2)                  \
  X(H5Gclose)                    \
  X(H5Screate)                   \
  X(H5Screate_simple)            \
  X(H5Sselect_hyperslab)         \
  X(H5Sclose)                    \
  X(H5Sget_simple_extent_ndims)  \
  X(H5Sget_simple_extent_dims)   \
  X(H5Pcreate)                   \
  X(H5Pset_chunk)                \
  X(H5Pset_alloc_time)           \
  X(H5Pset_fill_time)            \
  X(H5Pset_obj_track_times)      \
  X(H5Pset_userblock)            \
  X(H5Pclose)                    \
  X(H5Dcreate2)                  \
  X(H5Dset_extent)               \
  X(H5Dget_space)                \
  X(H5Dwrite)                    \
  X(H5Dopen2)                    \
  X(H5Dread)                     \
  X(H5Dget_offset)               \
  X(H5Dclose)                    \
  X(H5Tcopy)                     \
  X(H5Tset_size)                 \
  X(H5Tset_cset)                 \
  X(H5Tclose)                    \
  X(H5Acreate2)                  \
  X(H5Aopen_by_name)             \
  X(H5Aget_space)                \
  X(H5Aread)                     \
  X(H5free_memory)               \
  X(H5Lexists)                   \
  X(H5Awrite)                    \
  X(H5Aclose)                    \
  X(H5Aexists)                   \
  X(H5Adelete)

namespace cetaev::output {

struct Hdf5Library {
#define CETAEV_DECLARE(name) decltype(&::name) name = nullptr;
  CETAEV_HDF5_FUNCTIONS(CETAEV_DECLARE)
#undef CETAEV_DECLARE
  // Types and classes of properties that the macros H5T_NATIVE_DOUBLE, … stand for.
  hid_t native_double = -1, native_int64 = -1, native_uint8 = -1, c_string = -1, dataset_creation = -1,
        file_creation = -1;
};

// What the library lends, given back.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  ~Handle() { close(); }
  bool close() { return id_ < 0 || closer_(std::exchange(id_, -1)) >= 0; }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = -1;
  Closer closer_ = nullptr;
};

// Whoever calls the library, or asks for it, holds this: it is not made for several threads everywhere, and a process that is copied
// while another thread is in it can never use it.
std::mutex& hdf5_mutex();

// Throws cannot-write when there is no such library on this machine.
const Hdf5Library& hdf5_library();

}  // namespace cetaev::output
