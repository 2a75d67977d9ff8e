// A stand-in for the driver of CUDA and its compiler, where there is no GPU: kernels are compiled by the compiler of this machine and run by its
// processor, one thread after the other. What is generated, sent, followed and read back is the same as on a GPU.
//
// Linked under the names libcuda.so.1 and libnvrtc.so, from a folder that LD_LIBRARY_PATH names.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>

namespace {

// What a GPU's compiler knows by itself.
constexpr const char* prelude = R"(
#include <math.h>
#define __device__
#define __global__
#define __constant__
#define __noinline__
#define __forceinline__ inline
#define __launch_bounds__(n)
struct Index { unsigned x; };
extern "C" { Index blockIdx, threadIdx, blockDim; }
)";

struct Program {
  std::string source, code, log;
};

struct Module {
  void* library;
};

struct Index {
  unsigned x;
};

using Event = std::chrono::steady_clock::time_point;
using Follow = void (*)(long long, const int*, double*, int*, long long, double, double, long long, long long);

std::string folder() {
  std::string name = "/tmp/cetaev-stand-in-XXXXXX";
  return mkdtemp(name.data());
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// 0, or what says that something was asked too much.
constexpr int fine = 0, too_much = 2;

Index* variable(const Module* module, const char* name) { return static_cast<Index*>(dlsym(module->library, name)); }

}  // namespace

extern "C" {

int cuInit(unsigned) { return fine; }
int cuDeviceGetCount(int* count) {
  *count = getenv("CETAEV_STAND_IN_HAS_NONE") != nullptr ? 0 : 1;
  return fine;
}
int cuDeviceGet(int* device, int) {
  *device = 0;
  return fine;
}
int cuDeviceGetName(char* name, int size, int) {
  strncpy(name, "stand-in", static_cast<size_t>(size));
  return fine;
}
int cuDeviceGetAttribute(int* value, int, int) {
  *value = 0;
  return fine;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = context;
  return fine;
}
int cuDevicePrimaryCtxRelease_v2(int) { return fine; }
int cuCtxSetCurrent(void*) { return fine; }
// Little, so that many motions need several rounds.
int cuMemGetInfo_v2(size_t* free_bytes, size_t* all) {
  const char* const given = getenv("CETAEV_STAND_IN_MEMORY");
  *free_bytes = *all = given != nullptr ? strtoul(given, nullptr, 10) : size_t{1} << 26;
  return fine;
}
int cuMemAlloc_v2(unsigned long long* address, size_t bytes) {
  void* const memory = malloc(bytes);
  *address = reinterpret_cast<unsigned long long>(memory);
  return memory != nullptr ? fine : too_much;
}
int cuMemFree_v2(unsigned long long address) {
  free(reinterpret_cast<void*>(address));
  return fine;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void* from, size_t bytes) {
  memcpy(reinterpret_cast<void*>(to), from, bytes);
  return fine;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, size_t bytes) {
  memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return fine;
}

int cuModuleLoadData(void** module, const void* image) {
  // the size of the code stands in front of it
  size_t size = 0;
  memcpy(&size, image, sizeof size);
  const std::string path = folder() + "/kernel.so";
  std::ofstream(path, std::ios::binary).write(static_cast<const char*>(image) + sizeof size, static_cast<long>(size));
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  unlink(path.c_str());
  rmdir(path.substr(0, path.rfind('/')).c_str());
  *module = library != nullptr ? new Module{library} : nullptr;
  return library != nullptr ? fine : too_much;
}
int cuModuleUnload(void* module) {
  dlclose(static_cast<Module*>(module)->library);
  delete static_cast<Module*>(module);
  return fine;
}
// The function with its module, which has the variables of the threads.
struct Launched {
  Module* module;
  Follow follow;
};
int cuModuleGetFunction(void** function, void* module, const char* name) {
  void* const found = dlsym(static_cast<Module*>(module)->library, name);
  *function = found != nullptr ? new Launched{static_cast<Module*>(module), reinterpret_cast<Follow>(found)} : nullptr;
  return found != nullptr ? fine : too_much;
}
int cuModuleGetGlobal_v2(unsigned long long* address, size_t* bytes, void* module, const char* name) {
  void* const found = dlsym(static_cast<Module*>(module)->library, name);
  *address = reinterpret_cast<unsigned long long>(found);
  *bytes = size_t{1} << 16;
  return found != nullptr ? fine : too_much;
}
int cuLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned,
                   void*, void** a, void**) {
  const auto* const launched = static_cast<const Launched*>(function);
  Index* const block = variable(launched->module, "blockIdx");
  Index* const thread = variable(launched->module, "threadIdx");
  variable(launched->module, "blockDim")->x = threads;
  for (block->x = 0; block->x < blocks; ++block->x)
    for (thread->x = 0; thread->x < threads; ++thread->x)
      launched->follow(*static_cast<long long*>(a[0]), *static_cast<int**>(a[1]), *static_cast<double**>(a[2]),
                       *static_cast<int**>(a[3]), *static_cast<long long*>(a[4]), *static_cast<double*>(a[5]),
                       *static_cast<double*>(a[6]), *static_cast<long long*>(a[7]), *static_cast<long long*>(a[8]));
  return fine;
}

