// Work on what may be damaged, in a process of its own: whatever becomes of that process, this one goes on.
//
// The process is a copy of this one (fork), in which the thread that asks goes on alone. What other threads were in the middle of
// stays like that there. The C library puts its memory and its loader in order; of everything else that is shared by threads the
// work may use only what its caller holds while it asks. Work that waits for somebody who is not there is ended as silent.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>

namespace cetaev::output {

// What the work hands over.
class ApartPipe {
 public:
  explicit ApartPipe(int file) : file_(file) {}
  // Ends the process where nobody reads any more.
  void write(const void* from, std::size_t size) const;

 private:
  int file_;
};

class Apart {
 public:
  struct Limits {
    std::size_t memory = 0;          // bytes, beyond what this process has already
    unsigned seconds = 0;            // of the processor
    std::chrono::seconds silence{};  // in which nothing comes from it
  };
  // Whatever the work throws ends it. The process has let go of the files of this one when the constructor returns. Throws
  // out-of-memory where there can be no other process.
  Apart(const Limits& limits, const std::function<void(const ApartPipe&)>& work);
  ~Apart();
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

  // The next bytes that the work writes. False where it has ended before that many, or is silent.
  bool read(void* to, std::size_t size);

 private:
  std::chrono::seconds silence_;
  pid_t process_ = -1;
  int file_ = -1;
};

}  // namespace cetaev::output
