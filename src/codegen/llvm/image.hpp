// Machine code in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cetaev::native {

// Code and its constants in one piece that runs wherever it is put at the beginning of a page: it refers to itself by
// distances only, and to the outside by the table it is handed.
struct Image {
  std::uint64_t entry = 0;  // where the function to call begins
  std::vector<std::byte> bytes;
};

// An image made executable. Pages are writable until the code is in them and never after.
class LoadedImage {
 public:
  explicit LoadedImage(const Image& image);  // throws std::runtime_error where the system forbids it
  ~LoadedImage();
  LoadedImage(const LoadedImage&) = delete;
  LoadedImage& operator=(const LoadedImage&) = delete;

  const void* entry() const { return entry_; }

 private:
  void* pages_ = nullptr;
  std::size_t size_ = 0;
  const void* entry_ = nullptr;
};

}  // namespace cetaev::native
