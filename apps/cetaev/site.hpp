// The gallery as a folder of pages with an index.
#pragma once

#include <string>

namespace cetaev::app {

// Writes FOLDER/index.html and FOLDER/NAME.html for every gallery model, several at a time; returns the path of the index.
// Throws cannot-write, and what kept a page from being written.
std::string write_site(const std::string& folder, double budget, bool progress);

}  // namespace cetaev::app
