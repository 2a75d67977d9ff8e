#include "cetaev/report/inverse.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cetaev/detail/output/csv_cell.hpp"
#include "cetaev/report/motion.hpp"
#include "json_values.hpp"
#include "layout.hpp"

namespace cetaev {

namespace {

struct Largest {
  double value = 0, t = 0;
};

Largest largest_force(const InverseDynamics& found, const Drive& drive) {
  Largest most;
  for (std::size_t i = 0; i < drive.force.size(); ++i)
    if (std::abs(drive.force[i]) > std::abs(most.value)) most = {drive.force[i], found.samples.t[i]};
  return most;
}

}  // namespace

std::string to_text(const System& system, const InverseDynamics& found) {
  std::string text = heading(system);
  if (found.samples.size() == 0) return text::printable(text + "\nThere is no motion to follow\n");
  // Where a motion ends between two samples its forces are told up to the last of them, and its work up to the end.
  const double last = found.samples.t.back(), end = found.summary.last.t;
  text +=
      fmt::format("\nForces that follow the motion from t = {} to t = {}", value(found.samples.t.front()), value(last));
  text += end == last ? "\n" : fmt::format(" (the last sample), work up to t = {}\n", value(end));
  std::vector<std::vector<std::string>> rows = {{"along", "at the start", "at the end", "largest", "at t", "work"}};
  for (const Drive& drive : found.drives) {
    const Largest most = largest_force(found, drive);
    rows.push_back({drive.name, value(drive.force.front()), value(drive.force.back()), value(most.value), value(most.t),
                    value(drive.work)});
  }
  text += table(rows);
  if (found.summary.status != MotionStatus::finished)
    text += fmt::format("  the motion {}\n", how_it_ended(system, found.summary));
  if (found.summary.diagnosis)
    text += paragraph(std::string(to_string(found.summary.diagnosis->code())), found.summary.diagnosis->message(),
                      to_string(found.summary.diagnosis->code()).size() + 2);
  for (const std::string& note : found.notes) text += paragraph("", note, 0);
  return text::printable(text);
}

std::string to_json(const System& system, const InverseDynamics& found) {
  Json document;
  document["model"] = system->name;
  document["status"] = to_string(found.summary.status);
  if (found.summary.diagnosis) document["diagnosis"] = diagnosis(*found.summary.diagnosis);
  if (found.summary.stopping_event) document["event"] = system->events[*found.summary.stopping_event].name;
  if (found.summary.status == MotionStatus::singular)
    document["at"] = number(found.summary.singular_at.value_or(found.summary.last.t));
  document["work_up_to"] = number(found.summary.last.t);
  document["samples"] = found.samples.size();
  document["max_residual"] = number(found.summary.max_residual);
  document["t"] = numbers(found.samples.t);
  for (const char* key : {"q", "v", "motions", "forces", "power", "work"}) document[key] = Json::object();
  for (std::size_t i = 0; i < system->size(); ++i) {
    document["q"][system->coordinates[i]] = numbers(found.samples.q[i]);
    document["v"][system->coordinates[i]] = numbers(found.samples.v[i]);
  }
  for (const Drive& drive : found.drives) {
    document["motions"][drive.name] = drive.motion;
    document["forces"][drive.name] = numbers(drive.force);
    document["power"][drive.name] = numbers(drive.power);
    document["work"][drive.name] = number(drive.work);
  }
  document["notes"] = found.notes;
  return dump(document);
}

std::string to_csv(const System& system, const InverseDynamics& found) {
  std::string text = "t";
  const auto name = [&](const std::string& of) { text += "," + output::csv_cell(of); };
  for (const std::string& x : system->coordinates) name(x);
  for (const std::string& x : system->coordinates) name(x + "'");
  for (const Drive& drive : found.drives) name("force " + drive.name);
  for (const Drive& drive : found.drives) name("power " + drive.name);
  text += "\n";
  const auto add = [&](double x) { text += std::isfinite(x) ? fmt::format(",{}", x + 0.0) : ","; };
  for (std::size_t s = 0; s < found.samples.size(); ++s) {
    text += fmt::format("{}", found.samples.t[s] + 0.0);
    for (const auto& column : found.samples.q) add(column[s]);
    for (const auto& column : found.samples.v) add(column[s]);
    for (const Drive& drive : found.drives) add(drive.force[s]);
    for (const Drive& drive : found.drives) add(drive.power[s]);
    text += "\n";
  }
  return text;
}

}  // namespace cetaev
