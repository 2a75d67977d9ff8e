// The driver of CUDA and its compiler, loaded when they are asked for: nothing of CUDA is needed to build the program or to start it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cetaev::gpu {

// One GPU. Throws no-device, with the reason, where there is none, or no driver or compiler for it. For one thread at a time.
class Cuda {
 public:
  Cuda();
  ~Cuda();
  Cuda(const Cuda&) = delete;
  Cuda& operator=(const Cuda&) = delete;

  const std::string& device() const;  // its name
  std::size_t free_memory() const;

  // A function of a source in CUDA C++, from the cache on disk where it was compiled before. Throws no-device with what the compiler says.
  class Function;
  Function compile(const std::string& source, const std::string& function, bool cache);

  // Memory of the device.
  class Memory;
  Memory allocate(std::size_t bytes);

 private:
  struct Library;
  std::shared_ptr<Library> library_;
};

class Cuda::Memory {
 public:
  Memory() = default;
  Memory(std::shared_ptr<Library> library, std::size_t bytes);
  ~Memory();
  Memory(Memory&& other) noexcept { swap(other); }
  Memory& operator=(Memory&& other) noexcept {
    swap(other);
    return *this;
  }

  std::uint64_t address() const { return address_; }
  // After what was begun before on the device.
  void write(std::size_t offset, const void* from, std::size_t bytes);
  void read(std::size_t offset, void* to, std::size_t bytes) const;

 private:
  void swap(Memory& other) noexcept {
    std::swap(library_, other.library_);
    std::swap(address_, other.address_);
  }
  std::shared_ptr<Library> library_;
  std::uint64_t address_ = 0;
};

class Cuda::Function {
 public:
  Function() = default;
  Function(std::shared_ptr<Library> library, void* module, const std::string& name, bool from_cache);
  ~Function();
  Function(Function&& other) noexcept { swap(other); }
  Function& operator=(Function&& other) noexcept {
    swap(other);
    return *this;
  }

  bool from_cache() const { return from_cache_; }
  // A variable of the source.
  void set(const std::string& variable, std::span<const std::byte> values);
  // So many threads; arguments as cuLaunchKernel takes them. Begins and does not wait.
  void launch(std::size_t threads, std::span<void*> arguments);
  // Waits for the last launch: the seconds it took on the device.
  double wait();

 private:
  void swap(Function& other) noexcept;
  std::shared_ptr<Library> library_;
  void *module_ = nullptr, *function_ = nullptr, *begun_ = nullptr, *ended_ = nullptr;
  bool from_cache_ = false;
};

}  // namespace cetaev::gpu
