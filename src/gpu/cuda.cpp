#include "cuda.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <utility>

#include "../codegen/llvm/cache.hpp"
#include "cetaev/error.hpp"

namespace cetaev::gpu {

namespace {

constexpr unsigned threads_per_block = 128;

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorCode::no_device, why + "; --device cpu computes the same motions");
}

void* open_first(std::span<const char* const> names) {
  for (const char* const name : names)
    if (void* const found = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return found;
  return nullptr;
}

template <class F>
void find(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  if (function == nullptr) refuse(fmt::format("the CUDA that is installed is too old: it has no function {}", name));
}

}  // namespace

// As in cuda.h and nvrtc.h of CUDA 11.2 and later, whose results and handles are these types.
struct Cuda::Library {
  using Result = int;
  Result (*init)(unsigned) = nullptr;
  Result (*device_count)(int*) = nullptr;
  Result (*device_get)(int*, int) = nullptr;
  Result (*device_name)(char*, int, int) = nullptr;
  Result (*device_attribute)(int*, int, int) = nullptr;
  Result (*context_retain)(void**, int) = nullptr;
  Result (*context_release)(int) = nullptr;
  Result (*context_set)(void*) = nullptr;
  Result (*memory_info)(std::size_t*, std::size_t*) = nullptr;
  Result (*allocate)(std::uint64_t*, std::size_t) = nullptr;
  Result (*free)(std::uint64_t) = nullptr;
  Result (*write)(std::uint64_t, const void*, std::size_t) = nullptr;
  Result (*read)(void*, std::uint64_t, std::size_t) = nullptr;
  Result (*load)(void**, const void*) = nullptr;
  Result (*unload)(void*) = nullptr;
  Result (*get_function)(void**, void*, const char*) = nullptr;
  Result (*get_global)(std::uint64_t*, std::size_t*, void*, const char*) = nullptr;
  Result (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**) = nullptr;
  Result (*event_create)(void**, unsigned) = nullptr;
  Result (*event_record)(void*, void*) = nullptr;
  Result (*event_wait)(void*) = nullptr;
  Result (*event_time)(float*, void*, void*) = nullptr;
  Result (*event_destroy)(void*) = nullptr;
  Result (*error_string)(Result, const char**) = nullptr;

  Result (*compiler_version)(int*, int*) = nullptr;
  Result (*create)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  Result (*compile)(void*, int, const char* const*) = nullptr;
  Result (*code_size)(void*, std::size_t*) = nullptr;
  Result (*code)(void*, char*) = nullptr;
  Result (*log_size)(void*, std::size_t*) = nullptr;
  Result (*log)(void*, char*) = nullptr;
  Result (*destroy)(void**) = nullptr;

  void* driver = nullptr;
  void* compiler = nullptr;
  int device = 0;
  void* context = nullptr;
  std::string name, architecture;

