// Work that threads share.
#pragma once

#include <functional>

namespace cetaev {

// Processors that this process may run on: those that a batch system or mpirun has given to it.
unsigned processors();

// The same work by so many threads, this one among them; what one of them throws comes out here, once all have ended.
void in_threads(unsigned threads, const std::function<void(unsigned thread)>& work);

}  // namespace cetaev
