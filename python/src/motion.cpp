#include "motion.hpp"

#include <cmath>

#include "bindings.hpp"
#include "cetaev/analysis/inverse.hpp"
#include "cetaev/output/motion_file.hpp"
#include "cetaev/report/inverse.hpp"
#include "cetaev/report/page.hpp"
#include "cetaev/version.hpp"

namespace cetaev::python {

MotionOptions Wishes::of(const System& system) const {
  MotionOptions motion = default_options(system);
  if (form) motion.form = parse_form(*form);
  if (method) motion.method = parse_method(*method);
  if (backend) motion.backend = parse_backend(*backend);
  if (t_end) motion.t_end = *t_end;
  if (tolerance) motion.tolerance = *tolerance;
  constexpr long long most = 1'000'000'000;
  if (samples && (*samples < 2 || *samples > most))
    throw Error(ErrorCode::bad_model, "samples needs a whole number from 2 to 1000000000");
  if (samples) motion.samples = static_cast<std::size_t>(*samples);
  motion.variations = variations;
  motion.through_singular = through_singular;
  motion.cache = cache;
  return motion;
}

MotionRecord Motion::record() const {
  MotionRecord result;
  result.events = &log;
  result.out = out;
  result.section_event = section;
  return result;
}

const Trajectory& Motion::trajectory() {
  std::call_once(once_, [this] {
    MotionOptions again = options;
    again.variations.clear();
    if (summary.status == MotionStatus::interrupted) again.t_end = summary.last.t;
    dense_ = compute_trajectory(system, again);
  });
  return *dense_;
}

namespace {

Wishes wishes(std::optional<std::string> form, std::optional<double> t_end, std::optional<long long> samples,
              std::optional<double> tolerance, std::optional<std::string> method, std::optional<std::string> backend,
              bool through_singular, bool cache, Names variations) {
  return {std::move(form), std::move(method),    std::move(backend), t_end, tolerance, samples, through_singular,
          cache,           std::move(variations)};
}

std::size_t event_number(const System& system, const std::string& name) {
  std::string list;
  for (std::size_t i = 0; i < system->events.size(); ++i) {
    if (system->events[i].name == name) return i;
    list += (list.empty() ? "there are " : ", ") + system->events[i].name;
  }
  throw Error(ErrorCode::bad_model,
              "the model has no event '" + name + "'; " + (list.empty() ? "it has no [events] at all" : list));
}

std::shared_ptr<Motion> run(const Model& model, const Wishes& wanted, const std::string& section,
                            const std::string& out, const py::object& progress) {
  const System& system = model.system();
  auto motion = std::make_shared<Motion>(system);
  motion->options = wanted.of(system);
  motion->options.once = true;
  motion->section = section;
  motion->out = out;
  // Where the states go; those of a section take the place of the samples.
  Recorders all, sampled;
  std::unique_ptr<MotionFile> file;
  std::optional<Section> at_event;
  if (!section.empty()) at_event.emplace(event_number(system, section), sampled);
  if (!out.empty()) file = open_motion_file(system, motion->options, out);
  Recorders& to = at_event ? sampled : all;
  to.add(motion->kept);
  to.add(motion->variations);
  if (file) to.add(*file);
  if (at_event) all.add(*at_event);
  all.add(motion->log);
  all.add(motion->events);
  watched_motion(system, motion->options, progress, [&](const MotionOptions& asked) {
    motion->summary = model.bench().run(asked, all);
    if (file) file->finish(motion->summary);
    return 0;
  });
  return motion;
}

py::array view(const py::object& owner, const std::vector<double>& column) {
  py::array array(py::dtype::of<double>(), {column.size()}, {sizeof(double)}, column.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// What is fixed about a motion, at once: a binding of each would be compiled each.
py::dict about_motion(const Motion& motion) {
  py::dict result, events;
  for (std::size_t i = 0; i < motion.system->events.size(); ++i)
    events[py::str(motion.system->events[i].name)] = array_of(motion.events.times[i]);
  result["name"] = motion.system->name;
  result["coordinates"] = motion.system->coordinates;
  result["varied"] = motion.options.variations;
  result["outputs"] = motion.system->output_columns();
  result["status"] = to_string(motion.summary.status);
  result["events"] = events;
  return result;
}

// All that a motion has, by their kind.
py::dict columns(const py::object& self) {
  const auto& motion = self.cast<const Motion&>();
  const Samples& samples = motion.samples();
  const auto list = [&](const std::vector<std::vector<double>>& some) {
    py::list result;
    for (const std::vector<double>& column : some) result.append(view(self, column));
    return result;
  };
  py::dict result;
  result["t"] = view(self, samples.t);
  result["E"] = view(self, samples.E);
  result["residual"] = view(self, samples.residual);
  result["q"] = list(samples.q);
  result["v"] = list(samples.v);
  result["multipliers"] = list(samples.multipliers);
  result["outputs"] = list(samples.outputs);
  result["variations"] = list(motion.variations.columns);
  return result;
}

// q and v, row by row, at each of the times.
py::array states_at(Motion& motion, const Array& times) {
  const Trajectory& path = apart([&]() -> const Trajectory& { return motion.trajectory(); });
  const std::size_t width = 2 * path.coordinates();
  const auto count = static_cast<std::size_t>(times.size());
  py::array_t<double> values({count, width});
  double* out = values.mutable_data();
  const double* t = times.data();
  apart([&] {
    for (std::size_t i = 0; i < count; ++i) path.at(t[i], {out + i * width, width});
  });
  return values;
}

std::string written(const Motion& motion, const std::string& how) {
  return apart([&] {
    if (how == "json") return to_json(motion.system, motion.summary, motion.record());
    if (how == "text") return to_text(motion.system, motion.summary, motion.record());
    return write_stage(motion.system, motion.summary, motion.samples(), std::string(version()));
  });
}

void raise_diagnosis(const Motion& motion) {
  if (motion.summary.diagnosis) throw Error(*motion.summary.diagnosis);
}

py::dict arrays_of(const InverseDynamics& found) {
  py::dict result, forces, powers;
  py::list q, v;
  for (const auto& column : found.samples.q) q.append(array_of(column));
  for (const auto& column : found.samples.v) v.append(array_of(column));
  for (const Drive& drive : found.drives) {
    forces[py::str(drive.name)] = array_of(drive.force);
    powers[py::str(drive.name)] = array_of(drive.power);
  }
  result["t"] = array_of(found.samples.t);
  result["q"] = q;
  result["v"] = v;
  result["forces"] = forces;
  result["powers"] = powers;
  return result;
}

py::tuple answer_of(const System& system, const InverseDynamics& found) {
  if (found.summary.status == MotionStatus::failed && found.summary.diagnosis) throw Error(*found.summary.diagnosis);
  return py::make_tuple(to_json(system, found), to_text(system, found), arrays_of(found));
}

// Of a model that was read with what it has to follow.
py::tuple inverse_along(const Model& model, const Wishes& wanted, const py::object& progress) {
  MotionOptions options = wanted.of(model.system());
  options.once = true;
  if (!wanted.samples) options.samples = 101;
  return answer_of(model.system(), watched_motion(model.system(), options, progress, [&](const MotionOptions& asked) {
                     return inverse_dynamics(model.system(), asked);
                   }));
}

// Along columns by their names: t, coordinates, velocities where there are any.
py::tuple inverse_through(const Model& model, const std::vector<std::pair<std::string, Array>>& given) {
  MotionTable table;
  for (const auto& [name, column] : given) {
    table.names.push_back(name);
    table.columns.emplace_back(column.data(), column.data() + column.size());
  }
  return answer_of(model.system(),
                   apart([&] { return inverse_dynamics(model.system(), table, "the motion that was given"); }));
}

py::dict read_columns(const std::string& path) {
  const MotionTable table = apart([&] { return read_motion(path); });
  py::dict result;
  for (std::size_t i = 0; i < table.names.size(); ++i) result[py::cast(table.names[i])] = array_of(table.columns[i]);
  return result;
}

}  // namespace

void bind_motions(py::module_& module, py::class_<Model>& model) {
  py::class_<Wishes>(module, "Wishes").def(py::init(&wishes));
  py::class_<Motion, std::shared_ptr<Motion>>(module, "Motion")
      .def("about", &about_motion)
      .def("columns", &columns)
      .def("at", &states_at)
      .def("written", &written)
      .def("raise_diagnosis", &raise_diagnosis);
  model.def("run", &run).def("inverse_along", &inverse_along).def("inverse_through", &inverse_through);
  module.def("read_columns", &read_columns);
}

}  // namespace cetaev::python
