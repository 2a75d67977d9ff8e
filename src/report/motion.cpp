#include "cetaev/report/motion.hpp"

#include <cmath>
#include <functional>

#include "json_values.hpp"
#include "layout.hpp"

namespace cetaev {

namespace {

// A number, or null where there is none: a motion that failed may have no energy at its end.
Json column(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(known(value));
  return list;
}

Json samples_json(const System& system, const Samples& samples) {
  Json object;
  object["t"] = column(samples.t);
  object["q"] = Json::object();
  object["v"] = Json::object();
  for (std::size_t i = 0; i < system->size(); ++i) object["q"][system->coordinates[i]] = column(samples.q[i]);
  for (std::size_t i = 0; i < system->size(); ++i) object["v"][system->coordinates[i]] = column(samples.v[i]);
  object["multipliers"] = Json::array();
  for (const auto& multiplier : samples.multipliers) object["multipliers"].push_back(column(multiplier));
  object["E"] = column(samples.E);
  object["residual"] = column(samples.residual);
  if (!samples.outputs.empty()) {
    object["outputs"] = Json::object();
    const std::vector<std::string> names = system->output_columns();
    for (std::size_t i = 0; i < names.size(); ++i) object["outputs"][names[i]] = column(samples.outputs[i]);
  }
  return object;
}

Json events_json(const System& system, const MotionSummary& summary, const MotionRecord& record) {
  Json object = Json::object();
  for (std::size_t i = 0; i < system->events.size(); ++i) {
    Json event;
    const std::size_t count = i < summary.event_counts.size() ? summary.event_counts[i] : 0;
    event["count"] = count;
    if (record.events != nullptr && record.events->spans()[i].count > 0) {
      event["first"] = number(record.events->spans()[i].first);
      event["last"] = number(record.events->spans()[i].last);
    }
    object[system->events[i].name] = event;
  }
  return object;
}

// By each of what varies: the state at the last time, or the time of the event that stopped the motion and the state at that.
std::string variation_table(const System& system, const MotionSummary& summary, bool at_event) {
  std::vector<std::vector<std::string>> rows = {{""}};
  for (const MotionSummary::Variation& by : summary.variations) rows.front().push_back("by " + by.name);
  const auto row = [&](const std::string& name, const std::function<double(const MotionSummary::Variation&)>& number) {
    rows.push_back({name});
    for (const MotionSummary::Variation& by : summary.variations)
      rows.back().push_back(at_event && !by.at_event ? "none" : value(number(by)));
  };
  using Variation = MotionSummary::Variation;
  if (at_event) row("t", [](const Variation& by) { return by.at_event->t; });
  for (std::size_t i = 0; i < system->size(); ++i)
    row(system->coordinates[i], [&](const Variation& by) { return (at_event ? by.at_event->q : by.q)[i]; });
  for (std::size_t i = 0; i < system->size(); ++i)
    row(system->coordinates[i] + "'", [&](const Variation& by) { return (at_event ? by.at_event->v : by.v)[i]; });
  return table(rows);
}

}  // namespace

std::string how_it_ended(const System& system, const MotionSummary& summary) {
  const std::string t = value(summary.last.t);
  switch (summary.status) {
    case MotionStatus::finished: return "finished at t = " + t;
    case MotionStatus::singular:
      return "reached a singular set at t = " + fmt::format("{:.15g}", summary.singular_at.value_or(summary.last.t));
    case MotionStatus::event:
      return "stopped at t = " + t +
             (summary.stopping_event ? " by the event " + system->events[*summary.stopping_event].name : "");
    case MotionStatus::failed: return "failed after t = " + t;
    case MotionStatus::interrupted: return "interrupted at t = " + t;
  }
  return {};
}

int exit_code(const MotionSummary& summary) {
  if (summary.status != MotionStatus::failed) return 0;
  return summary.diagnosis ? exit_code(summary.diagnosis->code()) : exit_code(ErrorCode::step_too_small);
}

std::string to_json(const System& system, const MotionSummary& summary, const MotionRecord& record) {
  Json document;
  document["model"] = system->name;
  document["status"] = to_string(summary.status);
  if (summary.status == MotionStatus::singular) document["at"] = number(summary.singular_at.value_or(summary.last.t));
  if (summary.status == MotionStatus::singular && summary.diagnosis)
    document["diagnosis"] = diagnosis(*summary.diagnosis);
  if (summary.stopping_event) document["event"] = system->events[*summary.stopping_event].name;
  document["t"] = number(summary.last.t);
  document["q"] = by_coordinate(system, summary.last.q);
  document["v"] = by_coordinate(system, summary.last.v);
  if (!summary.lambda.empty()) document["lambda"] = numbers(summary.lambda);
  if (!summary.variations.empty()) document["variations"] = Json::object();
  for (const MotionSummary::Variation& by : summary.variations) {
    Json& varied = document["variations"][by.name];
    // too large for numbers where a motion is chaotic for long enough
    varied = {{"q", by_coordinate(system, by.q, known)}, {"v", by_coordinate(system, by.v, known)}};
    if (!summary.stopping_event) continue;
    varied["event"] = Json();
    if (by.at_event)
      varied["event"] = {{"t", known(by.at_event->t)},
                         {"q", by_coordinate(system, by.at_event->q, known)},
                         {"v", by_coordinate(system, by.at_event->v, known)}};
  }
  document["form"] = summary.form.name();
  document["method"] = to_string(summary.method);
  document["backend"] = to_string(summary.backend);
  document["samples"] = summary.samples;
  document["steps"] = summary.steps;
  document["rejected"] = summary.rejected;
  document["rhs_evaluations"] = summary.rhs_evaluations;
  document["max_residual"] = known(summary.max_residual);
  document["E_start"] = known(summary.E_start);
  document["E_end"] = known(summary.E_end);
  document["energy_drift"] = known(summary.energy_drift);
  document["projections"] = summary.projections;
  document["projection_energy"] = known(summary.projection_energy);
  document["projection_energy_absolute"] = known(summary.projection_energy_absolute);
  document["reselections"] = summary.reselections;
  if (!system->events.empty()) document["events"] = events_json(system, summary, record);
  document["notes"] = summary.notes;
  if (!record.out.empty()) document["out"] = record.out;
  document["from_cache"] = summary.from_cache;
  document["tables"] = summary.tables;
  document["compile_seconds"] = number(summary.compile_seconds);
  document["wall_seconds"] = number(summary.wall_seconds);
  if (record.trajectory != nullptr) document["trajectory"] = samples_json(system, *record.trajectory);
  if (record.section != nullptr) {
    document["section"] = samples_json(system, *record.section);
    document["section"]["event"] = record.section_event;
  }
  if (summary.status == MotionStatus::failed && summary.diagnosis) document["error"] = diagnosis(*summary.diagnosis);
  return dump(document);
}

std::string_view how_it_was_computed(const MotionSummary& summary) {
  if (summary.backend != Backend::jit) return "the interpreter";
  return summary.tables ? "tables" : "machine code";
}

std::string to_text(const System& system, const MotionSummary& summary, const MotionRecord& record) {
  std::string text = heading(system);
  text += fmt::format("\nThe motion {}: {}, {} with {}, {}\n", how_it_ended(system, summary), summary.form.name(),
                      to_string(summary.method), how_it_was_computed(summary), count(summary.steps, "step", "steps"));
  if (summary.diagnosis) {
    text += paragraph(std::string(to_string(summary.diagnosis->code())), summary.diagnosis->message(),
                      to_string(summary.diagnosis->code()).size() + 2);
  }

  text += fmt::format("\nThe last state, t = {}\n", value(summary.last.t));
  std::vector<std::vector<std::string>> rows = {{"", "position", "velocity"}};
  for (std::size_t i = 0; i < system->size(); ++i)
    rows.push_back({system->coordinates[i], value(summary.last.q[i]), value(summary.last.v[i])});
  text += table(rows);

  if (!summary.variations.empty()) {
    text += summary.stopping_event ? "\nHow the state at this time changes with what it is varied by\n"
                                   : "\nHow it changes with what it is varied by\n";
    text += variation_table(system, summary, false);
    if (summary.stopping_event)
      text += fmt::format("\nHow the event {} changes, and the state at it\n",
                          system->events[*summary.stopping_event].name) +
              variation_table(system, summary, true);
  }

  rows.clear();
  rows.push_back({"energy", value(summary.E_end), "at the start " + value(summary.E_start)});
  rows.push_back(
      {"energy drift", fmt::format("{:.2g}", readable(summary.energy_drift)), "beside the work of its balance"});
  rows.push_back({"residual", fmt::format("{:.2g}", readable(summary.max_residual)), "of the constraints, at most"});
  if (summary.projections > 0) {
    rows.push_back(
        {"projections", std::to_string(summary.projections),
         fmt::format("onto the constraints, with an energy of {:.2g}", readable(summary.projection_energy))});
  }
  text += "\n" + table(rows);

  if (!system->events.empty()) {
    rows = {{"", "times", "first", "last"}};
    for (std::size_t i = 0; i < system->events.size(); ++i) {
      const EventLog::Span span = record.events != nullptr ? record.events->spans()[i] : EventLog::Span{};
      rows.push_back(
          {system->events[i].name, std::to_string(summary.event_counts.empty() ? 0 : summary.event_counts[i])});
      if (span.count > 0) rows.back().insert(rows.back().end(), {value(span.first), value(span.last)});
    }
    text += "\nEvents\n" + table(rows);
  }
  if (!summary.notes.empty()) text += "\n";
  for (const std::string& note : summary.notes) text += paragraph("", note, 0);
  if (!record.out.empty()) text += fmt::format("\n{} in {}\n", count(summary.samples, "sample", "samples"), record.out);
  return text::printable(text);
}

std::string to_text(const System& system, const MotionComparison& c) {
  std::string text = fmt::format("\nAlong the motion to t = {} they ", value(c.t_end));
  text += c.part_at ? fmt::format("part at t = {:.6g}, where the difference passes {:.2g} of the state", *c.part_at,
                                  c.threshold)
                    : fmt::format("stay together: the difference remains below {:.2g} of the state", c.threshold);
  text += "\n";
  std::vector<std::vector<std::string>> rows = {{"largest difference", "", "in", "at t"}};
  rows.push_back({"of positions", fmt::format("{:.6g}", c.position.largest), system->coordinates[c.position.coordinate],
                  value(c.position.t)});
  rows.push_back({"of velocities", fmt::format("{:.6g}", c.velocity.largest),
                  system->coordinates[c.velocity.coordinate] + "'", value(c.velocity.t)});
  text += table(rows);
  for (const auto& [form, summary] : {std::pair(c.first, &c.first_summary), std::pair(c.second, &c.second_summary)}) {
    if (summary->status == MotionStatus::finished) continue;
    text += fmt::format("  {}: the motion {}\n", form.name(), how_it_ended(system, *summary));
    if (summary->diagnosis) text += paragraph("", summary->diagnosis->message(), 0);
  }
  return text::printable(text);
}

}  // namespace cetaev
