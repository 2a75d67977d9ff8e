// Everything a page tells, gathered from a workbench: equations, verdicts, the motion and its companions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/analysis/along.hpp"
#include "cetaev/report/page.hpp"
#include "cetaev/stability/linearize.hpp"
#include "scene.hpp"

namespace cetaev {

// Source text that a reader may want to copy.
struct Source {
  std::string title;  // "LaTeX", "Python"
  std::string text;
};

struct WrittenStory {
  std::optional<WrittenSystem> written;
  std::optional<Error> error;
  std::vector<std::vector<Source>> sources;  // of each form
  bool every_form = true;                    // else only the shortest ones were derived
  std::optional<PointsOfView> views;         // on transpositional relations, where there are constraints to vary
};

struct Story {
  System system;
  std::optional<Check> check;
  std::optional<Error> check_error;
  std::unique_ptr<WrittenStory> written;

  MotionOptions options;
  std::optional<MotionSummary> summary;
  std::optional<Error> motion_error;
  std::optional<Samples> samples;
  std::optional<Scene> scene;
  std::optional<Frames> frames;

  std::optional<EnergyAlong> energy;
  std::vector<Companion> companions;  // the first is d'Alembert–Lagrange
  std::vector<ClaimAlong> integrals;
  std::optional<Linearization> stability;  // where the initial state is a steady motion,
  std::optional<VariedSpectrum> locus;     // and has a speed
  std::vector<ClaimAlong> closed_forms;    // those the model gives, beside the computed motion
  double seconds = 0;

  // One of no length is none.
  bool has_motion() const { return samples && samples->size() > 1 && samples->t.front() != samples->t.back(); }
};

Story tell(const Workbench& bench, const PageOptions& options);

}  // namespace cetaev
