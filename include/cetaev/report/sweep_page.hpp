// A sweep as one HTML page: what `cetaev report SWEEP.h5` writes.
#pragma once

#include <string>

#include "cetaev/output/sweep_file.hpp"

namespace cetaev {

struct SweepPageOptions {
  std::string version;  // of the program
  std::string command;  // the command line that makes the page again
};

// What was asked for, how the motions ended, what was observed over what varied, and the model; one file that needs nothing beside it, and no
// scripts. Counts and means are those of all motions that are in the file; points are some of them. Throws bad-model where the file is
// damaged.
std::string write_sweep_page(const SweepFile& sweep, const SweepPageOptions& options);

}  // namespace cetaev
