#include "cetaev/report/beside.hpp"

#include <fmt/format.h>

#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "complex_text.hpp"
#include "json_values.hpp"

namespace cetaev {

std::string to_text(const System& system, const LyapunovSpectrum& found) {
  std::string text = system->name + "\n";
  text += fmt::format("\nLyapunov exponents, over t = {:.6g}{}\n", found.t, found.interrupted ? " (interrupted)" : "");
  for (std::size_t i = 0; i < found.exponents.size(); ++i)
    text += fmt::format("  {:>12.6g}   ± {:.2g}\n", found.exponents[i] + 0.0, found.spread[i]);
  text += fmt::format("\n  sum {:.6g}", found.sum);
  text +=
      found.divergence ? fmt::format("; the mean divergence of the flow is {:.6g}\n", *found.divergence + 0.0) : "\n";
  return text;
}

std::string to_json(const System& system, const LyapunovSpectrum& found) {
  Json document;
  document["model"] = system->name;
  document["exponents"] = numbers(found.exponents);
  document["spread"] = numbers(found.spread);
  document["sum"] = number(found.sum);
  document["divergence"] = found.divergence ? number(*found.divergence) : Json();
  document["t"] = number(found.t);
  document["interrupted"] = found.interrupted;
  document["steps"] = found.steps;
  return dump(document);
}

std::string to_text(const System& system, const PeriodicMotion& found) {
  const std::vector<std::size_t> all = all_indices(system->size());
  std::string text = system->name + "\n";
  text += fmt::format("\nperiodic motion, period {:.13g}\n  {}\n  {}\n", found.period,
                      describe_positions(system, found.state.q, all), describe_velocities(system, found.state.v, all));
  text += fmt::format("  it comes back to {:.2g}", found.residual);
  std::string names;
  for (const std::size_t i : found.ignorable) names += (names.empty() ? "" : ", ") + system->coordinates[i];
  if (!names.empty()) text += fmt::format(", but for {}, which nothing depends on", names);
  for (std::size_t i = 0; i < found.turns.size(); ++i)
    if (found.turns[i] != 0)
      text +=
          fmt::format(", {} after {} turn{}", system->coordinates[i], found.turns[i], found.turns[i] == 1 ? "" : "s");
  text += "\n\nFloquet multipliers\n";
  for (const std::complex<double> one : found.multipliers) {
    if (one.imag() < 0) continue;
    text += "  " + pair_text(one, 9) + "\n";
  }
  const char* verdict = !found.stable ? "undecided" : *found.stable ? "stable" : "unstable";
  text += fmt::format("\n{}: {}\n", verdict, found.because);
  return text;
}

std::string to_json(const System& system, const PeriodicMotion& found) {
  Json document;
  document["model"] = system->name;
  document["period"] = number(found.period);
  document["t"] = number(found.state.t);
  document["q"] = by_coordinate(system, found.state.q);
  document["v"] = by_coordinate(system, found.state.v);
  document["residual"] = number(found.residual);
  document["ignorable"] = Json::array();
  for (const std::size_t i : found.ignorable) document["ignorable"].push_back(system->coordinates[i]);
  document["turns"] = Json::object();
  for (std::size_t i = 0; i < found.turns.size(); ++i)
    if (found.turns[i] != 0) document["turns"][system->coordinates[i]] = found.turns[i];
  document["state"] = found.components;
  document["multipliers"] = Json::array();
  for (const std::complex<double> one : found.multipliers) document["multipliers"].push_back(complex_json(one));
  document["stable"] = found.stable ? Json(*found.stable) : Json();
  document["because"] = found.because;
  return dump(document);
}

}  // namespace cetaev
