// An ensemble into a file: on one machine, in parts for job arrays, or on the ranks of MPI; taken up again after any end.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/ensemble/ensemble.hpp"

namespace cetaev {

// The k-th of n parts, k from 1.
struct Shard {
  std::size_t k = 1, n = 1;
  // "3/16". Throws bad-model.
  static Shard parse(const std::string& text);
  // FILE.3-of-16.h5 beside FILE.h5.
  std::string path(const std::string& whole) const;
};

struct SweepOptions {
  std::string out;  // FILE.h5 or FILE.csv; nothing is kept where it is empty
  bool resume = false;
  std::optional<Shard> shard;
  // Told how many motions of how many are there, by one thread at a time; false stops the sweep where it is.
  std::function<bool(std::size_t done, std::size_t of)> progress;
};

struct SweepOutcome {
  EnsembleSummary all;       // that are in the file, whoever computed them and when
  std::size_t computed = 0;  // of them now
  std::size_t count = 0;     // that there are to be: of the sweep, or of the shard
  unsigned ranks = 1;
  Device device = Device::cpu;
  std::size_t fixed_steps = 0;  // of the Runge–Kutta method, where it was that
  bool single_precision = false;
  std::string out;     // the file that is there
  std::string table;   // FILE.csv, where it is to be a table: made of that file once nothing is missing
  bool speaks = true;  // of the ranks of MPI the first does

  bool complete() const { return all.count == count; }
};

// Under mpirun the ranks share the work: each writes its own part, and the first joins them in the end. Where a rank dies all others are
// ended by MPI; what was written is there for `resume`, with any number of ranks.
//
// Throws bad-model where the file is of another sweep or its name says no kind of file, cannot-write.
SweepOutcome run_sweep(const Ensemble& ensemble, const SweepOptions& options);

// Parts of one sweep as one file; blocks may be missing, and be there for a resume. Throws bad-model where they are not of one sweep.
SweepOutcome merge_sweeps(const std::vector<std::string>& parts, const std::string& out);

}  // namespace cetaev
