// Everything a page tells, computed: equations, verdicts, the motion and its companions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/output/samples.hpp"
#include "cetaev/report/check.hpp"
#include "cetaev/report/equations.hpp"
#include "cetaev/report/page.hpp"
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
};

// The energies along the motion, at `t`; not a number where a value does not exist.
struct EnergyStory {
  struct Term {
    std::string formula, meaning;
    std::vector<double> values;
  };
  std::vector<double> t, E, rate;
  std::vector<Term> balance;
  bool reduced = false;
  std::vector<double> E_star, rate_star;
  std::vector<Term> balance_star;
};

// The same start under another principle.
struct Companion {
  std::optional<Form> form;  // as it was asked for
  std::string label;
  std::optional<Samples> samples;
  std::optional<MotionSummary> summary;
  std::optional<Error> error;
  std::optional<double> part_at;  // where it leaves the first companion
  double difference = 0;          // the largest difference of a position, and
  std::string coordinate;         // of which
};

// A constant of the motion, or a coordinate beside its closed form.
struct ClaimAlong {
  std::string name;
  Expr expression;
  std::string ground;
  std::vector<double> difference;  // from its first value, or from the closed form, at the samples
  double value = 0;                // the first value
  double largest = 0;
  std::size_t undefined = 0;  // samples at which it has no value
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

  std::optional<EnergyStory> energy;
  std::vector<Companion> companions;  // the first is d'Alembert–Lagrange
  std::vector<ClaimAlong> integrals;
  std::vector<ClaimAlong> closed_forms;  // those the model gives, beside the computed motion
  double seconds = 0;

  // One of no length is none.
  bool has_motion() const { return samples && samples->size() > 1 && samples->t.front() != samples->t.back(); }
};

Story tell(const System& system, const PageOptions& options);

// How much there is to derive from: nodes of the Lagrangian and the constraints, written out.
double size_of(const System& system);
// Of larger systems a page shows no source code and no more than one other motion: they take seconds each to derive. That is
// a snake of fifteen links.
inline constexpr double largest_in_full = 5000;

// Parts of it, each in a file of its own.
std::optional<EnergyStory> energy_story(const System& system, const Samples& samples);
// The same start under other principles, and then beside d'Alembert–Lagrange: nothing where that has no motion.
std::vector<Companion> other_motions(const System& system, const MotionOptions& options);
std::vector<Companion> beside(const System& system, const MotionOptions& options, const MotionSummary& summary,
                              const Samples& samples, std::vector<Companion> others);
std::vector<ClaimAlong> constants_of_motion(const System& system, const Check* check, const Samples& samples);
std::vector<ClaimAlong> closed_forms(const System& system, const Samples& samples);

}  // namespace cetaev
