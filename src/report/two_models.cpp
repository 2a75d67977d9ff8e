#include "cetaev/report/two_models.hpp"

#include <fmt/format.h>

#include "cetaev/detail/text/printable.hpp"
#include "json_values.hpp"
#include "layout.hpp"

namespace cetaev {

namespace {

Json difference_json(const System& to, const Difference& d) {
  Json object;
  object["difference"] = number(d.largest);
  object["coordinate"] = to->coordinates[d.coordinate];
  object["t"] = number(d.state.t);
  object["a"] = {{"mapped", by_coordinate(to, d.first)}, {"own", by_coordinate(to, d.second)}};
  return object;
}

}  // namespace

std::string to_text(const System& to, const TwoModels& found) {
  std::string text =
      fmt::format("{} ({}), seen as {} ({})\n", found.from, found.from_form.name(), found.to, found.to_form.name());
  const auto verdict = [&](const Difference& d) {
    return d.largest <= found.tolerance
               ? fmt::format("agree (largest difference {:.2g})", d.largest)
               : fmt::format("differ by {:.6g}, most in {}''", d.largest, to->coordinates[d.coordinate]);
  };
  if (found.at_initial) text += "\nAt the initial state their accelerations " + verdict(*found.at_initial) + "\n";
  if (found.initial_error)
    text += "\nAt the initial state there is nothing to compare: " + found.initial_error->message() + "\n";
  text += fmt::format("At {} they ", count(found.states, "random admissible state", "random admissible states"));
  text += found.worst ? verdict(*found.worst) : "were not compared";
  if (found.skipped > 0) text += fmt::format("; {} left out", count(found.skipped, "state was", "states were"));
  text += "\n";
  if (found.off_constraints > 0)
    text += fmt::format("The map leads off the constraints of the second at {}: {} has residual {:.6g}\n",
                        count(found.off_constraints, "state", "states"), to->constraints[found.constraint].label(),
                        found.residual);
  if (found.worst && found.worst->largest > found.tolerance) {
    std::vector<std::vector<std::string>> rows = {{"", "mapped", "of its own"}};
    for (std::size_t i = 0; i < to->size(); ++i)
      rows.push_back({to->coordinates[i] + "''", value(found.worst->first[i]), value(found.worst->second[i])});
    text += fmt::format("The largest difference is at seed {}:\n", found.worst->seed) + table(rows);
  }
  if (const auto& along = found.motions) {
    text += fmt::format("\nAlong the motion to t = {} they ", value(along->t_end));
    text += along->part_at
                ? fmt::format("part at t = {:.6g}, where the difference passes {:.2g} of the state\n", *along->part_at,
                              along->threshold)
                : fmt::format("stay together: the difference remains below {:.2g} of the state\n", along->threshold);
    std::vector<std::vector<std::string>> rows = {{"largest difference", "", "in", "at t"}};
    rows.push_back({"of positions", fmt::format("{:.6g}", along->position.largest),
                    to->coordinates[along->position.coordinate], value(along->position.t)});
    rows.push_back({"of velocities", fmt::format("{:.6g}", along->velocity.largest),
                    to->coordinates[along->velocity.coordinate] + "'", value(along->velocity.t)});
    text += table(rows);
    for (const auto& [name, summary] : {std::pair(found.from, &along->from), std::pair(found.to, &along->to)})
      if (summary->diagnosis) text += paragraph(name, summary->diagnosis->message(), 2);
  }
  return text::printable(text);
}

std::string to_json(const System& to, const TwoModels& found) {
  Json document;
  document["from"] = found.from;
  document["to"] = found.to;
  document["forms"] = {found.from_form.name(), found.to_form.name()};
  document["agree"] = found.agree() && (!found.motions || found.motions->agree());
  document["tolerance"] = number(found.tolerance);
  document["at_initial_state"] = found.at_initial ? difference_json(to, *found.at_initial) : Json::object();
  if (found.initial_error) document["at_initial_state"]["error"] = diagnosis(*found.initial_error);
  document["random_states"] = found.states;
  document["skipped"] = found.skipped;
  document["off_constraints"] = found.off_constraints;
  if (found.off_constraints > 0) document["residual"] = number(found.residual);
  if (found.worst) {
    document["worst"] = difference_json(to, *found.worst);
    document["worst"]["seed"] = found.worst->seed;
  }
  if (const auto& along = found.motions) {
    Json& motion = document["motion"];
    motion["agree"] = along->agree();
    motion["threshold"] = number(along->threshold);
    motion["part_at"] = along->part_at ? number(*along->part_at) : Json();
    motion["t_end"] = number(along->t_end);
    const auto difference = [&](const MotionDifference& d) {
      return Json{{"difference", number(d.largest)}, {"t", number(d.t)}, {"coordinate", to->coordinates[d.coordinate]}};
    };
    motion["position"] = difference(along->position);
    motion["velocity"] = difference(along->velocity);
    const auto ended = [](const MotionSummary& summary) {
      Json run = {{"status", to_string(summary.status)}, {"t", number(summary.last.t)}};
      if (summary.diagnosis) run["diagnosis"] = diagnosis(*summary.diagnosis);
      return run;
    };
    motion["runs"] = {{"from", ended(along->from)}, {"to", ended(along->to)}};
  }
  return dump(document);
}

std::string to_text(const Limit& found, const std::string& model, const std::string& other) {
  std::string text = fmt::format("{} as {} goes to {:.6g}, beside {}, to t = {}\n\n", model, found.name,
                                 found.values.back(), other, value(found.t_end));
  std::vector<std::vector<std::string>> rows = {{found.name, "largest difference", "order"}};
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const bool told = i > 0 && found.orders[i - 1];
    rows.push_back({fmt::format("{:.6g}", found.values[i]), fmt::format("{:.6g}", found.differences[i]),
                    told ? fmt::format("{:.3f}", *found.orders[i - 1]) : ""});
  }
  text += table(rows) + "\n";
  switch (found.verdict) {
    case Limit::Verdict::converges:
      text += found.order ? fmt::format("The motions converge, with the order {:.2g}.\n", *found.order)
                          : "The motions are the same, up to the errors of integration.\n";
      break;
    case Limit::Verdict::does_not: text += "The motions do not converge to those of the other model.\n"; break;
    case Limit::Verdict::undecided: text += "These values decide nothing: take them nearer to the limit.\n"; break;
  }
  return text::printable(text);
}

std::string to_json(const Limit& found, const std::string& model, const std::string& other) {
  Json document;
  document["model"] = model;
  document["other"] = other;
  document["name"] = found.name;
  document["t_end"] = number(found.t_end);
  document["values"] = numbers(found.values);
  document["differences"] = numbers(found.differences);
  document["orders"] = Json::array();
  for (const auto& order : found.orders) document["orders"].push_back(order ? number(*order) : Json());
  document["order"] = found.order ? number(*found.order) : Json();
  document["verdict"] = to_string(found.verdict);
  return dump(document);
}

}  // namespace cetaev
