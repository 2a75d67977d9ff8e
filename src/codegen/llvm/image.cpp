#include "image.hpp"

#include <sys/mman.h>

#include <cstring>
#include <stdexcept>

namespace cetaev::native {

LoadedImage::LoadedImage(const Image& image) : size_(image.bytes.size()) {
  if (size_ == 0 || image.entry >= size_) throw std::runtime_error("no machine code");
  void* const pages = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::runtime_error("no memory for machine code");
  std::memcpy(pages, image.bytes.data(), size_);
  if (mprotect(pages, size_, PROT_READ | PROT_EXEC) != 0) {
    munmap(pages, size_);
    throw std::runtime_error("the system does not allow new machine code");
  }
  auto* const bytes = static_cast<char*>(pages);
  __builtin___clear_cache(bytes, bytes + size_);
  pages_ = pages;
  entry_ = bytes + image.entry;
}

LoadedImage::~LoadedImage() {
  if (pages_ != nullptr) munmap(pages_, size_);
}

}  // namespace cetaev::native
