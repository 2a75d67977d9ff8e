#include "cetaev/report/stability_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "cetaev/detail/output/existing.hpp"
#include "cetaev/output/sweep_file.hpp"
#include "stability_chart_json.hpp"

namespace cetaev {

namespace {

using Place = StabilityChart::Place;

Json grid(const StabilityChart& chart, const std::function<Json(const Place&)>& value) {
  Json rows = Json::array();
  const std::size_t each = chart.axes[1].count;
  for (std::size_t i = 0; i < chart.axes[0].count; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < each; ++j) row.push_back(value(chart.places[i * each + j]));
    rows.push_back(std::move(row));
  }
  return rows;
}

SweepRows rows_of(const StabilityChart& chart) {
  SweepRows rows;
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    const Place& place = chart.places[i];
    const std::array<double, 2> at = chart.at(i);
    rows.inputs.insert(rows.inputs.end(), at.begin(), at.end());
    if (place.has_values()) {
      rows.outputs.insert(rows.outputs.end(), {place.growth, place.frequency, static_cast<double>(place.growing)});
      rows.outputs.insert(rows.outputs.end(), place.solved.begin(), place.solved.end());
    } else {
      rows.outputs.insert(rows.outputs.end(), 3 + chart.solve.size(), std::nan(""));
    }
    rows.t.push_back(place.has_values() ? 0 : std::nan(""));
    rows.status.push_back(!place.computed    ? MotionStatus::interrupted
                          : !place.diagnosis ? MotionStatus::finished
                                             : MotionStatus::failed);
    rows.diagnosis.push_back(place.diagnosis);
  }
  return rows;
}

}  // namespace

std::string to_text(const StabilityChart& chart) {
  const auto& [across, upwards] = chart.axes;
  std::string text = fmt::format("over {} = {:.6g} … {:.6g} and {} = {:.6g} … {:.6g}: {} × {} places{}\n", across.name,
                                 across.from, across.to, upwards.name, upwards.from, upwards.to, across.count,
                                 upwards.count, chart.interrupted ? ", interrupted" : "");
  if (chart.zero > 0)
    text += fmt::format("  {} zero everywhere and left aside\n",
                        chart.zero == 1 ? "1 eigenvalue is" : fmt::format("{} eigenvalues are", chart.zero));
  const auto line = [&](const char* words, const std::function<bool(const Place&)>& holds) {
    const auto count = std::ranges::count_if(chart.places, holds);
    if (count == 0) return;
    text += fmt::format("  {:>5.1f} %   {}\n",
                        100 * static_cast<double>(count) / static_cast<double>(chart.places.size()), words);
  };
  line(chart.zero > 0 ? "all others have negative real parts" : "all eigenvalues have negative real parts",
       [](const Place& one) { return one.has_values() && one.growth < 0; });
  line("some lie on the imaginary axis, none to its right",
       [](const Place& one) { return one.has_values() && one.growth == 0; });
  line("some have positive real parts: unstable", [](const Place& one) { return one.has_values() && one.growth > 0; });
  std::map<std::string, std::size_t> others;
  for (const Place& one : chart.places)
    if (one.diagnosis) ++others[std::string(to_string(*one.diagnosis))];
  for (const auto& [diagnosis, count] : others)
    text += fmt::format("  {:>5.1f} %   {}\n",
                        100 * static_cast<double>(count) / static_cast<double>(chart.places.size()), diagnosis);
  return text;
}

Json chart_json(const StabilityChart& chart) {
  Json document;
  for (const Along& axis : chart.axes) {
    std::vector<double> values;
    for (std::size_t i = 0; i < axis.count; ++i) values.push_back(axis.value(i));
    document["names"].push_back(axis.name);
    document["values"].push_back(numbers(values));
  }
  document["zero"] = chart.zero;
  document["interrupted"] = chart.interrupted;
  document["growth"] = grid(chart, [](const Place& one) { return one.has_values() ? number(one.growth) : Json(); });
  document["frequency"] =
      grid(chart, [](const Place& one) { return one.has_values() ? number(one.frequency) : Json(); });
  for (std::size_t k = 0; k < chart.solve.size(); ++k)
    document["solved"][chart.solve[k]] =
        grid(chart, [&](const Place& one) { return one.has_values() ? number(one.solved[k]) : Json(); });
  document["growing"] = grid(chart, [](const Place& one) { return one.has_values() ? Json(one.growing) : Json(); });
  document["diagnosis"] =
      grid(chart, [](const Place& one) { return one.diagnosis ? Json(to_string(*one.diagnosis)) : Json(); });
  return document;
}

std::string to_json(const StabilityChart& chart) { return dump(chart_json(chart)); }

void write_chart(const System& system, const StabilityChart& chart, const std::string& path) {
  output::require_folder(path);
  const bool table = path.ends_with(".csv");
  const std::string rows = table ? path + ".part" : path;
  SweepDescription description;
  description.count = description.block = chart.places.size();
  description.inputs = {chart.axes[0].name, chart.axes[1].name};
  description.outputs = {"growth", "frequency", "growing"};
  description.outputs.insert(description.outputs.end(), chart.solve.begin(), chart.solve.end());
  description.texts = {{"model", system->name}, {"text", system->text}};
  description.lists = {{"settings", system->settings}};
  {
    SweepFile file = SweepFile::create(rows, description);
    file.write(0, rows_of(chart));
    if (table) write_csv(file, path);
  }
  if (table) std::filesystem::remove(rows);
}

}  // namespace cetaev
