// The sections of the page, in its order. Each gives the HTML inside its section, or nothing where it has nothing to say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cetaev/report/typeset.hpp"
#include "chart.hpp"
#include "story.hpp"

namespace cetaev {

// What the sections share: the numbers of the charts, and names as text.
struct Desk {
  explicit Desk(const Story& story);

  const Story& story;
  System system;
  Columns columns;
  std::vector<Chart> charts;
  struct Axis {
    std::string label, column;
  };
  std::vector<Axis> phase_axes;  // what a phase portrait may show
  // The eigenvalues along a speed, which a slider moves through: names of columns.
  struct Locus {
    std::string name, values;
    std::vector<std::string> re, im;
    std::size_t at = 0;  // the value of the model, or the next one
  };
  std::optional<Locus> locus;
  Typesetter text;  // Unicode

  std::string name(const std::string& name) { return text.name(name); }
  std::string put(Chart chart);
  // Of the samples of the motion.
  std::string t();
  std::string q(std::size_t i);
  std::string v(std::size_t i);
};

struct PageSection {
  std::string id, title, html;
};
std::string section_html(const PageSection& section);
// What is not UTF-8, or would turn the text around, is replaced, once for the whole page.
std::string valid_page(const std::string& html);

std::string motion_section(Desk& desk);
// The animated picture alone, or why there is none.
std::string stage_figure(Desk& desk);
std::string kind_section(Desk& desk);
std::string equations_section(Desk& desk);
std::string energy_section(Desk& desk);
std::string constraints_section(Desk& desk);
std::string phase_section(Desk& desk);
std::string principles_section(Desk& desk);
std::string integrals_section(Desk& desk);
std::string stability_section(Desk& desk);
std::string run_section(Desk& desk);
std::string model_section(Desk& desk);
std::string reproduce_section(Desk& desk, const PageOptions& options);

// A line on what kind of system it is: "3 coordinates", "1 constraint", …
std::vector<std::string> chips(const Story& story);

// The numbers for the scripts, as the text of a <script type="application/json">.
std::string page_data(const Desk& desk);

// <data> with the number to its last bit behind what is shown.
std::string number_html(double value, int digits = 8);
// A paragraph for the diagnosis that took the place of a result.
std::string diagnosis_html(const std::string& what, const Error& error);

}  // namespace cetaev
