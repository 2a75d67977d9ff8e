// Motions in files that are written while they are computed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cetaev/integrate/motion.hpp"

namespace cetaev {

// Whatever ends a motion, the file holds everything up to there and can be read. What stood at its path before is replaced
// with the first sample; a motion that cannot be started leaves it as it was. Every member throws cannot-write.
class MotionFile : public Recorder {
 public:
  // How it ended; nothing is written afterwards.
  virtual void finish(const MotionSummary& summary) = 0;
};

// d(x)/d(m), …, d(x')/d(m), …: the columns of the variations by these, in the order of MotionPoint.
std::vector<std::string> variation_columns(const System& system, const std::vector<std::string>& variations);

// Columns t, coordinates, velocities x', lambda1…, E, residual, the outputs of the model, variations; numbers read back to the same double.
// Where a value does not exist the cell is empty. The path "-" is the standard output.
std::unique_ptr<MotionFile> open_csv(const System& system, const std::string& path,
                                     const std::vector<std::string>& variations = {});

// Groups /model, /states, /multipliers, /energy and /events, /outputs and /variations where there are any; what the run was asked for and how it
// ended in attributes.
// The HDF5 library is loaded here, by those who use it only.
std::unique_ptr<MotionFile> open_hdf5(const System& system, const MotionOptions& options, const std::string& path);

// By the end of the name: .csv, or .h5 and .hdf5; a device or a pipe takes CSV. Throws bad-model for other names.
std::unique_ptr<MotionFile> open_motion_file(const System& system, const MotionOptions& options,
                                             const std::string& path);

}  // namespace cetaev
