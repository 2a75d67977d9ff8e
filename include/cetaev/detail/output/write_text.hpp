// Texts into files.
#pragma once

#include <string>

namespace cetaev::output {

// A file is replaced once the new one is complete; a device or a pipe is written to as it stands. Throws cannot-write.
void write_text(const std::string& path, const std::string& text);

}  // namespace cetaev::output
