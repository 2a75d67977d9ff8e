#include "cetaev/report/sweep.hpp"

#include <fmt/format.h>

#include "json_values.hpp"

namespace cetaev {

namespace {

double rate(const SweepOutcome& outcome) {
  const double seconds = outcome.all.wall_seconds;
  return seconds > 0 ? static_cast<double>(outcome.computed) / seconds : 0;
}

// "(event 3, pivot 1)"
std::string reasons(const LeftToProcessor& left) {
  std::string text;
  for (const auto& [why, count] : left) text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", why, count);
  return text.empty() ? text : text + ")";
}

std::string motions(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "motion" : "motions"); }

}  // namespace

std::string to_json(const SweepOutcome& outcome) {
  const EnsembleSummary& all = outcome.all;
  Json document;
  document["count"] = outcome.count;
  document["finished"] = all.finished;
  document["singular"] = all.singular;
  document["event"] = all.event;
  document["failed"] = all.failed;
  document["missing"] = outcome.count - all.count;
  document["computed"] = outcome.computed;
  document["interrupted"] = all.interrupted;
  document["steps"] = all.steps;
  document["alone"] = all.alone;
  document["threads"] = all.threads;
  document["lanes"] = all.lanes;
  document["ranks"] = outcome.ranks;
  document["device"] = to_string(outcome.device);
  if (!all.device.empty()) {
    document["device_name"] = all.device;
    document["device_seconds"] = number(all.device_seconds);
    document["fixed_steps"] = outcome.fixed_steps;
    document["precision"] = outcome.single_precision ? "single" : "double";
    document["left"] = Json::object();
    for (const auto& [why, count] : all.left) document["left"][why] = count;
  }
  document["compile_seconds"] = number(all.compile_seconds);
  document["wall_seconds"] = number(all.wall_seconds);
  document["per_second"] = number(rate(outcome));
  document["out"] = outcome.out.empty() ? Json(nullptr) : Json(outcome.out);
  return dump(document);
}

std::string to_text(const SweepOutcome& outcome) {
  const EnsembleSummary& all = outcome.all;
  std::string text = motions(outcome.count) + "\n";
  const auto line = [&](const char* word, std::size_t count, const char* what) {
    if (count > 0) text += fmt::format("  {:<10} {:>10}  {}\n", word, count, what);
  };
  line("finished", all.finished, "");
  line("event", all.event, "stopped by an event");
  line("singular", all.singular, "reached a singular set");
  line("failed", all.failed, "could not start, or not go on");
  line("missing", outcome.count - all.count,
       outcome.out.empty() ? "not computed" : "not computed yet: --resume does what is missing");
  // nothing at the end of a line
  for (std::size_t at = text.find(" \n"); at != std::string::npos; at = text.find(" \n")) text.erase(at, 1);
  if (outcome.computed > 0)
    text += fmt::format("{} computed in {:.3g} s ({:.3g} a second) by {} {}{}\n", motions(outcome.computed),
                        all.wall_seconds, rate(outcome), all.threads, all.threads == 1 ? "thread" : "threads",
                        outcome.ranks > 1 ? fmt::format(" of {} ranks", outcome.ranks) : "");
  if (!all.device.empty() && outcome.computed > 0)
    text += fmt::format("{} took {:.3g} s of it{}; {} it left to the processor{}\n", all.device, all.device_seconds,
                        outcome.single_precision ? " in single precision" : "", motions(all.alone), reasons(all.left));
  if (!outcome.out.empty()) text += outcome.out;
  if (!outcome.table.empty() && outcome.table != outcome.out)
    text += fmt::format(", of which {} is made once nothing is missing", outcome.table);
  if (!outcome.out.empty()) text += "\n";
  return text;
}

}  // namespace cetaev