int cuEventCreate(void** event, unsigned) {
  *event = new Event();
  return fine;
}
int cuEventRecord(void* event, void*) {
  *static_cast<Event*>(event) = std::chrono::steady_clock::now();
  return fine;
}
int cuEventSynchronize(void*) { return fine; }
int cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  *milliseconds =
      std::chrono::duration<float, std::milli>(*static_cast<Event*>(to) - *static_cast<Event*>(from)).count();
  return fine;
}
int cuEventDestroy_v2(void* event) {
  delete static_cast<Event*>(event);
  return fine;
}
int cuGetErrorString(int, const char** text) {
  *text = "out of memory";
  return fine;
}

int nvrtcVersion(int* major, int* minor) {
  *major = *minor = 0;
  return fine;
}
int nvrtcCreateProgram(void** program, const char* source, const char*, int, const char* const*, const char* const*) {
  *program = new Program{source, {}, {}};
  return fine;
}
int nvrtcCompileProgram(void* program, int, const char* const*) {
  auto* const p = static_cast<Program*>(program);
  const std::string at = folder();
  std::ofstream(at + "/kernel.cpp") << prelude << p->source;
  const std::string command =
      "cd " + at +
      " && " CETAEV_CXX
      " -std=c++17 -O1 -ffp-contract=off -Wno-unknown-pragmas -fPIC -shared kernel.cpp -o kernel.so > log 2>&1";
  const bool compiled = system(command.c_str()) == 0;
  if (compiled) p->code = content(at + "/kernel.so");
  p->log = content(at + "/log");
  for (const char* const name : {"/kernel.cpp", "/kernel.so", "/log"}) unlink((at + name).c_str());
  rmdir(at.c_str());
  return compiled ? fine : too_much;
}
int nvrtcGetCUBINSize(void* program, size_t* size) {
  *size = static_cast<Program*>(program)->code.size() + sizeof(size_t);
  return fine;
}
int nvrtcGetCUBIN(void* program, char* code) {
  const std::string& from = static_cast<Program*>(program)->code;
  const size_t size = from.size();
  memcpy(code, &size, sizeof size);
  memcpy(code + sizeof size, from.data(), size);
  return fine;
}
int nvrtcGetProgramLogSize(void* program, size_t* size) {
  *size = static_cast<Program*>(program)->log.size() + 1;
  return fine;
}
int nvrtcGetProgramLog(void* program, char* log) {
  strcpy(log, static_cast<Program*>(program)->log.c_str());
  return fine;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return fine;
}

}  // extern "C"
