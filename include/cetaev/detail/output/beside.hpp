// Files that are written beside the place where they belong, and moved there when they are whole.
#pragma once

#include <string>

namespace cetaev::output {

// Where a file of this name lies: behind links, whose target is replaced and not they. Throws cannot-write where that is a folder, a pipe or
// a device, which cannot be replaced.
std::string replaced_by(const std::string& path);

// The name beside it under which this process writes it.
std::string beside(const std::string& path);

// What processes that are no more have left beside this file and its parts.
void remove_leftovers(const std::string& path);

}  // namespace cetaev::output
