// The whole story of a model as one HTML page: what `cetaev report` writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/analysis/workbench.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/system.hpp"
#include "cetaev/output/samples.hpp"

namespace cetaev {

struct PageOptions {
  MotionOptions motion;
  double budget = 0.6;  // effort of simplifying formulas, as Simplifier counts it
  std::string version;  // of the program
  std::string command;  // the command line that makes the page again
  std::string run;      // and the one that computes its motion
  std::string index;    // a page to go back to, beside this one; may be empty
};

struct ReportPage {
  std::string html;
  std::string thumbnail;                 // the motion as a small SVG; empty where there is none
  std::string kind;                      // a line on what kind of system it is
  std::optional<MotionSummary> summary;  // nothing where no motion could be started, and
  std::optional<Error> error;            // why not
  std::string sketch;                    // the path in characters, for a terminal
};

// One file that needs nothing beside it: no network, and no scripts for what it says. Names and descriptions of the model
// are shown as text, whatever they contain. A part that has no answer says why. Throws where the model has no equations.
ReportPage write_page(const Workbench& bench, const PageOptions& options);

// The motion alone, as the report animates it: a page of its own, to be framed by another.
std::string write_stage(const System& system, const MotionSummary& summary, const Samples& samples,
                        const std::string& version);

// One page of a gallery as its index shows it.
struct IndexEntry {
  std::string href;
  std::string title, description, kind;
  std::string group;      // under what heading it stands; may be empty
  std::string thumbnail;  // SVG, may be empty
};
std::string write_index(const std::string& title, const std::vector<IndexEntry>& entries, const std::string& version);

}  // namespace cetaev
