#include "cetaev/algebra/thread.hpp"

#include <flint/flint.h>
#include <unistd.h>

namespace cetaev {

void release_thread_memory() { flint_cleanup(); }

void release_thread_memory_at_exit() {
  struct AtExit {
    bool first = gettid() == getpid();
    ~AtExit() {
      if (!first) flint_cleanup();
    }
  };
  thread_local const AtExit at_exit;
  static_cast<void>(at_exit);
}

}  // namespace cetaev
