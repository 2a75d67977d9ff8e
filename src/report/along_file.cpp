#include "along_file.hpp"

#include "cetaev/output/sweep_file.hpp"

namespace cetaev {

void write_along(const System& system, const AlongRows& along, const std::string& path) {
  SweepDescription description;
  description.count = description.block = along.values.size();
  description.inputs = {along.name};
  description.outputs = along.columns;
  description.texts = {{"model", system->name}, {"text", system->text}};
  description.lists = {{"settings", system->settings}, {"critical", along.critical}};
  SweepRows rows;
  rows.inputs = along.values;
  for (const std::vector<double>& row : along.rows) rows.outputs.insert(rows.outputs.end(), row.begin(), row.end());
  rows.t.assign(along.values.size(), 0.0);
  rows.status.assign(along.values.size(), MotionStatus::finished);
  rows.diagnosis.resize(along.values.size());
  for (std::size_t i = 0; i < along.diagnosis.size(); ++i) {
    if (!along.diagnosis[i]) continue;
    rows.status[i] = MotionStatus::failed;
    rows.diagnosis[i] = along.diagnosis[i];
  }
  SweepFile::create(path, description).write(0, rows);
}

}  // namespace cetaev