  Library() {
    load_driver();
    ask(init(0), "CUDA does not start");
    int count = 0;
    ask(device_count(&count), "CUDA does not say what GPUs there are");
    if (count == 0) refuse("no GPU that could compute motions is on this machine");
    ask(device_get(&device, 0), "the GPU cannot be used");
    std::array<char, 256> text{};
    ask(device_name(text.data(), static_cast<int>(text.size()), device), "the GPU does not say its name");
    name = text.data();
    constexpr int major_version = 75, minor_version = 76;
    int major = 0, minor = 0;
    ask(device_attribute(&major, major_version, device), "the GPU does not say what it is");
    ask(device_attribute(&minor, minor_version, device), "the GPU does not say what it is");
    architecture = fmt::format("sm_{}{}", major, minor);
    load_compiler();
    ask(context_retain(&context, device), "the GPU cannot be used");
    ask(context_set(context), "the GPU cannot be used");
  }
  ~Library() {
    if (context != nullptr) context_release(device);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void ask(Result result, const char* what) const {
    if (result == 0) return;
    const char* text = nullptr;
    error_string(result, &text);
    refuse(fmt::format("{}: {}", what, text != nullptr ? text : std::to_string(result)));
  }

  void load_driver() {
    constexpr std::array<const char*, 2> names = {"libcuda.so.1", "libcuda.so"};
    driver = open_first(names);
    if (driver == nullptr)
      refuse("no GPU that could compute motions is on this machine: there is no driver of CUDA (libcuda.so.1)");
    find(driver, "cuInit", init);
    find(driver, "cuDeviceGetCount", device_count);
    find(driver, "cuDeviceGet", device_get);
    find(driver, "cuDeviceGetName", device_name);
    find(driver, "cuDeviceGetAttribute", device_attribute);
    find(driver, "cuDevicePrimaryCtxRetain", context_retain);
    find(driver, "cuDevicePrimaryCtxRelease_v2", context_release);
    find(driver, "cuCtxSetCurrent", context_set);
    find(driver, "cuMemGetInfo_v2", memory_info);
    find(driver, "cuMemAlloc_v2", allocate);
    find(driver, "cuMemFree_v2", free);
    find(driver, "cuMemcpyHtoD_v2", write);
    find(driver, "cuMemcpyDtoH_v2", read);
    find(driver, "cuModuleLoadData", load);
    find(driver, "cuModuleUnload", unload);
    find(driver, "cuModuleGetFunction", get_function);
    find(driver, "cuModuleGetGlobal_v2", get_global);
    find(driver, "cuLaunchKernel", launch);
    find(driver, "cuEventCreate", event_create);
    find(driver, "cuEventRecord", event_record);
    find(driver, "cuEventSynchronize", event_wait);
    find(driver, "cuEventElapsedTime", event_time);
    find(driver, "cuEventDestroy_v2", event_destroy);
    find(driver, "cuGetErrorString", error_string);
  }

  void load_compiler() {
    constexpr std::array<const char*, 5> names = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                                  "/usr/local/cuda/lib64/libnvrtc.so"};
    compiler = open_first(names);
    if (compiler == nullptr)
      refuse(
          fmt::format("there is a GPU ({}) but no compiler for it: NVRTC of the CUDA toolkit (libnvrtc.so) is looked "
                      "for where the system loads libraries from",
                      name));
    find(compiler, "nvrtcVersion", compiler_version);
    find(compiler, "nvrtcCreateProgram", create);
    find(compiler, "nvrtcCompileProgram", compile);
    find(compiler, "nvrtcGetCUBINSize", code_size);
    find(compiler, "nvrtcGetCUBIN", code);
    find(compiler, "nvrtcGetProgramLogSize", log_size);
    find(compiler, "nvrtcGetProgramLog", log);
    find(compiler, "nvrtcDestroyProgram", destroy);
  }

  std::vector<std::byte> compiled(const std::string& source) const {
    void* program = nullptr;
    if (create(&program, source.c_str(), "motions.cu", 0, nullptr, nullptr) != 0) refuse("NVRTC does not start");
    const std::string target = "--gpu-architecture=" + architecture;
    const std::array<const char*, 2> options = {target.c_str(), "--std=c++17"};
    const Result result = compile(program, static_cast<int>(options.size()), options.data());
    std::size_t size = 0;
    if (result != 0) {
      std::string text;
      if (log_size(program, &size) == 0 && size > 0) {
        text.resize(size);
        log(program, text.data());
      }
      destroy(&program);
      refuse(fmt::format("the equations could not be compiled for {}: {}", name, text.substr(0, 2000)));
    }
    std::vector<std::byte> bytes;
    if (code_size(program, &size) == 0) {
      bytes.resize(size);
      code(program, reinterpret_cast<char*>(bytes.data()));
    }
    destroy(&program);
    return bytes;
  }
};

Cuda::Cuda() : library_(std::make_shared<Library>()) {}
Cuda::~Cuda() = default;
const std::string& Cuda::device() const { return library_->name; }

std::size_t Cuda::free_memory() const {
  std::size_t free = 0, all = 0;
  library_->ask(library_->memory_info(&free, &all), "the GPU does not say how much memory it has");
  return free;
}

