// Motions that were written to files, read back as columns.
#pragma once

#include <string>
#include <vector>

namespace cetaev {

struct MotionTable {
  std::vector<std::string> names;            // t, coordinates, velocities x', lambda1…, E, residual
  std::vector<std::vector<double>> columns;  // not a number where a value does not exist
  std::size_t inputs = 0;                    // of a sweep, whose rows are motions: the first columns are what varies
};

// FILE.csv with a header line, or FILE.h5 as `run` writes it; or what `sweep` has written, of whose motions as many are read as a figure
// can show, evenly. Throws bad-model with the place of what is wrong.
//
// The HDF5 library reads in a process of its own, a copy of this one (fork), for a damaged file can make it crash or run for ever.
// That may happen in a program with threads, also while others read and write motions; only a thread that uses the HDF5 library without
// Cetaev at the same moment can spoil it, and then the file is called damaged after a minute.
//
// Where names of columns are wanted, others of a CSV may hold words: their cells have no value.
MotionTable read_motion(const std::string& path, const std::vector<std::string>& wanted = {});

}  // namespace cetaev
