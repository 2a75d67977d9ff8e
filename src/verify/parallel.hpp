// The same work for many things, on all processors.
#pragma once

#include <cstddef>
#include <functional>

namespace cetaev::verify {

struct ParallelOptions {
  std::size_t threads = 0;            // 0: as many as there are processors
  std::function<bool()> interrupted;  // asked before each piece: true ends the work
};

// work(i) for i from 0 to count − 1, each once, begun in this order; then done(i), never two at once. What they throw ends the work
// and is thrown here.
void in_parallel(std::size_t count, const ParallelOptions& options, const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& done);

}  // namespace cetaev::verify