Cuda::Memory Cuda::allocate(std::size_t bytes) { return {library_, bytes}; }

Cuda::Function Cuda::compile(const std::string& source, const std::string& function, bool cache) {
  native::Hasher hash;
  int major = 0, minor = 0;
  library_->compiler_version(&major, &minor);
  hash.text(fmt::format("{} {}.{}", library_->architecture, major, minor));
  hash.text(source);
  const native::Digest key = hash.digest();
  native::Image image;
  bool from_cache = false;
  if (cache) {
    if (native::CachedImage cached = native::read_cache(key); cached.image) {
      image = std::move(*cached.image);
      from_cache = true;
    }
  }
  if (!from_cache) {
    image.bytes = library_->compiled(source);
    if (cache) native::write_cache(key, image);
  }
  void* module = nullptr;
  library_->ask(library_->load(&module, image.bytes.data()), "the GPU does not take its code");
  return {library_, module, function, from_cache};
}

Cuda::Memory::Memory(std::shared_ptr<Library> library, std::size_t bytes) : library_(std::move(library)) {
  library_->ask(library_->allocate(&address_, bytes), "the GPU has too little memory");
}
Cuda::Memory::~Memory() {
  if (address_ != 0) library_->free(address_);
}
void Cuda::Memory::write(std::size_t offset, const void* from, std::size_t bytes) {
  library_->ask(library_->write(address_ + offset, from, bytes), "nothing could be written to the GPU");
}
void Cuda::Memory::read(std::size_t offset, void* to, std::size_t bytes) const {
  library_->ask(library_->read(to, address_ + offset, bytes), "nothing could be read from the GPU");
}

Cuda::Function::Function(std::shared_ptr<Library> library, void* module, const std::string& name, bool from_cache)
    : library_(std::move(library)), module_(module), from_cache_(from_cache) {
  library_->ask(library_->get_function(&function_, module_, name.c_str()), "the code for the GPU is not whole");
  library_->ask(library_->event_create(&begun_, 0), "the GPU cannot be used");
  library_->ask(library_->event_create(&ended_, 0), "the GPU cannot be used");
}
Cuda::Function::~Function() {
  if (begun_ != nullptr) library_->event_destroy(begun_);
  if (ended_ != nullptr) library_->event_destroy(ended_);
  if (module_ != nullptr) library_->unload(module_);
}
void Cuda::Function::swap(Function& other) noexcept {
  std::swap(library_, other.library_);
  std::swap(module_, other.module_);
  std::swap(function_, other.function_);
  std::swap(begun_, other.begun_);
  std::swap(ended_, other.ended_);
  std::swap(from_cache_, other.from_cache_);
}

void Cuda::Function::set(const std::string& variable, std::span<const std::byte> values) {
  if (values.empty()) return;
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  library_->ask(library_->get_global(&address, &bytes, module_, variable.c_str()), "the code for the GPU is not whole");
  if (bytes < values.size_bytes()) refuse("the code for the GPU is not whole");
  library_->ask(library_->write(address, values.data(), values.size_bytes()), "nothing could be written to the GPU");
}

void Cuda::Function::launch(std::size_t threads, std::span<void*> arguments) {
  const auto blocks = static_cast<unsigned>((threads + threads_per_block - 1) / threads_per_block);
  library_->ask(library_->event_record(begun_, nullptr), "the GPU cannot be used");
  library_->ask(
      library_->launch(function_, blocks, 1, 1, threads_per_block, 1, 1, 0, nullptr, arguments.data(), nullptr),
      "the GPU does not begin");
  library_->ask(library_->event_record(ended_, nullptr), "the GPU cannot be used");
}

double Cuda::Function::wait() {
  library_->ask(library_->event_wait(ended_), "the GPU has failed");
  float milliseconds = 0;
  library_->ask(library_->event_time(&milliseconds, begun_, ended_), "the GPU has failed");
  return static_cast<double>(milliseconds) / 1000;
}

}  // namespace cetaev::gpu
