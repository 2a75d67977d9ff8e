// The reports of many models in one folder, with an index of them: what `cetaev report --gallery` writes.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cetaev/report/page.hpp"

namespace cetaev {

struct SiteModel {
  std::string_view name;  // of the page, and of the model on the command line
  std::string_view text;  // of the model file
};

struct SiteOptions {
  double budget = PageOptions().budget;
  std::string title = "Cetaev: the gallery";  // of the index
  unsigned threads = 0;                       // pages at a time; 0: as many as there are processors
  // After each page, by one thread at a time; false ends the work, and what is written by then stays.
  std::function<bool(std::size_t done, std::size_t of)> progress;
};

// NAME.html of every model and index.html, whose path is the answer; empty where the work was ended. The folder is made where there is none.
// Throws cannot-write, and what write_page() and read_model() throw, with the name of the model.
std::string write_site(std::span<const SiteModel> models, const std::string& folder, const SiteOptions& options = {});

}  // namespace cetaev
