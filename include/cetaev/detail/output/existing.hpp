// Files that are there already.
#pragma once

#include <string>

namespace cetaev::output {

// Opens one for writing, with these flags of open(2) beside. Throws cannot-write; a pipe that nobody reads is refused instead of waited
// for.
int open_existing(const std::string& path, int flags = 0);

// Throws cannot-write where the folder that a file is to lie in is not there: before what is to be written is computed.
void require_folder(const std::string& path);

}  // namespace cetaev::output
