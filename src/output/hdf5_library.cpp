#include "hdf5_library.hpp"

#include <fmt/format.h>

#include <dlfcn.h>

#include "cetaev/error.hpp"

namespace cetaev::output {

namespace {

void* symbol(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) {
    throw Error(ErrorCode::cannot_write,
                fmt::format("cannot write HDF5: the library " CETAEV_HDF5_SONAME " of this machine has no {}", name));
  }
  return found;
}

Hdf5Library load() {
  void* library = dlopen(CETAEV_HDF5_SONAME, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Error(ErrorCode::cannot_write,
                fmt::format("cannot write HDF5: the library is not on this machine ({}); CSV needs none", dlerror()));
  }
  Hdf5Library h;
#define CETAEV_FIND(name) h.name = reinterpret_cast<decltype(h.name)>(symbol(library, #name));
  CETAEV_HDF5_FUNCTIONS(CETAEV_FIND)
#undef CETAEV_FIND
  // Files are closed by those who opened them. At exit the library would try again to write what a full disk refused.
  h.H5dont_atexit();
  if (h.H5open() < 0) throw Error(ErrorCode::cannot_write, "cannot write HDF5: the library does not start");
  const auto id = [&](const char* name) { return *static_cast<const hid_t*>(symbol(library, name)); };
  h.native_double = id("H5T_NATIVE_DOUBLE_g");
  h.native_int64 = id("H5T_NATIVE_INT64_g");
  h.native_uint8 = id("H5T_NATIVE_UINT8_g");
  h.c_string = id("H5T_C_S1_g");
  h.dataset_creation = id("H5P_CLS_DATASET_CREATE_ID_g");
  h.file_creation = id("H5P_CLS_FILE_CREATE_ID_g");
  return h;
}

}  // namespace

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

const Hdf5Library& hdf5_library() {
  static const Hdf5Library library = load();
  library.H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // of this thread: we say ourselves what is wrong
  return library;
}

}  // namespace cetaev::output
