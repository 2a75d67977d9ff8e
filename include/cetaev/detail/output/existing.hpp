// Files that are there already.
#pragma once

#include <string>

namespace cetaev::output {

// Opens one for writing, with these flags of open(2) beside. Throws cannot-write; a pipe that nobody reads is refused instead of waited
// for.
int open_existing(const std::string& path, int flags = 0);

}  // namespace cetaev::output
