// The same work for many things, on all processors.
#pragma once

#include <cstddef>
#include <functional>

namespace cetaev::verify {

struct ParallelOptions {
  std::size_t threads = 0;            // 0: as many as there are processors
  std::function<bool()> interrupted;  // asked before each piece: true ends the work
};

// work(i) for i from 0 to count − 1, each once, begun in this order; then done(i), never two at once. Where one of them throws,
// nothing more is begun, and the first exception comes out when all threads have ended.
void in_parallel(std::size_t count, const ParallelOptions& options, const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& done);

}  // namespace cetaev::verify
