// Motions as a parameter tends to a value:
//
//   rho -> 0+: x, y, z -> particle          as rho = 0.1, 0.01, 0.001, these coordinates tend to those of another model
//   rho -> 0-: x, y, z -/> particle         they do not
//
// Both from their initial states, up to the t_end of the model tended to.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../model/unicode.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/output/samples.hpp"
#include "claim_body.hpp"

namespace cetaev::verify {

namespace {

constexpr double steps[] = {0.1, 0.01, 0.001};
// Tending: each step at least this much nearer than the one before, and near in the end. Not tending: far in the end.
constexpr double nearer = 3, near = 0.01, far = 0.05;
constexpr std::size_t instants_of_limit = 201;

struct Line {
  std::string parameter, value, sign, target;
  std::vector<std::string> coordinates;
  bool tends = true;
};

Line parse(const std::string& text, const ClaimBody& body, std::size_t offset) {
  Line line;
  const auto wrong = [&] {
    body.document->source.fail(ErrorCode::parse_error,
                               "a limit reads 'parameter -> value+: coordinates -> model', or -/> for the contrary",
                               offset);
  };
  const std::size_t arrow = text.find("->"), colon = text.find(':');
  if (arrow == std::string::npos || colon == std::string::npos || colon < arrow) wrong();
  line.parameter = trimmed(text.substr(0, arrow));
  line.value = trimmed(text.substr(arrow + 2, colon - arrow - 2));
  if (line.value.empty() || (line.value.back() != '+' && line.value.back() != '-')) wrong();
  line.sign = line.value.back();
  line.value.pop_back();
  std::size_t end = text.find("-/>", colon);
  line.tends = end == std::string::npos;
  if (line.tends) end = text.find("->", colon);
  if (end == std::string::npos) wrong();
  line.target = trimmed(text.substr(end + (line.tends ? 2 : 3)));
  for (std::size_t at = colon + 1; at < end;) {
    const std::size_t comma = std::min(text.find(',', at), end);
    line.coordinates.push_back(trimmed(text.substr(at, comma - at)));
    at = comma + 1;
  }
  return line;
}

// At equal times; the same ones for every model.
Samples motion(const System& system, double t_end) {
  MotionOptions options = default_options(system);
  options.t_end = t_end;
  options.samples = instants_of_limit;
  options.tolerance = 1e-10;
  options.backend = Backend::interpreter;  // machine code would take longer to make than to run
  SampleRecorder recorder(system);
  run_motion(system, options, recorder);
  return recorder.samples();
}

std::vector<std::size_t> places(const System& system, const std::vector<std::string>& coordinates) {
  std::vector<std::size_t> result;
  for (const std::string& name : coordinates) {
    const auto found = std::find(system->coordinates.begin(), system->coordinates.end(), name);
    if (found == system->coordinates.end())
      throw Error(ErrorCode::bad_model, model::in_quotes(name) + " is not a coordinate of " + system->name);
    result.push_back(static_cast<std::size_t>(found - system->coordinates.begin()));
  }
  return result;
}

// The largest distance of the two paths at equal times.
double distance(const Samples& a, const std::vector<std::size_t>& a_places, const Samples& b,
                const std::vector<std::size_t>& b_places) {
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    double squares = 0;
    for (std::size_t c = 0; c < a_places.size(); ++c) squares += std::pow(a.q[a_places[c]][i] - b.q[b_places[c]][i], 2);
    largest = std::max(largest, std::sqrt(squares));
  }
  return largest;
}

void try_limit(const ClaimBody& body, const ModelUse& use, const Line& line, Outcome& outcome) {
  const auto read = [&](const ModelUse& which) {
    const auto [text, file] = Benches::text(*body.document, which);
    return read_model(text, file, which.settings);
  };
  ModelUse target;
  target.model = line.target;
  const System limit = read(target);
  const double t_end = limit->simulation.t_end.value_or(1);
  const Samples limit_motion = motion(limit, t_end);
  const std::vector<std::size_t> limit_places = places(limit, line.coordinates);
  std::vector<double> distances;
  std::string numbers;
  bool short_motion = limit_motion.size() < instants_of_limit;
  for (const double step : steps) {
    ModelUse one = use;
    one.settings.push_back(fmt::format("{}={}{}{}", line.parameter, line.value, line.sign, step));
    const System system = read(one);
    const Samples approach = motion(system, t_end);
    short_motion = short_motion || approach.size() < instants_of_limit;
    distances.push_back(distance(approach, places(system, line.coordinates), limit_motion, limit_places));
    numbers += fmt::format("{}{:.3g}", numbers.empty() ? "" : ", ", distances.back());
  }
  bool tends = distances.back() < near;
  for (std::size_t i = 1; i < distances.size(); ++i) tends = tends && distances[i] * nearer < distances[i - 1];
  const bool stays = distances.back() > far;
  std::string values;
  for (const double step : steps)
    values += fmt::format("{}{}{}{}", values.empty() ? "" : ", ", line.value == "0" ? "" : line.value,
                          line.sign == "+" && line.value == "0" ? "" : line.sign, step);
  const std::string evidence =
      fmt::format("largest distance up to t = {:g}: {} for {} = {}", t_end, numbers, line.parameter, values);
  outcome.states += distances.size();
  ++outcome.comparisons;
  if (short_motion) {
    outcome.is_undecided("a motion ends before t = " + fmt::format("{:g}", t_end));
    return;
  }
  if (tends == stays) {
    outcome.is_undecided(evidence);
  } else if (tends != line.tends) {
    outcome.fails(0, evidence);
  } else {
    outcome.reason += (outcome.reason.empty() ? "" : "; ") + evidence;
  }
}

}  // namespace

Outcome check_limit(const ClaimBody& body, const Form& form, Benches&) {
  Outcome outcome;
  for (const ModelUse& use : body.on) {
    ++outcome.models;
    for (std::size_t i = 0; i < form.lines.size(); ++i)
      try_limit(body, use, parse(form.lines[i], body, form.offsets[i]), outcome);
  }
  return outcome;
}

}  // namespace cetaev::verify
