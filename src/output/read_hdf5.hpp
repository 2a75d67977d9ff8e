#pragma once

#include <string>

#include "cetaev/output/read_motion.hpp"
#include "cetaev/output/sweep_file.hpp"

namespace cetaev::output {

// Throws bad-model.
[[noreturn]] void refuse_motion(const std::string& path, const std::string& why);

// A file that is damaged, by accident or on purpose, can make the HDF5 library do anything. It reads in a process of its own.
MotionTable read_hdf5(const std::string& path);
// The same for what the file of a sweep says about it.
SweepTexts read_attributes(const std::string& path);

}  // namespace cetaev::output
