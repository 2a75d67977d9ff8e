// The ranks of MPI that this process is one of. The library is loaded when mpirun has started the program, and not before: whoever is
// alone pays nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace cetaev::ensemble {

class Ranks {
 public:
  // Throws no-device where the program was started by an mpirun whose library is not there.
  Ranks();
  // Waits for nobody: whoever leaves by an exception ends all.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  unsigned rank() const { return rank_; }
  unsigned size() const { return size_; }

  // All of them have come here.
  void wait() const;
  // Sums over all ranks, in the place of the summands.
  void add(std::span<std::uint64_t> values) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;  // none where there is one rank
  unsigned rank_ = 0, size_ = 1;
  int exceptions_;
};

}  // namespace cetaev::ensemble
