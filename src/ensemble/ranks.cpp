#include "ranks.hpp"

#include <fmt/format.h>

#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <string>

#include "cetaev/error.hpp"

namespace cetaev::ensemble {

namespace {

// Where mpirun, or what a batch system has in its place, says that there are others.
bool started_by_open_mpi() {
  const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size != nullptr) return std::strtol(size, nullptr, 10) > 1;
  return std::getenv("PMIX_RANK") != nullptr;
}
bool started_by_another_mpi() {
  const char* const size = std::getenv("PMI_SIZE");
  return size != nullptr && std::strtol(size, nullptr, 10) > 1;
}

[[noreturn]] void refuse_mpi(const std::string& why) {
  throw Error(ErrorCode::no_device, why + "; --shard K/N and --merge do the same without MPI");
}

}  // namespace

// As Open MPI 4 and 5 have it (libmpi.so.40): handles are addresses of objects in the library.
struct Ranks::Library {
  int (*init)(int*, char***, int, int*) = nullptr;
  int (*finalize)() = nullptr;
  int (*abort)(void*, int) = nullptr;
  int (*rank)(void*, int*) = nullptr;
  int (*size)(void*, int*) = nullptr;
  int (*barrier)(void*) = nullptr;
  int (*all_reduce)(const void*, void*, int, void*, void*, void*) = nullptr;
  void *world = nullptr, *unsigned_64 = nullptr, *sum = nullptr, *in_place = reinterpret_cast<void*>(1);

  Library() {
    // global: the library loads parts of its own that look for it there
    void* const library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr)
      refuse_mpi(fmt::format("mpirun has started this program, but Open MPI is not there ({})", dlerror()));
    const auto find = [&](const char* name) {
      void* const found = dlsym(library, name);
      if (found == nullptr) refuse_mpi(fmt::format("the Open MPI of this machine has no {}", name));
      return found;
    };
    init = reinterpret_cast<decltype(init)>(find("MPI_Init_thread"));
    finalize = reinterpret_cast<decltype(finalize)>(find("MPI_Finalize"));
    abort = reinterpret_cast<decltype(abort)>(find("MPI_Abort"));
    rank = reinterpret_cast<decltype(rank)>(find("MPI_Comm_rank"));
    size = reinterpret_cast<decltype(size)>(find("MPI_Comm_size"));
    barrier = reinterpret_cast<decltype(barrier)>(find("MPI_Barrier"));
    all_reduce = reinterpret_cast<decltype(all_reduce)>(find("MPI_Allreduce"));
    world = find("ompi_mpi_comm_world");
    unsigned_64 = find("ompi_mpi_uint64_t");
    sum = find("ompi_mpi_op_sum");
  }
};

Ranks::Ranks() : exceptions_(std::uncaught_exceptions()) {
  if (!started_by_open_mpi()) {
    if (started_by_another_mpi())
      refuse_mpi("this program knows the mpirun of Open MPI, and was started by another one");
    return;
  }
  auto library = std::make_unique<Library>();
  constexpr int funneled = 1;  // MPI_THREAD_FUNNELED: only the first thread calls it
  int provided = 0, rank = 0, size = 1;
  if (library->init(nullptr, nullptr, funneled, &provided) != 0) refuse_mpi("Open MPI does not start");
  library->rank(library->world, &rank);
  library->size(library->world, &size);
  rank_ = static_cast<unsigned>(rank);
  size_ = static_cast<unsigned>(size);
  library_ = std::move(library);
}

Ranks::~Ranks() {
  if (!library_) return;
  // the message has to be out before
  if (std::uncaught_exceptions() == exceptions_) library_->finalize();
}

void Ranks::wait() const {
  if (library_) library_->barrier(library_->world);
}

void Ranks::add(std::span<std::uint64_t> values) const {
  if (!library_) return;
  library_->all_reduce(library_->in_place, values.data(), static_cast<int>(values.size()), library_->unsigned_64,
                       library_->sum, library_->world);
}

}  // namespace cetaev::ensemble
