// The processor that machine code is made for.
#pragma once

#include <string>

namespace cetaev::native {

struct Host {
  std::string triple;
  std::string cpu;
  std::string features;
  std::string compiler;  // and its version
  unsigned doubles_per_vector = 2;
  bool fused = true;  // x y + z is one instruction
};

// Asked of the processor once.
const Host& host();

}  // namespace cetaev::native
