#include "cetaev/algebra/thread.hpp"

#include <flint/flint.h>

namespace cetaev {

void release_thread_memory() { flint_cleanup(); }

}  // namespace cetaev
