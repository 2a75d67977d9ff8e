// The functions of the HDF5 library that we call, found when they are first needed.
#pragma once

#include <hdf5.h>

// Everything by its full name: the macros without a number stand for other versions elsewhere.
#define CETAEV_HDF5_FUNCTIONS(X) \
  X(H5open)                      \
  X(H5dont_atexit)               \
  X(H5Eset_auto2)                \
  X(H5Fcreate)                   \
  X(H5Fflush)                    \
  X(H5Fclose)                    \
  X(H5Gcreate2)                  \
  X(H5Gclose)                    \
  X(H5Screate)                   \
  X(H5Screate_simple)            \
  X(H5Sselect_hyperslab)         \
  X(H5Sclose)                    \
  X(H5Pcreate)                   \
  X(H5Pset_chunk)                \
  X(H5Pclose)                    \
  X(H5Dcreate2)                  \
  X(H5Dset_extent)               \
  X(H5Dget_space)                \
  X(H5Dwrite)                    \
  X(H5Dclose)                    \
  X(H5Tcopy)                     \
  X(H5Tset_size)                 \
  X(H5Tset_cset)                 \
  X(H5Tclose)                    \
  X(H5Acreate2)                  \
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
  hid_t native_double = -1, native_int64 = -1, c_string = -1, dataset_creation = -1;
};

// Throws cannot-write when there is no such library on this machine.
const Hdf5Library& hdf5_library();

}  // namespace cetaev::output
