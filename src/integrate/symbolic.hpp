// Symbolic work writes into the expressions of a system, which threads share: one at a time.
#pragma once

#include <mutex>

namespace cetaev {

inline std::mutex& symbolic_work() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace cetaev
