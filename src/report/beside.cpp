#include "cetaev/report/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "along_file.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "cetaev/detail/output/own_column.hpp"
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
  if (!found.left_out.empty()) text += "  left out: " + found.left_out + "\n";
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
  if (!found.left_out.empty()) document["left_out"] = found.left_out;
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

namespace {

void add_motion(const System& system, const PeriodicMotion& found, Json& document) {
  document["period"] = number(found.period);
  document["t"] = number(found.state.t);
  document["q"] = by_coordinate(system, found.state.q);
  document["v"] = by_coordinate(system, found.state.v);
  document["residual"] = number(found.residual);
}

void add_ignorable(const System& system, const PeriodicMotion& found, Json& document) {
  document["ignorable"] = Json::array();
  for (const std::size_t i : found.ignorable) document["ignorable"].push_back(system->coordinates[i]);
  document["turns"] = Json::object();
  for (std::size_t i = 0; i < found.turns.size(); ++i)
    if (found.turns[i] != 0) document["turns"][system->coordinates[i]] = found.turns[i];
}

void add_multipliers(const PeriodicMotion& found, Json& document) {
  document["multipliers"] = Json::array();
  for (const std::complex<double> one : found.multipliers) document["multipliers"].push_back(complex_json(one));
  document["stable"] = found.stable ? Json(*found.stable) : Json();
}

bool has_multiplier(PeriodicBranch::Kind kind) { return kind != PeriodicBranch::Kind::steady; }

}  // namespace

std::string to_json(const System& system, const PeriodicMotion& found) {
  Json document;
  document["model"] = system->name;
  add_motion(system, found, document);
  add_ignorable(system, found, document);
  document["state"] = found.components;
  add_multipliers(found, document);
  document["because"] = found.because;
  return dump(document);
}

const char* meaning(PeriodicBranch::Kind kind) {
  switch (kind) {
    case PeriodicBranch::Kind::fold: return "a fold: the branch turns back";
    case PeriodicBranch::Kind::period_doubling: return "a period doubling: motions of twice the period branch off";
    case PeriodicBranch::Kind::branch_point: return "a branch point: another branch crosses";
    case PeriodicBranch::Kind::neimark_sacker:
      return "a pair of multipliers crosses the unit circle (Neimark\u2013Sacker)";
    case PeriodicBranch::Kind::collision: return "two pairs of multipliers meet on the unit circle and leave it";
    case PeriodicBranch::Kind::steady: return "the motion shrinks to a steady one";
  }
  return "";
}

std::string to_text(const System& system, const PeriodicBranch& branch) {
  std::string text = system->name + "\n";
  std::string held;
  for (const std::string& name : branch.held) held += (held.empty() ? ", with the same " : ", ") + name;
  text += fmt::format("\nperiodic motions along {}{}{}: {} of them\n", branch.name, held,
                      branch.interrupted ? " (interrupted)" : "", branch.points.size());
  text += fmt::format("  {:>18} {:>18}  {}\n", branch.name, "period", "stability");
  for (const PeriodicBranch::Point& point : branch.points) {
    const auto& stable = point.motion.stable;
    const char* verdict = !stable ? "undecided" : *stable ? "stable" : "unstable";
    text += fmt::format("  {:>18.13g} {:>18.13g}  {}", point.value + 0.0, point.motion.period,
                        point.kind ? meaning(*point.kind) : verdict);
    if (point.kind && has_multiplier(*point.kind) && point.multiplier.imag() != 0)
      text += " at " + pair_text(point.multiplier, 8);
    text += "\n";
  }
  text += branch.closed ? "  the branch comes back to its first motion\n"
                        : fmt::format("  before the first: {}; behind the last: {}\n", branch.begins, branch.ends);
  for (const std::string& note : branch.notes) text += "  note: " + note + "\n";
  return text;
}

std::string to_json(const System& system, const PeriodicBranch& branch) {
  Json document;
  document["model"] = system->name;
  Json& vary = document["vary"];
  vary["name"] = branch.name;
  vary["held"] = branch.held;
  if (!branch.points.empty()) {
    add_ignorable(system, branch.points.front().motion, vary);
  }
  vary["points"] = Json::array();
  vary["critical"] = Json::array();
  for (std::size_t i = 0; i < branch.points.size(); ++i) {
    const PeriodicBranch::Point& point = branch.points[i];
    Json one;
    one["value"] = number(point.value);
    add_motion(system, point.motion, one);
    one["E"] = number(point.E);
    one["least"] = by_coordinate(system, point.least);
    one["largest"] = by_coordinate(system, point.largest);
    add_multipliers(point.motion, one);
    one["kind"] = point.kind ? Json(to_string(*point.kind)) : Json();
    vary["points"].push_back(std::move(one));
    if (!point.kind) continue;
    Json critical{{"point", i}, {"value", number(point.value)}, {"kind", to_string(*point.kind)}};
    if (has_multiplier(*point.kind)) critical.update(complex_json(point.multiplier));
    vary["critical"].push_back(std::move(critical));
  }
  vary["closed"] = branch.closed;
  vary["interrupted"] = branch.interrupted;
  vary["begins"] = branch.begins;
  vary["ends"] = branch.ends;
  vary["notes"] = branch.notes;
  return dump(document);
}

namespace {

// What a file has of every point, beside the value: numbers, and not a number where there is none.
struct BranchColumns {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  std::string kind;  // the name of the words beside them
};

BranchColumns columns_of(const System& system, const PeriodicBranch& branch) {
  // the name of what varies is E or period, or one of the model
  std::vector<std::string> taken = system->coordinates;
  for (const Parameter& parameter : system->parameters)
    if (parameter.symbol.name() == branch.name) taken.push_back(branch.name);
  const auto own = [&](const std::string& name) { return output::own_column(name, taken); };
  BranchColumns result{{own("T"), own("E")}, {}, own("kind")};
  for (const std::string& name : system->coordinates) result.names.push_back(name);
  for (const std::string& name : system->coordinates) result.names.push_back(name + "'");
  for (const std::string& name : system->coordinates)
    result.names.insert(result.names.end(), {fmt::format("min({})", name), fmt::format("max({})", name)});
  std::size_t multipliers = 0;
  for (const PeriodicBranch::Point& point : branch.points)
    multipliers = std::max(multipliers, point.motion.multipliers.size());
  for (std::size_t i = 1; i <= multipliers; ++i)
    result.names.insert(result.names.end(), {own(fmt::format("re{}", i)), own(fmt::format("im{}", i))});
  result.names.push_back(own("stable"));
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const PeriodicBranch::Point& point : branch.points) {
    std::vector<double> row = {point.motion.period, point.E};
    for (const std::vector<double>* values : {&point.motion.state.q, &point.motion.state.v})
      row.insert(row.end(), values->begin(), values->end());
    for (std::size_t i = 0; i < point.least.size(); ++i) row.insert(row.end(), {point.least[i], point.largest[i]});
    for (std::size_t i = 0; i < multipliers; ++i) {
      const auto& known = point.motion.multipliers;
      row.insert(row.end(), {i < known.size() ? known[i].real() : none, i < known.size() ? known[i].imag() : none});
    }
    row.push_back(point.motion.stable ? (*point.motion.stable ? 1 : 0) : none);
    for (double& value : row) value += 0.0;
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace

std::string to_csv(const System& system, const PeriodicBranch& branch) {
  const BranchColumns columns = columns_of(system, branch);
  std::string text = branch.name;
  for (const std::string& name : columns.names) text += "," + name;
  text += "," + columns.kind + "\n";
  for (std::size_t i = 0; i < branch.points.size(); ++i) {
    const PeriodicBranch::Point& point = branch.points[i];
    text += fmt::format("{:.17g}", point.value + 0.0);
    for (const double value : columns.rows[i]) text += std::isnan(value) ? "," : fmt::format(",{:.17g}", value);
    text += "," + std::string(point.kind ? to_string(*point.kind) : "") + "\n";
  }
  return text;
}

void write_branch(const System& system, const PeriodicBranch& branch, const std::string& path) {
  BranchColumns columns = columns_of(system, branch);
  AlongRows along{branch.name, {}, std::move(columns.names), std::move(columns.rows), {}, {}};
  for (const PeriodicBranch::Point& point : branch.points) {
    along.values.push_back(point.value);
    if (point.kind) along.critical.push_back(fmt::format("{} {:.17g}", to_string(*point.kind), point.value));
  }
  write_along(system, along, path);
}

MotionTable to_table(const System& system, const PeriodicBranch& branch) {
  MotionTable table{{branch.name}, {{}}};
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (const PeriodicBranch::Point& point : branch.points) table.columns[0].push_back(point.value);
  if (branch.points.empty()) return table;
  const std::vector<std::size_t>& ignorable = branch.points.front().motion.ignorable;
  for (std::size_t i = 0; i < system->size(); ++i) {
    if (std::ranges::find(ignorable, i) != ignorable.end()) continue;
    for (const auto& [stable, word] : {std::pair<std::optional<bool>, const char*>{true, "stable"},
                                       {false, "unstable"},
                                       {std::nullopt, "undecided"}}) {
      // from a point on, the line to the next one has its verdict; of points where something happens both sides meet
      std::vector<double> column(branch.points.size(), gap);
      bool any = false;
      for (std::size_t k = 0; k < branch.points.size(); ++k) {
        const PeriodicBranch::Point& point = branch.points[k];
        const bool beside =
            point.kind && ((k > 0 && branch.points[k - 1].motion.stable == stable) ||
                           (k + 1 < branch.points.size() && branch.points[k + 1].motion.stable == stable));
        if (point.motion.stable != stable && !beside) continue;
        any = any || !point.kind;
        column[k] = point.largest[i];
      }
      if (!any) continue;
      table.names.push_back(fmt::format("max {}, {}", system->coordinates[i], word));
      table.columns.push_back(std::move(column));
    }
  }
  return table;
}

}  // namespace cetaev
